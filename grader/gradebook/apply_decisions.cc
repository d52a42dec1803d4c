// SPDX-License-Identifier: Apache-2.0
#include "grader/gradebook/apply_decisions.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
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

/// Without blanks and carriage returns at their ends, which editors change.
std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    lines.push_back(line.substr(0, line.find_last_not_of(" \t\r") + 1));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

using Lines = std::span<const std::string_view>;

/// Where a line of `before` is in `after`, by a longest common subsequence of both; all count from 0.
std::optional<std::size_t> Aligned(Lines before, Lines after, std::size_t line) {
  constexpr std::size_t kMost = 4'000'000;
  const auto differs = std::ranges::mismatch(before, after);
  const auto same = static_cast<std::size_t>(differs.in1 - before.begin());
  if (line < same) return line;
  before = before.subspan(same);
  after = after.subspan(same);
  line -= same;
  const auto from_end = [](Lines lines) { return std::views::reverse(lines); };
  const auto ends = std::ranges::mismatch(from_end(before), from_end(after));
  const auto tail = static_cast<std::size_t>(ends.in1 - from_end(before).begin());
  if (line >= before.size() - tail) return same + after.size() - (before.size() - line);
  before = before.first(before.size() - tail);
  after = after.first(after.size() - tail);
  const std::size_t rows = before.size(), columns = after.size();
  if (rows * columns > kMost) return std::nullopt;
  // The length for before[i..] and after[j..].
  std::vector<std::uint32_t> length((rows + 1) * (columns + 1));
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
    return length[i * (columns + 1) + j];
  };
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t j = columns; j-- > 0;) {
      at(i, j) = before[i] == after[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    }
  }
  for (std::size_t i = 0, j = 0; i <= line && j < columns;) {
    if (before[i] == after[j]) {
      if (i == line) return same + j;
      ++i, ++j;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      ++i;
    } else {
      ++j;
    }
  }
  return std::nullopt;
}

/// Where the commented line is now, from 1; 0 if it is gone. If the file is known in which the comment was
/// written: where an edit of that file left the line, else where it went if there is only one of its kind.
/// If it is not known: under its number, else where it is the only one of its kind.
std::size_t FindLine(const std::string& source, const Decision& decision) {
  const std::vector<std::string_view> now = LinesOf(source), then = LinesOf(decision.file_text);
  const std::vector<std::string_view> quote = LinesOf(decision.quote);
  const std::string_view wanted = quote.empty() ? "" : quote.front();
  const std::size_t number = decision.line > 0
                                 ? decision.line
                                 : static_cast<std::size_t>(std::strtoul(decision.test.c_str(), nullptr, 10));
  const auto is_at = [&](const std::vector<std::string_view>& lines) {
    return number > 0 && number <= lines.size() && lines[number - 1] == wanted;
  };
  const bool is_known = is_at(then);
  if (is_known) {
    if (const auto line = Aligned(then, now, number - 1)) return *line + 1;
  } else if (is_at(now)) {
    return number;
  }
  if (is_known && std::ranges::count(then, wanted) > 1) return 0;
  const auto only = std::ranges::find(now, wanted);
  return std::ranges::count(now, wanted) == 1 ? static_cast<std::size_t>(only - now.begin()) + 1 : 0;
}

GradeComment LineComment(const Decision& decision, const ClassGrades& grades, const GradeCell& cell) {
  GradeComment comment{"", decision.text, decision.author, decision.when, decision.test, decision.quote};
  if (cell.text) comment.shown_at = FindLine(grades.texts[*cell.text].result.source, decision);
  return comment;
}

constexpr std::string_view kOf = " of ";

/// What the decision was made about, without how many points there were.
std::string_view AboutIn(const Decision& decision) {
  const std::string_view quote = decision.quote;
  return quote.substr(0, quote.find(kOf));
}

/// How many points there were, as CsvNumber() writes them; "" if an older version stored the decision.
std::string_view MaximumIn(const Decision& decision) {
  const std::size_t of = decision.quote.find(kOf);
  return of == decision.quote.npos ? "" : std::string_view(decision.quote).substr(of + kOf.size());
}

/// Whether the cell's points were decided when something else had been handed in. Of what an older version
/// stored, or is not graded yet, nobody knows.
bool IsOutdated(const Decision& decision, const GradeCell& cell) {
  const std::string about = DecidedAbout(cell);
  return !AboutIn(decision).empty() && !about.empty() && AboutIn(decision) != about;
}

/// Points replace what the rubric adds up to: if they are about the graded file, nothing is out of date, and
/// if about an earlier one, they are. Of what an older version stored, nobody knows that.
void NoteWhatPointsAreAbout(const Decision& decision, double max_points, GradeCell& cell) {
  const std::string_view most = MaximumIn(decision);
  if (!most.empty() && most != CsvNumber(max_points))
    cell.decided_of = std::strtod(std::string(most).c_str(), nullptr);
  if (AboutIn(decision).empty() || DecidedAbout(cell).empty()) return;
  cell.is_decided_before = IsOutdated(decision, cell);
  cell.items_before.clear();
}

void ApplyToCell(const Decision& decision, const ClassGrades& grades, const ClassExercise& exercise,
                 GradeCell& cell) {
  switch (decision.kind) {
    case Decision::Kind::kPoints:
      NoteWhatPointsAreAbout(decision, exercise.max_points, cell);
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
    if (IsOutdated(*mark, cell)) {
      cell.is_decided_before = change.is_outdated = true;
      cell.items_before.push_back(item->title);
    }
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

std::string PointsDecidedAbout(const GradeCell& cell, double max_points) {
  return DecidedAbout(cell) + std::string(kOf) + CsvNumber(max_points);
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
      ApplyToCell(decision, grades, grades.exercises[static_cast<std::size_t>(cell - student->cells.data())],
                  *cell);
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
