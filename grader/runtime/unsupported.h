// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplings::runtime {

/// Names the function once on standard error, and as a finding; returns cudaErrorNotSupported.
int RefuseUnsupported(const char* name);

}  // namespace warplings::runtime
