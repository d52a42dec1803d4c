// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/modules.h"

#include <optional>
#include <string>
#include <utility>

#include "grader/fatbin/cubin.h"
#include "grader/fatbin/device_names.h"
#include "grader/fatbin/fatbin.h"
#include "grader/messages/device.h"

namespace warplings::cuda_gpu {
namespace {

/// The image for the driver, and the kernels' resources if they are known before loading.
struct Image {
  std::vector<std::byte> bytes;
  std::vector<KernelResources> resources;
};

CudaFault BadImage(const Error& error) {
  return {CudaError::kInvalidKernelImage, error.message};
}

/// A __managed__ variable is host memory, too; on a card it is memory of this process, not of the program's.
CudaStatus RefuseManagedVariables(const fatbin::Fatbins& fatbins, int sm) {
  const auto ptx = fatbin::SelectAllPtx(fatbins, sm);
  if (!ptx) return Unit{};
  for (const fatbin::Entry& entry : *ptx) {
    const auto text = fatbin::UnpackPtx(entry);
    if (text && text->find(".attribute(.managed)") != std::string::npos)
      return CudaFault{CudaError::kNotSupported, say::no_managed_variables()};
  }
  return Unit{};
}

CudaResult<Image> ChooseImage(std::span<const std::byte> code, int sm) {
  const auto fatbins = fatbin::ReadFatbins(code);
  if (!fatbins) return BadImage(fatbins.error());
  if (const CudaStatus managed = RefuseManagedVariables(*fatbins, sm); !managed) return managed.error();
  if (const std::optional<fatbin::Entry> cubin = fatbin::SelectCubin(fatbins->linked, sm)) {
    auto bytes = fatbin::Unpack(*cubin);
    if (!bytes) return BadImage(bytes.error());
    Image image{std::move(*bytes), {}};
    if (const auto kernels = fatbin::ReadCubin(image.bytes)) {
      for (const fatbin::CubinKernel& kernel : *kernels) image.resources.push_back(kernel.resources);
    }
    return image;
  }
  const auto ptx = fatbin::SelectPtx(fatbins->linked, sm);
  if (!ptx) return CudaFault{CudaError::kNoKernelImageForDevice, ptx.error().message};
  auto text = fatbin::UnpackPtx(*ptx);
  if (!text) return BadImage(text.error());
  Image image;
  const auto bytes = std::as_bytes(std::span(*text));
  image.bytes.assign(bytes.begin(), bytes.end());
  image.bytes.push_back(std::byte{0});  // The driver takes PTX as a C string.
  return image;
}

CudaFault Fault(const DriverApi& driver, CUresult code, const std::string& what) {
  return {RuntimeError(code), what + ": " + cuda_gpu::Describe(driver, code)};
}

void ReadKernel(const DriverApi& driver, std::string_view name, Kernel& kernel) {
  const auto ask = [&](CUfunction_attribute attribute) {
    int value = 0;
    driver.cuFuncGetAttribute(&value, attribute, kernel.function);
    return static_cast<std::uint32_t>(value);
  };
  for (std::size_t i = 0, offset = 0, bytes = 0;
       driver.cuFuncGetParamInfo(kernel.function, i, &offset, &bytes) == CUDA_SUCCESS; ++i) {
    kernel.info.parameters.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(bytes)});
    kernel.info.argument_bytes = static_cast<std::uint32_t>(offset + bytes);
  }
  KernelResources& resources = kernel.info.resources;
  resources.kernel = fatbin::DemangledName(name);
  resources.registers = ask(CU_FUNC_ATTRIBUTE_NUM_REGS);
  resources.shared_bytes = ask(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  resources.local_bytes = ask(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  resources.constant_bytes = ask(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
  kernel.info.max_threads_per_block = ask(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  kernel.info.ptx_version = ask(CU_FUNC_ATTRIBUTE_PTX_VERSION);
  kernel.limits = {.static_shared_bytes = resources.shared_bytes,
                   .promised_threads = kernel.info.max_threads_per_block,
                   .argument_bytes = kernel.info.argument_bytes,
                   .registers = resources.registers,
                   .max_dynamic_shared = 0};
}

}  // namespace

Module::~Module() {
  if (module != nullptr) driver.cuModuleUnload(module);
}

CudaResult<std::unique_ptr<Backend::Module>> LoadModule(const DriverApi& driver, const DeviceProfile& card,
                                                        std::span<const std::byte> fatbin) {
  auto image = ChooseImage(fatbin, card.major * 10 + card.minor);
  if (!image) return image.error();
  auto loaded = std::make_unique<Module>(driver);
  loaded->resources = std::move(image->resources);
  const CUresult code = driver.cuModuleLoadDataEx(&loaded->module, image->bytes.data(), 0, nullptr, nullptr);
  if (code != CUDA_SUCCESS) return Fault(driver, code, "the driver refuses the device code");
  return std::unique_ptr<Backend::Module>(std::move(loaded));
}

CudaResult<std::unique_ptr<Backend::Kernel>> FindKernel(const Module& module, std::string_view name) {
  auto kernel = std::make_unique<Kernel>();
  const CUresult code =
      module.driver.cuModuleGetFunction(&kernel->function, module.module, std::string(name).c_str());
  if (code != CUDA_SUCCESS) {
    return CudaFault{CudaError::kInvalidDeviceFunction,
                     say::program_has_no_kernel(fatbin::DemangledName(name))};
  }
  ReadKernel(module.driver, name, *kernel);
  return std::unique_ptr<Backend::Kernel>(std::move(kernel));
}

CudaResult<VariableInfo> FindVariable(const Module& module, std::string_view name) {
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  if (module.driver.cuModuleGetGlobal(&address, &bytes, module.module, std::string(name).c_str()) !=
      CUDA_SUCCESS) {
    return CudaFault{CudaError::kInvalidSymbol, say::program_has_no_variable(fatbin::DemangledName(name))};
  }
  VariableInfo info;
  info.address = address;
  info.bytes = bytes;
  return info;
}

}  // namespace warplings::cuda_gpu
