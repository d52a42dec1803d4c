// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "grader/core/exercise_result.h"

namespace warplings {

/// How a report is drawn; says nothing about what is in it.
struct TerminalStyle {
  bool colour = false;
  std::size_t columns = 100;
  bool verbose = false;  ///< Adds the compiler's text, the submission's output and counts per source line.
};

/// Colour where `fd` is a terminal and NO_COLOR is not set (no-color.org: any non-empty value); columns of
/// that terminal, at most 120 because longer lines read badly.
TerminalStyle DetectTerminalStyle(int fd);

/// One exercise's result as a student reads it, from the tests at the top to what to do first and the
/// verdict at the end, where a terminal leaves the eye. Decides nothing.
std::string TerminalReport(const ExerciseResult& result, const TerminalStyle& style);

}  // namespace warplings
