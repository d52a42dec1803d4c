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

/// A Device in another process. The judge and `warplings run` start that process and speak to it over its
/// control connection; the CUDA runtime connects a submission to it over an untrusted one, where the
/// judge's calls end the connection.
///
/// Where several devices are present, calls go to the one in use (UseDevice), 0 at first.
///
/// Its caller's identity is the connection: the ClientId that Device's functions take is ignored, except
/// by ListKernelResources and DropClient, which name another.
///
/// Once the process is gone, or has missed the deadline of a call, the connection is lost for good: every
/// call fails at once, functions without an error return nothing, and alive() is false.
class DeviceClient final : public Device {
 public:
  /// Why a connection was lost.
  enum class Loss {
    kNone,
    kDeadline,  ///< A call took longer than the deadline; the device may still be at it.
    kEnded,     ///< The process ended, or closed the connection.
    kGarbage,   ///< It answered what is no answer.
  };

  /// Starts `program --device SPEC --memory BYTES --control-fd N`, which dies with the calling thread and
  /// with this object. A wrong `device_spec` ("virtual:PROFILE") is a usage error. `memory_bytes`: this
  /// process' share of the machine's memory, for what virtual GPUs hold and for what the process needs
  /// itself; 0: half of all.
  static Result<std::unique_ptr<DeviceClient>> StartProcess(const std::filesystem::path& program,
                                                            const std::string& device_spec,
                                                            std::uint64_t memory_bytes = 0);
  /// Speaks over a socket whose other end a server serves.
  static Result<std::unique_ptr<DeviceClient>> Connect(UniqueFd socket);
  ~DeviceClient() override;

  /// The longest that a call may take from now on; none: for ever. At first 60 s.
  void SetDeadline(std::optional<std::chrono::milliseconds> limit) { limit_ = limit; }
  bool alive() const { return loss_ == Loss::kNone; }
  Loss loss() const { return loss_; }
  /// Ends the kernel that the process is at, so that it answers again; the findings so far are kept.
  void Interrupt();
  /// When this client goes, its process may take so long to end by itself before it is killed; no time,
  /// unless set. For a process under a tool, which writes its results at the end.
  void LetEnd(std::chrono::milliseconds patience) { patience_ = patience; }
  /// Ends the process that StartProcess started, at once.
  void Kill();

  /// Number of this connection at the server; 0 for the control connection.
  ClientId id() const { return id_; }
  /// Whether the program that holds this connection is to print what its kernels print.
  bool delivers_printed() const { return deliver_printed_; }

  std::size_t device_count() const { return profiles_.size(); }
  /// The device, below device_count(), that the calls from now on are for.
  void UseDevice(std::size_t device) { device_ = device; }
  std::size_t device_in_use() const { return device_; }
  const DeviceProfile& profile_of(std::size_t device) const { return profiles_[device]; }

  /// Makes any call of calls.h. The functions below are calls, too: those that a Device has, and those that
  /// have to do with descriptors.
  template <class Request>
  CudaResult<protocol::ReplyTo<Request>> Ask(const Request& request);

  // --- Beyond Device; all but the last two for the control connection only. --------------------------
  /// Makes `socket`, one end of a MakeChannelPair(), an untrusted connection. A copy is sent; the caller
  /// still owns its own and should close it.
  CudaResult<ClientId> AttachClient(int socket, bool deliver_printed = false);
  /// While `hold`, nothing that the client asks is served; it waits for its reply. The judge holds a
  /// submission's process but for the time of a call, so that nothing happens unobserved.
  CudaResult<protocol::Served> HoldClient(ClientId client, bool hold);
  /// What untrusted connections did, since the last call, that the CUDA runtime never does; each was
  /// disconnected for it.
  std::vector<protocol::Violation> TakeProtocolViolations();
  /// Timed runs of a client's call (recorder.h).
  CudaStatus BeginRecording(ClientId client);
  CudaResult<protocol::RecordingInfo> EndRecording();
  CudaResult<Timing> Replay(double warm_up_seconds, bool timed);
  CudaStatus BeginLive();
  CudaResult<Timing> EndLive();
  CudaStatus DropRecording();
  /// Tells of a call that the runtime refused by itself, so that it becomes a finding.
  void ReportRefusal(protocol::Refusal refusal, std::string_view call);
  /// Frees all that this connection owns on the device in use.
  CudaStatus Reset();

  const DeviceProfile& profile() const override { return profiles_[device_]; }
  CudaResult<ModuleId> LoadModule(ClientId, std::span<const std::byte> fatbin) override;
  CudaStatus UnloadModule(ClientId, ModuleId module) override;
  CudaResult<KernelInfo> FindKernel(ModuleId module, std::string_view name) override;
  CudaResult<VariableInfo> FindVariable(ModuleId module, std::string_view name) override;
  std::vector<KernelResources> ListKernelResources(ClientId client) override;
  CudaResult<std::uint32_t> BlocksPerMultiprocessor(KernelId kernel, std::uint32_t block_threads,
                                                    std::uint32_t dynamic_shared_bytes) override;
  CudaStatus SetMaxDynamicShared(KernelId kernel, std::uint32_t bytes) override;
  /// shared_fd is this object's and open until the memory is freed.
  CudaResult<Allocation> Allocate(ClientId, std::uint64_t bytes, AllocationKind kind) override;
  CudaStatus Free(ClientId, DevicePointer address) override;
  CudaStatus SetLabel(DevicePointer address, std::string_view label) override;
  CudaStatus MarkUninitialised(DevicePointer address, std::uint64_t bytes) override;
  MemoryInfo GetMemoryInfo() override;
  CudaResult<PointerInfo> GetPointerInfo(DevicePointer address) override;
  CudaStatus CopyIn(DevicePointer target, std::span<const std::byte> source, StreamId stream) override;
  CudaStatus CopyOut(std::span<std::byte> target, DevicePointer source, StreamId stream) override;
  CudaStatus CopyWithin(DevicePointer target, DevicePointer source, std::uint64_t bytes,
                        StreamId stream) override;
  CudaStatus Fill(DevicePointer target, std::uint8_t value, std::uint64_t bytes, StreamId stream) override;
  CudaStatus Launch(const LaunchRequest& request) override;
  CudaResult<StreamId> CreateStream(ClientId, StreamFlags flags) override;
  CudaStatus DestroyStream(ClientId, StreamId stream) override;
  CudaResult<bool> QueryStream(StreamId stream) override;
  CudaStatus SynchronizeStream(StreamId stream) override;
  CudaStatus SynchronizeAll() override;
  CudaResult<EventId> CreateEvent(ClientId) override;
  CudaStatus DestroyEvent(ClientId, EventId event) override;
  CudaStatus RecordEvent(EventId event, StreamId stream) override;
  CudaStatus WaitEvent(StreamId stream, EventId event) override;
  CudaResult<bool> QueryEvent(EventId event) override;
  CudaStatus SynchronizeEvent(EventId event) override;
  CudaResult<float> ElapsedMilliseconds(EventId start, EventId stop) override;
  void SetObservation(const ObservationOptions& options) override;
  std::vector<PendingWork> ListPendingWork() override;
  std::vector<Finding> TakeFindings() override;
  std::vector<LaunchRecord> TakeLaunches() override;
  std::vector<ArrayWriters> ListArrayWriters() override;
  std::vector<KernelProfile> TakeProfile() override;
  std::string TakePrinted() override;
  void AddFinding(Finding finding) override;
  void DropClient(ClientId client) override;

 private:
  explicit DeviceClient(UniqueFd socket) : socket_(std::move(socket)) {}

  CudaStatus Greet();
  /// One request and its reply. Descriptors that came with it are left in received_fds_.
  template <class Request>
  CudaResult<protocol::ReplyTo<Request>> Send(const Request& request, int pass_fd);
  /// The reply; an empty one where there is none.
  template <class Request>
  protocol::ReplyTo<Request> AskOrNothing(const Request& request);
  /// The body of the reply to `body`; a fault where the connection is lost.
  CudaResult<std::vector<std::byte>> Exchange(std::uint16_t id, std::span<const std::byte> body, int pass_fd);
  CudaStatus ReadHead(wire::Decoder& decoder);
  CudaFault Lose(Loss loss);
  CudaFault LossFault() const;

  UniqueFd socket_;
  pid_t process_ = -1;
  std::chrono::milliseconds patience_{0};
  Loss loss_ = Loss::kNone;
  std::optional<std::chrono::milliseconds> limit_ = std::chrono::seconds(60);
  std::uint64_t sequence_ = 0;
  std::vector<UniqueFd> received_fds_;
  SharedMemory staging_;
  std::vector<DeviceProfile> profiles_{1};  ///< By device.
  std::size_t device_ = 0;                  ///< In use.
  ClientId id_ = 0;
  bool deliver_printed_ = false;
  struct SharedFd {
    std::size_t device = 0;
    UniqueFd fd;
  };
  std::map<DevicePointer, SharedFd> shared_;  ///< Descriptors of managed and pinned memory.
};

}  // namespace warplings
