// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grader/base/message.h"

namespace warplings {

/// A calendar date and time of day in some time zone.
struct LocalTime {
  int year = 1970;
  unsigned month = 1, day = 1, hour = 0, minute = 0, second = 0;
};

/// Empty if `name` is "UTC" or a name in this machine's IANA time zone database; otherwise what is wrong with
/// it.
Message WhyNoTimeZone(const std::string& name);

/// Seconds since 1970 of a time in UTC.
std::int64_t SecondsOfUtc(const LocalTime& time);

/// Converts a local time to seconds since 1970, UTC. If clocks are set back and the time occurs twice,
/// returns the later one, which favours the student; if clocks skip it, returns nothing. `zone` must be one
/// that WhyNoTimeZone accepts. Changes the process's time zone while it runs, so do not call it while other
/// threads run.
std::optional<std::int64_t> ToUtc(const LocalTime& time, const std::string& zone);

/// "2026-10-08 23:59:00 CEST". Like ToUtc, not for programs with several threads.
std::string ShowTime(std::int64_t seconds, const std::string& zone);

/// "2026-10-08T21:59:00Z"
std::string ShowUtc(std::int64_t seconds);

/// Parses a time with an offset, in the formats of LMSs, to seconds since 1970: "2026-10-08
/// 21:59:00.123456000 Z", "2026-10-08T23:59:00+02:00"; without an offset it is UTC. Returns nothing for other
/// formats.
std::optional<std::int64_t> ParseTime(const std::string& text);

}  // namespace warplings
