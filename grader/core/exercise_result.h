// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/finding.h"
#include "grader/core/launch_record.h"
#include "grader/core/speed_result.h"
#include "grader/core/verdict.h"

namespace warplings {

/// One element that differs from what it must be.
struct WrongElement {
  std::string where;     ///< "P[2][1]" or "result".
  std::string expected;  ///< Formatted by the suite, so that integers and floats both read well.
  std::string actual;
  std::string note;  ///< "never written", "NaN", "off by 3.2e-2, bound 1.1e-6"; may be empty.
};

/// One GoogleTest test of a suite, as the judge saw it.
struct TestResult {
  std::string name;   ///< GoogleTest's: "TiledMatmul.WidthJustBelowATile".
  std::string title;  ///< In words: "width 15, one less than a tile".
  Verdict verdict = Verdict::kNotRun;
  std::string reason;               ///< One line; empty when passed.
  std::string next_step;            ///< One line; may be empty.
  std::uint64_t wrong_count = 0;    ///< Elements outside their bound …
  std::uint64_t element_count = 0;  ///< … of this many compared.
  std::vector<WrongElement> wrong;  ///< The first few of them.
  std::vector<Finding> findings;
  std::vector<LaunchRecord> launches;
  double seconds = 0;  ///< Wall time of the test; informative only.
};

/// A wrong idea that the suite recognised in the submission; id and message stand in chapter.toml.
struct Misconception {
  std::string id;
  std::string title;
  std::string message;
  std::string evidence;  ///< What gave it away, in one line: test, finding or pattern.
};

/// A message of the compiler about the student's file.
struct Diagnostic {
  Severity severity = Severity::kError;
  SourceLine where;
  int column = 0;
  std::string message;
};

/// What ptxas gave one kernel, read from the cubin (never from printed text, which a submission
/// could imitate with #pragma message).
struct KernelResources {
  std::string kernel;              ///< Demangled, without parameters.
  std::uint32_t registers = 0;     ///< Per thread.
  std::uint32_t shared_bytes = 0;  ///< Static, per block.
  std::uint32_t local_bytes = 0;   ///< Per thread: stack frame and spills.
  std::uint32_t constant_bytes = 0;
};

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
  std::string reason;     ///< For verdicts without tests (compile error, missing entry): one line.
  std::string next_step;  ///< What to do first, where no misconception says it; may be empty.
  std::vector<Diagnostic> diagnostics;
  std::vector<TestResult> tests;
  std::vector<Misconception> misconceptions;
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
