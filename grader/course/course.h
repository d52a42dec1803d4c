// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplings {

/// How the tests of an exercise become points.
enum class Scoring {
  kChapter,       ///< As the workbook's chapter.toml says; the rule without a course.
  kAllOrNothing,  ///< All points when every test passed, none otherwise.
  kPerTest,       ///< In proportion to the tests passed.
  kRubric,        ///< By groups of tests, each with points of its own.
};

/// A line of a rubric.
struct TestGroup {
  std::string title;
  double points = 0;               ///< Relative weight: the groups' points are scaled to the exercise's.
  std::vector<std::string> tests;  ///< GoogleTest names; `*` matches any text.
  bool per_test = false;          ///< True: in proportion to the group's tests passed; false: all or nothing.
  int line = 0;                   ///< Line in the file, for messages.
  std::vector<int> test_lines{};  ///< That of each of `tests`.
};

struct ScoringRule {
  Scoring scoring = Scoring::kChapter;
  std::vector<TestGroup> groups;  ///< For kRubric.
  /// The fraction of the points, 0 to 1, that depends on the measured speed if speed was graded. Missing: the
  /// chapter's fraction.
  std::optional<double> speed_share;
};

/// Deductions for late work. A day is 24 hours; each day that has begun after the due date counts in full.
/// Within the grace period nothing is deducted.
struct LateRule {
  std::int64_t grace_seconds = 0;
  double percent_per_day = 0;                     ///< Percent of the points earned.
  double cap_percent = 100;                       ///< Maximum deduction, except after `closed_after_days`.
  std::optional<std::int64_t> closed_after_days;  ///< Work that is later than this earns nothing.
  std::int64_t late_days = 0;  ///< At most so many of the course's free late days may be used.
};

/// A different due date for one student. The late rule counts from it.
struct Extension {
  std::string student;  ///< The roster's name, id, login or e-mail; without a roster, the student's name in
                        ///< the report.
  std::optional<std::int64_t> due;  ///< Seconds since 1970, UTC …
  std::int64_t more_seconds = 0;    ///< … or this many seconds after the assignment's due date.
  bool no_deduction = false;        ///< Late work of this student loses nothing at all.
  std::string reason;
  int line = 0;
};

/// Which of several attempts at an exercise counts.
enum class AttemptRule { kLast, kBest, kFirst };

/// An assignment's special rules for one exercise.
struct ExerciseEntry {
  std::string name;              ///< Its name, as on the command line.
  std::optional<double> points;  ///< Missing: the chapter's.
  std::optional<ScoringRule> scoring;
  int line = 0;
};

struct Assignment {
  std::string id, title;
  std::vector<std::string> what;  ///< Selected exercises, as on the command line: "2", "tiled_matmul".
  std::optional<double> points;   ///< Total, to which the exercises' points are scaled.
  ScoringRule scoring;
  AttemptRule attempts = AttemptRule::kLast;
  std::optional<std::int64_t> max_attempts;  ///< Only the first so many attempts count.
  std::optional<std::int64_t> due;           ///< Seconds since 1970, UTC.
  LateRule late;
  std::vector<Extension> extensions;
  std::vector<ExerciseEntry> exercises;
  int line = 0;
};

/// The source of the times at which something was handed in.
enum class TimeSource {
  kLms,    ///< The LMS's export; unknown if it has no time.
  kFiles,  ///< As kLms, but if the export has no time, the file's modification time, which may be that of the
           ///< download.
};

/// A field by which submissions are matched with the roster.
enum class MatchField { kId, kLogin, kEmail, kName };

/// A course in one term: the contents of course.toml.
struct Course {
  std::string title, term;
  std::string time_zone = "UTC";
  std::string roster_file;  ///< Relative to course.toml; empty without a roster.
  std::vector<MatchField> match = {MatchField::kId, MatchField::kLogin, MatchField::kEmail,
                                   MatchField::kName};
  TimeSource times = TimeSource::kLms;
  std::string device;  ///< Value for --device; empty: its default.
  std::optional<std::uint64_t> seed;
  std::int64_t late_days = 0;  ///< Free late days of each student, for all assignments together.
  std::vector<Assignment> assignments;
};

}  // namespace warplings
