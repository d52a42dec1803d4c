// SPDX-License-Identifier: Apache-2.0
#include "grader/report/gradescope.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "grader/base/csv.h"
#include "grader/core/json.h"
#include "grader/core/remedy.h"
#include "grader/core/student_identity.h"
#include "grader/report/grades_csv.h"

namespace warplings {
namespace {

using nlohmann::json;
using State = GradeCell::State;

/// How the points came about, and comments and changes made by people, which are shown above the report.
std::string DecisionsOf(const ClassGrades& grades, const ClassExercise& exercise, const GradeCell& cell) {
  std::string text;
  for (const GroupScore& group : cell.groups) text += GroupText(group) + "\n";
  const std::vector<PointChange> changes = EffectiveChanges(exercise, cell);
  for (const PointChange& change : changes) text += ChangeText(change) + "\n";
  if (!cell.changes.empty()) {
    text += "The grader gave " + CsvNumber(cell.automatic) + ", final are " + CsvNumber(cell.points) +
            " of " + CsvNumber(exercise.max_points) + " points.\n";
  }
  const bool names_items = std::ranges::any_of(
      changes, [](const PointChange& each) { return each.kind == PointChange::Kind::kRubric; });
  if (!names_items || !RubricCounts(exercise, cell)) {
    for (const std::string& item : ItemTexts(exercise, cell)) text += item + "\n";
  }
  for (const std::string& test : ExcludedWithoutEffect(grades, exercise, cell)) text += test + "\n";
  for (const GradeComment& comment : cell.comments) {
    text += PlaceOfComment(comment) + comment.text + " (" + comment.author + ")\n";
  }
  if (cell.regrade) {
    text += "Asked to look again: " + cell.regrade->text + "\n";
    if (!cell.regrade->is_open) text += "Answer: " + cell.regrade->answer + "\n";
  }
  return text.empty() ? "" : text + "\n";
}

std::string ReportOf(const ClassGrades& grades, const GradeCell& cell) {
  if (cell.state == State::kMissing) return "No file was handed in for this exercise.";
  if (cell.state == State::kUnusable) return "This could not be graded: " + ForStudent(cell.problem) + ".";
  if (cell.is_starter && !cell.passed) return "Handed in as it was given out: nothing was changed.";
  return cell.text ? grades.texts[*cell.text].report : cell.problem;
}

json TestOf(const ClassGrades& grades, std::size_t number, const GradeCell& cell) {
  const ClassExercise& exercise = grades.exercises[number];
  const ExerciseResult* result = cell.text ? &grades.texts[*cell.text].result : nullptr;
  json tags = json::array();
  const std::string decisions = DecisionsOf(grades, exercise, cell);
  std::string verdict = cell.state == State::kMissing ? "missing" : "unusable";
  if (result != nullptr) {
    verdict = VerdictName(result->verdict);
    for (const Misconception& each : result->misconceptions) tags.push_back(each.id);
  }
  return {{"score", cell.points},
          {"max_score", exercise.max_points},
          {"status", cell.passed ? "passed" : "failed"},
          {"name", exercise.chapter + "/" + exercise.id + ": " + exercise.title},
          {"name_format", "text"},
          {"number", std::to_string(number + 1)},
          {"output", decisions + ReportOf(grades, cell)},
          {"output_format", "text"},
          {"tags", std::move(tags)},
          {"visibility", "visible"},
          {"extra_data",
           {{"verdict", verdict},
            {"file", cell.file},
            {"automatic_score", cell.automatic},
            {"decisions", decisions}}}};
}

/// Whole seconds that the graded files took, whoever's they were.
std::int64_t SecondsOf(const ClassGrades& grades, const StudentGrades& student) {
  double seconds = 0;
  for (const GradeCell& cell : student.cells) {
    if (!cell.text) continue;
    const ExerciseResult& result = grades.texts[*cell.text].result;
    seconds += result.build_seconds + result.run_seconds;
  }
  return std::llround(seconds);
}

std::string RemarksOf(const StudentGrades& student) {
  std::string text;
  for (const std::string& remark : student.remarks) text += ForStudent(remark) + "\n";
  for (const GradeComment& comment : student.comments) text += comment.text + " (" + comment.author + ")\n";
  return text;
}

}  // namespace

std::string GradescopeResults(const ClassGrades& grades, const StudentGrades& student) {
  json tests = json::array();
  for (std::size_t i = 0; i < student.cells.size(); ++i) tests.push_back(TestOf(grades, i, student.cells[i]));
  json results = {
      {"score", student.points},
      {"execution_time", SecondsOf(grades, student)},
      {"output", RemarksOf(student)},
      {"output_format", "text"},
      {"test_output_format", "text"},
      {"test_name_format", "text"},
      {"visibility", "visible"},
      {"stdout_visibility", "hidden"},
      {"extra_data",
       {{"device", grades.device}, {"seed", grades.seed}, {"automatic_score", student.automatic}}},
      {"tests", std::move(tests)},
      {"leaderboard", json::array()}};
  // For who packs them; Gradescope does not get these.
  results["extra_data"]["student"] = NameAndLogin(student);
  results["extra_data"]["handed_in_as"] = student.handed_in_as;
  if (!student.roster.email.empty()) results["extra_data"]["email"] = student.roster.email;
  return DumpJson(results, 2) + "\n";
}

}  // namespace warplings
