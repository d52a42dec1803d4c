// SPDX-License-Identifier: Apache-2.0
// Tells `warplings run` where the program's host code faulted, which a wait status does not say. A worker has
// a handler of its own and no such descriptor.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>

#include "grader/device/host_fault.h"

namespace warplings {
namespace {

int descriptor = -1;

void ReportFault(int number, siginfo_t* info, void* context) {
  const ReportedHostFault report{.process = getpid(), .fault = ReadHostFault(info, context)};
  (void)!write(descriptor, &report, sizeof report);
  raise(number);
}

/// Before the constructors of the program, which may fault, too. A handler that the program sets replaces
/// ours.
__attribute__((constructor)) void CatchFaults() {
  const char* text = std::getenv(kFaultDescriptorVariable);
  if (text == nullptr) return;
  descriptor = std::atoi(text);
  unsetenv(kFaultDescriptorVariable);
  if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0) return;
  HandleHostFaults(ReportFault);
}

}  // namespace
}  // namespace warplings
