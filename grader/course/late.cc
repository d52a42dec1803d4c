// SPDX-License-Identifier: Apache-2.0
#include "grader/course/late.h"

#include <algorithm>
#include <cmath>

namespace warplings {
namespace {

constexpr std::int64_t kMinuteLong = 60, kHourLong = 3600, kDayLong = 24 * kHourLong;

std::string ShowPercent(double percent) {
  std::string text = std::to_string(percent);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + " %";
}

std::string ShowDays(std::int64_t days) {
  return std::to_string(days) + (days == 1 ? " day" : " days");
}

void TakeDays(std::int64_t days, const std::string& how_late, const LateRule& rule, std::int64_t free_days,
              Lateness& lateness) {
  if (std::min(static_cast<double>(days) * rule.percent_per_day, rule.cap_percent) <= 0) return;
  lateness.free_days = std::min(days, free_days);
  const auto uncapped_with = [&](std::int64_t free) {
    return static_cast<double>(days - free) * rule.percent_per_day;
  };
  const auto percent_with = [&](std::int64_t free) {
    return std::min(uncapped_with(free), rule.cap_percent);
  };
  lateness.percent = percent_with(lateness.free_days);
  // Above the cap a free day saves nothing, and is kept.
  while (lateness.free_days > 0 && percent_with(lateness.free_days - 1) <= lateness.percent)
    --lateness.free_days;
  const double uncapped = uncapped_with(lateness.free_days);
  lateness.reason = how_late + " late: " + ShowDays(days) + " begun";
  if (lateness.free_days == days) {
    lateness.reason += days == 1 ? ", and it is free" : ", all of them free";
    return;
  }
  if (lateness.free_days > 0) {
    lateness.reason +=
        ", " + std::to_string(lateness.free_days) + " of them free: " + ShowDays(days - lateness.free_days);
  }
  lateness.reason += " at " + ShowPercent(rule.percent_per_day) + " a day, -" + ShowPercent(lateness.percent);
  if (uncapped > rule.cap_percent) lateness.reason += " (the most)";
}

}  // namespace

std::optional<std::int64_t> DueOf(const Assignment& assignment, const Extension* extension) {
  if (extension != nullptr && extension->due) return extension->due;
  if (!assignment.due) return std::nullopt;
  return *assignment.due + (extension != nullptr ? extension->more_seconds : 0);
}

std::string ShowDuration(std::int64_t seconds) {
  const auto two = [](std::int64_t whole, const std::string& unit, std::int64_t rest,
                      const std::string& small) {
    return std::to_string(whole) + " " + unit + (rest == 0 ? "" : " " + std::to_string(rest) + " " + small);
  };
  if (seconds < kMinuteLong) return std::to_string(seconds) + " s";
  if (seconds < kHourLong) return std::to_string(seconds / kMinuteLong) + " min";
  if (seconds < 2 * kDayLong) return two(seconds / kHourLong, "h", seconds % kHourLong / kMinuteLong, "min");
  return two(seconds / kDayLong, "days", seconds % kDayLong / kHourLong, "h");
}

Lateness JudgeLateness(const Arrival& arrival, const Assignment& assignment, const Extension* extension,
                       std::int64_t free_days) {
  Lateness lateness;
  const auto due = DueOf(assignment, extension);
  if (!due) return lateness;
  const bool spared = extension != nullptr && extension->no_deduction;
  if (!arrival.at) {
    if (!arrival.marked_late || extension != nullptr) return lateness;
    lateness.is_guess = true;
    TakeDays(1, "marked", assignment.late, free_days, lateness);
    return lateness;
  }
  lateness.seconds = std::max<std::int64_t>(0, *arrival.at - *due);
  if (spared) return lateness;
  if (lateness.seconds <= assignment.late.grace_seconds) {
    lateness.is_within_grace = lateness.seconds > 0;
    return lateness;
  }
  const auto closed = assignment.late.closed_after_days;
  if (closed && lateness.seconds > *closed * kDayLong) {
    lateness.is_closed = true;
    lateness.percent = 100;
    lateness.reason = ShowDuration(lateness.seconds) + " late: closed after " + std::to_string(*closed) +
                      (*closed == 1 ? " day" : " days");
    return lateness;
  }
  const std::int64_t days = (lateness.seconds + kDayLong - 1) / kDayLong;
  TakeDays(days, ShowDuration(lateness.seconds), assignment.late, free_days, lateness);
  return lateness;
}

}  // namespace warplings
