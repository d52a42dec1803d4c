// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

#include "grader/device/client.h"

namespace warplings {

/// Several calls to a device process with one message and one wait: most of a short call's time is waiting.
/// They are made in their order, each whatever became of those before it.
///
/// Copies need their data in the message, in pieces of up to kInlineBytes, since the staging buffer holds one
/// piece at a time. Descriptors that come with a reply are dropped. Not thread-safe, as its client.
class CallBatch {
 public:
  template <class Request>
  using OnReply = std::function<void(CudaResult<protocol::ReplyTo<Request>>)>;

  explicit CallBatch(DeviceClient& device) : device_(device) {}
  CallBatch(const CallBatch&) = delete;
  CallBatch& operator=(const CallBatch&) = delete;

  /// Adds a call for the device in use. `on_reply` gets its reply; empty: nobody wants it. Calls that were
  /// added before are made at once where this one does not fit into their message.
  template <class Request>
  void Add(const Request& request, std::type_identity_t<OnReply<Request>> on_reply = {});
  /// Makes the calls that were added, and hands out their replies; where the connection is lost, each gets
  /// that as its fault.
  void Ask();

  DeviceClient& device() { return device_; }

 private:
  struct Call {
    std::uint16_t opcode = 0, device = 0;
    std::vector<std::byte> body;
    std::function<void(Deadline)> receive;
  };

  DeviceClient& device_;
  std::vector<Call> calls_;
  std::size_t bytes_ = 0;  ///< Of all bodies.
};

}  // namespace warplings
