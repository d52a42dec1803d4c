// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/device/channel.h"
#include "grader/device/model/ledger.h"
#include "grader/device/protocol.h"
#include "grader/device/shared_memory.h"

namespace warplings {

/// One connection to the device server. The ledger lists the objects that it owns on the devices.
struct Session {
  UniqueFd socket;
  ClientId client = 0;
  bool trusted = false;                         ///< The control connection.
  bool deliver_printed = false;                 ///< May make the call TakePrinted.
  std::optional<std::string> image;             ///< As in protocol::AttachClient.
  bool held = false;                            ///< Its requests are not served (HoldClient).
  protocol::Served served;                      ///< Since it was last released from its hold.
  std::vector<std::vector<std::byte>> uploads;  ///< By device: the module that is being uploaded.

  // Of the stream of requests.
  std::vector<std::byte> input;        ///< Received bytes that have not been handled yet.
  std::vector<UniqueFd> received_fds;  ///< Trusted connections only.
  std::uint64_t sequence = 0;          ///< Sequence number of the last request.
  std::size_t device = 0;              ///< Ordinal of the request's device, which exists.
  bool of_driver = false;              ///< It was made through the driver API.
  bool more_asked = false;             ///< Another whole request has been received behind this one.
  std::vector<std::byte> unsent;       ///< Trusted connections only: replies that wait for the next ones.
  bool greeted = false;
  SharedMemory staging;
  /// A piece copied out of the staging buffer; a member only to reuse its memory.
  std::vector<std::byte> scratch;
  int reply_fd = -1;  ///< The descriptor to send with the next reply; not owned.

  std::string printed;  ///< Printed text that was taken from the devices and has not been delivered yet.

  /// Itself, on the request's device.
  Ledger::Place place() const { return {client, device}; }
  std::vector<std::byte>& upload() { return uploads[device]; }
};

}  // namespace warplings
