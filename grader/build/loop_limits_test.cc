// SPDX-License-Identifier: Apache-2.0
#include "grader/build/loop_limits.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

TEST(LoopLimits, ALoopToAVariableThatStaysZero) {
  const auto found = FindIdleLoop(
      "int f() {\n  int count = 0;\n  int best = -1;\n  for (int d = 0; d < count; ++d) best = d;\n  return "
      "best;\n}\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->line, 4);
  EXPECT_EQ(found->variable, "d");
  EXPECT_EQ(found->limit, "count");
  EXPECT_EQ(found->limit_line, 2);
  const auto is_idle = [](const std::string& before,
                          const std::string& loop = "for (int d = 0; d < count; ++d) f(d);") {
    return FindIdleLoop("void g() { int count = 0;\n" + before + "\n" + loop + " }").has_value();
  };
  EXPECT_TRUE(is_idle("if (n > count) return;"));
  for (const char* change :
       {"cudaGetDeviceCount(&count);", "count = n;", "++count;", "count += 2;", "set(count);",
        "if (a) { int count = 0; }", "} void h(int count) {", "auto& c = count;"})
    EXPECT_FALSE(is_idle(change)) << change;
  EXPECT_FALSE(is_idle("", "for (int d = -1; d < count; ++d) f(d);"));
  EXPECT_FALSE(is_idle("", "for (int d = 0; d < count || more; ++d) f(d);"));
  EXPECT_FALSE(is_idle("", "for (int d = 0; d <= count; ++d) f(d);"));
  EXPECT_FALSE(is_idle("", "for (int d = 0; d < 4; ++d) count += d;"));
}

TEST(LoopLimits, AConditionThatReachesTheEndOfWhatIsFilled) {
  const std::string fill = "for (int k = t; k < na; k += B) tile[k] = a[a0 + k];\n";
  const auto found = FindReachedEnd(fill + "x = j >= nb || (i <= na && tile[i] <= tile[na + j]) ? 1 : 2;");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->line, 2);
  EXPECT_EQ(found->index, "i");
  EXPECT_EQ(found->limit, "na");
  EXPECT_EQ(found->array, "tile");
  EXPECT_EQ(found->fill_line, 1);
  for (const char* right :
       {"if (i < na && tile[i] <= x)", "if (i <= na && tile[i - 1] <= x)", "if (i <= na && b[i] <= x)",
        "if (i <= nb && tile[i] <= x)", "if (2 * i <= na && tile[i] <= x)"})
    EXPECT_FALSE(FindReachedEnd(fill + right)) << right;
  EXPECT_FALSE(
      FindReachedEnd("for (int k = t; k <= na; k += B) tile[k] = a[k];\nif (i <= na && tile[i] < x)"));
}

TEST(LoopLimits, HalfASource) {
  for (const char* source : {"", "for", "for (int i = 0; i < n", "(i <= n && a[i"}) {
    EXPECT_FALSE(FindIdleLoop(source)) << source;
    EXPECT_FALSE(FindReachedEnd(source)) << source;
  }
}

}  // namespace
}  // namespace warplings
