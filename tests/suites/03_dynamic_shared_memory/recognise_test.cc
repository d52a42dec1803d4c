// SPDX-License-Identifier: Apache-2.0
// Wrong ideas are told apart by what they lead to: from made-up evidence, without running anything.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "grader/messages/findings.h"
#include "grader/messages/refusals.h"
#include "tests/suites/03_dynamic_shared_memory/dynamic_tiled_matmul_evidence.h"
#include "tests/suites/03_dynamic_shared_memory/messages.h"
#include "tests/suites/03_dynamic_shared_memory/reverse_evidence.h"
#include "tests/suites/03_dynamic_shared_memory/tile_answers.h"
#include "tests/suites/common/step_students.h"
#include "tests/support/drawn.h"

namespace warplings {
namespace {

using Names = std::vector<std::string>;

Names IdsOf(const std::vector<Fact>& found) {
  Names ids;
  for (const Fact& each : found) {
    EXPECT_FALSE(each.message.empty());
    ids.push_back(each.id);
  }
  return ids;
}

Finding InShared(FindingKind kind, std::int64_t offset = 0) {
  Finding finding;
  finding.kind = kind;
  finding.space = MemorySpace::kShared;
  finding.offset_bytes = offset;
  return finding;
}

LaunchRecord Launch(std::uint32_t dynamic_bytes, std::uint32_t static_bytes, std::uint32_t threads) {
  LaunchRecord launch;
  launch.block = {threads, 1, 1};
  launch.completed = true;
  launch.dynamic_shared_bytes = dynamic_bytes;
  launch.static_shared_bytes = static_bytes;
  launch.totals.shared_load_requests = 1;
  return launch;
}

// --- tile_for_device -------------------------------------------------------------------------------

std::vector<tile_for_device::Question> Blocks() {
  std::vector<tile_for_device::Question> questions = tile_for_device::ExtremeQuestions();
  for (const char* id : {"t4", "v100", "a100", "rtx3060", "h200"}) {
    for (const auto& q : tile_for_device::QuestionsFor(*FindDeviceProfile(id))) questions.push_back(q);
  }
  for (auto q : tile_for_device::QuestionsFor(*FindDeviceProfile("h200"))) {
    q.device_zero = FindDeviceProfile("t4");
    questions.push_back(q);
  }
  return questions;
}

const std::equal_to<> kSame;

TEST(TileForDevice, EveryMistakeIsTold) {
  RUN_ONE_IN(3);
  const auto single = step_search::TallyOf(tile_for_device::Tile(), Blocks(), kSame, 1);
  EXPECT_EQ(single.exact, single.students);
  const auto pairs = step_search::TallyOf(tile_for_device::Tile(), Blocks(), kSame, 2);
  EXPECT_GE(pairs.exact + pairs.part, pairs.students * 9 / 10);
  EXPECT_LE(pairs.another, pairs.students / 50);
}

int AnyWidth(RandomValues& random) {
  return static_cast<int>(random.Below(300));
}

TEST(TileForDevice, NonsenseIsAccusedOfNothing) {
  step_search::ExpectNonsenseIsAccusedOfNothing(tile_for_device::Tile(), Blocks(), kSame, AnyWidth);
}

TEST(TileForDevice, AMistakeKeepsItsNameBesideAnotherThatNobodyKnows) {
  EXPECT_GE(step_search::ExpectNoiseChangesNoName(tile_for_device::Tile(), Blocks(), kSame, AnyWidth), 8);
}

TEST(TileForDevice, BytesOfATile) {
  EXPECT_EQ(English(tile_for_device::BytesOf({FindDeviceProfile("t4"), 2, 4, 16}, 64)),
            "2 x 4 x 64 x 64 = 32768 bytes (limit 65536)");
}

TEST(TileForDevice, RightAnswersAndUnknownErrorsAreNotNamed) {
  std::vector<Asked<tile_for_device::Question, int>> right, odd;
  for (const auto& q : tile_for_device::QuestionsFor(*FindDeviceProfile("t4"))) {
    right.push_back({q, tile_for_device::LargestTile(q)});
    odd.push_back({q, tile_for_device::LargestTile(q) + 1});
  }
  EXPECT_TRUE(tile_for_device::FactsOf(right).empty());
  EXPECT_TRUE(tile_for_device::FactsOf(odd).empty());
  EXPECT_TRUE(tile_for_device::FactsOf({}).empty());
}

/// As students write it, without a list of widths.
TEST(TileForDevice, WaysToAMultipleThatHoldForSomeStepsAreTold) {
  using tile_for_device::Question;
  const auto named = [](const auto& answer_of) {
    step_search::Answered<Question, int> answers;
    for (const Question& q : Blocks()) answers.emplace_back(q, answer_of(q));
    const auto found = step_search::Explain(tile_for_device::Tile(), answers, kSame);
    return found ? step_search::WordsOfAll(*found) : "";
  };
  const auto fits = [](const Question& q, std::int64_t tile) {
    return q.arrays * tile * tile * q.element_bytes <=
           static_cast<std::int64_t>(q.profile->shared_bytes_per_block_optin);
  };
  EXPECT_EQ(named([&](const Question& q) {
              int side = 0;
              while (side < 1024 && fits(q, side + 1)) ++side;
              return side & ~(q.step - 1);
            }),
            English(say::tile_masked()));
  EXPECT_EQ(named([&](const Question& q) {
              for (int tile = 1024; tile >= q.step; tile -= q.step) {
                if (fits(q, tile)) return tile;
              }
              return 0;
            }),
            English(say::tile_down_from_most(1024)));
}

/// By hand: two float tiles in 163 KB = 166,912 bytes; 2 x 4 x 144^2 = 165,888 fits, 145 does not.
TEST(TileForDevice, AnswersAreThoseByHand) {
  const auto tile = [](const char* id, int arrays, int bytes, int step) {
    return tile_for_device::LargestTile({FindDeviceProfile(id), arrays, bytes, step});
  };
  EXPECT_EQ(tile("a100", 2, 4, 1), 144);
  EXPECT_EQ(tile("a100", 2, 4, 16), 144);
  EXPECT_EQ(tile("a100", 2, 4, 32), 128);
  EXPECT_EQ(tile("t4", 1, 1, 1), 256);
  EXPECT_EQ(tile("t4", 4, 16, 32), 32);
  EXPECT_EQ(tile("t4", 5, 16, 32), 0);
}

// --- dynamic_tiled_matmul --------------------------------------------------------------------------

/// What is asked about a finding at that byte, in a call with tiles of 4 x 4.
std::string StepOfMatmul(FindingKind kind, std::int64_t byte, Dim3 thread, Access access = Access::kWrite) {
  dynamic_tiled_matmul::Evidence e;
  e.width = 9;
  e.tile = 4;
  e.result.launches = {Launch(128, 0, 16)};
  Finding finding = InShared(kind, byte);
  finding.access_bytes = 4;
  finding.where.line = 20;
  finding.thread = thread;
  finding.access = access;
  finding.other_access = Access::kWrite;
  finding.other = finding.where;
  finding.other->line = 21;
  e.result.findings = {finding};
  e.result.advised = 0;
  return English(dynamic_tiled_matmul::StepOfTiles(e));
}

TEST(DynamicTiledMatmul, WhereTheSecondTileBeginsIsSaid) {
  EXPECT_EQ(StepOfMatmul(FindingKind::kOutOfBounds, 160, {0, 0, 0}),
            "Your second tile begins past the end: in line 20, thread (0, 0) stores its first element to "
            "element 40 of the "
            "dynamic array, which has 32 elements. That is the right size for tile 4, but the second tile "
            "should begin at "
            "element 16. Which line computes where it begins?");
  EXPECT_EQ(
      StepOfMatmul(FindingKind::kOutOfBounds, 160, {1, 0, 0}),
      "Out of bounds: line 20 uses index 40 of the dynamic array, but the last index is 31. The array's "
      "size is right for tile 4: each tile has 16 elements, with no padding. At which element does your "
      "second tile begin, and what does this line add to that?");
}

TEST(DynamicTiledMatmul, ALoadThatGoesFartherThanTheStores) {
  EXPECT_EQ(
      StepOfMatmul(FindingKind::kOutOfBounds, 160, {0, 0, 0}, Access::kRead),
      "Out of bounds: line 20 loads element 40 of the dynamic array, which has 32 elements. All stores stay "
      "inside this array, so the index of this load is wrong. With tile 4, each tile is 4 x 4: which row and "
      "column "
      "of its tile does this line load?");
}

TEST(DynamicTiledMatmul, ATileThatBeginsAtANumberOfFloatsTakenForBytes) {
  EXPECT_EQ(
      StepOfMatmul(FindingKind::kRace, 16, {1, 0, 0}),
      "Race: line 20 and line 21 both store to byte 16 of the shared array. With tile 4, the first tile has "
      "16 "
      "floats, so it takes 64 bytes, but the second tile begins at byte 16 already. At which byte should it "
      "begin?");
  const std::string both = "Race: line 20 and line 21 both store to element ";
  EXPECT_EQ(StepOfMatmul(FindingKind::kRace, 32, {1, 0, 0}),
            both +
                "8 of the shared array. With tile 4, a tile has 16 elements, so this one belongs to the "
                "first tile. "
                "Which of the two lines stores the second tile, and at which element does it begin?");
  EXPECT_EQ(
      StepOfMatmul(FindingKind::kRace, 64, {1, 0, 0}),
      both +
          "16 of the shared array. With tile 4, a tile has 16 elements, so this one belongs to the second "
          "tile. Which of the two lines stores the first tile, and why does its index go that far?");
  EXPECT_EQ(StepOfMatmul(FindingKind::kRace, 4, {1, 0, 0}),
            both +
                "1 of the shared array. With tile 4, a tile has 16 elements, so this one belongs to the "
                "first tile. "
                "Which of the two lines stores the second tile, and at which element does it begin?");
  EXPECT_EQ(StepOfMatmul(FindingKind::kRace, 12, {0, 0, 0}),
            both +
                "3 of the shared array. Your second tile begins at element 3, but the first has 4 x 4 = 16 "
                "elements. Which line computes where it begins?");
}

/// Evidence at several widths and tiles, after `change`.
TEST(DynamicTiledMatmulFacts, AGridWithMoreBlocksThanTiles) {
  const auto told = [](std::uint32_t blocks) {
    dynamic_tiled_matmul::Evidence e;
    e.width = 5;
    e.tile = 2;
    e.result.launches = {Launch(32, 0, 4)};
    e.result.launches[0].block = {2, 2, 1};
    e.result.launches[0].grid = {blocks, blocks, 1};
    return English(dynamic_tiled_matmul::StepOfLoads(e));
  };
  EXPECT_EQ(
      told(4),
      "The grid is too large: it has 4 x 4 blocks, but with width 5 and tile 2, P has only 3 x 3 tiles. "
      "How does your launch round width / tile up?");
  EXPECT_TRUE(told(3).starts_with("The threads load too much from global memory."));
}

TEST(DynamicTiledMatmulFacts, ABlockOfOneWarpHasARaceThoughItIsOneWarp) {
  EXPECT_EQ(
      English(dynamic_tiled_matmul::StepOfRace(2, 34, 40)),
      "Race in shared memory: one thread stores a tile element in line 34, another reads it in line 40, "
      "and no barrier comes between. With tile 2 the block has 4 threads, a single warp, but its lanes "
      "need not run in lockstep: what makes them wait for each other?");
  EXPECT_TRUE(English(dynamic_tiled_matmul::StepOfRace(6, 34, 40))
                  .ends_with("With tile 6 the block has 36 threads: how many of them wait for each other "
                             "between these two lines?"));
}

Names IdsOfMatmul(const std::function<void(dynamic_tiled_matmul::Evidence&)>& change) {
  std::vector<dynamic_tiled_matmul::Evidence> all;
  for (const auto& [width, tile] : {std::pair{1, 1}, {5, 1}, {2, 16}, {3, 2}, {16, 16}, {40, 32}}) {
    dynamic_tiled_matmul::Evidence e;
    e.test = "Made up";
    e.width = width;
    e.tile = tile;
    e.result.launches = {
        Launch(dynamic_tiled_matmul::BytesOfBothTiles(tile), 0, static_cast<std::uint32_t>(tile * tile))};
    change(e);
    all.push_back(e);
  }
  return IdsOf(dynamic_tiled_matmul::FactsOf(all));
}

TEST(DynamicTiledMatmul, WrongSizesAreToldByTheBytesPassed) {
  const auto outside = [](std::uint32_t factor) {
    return IdsOfMatmul([factor](dynamic_tiled_matmul::Evidence& e) {
      const auto elements = static_cast<std::uint32_t>(e.tile * e.tile);
      e.result.launches[0].dynamic_shared_bytes = factor * elements;
      e.result.findings = {InShared(FindingKind::kOutOfBounds, factor * elements)};
    });
  };
  EXPECT_EQ(outside(2), Names{"dynamic_tiles_passed_elements"});
  EXPECT_EQ(outside(4), Names{"dynamic_tiles_passed_one_tile"});
  EXPECT_EQ(outside(3), Names{});
  for (const std::uint32_t factor : {4u, 8u}) {
    EXPECT_EQ(IdsOfMatmul([factor](dynamic_tiled_matmul::Evidence& e) {
                const auto bytes = factor * static_cast<std::uint32_t>(e.tile);
                e.result.launches[0].dynamic_shared_bytes = bytes;
                if (e.tile > 1) e.result.findings = {InShared(FindingKind::kOutOfBounds, bytes)};
              }),
              Names{"dynamic_tiles_passed_rows"});
  }
}

TEST(DynamicTiledMatmul, WrongPlacesAreToldByWhereAndWhen) {
  EXPECT_EQ(IdsOfMatmul([](dynamic_tiled_matmul::Evidence& e) {
              e.result.findings = {InShared(FindingKind::kOutOfBounds, 16 * e.tile * e.tile)};
            }),
            Names{"dynamic_tiles_too_far"});
  EXPECT_EQ(IdsOfMatmul([](dynamic_tiled_matmul::Evidence& e) {
              if (e.width > e.tile && e.tile > 1)
                e.result.findings = {InShared(FindingKind::kOutOfBounds, 9999)};
            }),
            Names{"dynamic_tiles_by_width"});
  // Of one tile only: whoever has rows of `width` leaves the tiles in every call with a wider matrix.
  EXPECT_EQ(IdsOfMatmul([](dynamic_tiled_matmul::Evidence& e) {
              if (e.tile == 32) e.result.findings = {InShared(FindingKind::kOutOfBounds, 8192)};
            }),
            Names{});
}

TEST(DynamicTiledMatmul, FixedSizesAreNamedWhereValuesAreRight) {
  const auto fixed_tile = [](dynamic_tiled_matmul::Evidence& e) {
    e.result.launches = {Launch(2048, 0, 256)};
  };
  EXPECT_EQ(IdsOfMatmul(fixed_tile), Names{"dynamic_tiles_fixed_block"});
  EXPECT_EQ(IdsOfMatmul([&](dynamic_tiled_matmul::Evidence& e) {
              fixed_tile(e);
              e.result.wrong_count = 1;
            }),
            Names{});
  EXPECT_EQ(IdsOfMatmul([](dynamic_tiled_matmul::Evidence& e) {
              e.result.launches[0].dynamic_shared_bytes = 0;
              e.result.launches[0].static_shared_bytes = 8192;
            }),
            Names{"dynamic_tiles_fixed_arrays"});
  EXPECT_EQ(
      IdsOfMatmul([](dynamic_tiled_matmul::Evidence& e) { e.result.launches[0].static_shared_bytes = 4; }),
      Names{})
      << "a variable beside tiles that lie where they should";
  EXPECT_EQ(IdsOfMatmul([](dynamic_tiled_matmul::Evidence&) {}), Names{});
}

// --- reverse ---------------------------------------------------------------------------------------

TEST(Reverse, PiecesKeepTheirPlaces) {
  EXPECT_EQ(reverse::Reversed({10, 11, 12, 13, 14, 15, 16}, 3),
            (std::vector<int>{12, 11, 10, 15, 14, 13, 16}));
  EXPECT_EQ(reverse::Reversed({1, 2, 3}, 5), (std::vector<int>{3, 2, 1}));
  EXPECT_TRUE(reverse::Reversed({}, 4).empty());
}

/// 10 elements in pieces of 5, by blocks of 2 threads: block 1 has elements 2 to 6, and 7 to 9 have no block.
TEST(ReverseEvidenceTest, ALaunchWithTheBytesOfTheWholeArrayNeedsFewer) {
  const auto told = [](std::int64_t wanted) {
    TestResult result;
    result.findings.emplace_back();
    result.findings[0].message =
        say::refused("kernel launch", say::shared_memory_without_attribute(160'000, 49'152));
    reverse::NameBytesOfPiece(result, wanted);
    return English(result.findings[0].message);
  };
  EXPECT_EQ(told(148),
            "kernel launch was refused: it needs 160000 bytes of shared memory, but a piece takes only 148");
  EXPECT_TRUE(told(50'000).ends_with("with cudaFuncAttributeMaxDynamicSharedMemorySize"));
}

TEST(ReverseEvidenceTest, BlocksThatStartAsFarApartAsTheyHaveThreads) {
  ProbeResult probed;
  const auto hold = [&](std::vector<ElementIndex> held) {
    probed.formulas.clear();
    for (const ElementIndex a : held) {
      FoundFormula found;
      found.element = probed.formulas.size();
      found.known = true;
      found.before_times = a < 0;
      if (a >= 0) found.terms = {{a, kNoElement, 1}};
      probed.formulas.push_back(found);
    }
  };
  hold({4, 3, 6, 5, 4, 3, 2, -1, -1, -1});
  const std::vector<Message> facts = reverse::FactsOfBlocksThatStartAtThreads(probed, 10, 5, 2);
  ASSERT_EQ(facts.size(), 2u);
  EXPECT_EQ(English(facts[0]), "3 elements of out are never stored; the first is out[7].");
  EXPECT_EQ(
      English(facts[1]),
      "Blocks seem to start 2 elements apart, as many as a block has threads, but a piece has 5. At which "
      "element does your block 1 start, and at which should it?");
  EXPECT_TRUE(reverse::FactsOfBlocksThatStartAtThreads(probed, 10, 5, 5).empty());
  EXPECT_TRUE(reverse::FactsOfBlocksThatStartAtThreads(probed, 10, 5, 3).empty());
  hold({4, 3, 2, 5, 4, 3, 2, -1, -1, -1});  // Where two blocks store, either may be the last.
  EXPECT_EQ(reverse::FactsOfBlocksThatStartAtThreads(probed, 10, 5, 2).size(), 2u);
  hold({4, 3, 2, 1, 0, -1, -1, -1, -1, -1});
  EXPECT_TRUE(reverse::FactsOfBlocksThatStartAtThreads(probed, 10, 5, 2).empty());
}

Names IdsOfReverse(const std::function<void(reverse::Evidence&)>& change) {
  std::vector<reverse::Evidence> all;
  for (const bool dynamic : {false, true}) {
    for (const int n : {3, 4, 7, 8}) {
      reverse::Evidence e;
      e.test = "Made up";
      e.n = n;
      e.piece = 4;
      e.use_dynamic = dynamic;
      for (int i = 0; i < n; ++i) e.in.push_back(100 + i);
      e.out = reverse::Reversed(e.in, e.piece);
      e.result.launches = {dynamic ? Launch(16, 0, 4) : Launch(0, 16, 4)};
      change(e);
      all.push_back(e);
    }
  }
  return IdsOf(reverse::FactsOf(all));
}

TEST(Reverse, EachMisconceptionIsToldFromTheOthers) {
  const auto outside_with = [](std::uint32_t bytes) {
    return IdsOfReverse([bytes](reverse::Evidence& e) {
      if (!e.use_dynamic) return;
      e.result.launches[0].dynamic_shared_bytes = bytes;
      e.result.findings = {InShared(FindingKind::kOutOfBounds)};
    });
  };
  EXPECT_EQ(IdsOfReverse([](reverse::Evidence&) {}), Names{});
  EXPECT_EQ(outside_with(0), Names{"reverse_no_bytes"});
  EXPECT_EQ(outside_with(4), Names{"reverse_elements_as_bytes"});
  EXPECT_EQ(IdsOfReverse([](reverse::Evidence& e) {
              e.result.findings = {InShared(FindingKind::kUninitialised), InShared(FindingKind::kRace)};
            }),
            Names{"reverse_race"});
  /// Thread 0 of a block, of a call whose last piece is shorter, reads the last place of the tile.
  const auto last_place_read_in = [](const auto& block_of) {
    return IdsOfReverse([&](reverse::Evidence& e) {
      if (e.n < e.piece || e.n % e.piece == 0) return;
      e.result.findings = {InShared(FindingKind::kUninitialised, std::int64_t{4} * (e.piece - 1))};
      e.result.findings[0].block.x = block_of(e);
    });
  };
  EXPECT_EQ(last_place_read_in([](const auto& e) { return static_cast<std::uint32_t>(e.n / e.piece); }),
            Names{"reverse_reads_unloaded"});
  EXPECT_EQ(last_place_read_in([](const auto&) { return 0U; }), Names{}) << "a whole piece";
  EXPECT_EQ(IdsOfReverse([](reverse::Evidence& e) {
              if (e.n % e.piece != 0) e.result.findings = {InShared(FindingKind::kUninitialised, 4)};
            }),
            Names{})
      << "an empty place that is not counted from the end";
  EXPECT_EQ(IdsOfReverse([](reverse::Evidence& e) { e.out = reverse::Reversed(e.in, e.n); }),
            Names{"reverse_whole_array"});
  const auto through_floats = [](reverse::Evidence& e) {
    for (int i = 0; i < e.n; ++i) e.in[static_cast<std::size_t>(i)] = (1 << 24) + 1 + 2 * i;
    e.out = reverse::Reversed(e.in, e.piece);
    for (int& value : e.out) value = static_cast<int>(static_cast<float>(value));
  };
  EXPECT_EQ(IdsOfReverse(through_floats), Names{"reverse_as_float"});
  EXPECT_EQ(IdsOfReverse([&](reverse::Evidence& e) {
              through_floats(e);
              if (e.n == 8) e.out.back() = 5;
            }),
            Names{})
      << "one is wrong in another way";
  EXPECT_EQ(IdsOfReverse([&](reverse::Evidence& e) {
              through_floats(e);
              for (int& value : e.in) value = 3 * value;
              e.out = reverse::Reversed(e.in, e.piece);
              for (int& value : e.out) value = static_cast<std::int16_t>(value);
            }),
            Names{"reverse_as_short"})
      << "shorts lose other digits";
  EXPECT_EQ(IdsOfReverse([](reverse::Evidence& e) { e.result.launches[0].totals.shared_load_requests = 0; }),
            Names{"reverse_unshared"});
  EXPECT_EQ(IdsOfReverse([](reverse::Evidence& e) {
              if (e.use_dynamic) e.result.launches = {Launch(0, 4096, 4)};
            }),
            Names{"reverse_fixed_array"});
  EXPECT_EQ(IdsOfReverse([](reverse::Evidence& e) {
              if (e.use_dynamic) e.result.launches[0].static_shared_bytes = 4;
            }),
            Names{})
      << "a variable beside the piece";
}

TEST(Reverse, WhatHasAnotherReasonIsNotNamed) {
  EXPECT_EQ(IdsOfReverse([](reverse::Evidence& e) {
              Finding finding = InShared(FindingKind::kRace);
              finding.access = Access::kWrite;
              finding.other_access = Access::kWrite;
              e.result.findings = {finding, InShared(FindingKind::kRace)};
            }),
            Names{})
      << "two that store one place have a wrong index";
  EXPECT_EQ(IdsOfReverse([](reverse::Evidence& e) {
              if (!e.use_dynamic) return;
              e.result.launches = {Launch(0, 16, 4)};
              e.result.findings = {InShared(FindingKind::kOutOfBounds)};
            }),
            Names{})
      << "it may be the array of a fixed size that is left";
  EXPECT_EQ(IdsOfReverse([](reverse::Evidence& e) {
              if (e.n == 3) e.result.launches[0].totals.shared_load_requests = 0;
            }),
            Names{})
      << "the other calls have a tile";
}

/// Thread 0 stores the last tile element of its piece in one line, which another thread stores in another
/// one.
TEST(Reverse, APairThatTwoThreadsSwapIsNamed) {
  const auto swapped = [](bool in_one_line, bool another_value) {
    return IdsOfReverse([=](reverse::Evidence& e) {
      Finding finding = InShared(FindingKind::kRace, std::int64_t{4} * (std::min(e.piece, e.n) - 1));
      finding.access = Access::kWrite;
      finding.other_access = Access::kWrite;
      finding.where.line = 21;
      finding.other = finding.where;
      if (!in_one_line) finding.other->line = 20;
      e.result.findings = {InShared(FindingKind::kRace), finding};
      e.out.front() = another_value ? 5 : e.in.front();
    });
  };
  EXPECT_EQ(swapped(false, false), Names{"reverse_swapped_twice"});
  EXPECT_EQ(swapped(true, false), Names{});
  EXPECT_EQ(swapped(false, true), Names{}) << "a swap leaves elements of the pair";
}

TEST(Reverse, ARaceWithTheNextPieceIsToldFromOneWithoutABarrier) {
  const auto raced = [](int barrier_at, std::uint32_t blocks = 1) {
    return IdsOfReverse([=](reverse::Evidence& e) {
      if (e.n != 8) return;
      e.result.launches[0].grid.x = blocks;
      Finding finding = InShared(FindingKind::kRace);
      finding.access = Access::kWrite;
      finding.other_access = Access::kRead;
      finding.where.line = 10;
      finding.other = finding.where;
      finding.other->line = 20;
      e.result.findings = {finding};
      LineCounts barrier;
      barrier.where.line = barrier_at;
      barrier.counts.barriers = 1;
      e.result.launches[0].lines = {barrier};
    });
  };
  EXPECT_EQ(raced(15), Names{"reverse_race_of_next_piece"});
  EXPECT_EQ(raced(5), Names{"reverse_race"});
  EXPECT_EQ(raced(15, 2), Names{"reverse_race"}) << "a block for each piece";
}

/// Threads that store the tile's next elements in each round, and load from its end at once.
TEST(Reverse, NoBarrierMendsAnElementOfALaterRound) {
  const auto raced = [](std::int64_t element, int barrier_at) {
    return IdsOfReverse([=](reverse::Evidence& e) {
      if (e.n != 8) return;
      e.result.launches[0].grid.x = 4;
      e.result.launches[0].block.x = 2;
      Finding finding = InShared(FindingKind::kRace, 4 * element);
      finding.access = Access::kRead;
      finding.other_access = Access::kWrite;
      finding.where.line = 20;
      finding.other = finding.where;
      finding.other->line = 10;
      e.result.findings = {finding};
      LineCounts barrier;
      barrier.where.line = barrier_at;
      barrier.counts.barriers = 1;
      e.result.launches[0].lines = {barrier};
    });
  };
  EXPECT_EQ(raced(3, 15), Names{});
  EXPECT_EQ(raced(1, 15), Names{"reverse_race"}) << "stored in the first round";
  EXPECT_EQ(raced(3, 5), Names{"reverse_race"}) << "no barrier between the two";
}

/// What is asked about a finding in a call of pieces of 5 elements with that many threads.
std::string StepOfReverse(FindingKind kind, std::int64_t element, std::uint32_t threads, Dim3 thread,
                          Dim3 block, int n = 7) {
  reverse::Evidence e;
  e.n = n;
  e.piece = 5;
  e.use_dynamic = true;
  e.result.launches = {Launch(20, 0, threads)};
  Finding finding = InShared(kind, 4 * element);
  finding.access_bytes = 4;
  finding.where.line = 20;
  finding.thread = thread;
  finding.block = block;
  e.result.findings = {finding};
  e.result.advised = 0;
  return English(reverse::StepOfTile(e));
}

TEST(Reverse, WhetherAThreadHasAnElementIsDecided) {
  const auto outside = [](std::uint32_t threads, Dim3 thread, Dim3 block) {
    const std::string step = StepOfReverse(FindingKind::kOutOfBounds, 5, threads, thread, block);
    const bool has_none = step.starts_with("Out of bounds: thread ");
    EXPECT_NE(
        step.find(has_none
                      ? "but in line 20 it uses index 5 of the dynamic array. The array's size is right "
                        "for a piece of 5 (its last index is 4)."
                      : "Out of bounds: line 20 uses index 5 of the dynamic array, but the last index is "
                        "4. The array's size is right for a piece of 5"),
        std::string::npos)
        << step;
    return step;
  };
  EXPECT_TRUE(outside(5, {2, 0, 0}, {0, 0, 0})
                  .ends_with(", and thread (2, 0) of block (0, 0) has an element of the piece. Which element "
                             "does this line store, and at which index of the tile does it belong?"));
  EXPECT_TRUE(
      outside(5, {2, 0, 0}, {1, 0, 0})
          .starts_with(
              "Out of bounds: thread (2, 0) has no element, because the piece of block (1, 0) has only 2 "
              "elements, but in line "));
  EXPECT_TRUE(outside(8, {5, 0, 0}, {0, 0, 0}).find("has no element") != std::string::npos);
  EXPECT_TRUE(
      outside(3, {2, 0, 0}, {0, 0, 0})
          .ends_with(". Which elements of the piece does thread (2, 0) of block (0, 0) take, and where in "
                     "the tile does each belong?"));
}

TEST(Reverse, AnElementThatNoThreadHasStored) {
  EXPECT_EQ(
      StepOfReverse(FindingKind::kUninitialised, 2, 2, {0, 0, 0}, {0, 0, 0}),
      "For a piece of 5, your block has 2 threads, and only part of the tile is filled before it is read: "
      "line "
      "20 loads element 2, which no thread has stored. Which elements does the block store before that line, "
      "and which are missing?");
  EXPECT_EQ(
      StepOfReverse(FindingKind::kUninitialised, 2, 32, {0, 0, 0}, {0, 0, 0}),
      "Shared memory is read before it is written: line 20 loads tile element 2, which no thread has stored. "
      "Which thread should store it, and which condition or index keeps it from doing so?");
  EXPECT_EQ(
      StepOfReverse(FindingKind::kUninitialised, 2, 5, {0, 0, 0}, {0, 0, 0}),
      "Shared memory is read before it is written: line 20 loads tile element 2, which no thread has stored. "
      "Here a block has only 5 threads, so its last warp is not full. Which thread should store this "
      "element: is it one of the block's, and does it run the store?");
}

/// Which piece a block takes is known where all are alike.
TEST(Reverse, AnElementThatNoPieceHas) {
  const auto step = [](std::int64_t element, int n) {
    return StepOfReverse(FindingKind::kUninitialised, element, 32, {0, 0, 0}, {0, 0, 0}, n);
  };
  EXPECT_EQ(
      step(3, 3),
      "Shared memory is read before it is written: line 20 reads element 3 of the shared array, which no "
      "thread has stored. The piece of block (0, 0) has only 3 elements; the last is element 2. Which "
      "element should thread (0, 0) read?");
  EXPECT_NE(step(5, 5).find("has only 5 elements"), std::string::npos);
  EXPECT_EQ(step(5, 7), "");
}

TEST(Reverse, AGridWithoutBlocksIsNamedWhateverElseIsWrong) {
  const auto refused = [](bool elsewhere, bool whole_array = false,
                          const Message& reason = say::no_blocks("0 x 1 x 1")) {
    return IdsOfReverse([=](reverse::Evidence& e) {
      if (whole_array) e.out = reverse::Reversed(e.in, std::max(1, e.n));
      if (!elsewhere && e.n != 3) return;
      Finding finding;
      finding.kind = FindingKind::kInvalidLaunch;
      finding.message = say::refused("cudaLaunchKernel", reason);
      e.result.findings = {finding};
      if (e.n != 3) return;
      e.n = 0;
      e.in.clear();
      e.out.clear();
    });
  };
  EXPECT_EQ(refused(false), Names{"reverse_refused"});
  EXPECT_EQ(refused(true), Names{});
  EXPECT_EQ(refused(false, true), (Names{"reverse_whole_array", "reverse_refused"}));
  EXPECT_EQ(refused(false, false, say::no_threads("0 x 1 x 1")), Names{}) << "the grid may have blocks then";
}

}  // namespace
}  // namespace warplings
