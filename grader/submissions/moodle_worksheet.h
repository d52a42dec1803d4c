// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "grader/base/result.h"

namespace warplings {

/// Parses a date with a time of day as Moodle writes it for people, in the teacher's language, to seconds
/// since 1970: "Tuesday, 18 November 2025, 11:58 PM", "Dienstag, 18. November 2025, 23:58",
/// "2025年 11月 18日 23:58", "2025-11-18 23:58". `zone` is an IANA name. Returns nothing for all other texts,
/// also for "04/11/2025", whose day and month could be exchanged.
std::optional<std::int64_t> ParseShownTime(std::string_view text, const std::string& zone);

/// When each participant of a Moodle assignment handed in last: seconds since 1970 by the participant's
/// number.
using MoodleTimes = std::map<std::string, std::int64_t>;

/// Reads the column "Last modified (submission)" of a grading worksheet, a CSV file. Moodle translates the
/// columns' names; if the English one is missing, it is the first of two columns of dates. A file without
/// such a column, and a date that cannot be read, are usage errors. `name` is the prefix of messages.
Result<MoodleTimes> ParseMoodleWorksheet(std::string_view text, const std::string& name,
                                         const std::string& zone);

}  // namespace warplings
