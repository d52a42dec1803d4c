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
/// Theory of operation. Programs register their embedded modules in constructors, before main(); registration
/// only records them. The first call that needs the device connects to it, over the descriptor in
/// WARPLINGS_DEVICE_FD, or 4 if that is unset. A module is sent to the device when one of its kernels or
/// variables is first used. Each thread has a current device (cudaSetDevice); a call goes to it, or to the
/// device that owns the stream, event or memory in question. Every call locks one mutex, forwards the
/// request, and stores its error as the thread's last error, like the real runtime. No exception leaves a
/// function that a program can call. This state is never destroyed, because programs make calls from
/// destructors that run after ours.
namespace warplings::runtime {

/// Error numbers beyond those that a Device returns.
inline constexpr CudaError kInitializationError{3};
inline constexpr CudaError kInvalidPitchValue{12};
inline constexpr CudaError kInvalidHostPointer{16};
inline constexpr CudaError kInvalidDevicePointer{17};
inline constexpr CudaError kDevicesUnavailable{46};
inline constexpr CudaError kMissingConfiguration{52};
inline constexpr CudaError kNoDevice{100};
inline constexpr CudaError kInvalidContext{201};
inline constexpr CudaError kUnsupportedLimit{215};
inline constexpr CudaError kFileNotFound{301};
inline constexpr CudaError kContextIsDestroyed{709};
inline constexpr CudaError kHostMemoryAlreadyRegistered{712};
inline constexpr CudaError kHostMemoryNotRegistered{713};
inline constexpr CudaError kIllegalState{401};
inline constexpr CudaError kCaptureUnsupported{900};
inline constexpr CudaError kCaptureInvalidated{901};
inline constexpr CudaError kCaptureMerge{902};
inline constexpr CudaError kCaptureUnmatched{903};
inline constexpr CudaError kCaptureUnjoined{904};
inline constexpr CudaError kCaptureIsolation{905};
inline constexpr CudaError kCaptureImplicit{906};
inline constexpr CudaError kCapturedEvent{907};
inline constexpr CudaError kCaptureWrongThread{908};
inline constexpr CudaError kGraphExecUpdateFailure{910};

/// A call that is refused without asking the device: the error code, and the finding for the device process
/// to record, if any.
struct Refused {
  CudaError code = CudaError::kInvalidValue;
  std::optional<protocol::Refusal> report;
  protocol::RefusedSizes sizes{};
  protocol::NamedVariable variable{};
};

/// What there is to say of a call that was done.
struct Remark {
  protocol::Refusal report;
  protocol::NamedVariable variable{};
  protocol::RefusedSizes sizes{};
};

/// The outcome of a forwarded call.
class Outcome {
 public:
  Outcome() = default;
  Outcome(CudaError code) : code_(code) {}
  Outcome(const CudaFault& fault) : code_(fault.code) {}
  Outcome(const CudaStatus& status) : code_(status ? CudaError::kSuccess : status.error().code) {}
  Outcome(const Remark& remark) : report_(remark.report), sizes_(remark.sizes), variable_(remark.variable) {}
  Outcome(const Refused& refused)
      : code_(refused.code), report_(refused.report), sizes_(refused.sizes), variable_(refused.variable) {}

  bool ok() const { return code_ == CudaError::kSuccess; }
  CudaError code() const { return code_; }
  const std::optional<protocol::Refusal>& report() const { return report_; }
  const protocol::RefusedSizes& sizes() const { return sizes_; }
  const protocol::NamedVariable& variable() const { return variable_; }

 private:
  CudaError code_ = CudaError::kSuccess;
  std::optional<protocol::Refusal> report_;
  protocol::RefusedSizes sizes_;
  protocol::NamedVariable variable_;
};

template <class T>
using PerDevice = std::array<T, kMaxDevices>;

/// A module that the program registered. It is sent to a device when it is first used there.
struct Module {
  const void* fatbin = nullptr;
  std::vector<std::byte> image{};            ///< Of a module that the program loaded itself: this instead.
  std::optional<std::size_t> only_device{};  ///< Likewise: the one device that it was loaded on.
  PerDevice<std::optional<CudaResult<ModuleId>>> loaded;
};

struct Kernel {
  Module* module = nullptr;
  std::string name;  ///< Mangled.
  PerDevice<std::optional<CudaResult<KernelInfo>>> found;
  PerDevice<std::uint32_t> max_dynamic_shared_bytes{};  ///< The value that was last set; 0: never set.
};

struct Variable {
  Module* module = nullptr;
  std::string name;
  std::uint64_t bytes = 0;
  bool is_constant = false;
  /// For a __managed__ variable: the program's pointer to it, which is set when the module is first loaded.
  void** host_pointer = nullptr;
  PerDevice<std::optional<CudaResult<VariableInfo>>> found;
};

/// Managed or pinned memory, which is mapped into this process at its device address.
struct Mapping {
  AllocationKind kind = AllocationKind::kManaged;
  std::uint64_t mapped_bytes = 0;
  std::size_t device = 0;
};

/// What a context of the driver API owns, with the function that destroys it (driver_contexts.cc).
struct OwnedObject {
  const void* context = nullptr;
  std::size_t device = 0;
  int (*destroy)(void*) = nullptr;
};

/// The runtime's state in this process. Whoever uses it must hold the mutex.
class Runtime {
 public:
  static Runtime& Get();

  std::mutex& mutex() { return mutex_; }

  /// Connects at the first use. Null, after a message on standard error, if there is no device.
  DeviceClient* Connect();
  /// The connection. It addresses the device in use: the thread's current device, or the one of the stream or
  /// event that ToStream or ToEvent has looked up.
  DeviceClient& device() { return *device_; }
  bool HasDevice(int ordinal) const {
    return ordinal >= 0 && static_cast<std::size_t>(ordinal) < device_->device_count();
  }
  /// The error that all further calls return once a kernel has faulted.
  CudaError sticky = CudaError::kSuccess;
  /// While a call is forwarded: its lock of the mutex, for work that has to release it.
  std::unique_lock<std::mutex>* lock = nullptr;
  /// Incremented by every cudaDeviceReset of the device.
  PerDevice<unsigned> generation{};

  // Registration; touches no device.
  Module* AddModule(const void* fatbin);
  Module* AddImage(std::vector<std::byte> image, std::optional<std::size_t> only_device);
  void AddKernel(const void* host_function, Module* module, const char* name);
  void AddVariable(const void* host_variable, Module* module, const char* name, std::uint64_t bytes,
                   bool is_constant = false);
  void AddManagedVariable(void** host_pointer, Module* module, const char* name, std::uint64_t bytes);
  void RemoveModule(Module* module);
  void RemoveKernel(const void* host_function) { kernels_.erase(host_function); }
  void RemoveVariable(const void* host_variable) { variables_.erase(host_variable); }

  /// The kernel registered for a host function; null if there is none.
  Kernel* FindKernel(const void* host_function);
  /// The kernel on the device in use; loads its module if necessary.
  CudaResult<KernelInfo*> Resolve(Kernel& kernel);
  /// Address and size of a registered variable on the device in use; nothing if it was never registered.
  std::optional<CudaResult<VariableInfo>> ResolveVariable(const void* host_variable);
  /// The registered variable to whose name in host code the address belongs; nothing if there is none.
  std::optional<protocol::NamedVariable> VariableNamed(const void* address) const;
  /// Loads a module and sets the program's pointers to its __managed__ variables.
  CudaResult<ModuleId> Load(Module& module);
  /// Maps memory that the device shares (`shared_fd`) at its device address.
  CudaError Map(DevicePointer address, std::uint64_t mapped_bytes, int shared_fd, AllocationKind kind);

  /// cudaDeviceReset of the device in use.
  CudaStatus Reset();
  /// Prints kernels' printf output, if it is this process's task (`warplings run`). Called after each
  /// synchronisation, as in the real runtime.
  void DeliverPrinted();
  /// Set by every launch: there may be text for DeliverPrinted(). A kernel in a non-blocking stream may print
  /// later.
  bool may_have_printed = false;
  bool has_unordered_streams = false;

  std::map<DevicePointer, Mapping> mappings;           ///< By start address.
  std::map<const void*, std::size_t> registered_host;  ///< cudaHostRegister.

  // The driver API (driver.h).
  bool is_initialised = false;               ///< By cuInit, or by any call of the runtime.
  std::map<const void*, OwnedObject> owned;  ///< By address or handle.

 private:
  Runtime() = default;
  void MapManagedVariables(Module& module);
  /// For a variable whose module is unloaded: its memory is the device's no more, and stays mapped all the
  /// same, because destructors of a program that ends may still read it.
  void LeaveMapped(const Variable& variable);
  /// Gives a managed variable that the device cannot provide memory of this process, so that an access does
  /// not crash for a reason that nobody could guess.
  static void GiveOwnMemory(Variable& variable);

  std::mutex mutex_;
  std::unique_ptr<DeviceClient> device_;
  bool tried_ = false;
  /// Id of the process that connected; a forked child must not use its parent's connection.
  int process_ = 0;
  std::vector<std::unique_ptr<Module>> modules_;
  std::unordered_map<const void*, Kernel> kernels_;
  std::unordered_map<const void*, Variable> variables_;
  /// What LeaveMapped left, with its bytes, until the device gives the addresses out again.
  std::map<DevicePointer, std::uint64_t> left_mapped_;
};

/// "warplings: MESSAGE" on standard error.
void Warn(const std::string& message);

/// Stores `code` as the calling thread's last error, and returns it as the C functions do.
int Finish(CudaError code);
CudaError& LastError();
/// The calling thread's current device, set by cudaSetDevice.
int& CurrentDevice();
/// True while the calling thread runs a function of the program's for a stream, which may call nothing of
/// CUDA.
bool& IsInHostFunction();

/// What the calling thread does with the driver API (driver.h).
struct DriverUse {
  const char* call = nullptr;  ///< The function of the driver API that is running, if any.
  bool has_context = false;    ///< The thread has made a context current.
  bool has_primary = false;    ///< A call of the runtime has made the device's primary context current.
};
DriverUse& ThisThreadsDriverUse();
/// Notes a call of the runtime, which initialises the driver, too. Most calls also make a context current.
void NoteRuntimeCall(Runtime& runtime, bool needs_context);

/// The error that a call with outcome `code` returns. Records sticky errors and the loss of the device.
CudaError Settle(Runtime& runtime, const char* call, CudaError code);

/// Whether a call still works after a kernel has faulted. Calls that only query devices do.
enum class AfterFault { kFails, kWorks };

/// What a call waits for: the stream or the event `handle`, or all of the current device.
struct Waits {
  protocol::Awaited awaited = protocol::Awaited::kAll;
  void* handle = nullptr;
};
/// Runs the functions of the host that the call waits for (host_functions.h). The lock is released while one
/// runs. When this returns, none is in the way of the wait.
void RunAwaitedHostFunctions(Runtime& runtime, std::unique_lock<std::mutex>& lock, const Waits& waits);

/// Runs `body(runtime)` with the device connected and the lock held; `call` is the runtime function's name.
/// Returns the outcome as the runtime function's return value.
template <AfterFault after_fault = AfterFault::kFails, class Body>
int Forward(const char* call, Body&& body, const std::optional<Waits>& waits = std::nullopt) noexcept {
  try {
    if (IsInHostFunction()) return Finish(CudaError::kNotPermitted);
    Runtime& runtime = Runtime::Get();
    std::unique_lock lock(runtime.mutex());
    if (runtime.Connect() == nullptr) return Finish(kNoDevice);
    const char* of_driver = ThisThreadsDriverUse().call;
    NoteRuntimeCall(runtime, after_fault == AfterFault::kFails);
    if (waits) RunAwaitedHostFunctions(runtime, lock, *waits);
    runtime.lock = &lock;
    runtime.device().UseDevice(static_cast<std::size_t>(CurrentDevice()));
    runtime.device().NameAsDriver(of_driver != nullptr);
    bool usable = runtime.sticky == CudaError::kSuccess || after_fault == AfterFault::kWorks;
    if (!usable) return Finish(runtime.sticky);
    Outcome outcome = body(runtime);
    if (outcome.report())
      runtime.device().ReportRefusal(*outcome.report(), of_driver != nullptr ? of_driver : call,
                                     outcome.sizes(), outcome.variable());
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

/// True if the address is in the range of device memory, which includes managed and pinned memory.
bool IsDeviceAddress(const void* pointer);
/// True if the address is in managed or pinned memory, which both host and device can access.
bool IsMapped(Runtime& runtime, const void* pointer);

inline DevicePointer ToDevice(const void* pointer) {
  return reinterpret_cast<DevicePointer>(pointer);
}

// Handles. Programs see streams and events as opaque pointers. Ours encode the device's id of the object, the
// device and a tag, so that no table is needed and a stream cannot be mistaken for an event.
enum class HandleTag : std::uintptr_t {
  kStream = 5,
  kTimedEvent = 6,
  kUntimedEvent = 7,
  kMemoryPool = 8,
  kNonBlockingStream = 9,
  kGraph = 10,
  kGraphNode = 11,
  kReadyGraph = 12,
  kArray = 13,
  kDriverModule = 14,
  kDriverSymbol = 15  ///< A kernel or variable of such a module.
};
struct Handle {
  std::uint64_t id = 0;
  std::size_t device = 0;
  HandleTag tag = HandleTag::kStream;
};
void* Pack(const Handle& handle);
/// Nothing for a pointer that is not one of our handles or refers to a device that does not exist.
std::optional<Handle> Unpack(Runtime& runtime, void* pointer);
bool IsStream(const Handle& handle);
/// What the pointer's tag says, whether there is such an object or not.
HandleTag TagOf(const void* pointer);

/// The stream of a handle; makes its device the device in use. For an invalid handle, an id that the device
/// refuses.
CudaResult<StreamId> ToStream(Runtime& runtime, void* handle);
void* const kPerThreadStream = reinterpret_cast<void*>(2);
/// For functions whose stream 0 is the calling thread's own.
inline void* OwnIfDefault(void* stream) {
  return stream == nullptr ? kPerThreadStream : stream;
}

}  // namespace warplings::runtime

/// Prefix of every function that programs can call.
#define WARPLINGS_API extern "C" __attribute__((visibility("default")))
