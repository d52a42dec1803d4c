// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/wire.h"
#include "grader/device/host_fault.h"

/// The messages between judge and worker, one per packet of a SOCK_SEQPACKET pair. The worker sends kReady
/// when it has started; then the judge requests one call at a time, and the worker answers each once. The
/// worker contains the student's code, so nothing is believed of its messages but "the function has returned,
/// and claims this result".
namespace warplings::worker {

/// Numbers of the worker's descriptors. The runtime, which is the device's client, also expects its
/// connection at 4.
inline constexpr int kControlNumber = 3;
inline constexpr int kDeviceNumber = 4;

/// Upper limit of a packet. Arguments and results are a few values, and arrays are in device memory, so
/// honest messages are smaller. Below the kernel's default limit of a packet (net.core.wmem_default, 208
/// KiB).
inline constexpr std::size_t kMaxPacketBytes = 64u << 10;

/// One argument or result: the object representation of a trivially copyable value. A pointer is sent as a
/// 64-bit device address.
using Value = std::vector<std::byte>;

struct CallRequest {
  std::uint64_t number = 0;  ///< Number of the call; the answer repeats it.
  std::int32_t device = 0;   ///< Ordinal of the current device when the function is called.
  std::vector<Value> arguments;
};

enum class AnswerKind : std::uint8_t {
  kReady,  ///< Sent once, before main() reads its first call: static constructors have finished.
  kReturned,
  kOutOfMemory,  ///< A hint, sent before std::bad_alloc is thrown; explains the abort() that usually follows.
  kBadArguments,  ///< Number or sizes do not match the contract: a fault of the suite.
  kFault,         ///< A hint, sent before a signal ends the process; explains that end.
};

struct CallAnswer {
  std::uint64_t number = 0;
  AnswerKind kind = AnswerKind::kReturned;
  Value result;  ///< Empty for void. With kBadArguments: how many bytes each parameter has, one a byte.
  /// cudaPeekAtLastError() after the call; only a hint, because the student's code can forge it.
  std::int32_t last_error = 0;
  std::optional<HostFault> fault = {};  ///< Of kFault only.
};

}  // namespace warplings::worker
