// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/observed_call.h"

namespace warplings {

/// What an exercise asks of the kernels of one call, besides the right values: that *they* computed them,
/// with many threads. Bounds from above are far beyond what a reasonable kernel needs, those from below are
/// what no kernel can do without; a contract header states each of them. 0: no bound.
struct DeviceWork {
  std::string output;          ///< Label of the array whose words kernels of the call must have stored.
  bool may_be_filled = false;  ///< cudaMemset may have written it, where all of it is 0.
  /// The exercise is to move elements: then no copy within the device may have moved them beforehand.
  bool is_a_move = false;
  std::uint64_t least_flops = 0, most_flops = 0;  ///< Of threads, over all launches.
  /// Of warps: instructions with floating-point arithmetic, however many of their lanes took part.
  std::uint64_t most_flop_requests = 0;
  std::uint64_t least_bytes = 0;             ///< Loaded from global and constant memory, atomics included.
  std::uint64_t most_of_a_warp = 0;          ///< Instructions of the warp that executed most.
  std::uint64_t most_words_by_a_thread = 0;  ///< Of the output, by the last one that stored each.
  std::uint64_t least_threads = 0;           ///< That stored a word of the output.
};

/// Adds the sentence for the first of these that the call does not keep. Asks nothing of a call that has
/// already failed: its own fault says more.
void RequireDeviceWork(TestResult& result, const CallReport& report, const DeviceWork& wanted);

/// Limits that hold in every call. A call that breaks one does not fail its own test, whose title speaks of
/// something else: the test that is about the limit, and runs behind the others, says so.
class EveryCall {
 public:
  /// Keeps what the first call breaks. `graded`: the call's result after its limit was asked for; nothing is
  /// kept where it passed, or where `before` had failed already.
  void Note(const std::string& limit, const TestResult& before, const TestResult& graded);
  /// Adds the sentence to the test that is about the limit.
  void Tell(const std::string& limit, TestResult& result) const;

 private:
  struct Broken {
    std::string title, reason, next_step;
  };
  std::map<std::string, Broken> broken_;
};

/// That of the suite program.
EveryCall& BrokenLimits();

/// The sentences that a contract says of RequireDeviceWork: who stores the output, and when.
std::vector<std::string> GradedWork(const std::string& output, bool is_a_move);

/// Of a function whose contract says that nothing is launched: adds a sentence where something was.
void RequireNoLaunch(TestResult& result);

/// Bytes that launches load from global and constant memory, atomics included.
std::uint64_t BytesLoaded(const Counts& counts);

/// Sectors that launches load from, or store to, global memory; an atomic does both.
std::uint64_t SectorsLoaded(const Counts& counts);
std::uint64_t SectorsStored(const Counts& counts);

/// What all launches together move from and to the array called `label`.
ArrayTraffic TrafficOf(const TestResult& result, const std::string& label);

/// Conflicts of shared memory in all requests. Lanes of an atomic that meet at one address take turns, and
/// each turn beyond the first counts, too.
std::uint64_t SharedConflicts(const Counts& counts);
/// Requests to shared memory: loads, stores and atomics.
std::uint64_t SharedRequests(const Counts& counts);

}  // namespace warplings
