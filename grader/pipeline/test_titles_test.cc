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

}  // namespace
}  // namespace warplings
