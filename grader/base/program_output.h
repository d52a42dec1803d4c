// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "grader/base/result.h"

namespace warplings {

/// What a program of ours or of the system said, which is trusted to end: for what a submission chooses there
/// is grader/sandbox.
struct ProgramOutput {
  std::string text;        ///< Of its standard output.
  std::string errors;      ///< Of its standard error, where that is kept.
  int status = 0;          ///< As a shell gives it: its exit status, or 128 and its signal.
  bool timed_out = false;  ///< It was killed at the limit.
};

struct CaptureLimits {
  std::chrono::milliseconds time{60'000};
  std::size_t bytes = std::size_t{1} << 20;  ///< Of each text; what comes after is read and dropped.
};

enum class ErrorText {
  kShown,    ///< Its standard error is ours.
  kDropped,  ///< Goes nowhere.
  kKept,     ///< Read beside its standard output.
};

/// Runs `words` (the program, found on PATH where its name has no slash, and its arguments; no shell reads
/// them), with nothing on its standard input, and waits for its end. An error is a program that cannot be
/// started, a pipe that cannot be had.
Result<ProgramOutput> CaptureOutput(const std::vector<std::string>& words,
                                    ErrorText errors = ErrorText::kShown, CaptureLimits limits = {});

}  // namespace warplings
