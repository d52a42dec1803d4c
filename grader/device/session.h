// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "grader/device/channel.h"
#include "grader/device/protocol.h"
#include "grader/device/shared_memory.h"

namespace warplings {

/// What a connection may name on one device, because it made it. A kernel or variable goes with its module.
struct Possessions {
  struct Kernel {
    ModuleId module = 0;
    std::string name;  ///< For findings: without parameters.
  };
  struct Variable {
    ModuleId module = 0;
    std::uint64_t bytes = 0;
  };
  std::map<ModuleId, std::uint64_t> modules;  ///< With their size in bytes.
  std::map<KernelId, Kernel> kernels;
  std::map<DevicePointer, Variable> variables;
  std::map<StreamId, std::int32_t> streams;  ///< With their priorities.
  std::set<EventId> events;
  std::size_t allocations = 0, shared_allocations = 0;
  std::vector<std::byte> upload;  ///< Module in the making.
};

/// One connection to the device server and all that belongs to it.
struct Session {
  UniqueFd socket;
  ClientId client = 0;
  bool trusted = false;                  ///< The control connection.
  bool deliver_printed = false;          ///< May send TakePrinted.
  bool held = false;                     ///< Its requests wait (HoldClient).
  protocol::Served served;               ///< Since it was last let go.
  std::vector<Possessions> possessions;  ///< By device.

  // Of the stream of requests.
  std::vector<std::byte> input;        ///< Received and not yet handled.
  std::vector<UniqueFd> received_fds;  ///< Of a trusted connection only.
  std::uint64_t sequence = 0;          ///< Of the last request.
  std::size_t device = 0;              ///< That the request is for; one that exists.
  bool greeted = false;
  SharedMemory staging;
  std::vector<std::byte> scratch;  ///< What was copied out of the staging buffer; kept for its pages.
  int reply_fd = -1;               ///< Goes with the reply in the making; not owned.

  std::string printed;  ///< Taken from the devices, and still to be delivered.

  /// What it has on the device that the request is for.
  Possessions& own() { return possessions[device]; }
  const Possessions& own() const { return possessions[device]; }
};

}  // namespace warplings
