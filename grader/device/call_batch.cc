// SPDX-License-Identifier: Apache-2.0
#include "grader/device/call_batch.h"

#include <utility>

namespace warplings {
namespace {

/// Of one message: as much as a socket takes while nobody reads. The server may be waiting for room for its
/// replies, which are read when all has been sent.
constexpr std::size_t kMostBytes = 4 * protocol::kInlineBytes;

}  // namespace

template <class Request>
void CallBatch::Add(const Request& request, std::type_identity_t<OnReply<Request>> on_reply) {
  std::vector<std::byte> body = wire::Encode(request);
  if (bytes_ + body.size() > kMostBytes) Ask();
  bytes_ += body.size();
  const auto receive = [this, on_reply = std::move(on_reply)](Deadline deadline) {
    auto reply = device_.Receive<Request>(deadline);
    if (on_reply) on_reply(std::move(reply));
  };
  const auto device = static_cast<std::uint16_t>(device_.device_in_use());
  calls_.push_back({protocol::kOpcode<Request>, device, std::move(body), receive});
}

#define WARPLINGS_ADD(opcode, Request, ...)                      \
  template void CallBatch::Add(const protocol::Request& request, \
                               std::type_identity_t<OnReply<protocol::Request>> on_reply);
WARPLINGS_CALLS(WARPLINGS_ADD)
#undef WARPLINGS_ADD

void CallBatch::Ask() {
  const std::vector<Call> calls = std::exchange(calls_, {});
  bytes_ = 0;
  if (calls.empty()) return;
  const Deadline deadline = device_.NewDeadline();
  std::vector<std::byte> message;
  for (const Call& call : calls) {
    const protocol::FrameHeader header{
        .id = call.opcode, .device = call.device, .sequence = ++device_.sequence_};
    protocol::AppendFrame(header, call.body, message);
  }
  // Where the connection is lost, each Receive says so.
  static_cast<void>(device_.SendFrames(message, -1, deadline));
  for (const Call& call : calls) call.receive(deadline);
}

}  // namespace warplings
