// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/common/matmul_counts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "tests/suites/common/busiest_line.h"
#include "tests/suites/common/messages.h"

namespace warplings {
namespace {

constexpr double kSectorBytes = 32;
constexpr std::uint64_t kWordsOfAWavefront = 32, kLeastProductsOfAWord = 4;
constexpr const char* kFactorFour = " (The factor 4 is slack.)";

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

say::Count Times(std::uint64_t count) {
  return say::Count(count, "time");
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
say::Decimal Short(double value) {
  const auto tenths = static_cast<std::uint64_t>(value * 10 + 0.5);
  return say::Decimal(static_cast<double>(tenths) / 10, tenths % 10 == 0 ? 0 : 1);
}

struct LoadedTooOften {
  std::string matrix;
  std::uint64_t words = 0, needed = 0;  ///< With whole 16 x 16 tiles.
  Message step;
};

/// Of the matrix that is loaded more than half as often again as whole 16 x 16 tiles need, where the other
/// one is not, or much less often.
std::optional<LoadedTooOften> MatrixLoadedTooOften(const MatmulEvidence& evidence) {
  constexpr std::uint64_t kTile = 16;
  const auto whole = [](int side) { return RoundedUp(static_cast<std::uint64_t>(side), kTile) * kTile; };
  const MatmulShape& shape = evidence.shape;
  const std::uint64_t needed = whole(shape.rows) * whole(shape.inner) * whole(shape.columns) / kTile;
  const std::uint64_t of_mt = WordsLoaded(evidence.result, "Mt");
  const std::uint64_t of_m = WordsLoaded(evidence.result, "M") + of_mt,
                      of_n = WordsLoaded(evidence.result, "N");
  const std::string m = of_mt > 0 ? "Mt" : "M";
  const auto is_that_one = [needed](std::uint64_t words, std::uint64_t of_other) {
    return 2 * words > 3 * needed && (of_other <= needed || 4 * of_other <= words);
  };
  const bool is_small =
      static_cast<std::uint64_t>(std::min({shape.rows, shape.inner, shape.columns})) < kTile;
  const auto told = [&](const std::string& name, const std::string& other, std::uint64_t words) {
    return LoadedTooOften{name, words, needed,
                          is_small ? say::load_small_matrix_by_tiles(name, other)
                                   : say::load_that_matrix_by_tiles(name, other, words, needed)};
  };
  if (is_that_one(of_n, of_m)) return told("N", m, of_n);
  return is_that_one(of_m, of_n) ? std::optional(told(m, "N", of_m)) : std::nullopt;
}

/// "in line 31, a warp loads 128 bytes from 16 sectors of 32 bytes". Of a line that several lines call, the
/// loads of the one call that wastes most are meant.
Message DescribeWaste(const LineCounts& of_line) {
  const CallCounts* call = BusiestCall(of_line, Wasted);
  const LineCounts line{of_line.where, call == nullptr ? of_line.counts : call->counts};
  const auto requests = static_cast<double>(line.counts.global_load_requests);
  const say::Decimal sectors = Short(static_cast<double>(line.counts.global_load_sectors) / requests);
  const say::Decimal bytes = Short(static_cast<double>(line.counts.global_load_bytes) / requests);
  if (line.where.line == 0) return say::waste_of_a_load(sectors, bytes);
  const Message place = PlaceOf(line, call);
  // A line's loads may be unlike: no load has parts of a sector or of a byte.
  const bool is_mean = line.counts.global_load_sectors % line.counts.global_load_requests != 0 ||
                       line.counts.global_load_bytes % line.counts.global_load_requests != 0;
  const auto whole = [requests](std::uint64_t count) {
    return say::Decimal(std::round(static_cast<double>(count) / requests), 0);
  };
  return is_mean ? say::waste_of_line_on_average(place, whole(line.counts.global_load_sectors),
                                                 whole(line.counts.global_load_bytes))
                 : say::waste_of_line(place, sectors, bytes);
}

/// Whether the most wasteful load fetches no more sectors than rows of so many floats touch, wherever they
/// begin: where it does, neighbours of a row are apart, too.
bool IsOfRows(const TestResult& result, std::uint32_t wide) {
  const LineCounts* line = MostWasteful(result);
  if (line == nullptr) return false;
  constexpr std::uint32_t kWarp = 32, kFloatsOfASector = 8;
  const std::uint32_t rows = (kWarp + wide - 1) / wide + 1;
  const std::uint32_t sectors_of_a_row = (wide + kFloatsOfASector - 1) / kFloatsOfASector + 1;
  return line->counts.global_load_sectors <=
         line->counts.global_load_requests * rows * std::uint64_t{sectors_of_a_row};
}

/// Where the first neighbours of a warp may part: a warp of a narrow block has several of its rows. Not of
/// launches with unlike blocks: the line is of one of them.
Message AskForGaps(const TestResult& result, const Message& waste) {
  if (result.launches.empty()) return say::write_down_addresses(waste);
  const Dim3& block = result.launches.front().block;
  const std::uint32_t wide = block.x;
  const bool alike = std::ranges::all_of(result.launches, [&](const LaunchRecord& launch) {
    return launch.block.x == wide && launch.block.y == block.y && launch.block.z == block.z;
  });
  if (!alike || wide < 2 || wide >= 32 || block.Volume() == wide || !IsOfRows(result, wide))
    return say::write_down_addresses(waste);
  constexpr std::uint32_t kFloatsOfASector = 8;
  if (wide < kFloatsOfASector)
    return say::write_down_addresses_of_short_rows(waste, wide, wide * sizeof(float));
  return say::write_down_addresses_of_rows(waste, wide, wide);
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

std::vector<std::string> WorkSentences(const std::string& m, const std::string& products,
                                       const std::string& inner, std::uint64_t most_words, SizeOfP size) {
  const std::string loads = "he kernels load each element of " + m + " and N at least once.";
  return {size == SizeOfP::kMayBeZero ? "If P has elements, t" + loads : "T" + loads,
          "The kernels do at least " + products + " operations, one for each product.",
          "No thread stores more than " + std::to_string(most_words) + " elements of P.",
          "No warp executes more than 4000 + " + std::to_string(8 * most_words) + " x " + inner +
              " instructions."};
}

std::string InfinitySentence(const std::string& edge) {
  return "P is right even if M holds infinities. Infinity x 0 is NaN, so zeros in N's tile alone are not "
         "enough: "
         "M's tile must hold 0 past " +
         edge + ", and N's tile must hold 0 past N's last row.";
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
  const std::string words = std::to_string(kWordsOfAWavefront);
  return "Warps load at least one wavefront from shared memory per " +
         std::to_string(kWordsOfAWavefront * kLeastProductsOfAWord) +
         " products. (The plain tiled kernel loads two wavefronts per " + words +
         " products.) A kernel whose threads each store E > " + std::to_string(kLeastProductsOfAWord) +
         " elements of P needs only one wavefront per " + words + " x E products.";
}

std::string SharedStoreSentence(TilesOf of, const std::string& m) {
  const std::string floats = of == TilesOf::kBoth
                                 ? "Let L be the number of floats that threads load from " + m + " and N."
                                 : "It is enough to keep tiles of one of the two matrices in shared memory. "
                                   "So let L be the number of "
                                   "floats that threads load from M, or from N if these are fewer.";
  return floats + " Warps store at least (L - " + std::to_string(kFreeWords) + ") / " +
         std::to_string(2 * kWordsOfAWavefront) + " wavefronts of up to " +
         std::to_string(kWordsOfAWavefront) +
         " floats to shared memory. (If each is full, they hold about half of the L floats.)";
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
    // What no thread ever reads, the compiler leaves out: this kernel has tiles for other calls.
    const bool has_tiles = std::ranges::any_of(
        result.launches, [](const LaunchRecord& launch) { return launch.static_shared_bytes > 0; });
    AddVerdict(result, Verdict::kWrongResult, say::nothing_read_from_shared(),
               has_tiles ? say::use_tiles_in_every_call() : say::load_each_tile_once());
  } else if (loads < least.load_wavefronts) {
    AddVerdict(result, Verdict::kWrongResult, say::few_shared_loads(Times(loads), least.load_wavefronts),
               say::find_line_that_multiplies());
  } else if (stores < least.store_wavefronts) {
    const auto often = MatrixLoadedTooOften(evidence);
    if (of == TilesOf::kBoth && often) {
      AddVerdict(result, Verdict::kWrongResult,
                 say::many_loads_of_matrix(often->matrix, often->words, often->needed), often->step);
    } else {
      AddVerdict(result, Verdict::kWrongResult, say::few_shared_stores(Times(stores), least.store_wavefronts),
                 say::find_lines_that_load());
    }
  }
}

void RequireTiles(MatmulEvidence& evidence, TilesOf of) {
  TestResult& result = evidence.result;
  if (result.verdict != Verdict::kPassed || evidence.shape.p_count() == 0 || evidence.shape.inner == 0)
    return;
  const Counts counts = TotalCounts(result);
  if (counts.shared_load_requests > 0 && BytesLoaded(counts) > TileLimit(evidence.shape)) {
    const auto often = MatrixLoadedTooOften(evidence);
    AddVerdict(result, Verdict::kWrongResult,
               say::many_bytes_for_tiles(BytesLoaded(counts), TileLimit(evidence.shape)),
               often ? often->step : say::count_fetches_of_an_element());
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
  const std::string fetched = ", the sectors fetched hold at most 1.45 times the bytes loaded.";
  if (columns_of_m == columns_of_n) {
    return {"If width is a multiple of 32" + fetched,
            std::string("If width is not a multiple of 32, at most 4 x width x s(width) sectors are fetched "
                        "for each time that M is loaded, and as many for each time that N is loaded.") +
                kFactorFour};
  }
  const std::string rows_of_m = m == "M" ? "j" : "k";
  return {"If j, k and l are multiples of 32" + fetched,
          "If j, k or l is not a multiple of 32, at most 4 x " + rows_of_m + " x s(" + columns_of_m +
              ") sectors are fetched for each time that " + m + " is loaded, and at most 4 x k x s(" +
              columns_of_n + ") for each time that N is loaded." + kFactorFour};
}

Message WasteOfLoads(const TestResult& result) {
  const LineCounts* line = MostWasteful(result);
  return line == nullptr || line->counts.global_load_requests == 0 ? Message() : DescribeWaste(*line);
}

void RequireCoalescedLoads(MatmulEvidence& evidence) {
  if (evidence.result.verdict != Verdict::kPassed || LoadsAreCoalesced(evidence)) return;
  const Message of_a_line = WasteOfLoads(evidence.result);
  const Message waste = of_a_line.empty() ? say::sectors_filled_badly() : of_a_line;
  AddVerdict(evidence.result, Verdict::kWrongResult, waste, AskForGaps(evidence.result, waste));
}

void NoteSectors(const MatmulEvidence& evidence) {
  MatmulEvidence graded = evidence;
  RequireCoalescedLoads(graded);
  BrokenLimits().Note(kSectorsLimit, evidence.result, graded.result);
}

}  // namespace warplings
