// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/device_array.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "grader/messages/judging.h"

namespace warplings {
namespace {

/// Longer copies go through the staging buffer: what a message carries is copied several times.
constexpr std::uint64_t kMostInPieces = 4 * protocol::kInlineBytes;

/// Of a copy of this many bytes, each short enough for a message.
std::vector<protocol::Piece> PiecesOf(std::uint64_t bytes) {
  std::vector<protocol::Piece> pieces;
  for (std::uint64_t offset = 0; offset < bytes; offset += protocol::kInlineBytes) {
    pieces.push_back({bytes, offset, std::min(bytes - offset, protocol::kInlineBytes)});
  }
  return pieces;
}

/// Index of the first byte that is no longer poison; `bytes.size()` if all are. `phase`: the bytes start
/// at this offset of a poisoned range.
std::size_t FirstUnpoisoned(std::span<const std::byte> bytes, std::size_t phase) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto expected = static_cast<std::byte>(Poison() >> (8 * ((i + phase) % 4)));
    if (bytes[i] != expected) return i;
  }
  return bytes.size();
}

/// `bytes` with element `source(i)` in the place of element i.
template <class Source>
std::vector<std::byte> Taken(const std::vector<std::byte>& bytes, std::size_t element_bytes,
                             const Source& source) {
  std::vector<std::byte> taken = bytes;
  for (std::size_t i = 0; i < bytes.size() / element_bytes; ++i) {
    std::memcpy(taken.data() + i * element_bytes, bytes.data() + source(i) * element_bytes, element_bytes);
  }
  return taken;
}

}  // namespace

std::vector<std::byte> OtherElementsOf(const CallArray& array) {
  const std::size_t size = array.element_bytes, count = array.bytes.size() / size;
  const auto backwards = [&](std::size_t i) { return count - 1 - i; };
  switch (array.other.rule) {
    case OtherElements::Rule::kNone: return array.bytes;
    case OtherElements::Rule::kThese: return array.other.bytes;
    case OtherElements::Rule::kAnyOrder: return Taken(array.bytes, size, backwards);
    // Half of them twice, so that what depends on how many there are of each changes, too.
    case OtherElements::Rule::kEachAlone:
      return Taken(array.bytes, size, [&](std::size_t i) { return backwards(i) / 2; });
    case OtherElements::Rule::kAnyValue: break;
  }
  // With the other sign: every sum of them is another one, and integers stay integers that differ from each
  // other.
  std::vector<std::byte> other = Taken(array.bytes, size, backwards);
  for (std::size_t i = 0; i < count; ++i) other[i * size + size - 1] ^= std::byte{0x80};
  return other;
}

Message FaultOfLength(const CallArray& array) {
  const std::size_t there = array.other.bytes.size(), needed = array.bytes.size();
  if (array.other.rule != OtherElements::Rule::kThese || there == needed) return {};
  return say::these_of_another_length(array.label, say::Count(there / array.element_bytes, "element"),
                                      say::Count(needed / array.element_bytes, "element"));
}

std::string ShownBytes(std::span<const std::byte> bytes) {
  std::string shown = "bytes";
  for (const std::byte each : bytes) {
    char text[4];
    std::snprintf(text, sizeof text, " %02x", std::to_integer<unsigned>(each));
    shown += text;
  }
  return shown;
}

Message BrokenRule(const std::string& label, const std::string& words, std::size_t i,
                   const std::string& value, bool is_other) {
  const Message element = value.empty() ? say::input_lacks_element(label, i)
                                        : say::input_element_is(label + "[" + std::to_string(i) + "]", value);
  return is_other ? say::other_elements_break_rule(label, words, element)
                  : say::own_elements_break_rule(label, words, element);
}

std::vector<std::byte> PoisonBytes(std::size_t bytes) {
  const std::uint32_t word = Poison();
  std::vector<std::byte> poison(bytes);
  for (std::size_t i = 0; i < bytes; i += sizeof word) {
    std::memcpy(poison.data() + i, &word, std::min(sizeof word, bytes - i));
  }
  return poison;
}

CudaStatus FillWithPoison(DeviceClient& device, DevicePointer target, std::size_t bytes) {
  constexpr std::size_t kSentBytes = 64 * 1024;
  std::size_t filled = std::min(bytes, kSentBytes);
  if (auto sent = device.CopyIn(target, PoisonBytes(filled), kDefaultStream); !sent) return sent;
  while (filled < bytes) {
    const std::size_t next = std::min(filled, bytes - filled);
    if (auto copied = device.CopyWithin(target + filled, target, next, kDefaultStream); !copied)
      return copied;
    filled += next;
  }
  return Unit{};
}

bool IsAllPoison(std::span<const std::byte> bytes, std::size_t phase) {
  return FirstUnpoisoned(bytes, phase) == bytes.size();
}

DeviceArray::DeviceArray(DeviceArray&& other) noexcept
    : device_(other.device_),
      allocation_(std::exchange(other.allocation_, 0)),
      array_bytes_(other.array_bytes_),
      band_bytes_(other.band_bytes_) {}

DeviceArray::~DeviceArray() {
  // A device that is gone has nothing to free, and its refusal tells nobody anything new.
  if (allocation_ != 0) static_cast<void>(device_->Free(allocation_).ok());
}

CudaResult<std::vector<DeviceArray>> DeviceArray::AllocateAll(DeviceClient& device,
                                                              const std::vector<CallArray>& arrays,
                                                              Fence fence) {
  std::vector<DeviceArray> allocated;
  for (const CallArray& array : arrays) {
    DeviceArray& next = allocated.emplace_back(DeviceArray(device));
    next.array_bytes_ = array.bytes.size();
    next.band_bytes_ = fence == Fence::kGuardBands ? kBandBytes : 0;
  }
  std::optional<CudaFault> refused;
  CallBatch batch(device);
  for (DeviceArray& array : allocated) {
    // None for 0 bytes: the pointer stays null, as cudaMalloc gives it.
    if (array.allocation_bytes() == 0) continue;
    batch.Add(protocol::Allocate{array.allocation_bytes(), AllocationKind::kDevice}, [&](auto reply) {
      if (reply) {
        array.allocation_ = reply->address;
      } else if (!refused) {
        refused = reply.error();
      }
    });
  }
  batch.Ask();
  if (refused) return *refused;
  return allocated;
}

bool DeviceArray::Fit(const std::vector<DeviceArray>& allocated, const std::vector<CallArray>& arrays) {
  return std::ranges::equal(allocated, arrays, {}, &DeviceArray::array_bytes_,
                            [](const CallArray& array) { return array.bytes.size(); });
}

void DeviceArray::AddFrees(CallBatch& batch, std::vector<DeviceArray>& arrays) {
  // Nobody wants the replies, as in the destructor.
  for (DeviceArray& array : arrays) {
    if (array.allocation_ != 0) batch.Add(protocol::Free{std::exchange(array.allocation_, 0)});
  }
  arrays.clear();
}

void DeviceArray::AddFill(CallBatch& batch, const CallArray& array, CudaStatus& refused) const {
  if (allocation_ == 0) return;
  const auto keep = [&refused](const CudaStatus& status) {
    if (refused && !status) refused = status;
  };
  const bool is_output = array.role == CallArray::Role::kOutput;
  const bool has_poison = is_output || band_bytes_ > 0;
  std::vector<std::byte> image = has_poison ? PoisonBytes(allocation_bytes()) : array.bytes;
  if (!is_output && has_poison) {
    std::ranges::copy(array.bytes, image.begin() + static_cast<std::ptrdiff_t>(band_bytes_));
  }
  if (image.size() <= kMostInPieces) {
    for (const protocol::Piece& piece : PiecesOf(image.size())) {
      const auto data = std::span(image).subspan(piece.offset, piece.bytes);
      batch.Add(protocol::CopyIn{allocation_, kDefaultStream, piece, {data.begin(), data.end()}}, keep);
    }
  } else {
    batch.Ask();
    keep(batch.device().CopyIn(allocation_, image, kDefaultStream));
  }
  batch.Add(protocol::SetLabel{allocation_, array.label}, keep);
  batch.Add(protocol::MarkUninitialised{pointer(), is_output ? array_bytes_ : 0}, keep);
}

void DeviceArray::AddRead(CallBatch& batch, Image& image) const {
  if (allocation_ == 0) return;
  image.bytes.resize(allocation_bytes());
  if (image.bytes.size() > kMostInPieces) {
    batch.Ask();
    image.read = batch.device().CopyOut(image.bytes, allocation_, kDefaultStream);
    return;
  }
  for (const protocol::Piece& piece : PiecesOf(image.bytes.size())) {
    batch.Add(protocol::CopyOut{allocation_, kDefaultStream, piece}, [&image, piece](auto reply) {
      if (!image.read) return;
      if (!reply) {
        image.read = reply.error();
      } else if (reply->size() != piece.bytes) {
        image.read = CudaFault{CudaError::kUnknown, "The device process answered less than was asked for."};
      } else {
        std::ranges::copy(*reply, image.bytes.begin() + static_cast<std::ptrdiff_t>(piece.offset));
      }
    });
  }
}

DeviceArray::Content DeviceArray::ContentOf(const Image& image) const {
  if (allocation_ == 0) return {};
  const std::span<const std::byte> all(image.bytes);
  const auto array = all.subspan(band_bytes_, array_bytes_);
  Content content;
  content.bytes.assign(array.begin(), array.end());

  const std::size_t before = FirstUnpoisoned(all.first(band_bytes_), 0);
  const std::size_t behind_start = band_bytes_ + array_bytes_;
  const std::size_t behind = FirstUnpoisoned(all.subspan(behind_start), behind_start);
  if (before < band_bytes_) {
    content.first_outside = static_cast<std::int64_t>(before) - static_cast<std::int64_t>(band_bytes_);
  } else if (behind < band_bytes_) {
    content.first_outside = static_cast<std::int64_t>(array_bytes_ + behind);
  }
  return content;
}

}  // namespace warplings
