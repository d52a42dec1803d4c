// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "grader/base/result.h"

namespace warplings {

/// The output of a trusted program, one of ours or of the system. Anything that a submission can influence
/// runs in grader/sandbox instead.
struct ProgramOutput {
  std::string text;        ///< Its standard output.
  std::string errors;      ///< Its standard error, for ErrorText::kKept.
  int status = 0;          ///< As a shell reports it: the exit status, or 128 plus the signal.
  bool timed_out = false;  ///< It was killed at the limit.
};

struct CaptureLimits {
  std::chrono::milliseconds time{60'000};
  std::size_t bytes = std::size_t{1} << 20;  ///< Limit of each text; what exceeds it is read and dropped.
};

enum class ErrorText {
  kShown,    ///< Inherited: it goes where ours goes.
  kDropped,  ///< Discarded.
  kKept,     ///< Captured into ProgramOutput::errors.
};

/// Runs a program with an empty standard input and waits for its end. `words` are the program, looked up on
/// PATH if its name has no slash, and its arguments; no shell is involved. Returns an error if the program
/// cannot be started or a pipe cannot be created.
Result<ProgramOutput> CaptureOutput(const std::vector<std::string>& words,
                                    ErrorText errors = ErrorText::kShown, CaptureLimits limits = {});

}  // namespace warplings
