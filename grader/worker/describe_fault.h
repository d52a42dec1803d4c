// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "grader/base/message.h"
#include "grader/worker/protocol.h"

namespace warplings {

/// What a segmentation fault of host code means for the person who wrote that code.
struct FaultWords {
  Message reason, next_step;
};

/// `signal`: its name. `fault` is the worker's own word, which a submission can forge: it chooses words, and
/// decides nothing.
FaultWords DescribeFault(const std::string& signal, const std::optional<worker::Fault>& fault);

}  // namespace warplings
