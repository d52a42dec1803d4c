// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/test_counts.h"

#include <charconv>

namespace warplings {
namespace {

/// The value of the attribute ` name="123"` in an element's text; 0 if it is absent.
std::uint64_t Attribute(std::string_view element, std::string_view name) {
  const std::string start = " " + std::string(name) + "=\"";
  const std::size_t at = element.find(start);
  std::uint64_t value = 0;
  if (at != std::string_view::npos) {
    const char* digits = element.data() + at + start.size();
    std::from_chars(digits, element.data() + element.size(), value);
  }
  return value;
}

}  // namespace

std::optional<TestCounts> CountTests(std::string_view junit) {
  constexpr std::string_view kSuite = "<testsuite ";
  std::optional<TestCounts> counts;
  for (std::size_t at = junit.find(kSuite); at != std::string_view::npos; at = junit.find(kSuite, at + 1)) {
    // An attribute's '>' is always written as an entity by the writer (Python's xml.etree).
    const std::string_view element = junit.substr(at, junit.find('>', at) - at);
    const std::uint64_t failed = Attribute(element, "failures") + Attribute(element, "errors");
    const std::uint64_t skipped = Attribute(element, "skipped") + Attribute(element, "disabled");
    const std::uint64_t all = Attribute(element, "tests");
    if (!counts) counts.emplace();
    counts->failed += failed;
    counts->skipped += skipped;
    counts->passed += all > failed + skipped ? all - failed - skipped : 0;
  }
  return counts;
}

std::string TestCountsLine(const TestCounts& counts) {
  return std::to_string(counts.passed) + " passed, " + std::to_string(counts.failed) + " failed, " +
         std::to_string(counts.skipped) + " skipped";
}

}  // namespace warplings
