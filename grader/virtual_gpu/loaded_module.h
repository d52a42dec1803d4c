// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grader/device/model/backend.h"
#include "grader/virtual_gpu/decode/decoder.h"
#include "grader/virtual_gpu/memory/global_memory.h"

namespace warplings::vgpu {

struct LoadedKernel;

/// A program's device code on the virtual GPU: its PTX, its variables in global memory, and the resources of
/// its kernels, if a cubin for the card's architecture is embedded. Destroyed, it frees its variables, also
/// when only some of them were made.
struct LoadedModule final : Backend::Module {
  LoadedModule(ClientId its_client, GlobalMemory& its_memory) : client(its_client), memory(its_memory) {}
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;
  ~LoadedModule() override;

  const ClientId client;
  GlobalMemory& memory;
  ptx::Module ptx;
  SymbolTable symbols;  ///< Addresses of the variables.
  std::map<std::string, VariableInfo, std::less<>> variables;
  std::vector<DevicePointer> owned;  ///< The same variables, for the destructor.
  std::map<std::string, KernelResources, std::less<>> resources_of;  ///< By mangled name.
  bool may_launch = false;  ///< Its kernels may launch kernels: it was compiled with -rdc=true.
  /// By mangled name: what cudaFuncSetAttribute has set. It counts for launches by kernels, too (as on an
  /// H200).
  std::map<std::string, std::uint32_t, std::less<>> max_dynamic_shared;
  /// Those that kernels have launched, by their place in the PTX module.
  std::map<std::size_t, std::unique_ptr<LoadedKernel>> launched;
};

/// Reads a program's fatbins (fatbin::ReadFatbins) and allocates its variables in `memory`, which has to
/// outlive the module.
CudaResult<std::unique_ptr<LoadedModule>> LoadFatbin(ClientId client, std::span<const std::byte> image,
                                                     const DeviceProfile& profile, GlobalMemory& memory);

}  // namespace warplings::vgpu
