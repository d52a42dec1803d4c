// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "grader/device/channel.h"
#include "grader/device/drawn_request.h"
#include "grader/device/fake_device.h"
#include "grader/device/protocol.h"
#include "grader/device/server.h"
#include "tests/fuzz/entries.h"
#include "tests/fuzz/require.h"

namespace warplings::fuzz {
namespace {

using namespace protocol;
using Bytes = std::vector<std::byte>;

/// Everything is sent before the server begins, so all of it, and the replies, must fit the sockets.
constexpr std::size_t kRequests = 64;
constexpr std::size_t kRawBytes = kRequests * sizeof(FrameHeader);
/// A byte of the input names one of so many opcodes, whether there are as many or not: what is in the corpus
/// means the same when a call is added.
constexpr std::uint16_t kOpcodes = 64;
static_assert(kCallCount <= kOpcodes, "calls that no input can name");
/// Where the two devices have their memory.
constexpr std::uint64_t kAddresses[] = {0x3000'0000'0000, 0x3100'0000'0000};

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

/// A client that makes calls as the runtime would, with any arguments: each request is a row of the table,
/// and decodes. So the work goes into what a call does, and not into how it travels.
Bytes DrawnRequests(std::span<const std::byte> bytes) {
  Bytes stream;
  Append(stream, Hello{}, 1);
  FieldDrawer drawer(bytes, kAddresses);
  for (std::uint64_t sequence = 2; !drawer.empty() && sequence < kRequests;) {
    const std::uint16_t opcode = drawer.Byte() % kOpcodes;
    if (opcode >= kCallCount) continue;
    const std::uint16_t device = drawer.Byte() % 4 == 3 ? 1 : 0;
    AppendFrame(stream, opcode, device, sequence++, DrawRequest(opcode, drawer));
  }
  return stream;
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
  Append(stream, AttachClient{true}, 2);
  for (std::uint64_t sequence = 3; sequence < kRequests + 8; ++sequence) {
    Append(stream, GetMemoryInfo{}, sequence);
  }
  return stream;
}

void Send(const UniqueFd& socket, std::span<const std::byte> bytes, int pass_fd) {
  Require(SendNow(socket.get(), bytes, pass_fd) == ChannelStatus::kOk, "the requests do not fit the socket");
  Require(::shutdown(socket.get(), SHUT_WR) == 0, "no end of the requests");
}

}  // namespace

void HandleRequests(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const int kind = std::to_integer<int>(bytes[0]) % 4;
  bytes = bytes.subspan(1);
  FakeDevice device(kAddresses[0]);
  device.AddKernel("k", {{0, 8}, {8, 4}}, [](const LaunchRequest&) -> CudaStatus { return Unit{}; });
  device.AddVariable("v", 64);
  device.printed = "printed";
  ChannelPair control = MakeChannelPair();
  ChannelPair client = MakeChannelPair();
  const Bytes raw(bytes.begin(),
                  bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), kRawBytes)));
  const Bytes requests = kind == 3 ? DrawnRequests(bytes) : kind == 1 ? raw : FramedRequests(bytes);
  Send(client.first, requests, -1);
  Send(control.first, ControlRequests(), client.second.get());
  client.second.reset();

  FakeDevice other(kAddresses[1]);
  DeviceServer server({&device, &other}, std::move(control.second));
  const Status ended = server.Run();
  Require(ended.ok(), "the client ended the judge's connection");
  Require(device.live_allocations() == 1, "the client left memory behind");
}

}  // namespace warplings::fuzz
