// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/device_work.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "grader/messages/device_work.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/messages/judging.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"

namespace warplings {
namespace {

struct Unmet {
  Message reason, next_step;
};

/// Whether kernels stored as much of the output as the contract says.
Unmet FaultOfStoredWords(const ArrayWriters& writers, const DeviceWork& wanted) {
  const std::string& label = writers.label;
  const std::uint64_t stored = writers.words - writers.by_nobody;
  const std::uint64_t needed = wanted.stored_words.value_or(writers.words);
  if (stored < needed) {
    const say::Count elements(needed, "element");
    const Message reason = stored == 0 ? say::all_stored_by_nobody(elements, label)
                                       : say::some_stored_by_nobody(needed - stored, elements, label);
    return {reason, wanted.stored_words ? say::let_kernel_store_result(label, needed)
                                        : say::let_kernel_store_all(label)};
  }
  if (wanted.rest_is_untouched && stored > needed)
    return {say::rest_was_stored(say::Count(stored, "element"), label, needed),
            say::leave_rest(label, needed)};
  return {};
}

/// Whether a launch loads from an array that the call was given.
bool LoadsAnArray(const TestResult& result) {
  return std::ranges::any_of(result.launches, [](const LaunchRecord& launch) {
    return std::ranges::any_of(launch.arrays,
                               [](const ArrayTraffic& traffic) { return traffic.load_bytes > 0; });
  });
}

/// Whether the values are right and nothing but a requirement of the exercise is not met: more bytes, another
/// memory, fewer blocks.
bool MissesOnlyRequirements(const TestResult& result) {
  const bool is_error = std::ranges::any_of(
      result.findings, [](const Finding& finding) { return finding.severity == Severity::kError; });
  return result.verdict == Verdict::kPassed ||
         (result.verdict == Verdict::kWrongResult && result.wrong_count == 0 && !is_error);
}

/// Whether no kernel computed what is stored: then nothing else about the kernels is worth a word.
bool IsOfHostWork(const Message& reason) {
  return say::no_kernel_launched.Made(reason) || say::kernels_load_nothing.Made(reason) ||
         say::computed_by_host.Made(reason);
}

/// One thread that stored too much. Where elements were stored several times, it may have stored more of them
/// than those that it stored last.
Unmet FaultOfOneThread(const ArrayWriters& writers, const TestResult& result, const DeviceWork& wanted) {
  const std::string& label = writers.label;
  const std::uint64_t most = writers.most_by_a_thread, allowed = wanted.most_words_by_a_thread;
  const say::Count elements(writers.words, "element");
  const bool is_all = most == writers.words;
  const bool may_be_more =
      !is_all && TrafficOf(result, label).store_bytes / sizeof(float) > writers.words - writers.by_nobody;
  const auto& some = may_be_more ? say::one_thread_stored_at_least : say::one_thread_stored_some;
  const auto& step = may_be_more ? say::one_thread_of_the_launch_at_least : say::one_thread_of_the_launch;
  return {
      is_all ? say::one_thread_stored_all(elements, label, allowed) : some(most, elements, label, allowed),
      result.launches.size() == 1 ? step(most, label, allowed) : say::whose_launch_is_that_thread()};
}

/// Who wrote the output.
Unmet FaultOfWriters(const ArrayWriters& writers, const TestResult& result, const DeviceWork& wanted) {
  const std::string& label = writers.label;
  const say::Count elements(writers.words, "element");
  if (writers.by_copy > 0) {
    const Message copied = writers.by_copy == writers.words
                               ? say::all_copied(elements, label)
                               : say::some_copied(writers.by_copy, elements, label);
    return {writers.after_host_read > 0 ? say::copied_by_host(copied) : copied,
            say::let_kernel_store_at_address(label)};
  }
  if (writers.by_fill > 0 && !wanted.may_be_filled) {
    return {writers.by_fill == writers.words ? say::all_filled(elements, label)
                                             : say::some_filled(writers.by_fill, elements, label),
            wanted.rest_is_untouched ? say::leave_rest_unfilled(label) : say::let_kernel_store_zeros(label)};
  }
  if (Unmet fault = FaultOfStoredWords(writers, wanted); !fault.reason.empty()) return fault;
  if (writers.after_host_read > 0 && !LoadsAnArray(result))
    return {say::computed_by_host(label), say::compute_in_kernel(label)};
  if (writers.after_host_read > writers.after_shared_write)
    return {say::stored_after_host_read(label), say::launch_before_host_reads()};
  if (writers.after_host_read > 0)
    return {say::stored_after_shared_write(label), say::take_scratch_from_device()};
  if (writers.in_exchange_with_host > 0)
    return {say::stored_in_exchange_with_host(label), say::take_memory_from_device()};
  if (wanted.is_a_move && writers.after_copy > 0)
    return {say::copied_before_move(label), say::let_kernel_move()};
  if (wanted.most_words_by_a_thread > 0 && writers.most_by_a_thread > wanted.most_words_by_a_thread)
    return FaultOfOneThread(writers, result, wanted);
  if (writers.threads < wanted.least_threads) {
    return {say::too_few_threads_stored({writers.threads, "thread"}, label, wanted.least_threads),
            say::share_work_out()};
  }
  return {};
}

/// Who stores each element several times over computes it as often. Once more than needed may be a 0 before
/// it.
Message StoredOverAndOver(const TestResult& result, const ArrayWriters& writers) {
  const std::uint64_t stored = TrafficOf(result, writers.label).store_bytes / sizeof(float);
  if (stored <= 2 * writers.words) return {};
  return say::stored_over_and_over(stored, writers.label, writers.words);
}

/// What the launches did.
Unmet FaultOfCounts(const TestResult& result, const CallReport& report, const DeviceWork& wanted) {
  const Counts counts = TotalCounts(result);
  if (counts.flops < wanted.least_flops)
    return {say::too_few_operations(counts.flops, wanted.least_flops), say::let_kernel_compute()};
  if (wanted.most_flops > 0 && counts.flops > wanted.most_flops)
    return {say::too_many_operations(counts.flops, wanted.most_flops), say::which_threads_compute_twice()};
  const double lanes = static_cast<double>(counts.flops) /
                       static_cast<double>(std::max<std::uint64_t>(counts.flop_requests, 1));
  if (wanted.most_flop_requests > 0 && counts.flop_requests > wanted.most_flop_requests) {
    return {say::too_many_warp_operations(counts.flop_requests, {lanes, 1}, wanted.most_flop_requests),
            say::in_which_line_compute_few_lanes()};
  }
  if (BytesLoaded(counts) < wanted.least_bytes && report.has_no_inputs) {
    return {say::too_few_bytes_of_host_loaded(BytesLoaded(counts), wanted.least_bytes),
            say::copy_inputs_to_device()};
  }
  if (BytesLoaded(counts) < wanted.least_bytes)
    return {say::too_few_bytes_loaded(BytesLoaded(counts), wanted.least_bytes), say::let_kernel_read()};
  std::uint64_t longest = 0;
  for (const LaunchRecord& launch : result.launches) longest = std::max(longest, launch.longest_warp);
  if (wanted.most_of_a_warp > 0 && longest > wanted.most_of_a_warp)
    return {say::warp_too_long(longest, wanted.most_of_a_warp), say::which_threads_share_work()};
  return {};
}

/// Of a call with wrong values in which a shuffle took the value of a lane that is not there.
void AskForLanesThatAreGone(TestResult& result) {
  const auto shuffle = std::ranges::find(result.findings, FindingKind::kShuffleAfterExit, &Finding::kind);
  const bool is_error = std::ranges::any_of(
      result.findings, [](const Finding& finding) { return finding.severity == Severity::kError; });
  if (shuffle == result.findings.end() || is_error || result.wrong_count == 0) return;
  const Message asked = shuffle->where.line == 0
                            ? say::asked_of_shuffle(shuffle->message)
                            : say::asked_of_shuffle_in_line(shuffle->where.line, shuffle->message);
  const bool has_returned =
      say::shuffle_from_returned.Made(shuffle->message) || say::shuffle_lacks_lanes.Made(shuffle->message);
  result.advised = static_cast<std::uint64_t>(shuffle - result.findings.begin());
  result.next_step =
      say::both(asked, has_returned ? say::which_value_of_returned_lane() : say::which_lanes_are_there());
}

}  // namespace

void LookForWhatIsLeftBehind(TestResult& result, const CallReport& report) {
  const bool is_error = std::ranges::any_of(
      result.findings, [](const Finding& finding) { return finding.severity == Severity::kError; });
  // A difference between two calls has been told already.
  if (is_error || result.wrong_count == 0 || report.verdict != Verdict::kPassed) return;
  const std::optional<std::string> label = Session().DiffersInNewProcesses(report);
  if (label) result.next_step = say::depends_on_earlier_calls(*label);
}

void RequireDeviceWork(TestResult& result, const CallReport& report, const DeviceWork& wanted) {
  AskForLanesThatAreGone(result);
  LookForWhatIsLeftBehind(result, report);
  if (!MissesOnlyRequirements(result)) return;
  const bool is_first = result.verdict == Verdict::kPassed;
  if (std::ranges::count(report.empty_arrays, wanted.output) > 0) return;
  const auto writers = std::ranges::find(report.writers, wanted.output, &ArrayWriters::label);
  if (writers == report.writers.end()) {
    if (!is_first) return;
    const bool is_misspelt = !report.writers.empty();
    AddVerdict(result, Verdict::kGraderFault,
               is_misspelt ? say::no_array_of_label(wanted.output) : say::writers_unknown(wanted.output),
               is_misspelt ? say::fault_of_suite() : say::fault_of_grader());
    return;
  }
  Unmet fault = FaultOfWriters(*writers, result, wanted);
  if (!fault.reason.empty() && writers->by_kernel == 0 && BytesLoaded(TotalCounts(result)) == 0) {
    const std::string& label = wanted.output;
    fault = result.launches.empty()
                ? Unmet{say::no_kernel_launched(label), say::launch_a_kernel(label)}
                : Unmet{say::kernels_load_nothing(label), say::launch_kernel_that_computes(label)};
  }
  if (!is_first) {
    if (!IsOfHostWork(fault.reason)) return;
    result.reason = fault.reason;
    result.next_step = fault.next_step;
    result.advised.reset();
    return;
  }
  if (fault.reason.empty()) {
    fault = FaultOfCounts(result, report, wanted);
    // With all that is done twice gone a warp may well stay within its limit.
    const Message repeated = StoredOverAndOver(result, *writers);
    if (say::warp_too_long.Made(fault.reason) && !repeated.empty() && !wanted.is_a_move)
      fault.next_step = repeated;
  }
  if (!fault.reason.empty()) AddVerdict(result, Verdict::kWrongResult, fault.reason, fault.next_step);
}

bool EveryCall::Note(const std::string& limit, const TestResult& before, const TestResult& graded,
                     const Message& call) {
  bool& was_broken_alone = noted_[limit];
  if (before.verdict != Verdict::kPassed || graded.verdict == Verdict::kPassed) return false;
  broken_.try_emplace(limit, Broken{before.title, call, graded.reason, graded.next_step});
  was_broken_alone = true;
  return true;
}

void EveryCall::Tell(const std::string& limit, TestResult& result) const {
  const auto found = broken_.find(limit);
  if (found == broken_.end()) return;
  const Broken& broken = found->second;
  const bool is_own = broken.title == result.title;
  AddVerdict(result, Verdict::kWrongResult,
             is_own ? broken.reason : say::LimitOfEveryCall(broken.title, broken.call, broken.reason),
             broken.next_step);
}

EveryCall& BrokenLimits() {
  static EveryCall broken;
  return broken;
}

void RequireKnownResources(TestResult& result, const std::vector<KernelResources>& known) {
  for (const LaunchRecord& launch : result.launches) {
    if (std::ranges::count(known, launch.kernel, &KernelResources::kernel) > 0) continue;
    AddVerdict(result, Verdict::kWrongResult, say::resources_unknown(launch.kernel),
               say::launch_own_kernels());
    return;
  }
}

void RequireNoLaunch(TestResult& result) {
  if (result.launches.empty()) return;
  AddVerdict(result, Verdict::kWrongResult, say::host_function_launched(result.launches.front().kernel),
             say::compute_on_host());
}

std::uint64_t BytesLoaded(const Counts& counts) {
  return counts.global_load_bytes + counts.global_atomic_bytes + counts.constant_load_bytes;
}

std::uint64_t SectorsLoaded(const Counts& counts) {
  return counts.global_load_sectors + counts.global_atomic_sectors;
}

std::uint64_t SectorsStored(const Counts& counts) {
  return counts.global_store_sectors + counts.global_atomic_sectors;
}

ArrayTraffic TrafficOf(const TestResult& result, const std::string& label) {
  ArrayTraffic sum;
  sum.label = label;
  for (const LaunchRecord& launch : result.launches) {
    for (const ArrayTraffic& traffic : launch.arrays) {
      if (traffic.label != label) continue;
      sum.load_bytes += traffic.load_bytes;
      sum.load_sectors += traffic.load_sectors;
      sum.store_bytes += traffic.store_bytes;
      sum.store_sectors += traffic.store_sectors;
    }
  }
  return sum;
}

std::uint64_t SharedConflicts(const Counts& counts) {
  const std::uint64_t turns =
      counts.shared_atomic_passes - std::min(counts.shared_atomic_passes, counts.shared_atomic_requests);
  return counts.shared_load_conflicts + counts.shared_store_conflicts + counts.shared_atomic_conflicts +
         turns;
}

std::uint64_t SharedRequests(const Counts& counts) {
  return counts.shared_load_requests + counts.shared_store_requests + counts.shared_atomic_requests;
}

}  // namespace warplings
