// SPDX-License-Identifier: Apache-2.0
#include "grader/report/class_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/advice/symptoms.h"
#include "grader/base/catalogue.h"
#include "grader/base/language.h"
#include "grader/base/text.h"
#include "grader/core/json.h"
#include "grader/core/remedy.h"
#include "grader/core/student_identity.h"
#include "grader/report/class_text.h"
#include "grader/report/grades_csv.h"
#include "grader/report/lms_students.h"
#include "grader/report/result_words.h"

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

std::string_view KindName(PointChange::Kind kind) {
  switch (kind) {
    case PointChange::Kind::kLate: return "late";
    case PointChange::Kind::kAttemptRule: return "attempt";
    case PointChange::Kind::kExcludedTest: return "excluded";
    case PointChange::Kind::kRubric: return "rubric";
    case PointChange::Kind::kOverride: return "override";
  }
  return "override";
}

json ChangesData(const std::vector<PointChange>& changes) {
  json data = json::array();
  for (const PointChange& each : changes) {
    data.push_back({{"kind", KindName(each.kind)},
                    {"delta", each.delta},
                    {"reason", Printable(each.reason)},
                    {"author", Printable(each.author)},
                    {"when", Printable(each.when)}});
  }
  return data;
}

json PrintableAll(const std::vector<std::string>& texts) {
  json data = json::array();
  for (const std::string& each : texts) data.push_back(Printable(each));
  return data;
}

json CommentsData(const std::vector<GradeComment>& comments) {
  json data = json::array();
  for (const GradeComment& each : comments) {
    data.push_back({{"test", each.test},
                    {"line", each.line},
                    {"shown_at", each.shown_at},
                    {"quote", Printable(each.quote)},
                    {"text", Printable(each.text)},
                    {"author", Printable(each.author)},
                    {"when", each.when}});
  }
  return data;
}

json GroupsData(const std::vector<GroupScore>& groups) {
  json data = json::array();
  for (const GroupScore& each : groups) {
    data.push_back({{"title", Printable(each.title)},
                    {"points", each.points},
                    {"max_points", each.max_points},
                    {"passed", each.passed},
                    {"counted", each.counted},
                    {"speed", each.is_speed}});
  }
  return data;
}

/// A request to look again, or null.
json RegradeData(const std::optional<RegradeRequest>& regrade) {
  if (!regrade) return {};
  return {
      {"text", Printable(regrade->text)}, {"answer", Printable(regrade->answer)}, {"open", regrade->is_open}};
}

/// Who has looked at it, or null.
json ReviewData(const std::optional<ReviewMark>& reviewed) {
  if (!reviewed) return {};
  return {
      {"author", Printable(reviewed->author)}, {"when", reviewed->when}, {"outdated", reviewed->is_outdated}};
}

json ItemData(const RubricItem& item) {
  return {{"id", item.id}, {"title", Printable(item.title)}, {"points", item.points}};
}

/// The rubric's items that hold for a cell.
json RubricData(const ClassExercise& exercise, const GradeCell& cell) {
  json data = json::array();
  for (const RubricItem& each : exercise.rubric) {
    if (std::ranges::count(cell.marks, each.id) > 0) data.push_back(ItemData(each));
  }
  return data;
}

/// Seconds since 1970, or null.
json TimeData(const std::optional<std::int64_t>& time) {
  return time ? json(*time) : json();
}

/// Or null.
json LateDaysData(const std::optional<LateDays>& days) {
  if (!days) return {};
  return {{"before", days->before}, {"used", days->used}, {"left", days->left}};
}

json CellData(const ClassGrades& grades, const ClassExercise& exercise, const GradeCell& cell) {
  json data = {{"state", StateName(cell.state)},
               {"points", cell.points},
               {"automatic", cell.automatic},
               {"changes", ChangesData(cell.changes)},
               {"groups", GroupsData(cell.groups)},
               {"handed_in_at", TimeData(cell.handed_in_at)},
               {"late_seconds", cell.late_seconds},
               {"within_grace", cell.is_within_grace},
               {"closed", cell.is_closed},
               {"file", Printable(cell.file)},
               {"hash", cell.hash},
               {"problem", Printable(cell.problem)},
               {"problem_of_student", Printable(ForStudent(cell.problem))},
               {"text", nullptr},
               {"passed", cell.passed},
               {"verdict", ""},
               {"luck", ""},
               {"forbidden", false},
               {"by_host", false},
               {"starter", cell.is_starter},
               {"decided_before", cell.is_decided_before},
               {"decided_of", cell.decided_of ? json(*cell.decided_of) : json(nullptr)},
               {"items_before", PrintableAll(cell.items_before)},
               {"has_points", cell.HasPoints()},
               {"comments", CommentsData(cell.comments)},
               {"rubric", RubricData(exercise, cell)},
               {"rubric_counts", RubricCounts(exercise, cell)},
               {"reviewed", ReviewData(cell.reviewed)},
               {"regrade", RegradeData(cell.regrade)}};
  if (!cell.text) return data;
  const ExerciseResult& result = grades.texts[*cell.text].result;
  data["text"] = *cell.text;
  data["verdict"] = Translated(VerdictWords(result));
  data["luck"] = WordsOfLuck(result);
  for (const Oddity each : OdditiesOf(grades, cell)) {
    if (each == Oddity::kForbidden) data["forbidden"] = true;
    if (each == Oddity::kByHost) data["by_host"] = true;
  }
  return data;
}

json StudentData(const ClassGrades& grades, const StudentGrades& student) {
  json cells = json::array(), remarks = json::array(), maybe_theirs = json::array();
  for (std::size_t i = 0; i < student.cells.size(); ++i) {
    cells.push_back(CellData(grades, grades.exercises[i], student.cells[i]));
  }
  json remarks_of_student = json::array();
  for (const std::string& remark : student.remarks) {
    remarks.push_back(Printable(remark));
    remarks_of_student.push_back(Printable(ForStudent(remark)));
  }
  for (const StudentGrades* entry : EntriesThatMayBeOf(grades, student)) {
    maybe_theirs.push_back({{"name", Printable(entry->name)}, {"page", entry->page}});
  }
  return {{"name", Printable(student.name)},
          {"key", StudentKey(student)},
          {"account", SharesName(grades, student) ? Printable(AccountOf(student.roster)) : ""},
          {"page", student.page},
          {"id", Printable(student.roster.id)},
          {"login", Printable(student.roster.login)},
          {"email", Printable(student.roster.email)},
          {"section", Printable(student.roster.section)},
          {"automatic", student.automatic},
          {"handed_in_at", TimeData(student.handed_in_at)},
          {"due", TimeData(student.due)},
          {"handed_in_as", Printable(student.handed_in_as)},
          {"participant", ParticipantOf(student)},
          {"unmatched", Printable(student.unmatched)},
          {"late_days", LateDaysData(student.late_days)},
          {"points", student.points},
          {"complete", student.complete},
          {"remarks", std::move(remarks)},
          {"remarks_of_student", std::move(remarks_of_student)},
          {"maybe_theirs", std::move(maybe_theirs)},
          {"comments", CommentsData(student.comments)},
          {"cells", std::move(cells)}};
}

json ExerciseData(const ClassExercise& exercise) {
  json tests = json::array(), misconceptions = json::array(), excluded = json::array(),
       rubric = json::array();
  for (const RubricItem& each : exercise.rubric) rubric.push_back(ItemData(each));
  for (const ExcludedTest& each : exercise.excluded) {
    excluded.push_back(
        {{"name", each.name}, {"reason", Printable(each.reason)}, {"author", Printable(each.author)}});
  }
  for (const TestRate& test : exercise.tests) {
    tests.push_back({{"name", test.name},
                     {"title", PrintableWords(test.title.empty() ? Message(test.name) : test.title)},
                     {"passed", test.passed},
                     {"total", test.total},
                     {"excluded", test.excluded}});
  }
  for (const MisconceptionRate& each : exercise.misconceptions) {
    misconceptions.push_back({{"id", each.id},
                              {"title", Translated(each.title)},
                              {"message", Translated(JoinLines(each.message))},
                              {"students", each.students}});
  }
  return {{"chapter", exercise.chapter},
          {"chapter_title", exercise.chapter_title},
          {"id", exercise.id},
          {"title", exercise.title},
          {"max_points", exercise.max_points},
          {"starter", exercise.starter},
          {"solution", exercise.solution},
          {"starter_fails", exercise.starter_fails},
          {"graded", exercise.graded},
          {"passed", exercise.passed},
          {"not_built", exercise.not_built},
          {"forbidden", exercise.forbidden},
          {"missing", exercise.missing},
          {"unusable", exercise.unusable},
          {"not_graded", exercise.not_graded},
          {"tests", std::move(tests)},
          {"excluded", std::move(excluded)},
          {"rubric", std::move(rubric)},
          {"misconceptions", std::move(misconceptions)}};
}

}  // namespace

json ClassStudentData(const ClassGrades& grades, const StudentGrades& student) {
  return StudentData(grades, student);
}

std::string ClassReportData(const ClassGrades& grades) {
  json exercises = json::array(), students = json::array(), texts = json::array(), unplaced = json::array();
  for (const ClassExercise& exercise : grades.exercises) exercises.push_back(ExerciseData(exercise));
  for (const StudentGrades& student : grades.students) students.push_back(StudentData(grades, student));
  for (const GradedText& text : grades.texts) texts.push_back(ClassTextData(text));
  for (const UnplacedEntry& each : grades.unplaced) {
    unplaced.push_back({{"name", Printable(each.name)},
                        {"reason", Printable(each.reason)},
                        {"advice", Printable(each.advice)}});
  }
  return DumpJson({{"language", ChosenLanguage()},
                   {"course_title", Printable(grades.course_title)},
                   {"assignment_title", Printable(grades.assignment_title)},
                   {"time_zone", grades.time_zone},
                   {"due", TimeData(grades.due)},
                   {"device", grades.device},
                   {"seed", std::to_string(grades.seed)},
                   {"max_points", grades.max_points},
                   {"exercises", std::move(exercises)},
                   {"students", std::move(students)},
                   {"texts", std::move(texts)},
                   {"unplaced", std::move(unplaced)}});
}

}  // namespace warplings
