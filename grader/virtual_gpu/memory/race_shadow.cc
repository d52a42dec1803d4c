// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/race_shadow.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "grader/messages/device.h"

namespace warplings::vgpu {
namespace {

/// Address space for records of every byte, the smallest granule. Pages are provided only when they are
/// written.
constexpr std::size_t kBytes = GlobalMemory::kReservedBytes * sizeof(RaceShadow::Records);
/// The same for the segments, behind these.
constexpr std::size_t kSegmentBytes =
    (GlobalMemory::kReservedBytes >> RaceShadow::kSegmentShift) * sizeof(RaceShadow::Segment);
constexpr std::size_t kAllBytes = kBytes + kSegmentBytes;
constexpr int kGreatestShift = 2;

}  // namespace

Result<std::unique_ptr<RaceShadow>> RaceShadow::Create(DevicePointer base) {
  std::unique_ptr<RaceShadow> shadow(new RaceShadow);
  void* mapped =
      mmap(nullptr, kAllBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) {
    return GraderError(say::no_race_shadow(), say::check_overcommit());
  }
  shadow->records_ = static_cast<Records*>(mapped);
  shadow->segments_ = reinterpret_cast<Segment*>(static_cast<std::byte*>(mapped) + kBytes);
  shadow->base_ = base;
  return shadow;
}

RaceShadow::~RaceShadow() {
  if (records_) munmap(records_, kAllBytes);
}

void RaceShadow::Forget() {
  madvise(records_, kAllBytes, MADV_DONTNEED);
  launch_ = 1;
  next_serial_ = 1;
  shifts_used_ = 0;
  must_forget_ = false;
}

template <class F>
void RaceShadow::ForEachShift(F discard) {
  for (int shift = 0; shift <= kGreatestShift; ++shift) {
    if (!(shifts_used_ >> shift & 1)) continue;
    if (is_under_way_ && shift != granule_shift_) {
      // What lies there for another granule may be a record of the launch under way, of other memory.
      must_forget_ = true;
      continue;
    }
    discard(shift);
  }
}

void RaceShadow::Discard(DevicePointer start, std::uint64_t bytes) {
  ForEachShift([&](int shift) {
    madvise(records_ + ((start - base_) >> shift), (bytes >> shift) * sizeof(Records), MADV_DONTNEED);
    const int segment_shift = shift + kSegmentShift;
    madvise(segments_ + ((start - base_) >> segment_shift), (bytes >> segment_shift) * sizeof(Segment),
            MADV_DONTNEED);
  });
}

void RaceShadow::Wipe(DevicePointer start, std::uint64_t bytes) {
  ForEachShift([&](int shift) {
    Records* records = records_ + ((start - base_) >> shift);
    const std::uint64_t granules = (bytes + (std::uint64_t{1} << shift) - 1) >> shift;
    std::memset(static_cast<void*>(records), 0, granules * sizeof(Records));
    // Allocations begin with a segment.
    Segment* segments = segments_ + ((start - base_) >> (shift + kSegmentShift));
    std::memset(static_cast<void*>(segments), 0,
                ((granules + kSegment - 1) >> kSegmentShift) * sizeof(Segment));
  });
}

void RaceShadow::StartLaunch(std::uint64_t blocks, std::uint32_t store_bytes, bool in_turns) {
  met = in_parallel = differed = false;
  in_turns_ = in_turns;
  granule_shift_ = store_bytes >= 4 ? 2 : store_bytes == 2 ? 1 : 0;
  // Where numbers begin again, records of old would look like new ones. Some blocks need several serials.
  if (++launch_ == kLaunches || next_serial_ + blocks + kSerials / 8 > kSerials || must_forget_) Forget();
  shifts_used_ |= 1u << granule_shift_;
  is_under_way_ = true;
  first_serial_ = next_serial_;
  released_.clear();
}

std::uint64_t RaceShadow::NewSerial() {
  std::uint64_t serial = next_serial_.load(std::memory_order_relaxed);
  while (serial < kSerials &&
         !next_serial_.compare_exchange_weak(serial, serial + 1, std::memory_order_relaxed)) {
  }
  if (serial >= kSerials) return 0;
  if (in_turns_) released_.resize(serial - first_serial_ + 1);
  return serial;
}

void RaceShadow::Release(std::uint64_t serial, std::uint64_t tick) {
  if (in_turns_ && serial) released_[serial - first_serial_] = static_cast<std::uint16_t>(tick);
}

std::uint64_t RaceShadow::FirstRead(DevicePointer address) const {
  const std::uint64_t own = At(address).first_read.load(std::memory_order_relaxed);
  const std::uint64_t all = SegmentAt(address).first_read.load(std::memory_order_relaxed);
  if (!IsNow(all)) return own;
  // Threads of a run of lanes have successive numbers.
  const std::uint64_t in_run = all + (std::uint64_t{PlaceInSegment(address)} << 4);
  return IsNow(own) ? Merge(own, in_run & ~std::uint64_t{0xf}, kMany) | (in_run & 0xf) : in_run;
}

std::uint64_t RaceShadow::Merge(std::uint64_t old, std::uint64_t mine, std::uint64_t flag) const {
  if (!IsNow(old)) return mine;
  const std::uint64_t flags = (old & 0xf) | (BlockOf(old) != BlockOf(mine) ? flag : 0);
  return std::min(old & ~std::uint64_t{0xf}, mine) | flags;
}

void RaceShadow::MergeRecord(Record& record, std::uint64_t mine, std::uint64_t flag) const {
  std::uint64_t old = record.load(std::memory_order_relaxed);
  for (;;) {
    const std::uint64_t entered = Merge(old, mine, flag);
    if (entered == old || record.compare_exchange_weak(old, entered, std::memory_order_relaxed)) return;
  }
}

}  // namespace warplings::vgpu
