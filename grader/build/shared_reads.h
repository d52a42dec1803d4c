// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace warplings {

/// How the text of a submission loads from the arrays that it declares in shared memory.
enum class SharedReads {
  kNone,     ///< It does not, whether it stores to them or has none.
  kByName,   ///< By an index: `tile[t]`.
  kUnknown,  ///< It may do so through a pointer, or one function does and another does not.
};
/// `kernel`: what other kernels read is left out; empty: of all.
SharedReads FindSharedReads(std::string_view source, std::string_view kernel = {});

}  // namespace warplings
