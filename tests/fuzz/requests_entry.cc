// SPDX-License-Identifier: Apache-2.0
// The device process as a client meets it: what it asks goes through the server or the request handler to
// virtual GPUs. Two ways. Bytes as they travel come to a DeviceServer through a socket: framing, permissions,
// violations. Requests that are well formed go to a RequestHandler, whose client has loaded a module with
// kernels: what a call does, alone and after any others, up to the interpreter.
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "grader/device/channel.h"
#include "grader/device/protocol.h"
#include "grader/device/request_handler.h"
#include "grader/device/server.h"
#include "tests/fuzz/entries.h"
#include "tests/fuzz/kernels.h"
#include "tests/fuzz/require.h"
#include "tests/support/drawn_request.h"
#include "tests/support/virtual_gpu_testing.h"

namespace warplings::fuzz {
namespace {

using namespace protocol;
using Bytes = std::vector<std::byte>;

/// Everything is sent before the server begins, so all of it, and the replies, must fit the sockets.
constexpr std::size_t kRequests = 64;
constexpr std::size_t kRawBytes = kRequests * sizeof(FrameHeader);
/// A byte of the input names one of so many opcodes, whether there are as many or not: what is in the corpus
/// means the same when a call is added.
constexpr std::uint16_t kOpcodes = 128;
static_assert(kCallCount < kOpcodes, "calls that no input can name, or nothing left to name work with");

// --- The devices -----------------------------------------------------------------------------------

constexpr std::size_t kCards = 2;
constexpr std::uint64_t kCardMemory = std::uint64_t{32} << 20;
/// What a launch may cost. A grid of two thousand million blocks is valid, and takes hours: judges stop it by
/// the clock. Here so many of its blocks run, each of them so far.
constexpr std::uint64_t kMostInstructions = 2000, kMostBlocks = 16;
/// A card keeps so much for itself, once there was a cooperative launch.
constexpr std::uint64_t kOwnBytes = 64;

class Cards {
 public:
  Cards() {
    const DeviceProfile* const profile = FindDeviceProfile(kDefaultProfile);
    auto made = MakeVirtualGpus(std::array{profile, profile},
                                {.memory_bytes = kCards * kCardMemory, .host_threads = 1});
    Require(made.ok(), "no virtual GPUs");
    cards_ = std::move(*made);
  }
  std::vector<LocalDevice*> devices() const {
    std::vector<LocalDevice*> all;
    for (const auto& card : cards_) all.push_back(card.get());
    return all;
  }
  void Observe(const ObservationOptions& options) {
    for (const auto& card : cards_) card->SetObservation(options);
  }
  /// When all clients have gone.
  void RequireEmpty() {
    for (const auto& card : cards_) {
      const MemoryInfo memory = card->GetMemoryInfo();
      Require(memory.total_bytes - memory.free_bytes <= kOwnBytes, "a client left memory behind");
    }
  }

 private:
  std::vector<std::unique_ptr<LocalDevice>> cards_;
};

ObservationOptions Bounded(ObservationOptions options) {
  options.max_warp_instructions = std::min(options.max_warp_instructions, kMostInstructions);
  if (options.sample_blocks == 0 || options.sample_blocks > kMostBlocks) options.sample_blocks = kMostBlocks;
  return options;
}

// --- Bytes, to a server ----------------------------------------------------------------------------

void AppendFrame(Bytes& stream, std::uint32_t id, std::uint16_t device, std::uint64_t sequence,
                 std::span<const std::byte> body) {
  const FrameHeader header{static_cast<std::uint32_t>(body.size()), static_cast<std::uint16_t>(id), device,
                           sequence};
  const auto head = std::as_bytes(std::span(&header, 1));
  stream.insert(stream.end(), head.begin(), head.end());
  stream.insert(stream.end(), body.begin(), body.end());
}

template <class Request>
void Append(Bytes& stream, const Request& request, std::uint64_t sequence) {
  AppendFrame(stream, kOpcode<Request>, 0, sequence, wire::Encode(request));
}

/// A client that greets, counts and frames as it should, and asks for what the bytes say: of each request its
/// id and, in the upper two bits, the device; the length of its body; the body.
Bytes FramedRequests(std::span<const std::byte> bytes) {
  Bytes stream;
  Append(stream, Hello{}, 1);
  for (std::uint64_t sequence = 2; bytes.size() >= 2 && sequence < kRequests; ++sequence) {
    const auto first = std::to_integer<std::uint16_t>(bytes[0]);
    const std::size_t length = std::min(std::to_integer<std::size_t>(bytes[1]), bytes.size() - 2);
    AppendFrame(stream, first % kOpcodes, static_cast<std::uint16_t>(first >> 6), sequence,
                bytes.subspan(2, length));
    bytes = bytes.subspan(2 + length);
  }
  return stream;
}

/// The judge's requests: one to let the client in, then enough for the server to come round to each of the
/// client's, and to its end.
Bytes ControlRequests() {
  Bytes stream;
  Append(stream, Hello{}, 1);
  Append(stream, AttachClient{true, std::nullopt}, 2);
  for (std::uint64_t sequence = 3; sequence < kRequests + 8; ++sequence) {
    Append(stream, GetMemoryInfo{}, sequence);
  }
  return stream;
}

void Send(const UniqueFd& socket, std::span<const std::byte> bytes, int pass_fd) {
  Require(SendNow(socket.get(), bytes, pass_fd) == ChannelStatus::kOk, "the requests do not fit the socket");
  Require(::shutdown(socket.get(), SHUT_WR) == 0, "no end of the requests");
}

void ServeClient(std::span<const std::byte> stream) {
  ChannelPair control = MakeChannelPair();
  ChannelPair client = MakeChannelPair();
  Send(client.first, stream, -1);
  Send(control.first, ControlRequests(), client.second.get());
  client.second.reset();

  Cards cards;
  DeviceServer server(cards.devices(), std::move(control.second));
  const Status ended = server.Run();
  Require(ended.ok(), "the client ended the judge's connection");
  cards.RequireEmpty();
}

// --- Requests, to a handler ------------------------------------------------------------------------

/// Two clients and the judge, on two cards. The first client starts with what a program has when its main
/// begins, a module whose kernels are known, and an array of each kind.
class Program {
 public:
  explicit Program(std::span<const std::byte> bytes) : drawer_(bytes, addresses_) {
    cards_.Observe(Bounded({.checks = drawer_.Flag(),
                            .counters = drawer_.Flag(),
                            .profile = drawer_.Flag(),
                            .work = drawer_.Flag(),
                            .arrays = drawer_.Flag(),
                            .accesses = drawer_.Flag()}));
    for (std::size_t i = 0; i < sessions_.size(); ++i) {
      sessions_[i].client = static_cast<ClientId>(i);
      sessions_[i].trusted = i == 0;
      sessions_[i].uploads.resize(kCards);
      Do(sessions_[i], Hello{});
    }
    for (const auto kind : {AllocationKind::kDevice, AllocationKind::kManaged, AllocationKind::kPinned}) {
      Do(sessions_[1], Allocate{4096, kind});
    }
    Do(sessions_[0], Allocate{4096, AllocationKind::kDevice});
    const Bytes fatbin = vgpu::WrapPtx(HostilePtx());
    std::ranges::copy(fatbin, sessions_[1].staging.bytes().begin());
    Do(sessions_[1], UploadModule{fatbin.size()});
    const auto module = Ask(sessions_[1], LoadModule{});
    Require(module.ok(), "the kernels do not load");
    for (const std::string_view name : kHostileKernels) {
      const auto kernel = Ask(sessions_[1], FindKernel{*module, std::string(name)});
      Require(kernel.ok(), "a kernel is not found");
      kernels_.push_back(*kernel);
    }
  }

  void Run() {
    for (std::size_t i = 0; i < kRequests && !drawer_.empty(); ++i) {
      const std::uint16_t opcode = drawer_.Byte() % kOpcodes;
      Session& session = DrawSession();
      // The server lets it wait.
      if (handler_.Suspends(session.client)) continue;
      if (opcode >= kCallCount) {
        AskForWork(session);
      } else {
        AskForAnything(session, opcode);
      }
    }
    for (const Session& session : sessions_) handler_.Forget(session);
    for (LocalDevice* device : cards_.devices()) {
      for (const Finding& finding : device->TakeFindings()) RequireMessage(English(finding.message));
    }
    cards_.RequireEmpty();
  }

 private:
  /// Most of what is asked is asked by the first client, on the first card.
  Session& DrawSession() {
    const std::uint8_t which = drawer_.Byte();
    Session& session = sessions_[which / 4 % 8 < 2 ? which / 4 % 8 * 2 : 1];
    session.device = which % 4 == 3 ? 1 : 0;
    return session;
  }

  template <class Request>
  CudaResult<ReplyTo<Request>> Ask(Session& session, const Request& request) {
    session.reply_fd = -1;
    auto reply = handler_.Handle(session, request);
    if (!reply) {
      Require(reply.error().code != CudaError::kSuccess, "a failure called success");
      RequireMessage(English(reply.error().message));
      return reply;
    }
    // A reply has to reach the client: what is encoded is what the server sends.
    Require(session.trusted || wire::Encode(*reply).size() <= kMaxClientFrame, "a reply that is too long");
    if constexpr (requires { reply->address; }) {
      addresses_[next_address_++ % addresses_.size()] = reply->address;
    }
    return reply;
  }

  /// Whatever comes of it.
  template <class Request>
  void Do(Session& session, const Request& request) {
    static_cast<void>(Ask(session, request).ok());
  }

  /// A request of the row `opcode` with any arguments, if the session may make it.
  void AskForAnything(Session& session, std::uint16_t opcode) {
    using AskFunction = void (Program::*)(Session&);
#define WARPLINGS_ASK(number, Request, ...) &Program::Draw<Request>,
    static constexpr AskFunction kAsks[] = {WARPLINGS_CALLS(WARPLINGS_ASK)};
#undef WARPLINGS_ASK
    if (kCalls[opcode].asker == Asker::kJudge && !session.trusted) return;
    // By a variable: of an index within such a call UndefinedBehaviorSanitizer of g++ 12 reads another value.
    const AskFunction ask = kAsks[opcode];
    (this->*ask)(session);
  }

  template <class Request>
  void Draw(Session& session) {
    Request request{};
    drawer_(request);
    // The judge's requests are the grader's own: it bounds its launches, does not replay for seconds, and
    // gives its findings a text.
    if constexpr (std::is_same_v<Request, SetObservation>) request.options = Bounded(request.options);
    if constexpr (std::is_same_v<Request, Replay>) request.warm_up_seconds = 0;
    if constexpr (std::is_same_v<Request, AddFinding>)
      request.finding.message = English(request.finding.message) + '.';
    Do(session, request);
  }

  /// Work as programs ask for it: with the handles, addresses and sizes that there are.
  void AskForWork(Session& session) {
    switch (drawer_.Byte() % 8) {
      case 0: return CopyToDevice(session);
      case 1: {
        const std::uint64_t bytes = DrawBytes();
        Do(session, CopyOut{DrawAddress(), DrawStream(), {bytes, 0, bytes}});
        return;
      }
      case 2: Do(session, CopyWithin{DrawAddress(), DrawAddress(), DrawBytes(), DrawStream()}); return;
      case 3: Do(session, Fill{DrawAddress(), drawer_.Byte(), DrawBytes(), DrawStream()}); return;
      default: return LaunchKernel(session);
    }
  }

  void CopyToDevice(Session& session) {
    const std::uint64_t bytes = DrawBytes();
    CopyIn copy{DrawAddress(), DrawStream(), {bytes, 0, bytes}, {}};
    if (drawer_.Flag()) {
      copy.data.assign(bytes, std::byte{drawer_.Byte()});
    } else {
      std::ranges::fill(session.staging.bytes().first(bytes), std::byte{drawer_.Byte()});
    }
    Do(session, copy);
  }

  void LaunchKernel(Session& session) {
    const KernelInfo& kernel = kernels_[drawer_.Byte() % kernels_.size()];
    Launch launch;
    launch.request.kernel = kernel.id;
    launch.request.grid = {1u + drawer_.Byte() % 4, 1u + drawer_.Byte() % 2, 1};
    launch.request.block = {1u + drawer_.Byte() % 70, 1u + drawer_.Byte() % 3, 1};
    launch.request.dynamic_shared_bytes = drawer_.Byte() % 3 * 256u;
    launch.request.stream = DrawStream();
    launch.request.cooperative = drawer_.Byte() % 4 == 0;
    vgpu::Arguments arguments;
    for (const KernelParameter& parameter : kernel.parameters) {
      if (parameter.bytes == sizeof(std::uint64_t)) {
        arguments.Add(drawer_.Byte() % 8 == 0 ? std::uint64_t{drawer_.Byte()} : DrawAddress());
      } else {
        arguments.Add(std::uint32_t{drawer_.Byte()});
      }
    }
    launch.request.arguments = arguments.bytes();
    Do(session, launch);
  }

  std::uint64_t DrawAddress() {
    return addresses_[drawer_.Byte() % addresses_.size()] + drawer_.Byte() % 4 * 4u;
  }
  std::uint64_t DrawBytes() {
    return drawer_.Byte() * 16u;
  }
  /// Streams are numbered from 16.
  StreamId DrawStream() {
    const std::uint8_t choice = drawer_.Byte();
    return choice % 2 == 0 ? 0 : 16 + choice / 2 % 4;
  }

  /// The last that the device gave out; the drawer looks here.
  std::array<std::uint64_t, 8> addresses_{};
  std::size_t next_address_ = 0;
  FieldDrawer drawer_;
  Cards cards_;
  RequestHandler handler_{
      cards_.devices(),
      ClientLimits{},
      {.attach = [](UniqueFd, const AttachClient&) -> CudaResult<ClientId> { return ClientId{3}; },
       .drop = [](ClientId) {},
       .hold = [](ClientId, bool) { return Served{}; },
       .take_violations = [] { return std::vector<Violation>(); },
       .take_internal_faults = [] { return InternalFaults{}; }}};
  std::array<Session, 3> sessions_;  ///< By client; the first is the judge's.
  std::vector<KernelInfo> kernels_;
};

}  // namespace

void HandleRequests(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const int kind = std::to_integer<int>(bytes[0]) % 4;
  bytes = bytes.subspan(1);
  if (kind == 3) {
    Program(bytes).Run();
  } else if (kind == 1) {
    ServeClient(bytes.first(std::min(bytes.size(), kRawBytes)));
  } else {
    ServeClient(FramedRequests(bytes));
  }
}

}  // namespace warplings::fuzz
