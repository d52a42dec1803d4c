// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/unsupported.h"

#include <set>

#include "grader/runtime/runtime.h"

namespace warplings::runtime {

int RefuseUnsupported(const char* name) {
  return Forward(name, [&](Runtime&) -> Outcome {
    static std::set<std::string>& told = *new std::set<std::string>;
    if (!told.insert(name).second) return CudaError::kNotSupported;
    Warn("Warplings does not support " + std::string(name) + "; write the program without it.");
    return Refused{CudaError::kNotSupported, protocol::Refusal::kUnsupportedCall};
  });
}

}  // namespace warplings::runtime

using namespace warplings::runtime;

// Declared without parameters: none is looked at, and the caller cleans up.
#define WARPLINGS_UNSUPPORTED(name)  \
  WARPLINGS_API int name() {         \
    return RefuseUnsupported(#name); \
  }
#include "grader/runtime/unsupported_calls.inc"
#if WARPLINGS_CUDA_MAJOR < 13
// With CUDA 11's parameters; programs of CUDA 12 call those that end in _v2 or _v3.
WARPLINGS_UNSUPPORTED(cudaStreamGetCaptureInfo)
WARPLINGS_UNSUPPORTED(cudaStreamGetCaptureInfo_ptsz)
// With CUDA 11's structure; programs of CUDA 12 call the one that ends in _v2.
WARPLINGS_UNSUPPORTED(cudaGetDeviceProperties)
#endif
#undef WARPLINGS_UNSUPPORTED
