// SPDX-License-Identifier: Apache-2.0
//
// What the recognisers of stencil say of made-up evidence, where two mistakes look alike.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
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

std::vector<std::string> WordsOf(const std::vector<Evidence>& all) {
  std::vector<std::string> words;
  for (const Fact& each : FactsOf(all)) {
    const std::string text = English(each.message);
    words.push_back(text.substr(text.find(": ") + 2));
  }
  return words;
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

TEST(StencilFactsTest, ARegisterThatNeverMovesOnIsSeenOnFaces) {
  Evidence e = Right({9, 7, 5});
  for (std::size_t i = 63; i < e.output.size(); ++i) {
    const std::size_t x = i % 9, y = i / 9 % 7, z = i / 63;
    e.output[i] = e.grid.IsOnFace(x, y, z) ? e.input[e.grid.Index(x, y, 0)] : e.output[i] + 1;
  }
  e.result.wrong_count = 63;
  EXPECT_EQ(IdsOf({e}), Names{"stencil_own_plane"});
  EXPECT_EQ(WordsOf({e}),
            Names{"on a face, output(0, 0, 1) and output(0, 0, 2) both hold input(0, 0, 0): the "
                  "registers never move on to the next plane"});
}

/// With the right factors inside, points on faces are what is wrong: with the values that two registers hold
/// at the first and the last plane.
TEST(StencilFactsTest, AForgottenAxisIsNoWrongFormula) {
  const auto computed = [](const reference::Grid& grid, std::vector<std::size_t> planes) {
    Evidence e = Right(grid);
    for (const std::size_t z : planes) {
      for (std::size_t y = 1; y + 1 < grid.height; ++y) {
        for (std::size_t x = 1; x + 1 < grid.width; ++x) {
          const auto at = [&](std::size_t x1, std::size_t y1, std::size_t z1) {
            return e.input[grid.Index(x1, y1, z1)];
          };
          const float before = z == 0 ? 0 : at(x, y, z - 1);
          const float after = z + 1 == grid.depth ? at(x, y, z) : at(x, y, z + 1);
          e.output[grid.Index(x, y, z)] =
              kCentre * at(x, y, z) + kNeighbour * (at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) +
                                                    at(x, y + 1, z) + before + after);
          ++e.result.wrong_count;
        }
      }
    }
    return e;
  };
  const Evidence both = computed({9, 8, 7}, {0, 6});
  EXPECT_EQ(WordsOf({both, computed({3, 3, 3}, {0, 2})}),
            Names{"points with z = 0 or z = depth - 1 are computed, but should keep their inputs; all inner "
                  "points are right"});
  EXPECT_EQ(IdsOf({both}), Names{"stencil_faces_computed"});
  Evidence other = computed({9, 8, 7}, {6});
  EXPECT_EQ(WordsOf({computed({8, 7, 7}, {0, 6}), other}).size(), 1u);
  // A value of unknown origin: nothing is said of it, and the formula is not called wrong.
  other.output[other.grid.Index(4, 4, 6)] += 300;
  EXPECT_EQ(IdsOf({other}), Names{});
}

/// blockIdx.z in place of blockIdx.z times 16.
TEST(StencilFactsTest, BlocksThatOverlapAreNotTooFew) {
  const auto with = [](std::size_t depth) {
    Evidence e = Right({9, 7, depth});
    const std::size_t blocks = (depth + 15) / 16, written = 16 + blocks - 1;
    LaunchRecord& launch = e.result.launches.front();
    launch.grid = {1, 1, static_cast<std::uint32_t>(blocks)};
    launch.block = {16, 8, 1};
    for (std::size_t i = e.grid.Index(0, 0, 0) + 63 * written; i < e.output.size(); ++i) {
      e.output[i] = std::bit_cast<float>(Poison());
      ++e.result.wrong_count;
    }
    return e;
  };
  EXPECT_EQ(WordsOf({with(20), with(64)}),
            Names{"block 1 along z begins at z = 1, but block 0 already stores the points up to z = 15: it "
                  "should begin at the next one"});
  Evidence fractions = with(20);
  fractions.is_exact = false;
  EXPECT_EQ(IdsOf({with(20), with(64), fractions}), Names{"stencil_blocks_overlap"});
  EXPECT_EQ(IdsOf({with(20)}), Names{"stencil_unwritten_in_one"}) << "may be another mistake";
}

TEST(StencilFactsTest, PointsThatLackAPlaneSayWhichOne) {
  const auto lacking = [](const std::vector<std::ptrdiff_t>& planes) {
    Evidence e = Right({9, 7, 5});
    for (const std::ptrdiff_t plane : planes) {
      const std::size_t other = e.grid.Index(4, 3, static_cast<std::size_t>(2 + plane));
      e.output[e.grid.Index(4, 3, 2)] -= 0.125f * e.input[other];
    }
    e.is_exact = true;
    e.result.wrong_count = 1;
    return IdsOf({e});
  };
  EXPECT_EQ(lacking({-1}), Names{"stencil_no_plane_before"});
  EXPECT_EQ(lacking({1}), Names{"stencil_no_plane_after"});
  EXPECT_EQ(lacking({-1, 1}), Names{"stencil_no_plane"});
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

/// The kernel computes every point, with another element in place of a neighbour.
Evidence Replacing(const reference::Grid& grid,
                   const std::function<std::size_t(std::size_t x, std::size_t y, std::size_t z)>& left) {
  Evidence e = Right(grid);
  for (std::size_t z = 1; z + 1 < grid.depth; ++z) {
    for (std::size_t y = 1; y + 1 < grid.height; ++y) {
      for (std::size_t x = 1; x + 1 < grid.width; ++x)
        e.output[grid.Index(x, y, z)] +=
            kNeighbour * (e.input[left(x, y, z)] - e.input[grid.Index(x - 1, y, z)]);
    }
  }
  e.result.wrong_count = 100;
  return e;
}

Finding UnwrittenTile() {
  Finding unwritten;
  unwritten.kind = FindingKind::kUninitialised;
  unwritten.space = MemorySpace::kShared;
  return unwritten;
}

/// tile[tx][ty - 1] in place of tile[ty][tx - 1]: whether an element that nobody stored is read or not.
TEST(StencilFactsTest, ExchangedIndicesOfTheTileAreNotAMissingFrame) {
  const reference::Grid grid{12, 12, 8};
  Evidence e = Replacing(grid, [&](auto x, auto y, auto z) { return grid.Index(y - 1, x, z); });
  const Names said{
      "in the first tile, output(x, y, z) uses input(y - 1, x, z) where input(x - 1, y, z) belongs"};
  EXPECT_EQ(WordsOf({e}), said);
  e.result.findings = {UnwrittenTile()};
  EXPECT_EQ(WordsOf({e}), said);
}

/// Another wrong index makes points wrong that are in the middle of a tile; a missing frame does not.
TEST(StencilFactsTest, AnUnwrittenTileElementIsOfTheFrameWherePointsInTheMiddleAreRight) {
  const reference::Grid grid{18, 18, 8};
  Evidence index = Replacing(grid, [&](auto x, auto y, auto z) { return grid.Index(x + 1, y + 1, z); });
  index.result.findings = {UnwrittenTile()};
  EXPECT_EQ(IdsOf({index}), Names{"stencil_tile_index"});
  Evidence frame = Right(grid);
  for (std::size_t i = 0; i < frame.output.size(); ++i) {
    // With tiles of 8 x 8.
    const std::size_t x = i % 18 % 8, y = i / 18 % 18 % 8;
    if (x == 0 || x == 7 || y == 0 || y == 7) frame.output[i] += 1;
  }
  frame.result.wrong_count = 100;
  frame.result.findings = {UnwrittenTile()};
  EXPECT_EQ(IdsOf({frame}), Names{"stencil_frame_unwritten"});
}

/// What is stored if point (x, y, z) is element z * plane + y * row + x.
Evidence StoredBy(const reference::Grid& grid, std::size_t row, std::size_t plane) {
  Evidence e = Right(grid);
  const std::vector<float> right = e.output;
  std::ranges::fill(e.output, std::bit_cast<float>(Poison()));
  for (std::size_t i = 0; i < right.size(); ++i) {
    const std::size_t to =
        i / (grid.width * grid.height) * plane + i / grid.width % grid.height * row + i % grid.width;
    if (to < e.output.size()) e.output[to] = right[i];
  }
  e.result.wrong_count = e.output == right ? 0 : 1;
  return e;
}

TEST(StencilFactsTest, DepthInAnIndexIsToldByWhatWasStored) {
  EXPECT_EQ(WordsOf({StoredBy({9, 7, 5}, 9, 9 * 5), StoredBy({8, 10, 14}, 8, 8 * 14)}),
            Names{"your index puts point (x, y, z) at element z * width * depth + y * width + x"});
  EXPECT_EQ(WordsOf({StoredBy({9, 7, 5}, 5, 9 * 7), StoredBy({8, 10, 14}, 14, 8 * 10)}),
            Names{"your index puts point (x, y, z) at element z * width * height + y * depth + x"});
  EXPECT_EQ(
      IdsOf({StoredBy({9, 7, 5}, 9, 9 * 9), StoredBy({8, 10, 14}, 8, 8 * 8), StoredBy({9, 9, 5}, 9, 9 * 9)}),
      Names{"stencil_only_square"});
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
/// A block that begins past the last plane reads there whatever its faces are.
TEST(StencilFactsTest, BlocksThatBeginPastTheLastPlane) {
  Evidence e = Reading(Right({9, 7, 5}), 9 * 7 * 7, 63);
  e.result.findings[0].block.z = 1;
  LaunchRecord& launch = e.result.launches.front();
  launch.grid = {1, 1, 5};
  launch.block = {16, 16, 1};
  EXPECT_EQ(WordsOf({e}),
            Names{"out of bounds: block 1 along z loads from plane 7, but there are 5 planes. The grid has 5 "
                  "blocks along z"});
  EXPECT_EQ(IdsOf({e, Reading(Right({9, 7, 5}), 9 * 7 * 5, 63)}), Names{"stencil_reads_plane_behind"})
      << "the first block, too";
  e.result.findings[0].offset_bytes = 9 * 7 * 5 * 4;
  EXPECT_EQ(IdsOf({e}), Names{"stencil_reads_plane_behind"});
  e.storing_threads = 9 * 7 * 2;
  EXPECT_EQ(IdsOf({e}), Names{"stencil_blocks_past_end"}) << "three blocks store nothing";
}

TEST(StencilFactsTest, ReadsOutsideInputAreToldApart) {
  EXPECT_EQ(IdsOf({Reading(Right({9, 7, 5}), 315, 63)}), Names{"stencil_reads_plane_behind"});
  EXPECT_EQ(
      WordsOf({Reading(Right({9, 7, 4}), 252, 63), Reading(Right({9, 7, 5}), 378, 63)}),
      Names{"out of bounds: a line loads input[378], which would be in plane 6, but there are 5 planes"});
  EXPECT_EQ(IdsOf({Reading(Right({9, 7, 5}), -63, 63)}), Names{"stencil_reads_plane_before"});
  EXPECT_EQ(IdsOf({Reading(Right({9, 7, 5}), 315, 9)}), Names{"stencil_reads_behind"}) << "a row";
  EXPECT_EQ(IdsOf({Reading(Right({9, 7, 5}), -9, 9)}), Names{"stencil_reads_outside"}) << "a row";
  EXPECT_EQ(IdsOf({Reading(Right({9, 7, 5}), 4'294'967'295, 63)}), Names{"stencil_reads_far"});
  EXPECT_EQ(IdsOf({Reading(Right({9, 1, 1}), 9, 9), Right({9, 7, 5})}), Names{"stencil_reads_second_plane"});
}

Evidence Storing(std::uint32_t thread_x, std::int64_t element) {
  Evidence e = Right({5, 4, 2});
  e.result.launches.front().grid = {1, 1, 1};
  e.result.launches.front().block = {32, 8, 1};
  Finding outside;
  outside.kind = FindingKind::kOutOfBounds;
  outside.access = Access::kWrite;
  outside.object = "output";
  outside.offset_bytes = element * 4;
  outside.thread = {thread_x, 0, 0};
  e.result.findings = {outside};
  return e;
}

/// A thread whose point exists stores it elsewhere; one that has none lacks a guard, and so does a plane that
/// does not exist.
TEST(StencilFactsTest, AStoreOutsideByAThreadWithAPointHasAWrongIndex) {
  EXPECT_EQ(
      WordsOf({Storing(4, 40)}),
      Names{"out of bounds by a wrong index: thread (4, 0) stores output[40], but points with x = 4 and y = "
            "0 are elements 4 + 20 * z"});
  EXPECT_EQ(IdsOf({Storing(4, 44)}), Names{"stencil_stores_outside"}) << "plane 2 of 2";
  EXPECT_EQ(IdsOf({Storing(5, 40)}), Names{"stencil_stores_outside"});
  EXPECT_EQ(IdsOf({Storing(4, 40), Storing(5, 40)}), Names{"stencil_stores_outside"});
  Evidence others = Storing(4, 40);
  others.result.launches.front().block = {16, 1, 1};
  EXPECT_EQ(IdsOf({others}), Names{"stencil_stores_outside"}) << "threads have several points";
}

/// A point on a face needs no neighbour: that one of the tile's elements is missing is no matter of the
/// frame.
TEST(StencilFactsTest, OnlyPointsOnAFaceReadTheUnwrittenFrame) {
  Evidence e = Right({9, 8, 7});
  for (std::size_t y = 1; y < 7; ++y) e.output[e.grid.Index(8, y, 1)] = std::bit_cast<float>(Poison());
  e.result.wrong_count = 6;
  e.result.findings = {UnwrittenTile()};
  EXPECT_EQ(WordsOf({e}),
            Names{"output(8, 1, 1) is on a face, since x = width - 1, but it is computed, with a tile "
                  "element that no thread has stored"});
  // A smaller grid has one tile, in which that element was stored once.
  Evidence small = Right({3, 3, 3});
  small.output[small.grid.Index(2, 1, 1)] += 1;
  small.result.wrong_count = 1;
  EXPECT_TRUE(WordsOf({small, e}).at(0).starts_with("output(8, 1, 1) is on a face, since x = width - 1"));
  e.output[e.grid.Index(7, 1, 1)] += 1;
  EXPECT_EQ(IdsOf({e}), Names{"stencil_frame_unwritten"});
}

/// The index has the axes in another order: of the points stored, or of those loaded.
TEST(StencilFactsTest, AxesInAnotherOrder) {
  const auto moved = [](const reference::Grid& grid, bool are_stored) {
    Evidence e = Right(grid);
    const std::vector<float> right = e.output;
    for (std::size_t i = 0; i < right.size(); ++i) {
      const std::size_t x = i % grid.width, y = i / grid.width % grid.height,
                        z = i / grid.width / grid.height;
      const std::size_t other = (z * grid.width + x) * grid.height + y;
      if (are_stored) {
        e.output[other] = right[i];
      } else {
        e.output[i] = grid.IsOnFace(x, y, z) ? e.input[other] : right[i] + 1;
      }
    }
    e.result.wrong_count = 100;
    return e;
  };
  EXPECT_EQ(WordsOf({moved({9, 7, 5}, true), moved({3, 3, 3}, true)}),
            Names{"output(1, 0, 0) holds the result of point (0, 1, 0): that point is element 3, and your "
                  "index is 1"});
  EXPECT_EQ(WordsOf({moved({9, 7, 5}, false), moved({3, 3, 3}, false)}),
            Names{"output(1, 0, 0) holds input(0, 1, 0): point (1, 0, 0) is element 1, and your index for "
                  "the load is "
                  "3"});
}

/// Of each tile, as many columns are written as the block has threads along y; a gap of another width is
/// none.
TEST(StencilFactsTest, ABlockThatLiesAcrossItsTile) {
  const auto written = [](std::size_t columns, const Dim3& block) {
    Evidence e = Right({20, 9, 5});
    for (std::size_t i = 0; i < e.output.size(); ++i) {
      if (i % 20 % 16 >= columns) e.output[i] = std::bit_cast<float>(Poison());
    }
    e.result.wrong_count = 100;
    e.result.launches.front().block = block;
    return e;
  };
  EXPECT_EQ(WordsOf({written(8, {8, 16, 1})}),
            Names{"the block has 8 x 16 threads, and of every 16 columns only the first 8 are written"});
  EXPECT_EQ(IdsOf({written(8, {16, 8, 1})}), Names{"stencil_part_of_columns"});
  EXPECT_EQ(IdsOf({written(14, {16, 8, 1})}), Names{"stencil_gaps"});
}

/// Where the first plane with points inside is right, the step to the next one is not.
TEST(StencilFactsTest, TheFirstWrongPlaneIsNamed) {
  const reference::Grid grid{20, 9, 5};
  EXPECT_EQ(English(StepOfWrongInside(grid, 7, grid.Index(3, 4, 2))),
            "In the test below, all points of planes 0 to 1 are right; the first wrong one is "
            "output(3, 4, 2). Write down its own element and its six neighbours: from where does your kernel "
            "get each of the seven? Begin with the neighbour in plane 1.");
  EXPECT_EQ(English(StepOfWrongInside(grid, 7, grid.Index(3, 4, 1))).find("planes"), std::string::npos);
}

}  // namespace
}  // namespace warplings::stencil
