// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplings {

struct TestCounts {
  std::uint64_t passed = 0, failed = 0, skipped = 0;
};

/// Sums up the <testsuite> elements of the JUnit file that `meson test` writes: each GoogleTest case counts
/// once, a test program without cases of its own counts once. Nothing if there is no such element.
std::optional<TestCounts> CountTests(std::string_view junit);

void Add(TestCounts& sum, const TestCounts& more);

struct TestTime {
  std::string name;  ///< "wheel", without the project and suites that meson writes in front of it.
  double seconds = 0;
};

/// The tests in the log that `meson test` writes, one JSON object a line; what is no such line is left out.
std::vector<TestTime> ReadTestTimes(std::string_view log);

/// The tests' names in meson's own list, an array of JSON objects; none where it is no such list.
std::vector<std::string> ReadTestNames(std::string_view list);

/// Whether the list says of one of these tests that it needs something built, or lacks one of them. If none
/// does, `meson test` calls ninja without a target, which builds the whole project.
bool NeedBuild(std::string_view list, const std::vector<std::string>& names);

/// The `most` slowest, the slowest first.
std::vector<TestTime> Slowest(std::vector<TestTime> times, std::size_t most);

/// "12 passed, 0 failed, 1 skipped"
std::string TestCountsLine(const TestCounts& counts);

}  // namespace warplings
