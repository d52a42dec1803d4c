// SPDX-License-Identifier: Apache-2.0
//
// What the recognisers of stencil say of made-up evidence, where two mistakes look alike.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chapters/07_where_it_recurs/stencil.h"
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

}  // namespace
}  // namespace warplings::stencil
