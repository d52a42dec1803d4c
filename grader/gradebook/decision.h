// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// A person's decision about grades. For each combination of student, exercise and test there is at most one
/// of each kind. Any of the three may be empty, which means "all".
struct Decision {
  enum class Kind {
    kPoints,     ///< A student's final points for an exercise.
    kComment,    ///< A text for a student about an exercise or one of its tests.
    kExclusion,  ///< A test that is excluded for the whole class; `student` is empty.
    kRegrade,    ///< A student's request to look at an exercise again.
    kLine,       ///< A text for a student about a line of an exercise's file; `test` is its number.
    kItem,  ///< An item of an exercise's rubric, for the whole class; `test` is its id, `student` is empty.
    kMark,  ///< An item that holds for a student; `test` is its id.
    kReviewed,  ///< Somebody has looked at a student's exercise.
  };
  Kind kind = Kind::kPoints;
  std::string student{}, chapter{}, exercise{}, test{};
  double points = 0;     ///< For kPoints; for kItem what the item adds, or takes if it is negative.
  std::string text{};    ///< The reason, the comment, the request, or the item's title.
  std::string answer{};  ///< For a closed request.
  bool is_open = true;   ///< For a request.
  std::string author{};
  std::string when{};  ///< 2026-10-01T12:00:00Z; set when it is stored.
  /// What was decided about: for kLine the line, as it was when the comment was written; for kReviewed a hash
  /// of what was handed in; for kMark DecidedAbout() the cell, for kPoints PointsDecidedAbout(), or "" if
  /// an older version stored it.
  std::string quote{};
  /// For kLine: the number of that line in the file with this GradeCell::hash, and that file's text, if the
  /// gradebook has it. 0 and "" if an older version stored the comment.
  std::size_t line = 0;
  std::string file_hash{};
  std::string file_text{};
  /// StudentKey() of the student, by which the decision is kept. `student` is only what the student is
  /// called.
  std::string who{};
};

/// The decision's `who`, also where only a name is known.
std::string KeyOfStudent(const Decision& decision);

/// True if they would replace each other: they are of one kind, about one student, exercise and test.
bool AreAboutTheSame(const Decision& a, const Decision& b);

/// Of all that a person sees of a decision: it differs when somebody has changed it since. "" for none.
std::string VersionOf(const Decision* decision);

/// One line of the audit trail: what was decided, withdrawn, opened or closed.
struct AuditEntry {
  std::int64_t number = 0;
  std::string when, author, action;  ///< "set", "removed", "closed", …
  Decision::Kind kind = Decision::Kind::kPoints;
  std::string student, chapter, exercise, test;
  std::string before, after;  ///< As text: "2.5 points", "excluded", or a comment.
  std::string reason;
  std::string who{};  ///< As in Decision; empty in entries of older versions.
};

/// "points", "comment", "exclusion", "regrade", "line", "item", "mark", "reviewed".
std::string_view DecisionKindName(Decision::Kind kind);
std::optional<Decision::Kind> DecisionKindFromName(std::string_view name);

}  // namespace warplings
