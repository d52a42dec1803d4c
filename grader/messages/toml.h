// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/messages/table.inc"

namespace warplings::say {
#include "grader/messages/toml.inc"
}  // namespace warplings::say

#undef MESSAGE
