// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/base/message_table.inc"

namespace warplings::say {
#include "grader/base/messages.inc"
}  // namespace warplings::say

#undef MESSAGE
