// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/base/csv.h"
#include "grader/base/text.h"
#include "grader/messages/class.h"
#include "grader/report/lms_gradebook.h"
#include "grader/report/lms_number.h"
#include "grader/report/lms_students.h"

/// What filling an export of Canvas's and one of Moodle's have in common.
namespace warplings::lms {

using Row = std::vector<std::string>;

constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

std::string Field(const Row& row, std::size_t column);

/// The first column with one of these names, in whatever case; kNoColumn: there is none.
std::size_t ColumnOf(const Row& header, std::initializer_list<std::string_view> names);

/// The fields in quotes, as CsvField() makes them.
Row Quoted(const Row& fields);

/// "Assignment: Week 1 (Real)" as an LMS calls the assignment itself, from the columns' headers.
std::vector<LmsColumn> ColumnsOf(const Row& header, const std::vector<std::size_t>& columns,
                                 const std::function<std::string(const std::string&)>& name);

/// For messages: "line 3, column 'Grade'".
std::string PlaceOf(const CsvTable& table, std::size_t row, std::size_t column);

/// A usage error if a student's grade in the export is no number: then the column is another one than it
/// looks, or somebody has typed into it, and it must not be overwritten unseen.
Status CheckGrade(const std::string& grade, const std::string& where);

/// Which of the columns that may be meant is: by its header, by what is_wanted knows, by what the assignment
/// is called there in whatever case, or by that name up to its first colon.
Result<std::size_t> ChooseColumn(const Row& header, const std::vector<std::size_t>& candidates,
                                 const std::string& wanted,
                                 const std::function<bool(const std::string&)>& is_wanted,
                                 const std::function<std::string(const std::string&)>& name);

/// A table with a header, and no line longer than that.
Result<CsvTable> ReadExport(std::string_view text);

/// Writes grades into the lines of an exported gradebook; what Canvas and Moodle have in common.
class LmsGradebookWriter {
 public:
  LmsGradebookWriter(const ClassGrades& grades, const LmsRequest& request)
      : grades_(grades), request_(request) {}

  /// Whose lines these are. All together, because two lines may mean one student.
  void MatchLines(const std::vector<LmsLine>& lines) {
    matches_ = LmsStudents(grades_).Match(lines);
    for (const LmsMatch& match : matches_) met_.insert(match.doubtful.begin(), match.doubtful.end());
  }

  /// The student to whom that line belongs, or null.
  const StudentGrades* MatchOf(std::size_t line) const { return matches_[line].student; }

  /// The student to whom that line belongs and whose grade goes there; nobody where it stays as it is.
  const StudentGrades* StudentOf(std::size_t line, const std::string& shown) {
    const LmsMatch& match = matches_[line];
    if (match.student == nullptr) {
      if (match.doubtful.empty()) {
        Leave(shown, match.problem);
      } else {
        filled_.doubtful.push_back(Printable(shown) + ": " + match.problem);
      }
      return nullptr;
    }
    met_.insert(match.student);
    if (IsLeftForEntries(*match.student, shown)) return nullptr;
    if (match.student->complete) return match.student;
    Leave(Distinct(*match.student, shown), "not graded by a fault of the grader's");
    return nullptr;
  }

  void Leave(const std::string& shown, const std::string& why) {
    filled_.left.push_back(Printable(shown) + ": " + why);
  }

  /// What goes into the student's line, in which `grade` is until now.
  std::string Fill(const StudentGrades& student, const std::string& shown, const std::string& grade,
                   bool has_new_feedback = false);

  /// "8.36 of 20 points", and what became of that if the LMS has another maximum.
  std::string SumOf(const StudentGrades& student) const;

  /// `text` is what the assignment gives at most there, and `where` says where the export has it. The scale
  /// is that of the lines from here on.
  Status SetPossible(const std::string& text, const std::string& where) {
    const auto possible = ReadLmsNumber(text, where);
    if (!possible) return possible.error();
    scale_ = 1;
    if (grades_.max_points <= 0) return Unit{};
    if (!*possible) {
      return request_.scale ? Status(UsageError(say::scale_needs_points(where))) : Status(Unit{});
    }
    constexpr double kShown = 0.005;  // Two decimals are.
    if (std::abs(**possible - grades_.max_points) < kShown) return Unit{};
    if (!request_.scale || **possible < kShown) {
      return UsageError(say::other_points_there(where, LmsNumber(**possible), LmsNumber(grades_.max_points)),
                        say::change_or_scale());
    }
    scale_ = **possible / grades_.max_points;
    possible_ = **possible;
    return Unit{};
  }

  FilledGradebook Finish(std::vector<Row> rows, char delimiter, std::string column) {
    for (const StudentGrades& student : grades_.students) {
      if (!met_.contains(&student)) filled_.not_in_export.push_back(student.name);
    }
    filled_.rows = std::move(rows);
    filled_.delimiter = delimiter;
    filled_.column = std::move(column);
    return std::move(filled_);
  }

  const ClassGrades& grades() const { return grades_; }

 private:
  /// True if the student has no grade of their own, and an entry that is nobody's may be theirs: then no 0
  /// must replace what is there.
  bool IsLeftForEntries(const StudentGrades& student, const std::string& shown);

  /// What the export calls the student, with the login or number where two of the class have that name.
  std::string Distinct(const StudentGrades& student, const std::string& shown) const;

  const ClassGrades& grades_;
  const LmsRequest& request_;
  std::vector<LmsMatch> matches_;
  std::set<const StudentGrades*> met_;
  FilledGradebook filled_;
  double scale_ = 1;
  double possible_ = 0;  ///< What a scale other than 1 leads to.
};

}  // namespace warplings::lms
