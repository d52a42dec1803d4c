// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/observed_call.h"

namespace warplings {

/// What an exercise requires of one call besides the right values: that kernels computed them (not the host),
/// with many threads. Upper bounds are far above what a reasonable kernel needs, and lower bounds are what
/// every kernel needs. chapters/grading.md states each of them. 0: no bound.
struct DeviceWork {
  std::string output;  ///< Label of the array that the call's kernels must have stored.
  /// How many words of the output kernels must have stored, if the contract leaves the rest of it free: the
  /// first `count` of an array with room for more. Missing: all of them.
  std::optional<std::uint64_t> stored_words{};
  bool rest_is_untouched = false;  ///< With `stored_words`: nothing may have written the others.
  bool may_be_filled = false;      ///< cudaMemset may have written it instead, if all of it is 0.
  /// The exercise only moves elements, so no device-to-device copy may have moved them before the kernel
  /// runs.
  bool is_a_move = false;
  std::uint64_t least_flops = 0, most_flops = 0;  ///< Counted per thread, summed over all launches.
  /// Warp instructions with floating-point arithmetic, however many lanes are active.
  std::uint64_t most_flop_requests = 0;
  std::uint64_t least_bytes = 0;     ///< Loaded from global and constant memory, atomics included.
  std::uint64_t most_of_a_warp = 0;  ///< Limit on the instructions of any one warp.
  /// Limit on the output words of which one thread is the last writer.
  std::uint64_t most_words_by_a_thread = 0;
  std::uint64_t least_threads = 0;  ///< Threads that are the last writer of an output word.
};

/// Of a call with wrong values: asks whether the same call stores other ones as the first of new processes.
/// Then what one call leaves behind for the next is asked about, and nothing else. `report` is the latest
/// call's, and what that call refers to must still exist.
void LookForWhatIsLeftBehind(TestResult& result, const CallReport& report);

/// Fails `result` with a sentence about the first requirement that the call does not meet. Does nothing if
/// the call has already failed: its own error says more; of wrong values it asks as above. Only that no
/// kernel computed the output comes before another requirement that a suite found unmet. Nor does it do
/// anything if the output has no elements: then nothing was to be stored.
void RequireDeviceWork(TestResult& result, const CallReport& report, const DeviceWork& wanted);

/// Limits that hold in every call. A call that breaks one does not fail its own test, whose title is about
/// something else. It fails the test that is about the limit, which runs after the others:
///
///     TestResult limited = evidence.result;
///     if (stores > most) AddVerdict(limited, Verdict::kWrongResult, reason, next_step);
///     evidence.many_stores = BrokenLimits().Note("stores", evidence.result, limited);  // in every test
///     if (is_of_stores) BrokenLimits().Tell("stores", evidence.result);                // in the last test
///
/// A fact about the limit is stated where `many_stores` is true: of a call that failed for another reason,
/// the other reason is told.
class EveryCall {
 public:
  /// Records the first call that breaks the limit. `before` and `graded` are the call's result before and
  /// after the limit was checked; nothing is recorded if `graded` passed or `before` had already failed.
  /// True if the call broke the limit and did nothing else that is wrong. `call` says in words what was
  /// called, "2,049 elements".
  bool Note(const std::string& limit, const TestResult& before, const TestResult& graded,
            const Message& call = {});
  /// Fails `result`, the test that is about the limit, if a call has broken it. The reason names that call,
  /// or its test where its words are not known, unless it is this one.
  void Tell(const std::string& limit, TestResult& result) const;
  /// The limits that Note was called with; true if it has returned true for one.
  const std::map<std::string, bool>& noted() const { return noted_; }

 private:
  struct Broken {
    Message title, call, reason, next_step;
  };
  std::map<std::string, Broken> broken_;
  std::map<std::string, bool> noted_;
};

/// The one instance of the suite program.
EveryCall& BrokenLimits();

/// For a limit on registers or local memory: fails `result` if a kernel was launched of which ptxas has
/// reported nothing, because then the limit would hold of no kernel.
void RequireKnownResources(TestResult& result, const std::vector<KernelResources>& known);

/// For a function whose contract forbids launches: fails `result` if something was launched.
void RequireNoLaunch(TestResult& result);

/// Bytes that launches load from global and constant memory, atomics included.
std::uint64_t BytesLoaded(const Counts& counts);

/// Sectors that launches load from, or store to, global memory; an atomic counts as both.
std::uint64_t SectorsLoaded(const Counts& counts);
std::uint64_t SectorsStored(const Counts& counts);

/// The traffic of all launches together with the array called `label`.
ArrayTraffic TrafficOf(const TestResult& result, const std::string& label);

/// Bank conflicts of all requests to shared memory. Lanes of an atomic that hit the same address are
/// serialised, and each pass after the first counts as a conflict, too.
std::uint64_t SharedConflicts(const Counts& counts);
/// Requests to shared memory: loads, stores and atomics.
std::uint64_t SharedRequests(const Counts& counts);

}  // namespace warplings
