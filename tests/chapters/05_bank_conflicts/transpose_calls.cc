// SPDX-License-Identifier: Apache-2.0
// Calling and grading a transposition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "tests/chapters/05_bank_conflicts/transpose_evidence.h"
#include "tests/chapters/common/explain_linear.h"

namespace warplings::bank_conflicts {
namespace {

constexpr std::uint32_t kTileBytes = kTile * kTile * 4;

/// For each launch: 64 warp instructions for every element is enough for one thread that moves all elements
/// alone.
std::uint64_t Budget(std::size_t elements) {
  return 1'000'000 + 64 * elements;
}

/// The width of the blocks where each warp is several whole rows of one; otherwise 0.
std::uint32_t WidthOfParts(const TestResult& result) {
  if (result.launches.empty()) return 0;
  const Dim3 block = result.launches.front().block;
  const bool is_part = block.x > 0 && block.x < 32 && 32 % block.x == 0 && block.y % (32 / block.x) == 0;
  const bool is_of_all =
      std::ranges::all_of(result.launches, [&](const LaunchRecord& launch) { return launch.block == block; });
  return is_part && is_of_all ? block.x : 0;
}

void AddConflictsOf(TestResult& result, const std::string& what, std::uint64_t conflicts,
                    std::uint64_t requests, std::uint64_t Counts::*of_line) {
  if (conflicts == 0) return;
  const std::uint32_t width = WidthOfParts(result);
  const std::string lanes = width == 0
                                ? ""
                                : " The 32 lanes of a warp are " + std::to_string(32 / width) +
                                      " rows of your block, which is " + std::to_string(width) + " wide.";
  const std::string line = LineWithMost(result, of_line);
  AddVerdict(result, Verdict::kWrongResult,
             "each shared " + what + " of a warp has " +
                 OneDecimal(static_cast<double>(conflicts) / static_cast<double>(requests)) +
                 " bank conflicts on average; it needs none",
             "Write the banks of what lanes 0, 1, 2, ... touch in " +
                 (line.empty() ? "one " + what : "the " + what + " of " + line) + " under each other." +
                 lanes);
}

void AddSectorsOf(TestResult& result, const std::string& what, std::uint64_t sectors, std::uint64_t limit,
                  std::uint64_t bytes, std::uint64_t of_matrix, std::uint64_t Counts::*of_line) {
  if (sectors <= limit) return;
  const std::string line = LineWithMost(result, of_line);
  AddVerdict(result, Verdict::kWrongResult,
             "the kernel " + what + " " + std::to_string(sectors) + " sectors of 32 bytes; at most " +
                 std::to_string(limit) + " are allowed",
             32 * sectors <= bytes * 5 / 4
                 ? "The sectors are full, with " + std::to_string(bytes) + " bytes; the matrix has " +
                       std::to_string(of_matrix) + ". What else is moved, or what more than once" +
                       (line.empty() ? "?" : ", in " + line + " or elsewhere?")
             : line.empty()
                 ? "Lanes of a warp that touch neighbours in memory at the same time share sectors."
                 : "Write down which elements lanes 0, 1 and 2 of a warp touch at the same time in " + line +
                       ": are they neighbours in memory?");
}

/// 128 elements a thread are four times as many as a warp has that moves a tile alone; each takes 60
/// instructions at most.
DeviceWork WorkOf(std::size_t elements) {
  DeviceWork work;
  work.output = "Y";
  work.is_a_move = true;
  work.least_bytes = elements * sizeof(float);
  work.most_words_by_a_thread = 128;
  work.most_of_a_warp = 4000 + 60 * work.most_words_by_a_thread;
  return work;
}

std::uint64_t WholeTiles(int side) {
  return static_cast<std::uint64_t>((side + kTile - 1) / kTile * kTile);
}

/// Sectors of a matrix that is moved along its rows, in pieces of 8 elements and more that need not begin at
/// a sector: twice what pieces of 32 touch.
std::uint64_t SectorsOfRows(int rows, int columns) {
  return 2 * static_cast<std::uint64_t>(rows) *
         static_cast<std::uint64_t>((columns + 7) / 8 + (columns + 31) / 32);
}

void AddConflicts(TestResult& result) {
  const Counts counts = TotalCounts(result);
  AddConflictsOf(result, "load", counts.shared_load_conflicts, counts.shared_load_requests,
                 &Counts::shared_load_conflicts);
  AddConflictsOf(result, "store", counts.shared_store_conflicts, counts.shared_store_requests,
                 &Counts::shared_store_conflicts);
  if (counts.shared_atomic_requests > 0) {
    AddVerdict(result, Verdict::kWrongResult, "the kernel uses atomics on shared memory",
               "Elements are moved: plain loads and stores do that, and lanes need not take turns.");
  }
}

std::uint64_t BytesOf(const Transposition& t) {
  return static_cast<std::uint64_t>(t.rows) * static_cast<std::uint64_t>(t.columns) * sizeof(float);
}

/// What holds for every shape, and so is asked of every call.
void NoteLimits(const Transposition& t) {
  const Counts counts = TotalCounts(t.result);
  TestResult conflicts = t.result;
  AddConflicts(conflicts);
  // Each element goes into shared memory and out again; half of the lanes may have nothing to do.
  const std::uint64_t requests = 4 * WholeTiles(t.rows) * WholeTiles(t.columns) / 32;
  if (SharedRequests(counts) > requests) {
    AddVerdict(
        conflicts, Verdict::kWrongResult,
        "warps ask shared memory " + std::to_string(SharedRequests(counts)) + " times; at most " +
            std::to_string(requests) + " are allowed",
        "All lanes of a warp together put 32 elements into shared memory in one request, and get 32 out: "
        "that would be " +
            std::to_string(requests / 2) + " for each element once. Which are the others?");
  }
  BrokenLimits().Note("conflicts", t.result, conflicts);
  TestResult sectors = t.result;
  AddSectorsOf(sectors, "writes", SectorsStored(counts), SectorsOfRows(t.columns, t.rows),
               counts.global_store_bytes, BytesOf(t), &Counts::global_store_sectors);
  AddSectorsOf(sectors, "reads", SectorsLoaded(counts), SectorsOfRows(t.rows, t.columns), BytesLoaded(counts),
               BytesOf(t), &Counts::global_load_sectors);
  BrokenLimits().Note("sectors", t.result, sectors);
}

/// A generator of its own, so that the values do not depend on the shape's.
RandomValues ShapeRandom() {
  RandomValues random = TestRandom();
  return RandomValues(random.Next());
}

LinearProbe ProbeOf(int rows, int columns) {
  const auto r = static_cast<std::size_t>(rows), c = static_cast<std::size_t>(columns);
  const auto place = [](std::size_t row_length) {
    return [row_length](std::size_t i) {
      return "[" + std::to_string(i / row_length) + "][" + std::to_string(i % row_length) + "]";
    };
  };
  LinearProbe probe;
  probe.contract = {
      "an X of " + Text(rows, columns), "X", "Y", r * c, place(c), place(r), [r, c](std::size_t e) {
        return std::vector<ElementIndex>{static_cast<ElementIndex>(e % r * c + e / r)};
      }};
  probe.output_count = r * c;
  probe.entry = [=](Worker& worker, DevicePointer x, DevicePointer y) {
    return worker.Call(x, y, rows, columns);
  };
  probe.own_facts = [=](const ProbeResult& probed, std::span<const LaunchRecord> launches) {
    return FactsOfTransposition(rows, columns, probed, launches);
  };
  return probe;
}

}  // namespace

Shape RandomShape() {
  RandomValues random = ShapeRandom();
  // No multiples of a tile: 34 to 63 or 66 to 95.
  const auto size = [&] { return static_cast<int>(34 + 32 * random.Below(2) + random.Below(30)); };
  const int rows = size(), columns = size();
  return {rows, columns};
}

Shape RandomWholeShape() {
  RandomValues random = ShapeRandom();
  const int rows = kTile * static_cast<int>(2 + random.Below(3));
  const int columns = kTile * static_cast<int>(1 + random.Below(3));
  return {rows, columns};
}

std::string Text(int rows, int columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

Transposition CallTranspose(const std::string& title, int rows, int columns, Fill fill) {
  RandomValues random = TestRandom();
  const auto r = static_cast<std::size_t>(rows), c = static_cast<std::size_t>(columns);
  Transposition seen;
  seen.test = testing::UnitTest::GetInstance()->current_test_info()->name();
  seen.rows = rows;
  seen.columns = columns;
  seen.x = fill(random, r * c);
  const CallReport report =
      Session().Call({InputArray("X", seen.x), OutputArray<float>("Y", r * c)}, Budget(r * c),
                     [=](Worker& worker, std::span<const DevicePointer> p) {
                       return worker.Call(p[0], p[1], rows, columns);
                     });
  seen.result = ResultOf(title, report);
  if (report.contents.size() != 2) return seen;
  seen.y = ValuesOf<float>(report.contents[1]);

  // Elements are moved, not computed: exactly the same values.
  std::vector<double> expected(r * c);
  for (std::size_t i = 0; i < r * c; ++i) expected[i % c * r + i / c] = seen.x[i];
  const auto where = [r](std::size_t i) {
    return "Y[" + std::to_string(i / r) + "][" + std::to_string(i % r) + "]";
  };
  AddComparison(seen.result, CompareFloats(seen.y, expected, std::vector<double>(r * c, 0.0), where), "Y");
  RequireDeviceWork(seen.result, report, WorkOf(r * c));
  NoteLimits(seen);
  return seen;
}

std::vector<Explained> ExplainTranspositions(std::span<const Transposition> all) {
  std::vector<LinearTest> tests;
  for (const Transposition& t : all) tests.push_back({t.test, &t.result, ProbeOf(t.rows, t.columns)});
  // Less than a tile, and more than one in each direction.
  const LinearProbe probes[] = {ProbeOf(2, 3), ProbeOf(5, 4), ProbeOf(35, 40), ProbeOf(64, 96)};
  return ExplainLinearCalls(tests, probes);
}

void GradeConflicts(TestResult& result) {
  AddConflicts(result);
  BrokenLimits().Tell("conflicts", result);
}

std::uint64_t SectorLimit(int rows, int columns) {
  return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns) / 8 * 3 / 2;
}

void GradeSectors(Transposition& t) {
  const Counts counts = TotalCounts(t.result);
  const std::uint64_t limit = SectorLimit(t.rows, t.columns);
  AddSectorsOf(t.result, "writes", SectorsStored(counts), limit, counts.global_store_bytes, BytesOf(t),
               &Counts::global_store_sectors);
  AddSectorsOf(t.result, "reads", SectorsLoaded(counts), limit, BytesLoaded(counts), BytesOf(t),
               &Counts::global_load_sectors);
  BrokenLimits().Tell("sectors", t.result);
}

void GradeSharedBytes(TestResult& result) {
  for (const LaunchRecord& launch : result.launches) {
    const std::uint32_t bytes = launch.static_shared_bytes + launch.dynamic_shared_bytes;
    if (bytes <= kTileBytes) continue;
    const std::uint32_t tiles = bytes / kTileBytes;
    AddVerdict(result, Verdict::kWrongResult,
               "a block uses " + std::to_string(bytes) + " bytes of shared memory; " +
                   std::to_string(kTileBytes) + " are allowed",
               tiles < 2
                   ? "A tile of 32 x 32 floats alone takes 4096 bytes. Add up what the kernel declares as "
                     "__shared__, and what the launch asks for: what lies in the rest?"
                   : "That is room for " + std::to_string(tiles) +
                         " tiles of 32 x 32 floats, and a block may have one: what lies in the rest, "
                         "and what would a block need to do with a single tile?");
  }
}

}  // namespace warplings::bank_conflicts
