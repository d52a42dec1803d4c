// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>

namespace warplings {

/// How much processor time one call has used, of readings of what the worker has used in its life. A reading
/// may fail. If the one before the call did, the first one in the call takes its place: the call is charged
/// too little rather than with what earlier calls used.
class CallProcessorTime {
 public:
  explicit CallProcessorTime(std::optional<std::chrono::nanoseconds> before) : before_(before) {}

  /// Nothing if `now` is no reading.
  std::optional<std::chrono::nanoseconds> Used(std::optional<std::chrono::nanoseconds> now) {
    if (!now) return std::nullopt;
    if (!before_) before_ = now;
    return *now - *before_;
  }

 private:
  std::optional<std::chrono::nanoseconds> before_;
};

}  // namespace warplings
