// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/expectation.h"

#include <gtest/gtest.h>

namespace warplings::kernels_test {
namespace {

Finding Race(int line, int other) {
  Finding finding;
  finding.kind = FindingKind::kRace;
  finding.where = {"/somewhere/a.cu", line};
  finding.other = SourceLine{"/somewhere/a.cu", other};
  finding.access = Access::kWrite;
  finding.object = "shared array `tile`";
  return finding;
}

std::string Compare(const std::string& source, const std::vector<Finding>& found) {
  return CompareFindings(*ParseExpectation(source), found, "a.cu");
}

TEST(Expectation, MatchesWhatItStates) {
  const std::string source =
      "// finding: race, line 3, other 5, access write, object \"shared array `tile`\"\n";
  EXPECT_EQ(Compare(source, {Race(3, 5)}), "");
  EXPECT_NE(Compare(source, {Race(5, 3)}), "");
  EXPECT_EQ(Compare("// finding: race, line 5, other 3\n", {Race(3, 5)}), "") << "either order";
  EXPECT_NE(Compare(source, {}), "");
  EXPECT_NE(Compare(source, {Race(3, 5), Race(3, 5)}), "") << "one finding more";
  EXPECT_NE(Compare("// warning: race, line 3\n", {Race(3, 5)}), "") << "another severity";
}

TEST(Expectation, CleanIsWithoutFindings) {
  EXPECT_EQ(Compare("// SPDX\n// clean\n// Why.\n", {}), "");
  EXPECT_NE(Compare("// clean\n", {Race(3, 5)}), "");
}

TEST(Expectation, WhatIsNoneIsNamed) {
  for (const char* source :
       {"", "// some words\n", "int x;\n// clean\n", "// clean\n// finding: race\n", "// finding: rice\n",
        "// finding: race, line x\n", "// finding: race, colour red\n", "// finding: race, line\n"}) {
    EXPECT_FALSE(ParseExpectation(source)) << source;
  }
}

}  // namespace
}  // namespace warplings::kernels_test
