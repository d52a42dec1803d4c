// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace warplings {

/// The outcome of one test or one exercise. The order is the precedence: an exercise gets that verdict among
/// its tests' which comes last in this list. kGraderFault comes last because no other verdict may hide a
/// fault of ours: such a run is repeated and never gives a student zero points.
enum class Verdict {
  kPassed,
  kNotRun,       ///< Skipped; the report shows the reason.
  kWrongResult,  ///< Ran to its end, but values, or a count that is graded, are wrong.
  kFinding,  ///< The virtual GPU detected an error (race, out of bounds, …), even if the values are right.
  kLaunchFailed,       ///< A runtime call or a launch returned an error, checked or not.
  kNotSynchronised,    ///< The function returned without waiting for pending device work.
  kInputModified,      ///< An input array was changed.
  kTimeLimit,          ///< Host code or a kernel did not end in time.
  kOutputLimit,        ///< Printed more than the limit.
  kMemoryLimit,        ///< Asked for more host or device memory than the limit.
  kExited,             ///< Called exit() or ended its process by other regular means.
  kCrashed,            ///< Ended by a signal.
  kProtocolViolation,  ///< Sent bytes to the grader that the CUDA runtime never sends.
  kForbiddenSymbol,    ///< Uses a function that no exercise needs; refused before anything runs.
  kMissingEntry,       ///< Does not define the function that the contract declares.
  kCompileError,
  kGraderFault,
};

/// Stable lower-case identifier, as in the JSON report: "wrong_result".
std::string_view VerdictName(Verdict verdict);

/// The verdict that takes precedence over the other.
inline Verdict Worse(Verdict a, Verdict b) {
  return a < b ? b : a;
}

}  // namespace warplings
