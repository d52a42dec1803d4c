// SPDX-License-Identifier: Apache-2.0
#include "grader/build/grid_strides.h"

#include <algorithm>
#include <vector>

#include "grader/build/code_loops.h"
#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

/// One past the last token before the next semicolon.
std::size_t EndOfPart(const Tokens& tokens, std::size_t at, std::size_t end) {
  while (at < end && tokens[at].text != ";") ++at;
  return at;
}

bool Has(const Tokens& tokens, std::size_t begin, std::size_t end, std::string_view name) {
  return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                     tokens.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](const CodeToken& each) { return each.text == name; });
}

/// A thread's number in the grid: that of its block, times the threads of one, and its own.
bool IsNumberInGrid(const Tokens& tokens, std::size_t begin, std::size_t end) {
  return Has(tokens, begin, end, "blockIdx") && Has(tokens, begin, end, "threadIdx");
}

/// Whether that part is such a number, or one variable that was given such a number before.
bool BeginsInGrid(const Tokens& tokens, std::size_t begin, std::size_t end) {
  if (IsNumberInGrid(tokens, begin, end)) return true;
  if (end != begin + 1) return false;
  for (std::size_t at = 0; at + 1 < begin; ++at) {
    if (tokens[at].text != tokens[begin].text || tokens[at + 1].text != "=") continue;
    if (IsNumberInGrid(tokens, at + 2, EndOfPart(tokens, at + 2, begin))) return true;
  }
  return false;
}

}  // namespace

std::optional<ShortStride> FindShortStride(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  for (const CodeLoop& loop : LoopsOf(tokens)) {
    if (loop.variable.empty()) continue;
    const std::size_t condition = EndOfPart(tokens, loop.begin, loop.body) + 1;
    const std::size_t step = EndOfPart(tokens, condition, loop.body) + 1;
    std::size_t first = loop.begin;
    while (first < condition && tokens[first].text != "=") ++first;
    // `i += gridDim.x)`
    const bool is_one_extent =
        step + 5 < tokens.size() && tokens[step].text == loop.variable && tokens[step + 1].text == "+=" &&
        IsOneOf(tokens[step + 2].text, {"gridDim", "blockDim"}) && tokens[step + 3].text == "." &&
        tokens[step + 4].text == "x" && tokens[step + 5].text == ")";
    if (!is_one_extent || first + 1 >= condition || !BeginsInGrid(tokens, first + 1, condition - 1)) continue;
    return ShortStride{tokens[loop.begin].line, loop.variable, tokens[step + 2].text + ".x"};
  }
  return std::nullopt;
}

}  // namespace warplings
