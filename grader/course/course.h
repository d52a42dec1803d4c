// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplings {

/// How the tests of an exercise become points.
enum class Scoring {
  kChapter,       ///< As the workbook's chapter.toml says; what holds without a course.
  kAllOrNothing,  ///< All points when every test passed, none otherwise.
  kPerTest,       ///< In proportion to the tests passed.
  kRubric,        ///< By groups of tests, each with points of its own.
};

/// A line of a rubric.
struct TestGroup {
  std::string title;
  double points = 0;               ///< Beside the other groups': they are scaled to the exercise's points.
  std::vector<std::string> tests;  ///< GoogleTest's names; `*` stands for any letters.
  bool per_test = false;           ///< In proportion to its tests passed; else all or nothing.
  int line = 0;                    ///< Of the file, for messages.
};

struct ScoringRule {
  Scoring scoring = Scoring::kChapter;
  std::vector<TestGroup> groups;  ///< Of a rubric.
  /// How much of the points the measured speed decides about, 0 to 1, where speed was graded; else the
  /// chapter's share.
  std::optional<double> speed_share;
};

/// What late work loses. A day is 24 hours, and each one that was begun after the due date counts, but
/// nothing is taken within the grace.
struct LateRule {
  std::int64_t grace_seconds = 0;
  double percent_per_day = 0;  ///< Of the points earned.
  double cap_percent = 100;    ///< No more than that is ever taken, except after `closed_after_days`.
  std::optional<std::int64_t> closed_after_days;  ///< Later than that, work earns nothing.
};

/// One student's own due date. The late rule counts from there.
struct Extension {
  std::string
      student;  ///< As in the roster: name, id, login or e-mail; else as the report names the student.
  std::optional<std::int64_t> due;  ///< Seconds since 1970, UTC …
  std::int64_t more_seconds = 0;    ///< … or so much after the assignment's.
  bool no_deduction = false;        ///< Late work of this student loses nothing at all.
  std::string reason;
  int line = 0;
};

/// Which of several attempts at an exercise counts.
enum class AttemptRule { kLast, kBest, kFirst };

/// What an assignment says of one of its exercises beside the others.
struct ExerciseEntry {
  std::string name;              ///< As on the command line.
  std::optional<double> points;  ///< Else the chapter's.
  std::optional<ScoringRule> scoring;
  int line = 0;
};

struct Assignment {
  std::string id, title;
  std::vector<std::string> what;  ///< As on the command line: "2", "tiled_matmul".
  std::optional<double> points;   ///< Of the whole; the exercises' points are scaled to it.
  ScoringRule scoring;
  AttemptRule attempts = AttemptRule::kLast;
  std::optional<std::int64_t> max_attempts;  ///< Only so many, from the first on, count.
  std::optional<std::int64_t> due;           ///< Seconds since 1970, UTC.
  LateRule late;
  std::vector<Extension> extensions;
  std::vector<ExerciseEntry> exercises;
  int line = 0;
};

/// Where the time comes from at which something was handed in.
enum class TimeSource {
  kLms,    ///< What the LMS's export says; unknown where it says nothing.
  kFiles,  ///< Else the files' own times, which are the student's or the download's.
};

/// A field by which entries are matched with the roster.
enum class MatchField { kId, kLogin, kEmail, kName };

/// A term's course: what course.toml holds.
struct Course {
  std::string title, term;
  std::string time_zone = "UTC";
  std::string roster_file;  ///< Relative to course.toml; empty without a roster.
  std::vector<MatchField> match = {MatchField::kId, MatchField::kLogin, MatchField::kEmail,
                                   MatchField::kName};
  TimeSource times = TimeSource::kLms;
  std::string device;  ///< As --device takes it; empty: its default.
  std::optional<std::uint64_t> seed;
  std::vector<Assignment> assignments;
};

}  // namespace warplings
