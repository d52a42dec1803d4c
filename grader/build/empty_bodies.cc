// SPDX-License-Identifier: Apache-2.0
#include "grader/build/empty_bodies.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "grader/build/code_words.h"
#include "grader/build/statements.h"
#include "grader/messages/build.h"

namespace warplings {
namespace {

using Code = std::vector<CodeToken>;

/// The tokens between the parentheses behind a keyword.
struct HeaderTokens {
  const Code& tokens;
  std::size_t begin = 0, end = 0;

  bool Has(std::initializer_list<std::string_view> texts) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (IsOneOf(tokens[i].text, texts)) return true;
    }
    return false;
  }

  /// Of anything but min and max, which have no effect.
  bool HasCall() const {
    for (std::size_t i = begin + 1; i < end; ++i) {
      const std::string& name = tokens[i - 1].text;
      if (tokens[i].text == "(" && IsName(name) && !IsOneOf(name, {"min", "max"})) return true;
    }
    return false;
  }

  bool HasEffect() const {
    return HasCall() || Has({"=", "++", "--"}) ||
           std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                       tokens.begin() + static_cast<std::ptrdiff_t>(end),
                       [](const CodeToken& each) { return IsCompoundAssignment(each.text); });
  }
};

/// A word of the source says that memory changes under a loop that waits for it.
bool HasVolatile(const Code& tokens) {
  return std::ranges::any_of(tokens, [](const CodeToken& each) {
    return each.text == "volatile" || each.text.find("atomic") != std::string::npos;
  });
}

/// `for (int k = 0; k < n; ++k)`: k exists only here, and nothing else changes.
bool CountsItself(const HeaderTokens& header) {
  const Code& tokens = header.tokens;
  std::vector<std::size_t> semicolons;
  for (std::size_t i = header.begin; i < header.end; ++i) {
    if (tokens[i].text == ";") semicolons.push_back(i);
  }
  if (semicolons.size() != 2 || header.end - header.begin < 3) return false;
  const HeaderTokens condition{tokens, semicolons[0] + 1, semicolons[1]};
  const HeaderTokens step{tokens, semicolons[1] + 1, header.end};
  if (!IsNumberType(tokens[header.begin].text) && tokens[header.begin].text != "auto") return false;
  std::size_t equals = header.begin;
  while (equals < semicolons[0] && tokens[equals].text != "=") ++equals;
  if (equals == semicolons[0] || equals == header.begin) return false;
  const std::string& variable = tokens[equals - 1].text;
  if (condition.HasEffect() || condition.Has({"[", "*", "->"}) || step.end == step.begin) return false;
  const bool starts = tokens[step.begin].text == variable;
  const bool is_prefix = IsOneOf(tokens[step.begin].text, {"++", "--"}) && step.end - step.begin == 2;
  return (is_prefix || starts) && !step.Has({"(", "[", ",", "*"});
}

bool IsSlip(const std::string& keyword, const HeaderTokens& header, bool before_block) {
  if (keyword == "if") return before_block || !header.HasEffect();
  if (keyword == "for") return (before_block || CountsItself(header)) && !header.Has({"volatile"});
  return before_block && !header.HasEffect() && !header.Has({"[", "*", "->", "."}) &&
         !HasVolatile(header.tokens);
}

/// How many columns the line is indented; a tab ends at every eighth.
std::size_t IndentationOf(std::string_view code, int line) {
  std::size_t at = 0;
  for (int each = 1; each < line && at != std::string_view::npos; ++each) {
    at = code.find('\n', at);
    if (at != std::string_view::npos) ++at;
  }
  constexpr std::size_t kTab = 8;
  std::size_t columns = 0;
  for (; at < code.size() && (code[at] == ' ' || code[at] == '\t'); ++at)
    columns = code[at] == ' ' ? columns + 1 : (columns / kTab + 1) * kTab;
  return columns;
}

}  // namespace

std::optional<Slip> FindEmptyBody(const Code& tokens, std::string_view code) {
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  for (const CodeStatement& each : statements) {
    if (each.kind != CodeStatement::Kind::kSimple || each.is_condition || each.end != each.begin + 1)
      continue;
    const CodeStatement& around = statements[each.parent];
    const bool is_body =
        around.kind == CodeStatement::Kind::kLoop || around.kind == CodeStatement::Kind::kBranch;
    const std::string& keyword = tokens[around.begin].text;
    if (!is_body || tokens[each.begin].text != ";" || !IsOneOf(keyword, {"if", "for", "while"})) continue;
    // `if (a) ; else b();` is written on purpose, and behind `if (a) b(); else ;` nothing is cut off.
    if (each.begin == 0 || tokens[each.begin - 1].text != ")" || around.end != each.end) continue;
    if (each.end >= tokens.size() || tokens[each.end].text == "}") continue;
    const HeaderTokens header{tokens, around.begin + 2, each.begin - 1};
    if (header.begin > header.end || !IsSlip(keyword, header, tokens[each.end].text == "{")) continue;
    const int number = tokens[around.begin].line, next = tokens[each.end].line;
    const say::Line line(number);
    const bool is_if = keyword == "if";
    const bool is_cut_off = tokens[each.end].text == "{" || next == number ||
                            IndentationOf(code, next) > IndentationOf(code, number);
    if (is_cut_off && !IsOneOf(tokens[each.end].text, {"__syncthreads", "__syncwarp"}))
      return Slip{number, is_if ? say::if_guards_nothing(line) : say::loop_repeats_nothing(line, keyword)};
    return Slip{number, is_if ? say::if_has_empty_body(line) : say::loop_has_empty_body(line, keyword)};
  }
  return std::nullopt;
}

}  // namespace warplings
