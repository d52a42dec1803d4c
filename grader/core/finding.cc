// SPDX-License-Identifier: Apache-2.0
#include "grader/core/finding.h"

#include "grader/base/reflect.h"

namespace warplings {

std::string_view FindingKindName(FindingKind kind) {
  return reflect::NameOf(kind);
}

std::string_view MemorySpaceName(MemorySpace space) {
  return reflect::NameOf(space);
}

bool MayFollowFromOutside(const Finding& met, const Finding& outside) {
  const bool is_met = met.kind == FindingKind::kRace || met.kind == FindingKind::kUninitialised;
  const bool is_outside = outside.kind == FindingKind::kOutOfBounds && outside.severity == Severity::kError &&
                          outside.where.line > 0;
  if (!is_met || !is_outside || met.kernel != outside.kernel || met.object == outside.object) return false;
  if (met.space != MemorySpace::kGlobal || outside.space != MemorySpace::kGlobal) return false;
  return (met.where == outside.where && met.access == outside.access) ||
         (met.other == outside.where && met.other_access == outside.access);
}

}  // namespace warplings
