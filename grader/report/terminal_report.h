// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "grader/core/exercise_result.h"

namespace warplings {

/// How much a report says.
enum class Detail {
  kScreen,   ///< What fits on one screen: verdict, what to do first, the first test that failed.
  kFull,     ///< Every test, finding and count.
  kVerbose,  ///< Also the compiler's output, everything that the submission printed and counts per source
             ///< line.
};

/// How a report is formatted.
struct TerminalStyle {
  bool colour = false;
  std::size_t columns = 100;
  Detail detail = Detail::kFull;
  bool shows_seed = true;  ///< Whoever knows it and has the grader can compute the inputs.
  bool shows_points =
      true;  ///< The workbook's. A course may count other ones, which then stand beside the report.
};

/// The maximum number of lines of a kScreen report at 80 columns.
inline constexpr std::size_t kScreenLines = 25;

/// Colour if `fd` is a terminal and NO_COLOR is not set (no-color.org: any non-empty value). The width is
/// COLUMNS if that is set, otherwise the terminal's, otherwise 80; but at least 40, and at most 120, because
/// longer lines are hard to read.
TerminalStyle DetectTerminalStyle(int fd);

/// Renders one exercise's result for a student. Decides nothing.
std::string TerminalReport(const ExerciseResult& result, const TerminalStyle& style);

}  // namespace warplings
