// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/gradebook/cell_scorer.h"
#include "grader/gradebook/gradebook.h"

namespace warplings {

/// A course gives each student free late days for all assignments together. They are used in the order of
/// course.toml: what an assignment uses is left to it by those before it. Each assignment has a gradebook of
/// its own, so the gradebooks beside OUT are read: those of the same course, by title and term.
///
/// A grading asks twice: before it, what is left, and after it, which later assignments are graded with other
/// numbers. To learn what an assignment used, its late work has to be scored; this is done once for each
/// gradebook, unless somebody has written to it in between.
class LateDaysOfTerm {
 public:
  /// `scope` and `workbook` must outlive this.
  LateDaysOfTerm(const ScoringScope& scope, std::filesystem::path out, const Workbook& workbook)
      : scope_(scope), out_(std::move(out)), workbook_(workbook) {}

  /// Sets StudentRow::late_days_before. Returns the earlier assignments that are not graded beside `out`,
  /// which count as using none. Two gradebooks of one assignment are a usage error. Does nothing if the
  /// course has no late days.
  Result<std::vector<std::string>> CountEarlier(ClassRows& rows);

  /// The folders of later assignments whose students have other numbers of late days left since `out` was
  /// graded. `grades` are those of `out`.
  Result<std::vector<std::filesystem::path>> FoldersToGradeAgain(const ClassGrades& grades);

  /// How many times a gradebook's late work was scored.
  std::size_t scored() const { return scored_; }

 private:
  using Days = std::map<std::string, std::int64_t>;  ///< By student.

  /// The size of a gradebook and of its log, and when each was written to.
  struct FileState {
    std::uintmax_t size = 0, log_size = 0;
    std::filesystem::file_time_type written{}, log_written{};
    friend bool operator==(const FileState&, const FileState&) = default;
  };

  /// A gradebook of the course beside `out`.
  struct Graded {
    std::filesystem::path folder;
    FileState state;
    std::size_t number = 0;    ///< In course.toml, from 0.
    Days before;               ///< What earlier assignments had used when it was graded.
    std::optional<Days> used;  ///< Here, if somebody has asked.
  };

  static FileState StateOf(const std::filesystem::path& folder);
  bool HasLateDays() const { return scope_.course && scope_.course->late_days > 0; }
  std::size_t OwnNumber() const;
  Result<std::vector<std::filesystem::path>> FoldersBeside() const;
  /// Reads the gradebooks beside `out` that have changed since they were read.
  Status Follow();
  Result<std::optional<Graded>> Read(const std::filesystem::path& folder) const;
  /// Of all assignments before this one.
  Status ScoreThoseBefore(std::size_t number);
  Days UsedBefore(std::size_t number) const;

  const ScoringScope& scope_;
  std::filesystem::path out_;
  const Workbook& workbook_;
  std::vector<Graded> graded_;  ///< In the order of their folders.
  std::size_t scored_ = 0;
};

}  // namespace warplings
