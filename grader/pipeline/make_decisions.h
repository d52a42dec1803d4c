// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/class_grades.h"
#include "grader/exercise/exercise.h"
#include "grader/gradebook/gradebook.h"

namespace warplings {

/// What somebody wants decided, in the words of a command line or of a line of overrides.csv.
struct DecisionRequest {
  enum class Action { kPoints, kComment, kExclude, kAsk, kAnswer };
  Action action = Action::kPoints;
  std::string student;   ///< As the report names the student, or a roster's id, login or e-mail.
  std::string exercise;  ///< As for `check`; of a comment perhaps empty, for all of the student's work.
  std::string test;      ///< GoogleTest's name; of an exclusion, and perhaps of a comment.
  std::string points;
  std::string text;  ///< The reason, the comment, the request, the answer.
  std::string author;
  bool removes = false;  ///< Take back what was decided before.
};

/// Turns requests into what the gradebook writes, with what was before. Names that fit nobody or several, and
/// what makes no sense, are usage errors that say what there is.
class DecisionMaker {
 public:
  DecisionMaker(const Workbook& workbook, const ClassGrades& grades, std::vector<Decision> former)
      : workbook_(workbook), grades_(grades), former_(std::move(former)) {}

  Result<DecisionChange> Make(const DecisionRequest& request) const;

  /// All lines of an overrides.csv: Student, Exercise, Points, Reason, and perhaps Comment, Test, Author, in
  /// any order. The error lists every line that is wrong.
  Result<std::vector<DecisionChange>> MakeAll(std::string_view csv, const std::string& author) const;

 private:
  struct Place {
    const StudentGrades* student = nullptr;
    const ClassExercise* exercise = nullptr;
    const GradeCell* cell = nullptr;
  };
  Result<Place> FindPlace(const DecisionRequest& request) const;
  Result<const StudentGrades*> FindStudent(const std::string& wanted) const;
  Result<const ClassExercise*> FindExercise(const std::string& wanted) const;
  const Decision* Former(const Decision& decision) const;
  Result<DecisionChange> Describe(const DecisionRequest& request, const Place& place,
                                  Decision decision) const;

  const Workbook& workbook_;
  const ClassGrades& grades_;
  std::vector<Decision> former_;
};

}  // namespace warplings
