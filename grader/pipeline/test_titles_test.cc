// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/test_titles.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

TEST(TestTitles, AreTheSameEverywhere) {
  ExerciseResult result;
  result.tests.resize(2);
  result.tests[0].name = "WhenNotTo.PriceIsPaid";
  result.tests[0].title = "8 elements";
  result.tests[1].name = "WhenNotTo.PriceIsPaidOnce";
  result.misconceptions.resize(3);
  result.misconceptions[0].evidence = "PriceIsPaidOnce";
  result.misconceptions[1].evidence = "WhenNotTo.PriceIsPaid: all values agree";
  result.misconceptions[2].evidence = "PriceIsPaid_2, xPriceIsPaid";
  GiveTitles(result);
  EXPECT_EQ(result.tests[0].title, "8 elements");
  EXPECT_EQ(result.tests[1].title, "price is paid once");
  EXPECT_EQ(result.misconceptions[0].evidence, "\"price is paid once\"");
  EXPECT_EQ(result.misconceptions[1].evidence, "\"8 elements\": all values agree");
  EXPECT_EQ(result.misconceptions[2].evidence, "PriceIsPaid_2, xPriceIsPaid");
}

TEST(TestTitles, ShapeIsNotSaidAgainBehindATitleThatBeginsWithIt) {
  ExerciseResult result;
  result.tests.resize(2);
  result.tests[0].name = "T.Width";
  result.tests[0].title = "width 17: two phases";
  result.tests[1].name = "T.Random";
  result.tests[1].title = "a random width: 17";
  result.misconceptions.resize(3);
  result.misconceptions[0].evidence = "Width (width 17): 9 reads outside M";
  result.misconceptions[1].evidence = "Width (width 1): 9 reads outside M, and Random (width 17): 8";
  result.misconceptions[2].evidence = "Width (width 17";
  GiveTitles(result);
  EXPECT_EQ(result.misconceptions[0].evidence, "\"width 17: two phases\": 9 reads outside M");
  EXPECT_EQ(
      result.misconceptions[1].evidence,
      "\"width 17: two phases\" (width 1): 9 reads outside M, and \"a random width: 17\" (width 17): 8");
  EXPECT_EQ(result.misconceptions[2].evidence, "\"width 17: two phases\" (width 17");
}

}  // namespace
}  // namespace warplings
