// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grader/core/finding.h"
#include "grader/device/device.h"
#include "grader/device/protocol.h"

namespace warplings {

/// What a refused call of an untrusted program tells its author. Nothing where the refusal is an
/// ordinary answer (no memory left, not ready), or where the device has reported its cause already (a
/// kernel that faulted). `kernel` is the launched kernel's display name, if any.
std::optional<Finding> FindingForRefusal(const protocol::CallRow& call, const CudaFault& fault,
                                         std::string kernel);

/// The same for a call that the runtime refused by itself; `call` is hostile text.
Finding FindingForRefusal(protocol::Refusal refusal, std::string_view call);

}  // namespace warplings
