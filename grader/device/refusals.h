// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grader/core/finding.h"
#include "grader/device/device.h"
#include "grader/device/protocol.h"

namespace warplings {

/// The finding for a refused call of an untrusted program. None if the refusal is an ordinary result (out of
/// memory, not ready), or if the device has already reported its cause (a kernel that faulted). `kernel` is
/// the display name of the launched kernel, if any. `of_driver`: the driver API's functions are named.
std::optional<Finding> FindingForRefusal(const protocol::CallRow& call, const CudaFault& fault,
                                         std::string kernel, bool of_driver = false);

/// The same for a call that the runtime itself refused; what it reports is untrusted.
Finding FindingForRefusal(const protocol::ReportRefusal& report);

// What a request is refused with before it reaches a device.

/// Numbers that do not go together.
CudaFault InvalidRequest(std::string message);
/// A module, kernel, stream or event that is not there; `what` says which.
CudaFault InvalidHandle(Message what);
/// A client that could shorten the memory behind its mapping could kill this process with SIGBUS.
CudaFault NotSealed();

}  // namespace warplings
