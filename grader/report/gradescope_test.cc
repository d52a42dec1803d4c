// SPDX-License-Identifier: Apache-2.0
#include "grader/report/gradescope.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "grader/core/layout.h"
#include "grader/core/student_identity.h"
#include "tests/support/made_up_class.h"
#include "tests/support/schema_check.h"

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
  EXPECT_EQ(results["extra_data"]["student"], NameAndLogin(grades.students[0]));
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

TEST(GradescopeResults, ShowWhatPeopleDecided) {
  ClassGrades grades = report_test::MadeUpClass();
  StudentGrades& student = grades.students[0];
  student.points = student.cells[0].points = 7;
  student.cells[0].changes = {{PointChange::Kind::kOverride, 4.5, "shown to me", "Grace", ""}};
  student.cells[0].regrade = {"please look", "done", false, "Grace", ""};
  grades.exercises[0].rubric = {{"1", "Idea", -2, "", ""}};
  student.cells[0].marks = {"1"};
  const json results = json::parse(GradescopeResults(grades, student));
  EXPECT_EQ(report_test::SchemaFaults(Schema(), results), "");
  EXPECT_EQ(results["score"], 7);
  EXPECT_EQ(results["tests"][0]["score"], 7);
  EXPECT_EQ(results["tests"][0]["extra_data"]["automatic_score"], 2.5);
  const std::string output = results["tests"][0]["output"];
  EXPECT_TRUE(output.starts_with("+4.5 points: shown to me (Grace)\nThe grader gave 2.5, final are 7 of 10"));
  EXPECT_NE(output.find("\nIdea (-2, no effect)\n"), std::string::npos) << output;
  EXPECT_NE(output.find("Answer: done"), std::string::npos);
}

}  // namespace
}  // namespace warplings
