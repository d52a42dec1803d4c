// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/exercise_result.h"
#include "grader/core/unplaced_entry.h"

namespace warplings {

/// A source text that was graded once. Several students may have handed in the same text.
struct GradedText {
  ExerciseResult result;    ///< Without launches: only the verb `report` shows these.
  std::string report;       ///< What the student would see in a terminal, without colour and seed.
  std::string graded_at{};  ///< 2026-10-01T12:00:00Z
};

/// One reason why a cell's points differ from those that the grader gave: GradeCell::points is `automatic`
/// plus all deltas.
struct PointChange {
  enum class Kind {
    kLate,          ///< A deduction by the course's late rule.
    kAttemptRule,   ///< The attempt that was graded is not the one that counts, or none counts.
    kExcludedTest,  ///< A test was excluded for the whole class.
    kRubric,        ///< Items of the rubric hold.
    kOverride,      ///< A person set the points.
  };
  Kind kind = Kind::kLate;
  double delta = 0;          ///< Points, at the assignment's scale.
  std::string reason;        ///< A sentence: "26 h late: 2 days at 10 %".
  std::string author;        ///< Who decided; empty for a rule of the course.
  std::string when;          ///< Time of the decision, like 2026-10-01T12:00:00Z; empty for a rule.
  bool is_outdated = false;  ///< Decided of a file that was handed in earlier than the one that is graded.
};

/// What some of a result's tests earned, at the assignment's scale and before deductions: those of a rubric's
/// group, or all that count where points are in proportion to them.
struct GroupScore {
  std::string title;  ///< Empty if the rule has no groups.
  double points = 0, max_points = 0;
  std::size_t passed = 0, counted = 0;  ///< Tests.
  bool is_speed = false;                ///< What the measured speed earned; without tests.
};

/// A comment that somebody wrote to a student.
struct GradeComment {
  std::string test;  ///< GoogleTest's name; empty for the whole exercise, or a line.
  std::string text, author, when;
  std::string line{};   ///< The number under which it was written, which names it; "42.2" is a second one
                        ///< of line 42. Empty if it is not about a line.
  std::string quote{};  ///< That line.
  std::size_t shown_at = 0;  ///< Where that line is in the graded text; 0 if it is gone.
};

/// An item of an exercise's rubric.
struct RubricItem {
  std::string id, title;
  double points = 0;
  std::string author, when;
};

/// What a comment is about, in front of its text: "line 23: ", "Tiled.Width15: ", or "".
inline std::string PlaceOfComment(const GradeComment& comment) {
  if (comment.shown_at > 0) return "line " + std::to_string(comment.shown_at) + ": ";
  // "42.2" was written at line 42, too.
  if (!comment.line.empty()) {
    return "line " + comment.line.substr(0, comment.line.find('.')) + " of an earlier version: ";
  }
  return comment.test.empty() ? "" : comment.test + ": ";
}

/// A student's request to look at an exercise again.
struct RegradeRequest {
  std::string text, answer;  ///< The answer is empty while the request is open.
  bool is_open = true;
  std::string author, when;  ///< Of the latest message.
};

/// Somebody has looked at a student's exercise.
struct ReviewMark {
  std::string author, when;
  bool is_outdated = false;  ///< Something else is graded now than what was looked at.
};

/// The grade of one student for one exercise.
struct GradeCell {
  enum class State {
    kGraded,
    kMissing,
    kUnusable,   ///< Something was handed in that cannot be graded; `problem` says why.
    kNotGraded,  ///< The grader failed, or has not got to it yet. Never counts as zero points.
  };
  State state = State::kMissing;
  std::string file;
  std::string problem;
  bool is_waiting = false;             ///< Not graded, because the grading ended before it got to this.
  std::optional<std::size_t> text;     ///< Index into ClassGrades::texts; also set where the grader failed.
  double points = 0;                   ///< The final points.
  double automatic = 0;                ///< The grader's points at the assignment's scale, before `changes`.
  std::vector<PointChange> changes{};  ///< In the order in which they were applied.
  /// Time of the attempt that counts, in seconds since 1970, UTC.
  std::optional<std::int64_t> handed_in_at{};
  std::int64_t late_seconds = 0;  ///< Seconds after the due date; the grace period is not subtracted.
  bool is_within_grace = false;   ///< Late, but within the grace period.
  bool is_closed = false;         ///< Handed in after the assignment was closed.
  bool passed = false;            ///< Every test that counts passed.
  std::vector<GradeComment> comments{};
  std::optional<RegradeRequest> regrade{};
  std::vector<std::string> marks{};  ///< Ids of the rubric's items that hold.
  std::optional<ReviewMark> reviewed{};
  bool is_starter = false;  ///< What was handed in is the starter, as it was given out.
  /// Somebody gave these points, or items of the rubric, to an earlier file than the one that is graded, and
  /// nobody has given points to this one.
  bool is_decided_before = false;
  /// The exercise's points when somebody gave the cell these, if it has others now.
  std::optional<double> decided_of{};
  /// Titles of the items, if it is they that are out of date.
  std::vector<std::string> items_before{};
  /// SHA-256 of what was handed in: of the file that is graded and its answers, or of why nothing can be
  /// graded. Empty if nothing was handed in, or if it is not graded yet.
  std::string hash{};
  std::vector<GroupScore> groups{};  ///< How `automatic` came about, if not by all tests or none.

  /// True if nobody has given points to what the grading did not get to.
  bool IsUnfinished() const { return is_waiting && !HasPoints(); }
  /// True if `points` is a grade: given by the grader or set by a person.
  bool HasPoints() const { return state == State::kGraded || IsOverridden(); }
  bool IsOverridden() const {
    return !changes.empty() && changes.back().kind == PointChange::Kind::kOverride;
  }
};

/// A student's entry in the course's roster. Every field may be empty.
struct RosterFields {
  std::string id, login, email, section;
  /// The number that the LMS gives the student, if it differs from `id`: Canvas's "ID".
  std::string lms_id{};
};

/// A student's free late days in this course.
struct LateDays {
  std::int64_t before = 0;  ///< Used by earlier assignments.
  std::int64_t used = 0;    ///< Used by this one.
  std::int64_t left = 0;    ///< After this one.
};

struct StudentGrades {
  std::string name;
  std::string page;  ///< File name, without extension, of the student's page; also the name of the student's
                     ///< folder for Gradescope.
  std::string handed_in_as;
  std::vector<std::string> remarks;
  std::vector<GradeCell> cells;  ///< One for each of ClassGrades::exercises.
  double points = 0;
  bool complete = true;  ///< False if some exercise is not graded yet; then `points` is not final.
  double automatic = 0;  ///< Sum of the cells' automatic points.
  RosterFields roster;
  /// Why this entry is nobody's of the roster, to be read after the name; such an entry is graded, and is not
  /// counted among the students. Empty if it is a student's.
  std::string unmatched{};
  std::string participant{};            ///< Number in Moodle's grading worksheet; empty if that is not known.
  std::optional<LateDays> late_days{};  ///< Missing if the course has none.
  std::optional<std::int64_t> handed_in_at{};  ///< The latest time among the cells.
  std::optional<std::int64_t> due{};           ///< This student's due date, which may be an extension's.
  std::vector<GradeComment> comments{};        ///< On the assignment as a whole.
};

/// How many students passed a test, of those whose file ran.
struct TestRate {
  std::string name;
  Message title;
  std::size_t passed = 0, total = 0;
  bool excluded = false;  ///< Excluded for the whole class.
};

/// A test that was excluded for the whole class, and why.
struct ExcludedTest {
  std::string name, reason, author, when;
  std::string title{};  ///< As reports call it; empty where that is not known.
};

/// The students in whose work a misconception was recognised.
struct MisconceptionRate {
  std::string id, title, message;
  std::vector<std::size_t> students;  ///< Indices into ClassGrades::students.
};

struct ClassExercise {
  std::string chapter, chapter_title, id, title;
  std::string starter;   ///< The starter's text; empty if unknown.
  std::string solution;  ///< The workbook's; empty if there is none.
  std::vector<std::string>
      starter_fails{};  ///< Tests; to pass any other one earns nothing. Empty if unknown.
  double max_points = 0;
  std::size_t graded = 0, passed = 0, missing = 0, unusable = 0, not_graded = 0;  ///< Numbers of students.
  /// Of `graded`, and not counted by `tests`: did not compile or link, …
  std::size_t not_built = 0;
  std::size_t forbidden = 0;    ///< … or was refused before it ran, because it uses a forbidden call.
  std::vector<TestRate> tests;  ///< In the suite's order.
  std::vector<MisconceptionRate> misconceptions;  ///< The most frequent first; none of unchanged starters.
  std::vector<ExcludedTest> excluded{};
  std::vector<RubricItem> rubric{};  ///< In the order of their ids.
};

/// The grades of a whole class, from which the gradebook's exports and the class report are made.
struct ClassGrades {
  std::string device;
  std::uint64_t seed = 0;
  std::string course_title, assignment_title;  ///< Empty if the class is graded without a course.
  std::string time_zone = "UTC";               ///< The course's, as named in the IANA database.
  /// Due date in seconds since 1970; ignores extensions of single students.
  std::optional<std::int64_t> due{};
  double max_points = 0;
  std::vector<ClassExercise> exercises;
  std::vector<GradedText> texts;
  std::vector<StudentGrades> students;  ///< With entries that are nobody's of the roster.
  std::vector<UnplacedEntry> unplaced;

  /// How many of `students`, with entries that are nobody's, have something that the grading did not get to.
  std::size_t CountUnfinished() const {
    std::size_t count = 0;
    for (const StudentGrades& each : students) {
      bool is_unfinished = false;
      for (const GradeCell& cell : each.cells) is_unfinished = is_unfinished || cell.IsUnfinished();
      count += is_unfinished;
    }
    return count;
  }

  /// How many of `students` are students.
  std::size_t CountStudents() const {
    std::size_t count = 0;
    for (const StudentGrades& each : students) count += each.unmatched.empty();
    return count;
  }
};

}  // namespace warplings
