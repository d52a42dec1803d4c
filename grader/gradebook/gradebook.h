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
#include "grader/gradebook/decision.h"
#include "grader/gradebook/sqlite.h"

namespace warplings {

/// Everything that a result depends on. Equal keys have equal results, so equal files are graded only once.
/// If the file, suite, grader, device or seed changes, the file is graded again.
struct ResultKey {
  std::string chapter, exercise;
  std::string submission_hash;  ///< SHA-256 of the file and its answers.
  std::string suite_version;    ///< SHA-256 of suite, contract and chapter.toml.
  std::string grader_version;
  std::string device;  ///< Its name in reports: "virtual:a100", "gpu:0 (NVIDIA H200)".
  std::uint64_t seed = 0;
  std::int64_t round = 1;  ///< Incremented by --regrade.

  /// A hash of all members, 64 hexadecimal digits.
  std::string Name() const;
};

/// What a student handed in for one exercise.
struct SubmissionRow {
  enum class State { kFound, kMissing, kUnusable };
  std::string student, chapter, exercise;
  State state = State::kMissing;
  std::string file;     ///< Path in the student's folder, safe to print.
  std::string problem;  ///< For kUnusable: why. For kFound: why the grader could not read it, or empty.
  std::string result;   ///< For kFound: ResultKey::Name() of its result; empty if it could not be read.
};

struct StudentRow {
  std::string name;
  std::string handed_in_as;          ///< Name of the folder or archive.
  std::vector<std::string> remarks;  ///< For the instructor.
  RosterFields roster{};             ///< Empty without a roster.
  /// Why this is nobody's of the roster, to be read after the name: "is not in the roster". Empty if it is
  /// somebody's, and without a roster.
  std::string unmatched{};
  std::int64_t late_days_before = 0;  ///< Free late days that the course's earlier assignments used.
  /// The student's number in Moodle's grading worksheet, by which feedback is given back there; empty if
  /// there is no worksheet, or if it does not have the student.
  std::string participant{};
};

/// One of the files that a student handed in for one exercise; numbered in order of arrival.
struct AttemptRow {
  std::string student, chapter, exercise;
  std::int64_t number = 1;
  std::string file;
  std::optional<std::int64_t> handed_in_at;  ///< Seconds since 1970, UTC.
  bool marked_late = false;                  ///< The LMS marked it as late.
  std::string result;                        ///< ResultKey::Name()
};

/// Everything that a class handed in.
struct ClassRows {
  std::vector<StudentRow> students;
  std::vector<SubmissionRow> submissions;  ///< One for each student and each graded exercise.
  std::vector<AttemptRow> attempts;        ///< At least one for each submission that was found.
  std::vector<UnplacedEntry> unplaced;
};

/// Which exercises are graded and by which rules. Stored with the grades, so that they can be computed again
/// without the files.
struct GradedScope {
  std::string course_file;  ///< Its name in messages; empty without a course.
  std::string course;       ///< Text of course.toml.
  std::string assignment;   ///< Its id there.
  /// Without a course: exercises and chapters, as on the command line; or all.
  std::vector<std::string> what;
  std::string worksheet{};  ///< The file with the times of handing in, as on the command line; or empty.
  /// The class's folder, as on the command line; empty if the class is anonymous, or was graded before this
  /// was kept.
  std::string folder{};
};

/// The settings of a class. Chosen when it is first graded and stored, so that later runs use the same.
struct ClassSettings {
  std::string device;
  std::uint64_t seed = 0;
  std::int64_t round = 1;
  bool anonymous = false;  ///< Students are stored only by pseudonyms.
};

/// A stored result of a graded text.
struct KeptResult {
  ResultKey key;
  ExerciseResult result;  ///< Includes the source.
  std::string graded_at;  ///< 2026-10-01T12:00:00Z
};

/// A decision to be stored, and its entry in the audit trail.
struct DecisionChange {
  Decision decision;
  std::string action = "set";
  std::string before{}, after{}, reason{};
  /// Delete the decision with this kind, student (`who`), exercise and test; the audit trail keeps it.
  bool removes = false;
};

/// The gradebook file: a SQLite database that survives kill -9, with one transaction for each graded
/// exercise. Tables: `results`, a row for each graded text; `students` and `submissions`, what the class
/// handed in last; `settings`; `decisions` made by people; and `audit`, the trail of the decisions, which
/// triggers protect against changes. The view `grades` has a row for each student and exercise.
class Gradebook {
 public:
  /// Opens the file, or creates it. A file that is not a gradebook, or that a later version wrote, is a usage
  /// error.
  static Result<Gradebook> Open(const std::filesystem::path& file, DatabaseUse use = DatabaseUse::kShared);

  Result<std::optional<ClassSettings>> ReadSettings() const;
  Status WriteSettings(const ClassSettings& settings);

  /// Replaces what the class handed in; results are kept, and decisions follow their students.
  Status ReplaceClass(std::span<const StudentRow> students, std::span<const SubmissionRow> submissions);
  Result<std::vector<StudentRow>> ReadStudents() const;
  Result<std::vector<SubmissionRow>> ReadSubmissions() const;

  /// The same, with attempts and with entries that belong to no student.
  Status ReplaceClass(const ClassRows& rows);
  Result<std::vector<AttemptRow>> ReadAttempts() const;
  Result<std::vector<UnplacedEntry>> ReadUnplaced() const;

  Status WriteScope(const GradedScope& scope);
  Result<GradedScope> ReadScope() const;

  /// True if there is a final result; one with kGraderFault is not.
  Result<bool> IsGraded(const std::string& key_name) const;
  /// Stores a result in one transaction; replaces one with kGraderFault under the same key.
  Status WriteResult(const ResultKey& key, const ExerciseResult& result, const std::string& answers);
  Result<std::optional<KeptResult>> ReadResult(const std::string& key_name) const;

  /// Stores all changes or none, each with an entry in the audit trail, whose author and text are the
  /// decision's.
  Status Decide(std::span<const DecisionChange> changes);
  Result<std::vector<Decision>> ReadDecisions() const;
  /// Oldest first.
  Result<std::vector<AuditEntry>> ReadAuditTrail() const;
  /// A number that changes when another process or connection has written to the file.
  Result<std::int64_t> ChangesOfOthers() const;

  /// Copies results of another gradebook in one transaction: those that are new here, and final ones that
  /// replace a kGraderFault here. Returns their number, which is 0 if it is repeated. No other process may
  /// have that file open.
  Result<std::size_t> TakeResultsOf(const std::filesystem::path& other);

 private:
  friend class Slice;
  explicit Gradebook(Database database) : database_(std::move(database)) {}
  Status SetUp(const std::filesystem::path& file);
  Status RenameInDecisions(std::span<const StudentRow> before, std::span<const StudentRow> after);
  Status InsertStudents(std::span<const StudentRow> students);
  Status InsertSubmissions(std::span<const SubmissionRow> submissions);
  Status InsertAttempts(std::span<const AttemptRow> attempts);
  Status InsertUnplaced(std::span<const UnplacedEntry> unplaced);
  Result<std::size_t> TakeAttachedResults();

  Database database_;
};

/// Copies a gradebook into `folder`, together with the write-ahead log that a killed process may have left,
/// and returns the copy's path. No other process may have it open. The original is only read, so its folder
/// may be read-only.
Result<std::filesystem::path> CopyGradebook(const std::filesystem::path& file,
                                            const std::filesystem::path& folder);

/// "found", "missing", "unusable".
std::string_view StateName(SubmissionRow::State state);

}  // namespace warplings
