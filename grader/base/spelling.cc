// SPDX-License-Identifier: Apache-2.0
#include "grader/base/spelling.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "grader/base/messages.h"

namespace warplings {
namespace {

/// Optimal string alignment (Damerau-Levenshtein without moving a letter twice).
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t changed = a[i - 1] == b[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + changed});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string ClosestCandidate(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongestWord = 64, kLettersForEachFault = 3, kLeastBeginning = 3;
  if (word.size() > kLongestWord) return {};
  std::string best;
  std::size_t least = word.size() / kLettersForEachFault + 1;
  for (const std::string& candidate : candidates) {
    const bool begins = word.size() >= kLeastBeginning && candidate.starts_with(word);
    const std::size_t distance = begins ? 1 : Distance(word, candidate);
    if (distance == least) best.clear();
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

Message WithClosest(Message message, std::string_view word, const std::vector<std::string>& candidates) {
  const std::string meant = ClosestCandidate(word, candidates);
  return meant.empty() ? std::move(message) : say::did_you_mean(message, meant);
}

}  // namespace warplings
