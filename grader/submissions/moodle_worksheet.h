// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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

/// True if a date names a weekday, as ParseShownTime() reads it, that is not the date's: "Sunday, 10 October
/// 2026" is a Saturday. Only whole names of weekdays are known.
bool HasOtherWeekday(std::string_view text);

/// A participant of a Moodle assignment, by its grading worksheet.
struct MoodleParticipant {
  std::optional<std::int64_t> handed_in_at;  ///< When last: seconds since 1970.
  std::string name, email, id;               ///< Empty where the worksheet does not say.
  std::size_t line = 0;                      ///< In the worksheet.
  /// The date as it is written there, if its weekday is another day's: somebody has changed it by hand.
  std::string odd_date{};
};

/// By the participant's number.
using MoodleParticipants = std::map<std::string, MoodleParticipant>;

/// Reads the columns "Last modified (submission)", "Full name", "Email address" and "ID number" of a grading
/// worksheet, a CSV file. Moodle translates the columns' names; if the English one is missing, the time is in
/// the first of two or more columns of dates ("-" for none), and the address in the one that holds addresses.
/// A file without times, and a date that cannot be read, are usage errors. `name` is the prefix of messages.
Result<MoodleParticipants> ParseMoodleWorksheet(std::string_view text, const std::string& name,
                                                const std::string& zone);

}  // namespace warplings
