// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/core/class_grades.h"
#include "grader/gradebook/gradebook.h"
#include "grader/gradebook/pseudonyms.h"

namespace warplings {

/// What an entry of the audit trail is called whose decision was taken over.
inline constexpr const char* kTakenOver = "taken over";

/// A class that was graded with --anonymous, and what was decided there.
struct BlindClass {
  std::string folder;  ///< As messages and the audit trail name it.
  ClassGrades grades;
  std::vector<Decision> decisions;
  std::vector<Pseudonym> pseudonyms;  ///< Of the key's file.
};

/// The same class with names.
struct NamedClass {
  std::string folder;
  const ClassGrades& grades;
  const std::vector<Decision>& decisions;
  const std::vector<AuditEntry>& trail;
};

struct TakenOver {
  /// A decision that stays where it is, of the student with this name if it is known who that is.
  struct LeftOut {
    Decision decision;
    Message why;
  };
  std::vector<DecisionChange> changes;
  std::size_t known = 0;  ///< Decisions that the named class has already.
  std::vector<LeftOut> left_out;
};

/// Carries what was decided about pseudonyms over to the students whose they are. A decision about a
/// student's work is taken over only if the named class grades the same text (GradeCell::hash), because a
/// comment or points may not fit another one. One that the named class has otherwise is left out, unless it
/// was taken over before; so is one that was taken back there. `by`: who takes them over. A key's file that
/// knows none of the blind class is a usage error.
Result<TakenOver> TakeOver(const BlindClass& blind, const NamedClass& named, const std::string& by);

}  // namespace warplings
