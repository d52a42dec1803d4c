// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/modules.h"

#include <optional>

#include "grader/fatbin/cubin.h"
#include "grader/fatbin/demangle.h"
#include "grader/fatbin/fatbin.h"

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
CudaStatus RefuseManagedVariables(std::span<const fatbin::Entry> entries, int sm) {
  const auto ptx = fatbin::SelectPtx(entries, sm);
  if (!ptx) return Unit{};
  const auto text = fatbin::UnpackPtx(*ptx);
  if (!text || text->find(".attribute(.managed)") == std::string::npos) return Unit{};
  return CudaFault{
      CudaError::kNotSupported,
      "__managed__ variables are not supported on a graphics card. Use a __device__ variable and "
      "cudaMemcpyFromSymbol, or memory of cudaMallocManaged; the virtual GPU has them."};
}

CudaResult<Image> ChooseImage(std::span<const std::byte> container, int sm) {
  const auto entries = fatbin::ReadFatbin(container);
  if (!entries) return BadImage(entries.error());
  if (const CudaStatus managed = RefuseManagedVariables(*entries, sm); !managed) return managed.error();
  if (const std::optional<fatbin::Entry> cubin = fatbin::SelectCubin(*entries, sm)) {
    auto bytes = fatbin::Unpack(*cubin);
    if (!bytes) return BadImage(bytes.error());
    Image image{std::move(*bytes), {}};
    if (const auto kernels = fatbin::ReadCubin(image.bytes)) {
      for (const fatbin::CubinKernel& kernel : *kernels) image.resources.push_back(kernel.resources);
    }
    return image;
  }
  const auto ptx = fatbin::SelectPtx(*entries, sm);
  if (!ptx) return CudaFault{CudaError::kNoKernelImageForDevice, ptx.error().message};
  auto text = fatbin::UnpackPtx(*ptx);
  if (!text) return BadImage(text.error());
  Image image;
  const auto bytes = std::as_bytes(std::span(*text));
  image.bytes.assign(bytes.begin(), bytes.end());
  image.bytes.push_back(std::byte{0});  // The driver takes PTX as a C string.
  return image;
}

}  // namespace

CudaFault Modules::Fault(CUresult code, const std::string& what) const {
  return {RuntimeError(code), what + ": " + cuda_gpu::Describe(driver_, code)};
}

CudaResult<ModuleId> Modules::Load(ClientId client, std::span<const std::byte> fatbin) {
  auto image = ChooseImage(fatbin, card_.major * 10 + card_.minor);
  if (!image) return image.error();
  Module module;
  module.client = client;
  module.resources = std::move(image->resources);
  const CUresult code = driver_.cuModuleLoadDataEx(&module.module, image->bytes.data(), 0, nullptr, nullptr);
  if (code != CUDA_SUCCESS) return Fault(code, "the driver refuses the device code");
  modules_.emplace(next_module_, std::move(module));
  return next_module_++;
}

void Modules::Release(std::map<ModuleId, Module>::iterator entry) {
  for (const auto& [name, id] : entry->second.kernels) kernels_.erase(id);
  driver_.cuModuleUnload(entry->second.module);
  modules_.erase(entry);
}

CudaStatus Modules::Unload(ClientId client, ModuleId module) {
  const auto entry = modules_.find(module);
  if (entry == modules_.end() || entry->second.client != client) {
    return CudaFault{CudaError::kInvalidResourceHandle, "this module does not exist"};
  }
  Release(entry);
  return Unit{};
}

Kernel Modules::Describe(ModuleId module, CUfunction function, std::string_view name) const {
  const auto ask = [&](CUfunction_attribute attribute) {
    int value = 0;
    driver_.cuFuncGetAttribute(&value, attribute, function);
    return static_cast<std::uint32_t>(value);
  };
  Kernel kernel;
  kernel.module = module;
  kernel.function = function;
  for (std::size_t i = 0, offset = 0, bytes = 0;
       driver_.cuFuncGetParamInfo(function, i, &offset, &bytes) == CUDA_SUCCESS; ++i) {
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
  return kernel;
}

CudaResult<const Kernel*> Modules::Find(ModuleId module, std::string_view name) {
  const auto entry = modules_.find(module);
  if (entry == modules_.end())
    return CudaFault{CudaError::kInvalidResourceHandle, "this module does not exist"};
  if (const auto known = entry->second.kernels.find(name); known != entry->second.kernels.end()) {
    return &kernels_.at(known->second);
  }
  CUfunction function = nullptr;
  const CUresult code =
      driver_.cuModuleGetFunction(&function, entry->second.module, std::string(name).c_str());
  if (code != CUDA_SUCCESS) {
    return CudaFault{CudaError::kInvalidDeviceFunction, "there is no kernel " + fatbin::DemangledName(name)};
  }
  Kernel kernel = Describe(module, function, name);
  kernel.info.id = next_kernel_++;
  entry->second.kernels.emplace(name, kernel.info.id);
  return &kernels_.emplace(kernel.info.id, std::move(kernel)).first->second;
}

CudaResult<VariableInfo> Modules::FindVariable(ModuleId module, std::string_view name) {
  const auto entry = modules_.find(module);
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  if (entry == modules_.end() || driver_.cuModuleGetGlobal(&address, &bytes, entry->second.module,
                                                           std::string(name).c_str()) != CUDA_SUCCESS) {
    return CudaFault{CudaError::kInvalidSymbol, "there is no variable " + fatbin::DemangledName(name)};
  }
  VariableInfo info;
  info.address = address;
  info.bytes = bytes;
  return info;
}

const Kernel* Modules::Get(KernelId id) const {
  const auto entry = kernels_.find(id);
  return entry == kernels_.end() ? nullptr : &entry->second;
}

CudaStatus Modules::SetMaxDynamicShared(KernelId id, std::uint32_t bytes) {
  const auto entry = kernels_.find(id);
  if (entry == kernels_.end())
    return CudaFault{CudaError::kInvalidDeviceFunction, "this kernel does not exist"};
  const CUresult code = driver_.cuFuncSetAttribute(
      entry->second.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(bytes));
  if (code != CUDA_SUCCESS) return Fault(code, std::to_string(bytes) + " bytes of dynamic shared memory");
  entry->second.limits.max_dynamic_shared = bytes;
  return Unit{};
}

std::vector<KernelResources> Modules::ListResources(ClientId client) const {
  std::vector<KernelResources> all;
  for (const auto& [id, module] : modules_) {
    if (module.client == client) all.insert(all.end(), module.resources.begin(), module.resources.end());
  }
  return all;
}

void Modules::DropClient(ClientId client) {
  for (auto entry = modules_.begin(); entry != modules_.end();) {
    const auto each = entry++;
    if (each->second.client == client) Release(each);
  }
}

}  // namespace warplings::cuda_gpu
