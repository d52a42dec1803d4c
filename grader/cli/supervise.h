// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace warplings {

/// Runs `work` in a child process and returns its status. Cleans up however `work` ends: TMPDIR points to a
/// folder of its own, and when `work` returns or crashes, or SIGINT, SIGTERM or SIGHUP arrives, all processes
/// below it are killed and the folder is removed. If this process is killed with SIGKILL, the next run
/// removes the folder. Returns 128 + the signal's number after an interruption (130 for Ctrl-C), and
/// kExitGraderFault, with a message, after a crash. After an interruption, when everything has been killed
/// and the interruption is reported, calls `when_interrupted`, which can stop what the work has started on
/// other machines and say what to do next.
int Supervise(const std::function<int()>& work, const std::function<void()>& when_interrupted = {});

}  // namespace warplings
