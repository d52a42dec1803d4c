// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/messages/table.inc"

namespace warplings::say {
#include "tests/suites/07_where_it_recurs/messages.inc"
}  // namespace warplings::say

#undef MESSAGE
