// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/06_coarsening/fast_matmul_evidence.h"

#include <algorithm>
#include <cmath>

#include "grader/messages/calls.h"
#include "grader/messages/joining.h"
#include "grader/suite/comparison.h"
#include "grader/suite/evidence.h"
#include "tests/suites/06_coarsening/messages.h"
#include "tests/suites/common/busiest_line.h"
#include "tests/suites/common/messages.h"
#include "tests/suites/common/title_numbers.h"

namespace warplings::fast_matmul {
namespace {

using coarsening::WidthOf;
using All = std::span<const MatmulEvidence>;
using Found = std::vector<Fact>;

/// Names the test, and its size unless its title does.
Message In(const MatmulEvidence& e, const Message& what) {
  return HasNumber(e.result.title, WidthOf(e)) ? say::of_test(e.test, what)
                                               : say::of_test_with_width(e.test, WidthOf(e), what);
}

std::uint64_t Products(int width) {
  const auto w = static_cast<std::uint64_t>(width);
  return w * w * w;
}

// --- Findings. -------------------------------------------------------------------------------------------

void FindFaults(All all, Found& found) {
  for (const MatmulEvidence& e : all) {
    // The rows of a tile are another matter than those of a matrix.
    if (HasFinding(e.result, FindingKind::kMisaligned, MemorySpace::kGlobal)) {
      Fact& fact = AddFact(found, In(e, say::fast_matmul_misaligned()));
      ShowFinding(fact, e.result, FindingKind::kMisaligned);
    }
    if (ReadsTooEarlyOrStoresOver(e.result)) {
      Fact& fact = AddFact(found, In(e, say::two_threads_race()));
      ShowFinding(fact, e.result, NeedsABarrier);
      NameRaceOfPasses(fact, e.result);
    }
  }
}

// --- Values. ---------------------------------------------------------------------------------------------

/// How many times product `k` of its row and column each element has too much; 0 if that explains nothing.
int SurplusTimes(const MatmulEvidence& e, std::size_t k) {
  const auto w = static_cast<std::size_t>(WidthOf(e));
  const auto first = [&](std::size_t i) {
    return static_cast<double>(e.m[i / w * w + k]) * static_cast<double>(e.n[k * w + i % w]);
  };
  // Asked of the element that shows it best.
  std::size_t best = 0;
  const auto shows = [&](std::size_t i) { return std::abs(first(i)) / e.expected.bound[i]; };
  for (std::size_t i = 1; i < w * w; ++i) {
    if (shows(i) > shows(best)) best = i;
  }
  const double times = std::round((static_cast<double>(e.p[best]) - e.expected.value[best]) / first(best));
  if (!(times >= 1 && times < 256)) return 0;
  for (std::size_t i = 0; i < w * w; ++i) {
    // Each of the surplus products is rounded, too: at most as often as there are terms.
    const double surplus = times * first(i);
    const double bound = 2 * e.expected.bound[i] + (times + WidthOf(e)) * 0x1p-23 * std::abs(surplus);
    if (IsWrong(e.p[i], e.expected.value[i] + surplus, bound)) return 0;
  }
  return static_cast<int>(times);
}

std::size_t EndOf(const MatmulEvidence& e, bool of_last) {
  return of_last ? static_cast<std::size_t>(WidthOf(e) - 1) : 0;
}

/// The first test with wrong values where all of them have the first product, or the last one, too often.
const MatmulEvidence* HasSurplus(All all, bool of_last) {
  const MatmulEvidence* seen = nullptr;
  for (const MatmulEvidence& e : all) {
    if (!Completed(e.result) || e.p.empty() || e.result.wrong_count == 0) continue;
    if (SurplusTimes(e, EndOf(e, of_last)) == 0) return nullptr;
    if (seen == nullptr) seen = &e;
  }
  return seen;
}

/// Loads that are moved to the matrix's beginning, or to its edge, which is what clamping does.
void FindEdge(All all, Found& found) {
  for (const bool of_last : {false, true}) {
    const MatmulEvidence* seen = HasSurplus(all, of_last);
    if (seen == nullptr) continue;
    const int times = SurplusTimes(*seen, EndOf(*seen, of_last));
    AddFact(found, In(*seen, of_last ? say::fast_matmul_last_product_again(times)
                                     : say::fast_matmul_first_product_again(times)));
    return;
  }
}

// --- Counts, where every value is right. ------------------------------------------------------------------

/// Elements of P for each block of the launch with the most; a limit of 64 x 64 is what the contract's
/// sectors come to.
constexpr std::uint64_t kLeastTile = 64 * 64;
std::uint64_t ElementsOfABlock(const MatmulEvidence& e) {
  std::uint64_t blocks = 1;
  for (const LaunchRecord& launch : e.result.launches) blocks = std::max(blocks, launch.grid.Volume());
  return static_cast<std::uint64_t>(WidthOf(e)) * static_cast<std::uint64_t>(WidthOf(e)) / blocks;
}

/// The call that is counted is one, and each limit has a test: the evidence names the one that fails.
void FindByCounts(const MatmulEvidence& e, const std::vector<KernelResources>& resources, Found& found) {
  const auto spilled = std::ranges::find_if(resources, [](const auto& r) { return r.local_bytes > 0; });
  if (spilled != resources.end()) {
    AddFact(found, "fast_matmul_spilled",
            say::of_test({"SumsStayInRegisters"},
                         say::local_memory_of_kernel(spilled->kernel, spilled->local_bytes)));
    return;
  }
  const Counts counts = TotalCounts(e.result);
  const Limits limits = LimitsOf(WidthOf(e));
  const std::uint64_t requests = counts.shared_load_requests;
  // Warps of few threads need more instructions for the same products: so many loads are not one for each.
  if (requests >= Products(WidthOf(e)) / 32 && requests >= counts.flop_requests) {
    AddFact(found, In(e, say::fast_matmul_loads_for_products(requests, Products(WidthOf(e)) / 32)));
  } else if (requests > limits.shared_requests &&
             counts.shared_load_wavefronts - counts.shared_load_conflicts == requests) {
    AddFact(found, In(e, say::fast_matmul_scalar_loads(requests)));
  }
  if (requests > limits.shared_requests) return;
  // Conflicts of the stores alone say nothing of the patches that threads own.
  if (Conflicts(counts) > ConflictLimit(counts) &&
      counts.shared_load_conflicts > counts.shared_store_conflicts) {
    const LineCounts* line = BusiestLine(e.result, &Counts::shared_load_conflicts);
    const auto conflicts = [](const Counts& each) { return each.shared_load_conflicts; };
    const auto place = [&] { return PlaceOf(*line, BusiestCall(*line, conflicts)); };
    AddFact(found, say::of_test({"BanksDoNotConflict"},
                                line == nullptr ? say::fast_matmul_conflicts(Conflicts(counts))
                                                : say::fast_matmul_conflicts_in(Conflicts(counts), place())));
  }
  // Few bytes in many sectors are loads that lie apart, and no small tile.
  if (counts.global_load_sectors > limits.sectors) {
    if (counts.global_load_bytes <= 32 * limits.sectors || ElementsOfABlock(e) >= kLeastTile) return;
    AddFact(found, say::of_test({"ATileServesManyElements"},
                                say::fast_matmul_many_sectors(counts.global_load_sectors)));
  } else if (counts.barriers > limits.barriers && BarrierLines(e) != 1) {
    AddFact(found, say::of_test({"OneBarrierAPhaseIsEnough"},
                                say::fast_matmul_arrivals(counts.barriers, BarrierLines(e))));
  }
}

}  // namespace

Limits LimitsOf(int width) {
  const std::uint64_t multiply_adds = Products(width) / 32;
  // 8 W^3 / 64 bytes, in sectors of 32.
  return {multiply_adds / 8, Products(width) / 256, multiply_adds / 384};
}

int BarrierLines(const MatmulEvidence& e) {
  std::vector<std::uint64_t> arrivals;
  for (const LaunchRecord& launch : e.result.launches) {
    for (const LineCounts& line : launch.lines) {
      if (line.where.line != 0 && line.counts.barriers > 0) arrivals.push_back(line.counts.barriers);
    }
  }
  if (arrivals.empty()) return 0;
  const std::uint64_t most = std::ranges::max(arrivals);
  return static_cast<int>(
      std::ranges::count_if(arrivals, [most](std::uint64_t each) { return 2 * each >= most; }));
}

std::uint64_t Conflicts(const Counts& counts) {
  return counts.shared_load_conflicts + counts.shared_store_conflicts;
}

std::uint64_t PartialConflictLimit(const Counts& counts) {
  return 2 * ConflictLimit(counts) + 16;
}

std::uint64_t ConflictLimit(const Counts& counts) {
  return (counts.shared_load_wavefronts + counts.shared_store_wavefronts - Conflicts(counts)) / 8;
}

std::vector<Fact> FactsOf(const Seen& seen) {
  Found found;
  FindFaults(seen.all, found);
  if (found.empty()) FindEdge(seen.all, found);
  const bool right = std::ranges::all_of(seen.all, [](const MatmulEvidence& e) {
    return Completed(e.result) && e.result.wrong_count == 0 && !HasError(e.result);
  });
  const auto counted = std::ranges::find_if(seen.all, IsCountedWidth, WidthOf);
  if (right && counted != seen.all.end()) FindByCounts(*counted, seen.resources, found);
  return found;
}

}  // namespace warplings::fast_matmul
