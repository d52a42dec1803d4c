// SPDX-License-Identifier: Apache-2.0
// Calling and grading a transposition.
#include <gtest/gtest.h>

#include <algorithm>

#include "grader/messages/joining.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "tests/suites/05_bank_conflicts/messages.h"
#include "tests/suites/05_bank_conflicts/transpose_evidence.h"
#include "tests/suites/common/busiest_line.h"
#include "tests/suites/common/explain_linear.h"

namespace warplings::bank_conflicts {
namespace {

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

/// `access`: say::transpose_load or say::transpose_store.
void AddConflictsOf(TestResult& result, const Message& access, std::uint64_t conflicts,
                    std::uint64_t requests, std::uint64_t Counts::*of_line) {
  if (conflicts == 0) return;
  const double rate = static_cast<double>(conflicts) / static_cast<double>(requests);
  const LineCounts* line = BusiestLine(result, of_line);
  const Message share = line == nullptr ? say::transpose_conflicts_step(access)
                                        : say::transpose_conflicts_step_in(access, line->where.line);
  const std::uint32_t width = WidthOfParts(result);
  const Message seen =
      width == 0 ? share : say::both(share, say::transpose_rows_of_a_warp(32 / width, width));
  AddVerdict(result, Verdict::kWrongResult, say::transpose_conflicts(access, {rate, 1}),
             say::both(seen, say::transpose_write_banks()));
}

/// `reason` is given the sectors and the limit.
void AddSectorsOf(TestResult& result, const MessageRow<say::Number, say::Number>& reason,
                  std::uint64_t sectors, std::uint64_t limit, std::uint64_t bytes, std::uint64_t of_matrix,
                  std::uint64_t Counts::*of_line) {
  if (sectors <= limit) return;
  const LineCounts* line = BusiestLine(result, of_line);
  const auto next_step = [&] {
    if (32 * sectors <= bytes * 5 / 4) {
      return line == nullptr ? say::transpose_full_sectors_step(bytes, of_matrix)
                             : say::transpose_full_sectors_step_in(bytes, of_matrix, line->where.line);
    }
    return line == nullptr ? say::transpose_sectors_step() : say::transpose_sectors_step_in(line->where.line);
  };
  AddVerdict(result, Verdict::kWrongResult, reason(sectors, limit), next_step());
}

/// 128 elements a thread are four times as many as a warp has that moves a tile alone; each takes 60
/// instructions at most.
constexpr std::uint64_t kMostElementsOfAThread = 128;
constexpr std::uint64_t kMostOfAWarp = 4000 + 60 * kMostElementsOfAThread;

DeviceWork WorkOf(std::size_t elements) {
  DeviceWork work;
  work.output = "Y";
  work.is_a_move = true;
  work.least_bytes = elements * sizeof(float);
  work.most_words_by_a_thread = kMostElementsOfAThread;
  work.most_of_a_warp = kMostOfAWarp;
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
  AddConflictsOf(result, say::transpose_load(), counts.shared_load_conflicts, counts.shared_load_requests,
                 &Counts::shared_load_conflicts);
  AddConflictsOf(result, say::transpose_store(), counts.shared_store_conflicts, counts.shared_store_requests,
                 &Counts::shared_store_conflicts);
  if (counts.shared_atomic_requests > 0) {
    AddVerdict(result, Verdict::kWrongResult, say::transpose_atomics(), say::transpose_atomics_step());
  }
}

std::uint64_t BytesOf(const Transposition& t) {
  return static_cast<std::uint64_t>(t.rows) * static_cast<std::uint64_t>(t.columns) * sizeof(float);
}

/// What holds for every shape, and so is asked of every call.
void NoteLimits(const Transposition& t) {
  const Counts counts = TotalCounts(t.result);
  const Message call = say::transpose_call(t.rows, t.columns);
  TestResult conflicts = t.result;
  AddConflicts(conflicts);
  // Each element goes into shared memory and out again; half of the lanes may have nothing to do.
  const std::uint64_t requests = 4 * WholeTiles(t.rows) * WholeTiles(t.columns) / 32;
  if (SharedRequests(counts) > requests) {
    AddVerdict(conflicts, Verdict::kWrongResult, say::transpose_requests(SharedRequests(counts), requests),
               say::transpose_requests_step(requests / 2));
  }
  BrokenLimits().Note("conflicts", t.result, conflicts, call);
  TestResult sectors = t.result;
  AddSectorsOf(sectors, say::transpose_writes_sectors, SectorsStored(counts),
               SectorsOfRows(t.columns, t.rows), counts.global_store_bytes, BytesOf(t),
               &Counts::global_store_sectors);
  AddSectorsOf(sectors, say::transpose_reads_sectors, SectorsLoaded(counts), SectorsOfRows(t.rows, t.columns),
               BytesLoaded(counts), BytesOf(t), &Counts::global_load_sectors);
  BrokenLimits().Note("sectors", t.result, sectors, call);
}

/// A generator of its own, so that the values do not depend on the shape's.
RandomValues ShapeRandom() {
  RandomValues random = TestRandom();
  return RandomValues(random.Next());
}

LinearProbe ProbeOf(int rows, int columns, bool some_return) {
  const auto r = static_cast<std::size_t>(rows), c = static_cast<std::size_t>(columns);
  const auto place = [](std::size_t row_length) {
    return [row_length](std::size_t i) {
      return "[" + std::to_string(i / row_length) + "][" + std::to_string(i % row_length) + "]";
    };
  };
  LinearProbe probe;
  probe.contract = {
      say::transpose_call(rows, columns), "X", "Y", r * c, place(c), place(r), [r, c](std::size_t e) {
        return std::vector<ElementIndex>{static_cast<ElementIndex>(e % r * c + e / r)};
      }};
  probe.output_count = r * c;
  probe.entry = [=](Worker& worker, DevicePointer x, DevicePointer y,
                    std::span<const DevicePointer> /*kept*/) { return worker.Call(x, y, rows, columns); };
  probe.own_facts = [=](const ProbeResult& probed, std::span<const LaunchRecord> launches) {
    return FactsOfTransposition(rows, columns, probed, launches, some_return);
  };
  return probe;
}

}  // namespace

std::vector<std::string> TranspositionSentences() {
  return {"The kernel loads each element of X at least once.",
          "No thread stores more than " + std::to_string(kMostElementsOfAThread) + " elements of Y.",
          "No warp executes more than " + std::to_string(kMostOfAWarp) +
              " instructions: 60 for each element of Y that a thread may store, and 4000 for all else.",
          "The kernels use no atomics on shared memory.",
          "Warps execute at most r x c / 8 loads and stores of shared memory: twice as many as with one load "
          "and one store per 32 elements.",
          "For every shape, at most 2 x rows x s(columns) sectors are loaded.",
          "For every shape, at most 2 x columns x s(rows) sectors are stored."};
}

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

Transposition CallTranspose(const Message& title, int rows, int columns, Fill fill) {
  RandomValues random = TestRandom();
  const auto r = static_cast<std::size_t>(rows), c = static_cast<std::size_t>(columns);
  Transposition seen;
  seen.test = testing::UnitTest::GetInstance()->current_test_info()->name();
  seen.rows = rows;
  seen.columns = columns;
  seen.x = fill(random, r * c);
  const CallReport report =
      Session().Call({InputArray("X", seen.x, OtherElements::AnyValue()), OutputArray<float>("Y", r * c)},
                     Budget(r * c), [=](Worker& worker, std::span<const DevicePointer> p) {
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
  AddComparison(seen.result, CompareFloats(seen.y, expected, std::vector<double>(r * c, 0.0), where, r), "Y");
  RequireDeviceWork(seen.result, report, WorkOf(r * c));
  NoteLimits(seen);
  return seen;
}

std::vector<Explained> ExplainTranspositions(std::span<const Transposition> all) {
  const bool some_return = std::ranges::any_of(
      all, [](const Transposition& t) { return HasFinding(t.result, FindingKind::kBarrierAfterExit); });
  std::vector<LinearTest> tests;
  for (const Transposition& t : all)
    tests.push_back({t.test, &t.result, ProbeOf(t.rows, t.columns, some_return)});
  // Less than a tile, and more than one in each direction.
  const LinearProbe probes[] = {ProbeOf(2, 3, some_return), ProbeOf(5, 4, some_return),
                                ProbeOf(35, 40, some_return), ProbeOf(64, 96, some_return)};
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
  AddSectorsOf(t.result, say::transpose_writes_sectors, SectorsStored(counts), limit,
               counts.global_store_bytes, BytesOf(t), &Counts::global_store_sectors);
  AddSectorsOf(t.result, say::transpose_reads_sectors, SectorsLoaded(counts), limit, BytesLoaded(counts),
               BytesOf(t), &Counts::global_load_sectors);
  BrokenLimits().Tell("sectors", t.result);
}

void GradeSharedBytes(TestResult& result) {
  for (const LaunchRecord& launch : result.launches) {
    const std::uint32_t bytes = launch.static_shared_bytes + launch.dynamic_shared_bytes;
    if (bytes <= kTileBytes) continue;
    const std::uint32_t tiles = bytes / kTileBytes;
    AddVerdict(result, Verdict::kWrongResult, say::transpose_shared_bytes(bytes, kTileBytes),
               tiles < 2    ? say::transpose_shared_bytes_step(bytes, kTileBytes, bytes - kTileBytes)
               : tiles == 2 ? say::transpose_two_tiles_step()
                            : say::transpose_tiles_step(tiles));
  }
}

}  // namespace warplings::bank_conflicts
