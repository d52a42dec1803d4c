// SPDX-License-Identifier: Apache-2.0
#include "grader/core/verdict.h"

namespace warplings {

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPassed: return "passed";
    case Verdict::kNotRun: return "not_run";
    case Verdict::kWrongResult: return "wrong_result";
    case Verdict::kFinding: return "finding";
    case Verdict::kLaunchFailed: return "launch_failed";
    case Verdict::kNotSynchronised: return "not_synchronised";
    case Verdict::kInputModified: return "input_modified";
    case Verdict::kTimeLimit: return "time_limit";
    case Verdict::kOutputLimit: return "output_limit";
    case Verdict::kMemoryLimit: return "memory_limit";
    case Verdict::kExited: return "exited";
    case Verdict::kCrashed: return "crashed";
    case Verdict::kProtocolViolation: return "protocol_violation";
    case Verdict::kForbiddenSymbol: return "forbidden_symbol";
    case Verdict::kMissingEntry: return "missing_entry";
    case Verdict::kCompileError: return "compile_error";
    case Verdict::kGraderFault: return "grader_fault";
  }
  return "grader_fault";
}

}  // namespace warplings
