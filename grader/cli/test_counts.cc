// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/test_counts.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <sstream>

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

void Add(TestCounts& sum, const TestCounts& more) {
  sum.passed += more.passed;
  sum.failed += more.failed;
  sum.skipped += more.skipped;
}

std::vector<TestTime> ReadTestTimes(std::string_view log) {
  std::vector<TestTime> times;
  std::istringstream lines{std::string(log)};
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json test = nlohmann::json::parse(line, nullptr, false);
    if (!test.is_object() || !test.contains("name") || !test["name"].is_string() ||
        !test.contains("duration") || !test["duration"].is_number())
      continue;
    const std::string name = test["name"];
    const std::size_t slash = name.find(" / ");
    times.push_back({slash == std::string::npos ? name : name.substr(slash + 3), test["duration"]});
  }
  return times;
}

std::vector<std::string> ReadTestNames(std::string_view list) {
  const nlohmann::json tests = nlohmann::json::parse(list, nullptr, false);
  std::vector<std::string> names;
  if (!tests.is_array()) return names;
  for (const nlohmann::json& test : tests) {
    if (test.is_object() && test.contains("name") && test["name"].is_string()) names.push_back(test["name"]);
  }
  return names;
}

bool NeedBuild(std::string_view list, const std::vector<std::string>& names) {
  const nlohmann::json tests = nlohmann::json::parse(list, nullptr, false);
  if (!tests.is_array()) return true;
  return std::ranges::any_of(names, [&](const std::string& name) {
    bool is_listed = false;
    for (const nlohmann::json& test : tests) {
      if (!test.is_object() || test.value("name", nlohmann::json()) != name) continue;
      is_listed = true;
      const nlohmann::json depends = test.value("depends", nlohmann::json());
      if (!depends.is_array() || !depends.empty()) return true;
    }
    return !is_listed;
  });
}

std::vector<TestTime> Slowest(std::vector<TestTime> times, std::size_t most) {
  std::ranges::stable_sort(times, std::greater{}, &TestTime::seconds);
  if (times.size() > most) times.resize(most);
  return times;
}

std::string TestCountsLine(const TestCounts& counts) {
  return std::to_string(counts.passed) + " passed, " + std::to_string(counts.failed) + " failed, " +
         std::to_string(counts.skipped) + " skipped";
}

}  // namespace warplings
