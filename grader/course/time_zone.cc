// SPDX-License-Identifier: Apache-2.0
// g++ supports std::chrono's time zones only from version 14 on, so the C library's are used.
#include "grader/course/time_zone.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <vector>

#include "grader/base/spelling.h"
#include "grader/messages/course.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

fs::path ZoneFolder() {
  const char* folder = std::getenv("TZDIR");  // NOLINT(concurrency-mt-unsafe): see the header.
  return folder != nullptr && *folder != '\0' ? folder : "/usr/share/zoneinfo";
}

/// A name that cannot lead out of the folder: letters, digits, "_", "-", "+" and single slashes.
bool IsZoneName(const std::string& name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '+' || c == '/';
  };
  return !name.empty() && std::ranges::all_of(name, fits) && name.front() != '/' &&
         name.find("//") == std::string::npos;
}

std::vector<std::string> KnownZones() {
  std::vector<std::string> names;
  std::error_code error;
  const fs::path folder = ZoneFolder();
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().lexically_relative(folder).string();
    if (name.starts_with("posix") || name.starts_with("right")) {
      if (entry->is_directory(error)) entry.disable_recursion_pending();
    } else if (IsZoneName(name) && entry->is_regular_file(error)) {
      names.push_back(name);
    }
  }
  return names;
}

/// TZ for its lifetime.
class ScopedZone {
 public:
  explicit ScopedZone(const std::string& zone) {
    if (const char* former = std::getenv("TZ")) {  // NOLINT(concurrency-mt-unsafe)
      former_ = former;
    }
    ::setenv("TZ", zone == "UTC" ? "UTC0" : (":" + zone).c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    ::tzset();
  }
  ScopedZone(const ScopedZone&) = delete;
  ScopedZone& operator=(const ScopedZone&) = delete;
  ~ScopedZone() {
    if (former_) {
      ::setenv("TZ", former_->c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    } else {
      ::unsetenv("TZ");  // NOLINT(concurrency-mt-unsafe)
    }
    ::tzset();
  }

 private:
  std::optional<std::string> former_;
};

bool ShowsSame(const std::tm& a, const LocalTime& b) {
  return a.tm_year + 1900 == b.year && a.tm_mon + 1 == static_cast<int>(b.month) &&
         a.tm_mday == static_cast<int>(b.day) && a.tm_hour == static_cast<int>(b.hour) &&
         a.tm_min == static_cast<int>(b.minute) && a.tm_sec == static_cast<int>(b.second);
}

std::string Format(const std::tm& time, const char* format) {
  char text[64];
  return {text, std::strftime(text, sizeof text, format, &time)};
}

}  // namespace

Message WhyNoTimeZone(const std::string& name) {
  if (name == "UTC") return {};
  std::error_code error;
  if (!fs::is_directory(ZoneFolder(), error)) return say::no_time_zone_database(name);
  if (IsZoneName(name) && fs::is_regular_file(ZoneFolder() / name, error)) return {};
  return WithClosest(say::no_time_zone(name), name, KnownZones());
}

std::int64_t SecondsOfUtc(const LocalTime& time) {
  using namespace std::chrono;
  const sys_days day = year(time.year) / month(time.month) / std::chrono::day(time.day);
  return duration_cast<seconds>(day.time_since_epoch()).count() +
         static_cast<std::int64_t>(time.hour * 3600 + time.minute * 60 + time.second);
}

std::optional<std::int64_t> ToUtc(const LocalTime& time, const std::string& zone) {
  const ScopedZone scoped(zone);
  std::optional<std::int64_t> latest;
  // Both readings of the clock: with and without daylight saving time.
  for (const int daylight : {0, 1}) {
    std::tm broken{};
    broken.tm_year = time.year - 1900;
    broken.tm_mon = static_cast<int>(time.month) - 1;
    broken.tm_mday = static_cast<int>(time.day);
    broken.tm_hour = static_cast<int>(time.hour);
    broken.tm_min = static_cast<int>(time.minute);
    broken.tm_sec = static_cast<int>(time.second);
    broken.tm_isdst = daylight;
    const std::time_t seconds = std::mktime(&broken);
    std::tm shown{};
    if (::localtime_r(&seconds, &shown) == nullptr || !ShowsSame(shown, time)) continue;
    latest = std::max(latest.value_or(seconds), static_cast<std::int64_t>(seconds));
  }
  return latest;
}

std::string ShowTime(std::int64_t seconds, const std::string& zone) {
  const ScopedZone scoped(zone);
  const auto time = static_cast<std::time_t>(seconds);
  std::tm broken{};
  return ::localtime_r(&time, &broken) == nullptr ? "" : Format(broken, "%Y-%m-%d %H:%M:%S %Z");
}

std::string ShowUtc(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm broken{};
  return ::gmtime_r(&time, &broken) == nullptr ? "" : Format(broken, "%Y-%m-%dT%H:%M:%SZ");
}

std::optional<std::int64_t> ParseTime(const std::string& text) {
  LocalTime time;
  int length = 0;
  if (std::sscanf(text.c_str(), "%4d-%2u-%2u%*1[T ]%2u:%2u:%2u%n", &time.year, &time.month, &time.day,
                  &time.hour, &time.minute, &time.second, &length) != 6 ||
      length == 0) {
    return std::nullopt;
  }
  const auto date =
      std::chrono::year(time.year) / std::chrono::month(time.month) / std::chrono::day(time.day);
  if (!date.ok() || time.hour > 23 || time.minute > 59 || time.second > 60) return std::nullopt;
  std::string rest = text.substr(static_cast<std::size_t>(length));
  if (rest.starts_with('.')) rest.erase(0, std::min(rest.find_first_not_of("0123456789", 1), rest.size()));
  while (rest.starts_with(' ')) rest.erase(0, 1);
  while (rest.ends_with(' ')) rest.pop_back();
  if (rest.empty() || rest == "Z" || rest == "UTC") return SecondsOfUtc(time);
  const bool ahead = rest.front() == '+';
  if (!ahead && rest.front() != '-') return std::nullopt;
  std::string digits = rest.substr(1);
  if (digits.size() == 5 && digits[2] == ':') digits.erase(2, 1);
  if (digits.size() != 4 || !std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; })) {
    return std::nullopt;
  }
  const int number = std::stoi(digits);
  const std::int64_t offset = (number / 100 * 60 + number % 100) * std::int64_t{60};
  return SecondsOfUtc(time) - (ahead ? offset : -offset);
}

}  // namespace warplings
