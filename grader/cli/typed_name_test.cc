// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/typed_name.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

TEST(TypedName, IsWhatWorksWhenItIsTyped) {
  SetTypedName("./warplings");
  EXPECT_EQ(AsTyped("See: warplings --help"), "See: ./warplings --help");
  EXPECT_EQ(AsTyped("Name one: warplings check CHAPTER, or warplings list."),
            "Name one: ./warplings check CHAPTER, or ./warplings list.");
  EXPECT_EQ(AsTyped("然後：warplings check 1"), "然後：./warplings check 1");
  EXPECT_EQ(AsTyped("Name one: warplings cc FILE.cu"), "Name one: ./warplings cc FILE.cu");
  for (const char* kept :
       {"warplings is a workbook", "./warplings check 1", "warplings checks all", "warplings", ""}) {
    EXPECT_EQ(AsTyped(kept), kept);
  }
  SetTypedName("/usr/bin/env");
  EXPECT_EQ(TypedName(), "env") << "it is found on PATH";
  SetTypedName("/nowhere/env");
  EXPECT_EQ(TypedName(), "/nowhere/env");
  SetTypedName("warplings");
}

}  // namespace
}  // namespace warplings
