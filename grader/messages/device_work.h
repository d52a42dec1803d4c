// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/messages/table.inc"

namespace warplings::say {
#include "grader/messages/device_work.inc"

/// Of a limit that another test's call exceeded: `call` in words if they are given, else the test's title.
/// The title is kept in any case.
inline Message LimitOfEveryCall(const Message& title, const Message& call, const Message& reason) {
  if (call.empty()) return limit_of_every_call(title, reason);
  Message message = limit_of_call(call, reason);
  message.arguments().push_back(AsArgument(title));
  return message;
}

/// The title of the test whose call exceeded that limit; null for another reason.
inline const Message* TestOfLimit(const Message& reason) {
  if (limit_of_every_call.Made(reason)) return &reason.arguments().front().inner.front();
  return limit_of_call.Made(reason) ? &reason.arguments().back().inner.front() : nullptr;
}
}  // namespace warplings::say

#undef MESSAGE
