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

}  // namespace warplings
