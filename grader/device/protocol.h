// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/base/message.h"
#include "grader/device/calls.h"

/// The protocol between the device process and its clients; calls.h lists the calls.
///
/// Theory of operation
///
/// A connection is a Unix socket of type kSocketType. The *control* connection belongs to whoever started the
/// device process (the judge, or `warplings run`). It is trusted and may make every call. It passes the
/// sockets of further, *untrusted* connections (AttachClient): workers and programs.
///
/// Each request has its reply, in the same order. Both are a FrameHeader and the encoding of a struct
/// (grader/base/wire.h). A client sends a request when it has the reply to the one before; the judge may
/// send several at once (CallBatch). The first request is Hello; sequence numbers start
/// at 1 and go up by one; the reply repeats the number and the id. Its body is {ReplyHead, reply} for
/// success, {ReplyHead} for a refusal: the runtime's error number and a message.
///
/// Bulk data goes through the connection's *staging buffer*: memory that the server creates, seals against
/// resizing, and sends with its reply to Hello (SCM_RIGHTS). Copies of up to kInlineBytes are part of the
/// message; larger ones go through the buffer in pieces of at most kStagingBytes. The server copies a piece
/// out of the buffer before it checks it, so that the client cannot change checked data.
///
/// A peer that does anything else — an unknown id, a body that does not decode, a number out of
/// sequence, a request that only the judge may make — is disconnected. For an untrusted one, the reason is
/// recorded (TakeProtocolViolations), and everything that it owned is freed.
///
/// There may be several devices; each request names its device. Modules, kernels, streams and events are
/// numbered per device. Addresses are unique across devices, so copies and Free use only the address.
/// Requests for observations (findings, launches, printed text, pending work) cover all devices.
///
/// Ownership. Modules, kernels, streams, events and allocations belong to the connection that created them;
/// another connection's id is refused as if it did not exist. One exception: any connection may copy from and
/// to the judge's memory, but not free it, because a submission's host code may cudaMemcpy from its
/// arguments. What a *kernel* may access is up to the device.
namespace warplings::protocol {

inline constexpr int kSocketType = SOCK_STREAM;
inline constexpr std::uint64_t kStagingBytes = std::uint64_t{4} << 20;
/// Larger copies go through the staging buffer. A frame of this size always fits an empty socket buffer.
inline constexpr std::uint64_t kInlineBytes = 16 << 10;
/// No request or reply of an untrusted connection has a longer body; a longer one is a violation.
inline constexpr std::uint32_t kMaxClientFrame = 64 << 10;
/// The control connection's replies hold launch records with counts per line.
inline constexpr std::uint32_t kMaxControlFrame = 1U << 30;

/// Added to a request's device: the program made the call through the driver API, and findings name it so.
inline constexpr std::uint16_t kOfDriver = 1 << 15;

struct FrameHeader {
  std::uint32_t length = 0;  ///< Bytes of the body that follows.
  std::uint16_t id = 0;      ///< The call's opcode (calls.h).
  std::uint16_t device =
      0;  ///< Ordinal of the device that a request is for, perhaps + kOfDriver; 0 in replies.
  std::uint64_t sequence = 0;
};
static_assert(sizeof(FrameHeader) == 16);

/// Appends a request or a reply to `message` as it is sent; the header's length becomes the body's.
inline void AppendFrame(FrameHeader header, std::span<const std::byte> body,
                        std::vector<std::byte>& message) {
  header.length = static_cast<std::uint32_t>(body.size());
  const auto bytes = std::as_bytes(std::span(&header, 1));
  message.insert(message.end(), bytes.begin(), bytes.end());
  message.insert(message.end(), body.begin(), body.end());
}

struct ReplyHead {
  std::int32_t code = 0;  ///< CudaError; 0: the reply follows.
  Message message;
};

}  // namespace warplings::protocol
