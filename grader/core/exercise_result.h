// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/advice.h"
#include "grader/core/diagnostic.h"
#include "grader/core/fact.h"
#include "grader/core/finding.h"
#include "grader/core/kernel_resources.h"
#include "grader/core/misconception.h"
#include "grader/core/speed_result.h"
#include "grader/core/test_result.h"
#include "grader/core/verdict.h"

namespace warplings {

/// What one of NVIDIA's tools reported about a run on a real GPU. Shown beside the grade; it does not affect
/// the grade.
struct ToolReport {
  std::string tool;  ///< "memcheck".
  Message problem;   ///< Why it did not run or did not finish; empty if it finished.
  std::vector<Finding> findings;
};

/// One count of one kernel, summed over all calls that ran on the real GPU, beside ncu's measurement.
struct MeasuredCount {
  std::string kernel;
  std::string count;  ///< A member of Counts: "global_load_sectors".
  std::uint64_t ours = 0, measured = 0;
};

/// Everything known about one run of one exercise. Reports, JSON and gradebooks are made from it.
struct ExerciseResult {
  std::string chapter;   ///< "01_boundary_checks".
  std::string exercise;  ///< "tiled_matmul".
  std::string title;
  std::string file;    ///< Path of the checked file, as the user typed it.
  std::string source;  ///< The text of that file when it was graded, for quoting lines; not part of the JSON.
  /// The counts that the exercise teaches (kCountNames, grader/core/count_names.h), which short reports show;
  /// not part of the JSON.
  std::vector<std::string> shown_counts{};
  std::string device;  ///< "virtual:a100" or "gpu: NVIDIA H200".
  std::uint64_t seed = 0;
  Verdict verdict = Verdict::kNotRun;
  Message reason;  ///< For verdicts without tests (compile error, missing entry): one line.
  /// What to do first, before any misconception is looked at; empty if the first misconception says it or
  /// there is nothing to say. Of a run with tests, Advise chooses it.
  Message next_step;
  std::vector<Diagnostic> diagnostics;
  std::vector<TestResult> tests;
  /// What the suite observed, in its order. Missing in results stored by versions that did not record it.
  std::optional<std::vector<Fact>> facts{};
  std::vector<Misconception> misconceptions;  ///< Sorted: the one that explains the most failing tests first.
  /// What a report says first. Missing if no test ran.
  std::optional<Advice> advice{};
  std::vector<KernelResources> resources;
  std::string compiler_output;       ///< nvcc's output with the user's own paths; for --verbose and JSON.
  std::string student_output;        ///< What the submission printed, truncated at the limit.
  std::optional<SpeedResult> speed;  ///< Present if the exercise has a baseline to compare speed with.
  std::vector<ToolReport> tools;
  std::vector<MeasuredCount> measured_counts;
  double points = 0, max_points = 0;
  double build_seconds = 0, run_seconds = 0;
};

}  // namespace warplings
