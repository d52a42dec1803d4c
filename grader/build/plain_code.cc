// SPDX-License-Identifier: Apache-2.0
#include "grader/build/plain_code.h"

#include <algorithm>
#include <cctype>

namespace warplings {
namespace {

/// The longest first where one begins another.
constexpr std::string_view kOperators[] = {
    "<<=", ">>=", "...", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++",
    "--",  "==",  "!=",  "<=", ">=", "&&", "||", "->", "::", "<<", ">>"};

std::string_view DirectiveWord(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t#"), line.size()));
  return line.substr(0, line.find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
}

bool IsIfZero(std::string_view line) {
  const std::size_t zero = line.find('0');
  return DirectiveWord(line) == "if" && zero != line.npos &&
         line.find_first_not_of(" \t\r", zero + 1) == line.npos && line.substr(0, zero).ends_with(' ');
}

/// Blanks directives with their continued lines, and what is left out by `#if 0`.
std::string WithoutDirectives(std::string_view code) {
  std::string plain(code);
  std::size_t start = 0;
  int left_out = 0;  // Levels of #if within an `#if 0`, with that one.
  bool continued = false;
  while (start < plain.size()) {
    const std::size_t end = std::min(plain.find('\n', start), plain.size());
    const std::string line = plain.substr(start, end - start);
    const std::size_t first = line.find_first_not_of(" \t");
    const bool is_directive = !continued && first != line.npos && line[first] == '#';
    if (is_directive && left_out > 0) {
      const std::string_view word = DirectiveWord(line);
      if (word.starts_with("if")) ++left_out;
      if (word == "endif") --left_out;
      if (left_out == 1 && (word == "else" || word == "elif")) left_out = 0;
    } else if (is_directive && IsIfZero(line)) {
      left_out = 1;
    }
    const bool is_blank = is_directive || continued || left_out > 0;
    continued = (is_directive || continued) && line.ends_with('\\');
    if (is_blank) std::fill_n(plain.begin() + static_cast<std::ptrdiff_t>(start), line.size(), ' ');
    start = end + 1;
  }
  return plain;
}

/// The quote in 1'000, which begins no character.
bool IsDigitSeparator(std::string_view code, std::size_t quote) {
  std::size_t first = quote;
  while (first > 0 && (IsWordCharacter(code[first - 1]) || code[first - 1] == '\'')) --first;
  return first < quote && std::isdigit(static_cast<unsigned char>(code[first])) != 0 &&
         quote + 1 < code.size() && IsWordCharacter(code[quote + 1]);
}

}  // namespace

/// The source with blanks for comments, strings and characters, so that places stay what they were.
std::string WithoutComments(std::string_view source) {
  std::string code(source);
  enum class In { kCode, kLine, kBlock, kText } in = In::kCode;
  char quote = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char next = i + 1 < code.size() ? code[i + 1] : '\0';
    const char now = code[i];
    if (in == In::kCode && now == '/' && (next == '/' || next == '*')) {
      in = next == '/' ? In::kLine : In::kBlock;
      code[i] = code[i + 1] = ' ';
      ++i;
    } else if (in == In::kCode && now == '\'' && IsDigitSeparator(code, i)) {
      continue;
    } else if (in == In::kCode && (now == '"' || now == '\'')) {
      in = In::kText;
      quote = now;
    } else if (in == In::kLine && now == '\n') {
      in = In::kCode;
    } else if (in == In::kBlock && now == '*' && next == '/') {
      in = In::kCode;
      code[i] = code[i + 1] = ' ';
      ++i;
    } else if (in == In::kText && (now == quote || now == '\n')) {
      in = In::kCode;
    } else if (in != In::kCode) {
      if (in == In::kText && now == '\\' && next != '\n' && next != '\0') code[i++] = ' ';
      if (code[i] != '\n') code[i] = ' ';
    }
  }
  return code;
}

bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

bool IsAt(const std::vector<CodeToken>& tokens, std::size_t at, std::string_view text) {
  return at < tokens.size() && tokens[at].text == text;
}

std::vector<CodeToken> TokensOf(std::string_view source) {
  const std::string code = WithoutDirectives(source);
  std::vector<CodeToken> tokens;
  int line = 1;
  for (std::size_t i = 0; i < code.size();) {
    const char now = code[i];
    line += now == '\n' ? 1 : 0;
    if (std::isspace(static_cast<unsigned char>(now)) != 0) {
      ++i;
      continue;
    }
    std::size_t length = 1;
    if (IsWordCharacter(now)) {
      const bool is_number = std::isdigit(static_cast<unsigned char>(now)) != 0;
      while (i + length < code.size() &&
             (IsWordCharacter(code[i + length]) || (is_number && code[i + length] == '.'))) {
        ++length;
      }
    } else {
      const std::string_view rest = std::string_view(code).substr(i);
      const auto* const found =
          std::ranges::find_if(kOperators, [&](std::string_view each) { return rest.starts_with(each); });
      if (found != std::end(kOperators)) length = found->size();
    }
    tokens.push_back({code.substr(i, length), line});
    i += length;
  }
  return tokens;
}

std::size_t OpeningOf(const std::vector<CodeToken>& tokens, std::size_t close) {
  int depth = 0;
  for (std::size_t at = close + 1; at-- > 0;) {
    depth += IsOneOf(tokens[at].text, {")", "}"}) ? 1 : IsOneOf(tokens[at].text, {"(", "{"}) ? -1 : 0;
    if (depth == 0) return at;
  }
  return 0;
}

std::size_t BehindBracket(const std::vector<CodeToken>& tokens, std::size_t at) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    const std::string& text = tokens[at].text;
    depth += IsOneOf(text, {"(", "[", "{"}) ? 1 : IsOneOf(text, {")", "]", "}"}) ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return at;
}

bool HasAny(const std::vector<CodeToken>& tokens, TokenRange range,
            std::initializer_list<std::string_view> words) {
  for (std::size_t at = range.begin; at < range.end; ++at) {
    if (IsOneOf(tokens[at].text, words)) return true;
  }
  return false;
}

std::vector<TokenRange> PartsOf(const std::vector<CodeToken>& tokens, std::size_t open) {
  const std::size_t behind = BehindBracket(tokens, open);
  const bool is_closed = behind > open + 1 && IsOneOf(tokens[behind - 1].text, {")", "]", "}"});
  const std::size_t end = is_closed ? behind - 1 : behind;
  std::vector<TokenRange> parts = {{open + 1, end}};
  for (std::size_t at = open + 1; at < end;) {
    if (IsOneOf(tokens[at].text, {"(", "[", "{"})) {
      at = BehindBracket(tokens, at);
      continue;
    }
    if (tokens[at].text == ",") {
      parts.back().end = at;
      parts.push_back({at + 1, end});
    }
    ++at;
  }
  return parts;
}

std::size_t BehindSubscripts(const std::vector<CodeToken>& tokens, std::size_t at) {
  while (IsAt(tokens, at, "[")) at = BehindBracket(tokens, at);
  return at;
}

std::string TextOf(const std::vector<CodeToken>& tokens, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t at = begin; at < end; ++at) {
    const auto is_address = [&] {
      return tokens[at - 1].text == "&" && (at - 1 == begin || IsOneOf(tokens[at - 2].text, {"(", ","}));
    };
    const bool is_glued = at == begin || IsOneOf(tokens[at].text, {")", "]", "[", ".", ",", "("}) ||
                          IsOneOf(tokens[at - 1].text, {"(", "[", "."}) || is_address();
    text += (is_glued ? "" : " ") + tokens[at].text;
  }
  return text;
}

std::string AsFactor(const std::string& expression) {
  int depth = 0;
  for (const char each : expression) {
    depth += each == '(' || each == '[' ? 1 : each == ')' || each == ']' ? -1 : 0;
    if (depth == 0 && each == ' ') return "(" + expression + ")";
  }
  return expression;
}

}  // namespace warplings
