// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "grader/cuda_gpu/driver_api.h"
#include "grader/device/device_profile.h"
#include "grader/device/model/backend.h"

namespace warplings::cuda_gpu {

/// A kernel as the driver knows it.
struct Kernel final : Backend::Kernel {
  CUfunction function = nullptr;
  std::uint32_t permitted_dynamic_shared = 0;  ///< What the driver was told to permit; 0: nothing yet.
};

/// A program's device code on a card; destroyed, it is unloaded.
struct Module final : Backend::Module {
  explicit Module(const DriverApi& its_driver) : driver(its_driver) {}
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  ~Module() override;

  const DriverApi& driver;
  CUmodule module = nullptr;
};

/// Passes the fatbin's image for this card to the driver: a cubin if there is one, otherwise PTX.
CudaResult<std::unique_ptr<Backend::Module>> LoadModule(const DriverApi& driver, const DeviceProfile& card,
                                                        std::span<const std::byte> fatbin);
CudaResult<std::unique_ptr<Backend::Kernel>> FindKernel(const Module& module, std::string_view name);
CudaResult<VariableInfo> FindVariable(const Module& module, std::string_view name);

}  // namespace warplings::cuda_gpu
