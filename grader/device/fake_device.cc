// SPDX-License-Identifier: Apache-2.0
#include "grader/device/fake_device.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <utility>

#include "grader/device/occupancy.h"
#include "grader/fatbin/demangle.h"

namespace warplings {
namespace {

constexpr std::uint64_t kPage = 4096;
/// Of all allocations. It is the machine's own memory, and a fuzzer asks for all there is and fills it.
constexpr std::uint64_t kMemoryBytes = std::uint64_t{1} << 30;

CudaFault Fault(CudaError code, std::string message) {
  return {code, std::move(message)};
}

}  // namespace

FakeDevice::FakeDevice(DevicePointer first_address) : next_address_(first_address) {}

FakeDevice::~FakeDevice() {
  for (const auto& [address, block] : allocations_) Release(block);
}

void FakeDevice::Release(const Block& block) {
  munmap(block.data, block.mapped_bytes);
  if (block.fd >= 0) close(block.fd);
}

void FakeDevice::AddKernel(std::string name, std::vector<KernelParameter> parameters, KernelBody body) {
  kernels_.push_back({std::move(name), std::move(parameters), std::move(body)});
}

void FakeDevice::AddVariable(std::string name, std::uint64_t bytes) {
  variables_[std::move(name)] = bytes;
}

std::byte* FakeDevice::Memory(DevicePointer address, std::uint64_t bytes) {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  const auto& [start, block] = *std::prev(after);
  std::uint64_t offset = address - start;
  if (offset > block.bytes || bytes > block.bytes - offset) return nullptr;
  return block.data + offset;
}

const DeviceProfile& FakeDevice::profile() const {
  return *FindDeviceProfile(kDefaultProfile);
}

CudaResult<ModuleId> FakeDevice::LoadModule(ClientId client, std::span<const std::byte> fatbin) {
  if (fatbin.empty()) return Fault(CudaError::kInvalidKernelImage, "The module is empty.");
  modules_[next_module_] = client;
  return next_module_++;
}

CudaStatus FakeDevice::UnloadModule(ClientId client, ModuleId module) {
  if (modules_.erase(module) == 0) return Fault(CudaError::kInvalidResourceHandle, "No such module.");
  std::erase_if(known_variables_, [&](const auto& entry) {
    const bool is_its = entry.first.first == module;
    if (is_its) static_cast<void>(Free(client, entry.second.address).ok());
    return is_its;
  });
  return Unit{};
}

CudaResult<KernelInfo> FakeDevice::FindKernel(ModuleId, std::string_view name) {
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    if (kernels_[i].name != name) continue;
    KernelInfo info;
    info.id = static_cast<KernelId>(i + 1);
    info.parameters = kernels_[i].parameters;
    for (const auto& parameter : info.parameters) info.argument_bytes = parameter.offset + parameter.bytes;
    info.resources.kernel = kernels_[i].name;
    info.max_threads_per_block = 1024;
    info.ptx_version = 80;
    return info;
  }
  return Fault(CudaError::kInvalidDeviceFunction, "There is no kernel " + std::string(name) + ".");
}

CudaResult<VariableInfo> FakeDevice::FindVariable(ModuleId module, std::string_view name) {
  const std::pair<ModuleId, std::string> key(module, name);
  if (auto known = known_variables_.find(key); known != known_variables_.end()) return known->second;
  auto found = variables_.find(name);
  if (found == variables_.end()) return Fault(CudaError::kInvalidSymbol, "There is no such variable.");
  auto memory = Allocate(modules_[module], found->second, AllocationKind::kDevice);
  if (!memory) return memory.error();
  return known_variables_[key] = {memory->address, found->second};
}

std::vector<KernelResources> FakeDevice::ListKernelResources(ClientId) {
  return resources;
}

CudaResult<std::uint32_t> FakeDevice::BlocksPerMultiprocessor(KernelId, std::uint32_t block_threads,
                                                              std::uint32_t dynamic_shared_bytes) {
  return warplings::BlocksPerMultiprocessor(
      profile(), {.threads = block_threads, .dynamic_shared_bytes = dynamic_shared_bytes});
}

CudaStatus FakeDevice::SetMaxDynamicShared(KernelId, std::uint32_t bytes) {
  if (bytes > profile().shared_bytes_per_block_optin) return Fault(CudaError::kInvalidValue, "Too much.");
  return Unit{};
}

CudaResult<Allocation> FakeDevice::Allocate(ClientId client, std::uint64_t bytes, AllocationKind kind) {
  if (bytes == 0) return Fault(CudaError::kInvalidValue, "0 bytes.");
  if (is_full || bytes > GetMemoryInfo().free_bytes)
    return Fault(CudaError::kMemoryAllocation, "Out of memory.");
  Block block{client, kind, bytes, (bytes + kPage - 1) / kPage * kPage, nullptr, -1};
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

CudaStatus FakeDevice::Free(ClientId client, DevicePointer address) {
  auto found = allocations_.find(address);
  if (found == allocations_.end() || found->second.owner != client) {
    return Fault(CudaError::kInvalidValue, "Not an allocation of this client.");
  }
  Release(found->second);
  allocations_.erase(found);
  return Unit{};
}

CudaStatus FakeDevice::SetLabel(DevicePointer address, std::string_view label) {
  if (!allocations_.contains(address)) return Fault(CudaError::kInvalidValue, "Not an allocation.");
  labels[address] = std::string(label);
  return Unit{};
}

CudaStatus FakeDevice::MarkUninitialised(DevicePointer address, std::uint64_t bytes) {
  if (Memory(address, bytes) == nullptr) return Fault(CudaError::kInvalidValue, "Not device memory.");
  return Unit{};
}

Device::MemoryInfo FakeDevice::GetMemoryInfo() {
  std::uint64_t used = 0;
  for (const auto& [address, block] : allocations_) used += block.bytes;
  return {kMemoryBytes - used, kMemoryBytes};
}

CudaResult<Device::PointerInfo> FakeDevice::GetPointerInfo(DevicePointer address) {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin() || Memory(address, 0) == nullptr) {
    return Fault(CudaError::kInvalidValue, "Not device memory.");
  }
  const auto& [start, block] = *std::prev(after);
  return PointerInfo{start, block.bytes, block.kind};
}

CudaStatus FakeDevice::CheckStream(StreamId stream) {
  return streams_.Synchronize(stream);
}

CudaStatus FakeDevice::CopyIn(DevicePointer target, std::span<const std::byte> source, StreamId stream) {
  if (CudaStatus valid = CheckStream(stream); !valid) return valid;
  std::byte* memory = Memory(target, source.size());
  if (memory == nullptr) return Fault(CudaError::kInvalidValue, "Not device memory.");
  if (!source.empty()) std::memcpy(memory, source.data(), source.size());
  return Unit{};
}

CudaStatus FakeDevice::CopyOut(std::span<std::byte> target, DevicePointer source, StreamId stream) {
  if (CudaStatus valid = CheckStream(stream); !valid) return valid;
  const std::byte* memory = Memory(source, target.size());
  if (memory == nullptr) return Fault(CudaError::kInvalidValue, "Not device memory.");
  if (!target.empty()) std::memcpy(target.data(), memory, target.size());
  return Unit{};
}

CudaStatus FakeDevice::CopyWithin(DevicePointer target, DevicePointer source, std::uint64_t bytes,
                                  StreamId stream) {
  if (CudaStatus valid = CheckStream(stream); !valid) return valid;
  std::byte* to = Memory(target, bytes);
  const std::byte* from = Memory(source, bytes);
  if (to == nullptr || from == nullptr) return Fault(CudaError::kInvalidValue, "Not device memory.");
  std::memmove(to, from, bytes);
  return Unit{};
}

CudaStatus FakeDevice::Fill(DevicePointer target, std::uint8_t value, std::uint64_t bytes, StreamId stream) {
  if (CudaStatus valid = CheckStream(stream); !valid) return valid;
  std::byte* memory = Memory(target, bytes);
  if (memory == nullptr) return Fault(CudaError::kInvalidValue, "Not device memory.");
  std::memset(memory, value, bytes);
  return Unit{};
}

CudaStatus FakeDevice::Launch(const LaunchRequest& request) {
  if (CudaStatus valid = CheckStream(request.stream); !valid) return valid;
  if (request.kernel == 0 || request.kernel > kernels_.size()) {
    return Fault(CudaError::kInvalidDeviceFunction, "There is no such kernel.");
  }
  std::uint64_t threads = request.block.Volume();
  if (threads == 0 || threads > 1024 || request.grid.Volume() == 0) {
    return Fault(CudaError::kInvalidConfiguration,
                 std::to_string(threads) + " threads a block; the limit is 1024.");
  }
  Kernel& kernel = kernels_[request.kernel - 1];
  LaunchRecord record;
  record.kernel = fatbin::DemangledName(kernel.name);
  record.grid = request.grid;
  record.block = request.block;
  record.dynamic_shared_bytes = request.dynamic_shared_bytes;
  CudaStatus status = kernel.body(request);
  record.completed = status.ok();
  launches.push_back(std::move(record));
  return status;
}

CudaResult<StreamId> FakeDevice::CreateStream(ClientId client, StreamFlags) {
  return streams_.Create(client, StreamFlags::kBlocking);
}
CudaStatus FakeDevice::DestroyStream(ClientId client, StreamId stream) {
  return streams_.Destroy(client, stream);
}
CudaResult<bool> FakeDevice::QueryStream(StreamId stream) {
  return streams_.Query(stream);
}
CudaStatus FakeDevice::SynchronizeStream(StreamId stream) {
  return streams_.Synchronize(stream);
}

CudaStatus FakeDevice::SynchronizeAll() {
  if (on_synchronize) on_synchronize();
  return streams_.SynchronizeAll();
}

CudaResult<EventId> FakeDevice::CreateEvent(ClientId client) {
  return streams_.CreateEvent(client);
}
CudaStatus FakeDevice::DestroyEvent(ClientId client, EventId event) {
  return streams_.DestroyEvent(client, event);
}
CudaStatus FakeDevice::RecordEvent(EventId event, StreamId stream) {
  return streams_.Record(event, stream, [this] { return kSecondsBetweenEvents * events_recorded_++; });
}
CudaStatus FakeDevice::WaitEvent(StreamId stream, EventId event) {
  return streams_.Wait(stream, event);
}
CudaResult<bool> FakeDevice::QueryEvent(EventId event) {
  return streams_.QueryEvent(event);
}
CudaStatus FakeDevice::SynchronizeEvent(EventId event) {
  return streams_.SynchronizeEvent(event);
}
CudaResult<float> FakeDevice::ElapsedMilliseconds(EventId start, EventId stop) {
  return streams_.ElapsedMilliseconds(start, stop);
}

void FakeDevice::SetObservation(const ObservationOptions& options) {
  observation = options;
}
std::vector<PendingWork> FakeDevice::ListPendingWork() {
  return pending;
}
std::vector<Finding> FakeDevice::TakeFindings() {
  return std::exchange(findings, {});
}
std::vector<LaunchRecord> FakeDevice::TakeLaunches() {
  return std::exchange(launches, {});
}
std::vector<KernelProfile> FakeDevice::TakeProfile() {
  return std::exchange(profile_records, {});
}
std::string FakeDevice::TakePrinted() {
  return std::exchange(printed, {});
}
void FakeDevice::AddFinding(Finding finding) {
  findings.push_back(std::move(finding));
}

void FakeDevice::DropClient(ClientId client) {
  std::erase_if(allocations_, [&](const auto& entry) {
    bool owned = entry.second.owner == client && client != 0;
    if (owned) Release(entry.second);
    return owned;
  });
  auto owned = [&](const auto& entry) { return entry.second == client && client != 0; };
  std::erase_if(modules_, owned);
  if (client != 0) streams_.DropClient(client);
}

}  // namespace warplings
