// SPDX-License-Identifier: Apache-2.0
#include "grader/report/gradescope.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "grader/core/layout.h"
#include "grader/report/made_up_class.h"
#include "grader/report/schema_check.h"

namespace warplings {
namespace {

using nlohmann::json;

json Schema() {
  std::ifstream stream(ThisLayout().root / "docs" / "gradescope.schema.json");
  return json::parse(stream);
}

TEST(GradescopeResults, AreAsTheSchemaSays) {
  const ClassGrades grades = report_test::MadeUpClass();
  for (const StudentGrades& student : grades.students) {
    const json results = json::parse(GradescopeResults(grades, student));
    EXPECT_EQ(report_test::SchemaFaults(Schema(), results), "") << student.name;
  }
}

TEST(GradescopeResults, ATestForEachExercise) {
  const ClassGrades grades = report_test::MadeUpClass();
  const json results = json::parse(GradescopeResults(grades, grades.students[0]));
  EXPECT_EQ(results["score"], 2.5);
  ASSERT_EQ(results["tests"].size(), 2u);
  const json& first = results["tests"][0];
  EXPECT_EQ(first["score"], 2.5);
  EXPECT_EQ(first["max_score"], 10);
  EXPECT_EQ(first["status"], "failed");
  EXPECT_NE(first["output"].get<std::string>().find("Do this first"), std::string::npos);
  EXPECT_EQ(first["extra_data"]["verdict"], "crashed");
  EXPECT_EQ(results["tests"][1]["output"], "No file was handed in for this exercise.");
  const json unusable = json::parse(GradescopeResults(grades, grades.students[2]));
  EXPECT_EQ(unusable["tests"][0]["output"], "This could not be graded: scale.cu is a link.");
}

}  // namespace
}  // namespace warplings
