// SPDX-License-Identifier: Apache-2.0
#include "grader/timing/estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "grader/base/reflect.h"
#include "grader/device/occupancy.h"
#include "grader/messages/timing.h"
#include "grader/timing/roofline.h"

namespace warplings::timing {
namespace {

constexpr double kSectorBytes = 32, kPieceBytes = 64, kLanes = 32;
/// Warp schedulers of a multiprocessor, an instruction a cycle each: from compute capability 7.0 on.
constexpr double kSchedulers = 4;
/// Special function results a cycle; fp64 operations a cycle: CUDA C++ Best Practices Guide, "Throughput of
/// Native Arithmetic Instructions".
constexpr double kSpecialLanes = 16;
double DoubleLanes(const DeviceProfile& card) {
  if (card.minor == 0 && (card.major == 9 || card.major == 10)) return 64;
  return card.minor == 0 && (card.major == 7 || card.major == 8) ? 32 : 2;
}

/// Integer operations of 32 bits, likewise.
double IntegerLanes(const DeviceProfile& card) {
  return card.major >= 12 ? 128 : 64;
}

/// L2 is cut into slices; a slice does one atomic at a time. V100, A100 and H100 have one for 64 bits of
/// their memory's bus, and neighbouring pieces of this size lie in different ones.
constexpr double kSliceBytes = 512;
double Slices(const DeviceProfile& card) {
  return std::max(1.0, card.memory_bus_bits / 64.0);
}

/// How the blocks of a launch lie on the card.
struct Placement {
  double blocks = 1;
  double on_one = 1;    ///< Blocks that the busiest multiprocessor gets in all, …
  double resident = 1;  ///< … and at a time.
  double warps = 1;     ///< Of a block.
};

Placement PlacementOf(const LaunchRecord& launch, const DeviceProfile& card) {
  Placement place;
  const auto threads = static_cast<std::uint32_t>(launch.block.Volume());
  const std::uint32_t fits = BlocksPerMultiprocessor(
      card, {threads, launch.registers, launch.static_shared_bytes, launch.dynamic_shared_bytes});
  place.blocks = static_cast<double>(std::max<std::uint64_t>(launch.grid.Volume(), 1));
  place.warps = std::ceil(threads / kLanes);
  const double share = place.blocks / std::max(card.multiprocessors, 1);
  // Blocks that are all resident stay where they are; more of them go wherever one ends.
  place.on_one = share <= fits ? std::ceil(share) : share;
  place.resident = std::max(1.0, std::min<double>(fits, place.on_one));
  return place;
}

/// Cycles from a load of global memory to its value, on average over what L1 and L2 hold.
double LoadCycles(const Counts& counts, const LaunchWork& work, const EstimateModel& model) {
  const auto sectors = static_cast<double>(std::max<std::uint64_t>(counts.global_load_sectors, 1));
  const double past_l1 = std::min(1.0, static_cast<double>(work.block_read_sectors) / sectors);
  // A request's neighbouring sectors come from DRAM together, as one piece of 64 bytes.
  const double pieces = std::max(static_cast<double>(work.load_lines), sectors / 2);
  const double past_l2 = std::min(past_l1, static_cast<double>(work.read_bytes) / kPieceBytes / pieces);
  return model.l1_cycles + past_l1 * (model.l2_cycles - model.l1_cycles) +
         past_l2 * (model.dram_cycles - model.l2_cycles);
}

/// `cycle`: its seconds.
Waits WaitsOf(const LaunchRecord& launch, const LaunchWork& work, const Placement& place,
              const EstimateModel& model, double cycle) {
  // From all warps to one, and from that to the waves of blocks that follow each other.
  const double waves =
      cycle * place.on_one / place.resident / static_cast<double>(std::max<std::uint64_t>(work.warps, 1));
  return {.arithmetic = waves * work.path_cycles,
          .shared = waves * model.shared_cycles * work.path_shared,
          .global = waves * LoadCycles(launch.totals, work, model) * work.path_global,
          .barriers = waves * model.barrier_cycles * work.path_barriers};
}

double UnitCycles(const Counts& counts, const LaunchWork& work, const DeviceProfile& card,
                  const EstimateModel& model) {
  const double special = work.special_slots * kLanes / kSpecialLanes;
  const double fp64 = work.fp64_slots * kLanes / DoubleLanes(card);
  const double integer = model.instructions * work.integer_slots * kLanes / IntegerLanes(card);
  // A multiply-add is two operations. Half and double precision are few beside it, or counted above.
  const double fp32_lanes = PeakFlopsPerSecond(card) / (2e3 * card.clock_khz * card.multiprocessors);
  const double fp32 = work.fp64_slots > 0 ? 0 : static_cast<double>(counts.flops) / 2 / fp32_lanes;
  return std::max({special, fp64, integer, fp32});
}

double AtomicCycles(const Counts& counts, const LaunchWork& work, const DeviceProfile& card,
                    const EstimateModel& model) {
  const auto operations =
      static_cast<double>(std::max(counts.global_atomic_sectors, counts.global_atomic_passes));
  const double places = std::clamp(static_cast<double>(work.atomic_bytes) / kSliceBytes, 1.0, Slices(card));
  return model.atomic_cycles * operations / places;
}

/// The norm of the terms; see EstimateModel::overlap.
double CombineTerms(const Estimate& terms, double norm) {
  double sum = 0;
  // Issuing an instruction occupies its unit at the same time, so these two always overlap.
  const double computing = std::max(terms.issue, terms.units);
  for (const double term :
       {terms.dram, terms.l2, terms.load_store, computing, terms.atomics, terms.blocks, terms.latency}) {
    sum += std::pow(term, norm);
  }
  return std::pow(sum, 1 / norm);
}

Bound LargestOf(const Estimate& terms, double launch_seconds) {
  const std::array<std::pair<double, Bound>, 9> all = {{{launch_seconds, Bound::kLaunch},
                                                        {terms.dram, Bound::kDram},
                                                        {terms.l2, Bound::kL2},
                                                        {terms.load_store, Bound::kLoadStore},
                                                        {terms.issue, Bound::kIssue},
                                                        {terms.units, Bound::kUnits},
                                                        {terms.atomics, Bound::kAtomics},
                                                        {terms.blocks, Bound::kBlocks},
                                                        {terms.latency, Bound::kLatency}}};
  return std::ranges::max_element(all, {}, [](const auto& each) { return each.first; })->second;
}

}  // namespace

const EstimateRecord kEstimateRecord = {"NVIDIA H200", 67, 0.203, 0.981};

bool IsWithinError(double ratio, double mean_error) {
  return ratio > 0 && std::max(ratio, 1 / ratio) <= 1 + mean_error;
}

Message NameOf(Bound bound) {
  switch (bound) {
    case Bound::kLaunch: return say::bound_by_launch();
    case Bound::kDram: return say::bound_by_dram();
    case Bound::kL2: return say::bound_by_l2();
    case Bound::kLoadStore: return say::bound_by_load_store();
    case Bound::kIssue: return say::bound_by_issue();
    case Bound::kUnits: return say::bound_by_units();
    case Bound::kAtomics: return say::bound_by_atomics();
    case Bound::kBlocks: return say::bound_by_blocks();
    case Bound::kLatency: return say::bound_by_latency();
  }
  return {};
}

Estimate EstimateLaunch(const LaunchRecord& launch, const LaunchWork& work, const DeviceProfile& card,
                        const EstimateModel& model) {
  const Counts& counts = launch.totals;
  const Placement place = PlacementOf(launch, card);
  const double cycle = 1e-3 / std::max(card.clock_khz, 1);
  // From all blocks to those of the busiest multiprocessor.
  const double busiest = cycle * place.on_one / place.blocks;
  const auto sum = [](auto... values) { return (static_cast<double>(values) + ...); };

  Estimate terms;
  // What is written in part has to be read first.
  const double filled = std::max(0.0, sum(work.written_bytes) - sum(counts.global_store_bytes));
  terms.dram = (sum(work.read_bytes, work.written_bytes, work.atomic_bytes) + filled) /
               std::max(1.0, PeakBytesPerSecond(card) * model.dram_share);
  terms.l2 = busiest * kSectorBytes / model.l2_bytes_per_cycle *
             sum(work.block_read_sectors, counts.global_store_sectors, counts.global_atomic_sectors);
  terms.lines = busiest * model.line_cycles * sum(work.load_lines, work.store_lines);
  terms.load_store =
      terms.lines + busiest * sum(counts.shared_load_wavefronts, counts.shared_store_wavefronts,
                                  counts.shared_atomic_passes, work.shuffles, counts.barriers);
  const double schedulers = std::min(kSchedulers, place.warps * place.resident);
  terms.issue = busiest * model.instructions * work.issue_slots / schedulers;
  terms.units = busiest * UnitCycles(counts, work, card, model);
  terms.atomics = cycle * AtomicCycles(counts, work, card, model);
  terms.blocks = cycle * model.block_cycles * place.on_one;
  terms.waits = WaitsOf(launch, work, place, model, cycle);
  terms.latency = terms.waits.arithmetic + terms.waits.shared + terms.waits.global + terms.waits.barriers;
  terms.seconds = model.launch_seconds + CombineTerms(terms, model.overlap);
  terms.bound = LargestOf(terms, model.launch_seconds);
  return terms;
}

std::optional<Estimate> EstimateKernel(const KernelProfile& kernel, const DeviceProfile& card) {
  if (!kernel.sum.work || kernel.sum.work->has_matrix_operations || kernel.launches == 0) return std::nullopt;
  // The mean launch, as many times as there are.
  const auto launches = kernel.launches;
  LaunchRecord one = kernel.sum;
  reflect::ForEachMember(one.totals, [&](const char*, std::uint64_t& count) { count /= launches; });
  reflect::ForEachMember(*one.work, [&]<class Number>(const char*, Number& number) {
    if constexpr (!std::is_same_v<Number, bool>) number /= static_cast<Number>(launches);
  });
  Estimate estimate = EstimateLaunch(one, *one.work, card);
  for (double* part :
       {&estimate.seconds, &estimate.dram, &estimate.l2, &estimate.load_store, &estimate.issue,
        &estimate.units, &estimate.atomics, &estimate.blocks, &estimate.latency, &estimate.lines,
        &estimate.waits.arithmetic, &estimate.waits.shared, &estimate.waits.global, &estimate.waits.barriers})
    *part *= static_cast<double>(launches);
  return estimate;
}

}  // namespace warplings::timing
