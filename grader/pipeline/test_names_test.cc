// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/test_names.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

std::string Chosen(const std::vector<std::string>& names, const std::string& typed) {
  const auto name = ChooseTest(names, typed, "scale");
  return name ? *name : name.error().message;
}

TEST(ChooseTest, TakesANameOrAPartThatNoOtherHas) {
  const std::vector<std::string> names{"Scale.One", "Scale.OneMore", "Scale.Large"};
  for (const char* typed : {"Scale.Large", "Large", "large", "arg", "LARGE"})
    EXPECT_EQ(Chosen(names, typed), "Scale.Large") << typed;
  // A whole name, although it is a part of another.
  EXPECT_EQ(Chosen(names, "one"), "Scale.One");
  EXPECT_EQ(Chosen(names, "onem"), "Scale.OneMore");
}

TEST(ChooseTest, ListsTheNamesWhereItIsNotClear) {
  const std::vector<std::string> names{"Scale.One", "Scale.OneMore", "Scale.Large"};
  const auto none = ChooseTest(names, "small", "scale");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().blame, Blame::kUsage);
  EXPECT_EQ(none.error().message, "no test of scale has 'small' in its name");
  EXPECT_EQ(none.error().next_step, "Name one of: One, OneMore, Large");
  const auto several = ChooseTest(names, "on", "scale");
  ASSERT_FALSE(several);
  EXPECT_EQ(several.error().next_step, "Name one of: One, OneMore");
}

}  // namespace
}  // namespace warplings
