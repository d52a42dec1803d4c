// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "grader/base/unique_fd.h"

namespace warplings {

/// The time by which an operation must be finished; none: it may block for ever.
using Deadline = std::optional<std::chrono::steady_clock::time_point>;

enum class ChannelStatus {
  kOk,
  kWouldBlock,  ///< Nothing to read, or no room to write, at the moment.
  kClosed,      ///< The other side is gone.
  kDeadline,
};

/// Sends all of `bytes`, and with the first byte a copy of the descriptor `pass_fd`, unless that is -1.
/// Blocks until the deadline. Never raises SIGPIPE.
ChannelStatus SendAll(int socket, std::span<const std::byte> bytes, int pass_fd, Deadline deadline);

/// Like SendAll, but without blocking: returns kWouldBlock if the socket is full, when part may already have
/// been sent.
ChannelStatus SendNow(int socket, std::span<const std::byte> bytes, int pass_fd);

/// Receives exactly bytes.size() bytes. Appends received descriptors to `fds`.
ChannelStatus ReceiveAll(int socket, std::span<std::byte> bytes, std::vector<UniqueFd>& fds,
                         Deadline deadline);

/// Appends what is available, at most `limit` bytes, to `bytes`, without blocking. Descriptors are appended
/// to `fds`; if that is null, they are not received, and the kernel closes them.
ChannelStatus ReceiveSome(int socket, std::size_t limit, std::vector<std::byte>& bytes,
                          std::vector<UniqueFd>* fds);

/// Both ends of a new connection, with the protocol's socket type and close-on-exec; not valid() on failure.
struct ChannelPair {
  UniqueFd first, second;
};
ChannelPair MakeChannelPair();

}  // namespace warplings
