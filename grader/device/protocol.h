// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "grader/device/calls.h"

/// The protocol between the device process and its clients; calls.h lists the calls.
///
/// Theory of operation
///
/// A connection is a Unix socket of type kSocketType. The *control* connection belongs to whoever
/// started the device process (the judge, or `warplings run`); it is trusted and may send every message.
/// Over it come the sockets of further, *untrusted* connections (AttachClient): workers and programs.
///
/// Strictly one request, one reply, in turn. Both are a FrameHeader and the encoding of a struct
/// (grader/base/wire.h). The first request is Hello; sequence numbers start at 1 and go up by one; the
/// reply repeats the number and the id. Its body is {ReplyHead, reply} for success, {ReplyHead} for a
/// refusal: the runtime's error number and a sentence.
///
/// Bulk data goes through the connection's *staging buffer*: memory that the server creates, seals
/// against resizing, and sends with its reply to Hello (SCM_RIGHTS). A copy of up to kInlineBytes travels
/// in the message, a larger one in pieces of at most kStagingBytes through the buffer. The server copies
/// a piece out before it looks at it, so that nobody can change what has been checked.
///
/// A peer that does anything else — an unknown id, a body that does not decode, a request too many, a
/// request that only the judge may make — is disconnected. For an untrusted one the reason is kept
/// (TakeProtocolViolations), and all that it owned is freed.
///
/// Several devices can be present; each request names the one that it is for. Modules, kernels, streams and
/// events are numbered per device. Addresses are not: copies and Free go by the address, whatever the device.
/// What asks for observations (findings, launches, printed text, pending work) asks for all devices'.
///
/// Who may touch what. Modules, kernels, streams, events and allocations belong to the connection that
/// made them, and an id that another one made is refused as if it did not exist. One exception: memory of the
/// judge may be copied from and to (a submission's host code may well cudaMemcpy from its arguments),
/// but not freed. What a *kernel* may touch is the Device's business.
namespace warplings::protocol {

inline constexpr int kSocketType = SOCK_STREAM;
inline constexpr std::uint64_t kStagingBytes = std::uint64_t{4} << 20;
/// Larger copies go through the staging buffer. A frame of this size always fits an empty socket buffer.
inline constexpr std::uint64_t kInlineBytes = 16 << 10;
/// No request or reply of an untrusted connection has a longer body; a longer one is a violation.
inline constexpr std::uint32_t kMaxClientFrame = 64 << 10;
/// The control connection's replies hold launch records with counts per line.
inline constexpr std::uint32_t kMaxControlFrame = 1U << 30;

/// What an untrusted connection may own at a time. Far beyond any course program, and small enough that
/// a hostile one exhausts itself before the device process.
struct ClientLimits {
  std::size_t allocations = 1 << 16;
  std::size_t shared_allocations = 4096;  ///< Managed and pinned: each is a file descriptor here.
  std::size_t modules = 256;
  std::uint64_t module_bytes = std::uint64_t{64} << 20;       ///< One module.
  std::uint64_t all_module_bytes = std::uint64_t{256} << 20;  ///< All of a connection's.
  std::size_t kernels = 1 << 14;
  std::size_t streams = 1024;
  std::size_t events = 1 << 16;
};

struct FrameHeader {
  std::uint32_t length = 0;  ///< Bytes of the body that follows.
  std::uint16_t id = 0;      ///< The call's opcode (calls.h).
  std::uint16_t device = 0;  ///< Ordinal of the device that a request is for; 0 in replies.
  std::uint64_t sequence = 0;
};
static_assert(sizeof(FrameHeader) == 16);

struct ReplyHead {
  std::int32_t code = 0;  ///< CudaError; 0: the reply follows.
  std::string message;
};

}  // namespace warplings::protocol
