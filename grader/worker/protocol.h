// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grader/base/wire.h"

/// What judge and worker say to each other, one message a packet of a SOCK_SEQPACKET pair. The judge
/// asks for one call at a time; the worker answers each once, after a first kReady of its own. The worker
/// holds the student's code: nothing it says is believed beyond "the function has returned, and it claims
/// this result".
namespace warplings::worker {

/// The worker's descriptors. 4 is also where the runtime client looks for its device.
inline constexpr int kControlNumber = 3;
inline constexpr int kDeviceNumber = 4;

/// More is never sent by an honest side: arguments and results are a few values, arrays are in device
/// memory. Below the kernel's default limit of a packet (net.core.wmem_default, 208 KiB).
inline constexpr std::size_t kMaxPacketBytes = 64u << 10;

/// One argument or result: the object representation of a trivially copyable value. A pointer travels
/// as its 64-bit address on the device.
using Value = std::vector<std::byte>;

struct CallRequest {
  std::uint64_t number = 0;  ///< Counts calls; the answer repeats it.
  std::int32_t device = 0;   ///< Ordinal of the current device when the function is called.
  std::vector<Value> arguments;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(number, device, arguments);
  }
};

enum class AnswerKind : std::uint8_t {
  kReady,  ///< Sent once, before main() reads its first call: static constructors are over.
  kReturned,
  kOutOfMemory,   ///< A hint, sent before std::bad_alloc is thrown: says why an abort() follows.
  kBadArguments,  ///< Their number or sizes are not the contract's: suite and contract disagree.
};
constexpr AnswerKind WireLast(AnswerKind) {
  return AnswerKind::kBadArguments;
}

struct CallAnswer {
  std::uint64_t number = 0;
  AnswerKind kind = AnswerKind::kReturned;
  Value result;                 ///< Empty for void.
  std::int32_t last_error = 0;  ///< cudaPeekAtLastError() after the call; a hint, nothing more.
  template <class Archive>
  void Fields(Archive& archive) {
    archive(number, kind, result, last_error);
  }
};

}  // namespace warplings::worker
