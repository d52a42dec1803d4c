// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/test_names.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

const std::vector<NamedTest> kNames{{"Scale.One", ""}, {"Scale.OneMore", ""}, {"Scale.Large", ""}};
const std::vector<NamedTest> kTitled{{"Scale.One", "one element"},
                                     {"Scale.OneMore", "width 17, one more than a tile"},
                                     {"Scale.Large", "width 100: large, one of many"}};

std::string Chosen(const std::vector<NamedTest>& tests, const std::string& typed) {
  const auto place = ChooseTest(tests, typed, "scale");
  return place ? tests[*place].name : English(place.error().message);
}

TEST(ChooseTest, TakesANameOrAPartThatNoOtherHas) {
  for (const auto& tests : {kNames, kTitled}) {
    for (const char* typed : {"Scale.Large", "Large", "large", "arg", "LARGE"})
      EXPECT_EQ(Chosen(tests, typed), "Scale.Large") << typed;
    // A whole name, although it is a part of another, and of titles.
    EXPECT_EQ(Chosen(tests, "one"), "Scale.One");
    EXPECT_EQ(Chosen(tests, "onem"), "Scale.OneMore");
  }
}

TEST(ChooseTest, TakesAPartOfATitleWhereNoNameHasIt) {
  EXPECT_EQ(Chosen(kTitled, "Width 17"), "Scale.OneMore");
  EXPECT_EQ(Chosen(kTitled, "of many"), "Scale.Large");
  EXPECT_EQ(Chosen(kNames, "of many"), "'of many' matches no test of scale, neither by name nor by title");
  EXPECT_TRUE(FitsAName(kTitled, "large"));
  EXPECT_FALSE(FitsAName(kTitled, "width"));
}

TEST(ChooseTest, ListsTheTestsWhereItIsNotClear) {
  const auto none = ChooseTest(kNames, "small", "scale");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().blame, Blame::kUsage);
  EXPECT_EQ(English(none.error().message), "'small' matches no test of scale, neither by name nor by title");
  EXPECT_EQ(English(none.error().next_step), "Name one of: One, OneMore, Large");
  const auto several = ChooseTest(kNames, "on", "scale");
  ASSERT_FALSE(several);
  EXPECT_EQ(English(several.error().next_step), "Name one of: One, OneMore");
  const auto titles = ChooseTest(kTitled, "width", "scale");
  ASSERT_FALSE(titles);
  EXPECT_EQ(English(titles.error().message), "'width' matches several tests of scale");
  EXPECT_EQ(
      English(titles.error().next_step),
      "Name one of: \n  OneMore: width 17, one more than a tile\n  Large: width 100: large, one of many");
}

}  // namespace
}  // namespace warplings
