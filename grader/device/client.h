// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "grader/device/channel.h"
#include "grader/device/device.h"
#include "grader/device/protocol.h"
#include "grader/device/shared_memory.h"

namespace warplings {

/// A device in another process: what LocalDevice does, by asking that process. The judge and `warplings run`
/// start that process and use its control connection. The CUDA runtime connects a submission to it over an
/// untrusted connection; calls that only the judge may make close that one.
///
/// If there are several devices, calls go to the one selected by UseDevice, initially 0.
///
/// The connection identifies the caller: ClientId parameters without a name are ignored.
///
/// When the process has ended or has missed a call's deadline, the connection is lost for good: every call
/// fails at once, functions that cannot return an error return empty values, and alive() is false.
class DeviceClient {
 public:
  /// Why a connection was lost.
  enum class Loss {
    kNone,
    kDeadline,  ///< A call took longer than the deadline; the device may still be working on it.
    kEnded,     ///< The process ended, or closed the connection.
    kGarbage,   ///< It sent something that is not a valid reply.
  };

  /// Starts `program --device SPEC --memory BYTES --memory-seed N --progress-fd N --control-fd N`, which is
  /// killed when the calling thread ends or this object is destroyed. A wrong `device_spec`
  /// ("virtual:PROFILE") is a usage error. `memory_bytes`: how much memory that process may use, for the
  /// memory of virtual GPUs and for itself; 0: half of what may be used at all (usable_memory.h).
  /// `memory_seed`: as in VirtualGpuOptions. `progress_fd`: shared memory that holds a LaunchProgress, for
  /// VirtualGpuOptions; not owned; -1: none.
  static Result<std::unique_ptr<DeviceClient>> StartProcess(const std::filesystem::path& program,
                                                            const std::string& device_spec,
                                                            std::uint64_t memory_bytes = 0,
                                                            std::uint64_t memory_seed = 0,
                                                            int progress_fd = -1);
  /// Connects over a socket whose other end a server serves.
  static Result<std::unique_ptr<DeviceClient>> Connect(UniqueFd socket);
  ~DeviceClient();

  /// Sets the time limit of each call; none: no limit. Initially 60 s.
  void SetDeadline(std::optional<std::chrono::milliseconds> limit) { limit_ = limit; }
  bool alive() const { return loss_ == Loss::kNone; }
  Loss loss() const { return loss_; }
  /// Stops the kernel that the process is running, so that it responds again; findings are kept.
  void Interrupt();
  /// Sets how long the destructor waits for the process to end by itself before it kills it; by default not
  /// at all. For a process under a tool, which writes its results at the end.
  void LetEnd(std::chrono::milliseconds patience) { patience_ = patience; }
  /// Kills the process that StartProcess started.
  void Kill();
  /// That process; -1 where Connect made this.
  pid_t process() const { return process_; }

  /// The server's number for this connection; 0 for the control connection.
  ClientId id() const { return id_; }
  /// True if this program is responsible for printing its kernels' printf output.
  bool delivers_printed() const { return deliver_printed_; }

  std::size_t device_count() const { return profiles_.size(); }
  /// Selects the device, below device_count(), for the following calls.
  void UseDevice(std::size_t device) { device_ = device; }
  std::size_t device_in_use() const { return device_; }
  /// Whether findings are to name the following calls as the driver API's.
  void NameAsDriver(bool of_driver) { of_driver_ = of_driver; }
  const DeviceProfile& profile_of(std::size_t device) const { return profiles_[device]; }

  /// Makes any call of calls.h; several at once: CallBatch. The functions below are calls, too: those of
  /// LocalDevice, and those that pass descriptors.
  template <class Request>
  CudaResult<protocol::ReplyTo<Request>> Ask(const Request& request);

  // --- In addition to LocalDevice; all but the last two are for the control connection only. ---------
  /// Makes `socket`, one end of a MakeChannelPair(), an untrusted connection. The server gets a duplicate;
  /// the caller keeps its own and should close it.
  CudaResult<ClientId> AttachClient(int socket, bool deliver_printed = false);
  /// The same for a submission's worker, which may load the kernels of this image alone
  /// (WorkerProgram::image).
  CudaResult<ClientId> AttachSubmission(int socket, std::string image);
  /// With `hold`, stops serving the client, which then waits for its replies. The judge holds a submission's
  /// process except during a call, so that nothing happens unobserved.
  CudaResult<protocol::Served> HoldClient(ClientId client, bool hold);
  /// Protocol violations of untrusted connections since the last call of this function; each such connection
  /// was closed.
  std::vector<protocol::Violation> TakeProtocolViolations();
  /// Timed runs of a client's call (recorder.h).
  CudaStatus BeginRecording(ClientId client);
  CudaResult<protocol::RecordingInfo> EndRecording();
  CudaResult<Timing> Replay(double warm_up_seconds, bool timed);
  CudaStatus BeginLive();
  CudaResult<Timing> EndLive();
  CudaStatus DropRecording();
  /// Reports a call that the runtime itself refused, so that it becomes a finding.
  void ReportRefusal(protocol::Refusal refusal, std::string_view call,
                     const protocol::RefusedSizes& sizes = {}, const protocol::NamedVariable& variable = {});
  /// Frees everything that this connection owns on the device in use.
  CudaStatus Reset();

  // --- As LocalDevice's. --------------------------------------------------------------------------
  const DeviceProfile& profile() const { return profiles_[device_]; }
  CudaResult<ModuleId> LoadModule(ClientId, std::span<const std::byte> fatbin);
  CudaStatus UnloadModule(ClientId, ModuleId module);
  CudaResult<KernelInfo> FindKernel(ModuleId module, std::string_view name);
  CudaResult<VariableInfo> FindVariable(ModuleId module, std::string_view name);
  CudaResult<std::uint32_t> BlocksPerMultiprocessor(KernelId kernel, std::uint32_t block_threads,
                                                    std::uint32_t dynamic_shared_bytes);
  CudaStatus SetMaxDynamicShared(KernelId kernel, std::uint32_t bytes);
  /// This object owns shared_fd, which stays open until the memory is freed.
  CudaResult<Allocation> Allocate(std::uint64_t bytes, AllocationKind kind);
  CudaStatus Free(DevicePointer address);
  CudaStatus SetLabel(DevicePointer address, std::string_view label);
  CudaStatus MarkUninitialised(DevicePointer address, std::uint64_t bytes);
  MemoryInfo GetMemoryInfo();
  CudaResult<PointerInfo> GetPointerInfo(DevicePointer address);
  CudaStatus CopyIn(DevicePointer target, std::span<const std::byte> source, StreamId stream);
  CudaStatus CopyOut(std::span<std::byte> target, DevicePointer source, StreamId stream);
  CudaStatus CopyWithin(DevicePointer target, DevicePointer source, std::uint64_t bytes, StreamId stream,
                        bool host_waits = true);
  CudaStatus Fill(DevicePointer target, std::uint8_t value, std::uint64_t bytes, StreamId stream);
  CudaStatus Launch(const LaunchRequest& request);
  CudaResult<StreamId> CreateStream(ClientId, StreamFlags flags);
  CudaStatus DestroyStream(ClientId, StreamId stream);
  CudaResult<bool> QueryStream(StreamId stream);
  CudaStatus SynchronizeStream(StreamId stream);
  CudaStatus SynchronizeAll();
  CudaResult<EventId> CreateEvent(ClientId);
  CudaStatus DestroyEvent(ClientId, EventId event);
  CudaStatus RecordEvent(EventId event, StreamId stream);
  CudaStatus WaitEvent(StreamId stream, EventId event);
  CudaResult<bool> QueryEvent(EventId event);
  CudaStatus SynchronizeEvent(EventId event);
  CudaResult<float> ElapsedMilliseconds(EventId start, EventId stop);
  void SetObservation(const ObservationOptions& options);
  std::vector<PendingWork> ListPendingWork();
  std::vector<Finding> TakeFindings();
  std::vector<LaunchRecord> TakeLaunches();
  std::vector<KernelProfile> TakeProfile();
  std::string TakePrinted();
  void AddFinding(Finding finding);
  void DropClient(ClientId client);

 private:
  friend class CallBatch;

  explicit DeviceClient(UniqueFd socket) : socket_(std::move(socket)) {}

  CudaStatus Greet();
  /// Sends one request and receives its reply. Received descriptors are left in received_fds_.
  template <class Request>
  CudaResult<protocol::ReplyTo<Request>> Send(const Request& request, int pass_fd);
  /// The reply, or an empty one if the call failed.
  template <class Request>
  protocol::ReplyTo<Request> AskOrNothing(const Request& request);
  CudaStatus SendFrames(std::span<const std::byte> message, int pass_fd, Deadline deadline);
  /// Receives the next reply.
  template <class Request>
  CudaResult<protocol::ReplyTo<Request>> Receive(Deadline deadline);
  CudaResult<std::vector<std::byte>> ReceiveBody(std::uint16_t id, Deadline deadline);
  CudaStatus ReadHead(wire::Decoder& decoder);
  Deadline NewDeadline() const;
  CudaFault Lose(Loss loss);
  CudaFault LoseFor(ChannelStatus status);
  CudaFault LossFault() const;

  UniqueFd socket_;
  pid_t process_ = -1;
  std::chrono::milliseconds patience_{0};
  Loss loss_ = Loss::kNone;
  std::optional<std::chrono::milliseconds> limit_ = std::chrono::seconds(60);
  std::uint64_t sequence_ = 0;  ///< Of the last request.
  std::uint64_t answered_ = 0;  ///< Of the last one whose reply has been received.
  std::vector<UniqueFd> received_fds_;
  SharedMemory staging_;
  std::vector<DeviceProfile> profiles_{1};  ///< By device.
  std::size_t device_ = 0;                  ///< In use.
  bool of_driver_ = false;
  ClientId id_ = 0;
  bool deliver_printed_ = false;
  struct SharedFd {
    std::size_t device = 0;
    UniqueFd fd;
  };
  std::map<DevicePointer, SharedFd> shared_;  ///< Descriptors of managed and pinned memory.
};

}  // namespace warplings
