// SPDX-License-Identifier: Apache-2.0
#include "grader/advice/fact_kinds.h"

#include <cstddef>
#include <string>
#include <vector>

#include "grader/advice/test_titles.h"

namespace warplings {
namespace {

/// Whether `words`, joined by underscores, are some of the id's.
bool HasWords(std::string_view id, std::string_view words) {
  const std::string all = "_" + std::string(id) + "_";
  return all.find("_" + std::string(words) + "_") != std::string::npos;
}

}  // namespace

std::optional<FindingKind> KindOfFact(std::string_view id) {
  std::optional<FindingKind> found;
  std::size_t longest = 0;  // "race_between_streams" has the name of another kind in it.
  for (int i = 0; i <= static_cast<int>(FindingKind::kUnsupported); ++i) {
    const auto kind = static_cast<FindingKind>(i);
    const std::string_view name = FindingKindName(kind);
    if (name.size() <= longest || !HasWords(id, name)) continue;
    longest = name.size();
    found = kind;
  }
  if (!found && HasWords(id, "outside")) found = FindingKind::kOutOfBounds;
  return found;
}

std::optional<FindingKind> KindBehind(const Misconception& cause, const ExerciseResult& result) {
  if (cause.finding) return cause.finding->kind;
  for (const Fact& fact : result.facts.value_or(std::vector<Fact>{})) {
    if (Contains(cause.evidence, WithTitles(fact.message, result.tests))) return KindOfFact(fact.id);
  }
  return std::nullopt;
}

}  // namespace warplings
