// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/runtime.h"

/// Functions of the program that run at their place in a stream.
///
/// Theory of operation. Work of a non-blocking stream runs in the device process, as late as CUDA allows. A
/// function of the host has a place among it (protocol::LaunchHostFunction), and this process has the
/// function. Before a call that waits, this process asks which function comes first among what the call waits
/// for (protocol::AdvanceToHostFunction), runs it without holding the mutex, says so, and asks again; Forward
/// does that for a call that names what it waits for. In all other streams work runs at once, and so does the
/// function, within the call that launches it.
namespace warplings::runtime {

struct HostCall {
  HostFunction function = nullptr;    ///< Or …
  StreamCallback callback = nullptr;  ///< … this.
  void* stream = nullptr;             ///< As the program named it.
  void* data = nullptr;
};

/// A call gives the device work of `bytes` bytes. If much has been kept behind a function, runs the
/// functions: the device keeps only so much, and would pass over them.
void NoteWork(std::uint64_t bytes) noexcept;
/// The same for several calls, with the lock held, which is released while a function runs.
void NoteWork(Runtime& runtime, std::unique_lock<std::mutex>& lock, std::uint64_t bytes, std::uint64_t calls);
/// Asks the device for the function's place, while the mutex is held. Sets `runs_now` if it has none, because
/// the stream has got there: RunNow is to be called without the mutex.
Outcome LaunchHostCall(Runtime& runtime, StreamId stream, const HostCall& call, bool& runs_now);
void RunNow(const HostCall& call);

}  // namespace warplings::runtime
