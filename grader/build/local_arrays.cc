// SPDX-License-Identifier: Apache-2.0
#include "grader/build/local_arrays.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <map>
#include <set>
#include <vector>

#include "grader/build/code_loops.h"
#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"
#include "grader/build/statements.h"
#include "grader/messages/calls.h"
#include "grader/messages/findings.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

/// The lines that have `#pragma unroll 1` or `#pragma nounroll`.
std::set<int> LinesAgainstUnrolling(std::string_view source) {
  std::set<int> lines;
  for (int line = 1; !source.empty(); ++line) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    std::string words;
    for (const char c : source.substr(0, end)) {
      if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != '(' && c != ')') words += c;
    }
    if (words == "#pragmaunroll1" || words == "#pragmanounroll") lines.insert(line);
    source.remove_prefix(std::min(end + 1, source.size()));
  }
  return lines;
}

/// Of one function of the device.
class IndicesOfFunction {
 public:
  IndicesOfFunction(const Tokens& tokens, std::size_t begin, std::size_t end,
                    const std::vector<CodeLoop>& loops, const std::map<std::string, int>& numbers,
                    const std::set<int>& against_unrolling, const std::set<std::string>& not_inlined)
      : tokens_(tokens),
        begin_(begin),
        end_(end),
        loops_(loops),
        numbers_(numbers),
        against_unrolling_(against_unrolling),
        not_inlined_(not_inlined) {}

  std::optional<RunTimeIndex> Find() {
    for (std::size_t at = begin_; at + 1 < end_; ++at) {
      if (IsNumberType(tokens_[at].text)) {
        at = TakeDeclaration(at);
      } else if (arrays_.contains(tokens_[at].text) && !IsMember(at)) {
        if (auto found = InCall(at)) return found;
        if (auto found = InIndices(at)) return found;
      }
    }
    return std::nullopt;
  }

 private:
  using Why = RunTimeIndex::Why;

  /// Something that is known only at run time.
  struct Unknown {
    Why why = Why::kComputed;
    std::string variable;
    int loop_line = 0;
  };

  bool IsMember(std::size_t at) const { return at > 0 && IsOneOf(tokens_[at - 1].text, {".", "->", "::"}); }

  /// `float a[2][8], b[2][8] = {};` from its type on, which is at `type`. Returns its last token that need
  /// not be looked at again.
  std::size_t TakeDeclaration(std::size_t type) {
    if (IsSharedOrStatic(type)) return type;
    std::size_t at = type + 1, taken = type;
    while (at + 1 < end_ && IsName(tokens_[at].text) && tokens_[at + 1].text == "[") {
      const std::string& name = tokens_[at].text;
      int extents = 0;
      for (++at; at < end_ && tokens_[at].text == "["; ++extents) at = ClosingBracket(at) + 1;
      arrays_[name] = extents;
      taken = at - 1;
      if (!IsAt(tokens_, at, ",")) break;
      ++at;
    }
    return taken;
  }

  bool IsSharedOrStatic(std::size_t type) const {
    for (std::size_t at = type; at > begin_ + 1 && !IsOneOf(tokens_[at - 1].text, {";", "{", "}"}); --at) {
      if (IsOneOf(tokens_[at - 1].text, {"__shared__", "static", "extern"})) return true;
    }
    return false;
  }

  std::size_t ClosingBracket(std::size_t at) const {
    int depth = 0;
    for (; at < end_; ++at) {
      if (tokens_[at].text == "[") ++depth;
      if (tokens_[at].text == "]" && --depth == 0) break;
    }
    return at;
  }

  /// An array, or a row of it, whose address is given to a function that is not inlined.
  std::optional<RunTimeIndex> InCall(std::size_t array) const {
    int subscripts = 0;
    for (std::size_t at = array + 1; at < end_ && tokens_[at].text == "["; at = ClosingBracket(at) + 1)
      ++subscripts;
    if (subscripts >= arrays_.at(tokens_[array].text)) return std::nullopt;
    int depth = 0;
    for (std::size_t at = array; at > begin_ + 1 && tokens_[at].text != ";"; --at) {
      if (tokens_[at].text == ")") ++depth;
      if (tokens_[at].text != "(" || --depth >= 0) continue;
      const std::string& function = tokens_[at - 1].text;
      if (!not_inlined_.contains(function)) return std::nullopt;
      return RunTimeIndex{tokens_[array].line, tokens_[array].text, "", Why::kAddress, function, 0};
    }
    return std::nullopt;
  }

  std::optional<RunTimeIndex> InIndices(std::size_t array) const {
    for (std::size_t open = array + 1; open < end_ && tokens_[open].text == "[";) {
      const std::size_t close = ClosingBracket(open);
      if (const auto unknown = FirstUnknown(open + 1, close, 0)) {
        std::string index;
        for (std::size_t at = open + 1; at < close; ++at) {
          const bool is_joined = index.empty() || IsOneOf(tokens_[at].text, {".", "[", "]", ")"}) ||
                                 IsOneOf(tokens_[at - 1].text, {".", "[", "("});
          index += (is_joined ? "" : " ") + tokens_[at].text;
        }
        // A loop over the index alone needs other bounds; of what is computed from it more has to change.
        const bool is_alone = index == unknown->variable;
        const Why why = unknown->why == Why::kBounds && !is_alone ? Why::kComputed : unknown->why;
        return RunTimeIndex{tokens_[array].line, tokens_[array].text, index, why,
                            unknown->variable,   unknown->loop_line};
      }
      open = close + 1;
    }
    return std::nullopt;
  }

  std::optional<Unknown> FirstUnknown(std::size_t begin, std::size_t end, int depth) const {
    for (std::size_t at = begin; at < end; ++at) {
      if (!IsName(tokens_[at].text) || IsMember(at)) continue;
      if (const auto unknown = UnknownOf(at, depth)) return unknown;
    }
    return std::nullopt;
  }

  /// Of the name at `at`; nothing if it is a constant, or if the text does not say.
  std::optional<Unknown> UnknownOf(std::size_t at, int depth) const {
    constexpr int kDeepest = 5;
    const std::string& name = tokens_[at].text;
    if (IsOneOf(name, {"threadIdx", "blockIdx"}) || IsParameter(name))
      return Unknown{Why::kComputed, name, 0};
    if (depth > kDeepest) return std::nullopt;
    const CodeLoop* loop = nullptr;
    for (const CodeLoop& each : loops_) {
      // In its header, a loop's own variable says nothing of itself.
      if (each.variable == name && each.body <= at && at < each.end) loop = &each;
    }
    if (loop != nullptr) return UnknownOfLoop(*loop, depth);
    // Named numbers have the variables of loops, too.
    return numbers_.contains(name) ? std::nullopt : UnknownOfVariable(at, depth);
  }

  std::optional<Unknown> UnknownOfLoop(const CodeLoop& loop, int depth) const {
    const int line = tokens_[loop.begin].line;
    if (against_unrolling_.contains(line - 1)) return Unknown{Why::kNotUnrolled, loop.variable, line};
    bool any_unknown = false;
    for (std::size_t at = loop.begin + 2; at + 1 < loop.body; ++at) {
      const std::string& text = tokens_[at].text;
      // `i < 8 && row + i < width`: the constant is enough to unroll the loop.
      if (text == "&&") return std::nullopt;
      if (!IsName(text) || IsMember(at) || text == loop.variable) continue;
      any_unknown |= UnknownOf(at, depth + 1).has_value();
    }
    return any_unknown ? std::optional(Unknown{Why::kBounds, loop.variable, line}) : std::nullopt;
  }

  /// Of a variable that is declared above, and is assigned nowhere else: what it is computed from.
  std::optional<Unknown> UnknownOfVariable(std::size_t use, int depth) const {
    const std::string& name = tokens_[use].text;
    std::size_t declared = 0;
    for (std::size_t at = begin_ + 1; at + 1 < end_; ++at) {
      if (tokens_[at].text != name || IsMember(at)) continue;
      const std::string& before = tokens_[at - 1].text;
      const bool is_declared =
          tokens_[at + 1].text == "=" && (IsNumberType(before) || before == "auto" || before == ",");
      if (is_declared && at < use) declared = at;
      const bool changes = IsCompoundAssignment(tokens_[at + 1].text) ||
                           IsOneOf(tokens_[at + 1].text, {"++", "--"}) || IsOneOf(before, {"++", "--"}) ||
                           (tokens_[at + 1].text == "=" && !is_declared);
      if (changes) return std::nullopt;
    }
    if (declared == 0) return std::nullopt;
    std::size_t end = declared + 2;
    int depth_of_groups = 0;
    for (; end < end_; ++end) {
      const std::string& text = tokens_[end].text;
      if (IsOneOf(text, {"(", "[", "{"})) ++depth_of_groups;
      if (IsOneOf(text, {")", "]", "}"})) --depth_of_groups;
      if (text == ";" || (text == "," && depth_of_groups == 0)) break;
    }
    return FirstUnknown(declared + 2, end, depth + 1);
  }

  /// Of the kernel: `int width` before its body. Of a function that is inlined it may be a constant.
  bool IsParameter(const std::string& name) const {
    int depth = 0;
    bool is_named = false;
    std::size_t at = begin_;
    for (; at > 0 && !IsOneOf(tokens_[at - 1].text, {";", "}"}); --at) {
      const std::string& text = tokens_[at - 1].text;
      if (text == ")") ++depth;
      is_named |= text == name && IsOneOf(tokens_[at].text, {",", ")"});
      if (text == "(" && --depth == 0) break;
    }
    for (; at > 0 && !IsOneOf(tokens_[at - 1].text, {";", "}"}); --at) {
      if (tokens_[at - 1].text == "__global__") return is_named;
    }
    return false;
  }

  const Tokens& tokens_;
  std::size_t begin_, end_;
  const std::vector<CodeLoop>& loops_;
  const std::map<std::string, int>& numbers_;
  const std::set<int>& against_unrolling_;
  const std::set<std::string>& not_inlined_;
  std::map<std::string, int> arrays_{};  ///< How many extents each has.
};

/// `__noinline__ void store_row(`.
std::set<std::string> NamesNotInlined(const Tokens& tokens) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].text != "__noinline__") continue;
    while (at + 1 < tokens.size() && tokens[at + 1].text != "(") ++at;
    names.insert(tokens[at].text);
  }
  return names;
}

}  // namespace

std::optional<RunTimeIndex> FindRunTimeIndex(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const std::string code = WithoutComments(source);
  const Tokens tokens = TokensOf(code);
  const std::map<std::string, int> numbers = NamedNumbers(code);
  const std::vector<CodeLoop> loops = LoopsOf(tokens);
  const std::set<int> against = LinesAgainstUnrolling(code);
  const std::set<std::string> not_inlined = NamesNotInlined(tokens);
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const CodeStatement& body = statements[i];
    if (body.parent != i || !IsDeclaredWith(tokens, body.begin, {"__global__", "__device__"})) continue;
    IndicesOfFunction function(tokens, body.begin, body.end, loops, numbers, against, not_inlined);
    if (auto found = function.Find()) return found;
  }
  return std::nullopt;
}

namespace {

/// Where the function begins that the first token of the line is in; a brace, or 0.
std::size_t BodyWithLine(const Tokens& tokens, int line) {
  std::size_t body = 0;
  int depth = 0;
  for (std::size_t at = 0; at < tokens.size() && tokens[at].line < line; ++at) {
    if (tokens[at].text == "{" && depth++ == 0) body = at;
    if (tokens[at].text == "}" && depth > 0) --depth;
  }
  return body;
}

/// Whether the array before the bracket at `open` is declared there, as one of a thread's own.
bool IsLocalDeclaration(const Tokens& tokens, std::size_t body, std::size_t open) {
  const std::string& before = tokens[open - 2].text;
  const bool has_type = IsName(before) && before != "return";
  std::size_t begin = open - 1;
  while (begin > body + 1 && !IsOneOf(tokens[begin - 1].text, {";", "{", "}"})) --begin;
  for (std::size_t at = begin; at < open; ++at) {
    if (IsOneOf(tokens[at].text, {"__shared__", "static", "extern"})) return false;
  }
  return has_type || (before == "," && IsNumberType(tokens[begin].text));
}

/// How many elements the array has whose extents begin at `open`; 0 if the text does not show it.
std::int64_t ElementsOf(const Tokens& tokens, std::size_t open, const std::map<std::string, int>& numbers) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  std::int64_t elements = 1;
  for (; IsAt(tokens, open, "["); open += 3) {
    if (!IsAt(tokens, open + 2, "]")) return 0;
    const std::string& extent = tokens[open + 1].text;
    const auto named = numbers.find(extent);
    const bool is_number = extent.size() < 9 &&
                           std::ranges::all_of(extent, [](unsigned char c) { return std::isdigit(c) != 0; });
    if (!is_number && named == numbers.end()) return 0;
    elements *= is_number ? std::stoi(extent) : named->second;
    if (elements <= 0 || elements > kMost) return 0;
  }
  return elements;
}

}  // namespace

void NameLocalArray(Finding& finding, std::string_view source) {
  if (!say::local_variable.Made(finding.object) || finding.where.line == 0 || finding.access_bytes == 0 ||
      source.size() > kLongestSource)
    return;
  const std::string code = WithoutComments(source);
  const Tokens tokens = TokensOf(code);
  const int line = finding.where.line;
  const auto numbers = NamedNumbers(code);
  const std::size_t body = BodyWithLine(tokens, line);
  struct Known {
    bool has_rows = false;           ///< More than one extent.
    std::int64_t element_bytes = 0;  ///< 0: not known.
  };
  std::map<std::string, Known> declared;
  std::set<std::string> used, used_alike;  ///< In the line; those of elements as wide as the access.
  const std::int64_t access = finding.access_bytes;
  for (std::size_t open = body + 2; open < tokens.size() && tokens[open].line <= line; ++open) {
    const std::string& name = tokens[open - 1].text;
    if (tokens[open].text != "[" || !IsName(name)) continue;
    if (IsLocalDeclaration(tokens, body, open)) {
      const std::int64_t elements = ElementsOf(tokens, open, numbers);
      const bool is_right = elements > 0 && finding.object_bytes % elements == 0;
      const std::int64_t size = is_right ? finding.object_bytes / elements : access;
      if ((elements == 0 || is_right) && std::has_single_bit(static_cast<std::uint64_t>(size)))
        declared[name] = {BehindSubscripts(tokens, open) != BehindBracket(tokens, open), size};
    }
    if (tokens[open].line != line || !declared.contains(name)) continue;
    used.insert(name);
    if (declared.at(name).element_bytes == access) used_alike.insert(name);
  }
  if (used_alike.size() == 1) used = used_alike;
  if (used.size() != 1) return;
  const std::string& name = *used.begin();
  const auto [has_rows, size] = declared.at(name);
  finding.object = Message(name);
  // The compiler may join the accesses to several elements.
  if (finding.offset_bytes % size != 0 || finding.object_bytes % size != 0 || access % size != 0) return;
  const Message verb = finding.access == Access::kRead ? say::reads() : say::writes();
  const say::Count count(finding.object_bytes / size, "element");
  const std::int64_t element = finding.offset_bytes / size, last = finding.object_bytes / size - 1;
  if (has_rows) {
    if (element > last)
      finding.message = say::numbered_element_past_end(verb, element, say::name_in_code(name), count, last);
  } else if (element < 0) {
    finding.message = say::element_before_start(verb, finding.object, element);
  } else {
    finding.message = say::ElementsPastEnd(verb, finding.object, element, element + access / size - 1, count);
  }
}

}  // namespace warplings
