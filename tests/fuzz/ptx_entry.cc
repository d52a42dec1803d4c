// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "grader/base/replace.h"
#include "grader/virtual_gpu/ptx/linker.h"
#include "grader/virtual_gpu/ptx/parser.h"
#include "tests/fuzz/entries.h"
#include "tests/fuzz/require.h"
#include "tests/support/virtual_gpu_testing.h"

namespace warplings::fuzz {
namespace {

constexpr ClientId kClient = 1;
/// Of all variables of a module; a card has more, a fuzzer's process has less.
constexpr std::uint64_t kDeviceMemory = std::uint64_t{256} << 20;

std::unique_ptr<LocalDevice> MakeDevice() {
  VirtualGpuOptions options;
  options.memory_bytes = kDeviceMemory;
  options.host_threads = 1;
  auto device = MakeVirtualGpu(*FindDeviceProfile(kDefaultProfile), options);
  Require(device.ok(), "no virtual GPU");
  return std::move(device).value();
}

void FindEverything(LocalDevice& device, ModuleId id, const ptx::Module& module) {
  for (const ptx::Function& function : module.functions) {
    if (!function.is_entry) continue;
    const auto kernel = device.FindKernel(id, function.name);
    if (!kernel) RequireMessage(English(kernel.error().message));
    if (kernel) Require(device.FindKernel(id, function.name)->id == kernel->id, "a kernel is decoded twice");
  }
  for (const ptx::Variable& variable : module.variables) {
    const auto found = device.FindVariable(id, variable.name);
    if (!found) RequireMessage(English(found.error().message));
    if (found) Require(found->bytes == variable.Bytes(), "a variable of another size");
  }
}

/// Two files of one program, as if both held the text, with definitions that may repeat.
void LinkTwice(std::string_view text) {
  const std::string file = ReplaceAll(std::string(text), ".visible", ".weak");
  const std::string files[] = {file, file};
  const auto module = ptx::LinkModules(files);
  if (!module) return RequireMessage(English(module.error().message));
  for (const ptx::Function& function : module->functions) {
    for (const ptx::Location& location : function.locations)
      Require(location.where_file < static_cast<int>(module->files.size()), "a line of no file");
  }
}

}  // namespace

void LoadPtx(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto module = ptx::ParseModule(text);
  if (!module) return RequireMessage(English(module.error().message));
  LinkTwice(text);
  const std::unique_ptr<LocalDevice> device = MakeDevice();
  const auto id = device->LoadModule(kClient, vgpu::WrapPtx(text));
  if (!id) RequireMessage(English(id.error().message));
  if (id) {
    FindEverything(*device, *id, *module);
    Require(device->UnloadModule(kClient, *id).ok(), "a module that does not unload");
  }
  for (const Finding& finding : device->TakeFindings()) RequireMessage(English(finding.message));
  device->DropClient(kClient);
}

}  // namespace warplings::fuzz
