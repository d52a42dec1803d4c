// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/diagnostic.h"
#include "grader/core/finding.h"
#include "grader/core/kernel_resources.h"
#include "grader/core/misconception.h"
#include "grader/core/speed_result.h"
#include "grader/core/test_result.h"
#include "grader/core/verdict.h"

namespace warplings {

/// What one of NVIDIA's tools said of a run on a card; beside the grade, no part of it.
struct ToolReport {
  std::string tool;     ///< "memcheck".
  std::string problem;  ///< Why it did not run, or not to its end; empty where it did.
  std::vector<Finding> findings;
};

/// A count of one kernel, over all calls that reached the card, beside what ncu measured there.
struct MeasuredCount {
  std::string kernel;
  std::string count;  ///< A member of Counts: "global_load_sectors".
  std::uint64_t ours = 0, measured = 0;
};

/// Everything known about one run of one exercise: what reports, JSON and gradebooks are drawn from.
struct ExerciseResult {
  std::string chapter;   ///< "01_boundary_checks".
  std::string exercise;  ///< "tiled_matmul".
  std::string title;
  std::string file;    ///< The checked file as the user named it.
  std::string source;  ///< Its text as graded, for quoting lines; not part of the JSON.
  std::string device;  ///< "virtual:a100" or "gpu: NVIDIA H200".
  std::uint64_t seed = 0;
  Verdict verdict = Verdict::kNotRun;
  std::string reason;  ///< For verdicts without tests (compile error, missing entry): one line.
  /// What to do first, before any misconception; empty where the first one says it, or nothing does.
  std::string next_step;
  std::vector<Diagnostic> diagnostics;
  std::vector<TestResult> tests;
  std::vector<Misconception> misconceptions;  ///< What explains most failing tests comes first.
  std::vector<KernelResources> resources;
  std::string compiler_output;       ///< nvcc's text, paths as the user knows them; for --verbose and JSON.
  std::string student_output;        ///< What the submission printed, cut at the limit.
  std::optional<SpeedResult> speed;  ///< Where the exercise has a baseline to be faster than.
  std::vector<ToolReport> tools;
  std::vector<MeasuredCount> measured_counts;
  double points = 0, max_points = 0;
  double build_seconds = 0, run_seconds = 0;
};

}  // namespace warplings
