// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/messages/table.inc"

namespace warplings::say {
#include "tests/suites/03_dynamic_shared_memory/messages.inc"
}  // namespace warplings::say

#undef MESSAGE
