// SPDX-License-Identifier: Apache-2.0
#include "grader/core/layout.h"

namespace warplings {

Layout ThisLayout() { return {WARPLINGS_SOURCE_ROOT, WARPLINGS_BUILD_ROOT}; }

}  // namespace warplings
