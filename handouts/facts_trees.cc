// SPDX-License-Identifier: Apache-2.0
//
// Chapter 5: which lanes of a block work in each step of a tree and in which banks they meet, and how a
// tile's elements may be arranged.
#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "handouts/facts_parts.h"
#include "reference/banks.h"

namespace warplings {
namespace {

using nlohmann::json;

// --- Trees ---------------------------------------------------------------------------------------

/// What thread `thread` adds in the step with `stride`: element `from` to element `to`.
struct Addition {
  int to, from;
};

struct Tree {
  const char* name;
  bool grows;  ///< The stride: from 1 upwards, or from half of the elements downwards.
  std::optional<Addition> (*of)(int elements, int stride, int thread);
};

constexpr Tree kTrees[] = {
    {"interleaved_threads", true,
     [](int, int stride, int thread) {
       return thread % (2 * stride) == 0 ? std::optional(Addition{thread, thread + stride}) : std::nullopt;
     }},
    {"interleaved_elements", true,
     [](int elements, int stride, int thread) {
       const int at = 2 * stride * thread;
       return at < elements ? std::optional(Addition{at, at + stride}) : std::nullopt;
     }},
    {"sequential", false,
     [](int, int stride, int thread) {
       return thread < stride ? std::optional(Addition{thread, thread + stride}) : std::nullopt;
     }},
};

/// What one warp asks of the banks: lanes that rest want the word of one that works, which changes nothing.
int Degree(const std::vector<int>& words) {
  reference::LaneAddresses addresses;
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    addresses[lane] = static_cast<std::uint32_t>(4 * words[lane < words.size() ? lane : 0]);
  }
  return reference::UseOfBanks(addresses, 4).degree;
}

json StepFacts(const Tree& tree, int elements, int stride) {
  json active = json::array(), additions = json::array();
  int threads = 0, warps = 0, diverged = 0, degree = 1, passes = 0;
  for (int first = 0; first < elements; first += reference::kWarpLanes) {
    std::vector<int> to, from;
    for (int thread = first; thread < std::min(first + reference::kWarpLanes, elements); ++thread) {
      const auto addition = tree.of(elements, stride, thread);
      if (!addition) continue;
      to.push_back(addition->to);
      from.push_back(addition->from);
      additions.push_back({thread, addition->to, addition->from});
    }
    const int lanes = static_cast<int>(to.size());
    active.push_back(lanes);
    threads += lanes;
    if (lanes == 0) continue;
    ++warps;
    diverged += lanes < reference::kWarpLanes;
    const int here = std::max(Degree(to), Degree(from));
    degree = std::max(degree, here);
    passes += Degree(to) + Degree(from);
  }
  return {{"stride", stride},     {"active", active}, {"threads", threads}, {"warps", warps},
          {"diverged", diverged}, {"degree", degree}, {"passes", passes},   {"additions", additions}};
}

json OneTree(const Tree& tree, int elements) {
  std::vector<int> strides;
  for (int stride = 1; stride < elements; stride *= 2) strides.push_back(stride);
  if (!tree.grows) std::ranges::reverse(strides);
  json steps = json::array();
  int warps = 0, diverged = 0, passes = 0;
  for (const int stride : strides) {
    steps.push_back(StepFacts(tree, elements, stride));
    warps += steps.back()["warps"].get<int>();
    diverged += steps.back()["diverged"].get<int>();
    passes += steps.back()["passes"].get<int>();
  }
  return {
      {"elements", elements}, {"steps", steps}, {"warps", warps}, {"diverged", diverged}, {"passes", passes}};
}

// --- Arrangements --------------------------------------------------------------------------------

/// Where element [row][column] of an n x n tile lies, counted in elements.
const std::pair<const char*, std::function<int(int n, int row, int column)>> kArrangements[] = {
    {"plain", [](int n, int row, int column) { return row * n + column; }},
    {"padded", [](int n, int row, int column) { return row * (n + 1) + column; }},
    {"rotated", [](int n, int row, int column) { return row * n + (column + row) % n; }},
    {"xor", [](int n, int row, int column) { return row * n + (column ^ row); }},
    {"and", [](int n, int row, int column) { return row * n + (column & row); }},
    {"or", [](int n, int row, int column) { return row * n + (column | row); }},
    {"plus", [](int n, int row, int column) { return row * n + column + row; }},
    {"halved", [](int n, int row, int column) { return row * n + (column ^ (row / 2)); }},
};

/// How many of n elements at most lie in one of n banks.
int Meet(const std::vector<int>& places, int banks) {
  std::vector<int> count(static_cast<std::size_t>(banks));
  for (const int place : places) ++count[static_cast<std::size_t>(place % banks)];
  return *std::ranges::max_element(count);
}

json OneArrangement(int n, const std::function<int(int, int, int)>& place) {
  json places = json::array(), banks = json::array();
  std::set<int> different;
  int rows = 0, columns = 0, most = 0;
  for (int i = 0; i < n; ++i) {
    std::vector<int> row, column;
    json row_banks = json::array();
    for (int j = 0; j < n; ++j) {
      row.push_back(place(n, i, j));
      column.push_back(place(n, j, i));
      row_banks.push_back(row.back() % n);
      different.insert(row.back());
      most = std::max(most, row.back());
    }
    places.push_back(row);
    banks.push_back(row_banks);
    rows = std::max(rows, Meet(row, n));
    columns = std::max(columns, Meet(column, n));
  }
  return {{"places", places},
          {"banks", banks},
          {"row_degree", rows},
          {"column_degree", columns},
          {"different", different.size()},
          {"most", most}};
}

}  // namespace

json TreeFacts() {
  json facts;
  for (const Tree& tree : kTrees) {
    for (const int elements : {8, 64, 256})
      facts[std::to_string(elements)][tree.name] = OneTree(tree, elements);
  }
  return facts;
}

json ArrangementFacts() {
  json facts;
  for (const int n : {4, 32}) {
    for (const auto& [name, place] : kArrangements) facts[std::to_string(n)][name] = OneArrangement(n, place);
  }
  return facts;
}

}  // namespace warplings
