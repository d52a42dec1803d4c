// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/instructions/builtins.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <optional>

#include "grader/messages/findings.h"
#include "grader/virtual_gpu/machine/device_launches.h"
#include "grader/virtual_gpu/machine/faults.h"

namespace warplings::vgpu {
namespace {

/// Longest string that printf("%s") or an assertion shows.
constexpr std::size_t kMaximumString = 4096;
/// One conversion of printf gives at most this much.
constexpr int kMaximumWidth = 512;
/// All that a grid prints; hardware's buffer has this size, too, and drops what does not fit.
constexpr std::size_t kMostPrinted = std::size_t{1} << 20;

/// Memory at a generic address as one lane sees it, if [address, address + bytes) is all there.
const std::byte* ReadableAt(const WarpContext& warp, int lane, std::uint64_t address, std::uint64_t bytes) {
  const BlockContext& block = *warp.block;
  if (address - kSharedWindow < kWindowBytes) {
    const std::uint64_t offset = address - kSharedWindow;
    return offset + bytes <= block.shared_bytes ? block.shared + offset : nullptr;
  }
  if (address - kLocalWindow < kWindowBytes) {
    const std::uint64_t offset = address - kLocalWindow, size = block.grid->program->local_bytes;
    return offset + bytes <= size ? warp.local + static_cast<std::uint64_t>(lane) * size + offset : nullptr;
  }
  return block.grid->memory->Contains(address, bytes) ? HostPointer(address) : nullptr;
}

std::string StringAt(const WarpContext& warp, int lane, std::uint64_t address) {
  std::string text;
  while (text.size() < kMaximumString) {
    const std::byte* at = ReadableAt(warp, lane, address + text.size(), 1);
    if (!at && text.empty()) return "(unreadable)";
    if (!at || *at == std::byte{0}) return text;
    text.push_back(static_cast<char>(*at));
  }
  return text;
}

/// printf's arguments as the caller packed them: each at a multiple of its size.
class PackedArguments {
 public:
  PackedArguments(const WarpContext& warp, int lane, std::uint64_t address)
      : warp_(warp), lane_(lane), address_(address) {}

  template <class T>
  std::optional<T> Next() {
    address_ = (address_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const std::byte* at = ReadableAt(warp_, lane_, address_, sizeof(T));
    if (!at) return std::nullopt;
    T value;
    std::memcpy(&value, at, sizeof value);
    address_ += sizeof value;
    return value;
  }
  template <class Long, class Short>
  std::optional<Long> NextInteger(bool is_long) {
    if (is_long) return Next<Long>();
    const auto value = Next<Short>();
    return value ? std::optional<Long>(*value) : std::nullopt;
  }

 private:
  const WarpContext& warp_;
  int lane_;
  std::uint64_t address_;
};

/// One conversion, "%-8.3lf", taken apart so that only a harmless one is handed to snprintf.
struct Conversion {
  std::string flags;  ///< With width and precision.
  bool is_long = false;
  char kind = 0;
};

std::optional<Conversion> TakeConversion(const std::string& format, std::size_t& at,
                                         PackedArguments& arguments) {
  Conversion conversion;
  int number = 0;
  for (; at < format.size(); ++at) {
    const char c = format[at];
    if (std::strchr("-+ #.", c)) {
      conversion.flags.push_back(c);
      number = 0;
    } else if (c >= '0' && c <= '9') {
      number = number * 10 + (c - '0');
      if (number > kMaximumWidth) return std::nullopt;
      conversion.flags.push_back(c);
    } else if (c == '*') {
      // Not behind digits, and digits behind it count on: "%*9d" would be a width of ten times the argument.
      if (!conversion.flags.empty() && std::isdigit(static_cast<unsigned char>(conversion.flags.back())))
        return std::nullopt;
      const auto width = arguments.Next<std::int32_t>();
      if (!width || *width > kMaximumWidth || *width < -kMaximumWidth) return std::nullopt;
      conversion.flags += std::to_string(*width);
      number = std::abs(*width);
    } else if (std::strchr("lhjzt", c)) {
      conversion.is_long = conversion.is_long || c != 'h';
    } else {
      conversion.kind = c;
      ++at;
      return conversion;
    }
  }
  return std::nullopt;
}

template <class T>
std::string Formatted(const std::string& format, T value) {
  std::string text(2048, '\0');
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int length = std::snprintf(text.data(), text.size(), format.c_str(), value);
#pragma GCC diagnostic pop
  text.resize(static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(text.size()) - 1)));
  return text;
}

std::optional<std::string> Convert(const WarpContext& warp, int lane, const Conversion& conversion,
                                   PackedArguments& arguments) {
  const std::string start = "%" + conversion.flags;
  switch (conversion.kind) {
    case '%': return "%";
    case 'd':
    case 'i': {
      const auto value = arguments.NextInteger<std::int64_t, std::int32_t>(conversion.is_long);
      return value ? std::optional(Formatted(start + "lld", static_cast<long long>(*value))) : std::nullopt;
    }
    case 'u':
    case 'x':
    case 'X':
    case 'o': {
      const auto value = arguments.NextInteger<std::uint64_t, std::uint32_t>(conversion.is_long);
      return value ? std::optional(
                         Formatted(start + "ll" + conversion.kind, static_cast<unsigned long long>(*value)))
                   : std::nullopt;
    }
    case 'c': {
      const auto value = arguments.Next<std::int32_t>();
      return value ? std::optional(Formatted(start + "c", *value)) : std::nullopt;
    }
    case 'p': {
      const auto value = arguments.Next<std::uint64_t>();
      return value ? std::optional(Formatted(start + "p", reinterpret_cast<void*>(*value))) : std::nullopt;
    }
    case 's': {
      const auto value = arguments.Next<std::uint64_t>();
      return value ? std::optional(Formatted(start + "s", StringAt(warp, lane, *value).c_str()))
                   : std::nullopt;
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': {
      const auto value = arguments.Next<double>();
      return value ? std::optional(Formatted(start + conversion.kind, *value)) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

/// Device printf: formats here what hardware leaves to the host as well. A conversion that CUDA's printf
/// does not know ends the text, as there.
std::string Print(const WarpContext& warp, int lane, std::uint64_t format_address, std::uint64_t packed) {
  const std::string format = StringAt(warp, lane, format_address);
  PackedArguments arguments(warp, lane, packed);
  std::string text;
  for (std::size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      text.push_back(format[at++]);
      continue;
    }
    const auto conversion = TakeConversion(format, ++at, arguments);
    const auto piece = conversion ? Convert(warp, lane, *conversion, arguments) : std::nullopt;
    if (!piece) return text;
    text += *piece;
  }
  return text;
}

template <class T>
T Argument(const CallSite& call, std::size_t index, int lane, const std::byte* frame) {
  T value{};
  if (index >= call.arguments.size()) return value;
  const FrameSlot& slot = call.arguments[index];
  std::memcpy(&value, frame + slot.offset + static_cast<std::size_t>(lane) * slot.bytes, sizeof value);
  return value;
}

template <class T>
void SetResult(const CallSite& call, int lane, std::byte* frame, T value) {
  if (call.results.empty()) return;
  const FrameSlot& slot = call.results[0];
  std::memcpy(frame + slot.offset + static_cast<std::size_t>(lane) * slot.bytes, &value, sizeof value);
}

std::uint64_t Allocate(WarpContext& warp, std::uint64_t bytes) {
  if (bytes == 0) return 0;
  auto region = warp.block->grid->memory->AllocateOnHeap(warp.block->grid->client, bytes);
  return region ? (*region)->start : 0;
}

void Free(WarpContext& warp, const Inst& inst, int lane, std::uint64_t address) {
  if (address == 0) return;
  const GridRequest& grid = *warp.block->grid;
  if (auto freed = grid.memory->FreeOnHeap(address); !freed) {
    warp.block->faults->InvalidFree(warp, inst, lane, freed.error().message);
    return;
  }
  // Bounds are looked up anew where the last access hit this memory. Kernels that free run on one host
  // thread: these are all patterns of the launch.
  for (std::size_t i = 0; i < grid.program->code.size(); ++i) {
    AccessPattern* pattern = warp.patterns[i].get();
    if (pattern && pattern->region_start == address) pattern->region_bytes = 0;
  }
}

/// A function of the device runtime for kernels that launch kernels.
void CallDeviceRuntime(WarpContext& warp, const Inst& inst, int lane, Builtin builtin, const CallSite& call,
                       std::byte* frame) {
  DeviceLaunches* launches = warp.block->grid->launches;
  if (launches == nullptr) return;
  switch (builtin) {
    case Builtin::kLaunchBuffer: {
      const DeviceLaunches::Shape shape{
          Argument<std::uint64_t>(call, 0, lane, frame), Argument<Dim3>(call, 1, lane, frame),
          Argument<Dim3>(call, 2, lane, frame), Argument<std::uint32_t>(call, 3, lane, frame)};
      SetResult(call, lane, frame, launches->Prepare(warp, inst, lane, shape));
      break;
    }
    case Builtin::kLaunch: {
      const auto arguments = Argument<DevicePointer>(call, 0, lane, frame);
      const bool is_prepared = launches->IsPrepared(arguments);
      const CudaError error =
          launches->Launch(warp, inst, lane, arguments, Argument<std::uint64_t>(call, 1, lane, frame));
      if (is_prepared) Free(warp, inst, lane, arguments);
      launches->NoteError(warp, lane, error);
      SetResult(call, lane, frame, error);
      break;
    }
    case Builtin::kCopy:
    case Builtin::kFill: {
      DeviceLaunches::Transfer transfer{.target = Argument<DevicePointer>(call, 0, lane, frame),
                                        .source = std::nullopt,
                                        .value = 0,
                                        .bytes = Argument<std::uint64_t>(call, 2, lane, frame)};
      const bool is_copy = builtin == Builtin::kCopy;
      if (is_copy) {
        transfer.source = Argument<DevicePointer>(call, 1, lane, frame);
      } else {
        transfer.value = static_cast<std::uint8_t>(Argument<std::uint32_t>(call, 1, lane, frame));
      }
      // The kind is in front of the stream of a copy.
      const auto kind = is_copy ? Argument<std::int32_t>(call, 3, lane, frame) : 0;
      const auto stream = Argument<std::uint64_t>(call, is_copy ? 4 : 3, lane, frame);
      const CudaError error = launches->Move(warp, inst, lane, transfer, kind, stream);
      launches->NoteError(warp, lane, error);
      SetResult(call, lane, frame, error);
      break;
    }
    case Builtin::kLastError: SetResult(call, lane, frame, launches->LastError(warp, lane, true)); break;
    case Builtin::kPeekAtLastError:
      SetResult(call, lane, frame, launches->LastError(warp, lane, false));
      break;
    case Builtin::kNoteError: {
      const auto error = Argument<CudaError>(call, 0, lane, frame);
      launches->NoteError(warp, lane, error);
      SetResult(call, lane, frame, error);
      break;
    }
    default: break;
  }
}

}  // namespace

bool CallBuiltin(WarpContext& warp, const Inst& inst, int lane, Builtin builtin, const CallSite& call,
                 std::byte* frame) {
  switch (builtin) {
    case Builtin::kPrintf: {
      std::string& printed = *warp.block->printed;
      if (printed.size() >= kMostPrinted) {
        SetResult(call, lane, frame, std::int32_t{-1});  // as where hardware's buffer is full
        return true;
      }
      const std::string text = Print(warp, lane, Argument<std::uint64_t>(call, 0, lane, frame),
                                     Argument<std::uint64_t>(call, 1, lane, frame));
      printed += text;
      SetResult(call, lane, frame, static_cast<std::int32_t>(text.size()));
      return true;
    }
    case Builtin::kAssertFail: {
      const std::string what = StringAt(warp, lane, Argument<std::uint64_t>(call, 0, lane, frame));
      warp.block->faults->Trap(warp, inst, 1u << lane, say::assertion_failed(what));
      return false;
    }
    case Builtin::kMalloc:
      SetResult(call, lane, frame, Allocate(warp, Argument<std::uint64_t>(call, 0, lane, frame)));
      return true;
    case Builtin::kFree: Free(warp, inst, lane, Argument<std::uint64_t>(call, 0, lane, frame)); return true;
    case Builtin::kLaunchBuffer:
    case Builtin::kLaunch:
    case Builtin::kCopy:
    case Builtin::kFill:
    case Builtin::kLastError:
    case Builtin::kPeekAtLastError:
    case Builtin::kNoteError: CallDeviceRuntime(warp, inst, lane, builtin, call, frame); return true;
    case Builtin::kNone: break;
  }
  return false;
}

}  // namespace warplings::vgpu
