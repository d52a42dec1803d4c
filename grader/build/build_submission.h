// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/diagnostic.h"
#include "grader/core/layout.h"
#include "grader/core/verdict.h"
#include "grader/core/worker_program.h"
#include "grader/workbook/exercise.h"

namespace warplings {

struct BuildRequest {
  const Exercise* exercise = nullptr;
  std::filesystem::path file;
  std::string display_name;  ///< The file's path as the user typed it, for messages.
  int sm = 80;  ///< Target compute capability; 80 gives PTX for compute_80 and a cubin for sm_80.
  std::string device = "the device";  ///< The device that has this capability, for messages: "virtual:a100".
  bool use_cache = true;
};

struct BuildOutcome {
  /// kPassed, or why no worker could be built: kCompileError, kMissingEntry, kForbiddenSymbol, kTimeLimit,
  /// kMemoryLimit.
  Verdict verdict = Verdict::kPassed;
  Message reason, next_step;  ///< Empty when passed.
  std::vector<Diagnostic> diagnostics;
  std::string compiler_output;
  WorkerProgram worker;  ///< Empty unless passed.
  /// Owns a worker that is not in the cache: the file is removed with the last copy of this pointer.
  std::shared_ptr<const void> worker_lifetime;
  double seconds = 0;
  bool from_cache = false;
};

/// The submission's path inside the compile sandbox, which is also its name in findings and line tables:
/// /submission/NAME. NAME is the file's own name if nvcc accepts it, otherwise the exercise's.
std::string SubmissionPath(const BuildRequest& request);

/// Compiles a student's file in the sandbox and links it into a worker program. The file is read only once,
/// so that what is hashed is what is compiled. Nothing is written into its folder. An Error blames the
/// request (usage) or this machine (grader); the student's errors are verdicts.
Result<BuildOutcome> BuildSubmission(const BuildRequest& request, const Layout& layout);

}  // namespace warplings
