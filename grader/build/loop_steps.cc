// SPDX-License-Identifier: Apache-2.0
#include "grader/build/loop_steps.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "grader/build/code_loops.h"
#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

/// More at a time are no single products.
constexpr int kMostSteps = 16;

/// The 4 of `k += 4)`, the end of a for's header; 0 if that is something else.
int StepsOf(const std::vector<CodeToken>& tokens, const CodeLoop& loop,
            const std::map<std::string, int>& numbers) {
  if (loop.variable.empty() || loop.body < loop.begin + 5) return 0;
  const std::size_t at = loop.body - 4;
  if (tokens[at].text != loop.variable || tokens[at + 1].text != "+=" || tokens[at + 3].text != ")") return 0;
  const auto named = numbers.find(tokens[at + 2].text);
  return named != numbers.end() ? named->second : std::atoi(tokens[at + 2].text.c_str());
}

}  // namespace

std::optional<LoopOfSteps> FindLoopOfSteps(std::string_view source, int line) {
  if (source.size() > kLongestSource) return std::nullopt;
  const std::string code = WithoutComments(source);
  const std::vector<CodeToken> tokens = TokensOf(code);
  const std::vector<CodeLoop> loops = LoopsOf(tokens);
  const std::map<std::string, int> numbers = NamedNumbers(code);
  std::optional<LoopOfSteps> found;
  for (const CodeLoop& loop : loops) {
    const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(loop.body);
    const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(loop.end);
    const bool has_line =
        line == 0 || std::any_of(begin, end, [line](const CodeToken& each) { return each.line == line; });
    const bool is_around = std::any_of(begin, end, [](const CodeToken& each) {
      return IsOneOf(each.text, {"for", "while", "do", "__syncthreads"});
    });
    const int steps = StepsOf(tokens, loop, numbers);
    if (!has_line || is_around || steps < 2 || steps > kMostSteps) continue;
    if (found) return std::nullopt;
    found = LoopOfSteps{tokens[loop.begin].line, steps};
  }
  return found;
}

std::optional<LoopThatEndsEarly> FindLoopThatEndsEarly(std::string_view source, std::string_view side) {
  if (source.size() > kLongestSource) return std::nullopt;
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
  std::optional<LoopThatEndsEarly> found;
  // i + 4 < k ; i += 4 )
  for (std::size_t at = 1; at + 9 < tokens.size(); ++at) {
    const std::string &variable = tokens[at].text, &steps = tokens[at + 2].text;
    const bool is_it = IsName(variable) && tokens[at - 1].text == ";" && tokens[at + 1].text == "+" &&
                       tokens[at + 3].text == "<" && tokens[at + 4].text == side &&
                       tokens[at + 5].text == ";" && tokens[at + 6].text == variable &&
                       tokens[at + 7].text == "+=" && tokens[at + 8].text == steps &&
                       tokens[at + 9].text == ")";
    const int number = is_it ? std::atoi(steps.c_str()) : 0;
    if (number < 2 || number > kMostSteps) continue;
    if (found) return std::nullopt;
    const std::string sum = TextOf(tokens, at, at + 3);
    found = LoopThatEndsEarly{tokens[at].line, number, sum + " < " + std::string(side),
                              sum + " <= " + std::string(side)};
  }
  return found;
}

std::optional<RestThatBeginsEarly> FindRestThatBeginsEarly(std::string_view source, std::string_view side) {
  if (source.size() > kLongestSource) return std::nullopt;
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
  // i = fours ; i < k
  for (std::size_t at = 1; at + 6 < tokens.size(); ++at) {
    const std::string &variable = tokens[at].text, &passes = tokens[at + 2].text;
    const bool is_it = IsName(variable) && tokens[at + 1].text == "=" && IsName(passes) &&
                       tokens[at + 3].text == ";" && tokens[at + 4].text == variable &&
                       tokens[at + 5].text == "<" && tokens[at + 6].text == side;
    if (!is_it) continue;
    for (std::size_t value = 0; value + 5 < at; ++value) {
      // fours = k / 4 ;
      const bool is_quotient = tokens[value].text == passes && tokens[value + 1].text == "=" &&
                               tokens[value + 2].text == side && tokens[value + 3].text == "/" &&
                               tokens[value + 5].text == ";";
      const int number = is_quotient ? std::atoi(tokens[value + 4].text.c_str()) : 0;
      if (number >= 2 && number <= kMostSteps)
        return RestThatBeginsEarly{tokens[at].line, number, passes, std::to_string(number) + " * " + passes};
    }
  }
  return std::nullopt;
}

}  // namespace warplings
