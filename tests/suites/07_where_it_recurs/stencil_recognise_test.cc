// SPDX-License-Identifier: Apache-2.0
//
// What the recognisers of stencil say of made-up evidence, where two mistakes look alike.

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "chapters/07_where_it_recurs/stencil.h"
#include "grader/suite/comparison.h"
#include "grader/suite/random_values.h"
#include "reference/stencil.h"
#include "tests/suites/07_where_it_recurs/stencil_evidence.h"

namespace warplings::stencil {
namespace {

using Names = std::vector<std::string>;

Names IdsOf(const std::vector<Evidence>& all) {
  Names ids;
  for (const Fact& each : FactsOf(all)) ids.push_back(each.id);
  return ids;
}

Evidence Right(const reference::Grid& grid) {
  RandomValues random(7);
  Evidence e;
  e.test = "SidesDiffer";
  e.grid = grid;
  e.input.resize(grid.Points());
  for (float& value : e.input) value = static_cast<float>(1 + random.Below(255));
  const auto right = reference::Stencil(e.input, grid, {kCentre, kNeighbour}).value;
  e.output.assign(right.begin(), right.end());
  LaunchRecord launch;
  launch.completed = true;
  e.result.launches = {launch};
  return e;
}

TEST(StencilFactsTest, RightPointsAreNoFact) {
  EXPECT_EQ(IdsOf({Right({9, 7, 5})}), Names{});
}

/// A register that did not move on is seen on faces, where it is stored as it is.
TEST(StencilFactsTest, PointsOnFacesShowWhichPlaneARegisterHolds) {
  Evidence e = Right({9, 7, 5});
  for (std::size_t y = 0; y < 7; ++y) {
    for (std::size_t x = 0; x < 9; ++x) {
      const std::size_t i = e.grid.Index(x, y, 1);
      e.output[i] = e.grid.IsOnFace(x, y, 1) ? e.input[e.grid.Index(x, y, 0)] : e.output[i] + 1;
    }
  }
  e.result.wrong_count = 63;
  EXPECT_EQ(IdsOf({e}), Names{"stencil_own_plane"});
  e.output[e.grid.Index(0, 0, 1)] += 1;
  EXPECT_EQ(IdsOf({e}), Names{}) << "one of them has something else";
}

/// Each test that shows it is named, so that a report can count them.
TEST(StencilFactsTest, ExchangedSidesAreSaidOfEachTest) {
  std::vector<Evidence> all = {Right({9, 9, 5}), Right({9, 7, 5}), Right({8, 10, 5})};
  const Names tests = {"Square", "Wide", "Tall"};
  for (std::size_t t = 0; t < all.size(); ++t) {
    all[t].test = tests[t];
    all[t].is_exact = true;
    if (t == 0) continue;
    for (std::size_t i = 0; i < all[t].output.size(); ++i) all[t].output[i] = static_cast<float>(i) + 0.5f;
    all[t].result.wrong_count = all[t].output.size();
  }
  Names seen;
  for (const Fact& each : FactsOf(all)) {
    if (each.id == "stencil_only_square") seen.insert(seen.end(), each.tests.begin(), each.tests.end());
  }
  EXPECT_EQ(seen, (Names{"Wide", "Tall"}));
}

std::vector<std::string> WordsOf(const std::vector<Evidence>& all) {
  std::vector<std::string> words;
  for (const Fact& each : FactsOf(all)) {
    const std::string text = English(each.message);
    words.push_back(text.substr(text.find(": ") + 2));
  }
  return words;
}

/// The last points along z are not stored; the launch says how many blocks there are.
TEST(StencilFactsTest, TooFewBlocksAreCounted) {
  Evidence e = Right({9, 7, 5});
  for (std::size_t i = e.grid.Index(0, 0, 4); i < e.output.size(); ++i)
    e.output[i] = std::bit_cast<float>(Poison());
  e.result.wrong_count = 63;
  LaunchRecord& launch = e.result.launches.front();
  launch.grid = {1, 1, 2};
  launch.block = {9, 7, 1};
  EXPECT_EQ(WordsOf({e}), Names{"there are 5 points along z, but the grid has 2 blocks of 2 points"});
  launch.grid = {1, 1, 3};
  EXPECT_EQ(WordsOf({e}), Names{"points from z = 4 on are never written"}) << "not as many in each";
}

Evidence Reading(Evidence e, std::int64_t element, std::uint64_t count) {
  Finding outside;
  outside.kind = FindingKind::kOutOfBounds;
  outside.access = Access::kRead;
  outside.object = "input";
  outside.offset_bytes = element * 4;
  outside.count = count;
  e.result.findings = {outside};
  return e;
}

/// How many elements are read outside says in which direction the neighbour lies.
TEST(StencilFactsTest, ReadsOutsideInputAreToldApart) {
  EXPECT_EQ(IdsOf({Reading(Right({9, 7, 5}), 315, 63)}), Names{"stencil_reads_plane_behind"});
  EXPECT_EQ(IdsOf({Reading(Right({9, 7, 5}), -63, 63)}), Names{"stencil_reads_plane_before"});
  EXPECT_EQ(IdsOf({Reading(Right({9, 7, 5}), 315, 9)}), Names{"stencil_reads_behind"}) << "a row";
  EXPECT_EQ(IdsOf({Reading(Right({9, 7, 5}), -9, 9)}), Names{"stencil_reads_outside"}) << "a row";
  EXPECT_EQ(IdsOf({Reading(Right({9, 7, 5}), 4'294'967'295, 63)}), Names{"stencil_reads_far"});
  EXPECT_EQ(IdsOf({Reading(Right({9, 1, 1}), 9, 9), Right({9, 7, 5})}), Names{"stencil_reads_second_plane"});
}

}  // namespace
}  // namespace warplings::stencil
