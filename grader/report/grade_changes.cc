// SPDX-License-Identifier: Apache-2.0
#include "grader/report/grade_changes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "grader/base/catalogue.h"
#include "grader/base/csv.h"
#include "grader/base/text.h"
#include "grader/core/round_points.h"
#include "grader/core/student_identity.h"
#include "grader/messages/report.h"
#include "grader/report/grades_csv.h"
#include "grader/report/result_words.h"

namespace warplings {
namespace {

GradeState StateOfCell(const ClassGrades& grades, const GradeCell& cell) {
  GradeState state;
  switch (cell.state) {
    case GradeCell::State::kMissing: state.verdict = "missing"; break;
    case GradeCell::State::kUnusable: state.verdict = "cannot be graded"; break;
    case GradeCell::State::kNotGraded: state.verdict = "not graded"; break;
    case GradeCell::State::kGraded:
      state.verdict = cell.passed ? "passed" : VerdictWords(grades.texts[*cell.text].result);
      break;
  }
  // Who handed in nothing has 0 points, and that is final.
  if (cell.state != GradeCell::State::kNotGraded || cell.HasPoints()) state.points = RoundPoints(cell.points);
  state.automatic = RoundPoints(cell.automatic);
  return state;
}

std::string FullNameOf(const ClassExercise& exercise) {
  return exercise.chapter + "/" + exercise.id;
}

/// The exercises of both, in the order of the later grading; what only the earlier one has comes last.
std::vector<std::string> ExercisesOf(const ClassGrades& before, const ClassGrades& after) {
  std::vector<std::string> names;
  for (const ClassGrades* each : {&after, &before}) {
    for (const ClassExercise& exercise : each->exercises) {
      if (std::ranges::count(names, FullNameOf(exercise)) == 0) names.push_back(FullNameOf(exercise));
    }
  }
  return names;
}

/// A cell with the changes that had an effect, as grades.csv has them.
struct ChangedCell {
  const GradeCell* cell = nullptr;
  std::vector<PointChange> changes;
};
using ChangedCells = std::map<std::string, ChangedCell>;

ChangedCells CellsByExercise(const ClassGrades& grades, const StudentGrades& student) {
  ChangedCells cells;
  for (std::size_t i = 0; i < student.cells.size(); ++i) {
    const ClassExercise& exercise = grades.exercises[i];
    cells[FullNameOf(exercise)] = {&student.cells[i], EffectiveChanges(exercise, student.cells[i])};
  }
  return cells;
}

/// The new ones: what was deducted before is known.
std::vector<std::string> NewReasons(const ChangedCell& before, const ChangedCell& after) {
  std::set<std::string> known;
  for (const PointChange& each : before.changes) known.insert(ChangeText(each));
  std::vector<std::string> reasons;
  for (const PointChange& each : after.changes) {
    if (!known.contains(ChangeText(each))) reasons.push_back(ChangeText(each));
  }
  return reasons;
}

/// Those of which there is no other of the same kind now: a deduction that is gone.
std::vector<std::string> GoneReasons(const ChangedCell& before, const ChangedCell& after) {
  std::vector<std::string> reasons;
  if (before.cell == nullptr || after.cell == nullptr) return reasons;
  for (const PointChange& each : before.changes) {
    if (each.delta != 0 && std::ranges::count(after.changes, each.kind, &PointChange::kind) == 0)
      reasons.push_back(English(say::no_longer(ChangeText(each))));
  }
  return reasons;
}

std::vector<CellChange> CompareCells(const ClassGrades& before, const StudentGrades& old,
                                     const ClassGrades& after, const StudentGrades& now) {
  const auto old_cells = CellsByExercise(before, old), new_cells = CellsByExercise(after, now);
  std::vector<CellChange> changes;
  for (const std::string& name : ExercisesOf(before, after)) {
    const auto was = old_cells.find(name), is = new_cells.find(name);
    const ChangedCell old_cell = was == old_cells.end() ? ChangedCell{} : was->second;
    const ChangedCell new_cell = is == new_cells.end() ? ChangedCell{} : is->second;
    CellChange change{name, {"not asked for", {}, 0}, {"not asked for", {}, 0}, {}};
    if (old_cell.cell != nullptr) change.before = StateOfCell(before, *old_cell.cell);
    if (new_cell.cell != nullptr) change.after = StateOfCell(after, *new_cell.cell);
    if (change.before == change.after) continue;
    change.reasons = NewReasons(old_cell, new_cell);
    std::ranges::move(GoneReasons(old_cell, new_cell), std::back_inserter(change.reasons));
    changes.push_back(std::move(change));
  }
  return changes;
}

/// A course that has late days only in one of the two gradings differs where they are used.
bool HaveOtherDays(const StudentGrades& before, const StudentGrades& after) {
  const LateDays was = before.late_days.value_or(LateDays{}), is = after.late_days.value_or(LateDays{});
  return was.used != is.used || (before.late_days && after.late_days && was.left != is.left);
}

std::optional<double> FinalPoints(const StudentGrades& student) {
  return student.complete ? std::optional(RoundPoints(student.points)) : std::nullopt;
}

std::string Shown(const std::optional<double>& points) {
  return points ? CsvNumber(*points) : "?";
}

/// Names and reasons may hold line breaks; here each has one line.
std::string OnOneLine(std::string_view text) {
  std::string line = Printable(text);
  std::ranges::replace(line, '\n', ' ');
  return line;
}

/// "10 -> 7.5", or "10" where it stays.
std::string Arrow(const std::string& before, const std::string& after) {
  return before == after ? before : before + " -> " + after;
}

Message TotalOf(const StudentChange& student) {
  switch (student.kind) {
    case StudentChange::Kind::kNew: return say::student_is_new(Shown(student.after));
    case StudentChange::Kind::kGone: return say::student_is_gone(Shown(student.before));
    case StudentChange::Kind::kAssigned:
      return say::student_is_assigned(OnOneLine(student.owner), Shown(student.before));
    case StudentChange::Kind::kNobodys:
      return say::student_is_nobodys(OnOneLine(student.unmatched), Shown(student.before));
    case StudentChange::Kind::kChanged: break;
  }
  const std::string points = Arrow(Shown(student.before), Shown(student.after));
  const Message total =
      student.before == student.after ? say::points_as_before(points) : say::points_of_student(points);
  return student.former_name.empty()
             ? total
             : Message(say::student_is_renamed(OnOneLine(student.former_name), total));
}

std::string CellLines(const StudentChange& student) {
  std::vector<std::vector<std::string>> rows;
  for (const CellChange& each : student.cells) {
    std::string points = Arrow(Shown(each.before.points), Shown(each.after.points));
    // A person's decision stays, and its ground may be gone.
    if (each.before.points == each.after.points && each.before.automatic != each.after.automatic) {
      points = Words(say::points_of_grader(
          points, Arrow(CsvNumber(each.before.automatic), CsvNumber(each.after.automatic))));
    }
    rows.push_back(
        {each.exercise, points, Arrow(Translated(each.before.verdict), Translated(each.after.verdict))});
    for (const std::string& reason : each.reasons) rows.push_back({"", "", OnOneLine(reason)});
  }
  return AlignColumns(rows, 2);
}

/// "free late days: 1 -> 0 used, 0 -> 1 left"
std::string DaysLine(const StudentChange& student) {
  if (!student.days_before || !student.days_after) return "";
  const auto arrow = [](std::int64_t before, std::int64_t after) {
    return Arrow(std::to_string(before), std::to_string(after));
  };
  return "  " +
         Words(say::late_days_of_student(arrow(student.days_before->used, student.days_after->used),
                                         arrow(student.days_before->left, student.days_after->left))) +
         "\n";
}

std::string MeanOf(double points, std::size_t students) {
  return students == 0 ? "-" : CsvNumber(RoundPoints(points / static_cast<double>(students)));
}

std::vector<KnownStudent> KnownIn(const ClassGrades& grades) {
  std::vector<KnownStudent> known;
  for (const StudentGrades& each : grades.students) {
    known.push_back({each.name, each.unmatched.empty() ? "" : each.handed_in_as, each.roster});
  }
  return known;
}

/// What a student who has left the roster handed in, which is nobody's now; null if it is not there.
const StudentGrades* EntryLeftBy(const StudentGrades& student, const ClassGrades& after) {
  const auto entry = std::ranges::find_if(after.students, [&](const StudentGrades& each) {
    return student.unmatched.empty() && !each.unmatched.empty() && !student.handed_in_as.empty() &&
           each.handed_in_as == student.handed_in_as;
  });
  return entry == after.students.end() ? nullptr : &*entry;
}

}  // namespace

ClassChange CompareGrades(const ClassGrades& before, const ClassGrades& after) {
  ClassChange change;
  change.students_before = before.CountStudents();
  change.students_after = after.CountStudents();
  change.max_before = RoundPoints(before.max_points);
  change.max_after = RoundPoints(after.max_points);
  std::map<const StudentGrades*, const StudentGrades*> earlier;
  const auto found = FindAgain(KnownIn(before), KnownIn(after));
  for (std::size_t i = 0; i < before.students.size(); ++i) {
    const StudentGrades& each = before.students[i];
    if (found[i]) earlier[&after.students[*found[i]]] = &each;
    if (each.unmatched.empty()) change.points_before = RoundPoints(change.points_before + each.points);
  }
  std::set<const StudentGrades*> former_owners;
  for (std::size_t i = 0; i < before.students.size(); ++i) {
    if (!found[i]) former_owners.insert(EntryLeftBy(before.students[i], after));
  }
  for (const StudentGrades& each : after.students) {
    if (each.unmatched.empty()) change.points_after = RoundPoints(change.points_after + each.points);
    const auto was = earlier.find(&each);
    // What was nobody's may be a student's by now: that student is new, and so are the points.
    const bool is_new = was == earlier.end() || (each.unmatched.empty() && !was->second->unmatched.empty());
    if (is_new && former_owners.contains(&each)) continue;  // The student is told of.
    if (is_new) {
      change.students.push_back(
          {DistinctName(after, each), StudentChange::Kind::kNew, {}, FinalPoints(each), {}});
      continue;
    }
    if (was->second->unmatched.empty() && !each.unmatched.empty()) {
      change.students.push_back({.name = DistinctName(after, each),
                                 .kind = StudentChange::Kind::kNobodys,
                                 .before = FinalPoints(*was->second),
                                 .after = {},
                                 .cells = {},
                                 .unmatched = each.unmatched});
      continue;
    }
    auto cells = CompareCells(before, *was->second, after, each);
    // The numbers behind equal names are ours.
    const bool is_renamed = NameWithoutNumber(was->second->name) != NameWithoutNumber(each.name);
    const bool has_other_days = HaveOtherDays(*was->second, each);
    if (cells.empty() && !is_renamed && !has_other_days) continue;
    change.students.push_back({DistinctName(after, each), StudentChange::Kind::kChanged,
                               FinalPoints(*was->second), FinalPoints(each), std::move(cells),
                               is_renamed ? DistinctName(before, *was->second) : ""});
    if (!has_other_days) continue;
    change.students.back().days_before = was->second->late_days.value_or(LateDays{});
    change.students.back().days_after = each.late_days.value_or(LateDays{});
  }
  for (std::size_t i = 0; i < before.students.size(); ++i) {
    if (found[i]) continue;
    const StudentGrades& each = before.students[i];
    StudentChange last{DistinctName(before, each), StudentChange::Kind::kGone, FinalPoints(each), {}, {}};
    if (const StudentGrades* entry = EntryLeftBy(each, after); entry != nullptr) {
      last.kind = StudentChange::Kind::kNobodys;
      last.unmatched = entry->unmatched;
      change.students.push_back(std::move(last));
      continue;
    }
    const auto owner = std::ranges::find_if(after.students, [&](const StudentGrades& other) {
      return !each.unmatched.empty() && other.unmatched.empty() && !each.handed_in_as.empty() &&
             other.handed_in_as == each.handed_in_as;
    });
    if (owner != after.students.end()) {
      last.kind = StudentChange::Kind::kAssigned;
      last.owner = DistinctName(after, *owner);
    }
    change.students.push_back(std::move(last));
  }
  return change;
}

namespace {

/// "2 grades of 2 students would change", and who would be new or gone, whose grades are not counted there.
std::string SumOf(const ClassChange& change, std::size_t grades) {
  const auto number_of = [&](StudentChange::Kind kind) {
    return static_cast<std::size_t>(std::ranges::count(change.students, kind, &StudentChange::kind));
  };
  const auto only_days =
      static_cast<std::size_t>(std::ranges::count_if(change.students, [](const StudentChange& each) {
        return each.days_before && each.cells.empty() && each.former_name.empty();
      }));
  const auto with_days = static_cast<std::size_t>(std::ranges::count_if(
      change.students, [](const StudentChange& each) { return each.days_before.has_value(); }));
  const auto only_names =
      static_cast<std::size_t>(std::ranges::count_if(change.students, [](const StudentChange& each) {
        return !each.former_name.empty() && each.cells.empty() && !each.days_before;
      }));
  const std::size_t changed = number_of(StudentChange::Kind::kChanged) - only_days - only_names,
                    added = number_of(StudentChange::Kind::kNew),
                    gone = number_of(StudentChange::Kind::kGone) + number_of(StudentChange::Kind::kNobodys);
  std::string text;
  const auto add = [&](const Message& line) { text += Words(line) + "\n"; };
  if (changed > 0 || change.students.empty()) {
    add(say::grades_would_change(say::Count(grades, "grade"), say::Count(changed, "student")));
  }
  if (only_names > 0) add(say::names_would_change(say::Count(only_names, "student")));
  if (with_days > 0) add(say::late_days_would_change(say::Count(with_days, "student")));
  if (added > 0) add(say::students_would_be_new(say::Count(added, "student")));
  if (gone > 0) add(say::students_would_be_gone(say::Count(gone, "student")));
  return text;
}

}  // namespace

std::string ClassChangeText(const ClassChange& change) {
  std::string text;
  std::size_t grades = 0;
  for (const StudentChange& each : change.students) {
    text += OnOneLine(each.name) + ": " + Words(TotalOf(each)) + "\n" + CellLines(each) + DaysLine(each);
    grades += each.cells.size();
  }
  if (!change.any()) return Words(say::nothing_would_change()) + "\n";
  text += (text.empty() ? "" : "\n") + SumOf(change, grades);
  text += AlignColumns(
      {{Translated("students"),
        Arrow(std::to_string(change.students_before), std::to_string(change.students_after))},
       {Translated("total points"), Arrow(CsvNumber(change.points_before), CsvNumber(change.points_after))},
       {Translated("mean"), Arrow(MeanOf(change.points_before, change.students_before),
                                  MeanOf(change.points_after, change.students_after))},
       {Translated("maximum per student"), Arrow(CsvNumber(change.max_before), CsvNumber(change.max_after))}},
      2);
  return text;
}

}  // namespace warplings
