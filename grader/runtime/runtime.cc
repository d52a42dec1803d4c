// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/runtime.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "grader/runtime/registered_memory.h"

namespace warplings::runtime {
namespace {

constexpr int kDefaultDeviceFd = 4;

/// Of a handle: tag, then device, then number.
constexpr int kTagBits = 4, kDeviceBits = 4;
static_assert(kMaxDevices <= 1 << kDeviceBits);

/// A fatbin with its header {u32 magic, u16 version, u16 header bytes, u64 bytes behind the header}. The
/// program's own memory: trusted as the program is.
std::span<const std::byte> FatbinAt(const void* address) {
  struct Header {
    std::uint32_t magic;
    std::uint16_t version, header_bytes;
    std::uint64_t bytes;
  };
  constexpr std::uint32_t kFatbinMagic = 0xBA55ED50;
  if (address == nullptr) return {};
  Header header;
  std::memcpy(&header, address, sizeof header);
  if (header.magic != kFatbinMagic) return {};
  return {static_cast<const std::byte*>(address), header.header_bytes + header.bytes};
}

/// The device code that a module's wrapper points to. What nvcc linked from object files (-rdc=true) is
/// machine code alone; behind it come the fatbins of the objects, which hold the PTX.
std::vector<std::byte> ImageOf(const void* wrapper_address) {
  struct Wrapper {
    std::uint32_t magic, version;
    const void* data;
    const void* const* objects;  ///< Ends with a null pointer. Of a program in one piece: null.
  };
  constexpr std::uint32_t kWrapperMagic = 0x466243B1, kLinked = 2;
  Wrapper wrapper;
  std::memcpy(&wrapper, wrapper_address, sizeof wrapper);
  if (wrapper.magic != kWrapperMagic) return {};
  std::vector<std::byte> image;
  const auto add = [&](const void* address) {
    const std::span<const std::byte> fatbin = FatbinAt(address);
    image.insert(image.end(), fatbin.begin(), fatbin.end());
  };
  add(wrapper.data);
  if (wrapper.version != kLinked || wrapper.objects == nullptr) return image;
  for (const void* const* object = wrapper.objects; *object != nullptr; ++object) add(*object);
  return image;
}

/// After these the real runtime's context is of no use any more: driver_types.h says so at each.
bool IsSticky(CudaError code) {
  int number = static_cast<int>(code);
  return number == 700 || number == 702 || number == 710 || (number >= 714 && number <= 719);
}

int DeviceFd() {
  const char* text = std::getenv("WARPLINGS_DEVICE_FD");
  if (text == nullptr) return kDefaultDeviceFd;
  char* end = nullptr;
  long fd = std::strtol(text, &end, 10);
  return *text != '\0' && *end == '\0' && fd >= 0 && fd < 1 << 20 ? static_cast<int>(fd) : -1;
}

}  // namespace

Runtime& Runtime::Get() {
  static Runtime* const runtime = new Runtime;
  return *runtime;
}

void Warn(const std::string& message) {
  std::string line = "warplings: " + message + "\n";
  (void)!write(STDERR_FILENO, line.data(), line.size());
}

CudaError& LastError() {
  thread_local CudaError last = CudaError::kSuccess;
  return last;
}

bool& IsInHostFunction() {
  thread_local bool is_inside = false;
  return is_inside;
}

DriverUse& ThisThreadsDriverUse() {
  thread_local DriverUse use;
  return use;
}

void NoteRuntimeCall(Runtime& runtime, bool needs_context) {
  DriverUse& use = ThisThreadsDriverUse();
  if (use.call != nullptr) return;
  runtime.is_initialised = true;
  if (needs_context && !use.has_context) use.has_primary = true;
}

int& CurrentDevice() {
  thread_local int device = 0;
  return device;
}

int Finish(CudaError code) {
  if (code != CudaError::kSuccess) LastError() = code;
  return static_cast<int>(code);
}

CudaError Settle(Runtime& runtime, const char* call, CudaError code) {
  if (!runtime.device().alive() && runtime.sticky == CudaError::kSuccess) {
    Warn(std::string(call) +
         ": the connection to the virtual GPU has broken off. If the program wrote past the end of memory of "
         "the host before, that is why: look for a copy or a loop that writes more than an array has.");
    runtime.sticky = code == CudaError::kSuccess ? CudaError::kUnknown : code;
    // Whatever the program makes of it: nothing that it prints from now on can be trusted.
    std::atexit([] {
      std::fflush(nullptr);
      _exit(1);
    });
  }
  if (IsSticky(code)) runtime.sticky = code;
  return code;
}

DeviceClient* Runtime::Connect() {
  if (tried_) {
    if (device_ != nullptr && process_ == getpid()) return device_.get();
    return nullptr;
  }
  tried_ = true;
  process_ = getpid();
  UniqueFd socket(DeviceFd());
  fcntl(socket.get(), F_SETFD, FD_CLOEXEC);  // Programs that this one starts have no device.
  auto client = DeviceClient::Connect(std::move(socket));
  if (!client) {
    Warn("no device to run on; start this program with `warplings run PROGRAM`.");
    return nullptr;
  }
  device_ = std::move(*client);
  device_->SetDeadline(std::nullopt);  // How long a kernel may take is for the grader to say.
  return device_.get();
}

// --- Registration ----------------------------------------------------------------------------------

Module* Runtime::AddModule(const void* fatbin) {
  modules_.push_back(std::make_unique<Module>());
  modules_.back()->fatbin = fatbin;
  return modules_.back().get();
}

Module* Runtime::AddImage(std::vector<std::byte> image, std::optional<std::size_t> only_device) {
  modules_.push_back(std::make_unique<Module>());
  modules_.back()->image = std::move(image);
  modules_.back()->only_device = only_device;
  return modules_.back().get();
}

void Runtime::AddKernel(const void* host_function, Module* module, const char* name) {
  kernels_.insert_or_assign(host_function, Kernel{module, name, {}, {}});
}

void Runtime::AddVariable(const void* host_variable, Module* module, const char* name, std::uint64_t bytes,
                          bool is_constant) {
  variables_.insert_or_assign(host_variable, Variable{module, name, bytes, is_constant, nullptr, {}});
}

void Runtime::AddManagedVariable(void** host_pointer, Module* module, const char* name, std::uint64_t bytes) {
  variables_.insert_or_assign(host_pointer, Variable{module, name, bytes, false, host_pointer, {}});
}

void Runtime::RemoveModule(Module* module) {
  std::erase_if(kernels_, [&](const auto& entry) { return entry.second.module == module; });
  std::erase_if(variables_, [&](const auto& entry) {
    if (entry.second.module != module) return false;
    LeaveMapped(entry.second);
    return true;
  });
  // A forked child, or a device that is gone, has nothing to unload.
  if (device_ != nullptr && process_ == getpid()) {
    for (std::size_t device = 0; device < device_->device_count(); ++device) {
      const auto& loaded = module->loaded[device];
      if (!loaded || !*loaded) continue;
      device_->UseDevice(device);
      (void)device_->UnloadModule(0, **loaded);
    }
  }
  std::erase_if(modules_, [&](const auto& entry) { return entry.get() == module; });
}

CudaResult<ModuleId> Runtime::Load(Module& module) {
  auto& loaded = module.loaded[device_->device_in_use()];
  if (!loaded) {
    loaded = device_->LoadModule(0, module.fatbin == nullptr ? module.image : ImageOf(module.fatbin));
    if (!*loaded) {
      Warn(English(loaded->error().message));
      for (auto& [host, variable] : variables_) {
        if (variable.module == &module && variable.host_pointer != nullptr) GiveOwnMemory(variable);
      }
    } else {
      MapManagedVariables(module);
    }
  }
  return *loaded;
}

void Runtime::LeaveMapped(const Variable& variable) {
  for (const auto& found : variable.found) {
    if (!found || !*found) continue;
    const auto mapping = mappings.find((*found)->address);
    if (mapping == mappings.end()) continue;
    left_mapped_[mapping->first] = mapping->second.mapped_bytes;
    mappings.erase(mapping);
  }
}

CudaError Runtime::Map(DevicePointer address, std::uint64_t mapped_bytes, int shared_fd,
                       AllocationKind kind) {
  std::erase_if(left_mapped_, [&](const auto& left) {
    const auto [start, bytes] = left;
    if (start >= address + mapped_bytes || address >= start + bytes) return false;
    munmap(reinterpret_cast<void*>(start), bytes);
    return true;
  });
  void* wanted = reinterpret_cast<void*>(address);
  void* mapped =
      mmap(wanted, mapped_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, shared_fd, 0);
  if (mapped == wanted) {
    mappings[address] = {kind, mapped_bytes, device_->device_in_use()};
    return CudaError::kSuccess;
  }
  if (mapped != MAP_FAILED) munmap(mapped, mapped_bytes);
  return CudaError::kMemoryAllocation;
}

void Runtime::MapManagedVariables(Module& module) {
  const std::size_t device = device_->device_in_use();
  for (auto& [host, variable] : variables_) {
    if (variable.module != &module || variable.host_pointer == nullptr) continue;
    // One variable for all devices: it lives where its module was loaded first.
    if (IsMapped(*this, *variable.host_pointer)) continue;
    auto& found = variable.found[device];
    found = device_->FindVariable(**module.loaded[device], variable.name);
    const bool mapped = found->ok() && Map((*found)->address, (*found)->mapped_bytes, (*found)->shared_fd,
                                           AllocationKind::kManaged) == CudaError::kSuccess;
    if (!mapped) {
      Warn("the __managed__ variable " + variable.name + " has no memory that the device can see.");
      GiveOwnMemory(variable);
      continue;
    }
    *variable.host_pointer = reinterpret_cast<void*>((*found)->address);
  }
}

void Runtime::GiveOwnMemory(Variable& variable) {
  void* memory = mmap(nullptr, std::max<std::size_t>(variable.bytes, 1), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) *variable.host_pointer = memory;
}

Kernel* Runtime::FindKernel(const void* host_function) {
  auto found = kernels_.find(host_function);
  return found == kernels_.end() ? nullptr : &found->second;
}

CudaResult<KernelInfo*> Runtime::Resolve(Kernel& kernel) {
  auto& found = kernel.found[device_->device_in_use()];
  if (!found) {
    auto module = Load(*kernel.module);
    if (!module) return module.error();
    found = device_->FindKernel(*module, kernel.name);
  }
  if (!*found) return found->error();
  return &found->value();
}

std::optional<CudaResult<VariableInfo>> Runtime::ResolveVariable(const void* host_variable) {
  auto entry = variables_.find(host_variable);
  if (entry == variables_.end()) {
    // A program names a __managed__ variable by its memory.
    entry = std::find_if(variables_.begin(), variables_.end(), [&](const auto& candidate) {
      void** managed = candidate.second.host_pointer;
      return managed != nullptr && *managed == host_variable;
    });
  }
  if (entry == variables_.end()) return std::nullopt;
  Variable& variable = entry->second;
  auto& found = variable.found[device_->device_in_use()];
  if (!found) {
    auto module = Load(*variable.module);
    if (!module) return module.error();
    found = device_->FindVariable(*module, variable.name);
  }
  return found;
}

std::optional<protocol::NamedVariable> Runtime::VariableNamed(const void* address) const {
  const auto* place = static_cast<const std::byte*>(address);
  for (const auto& [host, variable] : variables_) {
    const auto* start = static_cast<const std::byte*>(host);
    const bool is_managed = variable.host_pointer != nullptr;  // Its memory is the host's, too.
    if (is_managed || std::less<>()(place, start) ||
        place - start >= static_cast<std::ptrdiff_t>(variable.bytes))
      continue;
    return protocol::NamedVariable{variable.name, variable.is_constant};
  }
  return std::nullopt;
}

CudaStatus Runtime::Reset() {
  const std::size_t device = device_->device_in_use();
  CudaStatus status = device_->Reset();
  for (auto& module : modules_) module->loaded[device].reset();
  for (auto& [function, kernel] : kernels_) {
    kernel.found[device].reset();
    kernel.max_dynamic_shared_bytes[device] = 0;
  }
  for (auto& [host, variable] : variables_) variable.found[device].reset();
  std::erase_if(mappings, [&](const auto& entry) {
    const auto& [start, mapping] = entry;
    if (mapping.device != device) return false;
    munmap(reinterpret_cast<void*>(start), mapping.mapped_bytes);
    return true;
  });
  ForgetRegisteredMemory(*this, device);
  std::erase_if(owned, [&](const auto& entry) { return entry.second.device == device; });
  // A fault is not got over in the process that has it (seen on an H200; driver_types.h says so too).
  if (sticky != CudaError::kSuccess) sticky = kDevicesUnavailable;
  ++generation[device];
  return status;
}

void Runtime::DeliverPrinted() {
  if (!device_->delivers_printed() || !may_have_printed) return;
  may_have_printed = has_unordered_streams;
  bool any = false;
  for (std::string text; !(text = device_->TakePrinted()).empty(); any = true) {
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  if (any) std::fflush(stdout);
}

// --- Addresses and handles -------------------------------------------------------------------------

bool IsDeviceAddress(const void* pointer) {
  DevicePointer address = ToDevice(pointer);
  return address >= kFirstDeviceAddress && address < kEndOfDeviceAddresses;
}

bool IsMapped(Runtime& runtime, const void* pointer) {
  auto after = runtime.mappings.upper_bound(ToDevice(pointer));
  if (after == runtime.mappings.begin()) return false;
  const auto& [start, mapping] = *std::prev(after);
  return ToDevice(pointer) - start < mapping.mapped_bytes;
}

void* Pack(const Handle& handle) {
  return reinterpret_cast<void*>((handle.id << kDeviceBits | handle.device) << kTagBits |
                                 static_cast<std::uintptr_t>(handle.tag));
}

std::optional<Handle> Unpack(Runtime& runtime, void* pointer) {
  auto value = reinterpret_cast<std::uintptr_t>(pointer);
  const HandleTag tag = TagOf(pointer);
  value >>= kTagBits;
  std::size_t device = value & ((1 << kDeviceBits) - 1);
  bool known = tag >= HandleTag::kStream && tag <= HandleTag::kArray;
  if (!known || device >= runtime.device().device_count()) return std::nullopt;
  return Handle{value >> kDeviceBits, device, tag};
}

HandleTag TagOf(const void* pointer) {
  return static_cast<HandleTag>(reinterpret_cast<std::uintptr_t>(pointer) & ((1 << kTagBits) - 1));
}

bool IsStream(const Handle& handle) {
  return handle.tag == HandleTag::kStream || handle.tag == HandleTag::kNonBlockingStream;
}

CudaResult<StreamId> ToStream(Runtime& runtime, void* handle) {
  // cudaStreamLegacy is 1, cudaStreamPerThread 2 (driver_types.h).
  if (handle == nullptr || handle == reinterpret_cast<void*>(1)) return kDefaultStream;
  if (handle == kPerThreadStream) {
    thread_local PerDevice<StreamId> own{};
    thread_local PerDevice<unsigned> generation{};
    const std::size_t device = runtime.device().device_in_use();
    if (own[device] == 0 || generation[device] != runtime.generation[device]) {
      auto made = runtime.device().CreateStream(0, StreamFlags::kBlocking);
      if (!made) return made;
      own[device] = *made;
      generation[device] = runtime.generation[device];
    }
    return own[device];
  }
  auto stream = Unpack(runtime, handle);
  if (!stream || !IsStream(*stream)) return ~StreamId{0};
  runtime.device().UseDevice(stream->device);
  return stream->id;
}

}  // namespace warplings::runtime
