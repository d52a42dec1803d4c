// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grader/device/device.h"
#include "grader/virtual_gpu/exec/decoder.h"
#include "grader/virtual_gpu/memory/global_memory.h"

namespace warplings::vgpu {

/// A program's device code on the virtual GPU: its PTX, its variables in global memory, and what ptxas
/// made of its kernels where a cubin for the card's architecture is embedded as well.
struct LoadedModule {
  ClientId client = 0;
  ptx::Module ptx;
  SymbolTable symbols;  ///< Addresses of variables.
  std::map<std::string, VariableInfo, std::less<>> variables;
  std::map<std::string, KernelResources, std::less<>> resources;  ///< By mangled name.
  std::map<std::string, KernelId, std::less<>> kernels;           ///< Those decoded so far.
};

/// Reads a fatbin and gives its variables room in `memory`.
CudaResult<std::unique_ptr<LoadedModule>> LoadFatbin(ClientId client, std::span<const std::byte> fatbin,
                                                     const DeviceProfile& profile, GlobalMemory& memory);

}  // namespace warplings::vgpu
