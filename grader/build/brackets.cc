// SPDX-License-Identifier: Apache-2.0
#include "grader/build/brackets.h"

#include <algorithm>
#include <cstddef>

#include "grader/build/code_words.h"
#include "grader/messages/build.h"

namespace warplings {
namespace {

/// What blanks each line begins with.
std::vector<std::string> IndentationsOf(std::string_view code) {
  std::vector<std::string> found = {""};  // Lines count from 1.
  while (!code.empty()) {
    const std::size_t end = std::min(code.find('\n'), code.size());
    const std::string_view line = code.substr(0, end);
    found.emplace_back(line.substr(0, std::min(line.find_first_not_of(" \t"), line.size())));
    code.remove_prefix(std::min(end + 1, code.size()));
  }
  return found;
}

/// Directives can hide a brace, or show two for one.
bool DirectivesHaveBraces(std::string_view code) {
  bool continued = false;
  while (!code.empty()) {
    const std::size_t end = std::min(code.find('\n'), code.size());
    const std::string_view line = code.substr(0, end);
    code.remove_prefix(std::min(end + 1, code.size()));
    const std::size_t first = line.find_first_not_of(" \t");
    const bool is_directive = continued || (first != line.npos && line[first] == '#');
    continued = is_directive && line.ends_with('\\');
    if (!is_directive) continue;
    if (std::ranges::count(line, '{') != std::ranges::count(line, '}')) return true;
    if (line.find("#else") != line.npos || line.find("#elif") != line.npos) return true;
  }
  return false;
}

struct OpenBrace {
  int line = 0;
  int first_line = 0;  ///< Of the statement that it belongs to: `void f(int a,` may be two lines above.
};

bool IsFirstOfLine(const std::vector<CodeToken>& tokens, std::size_t at) {
  return at == 0 || tokens[at - 1].line != tokens[at].line;
}

/// Whether a token of that kind closes the bracket.
bool Closes(const std::string& open, const std::string& close) {
  return (open == "(" && close == ")") || (open == "[" && close == "]") || (open == "{" && close == "}");
}

/// A `[` that begins a lambda lies between two tokens.
bool HasLambda(const std::vector<CodeToken>& tokens, std::size_t begin, std::size_t end) {
  for (std::size_t i = std::max<std::size_t>(begin, 1); i < end; ++i) {
    if (tokens[i].text == "[" && !IsName(tokens[i - 1].text) && !IsOneOf(tokens[i - 1].text, {"]", ")"}))
      return true;
  }
  return false;
}

/// The token at `at` cannot stand behind the bracket at `open`: that one had to be closed before it.
bool IsLeftOpenAt(const std::vector<CodeToken>& tokens, std::size_t open, std::size_t at) {
  const std::string& text = tokens[at].text;
  if (IsOneOf(text, {")", "]", "}"})) return !Closes(tokens[open].text, text);
  if (tokens[open].text == "{") return false;
  if (text == ";") {
    if (open == 0 || tokens[open - 1].text != "for") return true;
    const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(open);
    return std::count_if(begin, tokens.begin() + static_cast<std::ptrdiff_t>(at),
                         [](const CodeToken& each) { return each.text == ";"; }) >= 2;
  }
  const bool ends_line = at + 1 == tokens.size() || tokens[at + 1].line != tokens[at].line;
  return text == "{" && ends_line && !HasLambda(tokens, open, at);
}

/// Of the brackets that are open, the first one of the innermost statement.
std::size_t OutermostOf(const std::vector<CodeToken>& tokens, const std::vector<std::size_t>& open) {
  std::size_t first = open.size();
  while (first > 0 && tokens[open[first - 1]].text != "{") --first;
  return open[first];
}

/// From an opening bracket to the one that closes it; nothing if another one comes first.
std::optional<std::size_t> ClosingOf(const std::vector<CodeToken>& tokens, std::size_t at) {
  std::vector<std::string> open;
  for (; at < tokens.size(); ++at) {
    const std::string& text = tokens[at].text;
    if (IsOneOf(text, {"(", "[", "{"})) open.push_back(text);
    if (!IsOneOf(text, {")", "]", "}"})) continue;
    if (open.empty() || !Closes(open.back(), text)) return std::nullopt;
    open.pop_back();
    if (open.empty()) return at;
  }
  return std::nullopt;
}

/// In `array[`, not in a lambda's `[a, b]`, in `auto [a, b]` or in an attribute.
bool BeginsSubscript(const std::vector<CodeToken>& tokens, std::size_t at) {
  if (at == 0 || tokens[at].text != "[" || at + 1 >= tokens.size() || tokens[at + 1].text == "[")
    return false;
  const std::string& before = tokens[at - 1].text;
  return IsName(before) &&
         !IsOneOf(before, {"return", "auto", "else", "do", "case", "delete", "struct", "class", "enum",
                           "namespace", "typename", "new", "co_return", "operator"});
}

/// The one comma between the brackets at `open` and `close` that is in no others. Nothing if the part before
/// it does something, or if it may stand between the arguments of a template.
std::optional<std::size_t> CommaBetween(const std::vector<CodeToken>& tokens, std::size_t open,
                                        std::size_t close) {
  std::optional<std::size_t> comma;
  int depth = 0;
  for (std::size_t i = open + 1; i < close; ++i) {
    const std::string& text = tokens[i].text;
    if (IsOneOf(text, {"<", ">", "=", "++", "--"}) || IsCompoundAssignment(text)) return std::nullopt;
    depth += IsOneOf(text, {"(", "[", "{"}) ? 1 : IsOneOf(text, {")", "]", "}"}) ? -1 : 0;
    if (text != "," || depth > 0) continue;
    if (comma) return std::nullopt;
    comma = i;
  }
  if (comma && (*comma == open + 1 || *comma + 1 == close)) return std::nullopt;
  return comma;
}

/// The source has `name[..][..]` somewhere.
bool IsSeenWithTwoSubscripts(const std::vector<CodeToken>& tokens, const std::string& name) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text != name || tokens[i + 1].text != "[") continue;
    const auto close = ClosingOf(tokens, i + 1);
    if (close && *close + 1 < tokens.size() && tokens[*close + 1].text == "[") return true;
  }
  return false;
}

struct BraceReading {
  std::vector<OpenBrace> open;  ///< At the end.
  std::optional<int> left;      ///< Line of the first `{` whose partner is in a line that is less indented.
  std::optional<int> right;     ///< Of the first `}` of its function that is more indented than its partner.
  int surplus_line = 0;         ///< Of the `}` that nothing opens, where the reading ends; 0: none.
};

class BraceReader {
 public:
  explicit BraceReader(std::string_view code)
      : tokens_(TokensOf(code)), indentations_(IndentationsOf(code)) {}

  BraceReading Read() {
    std::size_t statement = 0;  // Its first token.
    int parentheses = 0;
    for (std::size_t i = 0; i < tokens_.size() && found_.surplus_line == 0; ++i) {
      const std::string& text = tokens_[i].text;
      parentheses += text == "(" ? 1 : text == ")" ? -1 : 0;
      if (text == "{") Open(i, tokens_[statement].line);
      if (text == "}") Close(i);
      if (IsOneOf(text, {"{", "}"}) || (text == ";" && parentheses <= 0)) statement = i + 1;
      if (text == "}") parentheses = std::max(parentheses, 0);
    }
    return std::move(found_);
  }

 private:
  const std::string& Indentation(int line) const { return indentations_.at(static_cast<std::size_t>(line)); }

  /// Whether line `a` is more indented than line `b`.
  bool IsDeeper(int a, int b) const {
    return Indentation(a) != Indentation(b) && Indentation(a).starts_with(Indentation(b));
  }

  void Open(std::size_t at, int first_line) {
    if (found_.open.empty() && Indentation(first_line).empty()) found_.right.reset();
    found_.open.push_back({tokens_[at].line, first_line});
  }

  void Close(std::size_t at) {
    const int line = tokens_[at].line;
    if (found_.open.empty()) {
      found_.surplus_line = line;
      return;
    }
    const OpenBrace partner = found_.open.back();
    found_.open.pop_back();
    if (!IsFirstOfLine(tokens_, at)) return;
    if (IsDeeper(partner.first_line, line) && !found_.left) found_.left = partner.line;
    const bool is_too_deep = IsDeeper(line, partner.first_line) && IsDeeper(line, partner.line);
    if (is_too_deep && !found_.right) found_.right = line;
  }

  const std::vector<CodeToken> tokens_;
  const std::vector<std::string> indentations_;
  BraceReading found_;
};

/// The braces of code without comments; nothing if directives make them hard to follow.
std::optional<BraceReading> ReadBraces(std::string_view code) {
  if (code.size() > kLongestSource || DirectivesHaveBraces(code)) return std::nullopt;
  return BraceReader(code).Read();
}

}  // namespace

std::optional<int> UnclosedBraceLine(std::string_view source) {
  const auto reading = ReadBraces(WithoutComments(source));
  if (!reading || reading->surplus_line > 0 || reading->open.empty()) return std::nullopt;
  return reading->left ? *reading->left : reading->open.front().line;
}

std::optional<SurplusBrace> FindSurplusBrace(std::string_view code) {
  const auto reading = ReadBraces(code);
  if (!reading || reading->surplus_line == 0) return std::nullopt;
  return SurplusBrace{reading->right.value_or(reading->surplus_line), reading->surplus_line};
}

std::optional<OpenBracket> FindOpenBracket(const std::vector<CodeToken>& tokens, int line) {
  std::vector<std::size_t> open;  // Parentheses and brackets, and braces within them.
  for (std::size_t i = 0; i < tokens.size() && tokens[i].line <= line; ++i) {
    const std::string& text = tokens[i].text;
    const bool is_opening = IsOneOf(text, {"(", "["}) || (text == "{" && !open.empty());
    const bool is_closing = IsOneOf(text, {")", "]", "}"});
    if (!open.empty() && IsLeftOpenAt(tokens, open.back(), i)) {
      const std::size_t at = is_closing ? open.back() : OutermostOf(tokens, open);
      if (tokens[i].line == line && at > 0)
        return OpenBracket{tokens[at].line, tokens[at].text, tokens[at - 1].text, text};
      open.resize(is_closing ? open.size() - 1 : 0);
    } else if (is_opening) {
      open.push_back(i);
    } else if (is_closing && !open.empty()) {
      open.pop_back();
    }
  }
  return std::nullopt;
}

std::vector<CommaSubscript> FindCommaSubscripts(const std::vector<CodeToken>& tokens) {
  std::vector<CommaSubscript> found;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (!BeginsSubscript(tokens, i)) continue;
    const auto close = ClosingOf(tokens, i);
    if (!close) continue;
    const auto comma = CommaBetween(tokens, i, *close);
    if (!comma) continue;
    const std::string& name = tokens[i - 1].text;
    const bool is_declaration = i >= 2 && IsName(tokens[i - 2].text) &&
                                !IsOneOf(tokens[i - 2].text, {"return", "else", "do", "case"});
    found.push_back({tokens[i].line, name, TextOf(tokens, i + 1, *comma), TextOf(tokens, *comma + 1, *close),
                     is_declaration || IsSeenWithTwoSubscripts(tokens, name)});
  }
  return found;
}

std::string WrittenSubscript(const CommaSubscript& comma) {
  return comma.array + "[" + comma.dropped + ", " + comma.kept + "]";
}

Message WriteSubscript(const CommaSubscript& comma) {
  if (!comma.has_two_dimensions)
    return say::write_one_index(comma.array, AsFactor(comma.dropped), comma.kept);
  return say::write_two_subscripts(comma.array + "[" + comma.dropped + "][" + comma.kept + "]");
}

}  // namespace warplings
