// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/progress_line.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>

#include "grader/base/text.h"

namespace warplings {
namespace {

TEST(ProgressText, IsCutByColumnsAndNotWithinACharacter) {
  const std::string chinese = "檢查 tiled_matmul：正在編譯你的程式";
  ASSERT_EQ(DisplayWidth(chinese), 35u);
  EXPECT_EQ(ProgressText(chinese, 36), chinese);
  for (std::size_t columns = 8; columns < 36; ++columns) {
    const std::string shown = ProgressText(chinese, columns);
    EXPECT_LT(DisplayWidth(shown), columns);
    EXPECT_EQ(Printable(shown), shown) << "a part of a character is left";
    EXPECT_TRUE(shown.ends_with("...")) << shown;
  }
}

/// The tests' standard error may be a terminal, where a line is never due.
TEST(LineNowAndThen, IsDueSomeTimeAfterTheLast) {
  if (::isatty(STDERR_FILENO) != 0) GTEST_SKIP() << "needs a log";
  const LineNowAndThen::Clock::time_point start{};
  LineNowAndThen line(start);
  EXPECT_FALSE(line.IsDue(start + std::chrono::seconds(14)));
  EXPECT_TRUE(line.IsDue(start + std::chrono::seconds(16)));
  EXPECT_FALSE(line.IsDue(start + std::chrono::seconds(30))) << "15 s after the one before";
  EXPECT_TRUE(line.IsDue(start + std::chrono::seconds(31)));
}

}  // namespace
}  // namespace warplings
