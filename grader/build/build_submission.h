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
#include "grader/exercise/exercise.h"

namespace warplings {

struct BuildRequest {
  const Exercise* exercise = nullptr;
  std::filesystem::path file;
  std::string display_name;           ///< The file as the user named it, for messages.
  int sm = 80;                        ///< 80: PTX for compute_80 and a cubin for sm_80.
  std::string device = "the device";  ///< Whose capability that is, for messages: "virtual:a100".
  bool use_cache = true;
};

struct BuildOutcome {
  /// kPassed, or why the file does not become a worker: kCompileError, kMissingEntry,
  /// kForbiddenSymbol, kTimeLimit, kMemoryLimit.
  Verdict verdict = Verdict::kPassed;
  std::string reason, next_step;  ///< Empty when passed.
  std::vector<Diagnostic> diagnostics;
  std::string compiler_output;
  std::filesystem::path worker;  ///< Empty unless passed.
  /// Holds a worker that is not in the cache; it is removed with the last copy of this.
  std::shared_ptr<const void> worker_lifetime;
  double seconds = 0;
  bool from_cache = false;
};

/// Where a submission stands while it is compiled, and so what findings and line tables call it:
/// /submission/NAME, with the file's own name where nvcc can read that, and the exercise's otherwise.
std::string SubmissionPath(const BuildRequest& request);

/// Compiles a student's file in the sandbox and links it into a worker program. The file is read once;
/// what was read is what is hashed and what is compiled. Nothing is written beside it. An Error is a
/// fault of the request (usage) or of this machine (grader); the student's faults are verdicts.
Result<BuildOutcome> BuildSubmission(const BuildRequest& request, const Layout& layout);

}  // namespace warplings
