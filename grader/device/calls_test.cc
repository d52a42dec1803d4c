// SPDX-License-Identifier: Apache-2.0
// What holds for every row of calls.h, so that a new call is tested as soon as it has one.
#include "grader/device/calls.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <random>
#include <set>

#include "grader/device/calls_document.h"
#include "grader/device/channel.h"
#include "grader/device/server.h"
#include "tests/support/drawn_request.h"
#include "tests/support/fake_device.h"

namespace warplings::calls_test {
namespace {

using namespace protocol;
using Bytes = std::vector<std::byte>;

struct Codec {
  Bytes (*encode_default)();
  /// What the bytes decode to, encoded again; nothing where they do not decode.
  std::optional<Bytes> (*recode)(std::span<const std::byte>);
};

template <class Message>
std::optional<Bytes> Recode(std::span<const std::byte> bytes) {
  auto message = wire::Decode<Message>(bytes);
  if (!message) return std::nullopt;
  return wire::Encode(*message);
}

#define WARPLINGS_CODEC(number, Request, ...) Codec{[] { return wire::Encode(Request{}); }, Recode<Request>},
constexpr Codec kCodecs[] = {WARPLINGS_CALLS(WARPLINGS_CODEC)};
#undef WARPLINGS_CODEC

Bytes RandomBytes(std::mt19937_64& random, std::size_t count) {
  Bytes bytes(count);
  for (std::byte& each : bytes) each = static_cast<std::byte>(random());
  return bytes;
}

/// The bytes on the wire, so that a change of how they come about is seen.
TEST(Calls, TravelAsTheirFieldsOneAfterTheOther) {
  const Bytes encoded = wire::Encode(CopyIn{0x1122, 7, {3, 2, 1}, {std::byte{0xab}}});
  const std::uint64_t numbers[] = {0x1122, 7, 3, 2, 1};
  Bytes expected(std::as_bytes(std::span(numbers)).begin(), std::as_bytes(std::span(numbers)).end());
  for (int byte : {1, 0, 0, 0, 0xab}) expected.push_back(static_cast<std::byte>(byte));
  EXPECT_EQ(encoded, expected);
  EXPECT_EQ(wire::Encode(Fill{}).size(), 8u + 1 + 8 + 8);
  EXPECT_TRUE(wire::Encode(SynchronizeAll{}).empty());
}

TEST(Calls, EveryRowIsNamedOnceAndSaysWhatItDoes) {
  std::set<std::string_view> requests;
  for (const CallRow& call : kCalls) {
    EXPECT_TRUE(requests.insert(call.request).second) << call.request;
    EXPECT_TRUE(call.does.size() > 10 && call.does.ends_with('.')) << call.request;
    EXPECT_TRUE(call.name.empty() || call.asker == Asker::kEveryone)
        << call.request << ": only what a submission may call can become its finding";
  }
  static_assert(kCallCount == std::size(kCodecs));
}

TEST(Calls, ARequestComesBackAsItWasSent) {
  std::mt19937_64 random(1);
  for (std::uint16_t opcode = 0; opcode < kCallCount; ++opcode) {
    for (int round = 0; round < 50; ++round) {
      const Bytes source = RandomBytes(random, 200);
      FieldDrawer drawer(source, {});
      const Bytes encoded = DrawRequest(opcode, drawer);
      EXPECT_EQ(kCodecs[opcode].recode(encoded), encoded) << kCalls[opcode].request;
    }
  }
}

TEST(Calls, CutOffOrWithBytesBehindItNoRequestDecodes) {
  std::mt19937_64 random(2);
  for (std::uint16_t opcode = 0; opcode < kCallCount; ++opcode) {
    for (int round = 0; round < 10; ++round) {
      const Bytes source = RandomBytes(random, 200);
      FieldDrawer drawer(source, {});
      Bytes encoded = DrawRequest(opcode, drawer);
      for (std::size_t length = 0; length < encoded.size(); ++length) {
        EXPECT_FALSE(kCodecs[opcode].recode(std::span(encoded).first(length)))
            << kCalls[opcode].request << " of " << length << " bytes";
      }
      encoded.push_back(std::byte{0});
      EXPECT_FALSE(kCodecs[opcode].recode(encoded)) << kCalls[opcode].request;
    }
  }
}

/// A count that says more than there is: wherever it stands, nothing is read or allocated for it.
TEST(Calls, HugeCountsDoNotDecode) {
  EXPECT_FALSE(Recode<FindKernel>(Bytes(8, std::byte{0xff})));
  EXPECT_FALSE(Recode<SetLabel>(Bytes(12, std::byte{0xff})));
  for (std::uint16_t opcode = 0; opcode < kCallCount; ++opcode) {
    const Bytes encoded = kCodecs[opcode].encode_default();
    for (std::size_t at = 0; at + 4 <= encoded.size(); ++at) {
      Bytes changed = encoded;
      std::fill_n(changed.begin() + static_cast<std::ptrdiff_t>(at), 4, std::byte{0xff});
      auto again = kCodecs[opcode].recode(changed);
      EXPECT_TRUE(!again || *again == changed) << kCalls[opcode].request << ", byte " << at;
    }
  }
}

TEST(Calls, TheDocumentIsAsTheRowsAre) {
  std::ifstream in(WARPLINGS_CALLS_DOCUMENT);
  const std::string document{std::istreambuf_iterator<char>(in), {}};
  EXPECT_TRUE(document == CallsDocument())
      << "docs/device_calls.md does not list the calls that there are. To write it anew:\n"
         "  ninja -C build grader/device/write_calls_document\n"
         "  build/grader/device/write_calls_document > docs/device_calls.md";
}

// --- Over a connection -----------------------------------------------------------------------------

void AppendFrame(Bytes& stream, std::uint16_t opcode, std::uint64_t sequence, const Bytes& body) {
  const FrameHeader header{static_cast<std::uint32_t>(body.size()), opcode, 0, sequence};
  const auto head = std::as_bytes(std::span(&header, 1));
  stream.insert(stream.end(), head.begin(), head.end());
  stream.insert(stream.end(), body.begin(), body.end());
}

/// What the server holds against a client that greets and then makes one call; empty: nothing.
std::string ViolationOf(std::uint16_t opcode, const Bytes& body, bool deliver_printed = false) {
  Bytes judges, clients;
  AppendFrame(judges, kOpcode<Hello>, 1, wire::Encode(Hello{}));
  AppendFrame(judges, kOpcode<AttachClient>, 2, wire::Encode(AttachClient{deliver_printed, std::nullopt}));
  AppendFrame(clients, kOpcode<Hello>, 1, wire::Encode(Hello{}));
  AppendFrame(clients, opcode, 2, body);
  ChannelPair control = MakeChannelPair(), client = MakeChannelPair();
  // Everything is sent before the server begins; the judge's later calls give it time to serve the client.
  EXPECT_EQ(SendNow(client.first.get(), clients, -1), ChannelStatus::kOk);
  EXPECT_EQ(shutdown(client.first.get(), SHUT_WR), 0);
  for (std::uint64_t sequence = 3; sequence < 8; ++sequence)
    AppendFrame(judges, kOpcode<GetMemoryInfo>, sequence, {});
  AppendFrame(judges, kOpcode<TakeProtocolViolations>, 8, {});
  EXPECT_EQ(SendNow(control.first.get(), judges, client.second.get()), ChannelStatus::kOk);
  EXPECT_EQ(shutdown(control.first.get(), SHUT_WR), 0);
  client.second.reset();

  FakeDevice device;
  DeviceServer server({&device}, std::move(control.second));
  EXPECT_TRUE(server.Run().ok());

  std::vector<UniqueFd> fds;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  for (;;) {
    FrameHeader header;
    const auto bytes = std::as_writable_bytes(std::span(&header, 1));
    if (ReceiveAll(control.first.get(), bytes, fds, deadline) != ChannelStatus::kOk) return "no reply";
    Bytes reply(header.length);
    if (ReceiveAll(control.first.get(), reply, fds, deadline) != ChannelStatus::kOk) return "no reply";
    if (header.id != kOpcode<TakeProtocolViolations>) continue;
    wire::Decoder decoder(reply);
    ReplyHead head;
    std::vector<Violation> violations;
    decoder(head, violations);
    if (decoder.failed() || head.code != 0 || violations.size() > 1) return "no list of violations";
    return violations.empty() ? "" : violations[0].what;
  }
}

TEST(CallsOverAConnection, OnlyWhoMayAskIsServed) {
  for (const CallRow& call : kCalls) {
    if (call.opcode == kOpcode<Hello>) continue;
    const Bytes body = kCodecs[call.opcode].encode_default();
    const std::string kReserved = "sent a message that is reserved to the grader";
    EXPECT_EQ(ViolationOf(call.opcode, body), call.asker == Asker::kEveryone ? "" : kReserved)
        << call.request;
    EXPECT_EQ(ViolationOf(call.opcode, body, true), call.asker == Asker::kJudge ? kReserved : "")
        << call.request << ", from a program that prints";
  }
}

TEST(CallsOverAConnection, WhatDoesNotDecodeEndsIt) {
  for (const CallRow& call : kCalls) {
    if (call.opcode == kOpcode<Hello> || call.asker == Asker::kJudge) continue;
    Bytes body = kCodecs[call.opcode].encode_default();
    const std::string kWhat = "sent a message that does not decode";
    if (!body.empty()) {
      Bytes cut(body.begin(), body.end() - 1);
      EXPECT_EQ(ViolationOf(call.opcode, cut, true), kWhat) << call.request;
    }
    body.push_back(std::byte{0});
    EXPECT_EQ(ViolationOf(call.opcode, body, true), kWhat) << call.request;
  }
}

TEST(CallsOverAConnection, AnOpcodeBeyondTheTableEndsIt) {
  EXPECT_EQ(ViolationOf(kCallCount, {}), "sent a message that does not exist");
  EXPECT_EQ(ViolationOf(std::numeric_limits<std::uint16_t>::max(), {}), "sent a message that does not exist");
}

}  // namespace
}  // namespace warplings::calls_test
