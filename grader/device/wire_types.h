// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/base/wire.h"
#include "grader/device/device.h"

namespace warplings {

/// The descriptor is sent beside the message.
template <class Archive>
void WireFields(Archive& archive, VariableInfo& info) {
  archive(info.address, info.bytes, info.mapped_bytes);
}

}  // namespace warplings
