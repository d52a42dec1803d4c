// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/loaded_module.h"

#include <cstring>

#include "grader/fatbin/cubin.h"
#include "grader/fatbin/device_names.h"
#include "grader/fatbin/fatbin.h"
#include "grader/messages/joining.h"
#include "grader/messages/ptx.h"
#include "grader/virtual_gpu/loaded_kernel.h"
#include "grader/virtual_gpu/ptx/device_runtime.h"
#include "grader/virtual_gpu/ptx/linker.h"

namespace warplings::vgpu {
namespace {

CudaFault Fault(CudaError code, const Error& error) {
  return {code, error.next_step.empty() ? error.message : say::and_remedy(error.message, error.next_step)};
}

CudaStatus AddVariables(LoadedModule& module) {
  GlobalMemory& memory = module.memory;
  // So that noting a variable cannot fail once it has its memory.
  module.owned.reserve(module.ptx.variables.size());
  for (const ptx::Variable& variable : module.ptx.variables) {
    const bool is_constant = variable.space == ptx::Space::kConst;
    if (!is_constant && variable.space != ptx::Space::kGlobal) continue;
    if (variable.is_extern) continue;
    auto address = memory.AddVariable(fatbin::DemangledName(variable.name), variable.Bytes(),
                                      variable.alignment, is_constant, variable.is_managed);
    if (!address) return address.error();
    module.owned.push_back(*address);
    module.symbols[variable.name] = *address;
    const Region* region = memory.Find(*address);
    module.variables[variable.name] = {*address, variable.Bytes(), region ? region->shared_fd : -1,
                                       variable.is_managed && region ? region->mapped_bytes : 0};
    if (!variable.initial.empty()) {
      std::memcpy(HostPointer(*address), variable.initial.data(),
                  std::min<std::uint64_t>(variable.initial.size(), variable.Bytes()));
    }
  }
  for (std::size_t i = 0; i < module.ptx.functions.size(); ++i) {
    if (!module.ptx.functions[i].is_entry || module.may_launch) {
      module.symbols.emplace(module.ptx.functions[i].name, kFunctionBase + i * kFunctionStride);
    }
  }
  // Addresses inside initialisers: all variables and functions have theirs now.
  for (const ptx::Variable& variable : module.ptx.variables) {
    const auto own = module.variables.find(variable.name);
    if (own == module.variables.end()) continue;
    for (const auto& relocation : variable.relocations) {
      const auto target = module.symbols.find(relocation.symbol);
      if (target == module.symbols.end()) {
        return CudaFault{CudaError::kInvalidPtx,
                         say::initialiser_needs_address(variable.name, relocation.symbol)};
      }
      const std::uint64_t value = target->second + static_cast<std::uint64_t>(relocation.addend);
      if (relocation.offset + sizeof value > variable.Bytes()) continue;
      std::memcpy(HostPointer(own->second.address) + relocation.offset, &value, sizeof value);
    }
  }
  return Unit{};
}

void ReadResources(LoadedModule& module, std::span<const fatbin::Entry> entries, int sm) {
  // A cubin that cannot be read costs the resource figures, nothing else.
  const auto entry = fatbin::SelectCubin(entries, sm);
  if (!entry) return;
  const auto image = fatbin::Unpack(*entry);
  if (!image) return;
  const auto kernels = fatbin::ReadCubin(*image);
  if (!kernels) return;
  for (const auto& kernel : *kernels) module.resources_of[kernel.mangled] = kernel.resources;
  for (const auto& [name, resources] : module.resources_of) module.resources.push_back(resources);
}

}  // namespace

LoadedModule::~LoadedModule() {
  for (const DevicePointer variable : owned) memory.RemoveVariable(variable);
}

CudaResult<std::unique_ptr<LoadedModule>> LoadFatbin(ClientId client, std::span<const std::byte> image,
                                                     const DeviceProfile& profile, GlobalMemory& memory) {
  const int sm = profile.major * 10 + profile.minor;
  const auto fatbins = fatbin::ReadFatbins(image);
  if (!fatbins) return Fault(CudaError::kInvalidKernelImage, fatbins.error());
  auto module = std::make_unique<LoadedModule>(client, memory);
  // Programs without kernels embed an empty fatbin.
  if (fatbins->linked.empty() && fatbins->objects.empty()) return module;
  const auto entries = fatbin::SelectAllPtx(*fatbins, sm);
  if (!entries) return Fault(CudaError::kNoKernelImageForDevice, entries.error());
  std::vector<std::string> texts;
  for (const fatbin::Entry& entry : *entries) {
    auto text = fatbin::UnpackPtx(entry);
    if (!text) return Fault(CudaError::kInvalidKernelImage, text.error());
    texts.push_back(std::move(text).value());
  }
  module->may_launch = !fatbins->objects.empty();
  if (auto runtime = ptx::DeviceRuntimeFor(texts, module->may_launch)) texts.push_back(*std::move(runtime));
  auto linked = ptx::LinkModules(texts);
  if (!linked) return Fault(CudaError::kInvalidPtx, linked.error());
  module->ptx = std::move(linked).value();
  ReadResources(*module, fatbins->linked, sm);
  if (auto added = AddVariables(*module); !added) return added.error();
  return module;
}

}  // namespace warplings::vgpu
