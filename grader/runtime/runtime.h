// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "grader/device/client.h"
#include "grader/device/device_spec.h"

/// The CUDA runtime as a client of a device process.
///
/// Theory of operation. Programs register their embedded modules in constructors, before main; that only
/// takes notes. The first call that needs the device connects to it: over the socket that
/// WARPLINGS_DEVICE_FD names, 4 if unset. A module is sent when its first kernel or variable is used.
/// Each thread has a current device (cudaSetDevice); a call goes to that one, or to the one that its
/// stream, event or memory belongs to. Every call locks one mutex, forwards, and leaves its error in the
/// thread's last error, as the real runtime does. No exception leaves a function that a program can call;
/// none of this state is ever destroyed, because programs call from destructors that run after ours.
namespace warplings::runtime {

/// Error numbers beyond those that a Device returns.
inline constexpr CudaError kInitializationError{3};
inline constexpr CudaError kInvalidPitchValue{12};
inline constexpr CudaError kDevicesUnavailable{46};
inline constexpr CudaError kMissingConfiguration{52};
inline constexpr CudaError kNoDevice{100};
inline constexpr CudaError kUnsupportedLimit{215};
inline constexpr CudaError kPeerAccessUnsupported{217};
inline constexpr CudaError kPeerAccessNotEnabled{705};
inline constexpr CudaError kHostMemoryAlreadyRegistered{712};
inline constexpr CudaError kHostMemoryNotRegistered{713};

/// A call that is wrong without asking the device: the number, and what the device process notes as a
/// finding, if anything.
struct Refused {
  CudaError code = CudaError::kInvalidValue;
  std::optional<protocol::Refusal> report;
};

/// What a forwarded call comes to.
class Outcome {
 public:
  Outcome() = default;
  Outcome(CudaError code) : code_(code) {}
  Outcome(const CudaFault& fault) : code_(fault.code) {}
  Outcome(const CudaStatus& status) : code_(status ? CudaError::kSuccess : status.error().code) {}
  Outcome(const Refused& refused) : code_(refused.code), report_(refused.report) {}

  bool ok() const { return code_ == CudaError::kSuccess; }
  CudaError code() const { return code_; }
  const std::optional<protocol::Refusal>& report() const { return report_; }

 private:
  CudaError code_ = CudaError::kSuccess;
  std::optional<protocol::Refusal> report_;
};

template <class T>
using PerDevice = std::array<T, kMaxDevices>;

/// A module that the program registered. Nothing is sent to a device before it is used there.
struct Module {
  const void* fatbin = nullptr;
  PerDevice<std::optional<CudaResult<ModuleId>>> loaded;
};

struct Kernel {
  Module* module = nullptr;
  std::string name;  ///< Mangled.
  PerDevice<std::optional<CudaResult<KernelInfo>>> found;
  PerDevice<std::uint32_t> max_dynamic_shared_bytes{};  ///< As last set; 0: never.
};

struct Variable {
  Module* module = nullptr;
  std::string name;
  std::uint64_t bytes = 0;
  /// Of a __managed__ variable: where the program keeps its address, set when its module is first loaded.
  void** host_pointer = nullptr;
  PerDevice<std::optional<CudaResult<VariableInfo>>> found;
};

/// Managed or pinned memory: mapped here at its device address.
struct Mapping {
  AllocationKind kind = AllocationKind::kManaged;
  std::uint64_t mapped_bytes = 0;
  std::size_t device = 0;
};

/// State of this process; the mutex is held by whoever uses it.
class Runtime {
 public:
  static Runtime& Get();

  std::mutex& mutex() { return mutex_; }

  /// Connected on first use; null with a message on standard error where there is no device.
  DeviceClient* Connect();
  /// The connection, which speaks to the device in use: the thread's current one, unless a stream or an event
  /// has turned it to its own (ToStream, ToEvent).
  DeviceClient& device() { return *device_; }
  bool HasDevice(int ordinal) const {
    return ordinal >= 0 && static_cast<std::size_t>(ordinal) < device_->device_count();
  }
  /// The error that every further call returns, once a kernel has faulted.
  CudaError sticky = CudaError::kSuccess;
  /// Goes up with every cudaDeviceReset of the device.
  PerDevice<unsigned> generation{};

  // Registration: notes only.
  Module* AddModule(const void* fatbin);
  void AddKernel(const void* host_function, Module* module, const char* name);
  void AddVariable(const void* host_variable, Module* module, const char* name, std::uint64_t bytes);
  void AddManagedVariable(void** host_pointer, Module* module, const char* name, std::uint64_t bytes);
  void RemoveModule(Module* module);

  /// The kernel of a host function; null for what was never registered.
  Kernel* FindKernel(const void* host_function);
  /// On the device in use, its module loaded.
  CudaResult<KernelInfo*> Resolve(Kernel& kernel);
  /// Address and size of a registered variable on the device in use; nothing for what was never registered.
  std::optional<CudaResult<VariableInfo>> ResolveVariable(const void* host_variable);
  /// Loads a module and makes its __managed__ variables known to the program.
  CudaResult<ModuleId> Load(Module& module);
  /// Maps what the device shares at the device's address.
  CudaError Map(DevicePointer address, std::uint64_t mapped_bytes, int shared_fd, AllocationKind kind);

  /// cudaDeviceReset of the device in use.
  CudaStatus Reset();
  /// Prints what kernels have printed, where this program is to (`warplings run`); after each
  /// synchronisation, as the real runtime does.
  void DeliverPrinted();
  /// Set by every launch: there may be text to deliver. A kernel in a non-blocking stream may print later.
  bool may_have_printed = false;
  bool has_unordered_streams = false;

  std::map<DevicePointer, Mapping> mappings;           ///< By start.
  std::map<const void*, std::size_t> registered_host;  ///< cudaHostRegister.

 private:
  Runtime() = default;
  void MapManagedVariables(Module& module);
  /// Memory of the program's own for what the device has none for: an access is no crash, whose cause nobody
  /// would guess.
  static void GiveOwnMemory(Variable& variable);

  std::mutex mutex_;
  std::unique_ptr<DeviceClient> device_;
  bool tried_ = false;
  int process_ = 0;  ///< That connected; a forked child must not use the parent's connection.
  std::vector<std::unique_ptr<Module>> modules_;
  std::unordered_map<const void*, Kernel> kernels_;
  std::unordered_map<const void*, Variable> variables_;
};

/// "warplings: MESSAGE" on standard error.
void Warn(const std::string& message);

/// Takes down the calling thread's last error; returns it as the C functions do.
int Finish(CudaError code);
CudaError& LastError();
/// Of the calling thread, as cudaSetDevice has set it.
int& CurrentDevice();

/// What a call returns that came to `code`: notes a fault that stays, and a device that is gone.
CudaError Settle(Runtime& runtime, const char* call, CudaError code);

/// Whether a call still works once a kernel has faulted: those that only tell of devices do.
enum class AfterFault { kFails, kWorks };

/// Runs `body(runtime)` with the device connected and the lock held; `call` is the runtime function's
/// name. Turns what comes of it into the function's return value.
template <AfterFault after_fault = AfterFault::kFails, class Body>
int Forward(const char* call, Body&& body) noexcept {
  try {
    Runtime& runtime = Runtime::Get();
    std::lock_guard lock(runtime.mutex());
    if (runtime.Connect() == nullptr) return Finish(kNoDevice);
    runtime.device().UseDevice(static_cast<std::size_t>(CurrentDevice()));
    bool usable = runtime.sticky == CudaError::kSuccess || after_fault == AfterFault::kWorks;
    if (!usable) return Finish(runtime.sticky);
    Outcome outcome = body(runtime);
    if (outcome.report()) runtime.device().ReportRefusal(*outcome.report(), call);
    return Finish(Settle(runtime, call, outcome.code()));
  } catch (...) {
    return Finish(CudaError::kMemoryAllocation);
  }
}

/// Runs `body()`, which needs no device.
template <class Body>
int Local(Body&& body) noexcept {
  try {
    return Finish(Outcome(body()).code());
  } catch (...) {
    return Finish(CudaError::kMemoryAllocation);
  }
}

/// Whether the address is where devices have their memory, managed and pinned memory included.
bool IsDeviceAddress(const void* pointer);
/// Whether the address is one of managed or pinned memory: of the host as well as of the device.
bool IsMapped(Runtime& runtime, const void* pointer);

inline DevicePointer ToDevice(const void* pointer) {
  return reinterpret_cast<DevicePointer>(pointer);
}

// Handles. A program sees streams and events as pointers; ours are the device's numbers with the device and a
// tag, so that no table is needed and a stream is never taken for an event.
enum class HandleTag : std::uintptr_t { kStream = 5, kTimedEvent = 6, kUntimedEvent = 7 };
struct Handle {
  std::uint64_t id = 0;
  std::size_t device = 0;
  HandleTag tag = HandleTag::kStream;
};
void* Pack(const Handle& handle);
/// Nothing for a pointer that is no handle of ours, or names a device that is not present.
std::optional<Handle> Unpack(Runtime& runtime, void* pointer);

/// The stream behind a handle, with its device in use from now on; for one that never was, a number that a
/// device refuses.
CudaResult<StreamId> ToStream(Runtime& runtime, void* handle);
void* const kPerThreadStream = reinterpret_cast<void*>(2);

}  // namespace warplings::runtime

/// Heads every function that programs call.
#define WARPLINGS_API extern "C" __attribute__((visibility("default")))
