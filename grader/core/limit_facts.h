// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplings {

/// If this variable is set, a suite states, after its own facts, one of each limit that it holds every call
/// against (BrokenLimits in grader/suite/device_work.h). Only `verify` asks, and takes them out again: they
/// concern the suite and not the submission.
inline constexpr const char* kStateLimits = "WARPLINGS_STATE_LIMITS";

/// How the ids of these facts begin; the limit's name follows. The second: a call broke the limit and did
/// nothing else that is wrong.
inline constexpr const char* kLimitNoted = "limit:";
inline constexpr const char* kLimitBrokenAlone = "limit_broken_alone:";

}  // namespace warplings
