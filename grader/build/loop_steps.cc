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

}  // namespace warplings
