// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "grader/base/message.h"

namespace warplings {

/// True if the number stands in the title, or in a message within it: what says more of the test need not
/// repeat its size.
inline bool HasNumber(const Message& title, std::int64_t number) {
  return std::ranges::any_of(title.arguments(), [number](const Argument& argument) {
    if (argument.kind == Argument::Kind::kNumber) return argument.number == number;
    return std::ranges::any_of(argument.inner,
                               [number](const Message& inner) { return HasNumber(inner, number); });
  });
}

}  // namespace warplings
