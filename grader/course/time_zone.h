// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace warplings {

/// A time as a clock on the wall shows it.
struct LocalTime {
  int year = 1970;
  unsigned month = 1, day = 1, hour = 0, minute = 0, second = 0;
};

/// "" for "UTC" and for a name of the IANA time zone database that this machine has; else what is wrong.
std::string WhyNoTimeZone(const std::string& name);

/// Seconds since 1970 of a time in UTC.
std::int64_t SecondsOfUtc(const LocalTime& time);

/// Seconds since 1970, UTC, of a local time. Of two, when clocks go back over it, the later one, which is
/// kinder to who is late; nothing for one that clocks skip. `zone` is one that WhyNoTimeZone accepts. Changes
/// the process's time zone while it runs: not for a program with threads.
std::optional<std::int64_t> ToUtc(const LocalTime& time, const std::string& zone);

/// "2026-10-08 23:59:00 CEST". As for ToUtc, not for a program with threads.
std::string ShowTime(std::int64_t seconds, const std::string& zone);

/// "2026-10-08T21:59:00Z"
std::string ShowUtc(std::int64_t seconds);

/// Seconds since 1970 of a time with an offset, as LMSs write it: "2026-10-08 21:59:00.123456000 Z",
/// "2026-10-08T23:59:00+02:00"; without an offset it is UTC. Nothing for anything else.
std::optional<std::int64_t> ParseTime(const std::string& text);

}  // namespace warplings
