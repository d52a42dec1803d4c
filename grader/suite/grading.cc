// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/grading.h"

#include "grader/device/model/backend.h"
#include "grader/suite/call_limits.h"

namespace warplings {
namespace {

std::string Seconds(std::chrono::seconds limit) {
  return std::to_string(limit.count()) + (limit.count() == 1 ? " second" : " seconds");
}

SharedGrading::Section EveryExercise() {
  return {"Every exercise",
          {"One call takes at most " + Seconds(kCallLimit) + ", at most " + Seconds(kHostLimit) +
               " of it in your host code.",
           "All calls of a check together take at most " + Seconds(kHostSum) +
               " in your host code and at most " + Seconds(kKernelSum) + " of CPU time in simulated kernels.",
           "All calls of a check together spend at most " + Seconds(kIdleSum) +
               " waiting for anything but kernels, for example sleeping."}};
}

SharedGrading::Section WithAKernel() {
  return {
      "Exercises with a kernel",
      {"The last store to each element of the output comes from a kernel that this call launches, not from "
       "a copy or a cudaMemset. You may clear the output with cudaMemset first.",
       "Inputs are only read: nothing may write to them, not even the same values again.",
       "The kernels run on the default stream, or the function waits for them before it returns.",
       "A call launches at most " + std::to_string(Observed::kMaximumLaunches) + " kernels.",
       "The kernels that store the output are launched before anything is copied from the device to the "
       "host.",
       "The kernels that store the output are launched before any kernel writes to managed or pinned memory.",
       "A kernel that stores the output may read managed or pinned memory, or write to it, but not both."}};
}

constexpr const char* kOfKernels =
    "Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.";

}  // namespace

SharedGrading KernelGrading() {
  return {kOfKernels, {EveryExercise(), WithAKernel()}};
}

SharedGrading MoveGrading() {
  SharedGrading grading = KernelGrading();
  grading.sections.push_back(
      {"Exercises that move elements",
       {"Nothing is copied from device to device before the kernels that store the output run."}});
  return grading;
}

SharedGrading HostGrading() {
  return {"The function runs on the host and launches no kernel (see chapters/grading.md).",
          {EveryExercise(), {"Exercises on the host", {"The function launches no kernel."}}}};
}

std::vector<std::string> Together(std::initializer_list<std::vector<std::string>> lists) {
  std::vector<std::string> together;
  for (const std::vector<std::string>& list : lists)
    together.insert(together.end(), list.begin(), list.end());
  return together;
}

std::vector<std::string> GradingLines(const Grading& grading) {
  std::vector<std::string> lines;
  const auto add = [&lines](const std::string& where, const std::vector<std::string>& sentences) {
    for (const std::string& sentence : sentences) lines.push_back(where + "\t" + sentence);
  };
  add(kInHeader, grading.header);
  if (!grading.shared.header_line.empty()) add(kInHeader, {grading.shared.header_line});
  add(kInOwnSection, grading.page);
  for (const SharedGrading::Section& section : grading.shared.sections) add(section.title, section.sentences);
  return lines;
}

}  // namespace warplings
