// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/class_grades.h"
#include "grader/core/layout.h"
#include "grader/gradebook/gradebook.h"
#include "grader/pipeline/grade_outputs.h"
#include "grader/pipeline/make_decisions.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// What `warplings review` knows and decides; the pages' program (grader/pages/review/server.py) asks it, one
/// JSON object a line, and gets one back:
///
///     {"do": "class"}      {"class": …} as ClassReportData() has it, with the "versions" of all decisions;
///     {} if it has
///                          not changed since it was last asked for
///     {"do": "decide", "action", "author", "student", "who", "exercise", "test", "line", "points", "text",
///     "removes", "seen", "of"}
///                          {"status": 200, "student": …, "rubric": […], "versions": {…}}, or another status
///                          and the "error" and "next" as sentences
///
/// A decision names the version of the one that it replaces (`seen`, "" for none). If somebody has decided
/// otherwise in between, nothing is changed: the status is 409, with `theirs`. The mark "reviewed" names the
/// hash of what its writer has looked at, too (`of`): it is refused if something else is graded by then. A
/// decision is in the gradebook when it is answered; the class is locked only while one is written, so that
/// several may review it, and `override` and `grade` work beside it.
class ReviewSession {
 public:
  static Result<ReviewSession> Open(const GradeOutputs& outputs, const Layout& layout);

  /// `request` and the answer are lines of JSON.
  std::string Handle(std::string_view request);

  /// True if pages and files of the class are older than its decisions.
  bool has_unwritten() const { return has_unwritten_; }
  Status WriteOutputs();
  std::size_t decided() const { return decided_; }

 private:
  ReviewSession(GradeOutputs outputs, Layout layout, Workbook workbook, Gradebook gradebook);
  /// Reads the class again if somebody else has written to the gradebook.
  Status Follow();
  Status ReadClass();
  Status ReadDecisions();
  nlohmann::json ClassData();
  nlohmann::json Decide(const nlohmann::json& asked);
  nlohmann::json Store(const DecisionRequest& request, const nlohmann::json& asked);
  Result<std::vector<DecisionChange>> ChangesOf(const DecisionRequest& request) const;
  const Decision* Former(const Decision& decision) const;
  nlohmann::json Conflict(const Decision* theirs) const;
  nlohmann::json Decided(const std::vector<DecisionChange>& changes) const;
  /// Of an exercise by its name, "01_boundary_checks/tiled_matmul".
  std::vector<RubricItem> RubricOf(const std::string& exercise) const;
  bool HasItem(const DecisionRequest& request) const;
  std::string FreeItem(const DecisionRequest& request) const;

  GradeOutputs outputs_;
  Layout layout_;
  Workbook workbook_;
  Gradebook gradebook_;
  std::vector<StudentGrades> undecided_;  ///< The students without what people decided.
  ClassGrades grades_;
  std::vector<Decision> decisions_;
  std::int64_t changes_of_others_ = -1;
  bool is_told_ = false;  ///< The asker has the class as it is.
  bool has_unwritten_ = false;
  std::size_t decided_ = 0;
};

}  // namespace warplings
