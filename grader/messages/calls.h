// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "grader/base/message.h"
#include "grader/messages/findings.h"
#include "grader/messages/table.inc"

namespace warplings::say {
#include "grader/messages/calls.inc"

inline Message OneElementOf(const Message& object) {
  return shared_variable.Made(object) ? object : Message(one_element_of(object));
}

inline Message NumberedElement(const Message& object, std::int64_t element) {
  return shared_variable.Made(object) ? object : Message(numbered_element(object, element));
}

inline Message SameElementOf(const Message& object) {
  return shared_variable.Made(object) ? object : Message(same_element_of(object));
}

/// "out" of "`out`", of "shared array `out`", and of an array that a suite labels.
inline std::string NameOfArray(const Message& object) {
  const bool is_named = IsSharedObject(object) || name_in_code.Made(object);
  return is_named ? object.arguments().at(0).text : English(object);
}
}  // namespace warplings::say

#undef MESSAGE
