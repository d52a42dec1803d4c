// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/fatbin/demangle.h"

namespace warplings::ptx {

/// PTX and cubins mangle names in the same way, so this is the function of grader/fatbin/demangle.h.
using fatbin::DemangledName;

}  // namespace warplings::ptx
