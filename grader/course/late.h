// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "grader/course/course.h"

namespace warplings {

/// When something was handed in, as far as it is known.
struct Arrival {
  std::optional<std::int64_t> at;  ///< Seconds since 1970, UTC.
  bool marked_late = false;        ///< The LMS says late, and not how late.
};

struct Lateness {
  std::int64_t seconds = 0;  ///< After the student's due date; grace is not taken off.
  double percent = 0;        ///< Of the points earned, that are lost.
  std::string reason;        ///< A sentence where points are lost: "26 h late: 2 days begun, 10 % each".
  bool is_guess = false;     ///< The LMS says late, and not how late: taken as one day.
};

/// What the rule takes for one file. `extension` may be null. Without a due date nothing is late. An unknown
/// time is in time; so is a mere mark of the LMS's where the student has an extension, which the LMS need not
/// know.
Lateness JudgeLateness(const Arrival& arrival, const Assignment& assignment, const Extension* extension);

/// "12 min", "26 h 5 min", "3 days 2 h".
std::string ShowDuration(std::int64_t seconds);

}  // namespace warplings
