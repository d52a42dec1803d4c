// SPDX-License-Identifier: Apache-2.0
#include "grader/advice/test_titles.h"

#include <gtest/gtest.h>

#include "grader/messages/joining.h"

namespace warplings {
namespace {

TEST(TestTitles, AreTheSameEverywhere) {
  ExerciseResult result;
  result.tests.resize(2);
  result.tests[0].name = "WhenNotTo.PriceIsPaid";
  result.tests[0].title = "8 elements";
  result.tests[1].name = "WhenNotTo.PriceIsPaidOnce";
  result.misconceptions.resize(3);
  result.misconceptions[0].evidence = say::of_test({"PriceIsPaidOnce"}, "a sum");
  result.misconceptions[1].evidence =
      say::of_shown_test({"PriceIsPaidOnce"}, say::of_test({"WhenNotTo.PriceIsPaid"}, "all values agree"));
  result.misconceptions[2].evidence = say::of_test({"Price"}, "PriceIsPaid");
  GiveTitles(result);
  EXPECT_EQ(result.tests[0].title, "8 elements");
  EXPECT_EQ(result.tests[1].title, "price is paid once");
  EXPECT_EQ(English(result.misconceptions[0].evidence), "\"price is paid once\": a sum");
  EXPECT_EQ(English(result.misconceptions[1].evidence),
            "\"price is paid once\"; shown by \"8 elements\": all values agree");
  EXPECT_EQ(English(result.misconceptions[2].evidence), "Price: PriceIsPaid")
      << "of another test, and words are left alone";
}

TEST(TestTitles, ATestIsMeantByItsNameOrThePartBehindTheDot) {
  EXPECT_TRUE(IsNamed("WhenNotTo.PriceIsPaid", "WhenNotTo.PriceIsPaid"));
  EXPECT_TRUE(IsNamed("WhenNotTo.PriceIsPaid", "PriceIsPaid"));
  EXPECT_FALSE(IsNamed("WhenNotTo.PriceIsPaid", "Paid"));
  EXPECT_FALSE(IsNamed("WhenNotTo.PriceIsPaid", "WhenNotTo"));
}

}  // namespace
}  // namespace warplings
