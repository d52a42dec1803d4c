// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "grader/core/finding.h"
#include "grader/device/model/ledger.h"

namespace warplings {

/// The warning about memory that was never freed; nothing where there is none.
std::optional<Finding> FindingForLeaks(const Ledger::Leaks& leaks);

}  // namespace warplings
