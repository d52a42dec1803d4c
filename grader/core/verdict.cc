// SPDX-License-Identifier: Apache-2.0
#include "grader/core/verdict.h"

#include "grader/base/reflect.h"

namespace warplings {

std::string_view VerdictName(Verdict verdict) {
  return reflect::NameOf(verdict);
}

}  // namespace warplings
