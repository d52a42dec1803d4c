// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>

#include "grader/runtime/driver.h"
#include "grader/runtime/unsupported.h"

namespace warplings::runtime {
namespace {

/// As programs spell it: cuda.h puts a version, and the default stream's kind, behind many names.
std::string NameInSource(std::string_view name) {
  for (const char* kind : {"_ptsz", "_ptds"})
    if (name.ends_with(kind)) name.remove_suffix(5);
  const std::size_t version = name.rfind("_v");
  return std::string(version == name.npos ? name : name.substr(0, version));
}

int RefuseOfDriver(const char* name) {
  const std::string in_source = NameInSource(name);
  if (in_source == "cuGetProcAddress")
    Warn("If the program is linked with the static CUDA runtime, link it with nvcc -cudart shared.");
  return Drive<Needs::kNothing>(in_source.c_str(), [&] { return RefuseUnsupported(in_source.c_str()); });
}

}  // namespace
}  // namespace warplings::runtime

// Declared without parameters: none is looked at, and the caller cleans up.
#define WARPLINGS_UNSUPPORTED(name)                   \
  WARPLINGS_API int name() {                          \
    return warplings::runtime::RefuseOfDriver(#name); \
  }
#include "grader/runtime/driver_unsupported_calls.inc"
#undef WARPLINGS_UNSUPPORTED
