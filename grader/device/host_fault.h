// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

/// The C library's: where the kernel put the stack of the main thread.
extern "C" void* __libc_stack_end;

namespace warplings {

/// Where a segmentation fault or bus error of host code happened, as the signal's handler saw it.
struct HostFault {
  std::uint64_t address = 0;        ///< siginfo_t::si_addr.
  std::uint64_t stack_pointer = 0;  ///< Of the instruction that faulted.
  std::uint64_t stack_top = 0;      ///< The address past the main thread's stack, from which it grows down.
  std::int32_t code = 0;            ///< siginfo_t::si_code: SEGV_MAPERR, SI_KERNEL, …
};

/// The arguments are those of a handler with SA_SIGINFO, in which this may be called.
inline HostFault ReadHostFault(const siginfo_t* info, const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  return {.address = reinterpret_cast<std::uint64_t>(info->si_addr),
          .stack_pointer = static_cast<std::uint64_t>(machine.gregs[REG_RSP]),
          .stack_top = reinterpret_cast<std::uint64_t>(__libc_stack_end),
          .code = info->si_code};
}

/// Calls `handler` at the first such fault of the main thread, or of another thread whose stack has room; at
/// a second one the process ends. The handler ends the process by raise(): a signal that was sent would be
/// forgotten otherwise.
inline void HandleHostFaults(void (*handler)(int, siginfo_t*, void*)) {
  // A stack of its own: there is no room on the usual one when that is full.
  static std::byte stack[64 << 10];
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (const int number : {SIGSEGV, SIGBUS}) sigaction(number, &action, nullptr);
}

/// What `warplings run` reads from the pipe that its program inherits: a program's forks may fault, too.
struct ReportedHostFault {
  std::int64_t process = 0;
  HostFault fault;
};

/// Names the descriptor of that pipe in the program's environment.
inline constexpr const char* kFaultDescriptorVariable = "WARPLINGS_FAULT_FD";

}  // namespace warplings
