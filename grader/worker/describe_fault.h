// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "grader/worker/protocol.h"

namespace warplings {

/// What a segmentation fault of host code means for the person who wrote that code.
struct FaultWords {
  std::string what;  ///< ": it uses a null pointer"; follows the signal's name. Empty if nothing is known.
  std::string next_step;
};

/// `fault` is the worker's own word, which a submission can forge: it chooses words, and decides nothing.
FaultWords DescribeFault(const std::optional<worker::Fault>& fault);

}  // namespace warplings
