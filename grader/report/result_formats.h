// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/report/editor_report.h"

namespace warplings {

/// What `check --format NAME` prints. A new format is a row below and its writer.
struct ResultFormat {
  const char* name;
  /// What is printed of each result as soon as it is there; null: nothing is.
  std::string (*of_each)(const ExerciseResult&) = nullptr;
  /// What is printed of all results at the end; null: nothing is. The second argument is this program's
  /// version.
  std::string (*of_all)(const std::vector<ExerciseResult>&, const std::string&) = nullptr;

  /// A program reads it, so that nothing else may be printed.
  constexpr bool IsForPrograms() const { return of_each != nullptr || of_all != nullptr; }
};

inline constexpr ResultFormat kResultFormats[] = {
    {"text"},  // For people: the report, hints, what comes next.
    {"gcc", GccReport, nullptr},
    {"sarif", nullptr, SarifReport},
};

}  // namespace warplings
