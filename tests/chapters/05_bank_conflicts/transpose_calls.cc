// SPDX-License-Identifier: Apache-2.0
// Calling and grading a transposition.
#include <gtest/gtest.h>

#include <cstdio>

#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "tests/chapters/05_bank_conflicts/transpose_evidence.h"

namespace warplings::bank_conflicts {
namespace {

constexpr std::uint32_t kTileBytes = kTile * kTile * 4;

/// For each launch: 64 warp instructions for every element is enough for one thread that moves all elements
/// alone.
std::uint64_t Budget(std::size_t elements) {
  return 1'000'000 + 64 * elements;
}

void AddConflictsOf(TestResult& result, const std::string& what, std::uint64_t conflicts,
                    std::uint64_t requests) {
  if (conflicts == 0) return;
  AddVerdict(result, Verdict::kWrongResult,
             "each shared " + what + " of a warp has " +
                 OneDecimal(static_cast<double>(conflicts) / static_cast<double>(requests)) +
                 " bank conflicts on average; none is possible",
             "Write the banks of what lanes 0, 1, 2, ... touch in one " + what + " under each other.");
}

void AddSectorsOf(TestResult& result, const std::string& what, std::uint64_t sectors, std::uint64_t limit) {
  if (sectors <= limit) return;
  AddVerdict(result, Verdict::kWrongResult,
             "the kernel " + what + " " + std::to_string(sectors) +
                 " sectors of 32 bytes; along rows it takes " + std::to_string(limit * 2 / 3),
             "Threads that are neighbours in x should touch elements that are neighbours in memory.");
}

/// A generator of its own, so that the values do not depend on the shape's.
RandomValues ShapeRandom() {
  RandomValues random = TestRandom();
  return RandomValues(random.Next());
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
  return seen;
}

void GradeConflicts(TestResult& result) {
  const Counts counts = TotalCounts(result);
  AddConflictsOf(result, "load", counts.shared_load_conflicts, counts.shared_load_requests);
  AddConflictsOf(result, "store", counts.shared_store_conflicts, counts.shared_store_requests);
}

std::uint64_t SectorLimit(int rows, int columns) {
  return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns) / 8 * 3 / 2;
}

void GradeSectors(Transposition& t) {
  const Counts counts = TotalCounts(t.result);
  const std::uint64_t limit = SectorLimit(t.rows, t.columns);
  AddSectorsOf(t.result, "writes", counts.global_store_sectors, limit);
  AddSectorsOf(t.result, "reads", counts.global_load_sectors, limit);
}

void GradeSharedBytes(TestResult& result) {
  for (const LaunchRecord& launch : result.launches) {
    const std::uint32_t bytes = launch.static_shared_bytes + launch.dynamic_shared_bytes;
    if (bytes <= kTileBytes) continue;
    AddVerdict(result, Verdict::kWrongResult,
               "a block uses " + std::to_string(bytes) + " bytes of shared memory; " +
                   std::to_string(kTileBytes) + " are allowed",
               "Keep the tile at 32 x 32 floats and change where in it each element lies.");
  }
}

}  // namespace warplings::bank_conflicts
