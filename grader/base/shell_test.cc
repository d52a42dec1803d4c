// SPDX-License-Identifier: Apache-2.0
#include "grader/base/shell.h"

#include <gtest/gtest.h>

#include "grader/base/replace.h"

namespace warplings {
namespace {

TEST(ShellWord, IsOneWordWhateverIsInIt) {
  EXPECT_EQ(ShellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellWord(""), "''");
  EXPECT_EQ(ShellLine({"a b", "$c"}), "'a b' '$c'");
}

TEST(ShellWord, OfAPersonIsQuotedOnlyWhereItMustBe) {
  EXPECT_EQ(TypedShellWord("graded/week1"), "graded/week1");
  EXPECT_EQ(TypedShellWord("CS101 Grades.csv"), "'CS101 Grades.csv'");
  EXPECT_EQ(TypedShellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(TypedShellWord(""), "''");
}

TEST(ReplaceAll, DoesNotLookAtWhatItPutIn) {
  EXPECT_EQ(ReplaceAll("aba", "a", "aa"), "aabaa");
  EXPECT_EQ(ReplaceAll("none", "x", "y"), "none");
}

}  // namespace
}  // namespace warplings
