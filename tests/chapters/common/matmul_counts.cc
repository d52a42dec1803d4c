// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/common/matmul_counts.h"

#include <algorithm>
#include <string>

#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"

namespace warplings {
namespace {

constexpr double kSectorBytes = 32;

/// Sectors fetched beyond those that the bytes asked for would fill; negative where threads share elements.
double Wasted(const Counts& counts) {
  return static_cast<double>(counts.global_load_sectors) -
         static_cast<double>(counts.global_load_bytes) / kSectorBytes;
}

const LineCounts* MostWasteful(const TestResult& result) {
  const LineCounts* most = nullptr;
  for (const LaunchRecord& launch : result.launches) {
    for (const LineCounts& line : launch.lines) {
      if (most == nullptr || Wasted(line.counts) > Wasted(most->counts)) most = &line;
    }
  }
  return most;
}

/// 16 or 2.5: one digit where there is something behind the point.
std::string Short(double value) {
  const auto tenths = static_cast<std::uint64_t>(value * 10 + 0.5);
  return std::to_string(tenths / 10) + (tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10));
}

/// "line 31 fetches 16 sectors of 32 bytes for a warp's request of 128 bytes".
std::string DescribeWaste(const LineCounts& line) {
  const auto requests = static_cast<double>(line.counts.global_load_requests);
  const std::string place = line.where.line == 0 ? "a load" : "line " + std::to_string(line.where.line);
  return place + " fetches " + Short(static_cast<double>(line.counts.global_load_sectors) / requests) +
         " sectors of 32 bytes for a warp's request of " +
         Short(static_cast<double>(line.counts.global_load_bytes) / requests) + " bytes";
}

/// Where the first neighbours of a warp may part: a warp of a narrow block has several of its rows. Not of
/// launches with unlike blocks: the line is of one of them.
std::string AskForGaps(const TestResult& result) {
  const std::string question =
      "Write down the addresses that the threads of a warp read in that line, one below the other";
  const std::string sectors =
      " Which of them lie in the same sector of 32 bytes, and how many bytes of each sector are used?";
  if (result.launches.empty()) return question + "." + sectors;
  const Dim3& block = result.launches.front().block;
  const std::uint32_t wide = block.x;
  const bool alike = std::ranges::all_of(result.launches, [&](const LaunchRecord& launch) {
    return launch.block.x == wide && launch.block.y == block.y && launch.block.z == block.z;
  });
  if (!alike || wide < 2 || wide >= 32 || block.Volume() == wide) return question + "." + sectors;
  return question + ". Your block is " + std::to_string(wide) + " wide: thread " + std::to_string(wide) +
         " of the warp begins its second row." + sectors;
}

}  // namespace

DeviceWork MatmulWork(const MatmulShape& shape, std::uint64_t most_words) {
  const auto j = static_cast<std::uint64_t>(shape.rows), k = static_cast<std::uint64_t>(shape.inner),
             l = static_cast<std::uint64_t>(shape.columns);
  DeviceWork work;
  work.output = "P";
  work.may_be_filled = k == 0;
  work.least_flops = j * k * l;
  work.least_bytes = j * l == 0 ? 0 : 4 * (j * k + k * l);
  work.most_words_by_a_thread = most_words;
  work.most_of_a_warp = 4000 + 8 * most_words * k;
  return work;
}

std::uint64_t TileLimit(const MatmulShape& shape) {
  const auto whole = [](int side) { return static_cast<std::uint64_t>((side + 15) / 16 * 16); };
  return 2 * whole(shape.rows) * whole(shape.inner) * whole(shape.columns);
}

void RequireTiles(TestResult& result, const MatmulShape& shape) {
  if (result.verdict != Verdict::kPassed || shape.p_count() == 0 || shape.inner == 0) return;
  const Counts counts = TotalCounts(result);
  if (counts.shared_load_requests == 0) {
    AddVerdict(result, Verdict::kWrongResult, "the kernel reads nothing from shared memory",
               "Let the threads of a block load each tile once, together, into shared memory.");
  } else if (BytesLoaded(counts) > TileLimit(shape)) {
    AddVerdict(
        result, Verdict::kWrongResult,
        "the threads ask for " + std::to_string(BytesLoaded(counts)) +
            " bytes in global memory; with tiles they need at most " + std::to_string(TileLimit(shape)),
        "Count how often all blocks together fetch M[0][0]: how many elements of P does a block compute with "
        "what it fetched once, does an inner product still read M or N itself, and do blocks or phases fetch "
        "without need?");
  }
}

bool LoadsAreCoalesced(const TestResult& result) {
  const Counts counts = TotalCounts(result);
  return static_cast<double>(counts.global_load_sectors) * kSectorBytes <=
         1.45 * static_cast<double>(counts.global_load_bytes);
}

std::string WasteOfLoads(const TestResult& result) {
  const LineCounts* line = MostWasteful(result);
  return line == nullptr || line->counts.global_load_requests == 0 ? "" : DescribeWaste(*line);
}

void RequireCoalescedLoads(TestResult& result) {
  if (LoadsAreCoalesced(result)) return;
  const std::string what = WasteOfLoads(result);
  AddVerdict(result, Verdict::kWrongResult,
             what.empty() ? "the loads from global memory fill their sectors badly" : what,
             AskForGaps(result));
}

}  // namespace warplings
