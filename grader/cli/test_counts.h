// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplings {

struct TestCounts {
  std::uint64_t passed = 0, failed = 0, skipped = 0;
};

/// Sums up the <testsuite> elements of the JUnit file that `meson test` writes: each GoogleTest case counts
/// once, a test program without cases of its own counts once. Nothing if there is no such element.
std::optional<TestCounts> CountTests(std::string_view junit);

/// "12 passed, 0 failed, 1 skipped"
std::string TestCountsLine(const TestCounts& counts);

}  // namespace warplings
