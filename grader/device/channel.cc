// SPDX-License-Identifier: Apache-2.0
#include "grader/device/channel.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "grader/device/protocol.h"

namespace warplings {
namespace {

/// More descriptors than any message carries; the kernel closes what does not fit.
constexpr std::size_t kMaxFds = 4;

ChannelStatus WaitFor(int socket, short events, Deadline deadline) {
  for (;;) {
    int timeout = -1;
    if (deadline) {
      auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now());
      timeout = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1 << 30));
    }
    pollfd entry{socket, events, 0};
    int ready = poll(&entry, 1, timeout);
    if (ready > 0) return ChannelStatus::kOk;
    if (ready == 0) return ChannelStatus::kDeadline;
    if (errno != EINTR) return ChannelStatus::kClosed;
  }
}

/// One sendmsg; returns its result.
ssize_t SendOnce(int socket, std::span<const std::byte> bytes, int pass_fd) {
  iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  if (pass_fd >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &pass_fd, sizeof pass_fd);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void CollectFds(msghdr& message, std::vector<UniqueFd>& fds) {
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof fd);
      fds.emplace_back(fd);
    }
  }
}

/// One recvmsg without waiting; `received` is set where the status is kOk.
ChannelStatus ReceiveOnce(int socket, std::span<std::byte> bytes, std::vector<UniqueFd>* fds,
                          std::size_t& received) {
  iovec part{bytes.data(), bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(kMaxFds * sizeof(int))];
  if (fds != nullptr) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
  }
  for (;;) {
    ssize_t result = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (result > 0) {
      if (fds != nullptr) CollectFds(message, *fds);
      received = static_cast<std::size_t>(result);
      return ChannelStatus::kOk;
    }
    if (result < 0 && errno == EINTR) continue;
    bool later = result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    return later ? ChannelStatus::kWouldBlock : ChannelStatus::kClosed;
  }
}

/// Sends until done or until there is no room; `bytes` and `pass_fd` keep what is still to be sent.
ChannelStatus SendWhileRoom(int socket, std::span<const std::byte>& bytes, int& pass_fd) {
  while (!bytes.empty()) {
    ssize_t sent = SendOnce(socket, bytes, pass_fd);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return ChannelStatus::kWouldBlock;
    if (sent < 0) return ChannelStatus::kClosed;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
    pass_fd = -1;
  }
  return ChannelStatus::kOk;
}

}  // namespace

ChannelStatus SendAll(int socket, std::span<const std::byte> bytes, int pass_fd, Deadline deadline) {
  for (;;) {
    ChannelStatus status = SendWhileRoom(socket, bytes, pass_fd);
    if (status == ChannelStatus::kWouldBlock)
      status = WaitFor(socket, POLLOUT, deadline);
    else
      return status;
    if (status != ChannelStatus::kOk) return status;
  }
}

ChannelStatus SendNow(int socket, std::span<const std::byte> bytes, int pass_fd) {
  return SendWhileRoom(socket, bytes, pass_fd);
}

ChannelStatus ReceiveAll(int socket, std::span<std::byte> bytes, std::vector<UniqueFd>& fds,
                         Deadline deadline) {
  while (!bytes.empty()) {
    std::size_t received = 0;
    ChannelStatus status = ReceiveOnce(socket, bytes, &fds, received);
    if (status == ChannelStatus::kWouldBlock) status = WaitFor(socket, POLLIN, deadline);
    if (status != ChannelStatus::kOk) return status;
    bytes = bytes.subspan(received);
  }
  return ChannelStatus::kOk;
}

ChannelStatus ReceiveSome(int socket, std::size_t limit, std::vector<std::byte>& bytes,
                          std::vector<UniqueFd>* fds) {
  std::size_t before = bytes.size();
  std::size_t received = 0;
  bytes.resize(before + limit);
  ChannelStatus status = ReceiveOnce(socket, std::span(bytes).subspan(before), fds, received);
  bytes.resize(before + received);
  return status;
}

ChannelPair MakeChannelPair() {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, protocol::kSocketType | SOCK_CLOEXEC, 0, ends) != 0) return {};
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

}  // namespace warplings
