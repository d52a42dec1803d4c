// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace warplings {

/// What became of one test, or of one exercise. The order is the precedence: an exercise gets the
/// last of its tests' verdicts in this list. kGraderFault stands last, because a fault of ours must
/// hide behind nothing: such a run is repeated, it is never a student's zero.
enum class Verdict {
  kPassed,
  kNotRun,             ///< Skipped, with a reason that the report shows.
  kWrongResult,        ///< Ran to its end; the values, or a graded count, are not what they must be.
  kFinding,            ///< Values may be right, but the virtual GPU saw an error (race, out of bounds, …).
  kLaunchFailed,       ///< A runtime call or a launch returned an error, checked or not.
  kNotSynchronised,    ///< The function returned while work that nobody waits for was pending.
  kInputModified,      ///< An input array was changed.
  kTimeLimit,          ///< Host code or a kernel did not end.
  kOutputLimit,        ///< Printed more than the limit.
  kMemoryLimit,        ///< Asked for more host or device memory than the limit.
  kExited,             ///< Called exit() or ended its process in another orderly way.
  kCrashed,            ///< Ended by a signal.
  kProtocolViolation,  ///< Sent bytes to the grader that the CUDA runtime never sends.
  kForbiddenSymbol,    ///< Uses a function that no exercise needs; refused before anything ran.
  kMissingEntry,       ///< Does not define the function that the contract declares.
  kCompileError,
  kGraderFault,
};

/// Stable lower-case identifier, as in the JSON report: "wrong_result".
std::string_view VerdictName(Verdict verdict);

/// The one of two verdicts that takes precedence.
inline Verdict Worse(Verdict a, Verdict b) {
  return a < b ? b : a;
}

}  // namespace warplings
