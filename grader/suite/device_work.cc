// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/device_work.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"

namespace warplings {
namespace {

struct Unmet {
  std::string reason, next_step;
};

/// "all 256 elements", "37 of 256 elements".
std::string Share(std::uint64_t part, std::uint64_t all) {
  return (part == all ? "all " : std::to_string(part) + " of ") + std::to_string(all) +
         (all == 1 ? " element" : " elements");
}

/// Who wrote the output.
Unmet FaultOfWriters(const ArrayWriters& writers, const DeviceWork& wanted) {
  const std::string of = " of " + writers.label;
  if (writers.by_copy > 0) {
    return {
        Share(writers.by_copy, writers.words) + of + " were put there by a copy, not by a kernel",
        "Give the kernel the address of " + writers.label + ", and let its threads store the results there."};
  }
  if (writers.by_fill > 0 && !wanted.may_be_filled) {
    return {Share(writers.by_fill, writers.words) + of + " were put there by cudaMemset, not by a kernel",
            "Let the kernel store every element of " + writers.label + ", zeros as well."};
  }
  if (writers.by_nobody > 0) {
    return {Share(writers.by_nobody, writers.words) + of + " were stored by no kernel of this call",
            "Let the kernel store every element of " + writers.label + "."};
  }
  if (writers.after_host_read > 0) {
    return {
        "the kernel that stored " + writers.label +
            " was launched after the host had read device memory in the same call",
        "Compute on the device: launch all kernels first, and copy to the host only behind them. Take "
        "scratch "
        "memory from cudaMalloc; managed or pinned memory that a kernel writes counts as read by the host."};
  }
  if (writers.in_exchange_with_host > 0) {
    return {
        "the kernel that stored " + writers.label +
            " both writes and reads managed or pinned memory, which the host can read and change while it "
            "runs",
        "Take the memory that the kernel both writes and reads from cudaMalloc, or declare it "
        "__device__."};
  }
  if (wanted.is_a_move && writers.after_copy > 0) {
    return {"a copy within the device went before the kernel that stored " + writers.label,
            "Moving the elements is what the kernel is to do: let it read them where they are."};
  }
  if (wanted.most_words_by_a_thread > 0 && writers.most_by_a_thread > wanted.most_words_by_a_thread) {
    return {"one thread stored " + Share(writers.most_by_a_thread, writers.words) + of + "; at most " +
                std::to_string(wanted.most_words_by_a_thread) + " are allowed",
            "Which launch is that thread of, and by which line does it take so many elements there?"};
  }
  if (writers.threads < wanted.least_threads) {
    return {std::to_string(writers.threads) + (writers.threads == 1 ? " thread" : " threads") + " stored " +
                writers.label + "; at least " + std::to_string(wanted.least_threads) + " are asked for",
            "Share the work out: give each thread few elements, and launch as many threads as that needs."};
  }
  return {};
}

/// Who stores each element several times over computes it as often. Once more than needed may be a 0 before
/// it.
std::string StoredOverAndOver(const TestResult& result, const ArrayWriters& writers) {
  const std::uint64_t stored = TrafficOf(result, writers.label).store_bytes / sizeof(float);
  if (stored <= 2 * writers.words) return "";
  return "The threads make " + std::to_string(stored) + " stores into " + writers.label + ", which has " +
         std::to_string(writers.words) +
         " elements: take one of these, and write down which threads store it, in which line, and how often.";
}

/// What the launches did.
Unmet FaultOfCounts(const TestResult& result, const DeviceWork& wanted) {
  const Counts counts = TotalCounts(result);
  if (counts.flops < wanted.least_flops) {
    return {"the kernels did " + std::to_string(counts.flops) +
                " floating-point operations; the result takes " + std::to_string(wanted.least_flops),
            "Let the kernel do the arithmetic of every element itself."};
  }
  if (wanted.most_flops > 0 && counts.flops > wanted.most_flops) {
    return {"the threads did " + std::to_string(counts.flops) + " floating-point operations; at most " +
                std::to_string(wanted.most_flops) + " are allowed",
            "Take one element of the input: which threads compute with it, and how often? And which threads "
            "compute with values that change nothing, such as zeros?"};
  }
  const double lanes = static_cast<double>(counts.flops) /
                       static_cast<double>(std::max<std::uint64_t>(counts.flop_requests, 1));
  if (wanted.most_flop_requests > 0 && counts.flop_requests > wanted.most_flop_requests) {
    return {
        "warps executed " + std::to_string(counts.flop_requests) +
            " instructions with arithmetic, each for " + OneDecimal(lanes) + " lanes on average; at most " +
            std::to_string(wanted.most_flop_requests) + " are allowed",
        "An instruction takes a warp as long for one lane as for 32: in which line of yours do few lanes of "
        "a warp compute, and could others take some of that work over?"};
  }
  if (BytesLoaded(counts) < wanted.least_bytes) {
    return {"the kernels loaded " + std::to_string(BytesLoaded(counts)) + " bytes; the inputs have " +
                std::to_string(wanted.least_bytes),
            "Let the kernel read its inputs itself, from where they are."};
  }
  std::uint64_t longest = 0;
  for (const LaunchRecord& launch : result.launches) longest = std::max(longest, launch.longest_warp);
  if (wanted.most_of_a_warp > 0 && longest > wanted.most_of_a_warp) {
    return {
        "one warp executed " + std::to_string(longest) + " instructions; at most " +
            std::to_string(wanted.most_of_a_warp) + " are allowed",
        "Write down which elements one thread of that warp works on, and how many instructions each takes: "
        "which other threads work on these, or have nothing to do meanwhile?"};
  }
  return {};
}

/// Of a call with wrong values in which a shuffle took the value of a lane that is not there.
void AskForLanesThatAreGone(TestResult& result) {
  const auto shuffle = std::ranges::find(result.findings, FindingKind::kShuffleAfterExit, &Finding::kind);
  const bool is_error = std::ranges::any_of(
      result.findings, [](const Finding& finding) { return finding.severity == Severity::kError; });
  if (shuffle == result.findings.end() || is_error || result.wrong_count == 0) return;
  const std::string line =
      shuffle->where.line == 0 ? "In a shuffle " : "In line " + std::to_string(shuffle->where.line) + " ";
  const bool has_returned = shuffle->message.find("has returned") != std::string::npos;
  result.advised = static_cast<std::uint64_t>(shuffle - result.findings.begin());
  result.next_step =
      line + shuffle->message + ". Does that go into the result? " +
      (has_returned ? "If that lane stayed, which value would it have to bring?"
                    : "Which lanes does each warp of your block have, and from which of them does it need a "
                      "value?");
}

}  // namespace

void LookForWhatIsLeftBehind(TestResult& result, const CallReport& report) {
  const bool is_error = std::ranges::any_of(
      result.findings, [](const Finding& finding) { return finding.severity == Severity::kError; });
  // A difference between two calls has been told already.
  if (is_error || result.wrong_count == 0 || report.verdict != Verdict::kPassed) return;
  const std::optional<std::string> label = Session().DiffersInNewProcesses(report);
  if (!label) return;
  result.next_step = "As the first call of a program this one stores other values in " + *label +
                     ": look for what one call leaves behind for the next, in static and __device__ "
                     "variables and in memory that is kept and not set anew.";
}

void RequireDeviceWork(TestResult& result, const CallReport& report, const DeviceWork& wanted) {
  AskForLanesThatAreGone(result);
  LookForWhatIsLeftBehind(result, report);
  if (result.verdict != Verdict::kPassed) return;
  const auto writers = std::ranges::find(report.writers, wanted.output, &ArrayWriters::label);
  if (writers == report.writers.end()) {
    AddVerdict(result, Verdict::kGraderFault, "the device does not say who wrote " + wanted.output,
               "This is a fault of the grader, not of the submission; please report it.");
    return;
  }
  Unmet fault = FaultOfWriters(*writers, wanted);
  if (fault.reason.empty()) {
    fault = FaultOfCounts(result, wanted);
    // With all that is done twice gone a warp may well stay within its limit.
    const std::string repeated = StoredOverAndOver(result, *writers);
    const bool is_long = fault.reason.starts_with("one warp executed ");
    if (is_long && !repeated.empty() && !wanted.is_a_move) fault.next_step = repeated;
  }
  if (!fault.reason.empty()) AddVerdict(result, Verdict::kWrongResult, fault.reason, fault.next_step);
}

void EveryCall::Note(const std::string& limit, const TestResult& before, const TestResult& graded) {
  if (before.verdict != Verdict::kPassed || graded.verdict == Verdict::kPassed) return;
  broken_.try_emplace(limit, Broken{before.title, graded.reason, graded.next_step});
}

void EveryCall::Tell(const std::string& limit, TestResult& result) const {
  const auto found = broken_.find(limit);
  if (found == broken_.end()) return;
  const Broken& broken = found->second;
  AddVerdict(result, Verdict::kWrongResult, "in \"" + broken.title + "\": " + broken.reason,
             broken.next_step);
}

EveryCall& BrokenLimits() {
  static EveryCall broken;
  return broken;
}

std::vector<std::string> GradedWork(const std::string& output, bool is_a_move) {
  std::vector<std::string> sentences = {
      "Kernels that the call launches are the last to store each element of " + output +
          "; no copy and no memset is.",
      "They run before anything is copied from the device to the host, and before a kernel writes managed or "
      "pinned memory; they do not both write and read such memory."};
  if (is_a_move) sentences.push_back("Nothing is copied within the device before them.");
  return sentences;
}

void RequireKnownResources(TestResult& result, const std::vector<KernelResources>& known) {
  for (const LaunchRecord& launch : result.launches) {
    if (std::ranges::count(known, launch.kernel, &KernelResources::kernel) > 0) continue;
    AddVerdict(result, Verdict::kWrongResult,
               "it is not known how many registers " + launch.kernel +
                   " needs: the program has no machine code of it",
               "Launch kernels of this file, which the grader compiles for its device.");
    return;
  }
}

void RequireNoLaunch(TestResult& result) {
  if (result.launches.empty()) return;
  AddVerdict(result, Verdict::kWrongResult,
             "the function launched a kernel, " + result.launches.front().kernel +
                 "; its contract says that it launches none",
             "Compute the answer on the host.");
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
