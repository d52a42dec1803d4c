// SPDX-License-Identifier: Apache-2.0
#include "grader/report/class_report.h"

#include <nlohmann/json.hpp>

#include "grader/base/text.h"
#include "grader/core/json.h"
#include "grader/report/prose.h"

namespace warplings {
namespace {

using nlohmann::json;
using State = GradeCell::State;

std::string_view StateName(State state) {
  switch (state) {
    case State::kGraded: return "graded";
    case State::kMissing: return "missing";
    case State::kUnusable: return "unusable";
    case State::kNotGraded: return "not graded";
  }
  return "not graded";
}

json CellData(const ClassGrades& grades, const GradeCell& cell) {
  json data = {{"state", StateName(cell.state)},
               {"points", cell.points},
               {"file", cell.file},
               {"problem", Printable(cell.problem)},
               {"text", nullptr},
               {"passed", false},
               {"verdict", ""}};
  if (!cell.text) return data;
  const ExerciseResult& result = grades.texts[*cell.text].result;
  data["text"] = *cell.text;
  data["passed"] = result.verdict == Verdict::kPassed;
  data["verdict"] = VerdictWords(result);
  return data;
}

json StudentData(const ClassGrades& grades, const StudentGrades& student) {
  json cells = json::array(), remarks = json::array();
  for (const GradeCell& cell : student.cells) cells.push_back(CellData(grades, cell));
  for (const std::string& remark : student.remarks) remarks.push_back(Printable(remark));
  return {{"name", student.name},
          {"page", student.page},
          {"handed_in_as", Printable(student.handed_in_as)},
          {"points", student.points},
          {"complete", student.complete},
          {"remarks", std::move(remarks)},
          {"cells", std::move(cells)}};
}

json ExerciseData(const ClassExercise& exercise) {
  json tests = json::array(), misconceptions = json::array();
  for (const TestRate& test : exercise.tests) {
    tests.push_back({{"name", test.name},
                     {"title", Printable(test.title.empty() ? test.name : test.title)},
                     {"passed", test.passed},
                     {"total", test.total}});
  }
  for (const MisconceptionRate& each : exercise.misconceptions) {
    misconceptions.push_back({{"id", each.id},
                              {"title", each.title},
                              {"message", Unbroken(each.message)},
                              {"students", each.students}});
  }
  return {{"chapter", exercise.chapter},
          {"chapter_title", exercise.chapter_title},
          {"id", exercise.id},
          {"title", exercise.title},
          {"max_points", exercise.max_points},
          {"graded", exercise.graded},
          {"passed", exercise.passed},
          {"missing", exercise.missing},
          {"unusable", exercise.unusable},
          {"not_graded", exercise.not_graded},
          {"tests", std::move(tests)},
          {"misconceptions", std::move(misconceptions)}};
}

}  // namespace

std::string ClassReportData(const ClassGrades& grades) {
  json exercises = json::array(), students = json::array(), texts = json::array();
  for (const ClassExercise& exercise : grades.exercises) exercises.push_back(ExerciseData(exercise));
  for (const StudentGrades& student : grades.students) students.push_back(StudentData(grades, student));
  for (const GradedText& text : grades.texts) {
    texts.push_back({{"report", text.report}, {"source", Printable(text.result.source)}});
  }
  return DumpJson({{"device", grades.device},
                   {"seed", std::to_string(grades.seed)},
                   {"max_points", grades.max_points},
                   {"exercises", std::move(exercises)},
                   {"students", std::move(students)},
                   {"texts", std::move(texts)}});
}

}  // namespace warplings
