// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/exercise_result.h"

namespace warplings {

/// A text that was graded, which several students may have handed in.
struct GradedText {
  ExerciseResult result;    ///< Without its launches, which only `report` shows.
  std::string report;       ///< What the student would see in a terminal, without colour.
  std::string graded_at{};  ///< 2026-10-01T12:00:00Z
};

/// Why a cell's points are not those that the grader gave: `points` is `automatic` and all deltas.
struct PointChange {
  enum class Kind {
    kLate,          ///< A deduction by the course's late rule.
    kAttemptRule,   ///< Another attempt than the graded one counts, or none.
    kExcludedTest,  ///< A test counts for nobody.
    kOverride,      ///< Somebody decided.
  };
  Kind kind = Kind::kLate;
  double delta = 0;    ///< Points, at the assignment's scale.
  std::string reason;  ///< A sentence: "26 h late: 2 days at 10 %".
  std::string author;  ///< Who decided; empty for a rule of the course.
  std::string when;    ///< Of the decision, as 2026-10-01T12:00:00Z; empty for a rule.
};

/// What somebody wrote to a student.
struct GradeComment {
  std::string test;  ///< GoogleTest's name; empty for the whole exercise.
  std::string text, author, when;
};

/// A student's request to look at an exercise again.
struct RegradeRequest {
  std::string text, answer;  ///< The answer is empty while it is open.
  bool is_open = true;
  std::string author, when;  ///< Of the last who wrote.
};

/// One student's one exercise.
struct GradeCell {
  enum class State {
    kGraded,
    kMissing,
    kUnusable,   ///< Something was handed in that cannot be graded; `problem` says why.
    kNotGraded,  ///< A fault of the grader's, or not reached yet: never a zero.
  };
  State state = State::kMissing;
  std::string file;
  std::string problem;
  std::optional<std::size_t> text;  ///< Number in ClassGrades::texts; also of a fault of the grader's.
  double points = 0;                ///< Final: what counts.
  double automatic = 0;  ///< The grader's own, at the assignment's scale; `points` before `changes`.
  std::vector<PointChange> changes{};          ///< In the order in which they were applied.
  std::optional<std::int64_t> handed_in_at{};  ///< Of the attempt that counts: seconds since 1970, UTC.
  std::int64_t late_seconds = 0;               ///< After the due date; grace is not taken off.
  bool passed = false;                         ///< Every test that counts passed.
  std::vector<GradeComment> comments{};
  std::optional<RegradeRequest> regrade{};

  /// True where `points` is a grade: it was graded, or somebody decided.
  bool HasPoints() const { return state == State::kGraded || IsOverridden(); }
  bool IsOverridden() const {
    return !changes.empty() && changes.back().kind == PointChange::Kind::kOverride;
  }
};

/// What a course's roster says of a student. Every field may be empty.
struct RosterFields {
  std::string id, login, email, section;
  std::string lms_id{};  ///< The LMS's own number, where it differs from `id`: Canvas's "ID".
};

struct StudentGrades {
  std::string name;
  std::string page;  ///< A file name without ending: of the student's page, and of the folder for Gradescope.
  std::string handed_in_as;
  std::vector<std::string> remarks;
  std::vector<GradeCell> cells;  ///< One for each of ClassGrades::exercises.
  double points = 0;
  bool complete = true;  ///< False: an exercise is not graded, and `points` is not final.
  double automatic = 0;  ///< Sum of the cells' automatic points.
  RosterFields roster;
  std::optional<std::int64_t> handed_in_at{};  ///< The latest of the cells'.
  std::vector<GradeComment> comments{};        ///< On all of it.
};

/// Something in the class's folder that is nobody's work, or not known to be somebody's.
struct UnplacedEntry {
  std::string name;    ///< As it is called there, fit to print.
  std::string reason;  ///< To be read after the name: "is neither a folder nor an archive".
  std::string advice;  ///< A sentence: what to do.

  bool operator==(const UnplacedEntry&) const = default;
};

/// How many of those whose file ran passed a test.
struct TestRate {
  std::string name, title;
  std::size_t passed = 0, total = 0;
  bool excluded = false;  ///< It counts for nobody.
};

/// A test that counts for nobody, and why.
struct ExcludedTest {
  std::string name, reason, author, when;
};

/// Who was met with a misconception.
struct MisconceptionRate {
  std::string id, title, message;
  std::vector<std::size_t> students;  ///< Numbers in ClassGrades::students.
};

struct ClassExercise {
  std::string chapter, chapter_title, id, title;
  std::string starter;  ///< The text that everybody began with; empty where it is not known.
  double max_points = 0;
  std::size_t graded = 0, passed = 0, missing = 0, unusable = 0, not_graded = 0;  ///< Students.
  std::vector<TestRate> tests;                                                    ///< In the suite's order.
  std::vector<MisconceptionRate> misconceptions;  ///< The most frequent first.
  std::vector<ExcludedTest> excluded{};
};

/// A whole class: what the gradebook's exports and the class report are drawn from.
struct ClassGrades {
  std::string device;
  std::uint64_t seed = 0;
  std::string course_title, assignment_title;  ///< Empty where the class is graded without a course.
  std::string time_zone = "UTC";               ///< The course's, by its name in the IANA database.
  std::optional<std::int64_t> due{};           ///< Seconds since 1970; not of a student with an extension.
  double max_points = 0;
  std::vector<ClassExercise> exercises;
  std::vector<GradedText> texts;
  std::vector<StudentGrades> students;
  std::vector<UnplacedEntry> unplaced;
};

}  // namespace warplings
