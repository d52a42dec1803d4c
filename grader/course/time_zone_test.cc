// SPDX-License-Identifier: Apache-2.0
#include "grader/course/time_zone.h"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace warplings {
namespace {

TEST(TimeZone, NamesAreThoseOfTheDatabase) {
  EXPECT_EQ(English(WhyNoTimeZone("UTC")), "");
  EXPECT_EQ(English(WhyNoTimeZone("Europe/Berlin")), "");
  EXPECT_EQ(English(WhyNoTimeZone("America/New_York")), "");
  for (const char* wrong :
       {"", "Berlin time", "/etc/passwd", "../../../etc/passwd", "Europe", "Europe//Berlin"}) {
    EXPECT_NE(English(WhyNoTimeZone(wrong)), "") << wrong;
  }
  EXPECT_NE(English(WhyNoTimeZone("America/NewYork")).find("did you mean America/New_York?"),
            std::string::npos);
}

TEST(TimeZone, WithoutADatabaseOnlyUtcIsThere) {
  ::setenv("TZDIR", "/no/such/folder", 1);
  EXPECT_EQ(English(WhyNoTimeZone("UTC")), "");
  EXPECT_NE(English(WhyNoTimeZone("Europe/Berlin")).find("install the package tzdata"), std::string::npos);
  ::unsetenv("TZDIR");
}

TEST(TimeZone, LocalTimes) {
  EXPECT_EQ(ShowUtc(*ToUtc({2026, 1, 15, 12, 0, 0}, "Europe/Berlin")), "2026-01-15T11:00:00Z");
  EXPECT_EQ(ShowUtc(*ToUtc({2026, 7, 15, 12, 0, 0}, "Europe/Berlin")), "2026-07-15T10:00:00Z");
  EXPECT_EQ(ShowUtc(*ToUtc({2026, 7, 15, 12, 0, 0}, "Asia/Taipei")), "2026-07-15T04:00:00Z");
  EXPECT_EQ(ShowUtc(*ToUtc({2026, 7, 15, 12, 0, 0}, "UTC")), "2026-07-15T12:00:00Z");
  EXPECT_FALSE(ToUtc({2026, 3, 8, 2, 30, 0}, "America/New_York").has_value());
  // An hour that there is twice: the later one.
  EXPECT_EQ(ShowUtc(*ToUtc({2026, 11, 1, 1, 30, 0}, "America/New_York")), "2026-11-01T06:30:00Z");
  EXPECT_EQ(ShowTime(1791151140, "Europe/Berlin"), "2026-10-04 23:59:00 CEST");
}

TEST(TimeZone, TheProcesssOwnZoneIsLeftAlone) {
  ::setenv("TZ", "Asia/Tokyo", 1);
  static_cast<void>(ToUtc({2026, 1, 1, 0, 0, 0}, "Europe/Berlin"));
  EXPECT_STREQ(::getenv("TZ"), "Asia/Tokyo");
  ::unsetenv("TZ");
}

TEST(TimeZone, TimesAsLmsesWriteThem) {
  const auto read = [](const std::string& text) {
    const auto seconds = ParseTime(text);
    return seconds ? ShowUtc(*seconds) : "none";
  };
  EXPECT_EQ(read("2026-10-08 21:59:00.123456000 Z"), "2026-10-08T21:59:00Z");
  EXPECT_EQ(read("2026-10-08T23:59:00+02:00"), "2026-10-08T21:59:00Z");
  EXPECT_EQ(read("2026-10-08 14:22:32.365935000 -07:00"), "2026-10-08T21:22:32Z");
  EXPECT_EQ(read("2026-10-08 21:59:00 -0030"), "2026-10-08T22:29:00Z");
  EXPECT_EQ(read("2026-10-08 21:59:00 UTC"), "2026-10-08T21:59:00Z");
  EXPECT_EQ(read("2026-10-08 21:59:00"), "2026-10-08T21:59:00Z");
  for (const char* wrong : {"", "yesterday", "2026-10-08", "2026-13-08 21:59:00", "2026-02-30 00:00:00",
                            "2026-10-08 25:00:00", "2026-10-08 21:59:00 +2", "2026-10-08 21:59:00 CEST"}) {
    EXPECT_EQ(read(wrong), "none") << wrong;
  }
}

}  // namespace
}  // namespace warplings
