// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/fatbin/demangle.h"

namespace warplings::ptx {

/// PTX and cubins mangle alike; see there.
using fatbin::DemangledName;

}  // namespace warplings::ptx
