// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/progress_line.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace warplings
