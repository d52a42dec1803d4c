// SPDX-License-Identifier: Apache-2.0
#include "grader/device/client.h"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "grader/messages/device.h"

namespace warplings {

using namespace protocol;

Result<std::unique_ptr<DeviceClient>> DeviceClient::Connect(UniqueFd socket) {
  std::unique_ptr<DeviceClient> client(new DeviceClient(std::move(socket)));
  CudaStatus greeted = client->Greet();
  if (!greeted) return GraderError(say::device_not_reached(greeted.error().message));
  return client;
}

CudaStatus DeviceClient::Greet() {
  auto reply = Ask(Hello{});
  if (!reply) return reply.error();
  if (received_fds_.empty()) return Lose(Loss::kGarbage);
  staging_ = SharedMemory::Map(std::move(received_fds_.front()), kStagingBytes);
  if (!staging_.valid()) return Lose(Loss::kGarbage);
  if (reply->profiles.empty()) return Lose(Loss::kGarbage);
  profiles_ = std::move(reply->profiles);
  id_ = reply->client;
  deliver_printed_ = reply->deliver_printed;
  return Unit{};
}

void DeviceClient::Interrupt() {
  if (process_ > 0) kill(process_, SIGUSR1);
}

void DeviceClient::Kill() {
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
  process_ = -1;
  (void)Lose(Loss::kEnded);
}

DeviceClient::~DeviceClient() {
  // The server ends when its control connection closes.
  socket_.reset();
  const auto deadline = std::chrono::steady_clock::now() + patience_;
  while (process_ > 0 && std::chrono::steady_clock::now() < deadline) {
    if (waitpid(process_, nullptr, WNOHANG) == process_) process_ = -1;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  Kill();
}

// --- One call --------------------------------------------------------------------------------------

CudaFault DeviceClient::Lose(Loss loss) {
  if (loss_ == Loss::kNone) loss_ = loss;
  socket_.reset();
  return LossFault();
}

CudaFault DeviceClient::LoseFor(ChannelStatus status) {
  return Lose(status == ChannelStatus::kDeadline ? Loss::kDeadline : Loss::kEnded);
}

CudaFault DeviceClient::LossFault() const {
  switch (loss_) {
    case Loss::kDeadline: return {CudaError::kUnknown, say::device_not_in_time()};
    case Loss::kGarbage: return {CudaError::kUnknown, say::device_answered_nonsense()};
    default: return {CudaError::kUnknown, say::device_has_ended()};
  }
}

Deadline DeviceClient::NewDeadline() const {
  if (!limit_) return std::nullopt;
  return std::chrono::steady_clock::now() + *limit_;
}

CudaStatus DeviceClient::SendFrames(std::span<const std::byte> message, int pass_fd, Deadline deadline) {
  if (loss_ != Loss::kNone) return LossFault();
  const ChannelStatus status = SendAll(socket_.get(), message, pass_fd, deadline);
  if (status != ChannelStatus::kOk) return LoseFor(status);
  return Unit{};
}

CudaResult<std::vector<std::byte>> DeviceClient::ReceiveBody(std::uint16_t id, Deadline deadline) {
  if (loss_ != Loss::kNone) return LossFault();
  received_fds_.clear();
  FrameHeader reply;
  ChannelStatus status =
      ReceiveAll(socket_.get(), std::as_writable_bytes(std::span(&reply, 1)), received_fds_, deadline);
  if (status != ChannelStatus::kOk) return LoseFor(status);
  bool fits = reply.id == id && reply.sequence == ++answered_ && reply.length <= kMaxControlFrame;
  if (!fits) return Lose(Loss::kGarbage);

  // Grows with what really comes, whatever the header announces.
  constexpr std::size_t kStep = 1 << 20;
  std::vector<std::byte> received;
  while (received.size() < reply.length) {
    std::size_t before = received.size();
    received.resize(std::min<std::size_t>(reply.length, before + kStep));
    status = ReceiveAll(socket_.get(), std::span(received).subspan(before), received_fds_, deadline);
    if (status != ChannelStatus::kOk) return LoseFor(status);
  }
  return received;
}

/// What a reply begins with. A refusal has nothing behind that.
CudaStatus DeviceClient::ReadHead(wire::Decoder& decoder) {
  ReplyHead head;
  decoder(head);
  const bool refused = head.code != 0;
  if (decoder.failed() || (refused && decoder.remaining() != 0)) return Lose(Loss::kGarbage);
  if (refused) return CudaFault{static_cast<CudaError>(head.code), std::move(head.message)};
  return Unit{};
}

template <class Request>
CudaResult<ReplyTo<Request>> DeviceClient::Receive(Deadline deadline) {
  const auto body = ReceiveBody(kOpcode<Request>, deadline);
  if (!body) return body.error();
  wire::Decoder decoder(*body);
  if (CudaStatus accepted = ReadHead(decoder); !accepted) return accepted.error();
  ReplyTo<Request> reply{};
  decoder(reply);
  if (decoder.failed() || decoder.remaining() != 0) return Lose(Loss::kGarbage);
  return reply;
}

template <class Request>
CudaResult<ReplyTo<Request>> DeviceClient::Send(const Request& request, int pass_fd) {
  const Deadline deadline = NewDeadline();
  const FrameHeader header{.id = kOpcode<Request>,
                           .device = static_cast<std::uint16_t>(device_ | (of_driver_ ? kOfDriver : 0)),
                           .sequence = ++sequence_};
  std::vector<std::byte> message;
  AppendFrame(header, wire::Encode(request), message);
  if (CudaStatus sent = SendFrames(message, pass_fd, deadline); !sent) return sent.error();
  return Receive<Request>(deadline);
}

template <class Request>
CudaResult<ReplyTo<Request>> DeviceClient::Ask(const Request& request) {
  return Send(request, -1);
}

#define WARPLINGS_ASK(opcode, Request, ...)                                                    \
  template CudaResult<ReplyTo<protocol::Request>> DeviceClient::Ask(const protocol::Request&); \
  template CudaResult<ReplyTo<protocol::Request>> DeviceClient::Receive<protocol::Request>(Deadline);
WARPLINGS_CALLS(WARPLINGS_ASK)
#undef WARPLINGS_ASK

template <class Request>
ReplyTo<Request> DeviceClient::AskOrNothing(const Request& request) {
  auto reply = Ask(request);
  if (!reply) return {};
  return std::move(*reply);
}

// --- Modules ---------------------------------------------------------------------------------------

CudaResult<ModuleId> DeviceClient::LoadModule(ClientId, std::span<const std::byte> fatbin) {
  while (!fatbin.empty()) {
    if (!staging_.valid()) return LossFault();
    auto piece = fatbin.first(std::min(fatbin.size(), staging_.bytes().size()));
    std::memcpy(staging_.bytes().data(), piece.data(), piece.size());
    if (CudaStatus sent = Ask(UploadModule{piece.size()}); !sent) return sent.error();
    fatbin = fatbin.subspan(piece.size());
  }
  return Ask(protocol::LoadModule{});
}

CudaStatus DeviceClient::UnloadModule(ClientId, ModuleId module) {
  return Ask(protocol::UnloadModule{module});
}

CudaResult<KernelInfo> DeviceClient::FindKernel(ModuleId module, std::string_view name) {
  return Ask(protocol::FindKernel{module, std::string(name)});
}

CudaResult<VariableInfo> DeviceClient::FindVariable(ModuleId module, std::string_view name) {
  auto reply = Ask(protocol::FindVariable{module, std::string(name)});
  if (!reply) return reply.error();
  VariableInfo info = *reply;
  if (info.mapped_bytes != 0) {
    if (received_fds_.empty()) return Lose(Loss::kGarbage);
    info.shared_fd = received_fds_.front().get();
    shared_.insert_or_assign(info.address, SharedFd{device_, std::move(received_fds_.front())});
  }
  return info;
}

CudaResult<std::uint32_t> DeviceClient::BlocksPerMultiprocessor(KernelId kernel, std::uint32_t block_threads,
                                                                std::uint32_t dynamic_shared_bytes) {
  return Ask(protocol::BlocksPerMultiprocessor{kernel, block_threads, dynamic_shared_bytes});
}

CudaStatus DeviceClient::SetMaxDynamicShared(KernelId kernel, std::uint32_t bytes) {
  return Ask(protocol::SetMaxDynamicShared{kernel, bytes});
}

// --- Memory ----------------------------------------------------------------------------------------

CudaResult<Allocation> DeviceClient::Allocate(std::uint64_t bytes, AllocationKind kind) {
  auto reply = Ask(protocol::Allocate{bytes, kind});
  if (!reply) return reply.error();
  Allocation allocation{reply->address, reply->bytes, -1, reply->mapped_bytes};
  if (reply->shared) {
    if (received_fds_.empty()) return Lose(Loss::kGarbage);
    allocation.shared_fd = received_fds_.front().get();
    shared_.insert_or_assign(allocation.address, SharedFd{device_, std::move(received_fds_.front())});
  }
  return allocation;
}

CudaStatus DeviceClient::Free(DevicePointer address) {
  CudaStatus freed = Ask(protocol::Free{address});
  if (freed) shared_.erase(address);
  return freed;
}

CudaStatus DeviceClient::SetLabel(DevicePointer address, std::string_view label) {
  return Ask(protocol::SetLabel{address, std::string(label)});
}

CudaStatus DeviceClient::MarkUninitialised(DevicePointer address, std::uint64_t bytes) {
  return Ask(protocol::MarkUninitialised{address, bytes});
}

MemoryInfo DeviceClient::GetMemoryInfo() {
  return AskOrNothing(protocol::GetMemoryInfo{});
}

CudaResult<PointerInfo> DeviceClient::GetPointerInfo(DevicePointer address) {
  return Ask(protocol::GetPointerInfo{address});
}

// --- Work ------------------------------------------------------------------------------------------

CudaStatus DeviceClient::CopyIn(DevicePointer target, std::span<const std::byte> source, StreamId stream) {
  if (source.size() <= kInlineBytes) {
    return Ask(protocol::CopyIn{
        target, stream, {source.size(), 0, source.size()}, std::vector(source.begin(), source.end())});
  }
  // The target is checked before the first byte of the source is read: a size that is wrong for the one is
  // often wrong for the other, and is to be an error and no crash.
  CudaStatus fits = Ask(protocol::CopyIn{target, stream, {source.size(), 0, 0}, {}});
  if (!fits) return fits;
  for (std::uint64_t offset = 0; offset < source.size();) {
    auto piece = source.subspan(offset, std::min(source.size() - offset, kStagingBytes));
    if (!staging_.valid()) return LossFault();
    std::memcpy(staging_.bytes().data(), piece.data(), piece.size());
    CudaStatus sent = Ask(protocol::CopyIn{target, stream, {source.size(), offset, piece.size()}, {}});
    if (!sent) return sent;
    offset += piece.size();
  }
  return Unit{};
}

CudaStatus DeviceClient::CopyOut(std::span<std::byte> target, DevicePointer source, StreamId stream) {
  std::uint64_t offset = 0;
  do {
    std::uint64_t bytes = std::min(target.size() - offset, kStagingBytes);
    auto reply = Ask(protocol::CopyOut{source, stream, {target.size(), offset, bytes}});
    if (!reply) return reply.error();
    std::span<const std::byte> data =
        bytes <= kInlineBytes ? std::span<const std::byte>(*reply) : staging_.bytes().first(bytes);
    if (data.size() != bytes) return Lose(Loss::kGarbage);
    if (bytes != 0) std::memcpy(target.data() + offset, data.data(), bytes);
    offset += bytes;
  } while (offset < target.size());
  return Unit{};
}

CudaStatus DeviceClient::CopyWithin(DevicePointer target, DevicePointer source, std::uint64_t bytes,
                                    StreamId stream, bool host_waits) {
  return Ask(protocol::CopyWithin{target, source, bytes, stream, host_waits});
}

CudaStatus DeviceClient::Fill(DevicePointer target, std::uint8_t value, std::uint64_t bytes,
                              StreamId stream) {
  return Ask(protocol::Fill{target, value, bytes, stream});
}

CudaStatus DeviceClient::Launch(const LaunchRequest& request) {
  return Ask(protocol::Launch{request});
}

// --- Streams and events ----------------------------------------------------------------------------

CudaResult<StreamId> DeviceClient::CreateStream(ClientId, StreamFlags flags) {
  return Ask(protocol::CreateStream{flags});
}
CudaStatus DeviceClient::DestroyStream(ClientId, StreamId stream) {
  return Ask(protocol::DestroyStream{stream});
}
CudaResult<bool> DeviceClient::QueryStream(StreamId stream) {
  return Ask(protocol::QueryStream{stream});
}
CudaStatus DeviceClient::SynchronizeStream(StreamId stream) {
  return Ask(protocol::SynchronizeStream{stream});
}
CudaStatus DeviceClient::SynchronizeAll() {
  return Ask(protocol::SynchronizeAll{});
}
CudaResult<EventId> DeviceClient::CreateEvent(ClientId) {
  return Ask(protocol::CreateEvent{});
}
CudaStatus DeviceClient::DestroyEvent(ClientId, EventId event) {
  return Ask(protocol::DestroyEvent{event});
}
CudaStatus DeviceClient::RecordEvent(EventId event, StreamId stream) {
  return Ask(protocol::RecordEvent{event, stream});
}
CudaStatus DeviceClient::WaitEvent(StreamId stream, EventId event) {
  return Ask(protocol::WaitEvent{stream, event});
}
CudaResult<bool> DeviceClient::QueryEvent(EventId event) {
  return Ask(protocol::QueryEvent{event});
}
CudaStatus DeviceClient::SynchronizeEvent(EventId event) {
  return Ask(protocol::SynchronizeEvent{event});
}
CudaResult<float> DeviceClient::ElapsedMilliseconds(EventId start, EventId stop) {
  return Ask(protocol::ElapsedMilliseconds{start, stop});
}

// --- Observation -----------------------------------------------------------------------------------

void DeviceClient::SetObservation(const ObservationOptions& options) {
  (void)Ask(protocol::SetObservation{options});
}
std::vector<PendingWork> DeviceClient::ListPendingWork() {
  return AskOrNothing(protocol::ListPendingWork{});
}
std::vector<Finding> DeviceClient::TakeFindings() {
  return AskOrNothing(protocol::TakeFindings{});
}
std::vector<LaunchRecord> DeviceClient::TakeLaunches() {
  return AskOrNothing(protocol::TakeLaunches{});
}
std::vector<KernelProfile> DeviceClient::TakeProfile() {
  return AskOrNothing(protocol::TakeProfile{});
}
std::string DeviceClient::TakePrinted() {
  return AskOrNothing(protocol::TakePrinted{});
}
void DeviceClient::AddFinding(Finding finding) {
  (void)Ask(protocol::AddFinding{std::move(finding)});
}
void DeviceClient::DropClient(ClientId client) {
  (void)Ask(protocol::DropClient{client});
}

CudaResult<protocol::Served> DeviceClient::HoldClient(ClientId client, bool hold) {
  return Ask(protocol::HoldClient{client, hold});
}

CudaResult<ClientId> DeviceClient::AttachClient(int socket, bool deliver_printed) {
  return Send(protocol::AttachClient{deliver_printed, std::nullopt}, socket);
}

CudaResult<ClientId> DeviceClient::AttachSubmission(int socket, std::string image) {
  return Send(protocol::AttachClient{false, std::move(image)}, socket);
}

std::vector<Violation> DeviceClient::TakeProtocolViolations() {
  return AskOrNothing(protocol::TakeProtocolViolations{});
}

CudaStatus DeviceClient::Reset() {
  std::erase_if(shared_, [&](const auto& entry) { return entry.second.device == device_; });
  return Ask(protocol::Reset{});
}

CudaStatus DeviceClient::BeginRecording(ClientId client) {
  return Ask(protocol::BeginRecording{client});
}
CudaResult<RecordingInfo> DeviceClient::EndRecording() {
  return Ask(protocol::EndRecording{});
}
CudaResult<Timing> DeviceClient::Replay(double warm_up_seconds, bool timed) {
  return Ask(protocol::Replay{warm_up_seconds, timed});
}
CudaStatus DeviceClient::BeginLive() {
  return Ask(protocol::BeginLive{});
}
CudaResult<Timing> DeviceClient::EndLive() {
  return Ask(protocol::EndLive{});
}
CudaStatus DeviceClient::DropRecording() {
  return Ask(protocol::DropRecording{});
}

void DeviceClient::ReportRefusal(Refusal refusal, std::string_view call, const protocol::RefusedSizes& sizes,
                                 const protocol::NamedVariable& variable) {
  (void)Ask(protocol::ReportRefusal{refusal, std::string(call), sizes, variable});
}

}  // namespace warplings
