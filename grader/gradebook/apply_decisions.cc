// SPDX-License-Identifier: Apache-2.0
#include "grader/gradebook/apply_decisions.h"

#include <algorithm>

#include "grader/core/round_points.h"

namespace warplings {
namespace {

StudentGrades* FindStudent(ClassGrades& grades, const std::string& name) {
  const auto student = std::ranges::find(grades.students, name, &StudentGrades::name);
  return student == grades.students.end() ? nullptr : &*student;
}

GradeCell* FindCell(const ClassGrades& grades, StudentGrades& student, const Decision& decision) {
  for (std::size_t i = 0; i < grades.exercises.size(); ++i) {
    const ClassExercise& exercise = grades.exercises[i];
    if (exercise.chapter == decision.chapter && exercise.id == decision.exercise) return &student.cells[i];
  }
  return nullptr;
}

void ApplyToCell(const Decision& decision, GradeCell& cell) {
  switch (decision.kind) {
    case Decision::Kind::kPoints:
      ChangePoints(cell, decision.points,
                   {PointChange::Kind::kOverride, 0, decision.text, decision.author, decision.when});
      break;
    case Decision::Kind::kComment:
      cell.comments.push_back({decision.test, decision.text, decision.author, decision.when});
      break;
    case Decision::Kind::kRegrade:
      cell.regrade = {decision.text, decision.answer, decision.is_open, decision.author, decision.when};
      break;
    case Decision::Kind::kExclusion: break;
  }
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

void ChangePoints(GradeCell& cell, double points, PointChange change) {
  change.delta = RoundPoints(points - cell.points);
  if (change.delta == 0 && change.kind != PointChange::Kind::kOverride) return;
  cell.points = RoundPoints(points);
  cell.changes.push_back(std::move(change));
}

PointChange ExclusionChange(const std::vector<ExcludedTest>& excluded) {
  PointChange change{PointChange::Kind::kExcludedTest, 0, "", "", ""};
  for (const ExcludedTest& each : excluded) {
    change.reason += (change.reason.empty() ? "" : "; ") + each.name + " counts for nobody: " + each.reason;
    change.author = each.author;
    change.when = std::max(change.when, each.when);
  }
  return change;
}

void ApplyDecisions(const std::vector<Decision>& decisions, ClassGrades& grades) {
  for (const Decision& decision : decisions) {
    StudentGrades* student = FindStudent(grades, decision.student);
    if (student == nullptr) continue;
    if (decision.exercise.empty() && decision.kind == Decision::Kind::kComment) {
      student->comments.push_back({"", decision.text, decision.author, decision.when});
    } else if (GradeCell* cell = FindCell(grades, *student, decision); cell != nullptr) {
      ApplyToCell(decision, *cell);
    }
  }
  for (StudentGrades& student : grades.students) AddUp(student);
}

}  // namespace warplings
