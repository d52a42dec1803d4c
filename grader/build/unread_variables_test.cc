// SPDX-License-Identifier: Apache-2.0
#include "grader/build/unread_variables.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

/// "LINE name, RETURN'S LINE returned"; "" if there is none.
std::string UnreadIn(const std::string& body) {
  const auto found =
      FindUnreadVariable("int g() { int a = 0; a = 1; return g; }\nint f(int n) {\n" + body + "\n}", "f");
  return found ? std::to_string(found->line) + " " + found->name + ", " + std::to_string(found->return_line) +
                     " " + found->returned
               : "";
}

TEST(UnreadVariables, WhatIsComputedInVain) {
  EXPECT_EQ(UnreadIn("int best = 0, most = 0;\nfor (int i = 0; i < n; ++i) {\nif (i >= most) {\nbest = i;\n"
                     "most = i;\n}\n}\nreturn most;"),
            "6 best, 10 most");
}

TEST(UnreadVariables, WhatIsReadOrInDoubt) {
  EXPECT_EQ(UnreadIn("int best = 0;\nbest = n;\nreturn best;"), "");
  EXPECT_EQ(UnreadIn("int best = 0;\nbest = n;\ng(best);\nreturn n;"), "");
  EXPECT_EQ(UnreadIn("int best = 0;\nreturn n;"), "") << "it gets no other value";
  EXPECT_EQ(UnreadIn("int best = 0;\nbest += n;\nreturn n;"), "");
  EXPECT_EQ(UnreadIn("int best = 0;\nbest = n;\nreturn n + 1;"), "");
  EXPECT_EQ(UnreadIn("int a = 0;\nint b = 0;\na = 1;\nb = 1;\nreturn n;"), "") << "two";
}

}  // namespace
}  // namespace warplings
