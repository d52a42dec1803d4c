// SPDX-License-Identifier: Apache-2.0
#include "grader/base/line_directives.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

TEST(LineDirectives, LeadBackToTheLineThatClaims) {
  const LineDirectives directives(
      "one\n"
      "#line 5 \"/etc/passwd\"\n"
      "three\nfour\n"
      "  # line 100\n"
      "six\n"
      "# 7 \"suite.cc\" 2\n"
      "eight\nnine\n");
  EXPECT_EQ(directives.Find("/etc/passwd", 5), 3);
  EXPECT_EQ(directives.Find("/etc/passwd", 6), 4);
  EXPECT_EQ(directives.Find("/etc/passwd", 100), 6);
  EXPECT_EQ(directives.Find("/tmp/suite.cc", 8), 9);
  EXPECT_EQ(directives.Find("", 1), 1);
  // A line that cannot be: at least the name is the source's.
  EXPECT_EQ(directives.Find("/etc/passwd", 77), 3);
  EXPECT_EQ(directives.Find("/etc/shadow", 5), std::nullopt);
  EXPECT_EQ(directives.Find("other_suite.cc", 8), std::nullopt);
}

TEST(LineDirectives, AreFoundInEachSpelling) {
  for (const char* spelled :
       {"#line 3 \"x.h\"", "%:line 3 \"x.h\"", "/* a */ # /* b */ line /* c */ 3 /* d */ \"x.h\"",
        "#li\\\nne 3 \"x.h\"", "?\?=line 3 \"x.h\"", "# 3 \"x.h\"", "#line 3 \"\\x.h\"",
        "\t#\tline\t3\t\"x.h\"\r"}) {
    const LineDirectives directives(std::string(spelled) + "\nbelow\n");
    EXPECT_TRUE(directives.Find("x.h", 3)) << spelled;
    EXPECT_FALSE(directives.Find("y.h", 3)) << spelled;
  }
  // By a macro: the name is some text in quotes.
  const LineDirectives directives("#define NAME \"x.h\"\n#line 3 NAME\nbelow\n");
  EXPECT_EQ(directives.Find("x.h", 3), 3);
  EXPECT_EQ(directives.Find("/tmp/x.h", 3), 3);
  EXPECT_EQ(directives.Find("y.h", 3), std::nullopt);
  EXPECT_EQ(directives.Find("/tmp/y.h/", 3), std::nullopt);
}

TEST(LineDirectives, AreNotFoundWhereThereAreNone) {
  for (const char* source :
       {"", "\n", "#", "#include \"x.h\"\n", "int line = 3; // \"x.h\"\n", "#define line \"x.h\"\n", "\\"}) {
    EXPECT_FALSE(LineDirectives(source).Find("x.h", 3)) << source;
    EXPECT_FALSE(LineDirectives(source).Find("", 3)) << source;
  }
}

}  // namespace
}  // namespace warplings
