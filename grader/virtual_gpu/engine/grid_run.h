// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: runs a grid, on one host thread or several, with the same outcome.
//
// Blocks of a kernel that cannot communicate (no global atomics, no volatile accesses, no fences) run
// independently: host threads take them in chunks; each chunk collects its own findings and printf output,
// which are joined in the chunks' order at the end. Blocks that may communicate take turns on one host
// thread, in an order that depends on the program and on ObservationOptions::block_order alone.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "grader/virtual_gpu/engine/run_loop.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// The host threads that share the work of one grid: number 0 is the caller's own.
class ThreadTeam {
 public:
  /// `work(team, thread)` is done by each of them. `give_up` makes them end early, because one has thrown.
  ThreadTeam(std::size_t threads, std::function<void(ThreadTeam&, std::size_t)> work,
             std::function<void()> give_up)
      : work_(std::move(work)), give_up_(std::move(give_up)), thrown_(threads) {
    others_.reserve(threads - 1);
  }

  /// All but the caller's. If the machine allows no more threads, those that it has do the work, with the
  /// same outcome.
  void StartOthers() {
    try {
      for (std::size_t thread = 1; thread < thrown_.size(); ++thread)
        others_.emplace_back([this, thread] { WorkAs(thread); });
    } catch (const std::system_error&) {
    }
  }

  /// Does the caller's share and waits for the others. Throws what one of them has thrown.
  void Work() {
    WorkAs(0);
    for (std::thread& other : others_) other.join();
    for (const std::exception_ptr& each : thrown_) {
      if (each) std::rethrow_exception(each);
    }
  }

 private:
  /// An exception (out of memory) must not leave its thread.
  void WorkAs(std::size_t thread) {
    try {
      work_(*this, thread);
    } catch (...) {
      thrown_[thread] = std::current_exception();
      give_up_();
    }
  }

  const std::function<void(ThreadTeam&, std::size_t)> work_;
  const std::function<void()> give_up_;
  std::vector<std::exception_ptr> thrown_;  ///< By thread.
  std::vector<std::thread> others_;
};

class GridRun {
 public:
  GridRun(const GridRequest& request, const Observation& observation)
      : request_(request),
        observation_(observation),
        blocks_(request.blocks_to_run ? std::min(request.blocks_to_run, request.grid.Volume())
                                      : request.grid.Volume()) {
    outcome_.counts.resize(request.program->code.size());
  }

  GridOutcome Run() {
    if (request_.program->blocks_communicate || request_.cooperative) {
      RunTakingTurns();
    } else {
      RunIndependently();
    }
    outcome_.completed = last_ == BlockRun::Outcome::kDone;
    if (last_ == BlockRun::Outcome::kDeadlocked || last_ == BlockRun::Outcome::kOutOfBudget) {
      outcome_.error = CudaError::kLaunchTimeout;
      outcome_.error_message = "the kernel does not end";
    } else if (last_ == BlockRun::Outcome::kTrapped) {
      outcome_.error = CudaError::kLaunchFailure;
      outcome_.error_message = "the kernel stopped itself";
    } else if (last_ == BlockRun::Outcome::kAssertFailed) {
      outcome_.error = CudaError::kAssert;
      outcome_.error_message = "an assertion failed in the kernel";
    }
    for (const InstCounts& counts : outcome_.counts) outcome_.warp_instructions += counts.executed;
    return std::move(outcome_);
  }

 private:
  /// After this many warp instructions of a block, the other blocks get a turn; the second where blocks are
  /// reordered, because then most of them have to wait.
  static constexpr u64 kBlockQuantum = 2'000'000, kShortBlockQuantum = 20'000;
  /// The size of a group in BlockOrder::kDescendingInGroups.
  static constexpr u64 kGroupBlocks = 4;
  /// At most this many blocks are started and not finished: those that wait, and the one they wait for.
  static constexpr std::size_t kMaximumResident = 8192;
  /// Least number of blocks in a chunk; larger grids have larger chunks. It does not depend on the number of
  /// host threads, so that the outcome does not either.
  static constexpr u64 kChunkBlocks = 4;
  static constexpr u64 kMaximumChunks = 4096;

  /// Findings, printf output and outcome of one chunk's blocks.
  struct Chunk {
    std::unique_ptr<Faults> faults;
    std::string printed;
    BlockRun::Outcome outcome = BlockRun::Outcome::kDone;
  };

  /// The block of the grid that runs as number `index`. A sample takes one block from each of as many
  /// stretches of equal length, at positions within them that do not repeat (multiples of the golden ratio):
  /// at equal distances it could meet the same column of the grid again and again.
  u64 PlaceOf(u64 index) const {
    const u64 all = request_.grid.Volume();
    if (blocks_ == all) return index;
    const double stretch = static_cast<double>(all) / static_cast<double>(blocks_);
    const double turns = static_cast<double>(index) * 0.6180339887498949 + 0.5;
    const double within = turns - static_cast<double>(static_cast<u64>(turns));
    return std::min(all - 1, static_cast<u64>((static_cast<double>(index) + within) * stretch));
  }

  // --- Blocks that cannot communicate.

  void RunIndependently() {
    const u64 chunk_blocks = std::max(kChunkBlocks, (blocks_ + kMaximumChunks - 1) / kMaximumChunks);
    std::vector<Chunk> chunks((blocks_ + chunk_blocks - 1) / chunk_blocks);
    const std::size_t threads = std::clamp<std::size_t>(request_.host_threads, 1, chunks.size());
    std::atomic<std::size_t> next{0};
    // Chunks after the first that failed do not count; chunks before it run to their end.
    std::atomic<std::size_t> failed{chunks.size()};
    std::vector<std::vector<InstCounts>> counts(threads);
    std::vector<u64> longest_warp(threads);
    bool are_all_there = threads == 1 || request_.threads_after.count() == 0;
    const auto start = std::chrono::steady_clock::now();
    const auto work = [&](ThreadTeam& team, std::size_t thread) {
      counts[thread].resize(request_.program->code.size());
      AccessPatterns patterns(request_.program->code.size());
      BlockRun block(request_, observation_, patterns, counts[thread]);
      for (std::size_t i = next++; i < failed; i = next++) {
        RunChunk(chunks[i], block, i * chunk_blocks, std::min(blocks_, (i + 1) * chunk_blocks));
        if (thread == 0 && !are_all_there && next < chunks.size() &&
            std::chrono::steady_clock::now() - start >= request_.threads_after) {
          are_all_there = true;
          StartOthers(team);
        }
        if (chunks[i].outcome != BlockRun::Outcome::kDone) LowerTo(i, failed);
      }
      longest_warp[thread] = block.longest_warp();
    };
    ThreadTeam team(threads, work, [&] { failed = 0; });
    if (are_all_there) StartOthers(team);
    team.Work();
    JoinChunks(chunks, failed);
    // How far each host thread had come when a grid was stopped is chance: such counts are left out.
    if (last_ == BlockRun::Outcome::kDone) AddCounts(counts, longest_warp);
  }

  void StartOthers(ThreadTeam& team) const {
    if (request_.in_parallel != nullptr) *request_.in_parallel = true;
    team.StartOthers();
  }

  static void LowerTo(std::size_t value, std::atomic<std::size_t>& minimum) {
    for (std::size_t least = minimum; value < least && !minimum.compare_exchange_weak(least, value);) {
    }
  }

  /// In their order, up to the first that failed.
  void JoinChunks(const std::vector<Chunk>& chunks, std::size_t failed) {
    const std::unique_ptr<Faults> all = observation_.make_faults(request_);
    for (std::size_t i = 0; i < chunks.size() && i <= failed; ++i) {
      if (chunks[i].faults) all->Absorb(*chunks[i].faults);
      outcome_.printed += chunks[i].printed;
      last_ = chunks[i].outcome;
    }
    all->EndOfIndependentBlocks(last_ == BlockRun::Outcome::kDone);
    outcome_.findings = all->Take();
  }

  /// Those of all host threads.
  void AddCounts(const std::vector<std::vector<InstCounts>>& counts, const std::vector<u64>& longest_warp) {
    outcome_.longest_warp = *std::ranges::max_element(longest_warp);
    for (const auto& of_thread : counts) {
      for (std::size_t i = 0; i < of_thread.size(); ++i) outcome_.counts[i] += of_thread[i];
    }
  }

  void RunChunk(Chunk& chunk, BlockRun& block, u64 first, u64 end) const {
    chunk.faults = observation_.make_faults(request_);
    for (u64 index = first; index < end && chunk.outcome == BlockRun::Outcome::kDone; ++index) {
      // The watchdog starts anew for each block, so that it does not depend on the other blocks.
      u64 budget = request_.observation.max_warp_instructions;
      block.Start(PlaceOf(index), *chunk.faults, chunk.printed);
      if (request_.IsInterrupted()) {
        chunk.faults->Interrupted(block.block());
        chunk.outcome = BlockRun::Outcome::kOutOfBudget;
        return;
      }
      chunk.outcome = block.Run(std::numeric_limits<u64>::max(), budget);
      request_.CountFinished();
    }
  }

  // --- Blocks that may communicate: one after the other, taking turns where they wait for each other.

  void RunTakingTurns() {
    const std::unique_ptr<Faults> faults = observation_.make_faults(request_);
    AccessPatterns patterns(request_.program->code.size());
    u64 budget = request_.observation.max_warp_instructions;
    u64 next = 0;
    std::deque<std::unique_ptr<BlockRun>> resident;
    std::vector<std::unique_ptr<BlockRun>> idle;
    const u64 most_resident = std::min<u64>(kMaximumResident, request_.max_resident_blocks);
    const bool reordered = request_.IsReordered();
    const u64 group = reordered ? std::min(kGroupBlocks, most_resident) : 1;
    const u64 quantum = reordered ? kShortBlockQuantum : kBlockQuantum;
    std::size_t turns = 0;  // Since a block has started or finished.
    std::size_t groups = 0;
    auto start_next = [&] {
      if (idle.empty())
        idle.push_back(std::make_unique<BlockRun>(request_, observation_, patterns, outcome_.counts));
      idle.back()->Start(PlaceOf(next++), *faults, outcome_.printed);
      resident.push_front(std::move(idle.back()));
      idle.pop_back();
    };
    // Runs the first of the resident blocks, and lets it go if it has ended.
    auto run_front = [&](u64 turn) {
      last_ = resident.front()->Run(turn, budget);
      if (last_ != BlockRun::Outcome::kDone) return last_ == BlockRun::Outcome::kYielded;
      request_.CountFinished();
      // A block has finished: the watchdog starts anew.
      budget = request_.observation.max_warp_instructions;
      turns = 0;
      outcome_.longest_warp = std::max(outcome_.longest_warp, resident.front()->longest_warp());
      idle.push_back(std::move(resident.front()));
      resident.pop_front();
      return true;
    };
    // Each block that starts comes before the others, so a group runs in descending order. But blocks that
    // number themselves with an atomic counter would be numbered in that order, too. So in every second
    // group each runs alone up to its first barrier, in ascending order, before the last one goes on.
    auto start_group = [&] {
      const bool first_up_to_barrier = reordered && groups++ % 2 == 1;
      turns = 0;
      for (const u64 end = std::min(blocks_, next + group); next < end;) {
        start_next();
        if (first_up_to_barrier && !run_front(1)) return false;
      }
      return true;
    };
    while (next < blocks_ || !resident.empty()) {
      if (resident.empty()) {
        if (!start_group()) break;
        continue;
      }
      if (!run_front(quantum)) break;
      if (last_ == BlockRun::Outcome::kDone) continue;
      // A block that waits for nobody goes on, so that long blocks finish one after the other. Reordered
      // blocks may also wait in loops with few accesses, which do not look like spinning.
      if (!resident.front()->ConsumeSpinFlag() && !reordered) continue;
      std::rotate(resident.begin(), resident.begin() + 1, resident.end());
      // Reordered blocks first wait for those that are resident with them.
      const bool waits_for_next = !reordered || ++turns >= resident.size();
      if (waits_for_next && next < blocks_ && resident.size() + group <= most_resident && !start_group())
        break;
    }
    outcome_.findings = faults->Take();
  }

  const GridRequest& request_;
  const Observation& observation_;
  const u64 blocks_;
  GridOutcome outcome_;
  BlockRun::Outcome last_ = BlockRun::Outcome::kDone;
};

inline GridOutcome RunGrid(const GridRequest& request, const Observation& observation) {
  return GridRun(request, observation).Run();
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
