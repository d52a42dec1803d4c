// SPDX-License-Identifier: Apache-2.0
#include "grader/report/grades_csv.h"

#include <algorithm>

#include "grader/advice/symptoms.h"
#include "grader/base/csv.h"
#include "grader/base/text.h"
#include "grader/core/round_points.h"
#include "grader/report/lms_students.h"
#include "grader/report/result_words.h"

namespace warplings {
namespace {

using State = GradeCell::State;

std::string NameOf(const ClassExercise& exercise) {
  return exercise.chapter + "/" + exercise.id;
}

bool HasLateDays(const ClassGrades& grades) {
  return std::ranges::any_of(grades.students,
                             [](const StudentGrades& each) { return each.late_days.has_value(); });
}

std::string HeaderLine(const ClassGrades& grades) {
  std::vector<std::string> fields = {CsvField("Student"), CsvField("Points"), CsvField("Max points")};
  for (const ClassExercise& each : grades.exercises) fields.push_back(CsvField(NameOf(each)));
  for (const char* name : {"Missing", "Unusable", "Not graded", "Remarks", "ID", "Login", "E-mail", "Section",
                           "Automatic points", "Changes", "Comments"}) {
    fields.push_back(CsvField(name));
  }
  for (const ClassExercise& each : grades.exercises) fields.push_back(CsvField(NameOf(each) + " automatic"));
  for (const ClassExercise& each : grades.exercises) fields.push_back(CsvField(NameOf(each) + " max"));
  if (HasLateDays(grades)) {
    for (const char* name : {"Late days used", "Late days left"}) fields.push_back(CsvField(name));
  }
  return CsvLine(fields);
}

std::string CellField(const GradeCell& cell) {
  if (cell.HasPoints()) return CsvNumber(cell.points);
  return cell.state == State::kNotGraded ? CsvField("not graded") : "";
}

std::string CountField(const StudentGrades& student, State state) {
  return std::to_string(std::ranges::count(student.cells, state, &GradeCell::state));
}

std::string WordsOf(Oddity oddity, const ClassGrades& grades, const GradeCell& cell) {
  switch (oddity) {
    case Oddity::kForbidden:
      return "a forbidden call: " + GroupedEnglish(grades.texts[*cell.text].result.reason);
    case Oddity::kByHost: return "the host may have computed";
    case Oddity::kStarter: return "handed in as it was given out";
    case Oddity::kUnread: break;
  }
  return WhyUnread(grades, cell);
}

std::string RemarksField(const ClassGrades& grades, const StudentGrades& student) {
  std::vector<std::string> remarks = student.remarks;
  for (std::size_t i = 0; i < student.cells.size(); ++i) {
    for (const Oddity each : OdditiesOf(grades, student.cells[i])) {
      remarks.push_back(NameOf(grades.exercises[i]) + ": " + WordsOf(each, grades, student.cells[i]));
    }
  }
  for (const StudentGrades* entry : EntriesThatMayBeOf(grades, student)) {
    remarks.push_back("an entry that is nobody's may be this student's: " + entry->name);
  }
  return CsvField(Joined(remarks, "; "));
}

std::vector<const RubricItem*> ItemsOf(const ClassExercise& exercise, const GradeCell& cell) {
  std::vector<const RubricItem*> items;
  for (const RubricItem& each : exercise.rubric) {
    if (std::ranges::count(cell.marks, each.id) > 0) items.push_back(&each);
  }
  return items;
}

/// "01_first/scale: +2 points: REASON (Grace)"
std::string ChangesField(const ClassGrades& grades, const StudentGrades& student) {
  std::string text;
  for (std::size_t i = 0; i < student.cells.size(); ++i) {
    const ClassExercise& exercise = grades.exercises[i];
    const GradeCell& cell = student.cells[i];
    const auto add = [&](const std::string& what) {
      text += (text.empty() ? "" : "; ") + NameOf(exercise) + ": " + what;
    };
    const std::vector<PointChange> changes = EffectiveChanges(exercise, cell);
    for (const PointChange& change : changes) add(ChangeText(change));
    // What the points that somebody set have replaced.
    if (changes.size() == cell.changes.size()) continue;
    for (const std::string& item : ItemTexts(exercise, cell)) add(item);
  }
  return CsvField(text);
}

std::string CommentsField(const ClassGrades& grades, const StudentGrades& student) {
  std::string text;
  const auto add = [&](const std::string& place, const GradeComment& comment) {
    text += (text.empty() ? "" : "; ") + place + PlaceOfComment(comment) + comment.text;
  };
  for (const GradeComment& comment : student.comments) add("", comment);
  for (std::size_t i = 0; i < student.cells.size(); ++i) {
    for (const GradeComment& comment : student.cells[i].comments) {
      add(NameOf(grades.exercises[i]) + ": ", comment);
    }
  }
  return CsvField(text);
}

std::string StudentLine(const ClassGrades& grades, const StudentGrades& student) {
  std::vector<std::string> fields = {CsvField(student.name),
                                     student.complete ? CsvNumber(student.points) : CsvField("not graded"),
                                     CsvNumber(grades.max_points)};
  for (const GradeCell& cell : student.cells) fields.push_back(CellField(cell));
  for (const State state : {State::kMissing, State::kUnusable, State::kNotGraded}) {
    fields.push_back(CountField(student, state));
  }
  fields.push_back(RemarksField(grades, student));
  const RosterFields& roster = student.roster;
  for (const std::string* each : {&roster.id, &roster.login, &roster.email, &roster.section}) {
    fields.push_back(CsvField(*each));
  }
  fields.push_back(student.complete ? CsvNumber(student.automatic) : CsvField("not graded"));
  fields.push_back(ChangesField(grades, student));
  fields.push_back(CommentsField(grades, student));
  for (const GradeCell& cell : student.cells) {
    fields.push_back(cell.state == State::kGraded ? CsvNumber(cell.automatic) : "");
  }
  for (const ClassExercise& exercise : grades.exercises) fields.push_back(CsvNumber(exercise.max_points));
  if (HasLateDays(grades)) {
    const LateDays days = student.late_days.value_or(LateDays{});
    fields.push_back(std::to_string(days.used));
    fields.push_back(std::to_string(days.left));
  }
  return CsvLine(fields);
}

}  // namespace

std::vector<Oddity> OdditiesOf(const ClassGrades& grades, const GradeCell& cell) {
  if (cell.state != State::kGraded || !cell.text) return {};
  const ExerciseResult& result = grades.texts[*cell.text].result;
  std::vector<Oddity> found;
  if (result.verdict == Verdict::kForbiddenSymbol) found.push_back(Oddity::kForbidden);
  if (std::ranges::any_of(result.tests, MayBeOfHost)) found.push_back(Oddity::kByHost);
  if (cell.is_starter) found.push_back(Oddity::kStarter);
  if (!WhyUnread(grades, cell).empty()) found.push_back(Oddity::kUnread);
  return found;
}

std::string ChangeText(const PointChange& change) {
  const std::string sign = change.delta < 0 ? "" : "+";
  const std::string points = change.delta == 0 ? "" : sign + CsvNumber(change.delta) + " points: ";
  return points + change.reason + (change.author.empty() ? "" : " (" + change.author + ")");
}

std::string GroupText(const GroupScore& group) {
  const std::string title = !group.title.empty() ? group.title : group.is_speed ? "Speed" : "Tests";
  const std::string points =
      title + ": " + CsvNumber(group.points) + " of " + CsvNumber(group.max_points) + " points";
  if (group.is_speed) return points;
  return points + ", " + std::to_string(group.passed) + " of " + Counted(group.counted, "test") +
         (group.counted == 1 ? " that counts" : " that count");
}

bool RubricCounts(const ClassExercise& exercise, const GradeCell& cell) {
  const auto changed_by = [&](PointChange::Kind kind) {
    return std::ranges::any_of(cell.changes, [&](const PointChange& each) {
      return each.kind == kind && RoundPoints(each.delta) != 0;
    });
  };
  double sum = 0;
  for (const RubricItem* each : ItemsOf(exercise, cell)) sum += each->points;
  return !changed_by(PointChange::Kind::kOverride) &&
         (changed_by(PointChange::Kind::kRubric) || RoundPoints(sum) == 0);
}

std::vector<PointChange> EffectiveChanges(const ClassExercise& exercise, const GradeCell& cell) {
  std::vector<PointChange> changes = cell.changes;
  const bool is_set = !changes.empty() && changes.back().kind == PointChange::Kind::kOverride;
  if (!is_set || RubricCounts(exercise, cell)) return changes;
  double replaced = 0;
  std::erase_if(changes, [&](const PointChange& each) {
    if (each.kind != PointChange::Kind::kRubric) return false;
    replaced += each.delta;
    return true;
  });
  changes.back().delta = RoundPoints(changes.back().delta + replaced);
  return changes;
}

std::vector<std::string> ItemTexts(const ClassExercise& exercise, const GradeCell& cell) {
  const bool counts = RubricCounts(exercise, cell);
  std::vector<std::string> texts;
  for (const RubricItem* each : ItemsOf(exercise, cell)) {
    texts.push_back(each->title + " (" + (each->points < 0 ? "" : "+") + CsvNumber(each->points) +
                    (counts || each->points == 0 ? ")" : ", no effect)"));
  }
  return texts;
}

std::vector<std::string> ExcludedWithoutEffect(const ClassGrades& grades, const ClassExercise& exercise,
                                               const GradeCell& cell) {
  const auto is_exclusion = [](const PointChange& each) {
    return each.kind == PointChange::Kind::kExcludedTest;
  };
  if (cell.state != State::kGraded || std::ranges::any_of(cell.changes, is_exclusion)) return {};
  std::vector<std::string> texts;
  for (const ExcludedTest& each : exercise.excluded) {
    const auto& tests = grades.texts[*cell.text].result.tests;
    const auto test = std::ranges::find(tests, each.name, &TestResult::name);
    if (test == tests.end()) continue;
    const std::string title = GroupedEnglish(test->title);
    texts.push_back((title.empty() ? each.name : "the test '" + title + "'") +
                    " counts for nobody (no effect): " + each.reason);
  }
  return texts;
}

std::string GradesCsv(const ClassGrades& grades) {
  std::string text = HeaderLine(grades);
  for (const StudentGrades& student : grades.students) text += StudentLine(grades, student);
  return text;
}

}  // namespace warplings
