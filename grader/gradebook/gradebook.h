// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/class_grades.h"
#include "grader/core/exercise_result.h"
#include "grader/gradebook/database.h"
#include "grader/gradebook/decision.h"

namespace warplings {

/// What a result depends on. The same key has the same result, so that equal files are graded once, and a
/// changed file, suite, grader, device or seed is graded anew.
struct ResultKey {
  std::string chapter, exercise;
  std::string submission_hash;  ///< SHA-256 of the file and its answers.
  std::string suite_version;    ///< SHA-256 of suite, contract and chapter.toml.
  std::string grader_version;
  std::string device;  ///< As reports say it: "virtual:a100", "gpu:0 (NVIDIA H200)".
  std::uint64_t seed = 0;
  std::int64_t round = 1;  ///< Raised by --regrade.

  /// One name for all of it, 64 hexadecimal digits.
  std::string Name() const;
};

/// What a student handed in for one exercise.
struct SubmissionRow {
  enum class State { kFound, kMissing, kUnusable };
  std::string student, chapter, exercise;
  State state = State::kMissing;
  std::string file;     ///< In the student's folder, fit to print.
  std::string problem;  ///< Of an unusable one.
  std::string result;   ///< ResultKey::Name() of a found one.
};

struct StudentRow {
  std::string name;
  std::string handed_in_as;          ///< Name of the folder or archive.
  std::vector<std::string> remarks;  ///< For the instructor.
  RosterFields roster{};             ///< Empty without a roster.
};

/// One of the files that a student handed in for one exercise, in the order in which they came.
struct AttemptRow {
  std::string student, chapter, exercise;
  std::int64_t number = 1;
  std::string file;
  std::optional<std::int64_t> handed_in_at;  ///< Seconds since 1970, UTC.
  bool marked_late = false;                  ///< The LMS says late.
  std::string result;                        ///< ResultKey::Name()
};

/// All that a class handed in.
struct ClassRows {
  std::vector<StudentRow> students;
  std::vector<SubmissionRow> submissions;  ///< One for each student and exercise that is graded.
  std::vector<AttemptRow> attempts;        ///< Of the found ones, at least one for each.
  std::vector<UnplacedEntry> unplaced;
};

/// What of the workbook is graded, and by whose rules; kept with the grades, so that they can be gathered
/// again without the files.
struct GradedScope {
  std::string course_file;  ///< As messages name it; empty without a course.
  std::string course;       ///< Text of course.toml.
  std::string assignment;   ///< Its id there.
  std::vector<std::string>
      what;  ///< Without a course: exercises and chapters, as on the command line; or all.
};

/// The settings of a class, chosen when it is first graded, so that going on uses the same.
struct ClassSettings {
  std::string device;
  std::uint64_t seed = 0;
  std::int64_t round = 1;
  bool anonymous = false;  ///< Students are here by their pseudonyms only.
};

/// A graded text with its result, as kept.
struct KeptResult {
  ResultKey key;
  ExerciseResult result;  ///< With its source.
  std::string graded_at;  ///< 2026-10-01T12:00:00Z
};

/// A decision to be written, and how the audit trail tells of it.
struct DecisionChange {
  Decision decision;
  std::string action = "set";
  std::string before{}, after{}, reason{};
  bool removes = false;  ///< The decision of this kind and place goes; the trail stays.
};

/// The gradebook file: a SQLite database that outlives kill -9, with one transaction for each graded
/// exercise. Tables: `results`, one row for each graded text; `students` and `submissions`, what the class
/// handed in last; `settings`; `decisions` of people, and `audit`, the trail of them, which SQLite itself
/// refuses to change. The view `grades` has a row for each student and exercise.
class Gradebook {
 public:
  /// Makes the file where there is none. A file that is something else, or a later version's, is a usage
  /// error.
  static Result<Gradebook> Open(const std::filesystem::path& file, DatabaseUse use = DatabaseUse::kShared);

  Result<std::optional<ClassSettings>> ReadSettings() const;
  Status WriteSettings(const ClassSettings& settings);

  /// Replaces what the class handed in; results stay.
  Status ReplaceClass(std::span<const StudentRow> students, std::span<const SubmissionRow> submissions);
  Result<std::vector<StudentRow>> ReadStudents() const;
  Result<std::vector<SubmissionRow>> ReadSubmissions() const;

  /// The same, with attempts and with what is nobody's.
  Status ReplaceClass(const ClassRows& rows);
  Result<std::vector<AttemptRow>> ReadAttempts() const;
  Result<std::vector<UnplacedEntry>> ReadUnplaced() const;

  Status WriteScope(const GradedScope& scope);
  Result<GradedScope> ReadScope() const;

  /// True for a result that stands: a fault of the grader's does not.
  Result<bool> IsGraded(const std::string& key_name) const;
  /// One transaction. Takes the place of a grader fault of the same key.
  Status WriteResult(const ResultKey& key, const ExerciseResult& result, const std::string& answers);
  Result<std::optional<KeptResult>> ReadResult(const std::string& key_name) const;

  /// All of them or none, each with its line in the audit trail. Author and text are the decision's.
  Status Decide(std::span<const DecisionChange> changes);
  Result<std::vector<Decision>> ReadDecisions() const;
  /// The oldest first.
  Result<std::vector<AuditEntry>> ReadAuditTrail() const;

  /// Takes over the results of another gradebook, in one transaction: those that are new here, and those that
  /// stand where there is a grader fault here. Returns how many; taken again, 0. Nobody else may have that
  /// file open.
  Result<std::size_t> TakeResultsOf(const std::filesystem::path& other);

 private:
  friend class Slice;
  explicit Gradebook(Database database) : database_(std::move(database)) {}
  Status SetUp(const std::filesystem::path& file);
  Status InsertStudents(std::span<const StudentRow> students);
  Status InsertSubmissions(std::span<const SubmissionRow> submissions);
  Status InsertAttempts(std::span<const AttemptRow> attempts);
  Status InsertUnplaced(std::span<const UnplacedEntry> unplaced);
  Result<std::size_t> TakeAttachedResults();

  Database database_;
};

/// Copies a gradebook that no other process has open into `folder`, with what a killed one left in its log,
/// and returns the copy's name. The original is only read, so its folder may be read-only.
Result<std::filesystem::path> CopyGradebook(const std::filesystem::path& file,
                                            const std::filesystem::path& folder);

/// "found", "missing", "unusable".
std::string_view StateName(SubmissionRow::State state);

}  // namespace warplings
