// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/base/message.h"
#include "grader/messages/findings.h"
#include "grader/messages/table.inc"

namespace warplings::say {
#include "grader/messages/calls.inc"

/// "out" of "`out`", of "shared array `out`", and of an array that a suite labels.
inline std::string NameOfArray(const Message& object) {
  const bool is_named = shared_array.Made(object) || name_in_code.Made(object);
  return is_named ? object.arguments().at(0).text : English(object);
}
}  // namespace warplings::say

#undef MESSAGE
