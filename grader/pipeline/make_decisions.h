// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/class_grades.h"
#include "grader/gradebook/gradebook.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// "1 point", "2.5 points"
std::string PointsInWords(double points);
/// "+2 points", "-1 point": what an item of a rubric adds.
std::string SignedPointsInWords(double points);

/// What a decision says, without whom and what it is about: "7 points", "excluded", a comment's text.
std::string InWords(const Decision& decision);

/// A requested decision, as given on the command line or in a line of overrides.csv.
struct DecisionRequest {
  enum class Action { kPoints, kComment, kExclude, kAsk, kAnswer, kItem, kMark, kReview };
  Action action = Action::kPoints;
  std::string student;   ///< The student's name in the report, or the roster's id, login or e-mail.
  std::string who{};     ///< The student's StudentKey(), where it is known; then `student` says nothing.
  std::string exercise;  ///< As for `check`; may be empty for a comment on all of the student's work.
  /// GoogleTest name; required for an exclusion, optional for a comment. Of a rubric's item its id.
  std::string test;
  std::string line;  ///< For a comment: the number of the line that it is about, or empty.
  std::string points;
  std::string text;  ///< The reason, the comment, the request, the answer, the title of a rubric's item.
  std::string author;
  bool removes = false;     ///< Withdraw an earlier decision.
  bool beyond = false;      ///< More points than the exercise has are meant: extra credit, and not a slip.
  bool is_of_page = false;  ///< Made in the browser, where `beyond` is a box to tick and no option.
};

/// Turns requests into changes for the gradebook, each with the decision that it replaces. Unknown or
/// ambiguous names and meaningless requests are usage errors that list what is possible.
class DecisionMaker {
 public:
  DecisionMaker(const Workbook& workbook, const ClassGrades& grades, std::vector<Decision> former)
      : workbook_(workbook), grades_(grades), former_(std::move(former)) {}

  Result<DecisionChange> Make(const DecisionRequest& request) const;

  /// Reads all lines of an overrides.csv with the columns Student, Exercise, Points, Reason and, optionally,
  /// Comment, Test, Line, Author, in any order; another column is an error. The error lists every line that
  /// is wrong, by the lines of the file `name`. `author` and `beyond` as in DecisionRequest, for all lines.
  Result<std::vector<DecisionChange>> MakeAll(std::string_view csv, const std::string& name,
                                              const std::string& author, bool beyond) const;

 private:
  struct Place {
    const StudentGrades* student = nullptr;
    const ClassExercise* exercise = nullptr;
    const GradeCell* cell = nullptr;
    std::string test{};
  };
  Result<Place> FindPlace(const DecisionRequest& request) const;
  Result<const StudentGrades*> FindStudent(const DecisionRequest& request) const;
  Result<const ClassExercise*> FindExercise(const std::string& wanted) const;
  /// By a part of its name that is in no other exercise of the class.
  Result<const ClassExercise*> FindByPart(const std::string& wanted, const Error& otherwise) const;
  /// What is to be withdrawn, if it was decided about somebody who is not in the class any more, and
  /// `student` is the name that it has.
  const Decision* OfNobodyHere(const DecisionRequest& request) const;
  const Decision* Former(const Decision& decision) const;
  Result<DecisionChange> Describe(const DecisionRequest& request, const Place& place,
                                  Decision decision) const;

  const Workbook& workbook_;
  const ClassGrades& grades_;
  std::vector<Decision> former_;
};

}  // namespace warplings
