// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/messages/table.inc"

namespace warplings::say {
#include "tests/suites/06_coarsening/messages.inc"
}  // namespace warplings::say

#undef MESSAGE
