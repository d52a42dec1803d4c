// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "grader/course/course.h"

namespace warplings {

/// When something was handed in, as far as that is known.
struct Arrival {
  std::optional<std::int64_t> at;  ///< Seconds since 1970, UTC.
  bool marked_late = false;        ///< The LMS marked it as late, without saying how late.
};

struct Lateness {
  std::int64_t seconds = 0;  ///< Seconds after the student's due date; the grace period is not subtracted.
  double percent = 0;        ///< Deduction in percent of the points earned.
  std::string
      reason;  ///< A sentence, if points are deducted: "26 h late: 2 days begun at 10 % a day, -20 %".
  std::int64_t free_days = 0;    ///< Free late days that this uses.
  bool is_within_grace = false;  ///< Late, but within the grace period.
  bool is_closed = false;        ///< Handed in after closing: it earns nothing.
  bool is_guess = false;         ///< The LMS marked it as late without a time, so one day is assumed.
};

/// The assignment's due date, or the extension's if that is not null.
std::optional<std::int64_t> DueOf(const Assignment& assignment, const Extension* extension);

/// Computes the deduction for one file. `extension` may be null. Without a due date nothing is late. A file
/// with an unknown time counts as in time. So does one that is only marked as late if the student has an
/// extension, because the LMS may not know about it. Of the days begun, up to `free_days` cost nothing; work
/// that is closed uses none.
Lateness JudgeLateness(const Arrival& arrival, const Assignment& assignment, const Extension* extension,
                       std::int64_t free_days = 0);

/// "12 min", "26 h 5 min", "3 days 2 h".
std::string ShowDuration(std::int64_t seconds);

}  // namespace warplings
