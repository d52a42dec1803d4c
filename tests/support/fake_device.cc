// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_device.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <iterator>
#include <utility>

#include "grader/device/model/memory_refusals.h"
#include "grader/fatbin/device_names.h"

namespace warplings {
namespace {

constexpr std::uint64_t kPage = 4096;
/// Of all allocations. It is the machine's own memory, and a fuzzer asks for all there is and fills it.
constexpr std::uint64_t kMemoryBytes = std::uint64_t{1} << 30;

CudaFault Fault(CudaError code, std::string message) {
  return {code, std::move(message)};
}

}  // namespace

/// Its variables have memory from when they are first asked for.
struct FakeBackend::FakeModule final : Module {
  explicit FakeModule(FakeBackend& its_backend) : backend(its_backend) {}
  FakeModule(const FakeModule&) = delete;
  FakeModule& operator=(const FakeModule&) = delete;
  ~FakeModule() override {
    for (const auto& [name, variable] : variables) static_cast<void>(backend.Release(variable.address).ok());
  }

  FakeBackend& backend;
  std::map<std::string, VariableInfo, std::less<>> variables;
};

struct FakeBackend::FakeKernel final : Kernel {
  KernelBody body;
};

FakeBackend::~FakeBackend() {
  for (const auto& [address, block] : allocations_) GiveBack(block);
}

void FakeBackend::GiveBack(const Block& block) {
  munmap(block.data, block.mapped_bytes);
  if (block.fd >= 0) close(block.fd);
}

void FakeBackend::AddKernel(std::string name, std::vector<KernelParameter> parameters, KernelBody body) {
  kernels_.push_back({std::move(name), std::move(parameters), std::move(body)});
}

std::byte* FakeBackend::Memory(DevicePointer address, std::uint64_t bytes) {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  const auto& [start, block] = *std::prev(after);
  std::uint64_t offset = address - start;
  if (offset > block.bytes || bytes > block.bytes - offset) return nullptr;
  return block.data + offset;
}

// --- Modules ---------------------------------------------------------------------------------------

CudaResult<std::unique_ptr<Backend::Module>> FakeBackend::Load(ClientId, std::span<const std::byte> fatbin) {
  if (fatbin.empty()) return Fault(CudaError::kInvalidKernelImage, "The module is empty.");
  return std::unique_ptr<Module>(std::make_unique<FakeModule>(*this));
}

CudaResult<std::unique_ptr<Backend::Kernel>> FakeBackend::FindKernel(Module&, std::string_view name) {
  for (const KnownKernel& known : kernels_) {
    if (known.name != name) continue;
    auto kernel = std::make_unique<FakeKernel>();
    kernel->body = known.body;
    KernelInfo& info = kernel->info;
    info.parameters = known.parameters;
    for (const auto& parameter : info.parameters) info.argument_bytes = parameter.offset + parameter.bytes;
    info.resources.kernel = fatbin::DemangledName(known.name);
    info.max_threads_per_block = 1024;
    info.ptx_version = 80;
    kernel->limits.argument_bytes = info.argument_bytes;
    return std::unique_ptr<Kernel>(std::move(kernel));
  }
  return Fault(CudaError::kInvalidDeviceFunction, "There is no kernel " + std::string(name) + ".");
}

CudaResult<VariableInfo> FakeBackend::FindVariable(Module& module, std::string_view name) {
  auto& loaded = static_cast<FakeModule&>(module);
  if (auto known = loaded.variables.find(name); known != loaded.variables.end()) return known->second;
  auto found = variables_.find(name);
  if (found == variables_.end()) return Fault(CudaError::kInvalidSymbol, "There is no such variable.");
  auto memory = Reserve(found->second, AllocationKind::kDevice);
  if (!memory) return memory.error();
  return loaded.variables[std::string(name)] = {memory->address, found->second};
}

CudaStatus FakeBackend::Launch(Kernel& kernel, const LaunchRequest& request) {
  LaunchRecord record;
  record.kernel = kernel.info.resources.kernel;
  record.grid = request.grid;
  record.block = request.block;
  record.dynamic_shared_bytes = request.dynamic_shared_bytes;
  CudaStatus status = static_cast<FakeKernel&>(kernel).body(request);
  record.completed = status.ok();
  observed.launches.push_back(std::move(record));
  return status;
}

// --- Memory ----------------------------------------------------------------------------------------

std::optional<NamedArray> FakeBackend::FindArray(DevicePointer address) {
  const auto next = allocations_.upper_bound(address);
  if (next == allocations_.begin()) return std::nullopt;
  const auto& [start, block] = *std::prev(next);
  if (address - start >= block.bytes || block.fd < 0) return std::nullopt;
  return NamedArray{start, block.bytes, {}, true};
}

CudaResult<Allocation> FakeBackend::Reserve(std::uint64_t bytes, AllocationKind kind) {
  if (is_full || bytes > GetMemoryInfo().free_bytes)
    return Fault(CudaError::kMemoryAllocation, "Out of memory.");
  Block block{bytes, (bytes + kPage - 1) / kPage * kPage, nullptr, -1};
  if (kind != AllocationKind::kDevice) {
    block.fd = memfd_create("fake-device", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    bool sized = block.fd >= 0 && ftruncate(block.fd, static_cast<off_t>(block.mapped_bytes)) == 0;
    if (!sized) return Fault(CudaError::kMemoryAllocation, "No shared memory.");
    fcntl(block.fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  }
  int flags = block.fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* data = mmap(nullptr, block.mapped_bytes, PROT_READ | PROT_WRITE, flags, block.fd, 0);
  if (data == MAP_FAILED) return Fault(CudaError::kMemoryAllocation, "Out of memory.");
  block.data = static_cast<std::byte*>(data);
  DevicePointer address = next_address_;
  next_address_ += block.mapped_bytes + kPage;  // A gap, so that an overrun meets nothing.
  allocations_[address] = block;
  return Allocation{address, bytes, block.fd, block.fd >= 0 ? block.mapped_bytes : 0};
}

CudaStatus FakeBackend::Release(DevicePointer address) {
  auto found = allocations_.find(address);
  if (found == allocations_.end()) return NotAnAllocation();
  GiveBack(found->second);
  allocations_.erase(found);
  return Unit{};
}

CudaStatus FakeBackend::Copy(std::uint64_t target, std::uint64_t source, std::uint64_t bytes, CopyKind kind) {
  std::byte* to = kind == CopyKind::kToHost ? reinterpret_cast<std::byte*>(target) : Memory(target, bytes);
  const std::byte* from =
      kind == CopyKind::kToDevice ? reinterpret_cast<const std::byte*>(source) : Memory(source, bytes);
  if (bytes == 0 && (kind == CopyKind::kToHost ? from : to) != nullptr) return Unit{};
  if (to == nullptr || from == nullptr) return NotLiveMemory();
  std::memmove(to, from, bytes);
  return Unit{};
}

CudaStatus FakeBackend::Fill(DevicePointer target, std::uint8_t value, std::uint64_t bytes) {
  std::byte* memory = Memory(target, bytes);
  if (memory == nullptr) return NotLiveMemory();
  std::memset(memory, value, bytes);
  return Unit{};
}

MemoryInfo FakeBackend::GetMemoryInfo() {
  std::uint64_t used = 0;
  for (const auto& [address, block] : allocations_) used += block.bytes;
  return {kMemoryBytes - used, kMemoryBytes};
}

CudaStatus FakeBackend::Wait() {
  if (on_wait) on_wait();
  return Unit{};
}

// --- Observation -----------------------------------------------------------------------------------

CudaStatus FakeBackend::SetLabel(DevicePointer address, std::string_view label) {
  if (!allocations_.contains(address)) return NotLiveMemory();
  labels[address] = std::string(label);
  return Unit{};
}

CudaStatus FakeBackend::MarkUninitialised(DevicePointer address, std::uint64_t bytes) {
  if (Memory(address, bytes) == nullptr) return NotLiveMemory();
  return Unit{};
}

void FakeBackend::Complete(Observed::Part part) {
  if (part == Observed::Part::kArrayWriters) observed.array_writers = writers;
}

}  // namespace warplings
