// SPDX-License-Identifier: Apache-2.0
#include "grader/build/thread_indices.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

const std::string& TextAt(const Tokens& tokens, std::size_t at) {
  static const std::string kNone;
  return at < tokens.size() ? tokens[at].text : kNone;
}

bool IsWord(const std::string& text) {
  return !text.empty() && IsName(text);
}

/// A function of the device: from its first brace to its last.
struct Function {
  std::string name;
  std::set<std::string> parameters;  ///< All words between its parentheses.
  std::size_t begin = 0, end = 0;
  bool is_kernel = false;
};

std::vector<Function> FunctionsOf(const Tokens& tokens) {
  std::vector<Function> functions;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (!IsOneOf(tokens[at].text, {"__global__", "__device__"})) continue;
    Function function;
    function.is_kernel = tokens[at].text == "__global__";
    std::size_t open = at + 1;
    while (open < tokens.size() && !IsOneOf(tokens[open].text, {"(", ";", "{", "="})) {
      function.name = tokens[open].text;
      ++open;
      if (function.name == "__launch_bounds__") open = BehindBracket(tokens, open);
    }
    if (TextAt(tokens, open) != "(") continue;
    const std::size_t close = BehindBracket(tokens, open);
    if (TextAt(tokens, close) != "{") continue;
    for (std::size_t i = open; i < close; ++i) function.parameters.insert(tokens[i].text);
    function.begin = close;
    function.end = BehindBracket(tokens, close);
    functions.push_back(function);
  }
  return functions;
}

/// Whether `threadIdx.x` begins there, for the axis 'x'; for ' ' that of any axis.
bool IsThreadIndex(const Tokens& tokens, std::size_t at, char axis) {
  if (TextAt(tokens, at) != "threadIdx" || TextAt(tokens, at + 1) != ".") return false;
  return axis == ' ' || TextAt(tokens, at + 2) == std::string(1, axis);
}

/// The names that a function gives to threadIdx of an axis alone: `const int tx = threadIdx.x;`.
class IndexNames {
 public:
  IndexNames(const Tokens& tokens, const Function& function, char axis) : tokens_(tokens), axis_(axis) {
    for (std::size_t at = function.begin; at < function.end; ++at) {
      if (!IsThreadIndex(tokens, at, axis)) continue;
      std::size_t before = at - 1, behind = at + 3;
      while (before > function.begin &&
             IsOneOf(tokens[before].text, {"(", "{", ")", "int", "unsigned", "static_cast", "<", ">"})) {
        --before;
      }
      if (TextAt(tokens, before) == "=") --before;
      while (IsOneOf(TextAt(tokens, behind), {")", "}"})) ++behind;
      if (!IsOneOf(TextAt(tokens, behind), {";", ","}) || !IsWord(TextAt(tokens, before))) continue;
      // Not an argument of a call, which has no type before its name.
      if (before == 0 || !IsOneOf(tokens[before - 1].text, {"int", "unsigned", "auto", "size_t", ",", "short",
                                                            "uint32_t", "int32_t", "long"})) {
        continue;
      }
      if (TextAt(tokens, before + 1) != "=" && tokens[before - 1].text == ",") continue;
      names_.insert(tokens[before].text);
      definitions_.insert(at);
    }
  }

  /// How many tokens of an index of the thread begin there: 1 for a name, 3 for `threadIdx.x`, 0 for none.
  std::size_t LengthAt(std::size_t at) const {
    if (IsThreadIndex(tokens_, at, axis_)) return definitions_.contains(at) ? 0 : 3;
    const bool is_name = names_.contains(TextAt(tokens_, at)) && TextAt(tokens_, at + 1) != "=" &&
                         (at == 0 || !IsOneOf(tokens_[at - 1].text, {".", "->"}));
    // `int tx(threadIdx.x)` is no use of tx.
    return is_name && !definitions_.contains(at + 2) ? 1 : 0;
  }

  bool AnyIn(std::size_t begin, std::size_t end) const {
    for (std::size_t at = begin; at < end; ++at) {
      if (LengthAt(at) > 0) return true;
    }
    return false;
  }

  std::string Name() const { return names_.empty() ? std::string("threadIdx.") + axis_ : *names_.begin(); }
  bool HasOneName() const { return names_.size() <= 1; }

 private:
  const Tokens& tokens_;
  char axis_;
  std::set<std::string> names_;
  std::set<std::size_t> definitions_;
};

/// Of `threadIdx.y * 16 + threadIdx.x`: it numbers the threads, whatever shape the block has.
bool NumbersThreads(const Tokens& tokens, std::size_t at, std::size_t length, const IndexNames& x) {
  const auto is_x_behind_plus = [&](std::size_t i) {
    if (TextAt(tokens, i) == ")") ++i;
    return TextAt(tokens, i) == "+" && x.LengthAt(i + 1) > 0;
  };
  const std::size_t behind = at + length;
  if (TextAt(tokens, behind) == "*") {
    const std::size_t factor = TextAt(tokens, behind + 1) == "blockDim" ? 3 : 1;
    if (is_x_behind_plus(behind + 1 + factor)) return true;
  }
  if (at >= 2 && tokens[at - 1].text == "*" && is_x_behind_plus(behind)) return true;
  // `threadIdx.x + 16 * threadIdx.y`, `threadIdx.x + threadIdx.y * 16`.
  std::size_t before = at;
  if (at >= 2 && tokens[at - 1].text == "*") {
    before = at - 2;
    if (before >= 2 && TextAt(tokens, before - 2) == "blockDim") before -= 2;
  } else if (TextAt(tokens, behind) != "*") {
    return false;
  }
  if (before < 2 || tokens[before - 1].text != "+") return false;
  return x.LengthAt(before - 2) == 1 || (before >= 4 && x.LengthAt(before - 4) == 3);
}

/// How many arguments `dim3 block(16, 16)`, `dim3(16, 16)` or `dim3 block = {16, 16}` has, of which the
/// bracket is at `open`; those of a 1 at the end do not count.
std::size_t ExtentsAt(const Tokens& tokens, std::size_t open) {
  const std::size_t end = BehindBracket(tokens, open);
  std::size_t extents = 0, number = 0;
  std::size_t begin = open + 1;
  int depth = 0;
  for (std::size_t at = open + 1; at < end; ++at) {
    const std::string& text = tokens[at].text;
    if (IsOneOf(text, {"(", "[", "{"})) ++depth;
    const bool ends = depth == 0 && (text == "," || at + 1 == end);
    if (IsOneOf(text, {")", "]", "}"})) --depth;
    if (!ends) continue;
    ++number;
    const bool is_one = at == begin + 1 && IsOneOf(tokens[begin].text, {"1", "1u", "1U"});
    if (!is_one) extents = number;
    begin = at + 1;
  }
  return extents;
}

/// Of a launch whose `<<<` begins at `at` and that leaves out the extent of that number, 2 for y or 3 for z:
/// the line that declares its block, or else its own.
std::optional<int> LineOfShortBlock(const Tokens& tokens, std::size_t at, std::size_t number) {
  std::size_t comma = at + 2;
  int depth = 0;
  for (; comma < tokens.size(); ++comma) {
    const std::string& text = tokens[comma].text;
    if (IsOneOf(text, {"(", "[", "{"})) ++depth;
    if (IsOneOf(text, {")", "]", "}"})) --depth;
    if (text == ";" || depth < 0) return std::nullopt;
    if (depth == 0 && text == ",") break;
  }
  if (comma + 1 >= tokens.size()) return std::nullopt;
  int line = tokens[at].line;
  const std::string& block = TextAt(tokens, comma + 1);
  if (block == "dim3")
    return ExtentsAt(tokens, comma + 2) < number ? std::optional(tokens[comma + 1].line) : std::nullopt;
  if (!IsWord(block) || !IsOneOf(TextAt(tokens, comma + 2), {",", ">>"})) return line;
  for (std::size_t i = 1; i + 2 < tokens.size(); ++i) {
    if (tokens[i].text != block) continue;
    // A member that is set: `block.y = 16`.
    if (tokens[i + 1].text == ".") return std::nullopt;
    if (i > at) continue;
    std::size_t open = i + 1;
    if (TextAt(tokens, open) == "=") ++open;
    if (TextAt(tokens, open) == "dim3") ++open;
    const bool is_list = IsOneOf(TextAt(tokens, open), {"(", "{"});
    if (is_list && ExtentsAt(tokens, open) >= number) return std::nullopt;
    if (tokens[i - 1].text != "dim3") continue;
    // `dim3 block = 16;` has one; another name may have any.
    if (!is_list && open > i + 1 && IsWord(TextAt(tokens, open))) return std::nullopt;
    line = tokens[i].line;
  }
  return line;
}

std::optional<int> LineOfFlatBlock(const Tokens& tokens, std::string_view kernel, std::size_t number) {
  std::optional<int> line;
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != "<<" || tokens[at + 1].text != "<") continue;
    std::size_t name = at - 1;
    while (name > 0 && tokens[name].text != kernel && !IsOneOf(tokens[name].text, {";", "{", "}"})) --name;
    if (tokens[name].text != kernel) continue;
    const auto block = LineOfShortBlock(tokens, at, number);
    if (!block) return std::nullopt;
    if (!line) line = block;
  }
  return line;
}

/// Where the kernel uses the index; nothing if the text does not say that it needs more than 0.
std::optional<int> LineOfUse(const Tokens& tokens, const Function& kernel, char axis) {
  const IndexNames index(tokens, kernel, axis), x(tokens, kernel, 'x');
  std::optional<int> line;
  for (std::size_t at = kernel.begin; at < kernel.end; ++at) {
    if (tokens[at].text == "blockDim") {
      const bool is_other = TextAt(tokens, at + 1) == "." && TextAt(tokens, at + 2) != std::string(1, axis);
      if (!is_other) return std::nullopt;
    }
    const std::size_t length = index.LengthAt(at);
    if (length == 0) continue;
    const std::string& next = TextAt(tokens, at + length);
    const bool is_compared = IsOneOf(next, {"==", "!="}) && TextAt(tokens, at + length + 1) == "0";
    if (is_compared || tokens[at - 1].text == "!" || NumbersThreads(tokens, at, length, x)) continue;
    if (!line) line = tokens[at].line;
  }
  return line;
}

/// A name with its subscripts: `tile[ty][tx]`.
struct Element {
  std::size_t begin = 0, end = 0;  ///< Of the subscripts.
  std::string text;                ///< Of the subscripts, without blanks.
};

std::optional<Element> ElementAt(const Tokens& tokens, std::size_t at) {
  if (!IsWord(TextAt(tokens, at)) || TextAt(tokens, at + 1) != "[") return std::nullopt;
  Element element{at + 1, at + 1, ""};
  while (TextAt(tokens, element.end) == "[") element.end = BehindBracket(tokens, element.end);
  for (std::size_t i = element.begin; i < element.end && i < tokens.size(); ++i)
    element.text += tokens[i].text;
  return element;
}

/// The names of values that depend on the thread: `tx`, and `i` of `int i = blockDim.x * k + tx`.
std::set<std::string> NamesOfThread(const Tokens& tokens, const Function& function) {
  std::set<std::string> names = {"threadIdx"};
  for (std::size_t at = function.begin; at + 1 < function.end; ++at) {
    if (!IsName(tokens[at].text) || tokens[at + 1].text != "=") continue;
    // Not an element, whose name is before its subscripts.
    for (std::size_t i = at + 2; i < function.end && !IsOneOf(tokens[i].text, {";", ",", "["}); ++i) {
      if (names.contains(tokens[i].text)) names.insert(tokens[at].text);
    }
  }
  return names;
}

/// The array that is declared at `at`, with its own storage in each thread: `float tile[16][16];`.
bool DeclaresOwnArray(const Tokens& tokens, std::size_t at) {
  const auto element = ElementAt(tokens, at);
  if (!element || !IsOneOf(TextAt(tokens, element->end), {";", ",", "="})) return false;
  std::size_t type = at;
  while (type > 0 && IsNumberType(tokens[type - 1].text)) --type;
  return type < at && type > 0 && IsOneOf(tokens[type - 1].text, {";", "{", "}"});
}

/// Each thread stores the array only where its own index says, and reads it in `line` elsewhere.
bool IsReadOfOthers(const Tokens& tokens, const Function& function, std::size_t declared, int line) {
  const std::set<std::string> of_thread = NamesOfThread(tokens, function);
  std::set<std::string> stored, read;
  for (std::size_t at = declared + 1; at < function.end; ++at) {
    if (tokens[at].text != tokens[declared].text) continue;
    const auto element = ElementAt(tokens, at);
    if (!element) return false;  // It is passed on.
    const std::string& next = TextAt(tokens, element->end);
    if (next != "=" && !IsCompoundAssignment(next)) {
      if (tokens[at].line == line) read.insert(element->text);
      continue;
    }
    bool by_thread = false;
    for (std::size_t i = element->begin; i < element->end; ++i)
      by_thread |= of_thread.contains(tokens[i].text);
    if (!by_thread) return false;
    stored.insert(element->text);
  }
  return !stored.empty() &&
         std::ranges::any_of(read, [&](const std::string& each) { return !stored.contains(each); });
}

/// One of the array's subscripts, all of them each an index of the thread and nothing else: `[ty][tx]`.
bool IsAtOwnIndex(const Tokens& tokens, const Function& function, const Element& element) {
  for (std::size_t open = element.begin; open < element.end; open = BehindBracket(tokens, open)) {
    const std::size_t close = BehindBracket(tokens, open) - 1;
    bool is_index = false;
    for (const char axis : {'x', 'y', 'z'})
      is_index |= open + 1 + IndexNames(tokens, function, axis).LengthAt(open + 1) == close;
    if (!is_index) return false;
  }
  return true;
}

/// Each thread stores the array at its own index only, and reads it at one that a loop or a sum moves on.
bool IsReadAsShared(const Tokens& tokens, const Function& function, std::size_t declared) {
  const std::set<std::string> of_thread = NamesOfThread(tokens, function);
  std::set<std::string> stored;
  bool reads_others = false;
  for (std::size_t at = declared + 1; at < function.end; ++at) {
    if (tokens[at].text != tokens[declared].text) continue;
    const auto element = ElementAt(tokens, at);
    const bool is_plain = element && !IsOneOf(tokens[at - 1].text, {"&", ".", "->", "++", "--"});
    if (!is_plain || IsOneOf(TextAt(tokens, element->end), {"++", "--", "."})) return false;
    const std::string& next = TextAt(tokens, element->end);
    const bool at_own = IsAtOwnIndex(tokens, function, *element);
    if (next == "=" || IsCompoundAssignment(next)) {
      if (!at_own) return false;
      stored.insert(element->text);
      continue;
    }
    for (std::size_t i = element->begin; i < element->end && !at_own; ++i) {
      const std::string& word = tokens[i].text;
      const bool is_free = IsWord(word) && !of_thread.contains(word) && !BeginsAsConstant(word) &&
                           !IsOneOf(word, {"x", "y", "z"});
      reads_others |= is_free;
    }
  }
  return stored.size() == 1 && reads_others;
}

bool HasBarrier(const Tokens& tokens, const Function& function) {
  return HasAny(tokens, {function.begin, function.end}, {"__syncthreads"});
}

/// Where the function declares a variable or an array of that name in each thread's own memory; nothing if
/// it declares several.
std::optional<std::size_t> OwnDeclaration(const Tokens& tokens, const Function& function,
                                          const std::string& name) {
  std::optional<std::size_t> found;
  for (std::size_t at = function.begin + 1; at < function.end; ++at) {
    if (tokens[at].text != name || !IsNumberType(tokens[at - 1].text)) continue;
    std::size_t type = at;
    while (type > 0 && IsNumberType(tokens[type - 1].text)) --type;
    const bool is_own = IsOneOf(tokens[type - 1].text, {";", "{", "}"}) &&
                        IsOneOf(TextAt(tokens, at + 1), {"[", ";", ",", "="});
    if (found || !is_own) return std::nullopt;
    found = at;
  }
  return found;
}

}  // namespace

std::optional<OwnArray> FindUnsharedArray(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  for (const Function& function : FunctionsOf(tokens)) {
    if (!HasBarrier(tokens, function)) continue;
    for (std::size_t at = function.begin; at < function.end; ++at) {
      if (DeclaresOwnArray(tokens, at) && OwnDeclaration(tokens, function, tokens[at].text) == at &&
          IsReadAsShared(tokens, function, at))
        return OwnArray{tokens[at].text, tokens[at].line};
    }
  }
  return std::nullopt;
}

std::optional<AtomicOnOwn> FindAtomicOnOwn(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  for (const Function& function : FunctionsOf(tokens)) {
    for (std::size_t at = function.begin; at + 3 < function.end; ++at) {
      const bool is_atomic = tokens[at].text.starts_with("atomic") && tokens[at + 1].text == "(";
      if (!is_atomic) continue;
      const bool has_address = tokens[at + 2].text == "&";
      const std::size_t name = at + (has_address ? 3 : 2);
      const std::size_t behind = BehindSubscripts(tokens, name + 1);
      const auto declared = OwnDeclaration(tokens, function, tokens[name].text);
      if (!declared || *declared > at || TextAt(tokens, behind) != ",") continue;
      // A pointer's value is passed without `&`: only an array's name is one of this thread's own memory.
      if (!has_address && (TextAt(tokens, *declared + 1) != "[" || behind != name + 1)) continue;
      return AtomicOnOwn{tokens[name].text, tokens[*declared].line, tokens[at].text, tokens[at].line};
    }
  }
  return std::nullopt;
}

std::optional<FlatLaunch> FindFlatLaunch(std::string_view source, std::string_view kernel, char axis) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  for (const Function& function : FunctionsOf(tokens)) {
    if (!function.is_kernel || function.name != kernel) continue;
    const auto use = LineOfUse(tokens, function, axis);
    const auto block = LineOfFlatBlock(tokens, kernel, axis == 'y' ? 2 : 3);
    if (!use || !block) return std::nullopt;
    return FlatLaunch{*use, *block};
  }
  return std::nullopt;
}

std::optional<OwnArray> FindUnsharedArray(std::string_view source, int reading_line) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  for (const Function& function : FunctionsOf(tokens)) {
    for (std::size_t at = function.begin; at < function.end; ++at) {
      if (DeclaresOwnArray(tokens, at) && IsReadOfOthers(tokens, function, at, reading_line))
        return OwnArray{tokens[at].text, tokens[at].line};
    }
  }
  return std::nullopt;
}

std::optional<SameIndex> FindSameIndex(std::string_view source, char axis) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  std::optional<SameIndex> found;
  for (const Function& function : FunctionsOf(tokens)) {
    const IndexNames used(tokens, function, axis), unused(tokens, function, axis == 'x' ? 'y' : 'x');
    if (!used.HasOneName() || !unused.HasOneName()) continue;
    for (std::size_t at = function.begin; at < function.end; ++at) {
      const auto first = ElementAt(tokens, at);
      if (!first || TextAt(tokens, first->end) != "*") continue;
      const auto second = ElementAt(tokens, first->end + 1);
      if (!second || TextAt(tokens, at) == TextAt(tokens, first->end + 1)) continue;
      const bool is_of_tiles = !function.parameters.contains(tokens[at].text) &&
                               !function.parameters.contains(tokens[first->end + 1].text);
      if (!is_of_tiles) continue;
      const bool is_same = used.AnyIn(first->begin, first->end) && used.AnyIn(second->begin, second->end) &&
                           !unused.AnyIn(first->begin, second->end);
      // Where another line is right, this one may be of another kernel.
      if (!is_same || found) return std::nullopt;
      found = SameIndex{tokens[at].line, used.Name(), unused.Name()};
    }
  }
  return found;
}

namespace {

/// What sets a variable of a function, if one place alone does.
struct IndexSetting {
  int line = 0;
  std::size_t begin = 0, end = 0;  ///< The value.
};

std::optional<IndexSetting> IndexSettingOf(const Tokens& tokens, const Function& function,
                                           const std::string& name) {
  std::optional<IndexSetting> found;
  for (std::size_t at = function.begin; at + 1 < function.end; ++at) {
    if (tokens[at].text != name) continue;
    const std::string& behind = tokens[at + 1].text;
    const bool is_changed = IsOneOf(behind, {"+=", "-=", "*=", "/=", "++", "--"}) ||
                            IsOneOf(tokens[at - 1].text, {"++", "--", "&"});
    if (is_changed || (behind == "=" && found)) return std::nullopt;
    if (behind != "=") continue;
    int depth = 0;
    std::size_t end = at + 2;
    for (; end < function.end; ++end) {
      const std::string& text = tokens[end].text;
      if (IsOneOf(text, {"(", "[", "{"})) ++depth;
      if (IsOneOf(text, {")", "]", "}"}) && --depth < 0) break;
      if (depth == 0 && IsOneOf(text, {";", ","})) break;
    }
    found = IndexSetting{tokens[at].line, at + 2, end};
  }
  return found;
}

/// The variables of a function whose values come from that index of the thread, also by way of others.
std::set<std::string> NamesThatDependOn(const IndexNames& index, const Tokens& tokens,
                                        const Function& function) {
  std::set<std::string> names;
  for (std::size_t before = names.size() + 1; before != names.size();) {
    before = names.size();
    for (std::size_t at = function.begin; at + 1 < function.end; ++at) {
      if (!IsWord(tokens[at].text) || !IsOneOf(tokens[at + 1].text, {"=", "+=", "-=", "*=", "(", "{"}))
        continue;
      std::size_t end = at + 2;
      while (end < function.end && tokens[end].text != ";") ++end;
      const bool depends = index.AnyIn(at + 1, end) ||
                           std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(at + 2),
                                       tokens.begin() + static_cast<std::ptrdiff_t>(end),
                                       [&](const CodeToken& each) { return names.contains(each.text); });
      if (depends) names.insert(tokens[at].text);
    }
  }
  return names;
}

/// A load as FindDiagonalLoad finds it, with what tells more of it.
struct FoundLoad {
  DiagonalLoad load;
  bool of_x = false;
  bool has_y_first = false;  ///< It fills `tile[ty][tx]`.
};

/// Whether `tile[ty][tx]` begins there: each subscript with one index of the thread alone, y first.
bool HasYFirst(const Tokens& tokens, std::size_t target, std::size_t end, const IndexNames& x,
               const IndexNames& y) {
  std::size_t second = target + 1;
  while (second + 1 < end && !(tokens[second].text == "]" && tokens[second + 1].text == "[")) ++second;
  return second + 1 < end && y.AnyIn(target, second) && !x.AnyIn(target, second) && x.AnyIn(second, end) &&
         !y.AnyIn(second, end);
}

std::vector<FoundLoad> DiagonalLoadsOf(const Tokens& tokens, const Function& function) {
  std::vector<FoundLoad> found;
  const IndexNames x(tokens, function, 'x'), y(tokens, function, 'y');
  if (!x.HasOneName() || !y.HasOneName()) return found;
  for (std::size_t at = function.begin; at + 8 < function.end; ++at) {
    // `tile[ty][tx] =`, the statement's first token.
    const auto target = IsOneOf(tokens[at].text, {";", "{", "}", ")"}) ? at + 1 : function.end;
    if (!IsWord(TextAt(tokens, target)) || TextAt(tokens, target + 1) != "[") continue;
    const std::size_t end = BehindSubscripts(tokens, target + 1);
    const bool fills = TextAt(tokens, end) == "=" && x.AnyIn(target, end) && y.AnyIn(target, end) &&
                       !function.parameters.contains(tokens[target].text);
    if (!fills) continue;
    for (std::size_t from = end + 1; from + 7 < function.end && tokens[from].text != ";"; ++from) {
      // `M[row * width + m_col]`
      const bool is_load = function.parameters.contains(tokens[from].text) &&
                           TextAt(tokens, from + 1) == "[" && IsWord(TextAt(tokens, from + 2)) &&
                           TextAt(tokens, from + 3) == "*" && IsWord(TextAt(tokens, from + 4)) &&
                           TextAt(tokens, from + 5) == "+" && IsWord(TextAt(tokens, from + 6)) &&
                           TextAt(tokens, from + 7) == "]";
      if (!is_load) continue;
      const std::string &row = tokens[from + 2].text, &column = tokens[from + 6].text;
      const auto of_row = IndexSettingOf(tokens, function, row),
                 of_column = IndexSettingOf(tokens, function, column);
      if (!of_row || !of_column || row == column) continue;
      const auto both_of = [&](const IndexNames& used, const IndexNames& unused) {
        const std::set<std::string> others = NamesThatDependOn(unused, tokens, function);
        return used.AnyIn(of_row->begin, of_row->end) && used.AnyIn(of_column->begin, of_column->end) &&
               !others.contains(row) && !others.contains(column) && !others.contains(tokens[from].text) &&
               !others.contains(tokens[from + 4].text);
      };
      const bool of_x = both_of(x, y);
      if (!of_x && !both_of(y, x)) continue;
      const IndexNames &used = of_x ? x : y, &unused = of_x ? y : x;
      found.push_back({{tokens[from].line, TextOf(tokens, from, from + 8), row, column, of_row->line,
                        of_column->line, used.Name(), unused.Name()},
                       of_x,
                       HasYFirst(tokens, target, end, x, y)});
    }
  }
  return found;
}

}  // namespace

std::optional<DiagonalLoad> FindDiagonalLoad(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  for (const Function& function : FunctionsOf(tokens)) {
    const std::vector<FoundLoad> loads = DiagonalLoadsOf(tokens, function);
    if (!loads.empty()) return loads.front().load;
  }
  return std::nullopt;
}

std::optional<ExchangedThreadIndices> FindExchangedThreadIndices(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  std::optional<ExchangedThreadIndices> found;
  for (const Function& function : FunctionsOf(tokens)) {
    const std::vector<FoundLoad> loads = DiagonalLoadsOf(tokens, function);
    if (loads.empty()) continue;
    // With more of them, or in several kernels, it is not sure which belong together.
    const bool are_two = !found && loads.size() == 2 && loads[0].of_x != loads[1].of_x &&
                         loads[0].has_y_first && loads[1].has_y_first;
    if (!are_two) return std::nullopt;
    const DiagonalLoad &by_x = loads[loads[0].of_x ? 0 : 1].load, &by_y = loads[loads[0].of_x ? 1 : 0].load;
    found = ExchangedThreadIndices{by_x.row,  by_y.column, by_x.row_line, by_y.column_line,
                                   by_x.used, by_y.used,   by_x.line};
  }
  return found;
}

}  // namespace warplings
