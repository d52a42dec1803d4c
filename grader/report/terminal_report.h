// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "grader/core/exercise_result.h"

namespace warplings {

/// How much a report says.
enum class Detail {
  kScreen,   ///< What fits a screen: verdict, what to do first, the first test that failed.
  kFull,     ///< Every test, finding and count.
  kVerbose,  ///< With the compiler's text, all that the submission printed and counts per source line.
};

/// How a report is drawn; says nothing about what is in it.
struct TerminalStyle {
  bool colour = false;
  std::size_t columns = 100;
  Detail detail = Detail::kFull;
};

/// A report for the screen has this many lines at most where a terminal has 80 columns.
inline constexpr std::size_t kScreenLines = 25;

/// Colour where `fd` is a terminal and NO_COLOR is not set (no-color.org: any non-empty value); columns of
/// that terminal, or those that COLUMNS names, or 80; at most 120 because longer lines read badly.
TerminalStyle DetectTerminalStyle(int fd);

/// One exercise's result as a student reads it. Decides nothing.
std::string TerminalReport(const ExerciseResult& result, const TerminalStyle& style);

}  // namespace warplings
