// SPDX-License-Identifier: Apache-2.0
#include "grader/build/launch_mistakes.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>

#include "grader/build/code_words.h"
#include "grader/messages/build.h"
#include "grader/messages/joining.h"

namespace warplings {
namespace {

using Code = std::vector<CodeToken>;

/// What stands between `<<<` and `>>>`, or where a person wrote one bracket less.
struct WrittenLaunch {
  std::size_t begin = 0;               ///< The first token of the opening ones.
  std::size_t behind = 0;              ///< Behind the closing ones.
  bool opens = false, closes = false;  ///< With three brackets.
  std::vector<std::size_t> values;     ///< Where each value begins.
};

/// From `<<` on. Nothing if no `>>` follows in the same statement.
std::optional<WrittenLaunch> ReadLaunch(const Code& tokens, std::size_t at) {
  WrittenLaunch found;
  found.begin = at;
  found.opens = IsAt(tokens, at + 1, "<");
  const std::size_t first = at + (found.opens ? 2 : 1);
  found.values.push_back(first);
  int depth = 0;
  for (std::size_t i = first; i < tokens.size() && !IsOneOf(tokens[i].text, {";", "{", "}"}); ++i) {
    const std::string& text = tokens[i].text;
    depth += IsOneOf(text, {"(", "["}) ? 1 : IsOneOf(text, {")", "]"}) ? -1 : 0;
    if (depth < 0) break;
    if (depth > 0) continue;
    if (text == "," && found.behind == 0) found.values.push_back(i + 1);
    if (text != ">>") continue;
    const bool is_three = IsAt(tokens, i + 1, ">");
    // `k<<<n >> (1), 256>>>(x)`: a shift, if the three come later.
    if (is_three || (found.behind == 0 && IsAt(tokens, i + 1, "("))) {
      found.closes = is_three;
      found.behind = i + (is_three ? 2 : 1);
    }
    if (is_three) break;
  }
  if (found.behind == 0) return std::nullopt;
  return found;
}

/// The name in front of `<<<`, without its template arguments; empty if there is none.
std::string LaunchedName(const Code& tokens, std::size_t brackets) {
  int depth = 0;
  for (std::size_t i = brackets; i > 0; --i) {
    const std::string& text = tokens[i - 1].text;
    if (IsOneOf(text, {";", "{", "}"})) break;
    depth += text == ">" ? 1 : text == "<" ? -1 : 0;
    if (depth == 0 && text != "<") return IsName(text) ? text : "";
  }
  return "";
}

/// `<<<grid block>>>`
std::optional<KnownMistake> MissingComma(const Code& tokens, const WrittenLaunch& launch) {
  constexpr std::size_t kBrackets = 2;  // ">>" and ">".
  const std::size_t end = launch.behind - kBrackets;
  const auto is_word = [&](std::size_t at) {
    return IsName(tokens[at].text) || std::isdigit(static_cast<unsigned char>(tokens[at].text.front())) != 0;
  };
  for (const std::size_t value : launch.values) {
    int depth = 0;
    for (std::size_t i = value; i + 1 < end && !(depth == 0 && tokens[i].text == ","); ++i) {
      depth += IsOneOf(tokens[i].text, {"(", "["}) ? 1 : IsOneOf(tokens[i].text, {")", "]"}) ? -1 : 0;
      // `(int) n` is a conversion.
      const bool is_call =
          tokens[i].text == ")" && IsName(tokens[value].text) && IsAt(tokens, value + 1, "(");
      const bool is_two =
          depth == 0 && (is_word(i) || is_call) && is_word(i + 1) && tokens[i].text != "sizeof";
      if (!is_two) continue;
      return KnownMistake{say::in_line(tokens[i].line, say::launch_lacks_comma(TextOf(tokens, value, i + 1),
                                                                               tokens[i + 1].text)),
                          say::order_of_launch()};
    }
  }
  return std::nullopt;
}

/// `dim3 grid[tiles, tiles];` in `<<<grid, block>>>`, where parentheses were meant. Not where the program
/// uses elements of the array.
std::optional<KnownMistake> BracketsOfDim3(const Code& tokens, const WrittenLaunch& launch) {
  for (const std::size_t value : launch.values) {
    const bool is_name = value + 1 < tokens.size() && IsName(tokens[value].text) &&
                         IsOneOf(tokens[value + 1].text, {",", ">>"});
    if (!is_name) continue;
    const std::string& name = tokens[value].text;
    std::vector<std::size_t> subscripts;
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
      if (tokens[i].text == name && tokens[i + 1].text == "[") subscripts.push_back(i);
    }
    if (subscripts.size() != 1 || subscripts.front() > value) continue;
    const std::size_t at = subscripts.front(), behind = BehindBracket(tokens, at + 1);
    std::size_t begin = at;
    while (begin > 0 && !IsOneOf(tokens[begin - 1].text, {";", "{", "}"})) --begin;
    while (IsOneOf(tokens[begin].text, {"const", "static"})) ++begin;
    const std::string extents = TextOf(tokens, at + 2, behind - 1);
    const bool is_one = IsAt(tokens, behind, ";") || IsAt(tokens, behind, ",");
    if (tokens[begin].text != "dim3" || !is_one || extents.empty()) continue;
    const int line = tokens[at].line;
    return KnownMistake{say::in_line(tokens[value].line, say::array_of_dim3(name, say::Line(line))),
                        say::write_dim3_in_parentheses(name, extents)};
  }
  return std::nullopt;
}

bool IsDeclaredAsKernel(const Code& tokens, const std::string& name) {
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text != name || tokens[i + 1].text != "(") continue;
    for (std::size_t before = i; before > 0 && !IsOneOf(tokens[before - 1].text, {";", "}", "{"}); --before) {
      if (tokens[before - 1].text == "__global__") return true;
    }
  }
  return false;
}

std::optional<KnownMistake> MistakeIn(const Code& tokens, const WrittenLaunch& launch,
                                      std::string_view words) {
  const int line = tokens[launch.begin].line;
  const std::string name = LaunchedName(tokens, launch.begin);
  if (launch.opens != launch.closes || !launch.opens) {
    // Two on each side are shifts, unless a kernel is shifted.
    if (name.empty() || (!launch.opens && !IsDeclaredAsKernel(tokens, name))) return std::nullopt;
    return KnownMistake{say::in_line(line, say::launch_lacks_bracket(name)), say::write_three_brackets(name)};
  }
  const bool has_arguments = IsAt(tokens, launch.behind, "(");
  const bool lacks_arguments =
      words == "expected a \"(\"" || words == "a __global__ function call must be configured";
  if (IsAt(tokens, launch.begin - 1, ")") && lacks_arguments && !has_arguments) {
    return KnownMistake{say::in_line(line, say::launch_behind_arguments()),
                        say::launch_with_grid_and_block()};
  }
  if (!name.empty() && words == "expected a \"(\"" && !has_arguments) {
    return KnownMistake{say::in_line(line, say::launch_without_arguments(name)),
                        say::write_kernels_arguments()};
  }
  if (words == "expected a \">>>\"") {
    if (auto mistake = MissingComma(tokens, launch)) return mistake;
  }
  if (words.starts_with("no suitable constructor exists to convert from ") &&
      words.ends_with("]\" to \"dim3\"")) {
    if (auto mistake = BracketsOfDim3(tokens, launch)) return mistake;
  }
  constexpr std::size_t kBytes = 2;  // The third value.
  const bool is_dim3 = words.find("conversion function from \"dim3\"") != words.npos ||
                       words.find("conversion function from \"const dim3\"") != words.npos;
  if (launch.values.size() > kBytes && is_dim3) {
    return KnownMistake{say::in_line(tokens[launch.values[kBytes]].line, say::third_value_is_dim3()),
                        say::order_of_launch()};
  }
  return std::nullopt;
}

}  // namespace

std::optional<KnownMistake> FindLaunchMistake(const Code& tokens, int line, std::string_view words) {
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i].text != "<<" || tokens[i].line > line) continue;
    const auto launch = ReadLaunch(tokens, i);
    if (!launch) continue;
    // A missing argument list is noticed at the next token, perhaps in another line.
    const std::size_t last = std::min(launch->behind, tokens.size() - 1);
    if (tokens[last].line < line) continue;
    if (auto mistake = MistakeIn(tokens, *launch, words)) return mistake;
  }
  return std::nullopt;
}

}  // namespace warplings
