// SPDX-License-Identifier: Apache-2.0
#include "grader/gradebook/apply_decisions.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>

#include "grader/base/csv.h"
#include "grader/core/round_points.h"
#include "grader/core/student_identity.h"

namespace warplings {
namespace {

/// Each student has a decision for each exercise once a class is reviewed, so a student is not searched for.
class StudentsByKey {
 public:
  explicit StudentsByKey(ClassGrades& grades) {
    for (StudentGrades& each : grades.students) students_.emplace(StudentKey(each), &each);
  }

  StudentGrades* Find(const Decision& decision) const {
    const auto student = students_.find(KeyOfStudent(decision));
    return student == students_.end() ? nullptr : student->second;
  }

 private:
  std::unordered_map<std::string, StudentGrades*> students_;
};

GradeCell* FindCell(const ClassGrades& grades, StudentGrades& student, const Decision& decision) {
  for (std::size_t i = 0; i < grades.exercises.size(); ++i) {
    const ClassExercise& exercise = grades.exercises[i];
    if (exercise.chapter == decision.chapter && exercise.id == decision.exercise) return &student.cells[i];
  }
  return nullptr;
}

/// Where the quoted line is now: under its number, else where it is the only one of its kind; else 0.
std::size_t FindLine(const std::string& source, std::size_t number, const std::string& quote) {
  std::vector<std::size_t> equal;
  std::size_t line = 0;
  std::istringstream lines(source);
  for (std::string text; std::getline(lines, text);) {
    ++line;
    if (text != quote) continue;
    if (line == number) return number;
    equal.push_back(line);
  }
  return equal.size() == 1 ? equal.front() : 0;
}

GradeComment LineComment(const Decision& decision, const ClassGrades& grades, const GradeCell& cell) {
  GradeComment comment{"", decision.text, decision.author, decision.when, decision.test, decision.quote};
  if (cell.text) {
    const auto number = static_cast<std::size_t>(std::strtoul(decision.test.c_str(), nullptr, 10));
    comment.shown_at = FindLine(grades.texts[*cell.text].result.source, number, decision.quote);
  }
  return comment;
}

/// Whether the cell's points were decided when something else had been handed in. Of what an older version
/// stored, or is not graded yet, nobody knows.
bool IsOutdated(const Decision& decision, const GradeCell& cell) {
  const std::string about = DecidedAbout(cell);
  return !decision.quote.empty() && !about.empty() && decision.quote != about;
}

void ApplyToCell(const Decision& decision, const ClassGrades& grades, GradeCell& cell) {
  switch (decision.kind) {
    case Decision::Kind::kPoints:
      cell.is_decided_before |= IsOutdated(decision, cell);
      ChangePoints(cell, decision.points,
                   {PointChange::Kind::kOverride, 0, decision.text, decision.author, decision.when,
                    IsOutdated(decision, cell)});
      break;
    case Decision::Kind::kComment:
      cell.comments.push_back({decision.test, decision.text, decision.author, decision.when});
      break;
    case Decision::Kind::kLine: cell.comments.push_back(LineComment(decision, grades, cell)); break;
    case Decision::Kind::kRegrade:
      cell.regrade = {decision.text, decision.answer, decision.is_open, decision.author, decision.when};
      break;
    case Decision::Kind::kReviewed:
      cell.reviewed = {decision.author, decision.when, decision.quote != cell.hash};
      break;
    case Decision::Kind::kExclusion:
    case Decision::Kind::kItem:
    case Decision::Kind::kMark: break;
  }
}

/// What the rubric's items that hold add up to. Nobody has less than nothing by them, or more than there is.
void ApplyRubric(const ClassExercise& exercise, const std::vector<const Decision*>& marks, GradeCell& cell) {
  PointChange change{PointChange::Kind::kRubric, 0, "", "", ""};
  double points = cell.points;
  for (const Decision* mark : marks) {
    const auto item = std::ranges::find(exercise.rubric, mark->test, &RubricItem::id);
    if (item == exercise.rubric.end()) continue;
    cell.marks.push_back(item->id);
    if (IsOutdated(*mark, cell)) cell.is_decided_before = change.is_outdated = true;
    points += item->points;
    change.reason += (change.reason.empty() ? "" : "; ") + item->title + " (" +
                     (item->points < 0 ? "" : "+") + CsvNumber(item->points) + ")";
    if (mark->when >= change.when) {
      change.author = mark->author;
      change.when = mark->when;
    }
  }
  if (!cell.HasPoints()) return;
  const double most = std::max(exercise.max_points, cell.points);
  ChangePoints(cell, std::clamp(points, 0.0, most), std::move(change));
}

/// Before other decisions: points that a person sets replace what the rubric adds up to.
void ApplyRubrics(const std::vector<Decision>& decisions, const StudentsByKey& students,
                  const ClassGrades& grades) {
  std::map<GradeCell*, std::vector<const Decision*>> marks;
  std::map<GradeCell*, const ClassExercise*> exercises;
  for (const Decision& each : decisions) {
    if (each.kind != Decision::Kind::kMark) continue;
    StudentGrades* student = students.Find(each);
    GradeCell* cell = student == nullptr ? nullptr : FindCell(grades, *student, each);
    if (cell == nullptr) continue;
    marks[cell].push_back(&each);
    exercises[cell] = &grades.exercises[static_cast<std::size_t>(cell - student->cells.data())];
  }
  for (const auto& [cell, of_cell] : marks) ApplyRubric(*exercises[cell], of_cell, *cell);
}

void AddUp(StudentGrades& student) {
  student.points = student.automatic = 0;
  student.complete = true;
  for (const GradeCell& cell : student.cells) {
    // Sums of hundredths are none: 0.1 + 0.2 is 0.30000000000000004.
    student.points = RoundPoints(student.points + cell.points);
    student.automatic = RoundPoints(student.automatic + cell.automatic);
    if (cell.state == GradeCell::State::kNotGraded && !cell.HasPoints()) student.complete = false;
  }
}

}  // namespace

std::vector<ExcludedTest> ExcludedTests(const std::vector<Decision>& decisions, const std::string& chapter,
                                        const std::string& exercise) {
  std::vector<ExcludedTest> excluded;
  for (const Decision& each : decisions) {
    if (each.kind == Decision::Kind::kExclusion && each.chapter == chapter && each.exercise == exercise) {
      excluded.push_back({each.test, each.text, each.author, each.when});
    }
  }
  return excluded;
}

std::string DecidedAbout(const GradeCell& cell) {
  if (!cell.hash.empty()) return cell.hash;
  return cell.state == GradeCell::State::kMissing ? "nothing" : "";
}

void ChangePoints(GradeCell& cell, double points, PointChange change) {
  change.delta = RoundPoints(points - cell.points);
  if (change.delta == 0 && change.kind != PointChange::Kind::kOverride) return;
  cell.points = RoundPoints(points);
  cell.changes.push_back(std::move(change));
}

PointChange ExclusionChange(const std::vector<ExcludedTest>& excluded) {
  PointChange change{PointChange::Kind::kExcludedTest, 0, "", "", ""};
  for (const ExcludedTest& each : excluded) {
    const std::string called = each.title.empty() ? each.name : "the test '" + each.title + "'";
    change.reason += (change.reason.empty() ? "" : "; ") + called + " counts for nobody: " + each.reason;
    change.author = each.author;
    change.when = std::max(change.when, each.when);
  }
  return change;
}

std::vector<RubricItem> RubricOf(const std::vector<Decision>& decisions, const std::string& chapter,
                                 const std::string& exercise) {
  std::vector<RubricItem> rubric;
  for (const Decision& each : decisions) {
    if (each.kind == Decision::Kind::kItem && each.chapter == chapter && each.exercise == exercise) {
      rubric.push_back({each.test, each.text, each.points, each.author, each.when});
    }
  }
  // "2" before "10".
  std::ranges::stable_sort(rubric, {},
                           [](const RubricItem& item) { return std::pair(item.id.size(), item.id); });
  return rubric;
}

void ApplyDecisions(const std::vector<Decision>& decisions, ClassGrades& grades) {
  for (ClassExercise& exercise : grades.exercises) {
    exercise.rubric = RubricOf(decisions, exercise.chapter, exercise.id);
  }
  const StudentsByKey students(grades);
  ApplyRubrics(decisions, students, grades);
  for (const Decision& decision : decisions) {
    StudentGrades* student = students.Find(decision);
    if (student == nullptr) continue;
    if (decision.exercise.empty() && decision.kind == Decision::Kind::kComment) {
      student->comments.push_back({"", decision.text, decision.author, decision.when});
    } else if (GradeCell* cell = FindCell(grades, *student, decision); cell != nullptr) {
      ApplyToCell(decision, grades, *cell);
    }
  }
  for (StudentGrades& student : grades.students) {
    for (GradeCell& cell : student.cells) {
      std::ranges::stable_sort(cell.comments, {}, &GradeComment::shown_at);
    }
    AddUp(student);
  }
}

}  // namespace warplings
