// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/device_array.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace warplings {
namespace {

constexpr ClientId kJudge = 0;
constexpr StreamId kDefaultStream = 0;

/// Index of the first byte that is no longer poison; `bytes.size()` if all are. `phase`: the bytes start
/// at this offset of a poisoned range.
std::size_t FirstUnpoisoned(std::span<const std::byte> bytes, std::size_t phase) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto expected = static_cast<std::byte>(Poison() >> (8 * ((i + phase) % 4)));
    if (bytes[i] != expected) return i;
  }
  return bytes.size();
}

}  // namespace

std::vector<std::byte> PoisonBytes(std::size_t bytes) {
  std::vector<std::byte> poison(bytes);
  for (std::size_t i = 0; i < bytes; ++i) poison[i] = static_cast<std::byte>(Poison() >> (8 * (i % 4)));
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
  if (allocation_ != 0) static_cast<void>(device_->Free(kJudge, allocation_).ok());
}

CudaResult<std::vector<DeviceArray>> DeviceArray::CreateAll(DeviceClient& device,
                                                            const std::vector<CallArray>& arrays,
                                                            Fence fence) {
  std::vector<DeviceArray> created;
  std::vector<protocol::Allocate> requests;
  for (const CallArray& array : arrays) {
    DeviceArray& next = created.emplace_back(DeviceArray(device));
    next.array_bytes_ = array.bytes.size();
    next.band_bytes_ = fence == Fence::kGuardBands ? kBandBytes : 0;
    // None for 0 bytes: the pointer stays null, as cudaMalloc gives it.
    if (next.allocation_bytes() > 0) requests.push_back({next.allocation_bytes(), AllocationKind::kDevice});
  }
  const auto replies = device.AskEach(requests);
  auto reply = replies.begin();
  std::optional<CudaFault> refused;
  for (DeviceArray& array : created) {
    if (array.allocation_bytes() == 0) continue;
    if (*reply) {
      array.allocation_ = (*reply)->address;
    } else if (!refused) {
      refused = reply->error();
    }
    ++reply;
  }
  if (refused) return *refused;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (auto status = created[i].Fill(arrays[i]); !status) return status.error();
  }
  return created;
}

void DeviceArray::FreeAll(std::vector<DeviceArray>& arrays) {
  std::vector<protocol::Free> requests;
  for (DeviceArray& array : arrays) {
    if (array.allocation_ != 0) requests.push_back({std::exchange(array.allocation_, 0)});
  }
  // As in the destructor.
  if (!requests.empty()) static_cast<void>(arrays.front().device_->AskEach(requests));
}

CudaStatus DeviceArray::Fill(const CallArray& array) {
  if (allocation_ == 0) return Unit{};
  std::vector<std::byte> image = PoisonBytes(allocation_bytes());
  if (array.role == CallArray::Role::kInput) {
    std::ranges::copy(array.bytes, image.begin() + static_cast<std::ptrdiff_t>(band_bytes_));
  }
  const bool is_input = array.role == CallArray::Role::kInput;
  const protocol::SetLabel label{allocation_, array.label};
  const protocol::MarkUninitialised unset{pointer(), is_input ? 0 : array_bytes_};
  const std::uint64_t bytes = image.size();
  CudaStatus copied = Unit{}, labelled = Unit{}, marked = Unit{};
  if (bytes <= protocol::kInlineBytes) {
    const protocol::CopyIn content{allocation_, kDefaultStream, {bytes, 0, bytes}, std::move(image)};
    std::tie(copied, labelled, marked) = device_->AskTogether(content, label, unset);
  } else {
    copied = device_->CopyIn(allocation_, image, kDefaultStream);
    std::tie(labelled, marked) = device_->AskTogether(label, unset);
  }
  for (const CudaStatus& status : {copied, labelled, marked}) {
    if (!status) return status;
  }
  return Unit{};
}

CudaResult<DeviceArray::Content> DeviceArray::Read() const {
  if (allocation_ == 0) return Content{};
  std::vector<std::byte> image(allocation_bytes());
  if (auto status = device_->CopyOut(image, allocation_, kDefaultStream); !status) return status.error();
  const std::span<const std::byte> all(image);
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
