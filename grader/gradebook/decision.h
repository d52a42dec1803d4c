// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// What somebody decided about grades, beside what the grader found. There is one of a kind for each place: a
/// student, an exercise, a test, each of which may be left empty for "all".
struct Decision {
  enum class Kind {
    kPoints,     ///< A student's final points for an exercise.
    kComment,    ///< A text for a student, to an exercise or one of its tests.
    kExclusion,  ///< A test that counts for nobody; `student` is empty.
    kRegrade,    ///< A student's request to look at an exercise again.
  };
  Kind kind = Kind::kPoints;
  std::string student{}, chapter{}, exercise{}, test{};
  double points = 0;     ///< Of kPoints.
  std::string text{};    ///< The reason, the comment, the request.
  std::string answer{};  ///< Of a closed request.
  bool is_open = true;   ///< Of a request.
  std::string author{};
  std::string when{};  ///< 2026-10-01T12:00:00Z; set where it is written.
};

/// One line of the audit trail: what was decided, withdrawn, opened or closed.
struct AuditEntry {
  std::int64_t number = 0;
  std::string when, author, action;  ///< "set", "removed", "closed", …
  Decision::Kind kind = Decision::Kind::kPoints;
  std::string student, chapter, exercise, test;
  std::string before, after;  ///< In words: "2.5 points", "excluded", a comment's text.
  std::string reason;
};

/// "points", "comment", "exclusion", "regrade".
std::string_view DecisionKindName(Decision::Kind kind);
std::optional<Decision::Kind> DecisionKindFromName(std::string_view name);

}  // namespace warplings
