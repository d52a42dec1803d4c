// SPDX-License-Identifier: Apache-2.0
//
// Chapter 7: a histogram by blocks that count in copies of their own.
#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "handouts/facts_parts.h"
#include "reference/histogram.h"

namespace warplings {
namespace {

using nlohmann::json;

constexpr int kBins = 4;
const std::vector<int> kElements = {2, 0, 2, 3, 1, 2, 0, 2, 3, 2, 2, 1, 0, 2, 3, 3, 2, 1, 2, 0, 2, 2, 3, 1};

/// Blocks that count `segment` elements each.
json CopyFacts(std::size_t segment) {
  json blocks = json::array();
  for (std::size_t first = 0; first < kElements.size(); first += segment) {
    const auto elements = std::span(kElements).subspan(first, std::min(segment, kElements.size() - first));
    blocks.push_back({{"elements", std::vector<int>(elements.begin(), elements.end())},
                      {"copy", reference::Histogram(elements, kBins)}});
  }
  const std::size_t additions = blocks.size() * kBins;
  return {{"segment", segment},
          {"blocks", std::move(blocks)},
          {"counts", reference::Histogram(kElements, kBins)},
          {"additions", additions}};
}

}  // namespace

json HistogramFacts() {
  return {{"elements", kElements.size()},
          {"bins", kBins},
          {"many_copies", CopyFacts(4)},
          {"few_copies", CopyFacts(12)}};
}

}  // namespace warplings
