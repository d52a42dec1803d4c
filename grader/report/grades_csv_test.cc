// SPDX-License-Identifier: Apache-2.0
#include "grader/report/grades_csv.h"

#include <gtest/gtest.h>

#include "grader/report/made_up_class.h"

namespace warplings {
namespace {

TEST(GradesCsv, ALineForEachStudent) {
  const std::string expected =
      "\"Student\",\"Points\",\"Max points\",\"01_first/scale\",\"01_first/tile\",\"Missing\",\"Unusable\","
      "\"Not graded\",\"Remarks\"\r\n"
      "\"'=cmd|'/c calc'!A1\",2.5,20,2.5,,1,0,0,\"\"\r\n"
      "\"<script>alert(1)</script>\",0,20,,,2,0,0,\"\"\r\n"
      "\"陳 \"\"大文\"\"\",0,20,,,1,1,0,\"'@remark, with a comma; second\nline\"\r\n"
      "\"'-1+1\",\"not graded\",20,\"not graded\",,1,0,1,\"\"\r\n";
  EXPECT_EQ(GradesCsv(report_test::MadeUpClass()), expected);
}

}  // namespace
}  // namespace warplings
