// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace warplings {

/// Runs `work` in a child process and returns the status it returned, so that nothing is left behind
/// however it ends: TMPDIR points to a folder of its own, and when `work` returns, crashes, or SIGINT,
/// SIGTERM or SIGHUP arrives, every process below it is killed and that folder is removed. After a kill -9 of
/// this process, the next run removes the folder. Interrupted, it
/// returns 128 + the signal's number (130 for Ctrl-C); a crash of ours is kExitGraderFault with a message.
/// `when_interrupted` is called then, after everything was killed: for what the work has started elsewhere.
int Supervise(const std::function<int()>& work, const std::function<void()>& when_interrupted = {});

}  // namespace warplings
