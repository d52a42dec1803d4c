// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "grader/device/client.h"

/// The CUDA runtime as a client of a device process.
///
/// Theory of operation. Programs register their embedded modules in constructors, before main; that only
/// takes notes. The first call that needs the device connects to it: over the socket that
/// WARPLINGS_DEVICE_FD names, 4 if unset. A module is sent when its first kernel or variable is used.
/// Every call locks one mutex, forwards, and leaves its error in the thread's last error, as the real
/// runtime does. No exception leaves a function that a program can call; none of this state is ever
/// destroyed, because programs call from destructors that run after ours.
namespace warplings::runtime {

/// Error numbers beyond those that a Device returns.
inline constexpr CudaError kInitializationError{3};
inline constexpr CudaError kInvalidPitchValue{12};
inline constexpr CudaError kDevicesUnavailable{46};
inline constexpr CudaError kMissingConfiguration{52};
inline constexpr CudaError kNoDevice{100};
inline constexpr CudaError kUnsupportedLimit{215};
inline constexpr CudaError kPeerAccessUnsupported{217};
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

/// A module that the program registered. Nothing is sent to the device before it is used.
struct Module {
  const void* fatbin = nullptr;
  bool registered = true;
  std::optional<CudaResult<ModuleId>> loaded;
};

struct Kernel {
  Module* module = nullptr;
  std::string name;  ///< Mangled.
  std::optional<CudaResult<KernelInfo>> found;
  std::uint32_t max_dynamic_shared_bytes = 0;  ///< As last set; 0: never.
};

struct Variable {
  Module* module = nullptr;
  std::string name;
  std::uint64_t bytes = 0;
  std::optional<CudaResult<VariableInfo>> found;
};

/// Managed or pinned memory: mapped here at its device address.
struct Mapping {
  AllocationKind kind = AllocationKind::kManaged;
  std::uint64_t mapped_bytes = 0;
};

/// State of this process; the mutex is held by whoever uses it.
class Runtime {
 public:
  static Runtime& Get();

  std::mutex& mutex() { return mutex_; }

  /// Connected on first use; null with a message on standard error where there is no device.
  DeviceClient* Connect();
  DeviceClient& device() { return *device_; }
  /// The error that every further call returns, once a kernel has faulted.
  CudaError sticky = CudaError::kSuccess;
  /// Goes up with every cudaDeviceReset.
  unsigned generation = 1;

  // Registration: notes only.
  Module* AddModule(const void* fatbin);
  void AddKernel(const void* host_function, Module* module, const char* name);
  void AddVariable(const void* host_variable, Module* module, const char* name, std::uint64_t bytes);
  void RemoveModule(Module* module);

  /// The kernel of a host function, its module loaded; null for what was never registered.
  Kernel* FindKernel(const void* host_function);
  CudaResult<KernelInfo*> Resolve(Kernel& kernel);
  /// Address and size of a registered variable; nothing for what was never registered.
  std::optional<CudaResult<VariableInfo>> ResolveVariable(const void* host_variable);

  /// cudaDeviceReset.
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
  CudaResult<ModuleId> Load(Module& module);

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

// Handles. A program sees streams and events as pointers; ours are the device's numbers with a tag, so
// that no table is needed and a stream is never taken for an event.
/// The stream behind a handle; for one that never was, a number that the device refuses.
CudaResult<StreamId> ToStream(Runtime& runtime, void* handle);
void* StreamHandle(StreamId stream);
void* const kPerThreadStream = reinterpret_cast<void*>(2);

}  // namespace warplings::runtime

/// Heads every function that programs call.
#define WARPLINGS_API extern "C" __attribute__((visibility("default")))
