// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "grader/base/message.h"
#include "grader/device/host_fault.h"

namespace warplings {

/// What a segmentation fault of host code means for the person who wrote that code.
struct FaultWords {
  Message reason, next_step;
};

/// `signal`: its name. `fault` is the word of the process that ended, which a submission can forge: it
/// chooses words, and decides nothing.
FaultWords DescribeFault(const Message& signal, const std::optional<HostFault>& fault);

/// What to do about another signal that host code brings upon itself, such as SIGABRT; empty: nothing is
/// known.
Message AdviceOnSignal(int signal);

}  // namespace warplings
