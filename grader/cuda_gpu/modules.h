// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/cuda_gpu/driver_api.h"
#include "grader/device/device_profile.h"
#include "grader/device/launch_check.h"

namespace warplings::cuda_gpu {

/// What launches need of a kernel.
struct Kernel {
  ModuleId module = 0;
  CUfunction function = nullptr;
  KernelInfo info;
  KernelLimits limits;
};

/// The programs' device code on a card.
class Modules {
 public:
  Modules(const DriverApi& driver, const DeviceProfile& card) : driver_(driver), card_(card) {}

  /// Passes the fatbin's image for this card to the driver: a cubin if there is one, otherwise PTX.
  CudaResult<ModuleId> Load(ClientId client, std::span<const std::byte> fatbin);
  CudaStatus Unload(ClientId client, ModuleId module);
  CudaResult<const Kernel*> Find(ModuleId module, std::string_view name);
  CudaResult<VariableInfo> FindVariable(ModuleId module, std::string_view name);
  /// Null if there is no such kernel.
  const Kernel* Get(KernelId id) const;
  CudaStatus SetMaxDynamicShared(KernelId id, std::uint32_t bytes);
  std::vector<KernelResources> ListResources(ClientId client) const;
  void DropClient(ClientId client);

 private:
  struct Module {
    ClientId client = 0;
    CUmodule module = nullptr;
    std::vector<KernelResources> resources;  ///< The resources of all its kernels, from the cubin.
    std::map<std::string, KernelId, std::less<>> kernels;
  };

  CudaFault Fault(CUresult code, const std::string& what) const;
  Kernel Describe(ModuleId module, CUfunction function, std::string_view name) const;
  void Release(std::map<ModuleId, Module>::iterator entry);

  const DriverApi& driver_;
  const DeviceProfile& card_;
  std::map<ModuleId, Module> modules_;
  std::map<KernelId, Kernel> kernels_;
  ModuleId next_module_ = 1;
  KernelId next_kernel_ = 1;
};

}  // namespace warplings::cuda_gpu
