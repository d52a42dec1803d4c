// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "grader/base/unique_fd.h"

namespace warplings {

/// When an operation must be over; none: never.
using Deadline = std::optional<std::chrono::steady_clock::time_point>;

enum class ChannelStatus {
  kOk,
  kWouldBlock,  ///< Nothing to read, or no room to write, at this moment.
  kClosed,      ///< The other side is gone.
  kDeadline,
};

/// Sends all of `bytes`, and with the first of them a copy of `pass_fd` unless it is -1. Waits for room
/// until the deadline. Never raises SIGPIPE.
ChannelStatus SendAll(int socket, std::span<const std::byte> bytes, int pass_fd, Deadline deadline);

/// As SendAll for a peer that must have room: a full socket is kWouldBlock and part may have been sent.
ChannelStatus SendNow(int socket, std::span<const std::byte> bytes, int pass_fd);

/// Fills `bytes`; appends descriptors that came along to `fds`.
ChannelStatus ReceiveAll(int socket, std::span<std::byte> bytes, std::vector<UniqueFd>& fds,
                         Deadline deadline);

/// Appends what is there, at most `limit` bytes, to `bytes` without waiting. Descriptors are appended
/// to `fds`; where that is null they are never received: the kernel closes them.
ChannelStatus ReceiveSome(int socket, std::size_t limit, std::vector<std::byte>& bytes,
                          std::vector<UniqueFd>* fds);

/// Both ends of a new connection of the protocol's socket type, closed on exec; not valid on failure.
struct ChannelPair {
  UniqueFd first, second;
};
ChannelPair MakeChannelPair();

}  // namespace warplings
