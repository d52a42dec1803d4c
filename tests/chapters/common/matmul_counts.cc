// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/common/matmul_counts.h"

#include <algorithm>
#include <string>

#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"

namespace warplings {
namespace {

constexpr double kSectorBytes = 32;
constexpr std::uint64_t kWordsOfAWavefront = 32, kLeastProductsOfAWord = 4;

std::uint64_t RoundedUp(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

std::uint64_t WordsLoaded(const TestResult& result, const std::string& label) {
  return TrafficOf(result, label).load_bytes / sizeof(float);
}

/// Whether the sectors are those of rows: of each row, each time that the matrix was loaded, at most 4 times
/// what pieces of 8 and of 32 elements have together.
bool RowsAreLoaded(const ArrayTraffic& traffic, int rows, int columns) {
  const auto r = static_cast<std::uint64_t>(rows), c = static_cast<std::uint64_t>(columns);
  return traffic.load_sectors * sizeof(float) * r * c <=
         traffic.load_bytes * 4 * r * (RoundedUp(c, 8) + RoundedUp(c, 32));
}

std::string Wavefronts(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " wavefront" : " wavefronts");
}

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

SharedTraffic LeastSharedTraffic(const MatmulEvidence& evidence, TilesOf of) {
  const auto products = static_cast<std::uint64_t>(evidence.shape.m_count()) *
                        static_cast<std::uint64_t>(evidence.shape.columns);
  const std::uint64_t of_a_word = std::max(evidence.most_elements_of_a_thread, kLeastProductsOfAWord);
  const std::uint64_t of_m = WordsLoaded(evidence.result, "M") + WordsLoaded(evidence.result, "Mt");
  const std::uint64_t of_n = WordsLoaded(evidence.result, "N");
  const std::uint64_t loaded = of == TilesOf::kBoth ? of_m + of_n : std::min(of_m, of_n);
  const std::uint64_t counted = loaded - std::min(loaded, kFreeWords);
  return {RoundedUp(products, kWordsOfAWavefront * of_a_word), RoundedUp(counted, 2 * kWordsOfAWavefront)};
}

std::string SharedLoadSentence() {
  return "Warps load from shared memory at least one wavefront of 32 words for 128 products; where a thread "
         "stores E > 4 elements of P, one for 32 x E. (A warp's float4s are four wavefronts.)";
}

std::string SharedStoreSentence(TilesOf of, const std::string& m) {
  return "They store into shared memory at least half of the words that they load of " +
         (of == TilesOf::kBoth ? m + " and N together" : m + " or of N, whichever are fewer") +
         ", not counting " + std::to_string(kFreeWords) + " words.";
}

void RequireSharedTraffic(MatmulEvidence& evidence, TilesOf of) {
  TestResult& result = evidence.result;
  if (result.verdict != Verdict::kPassed || evidence.shape.p_count() == 0 || evidence.shape.inner == 0)
    return;
  const Counts counts = TotalCounts(result);
  const SharedTraffic least = LeastSharedTraffic(evidence, of);
  const std::uint64_t loads = counts.shared_load_wavefronts - counts.shared_load_conflicts;
  const std::uint64_t stores = counts.shared_store_wavefronts - counts.shared_store_conflicts;
  if (counts.shared_load_requests == 0) {
    AddVerdict(result, Verdict::kWrongResult, "the kernel reads nothing from shared memory",
               "Let the threads of a block load each tile once, together, into shared memory.");
  } else if (loads < least.load_wavefronts) {
    AddVerdict(result, Verdict::kWrongResult,
               "warps load " + Wavefronts(loads) + " from shared memory; for the products at least " +
                   std::to_string(least.load_wavefronts) + " are needed",
               "Find the line that multiplies: from where does each thread get its two factors? At least one "
               "of them should come from a tile in shared memory.");
  } else if (stores < least.store_wavefronts) {
    AddVerdict(result, Verdict::kWrongResult,
               "warps store " + Wavefronts(stores) +
                   " into shared memory; for what they load of the "
                   "matrices at least " +
                   std::to_string(least.store_wavefronts) + " are needed",
               "Find the lines that load M and N: where does each loaded element go? The threads of a block "
               "should store it into a tile in shared memory, from which all of them read it.");
  }
}

void RequireTiles(MatmulEvidence& evidence, TilesOf of) {
  TestResult& result = evidence.result;
  if (result.verdict != Verdict::kPassed || evidence.shape.p_count() == 0 || evidence.shape.inner == 0)
    return;
  const Counts counts = TotalCounts(result);
  if (counts.shared_load_requests > 0 && BytesLoaded(counts) > TileLimit(evidence.shape)) {
    AddVerdict(
        result, Verdict::kWrongResult,
        "the threads ask for " + std::to_string(BytesLoaded(counts)) +
            " bytes in global memory; with tiles they need at most " +
            std::to_string(TileLimit(evidence.shape)),
        "Count how often all blocks together fetch M[0][0]: how many elements of P does a block compute with "
        "what it fetched once, does an inner product still read M or N itself, and do blocks or phases fetch "
        "without need?");
    return;
  }
  RequireSharedTraffic(evidence, of);
}

bool LoadsAreCoalesced(const MatmulEvidence& evidence) {
  const MatmulShape& shape = evidence.shape;
  if (shape.rows % 32 == 0 && shape.inner % 32 == 0 && shape.columns % 32 == 0) {
    const Counts counts = TotalCounts(evidence.result);
    return static_cast<double>(counts.global_load_sectors) * kSectorBytes <=
           1.45 * static_cast<double>(counts.global_load_bytes);
  }
  return RowsAreLoaded(TrafficOf(evidence.result, "M"), shape.rows, shape.inner) &&
         RowsAreLoaded(TrafficOf(evidence.result, "Mt"), shape.inner, shape.rows) &&
         RowsAreLoaded(TrafficOf(evidence.result, "N"), shape.inner, shape.columns);
}

std::vector<std::string> SectorSentences(const std::string& m, const std::string& columns_of_m,
                                         const std::string& columns_of_n) {
  const auto sectors = [](const std::string& columns) {
    return "4 x (ceil(" + columns + " / 8) + ceil(" + columns + " / 32))";
  };
  const std::string of_m = sectors(columns_of_m), of_n = sectors(columns_of_n);
  return {
      "Where all sides are multiples of 32, the sectors of 32 bytes that are loaded have at most 1.45 "
      "times the bytes that the threads ask for.",
      "Elsewhere a row of " +
          (of_m == of_n ? m + " or N takes at most " + of_m
                        : m + " takes at most " + of_m + " sectors and a row of N " + of_n) +
          (of_m == of_n ? " sectors" : "") + " each time that the matrix is loaded."};
}

std::string WasteOfLoads(const TestResult& result) {
  const LineCounts* line = MostWasteful(result);
  return line == nullptr || line->counts.global_load_requests == 0 ? "" : DescribeWaste(*line);
}

void RequireCoalescedLoads(MatmulEvidence& evidence) {
  if (evidence.result.verdict != Verdict::kPassed || LoadsAreCoalesced(evidence)) return;
  const std::string what = WasteOfLoads(evidence.result);
  AddVerdict(evidence.result, Verdict::kWrongResult,
             what.empty() ? "the loads from global memory fill their sectors badly" : what,
             AskForGaps(evidence.result));
}

void NoteSectors(const MatmulEvidence& evidence) {
  MatmulEvidence graded = evidence;
  RequireCoalescedLoads(graded);
  BrokenLimits().Note(kSectorsLimit, evidence.result, graded.result);
}

}  // namespace warplings
