// SPDX-License-Identifier: Apache-2.0
//
// Chapter 7: a tile that is scanned in three phases.
#include <cstddef>
#include <vector>

#include "handouts/facts_parts.h"
#include "reference/scan.h"

namespace warplings {
namespace {

using nlohmann::json;

const std::vector<int> kScanElements = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
constexpr std::size_t kScanPerThread = 4;

/// In each step of 1, 2, 4 and so on, all but the first so many of `count` sums get an addition.
std::size_t AdditionsOfSteps(std::size_t count) {
  std::size_t additions = 0;
  for (std::size_t distance = 1; distance < count; distance *= 2) additions += count - distance;
  return additions;
}

std::size_t StepsOf(std::size_t count) {
  std::size_t steps = 0;
  for (std::size_t distance = 1; distance < count; distance *= 2) ++steps;
  return steps;
}

}  // namespace

json ScanFacts() {
  const std::vector<int> alone = reference::Scan(kScanElements, kScanPerThread);
  std::vector<int> thread_sums;
  for (std::size_t i = kScanPerThread - 1; i < alone.size(); i += kScanPerThread)
    thread_sums.push_back(alone[i]);
  // Alone, a thread needs an addition for each element but its first; at the end, all threads but the first
  // add the sum before them to each element.
  constexpr std::size_t kTile = 2048, kThreads = 256;
  const std::size_t coarsened = (kTile - kThreads) + AdditionsOfSteps(kThreads) + (kTile - kTile / kThreads);
  return {{"elements", kScanElements},
          {"per_thread", kScanPerThread},
          {"alone", alone},
          {"thread_sums", thread_sums},
          {"through_thread", reference::Scan(thread_sums)},
          {"sums", reference::Scan(kScanElements)},
          {"steps", {{"256", StepsOf(256)}, {"2048", StepsOf(2048)}}},
          {"additions_of_a_tile", {{"one_element", AdditionsOfSteps(kTile)}, {"coarsened", coarsened}}}};
}

}  // namespace warplings
