// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/past_launches.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "grader/virtual_gpu/machine/program.h"

namespace warplings::vgpu {
namespace {

/// A launch that takes less is not worth the copies.
constexpr double kLeastSeconds = 0.01;
/// Comparing and copying go at some gigabytes a second; a launch must take longer than that.
constexpr double kBytesPerSecond = 1e9;
/// The launches that are looked through for each launch.
constexpr std::size_t kMostLaunches = 512;
/// One that so often found other data than before will do so again.
constexpr int kMostMisses = 4;
/// Copies of a launch that has not occurred among so many others make way.
constexpr std::uint64_t kForgottenAfter = 1000;

std::size_t WordsOf(std::uint64_t bytes) {
  return static_cast<std::size_t>((bytes + 3) / 4);
}

bool IsLive(DevicePointer start, std::uint64_t bytes, const GlobalMemory& memory) {
  const Region* region = memory.Find(start);
  return region != nullptr && region->start == start && region->bytes == bytes;
}

}  // namespace

bool PastLaunches::IsDecidedByMemory(const Program& program) {
  const bool calls_builtin = std::ranges::any_of(
      program.functions, [](const FunctionCode& code) { return code.builtin != Builtin::kNone; });
  return !calls_builtin && !program.waits_for_values;
}

PastLaunches::Past* PastLaunches::Find(const Key& key) {
  const auto found = std::ranges::find(past_, key, &Past::key);
  return found == past_.end() ? nullptr : &*found;
}

bool PastLaunches::IsAsBefore(const Array& array, const GlobalMemory& memory) {
  return IsLive(array.start, array.bytes, memory) &&
         std::memcmp(array.before.bytes.data(), HostPointer(array.start), array.bytes) == 0 &&
         std::memcmp(array.before.shadow.data(), memory.Shadow(array.start), WordsOf(array.bytes)) == 0;
}

PastLaunches::Copy PastLaunches::CopyOf(const Array& array, const GlobalMemory& memory) {
  const std::byte* bytes = HostPointer(array.start);
  const std::uint8_t* shadow = memory.Shadow(array.start);
  return {{bytes, bytes + array.bytes}, {shadow, shadow + WordsOf(array.bytes)}};
}

std::uint64_t PastLaunches::BytesOf(const Past& past) {
  std::uint64_t bytes = 0;
  for (const Array& array : past.arrays) {
    for (const Copy* copy : {&array.before, &array.after}) bytes += copy->bytes.size() + copy->shadow.size();
  }
  return bytes;
}

void PastLaunches::DropCopies(Past& past) {
  bytes_ -= BytesOf(past);
  for (Array& array : past.arrays) array.before = array.after = {};
  past.has_before = false;
  past.shown.reset();
}

bool PastLaunches::MakeRoom(std::uint64_t bytes) {
  if (bytes > limit_bytes_) return false;
  for (Past& past : past_) {
    if (bytes_ + bytes <= limit_bytes_) break;
    if (past.has_before && uses_ - past.last_use > kForgottenAfter) DropCopies(past);
  }
  return bytes_ + bytes <= limit_bytes_;
}

void PastLaunches::Clear() {
  past_.clear();
  bytes_ = 0;
}

const PastLaunches::Shown* PastLaunches::Repeat(const Key& key, GlobalMemory& memory, bool with_accesses) {
  ++uses_;
  Past* past = Find(key);
  if (past == nullptr) return nullptr;
  past->last_use = uses_;
  if (!past->shown || (with_accesses && !past->shown->accesses)) return nullptr;
  if (!std::ranges::all_of(past->arrays, [&](const Array& each) { return IsAsBefore(each, memory); })) {
    if (++past->misses >= kMostMisses) DropCopies(*past);
    return nullptr;
  }
  past->misses = 0;
  for (const Array& array : past->arrays) {
    if (!array.is_written) continue;
    std::memcpy(HostPointer(array.start), array.after.bytes.data(), array.bytes);
    std::memcpy(memory.Shadow(array.start), array.after.shadow.data(), WordsOf(array.bytes));
  }
  return &*past->shown;
}

void PastLaunches::BeforeRun(const Key& key, const GlobalMemory& memory) {
  Past* past = Find(key);
  if (past == nullptr || past->has_before || past->misses >= kMostMisses) return;
  std::uint64_t needed = 0;
  for (const Array& array : past->arrays) {
    if (!IsLive(array.start, array.bytes, memory)) return;
    needed += (array.bytes + WordsOf(array.bytes)) * (array.is_written ? 2 : 1);
  }
  if (static_cast<double>(needed) > past->seconds * kBytesPerSecond || !MakeRoom(needed)) return;
  try {
    for (Array& array : past->arrays) array.before = CopyOf(array, memory);
  } catch (const std::bad_alloc&) {
    for (Array& array : past->arrays) array.before = {};
    return;
  }
  past->has_before = true;
  bytes_ += BytesOf(*past);
}

bool PastLaunches::Complete(Past& past, const TouchedArrays& touched, const GlobalMemory& memory,
                            const Shown& shown) {
  // The copies are of the arrays that the launch before accessed.
  const bool are_same =
      touched &&
      std::ranges::equal(past.arrays, *touched, [](const Array& a, const AccessMap::TouchedArray& b) {
        return a.start == b.start && a.bytes == b.bytes && a.is_written == b.is_written;
      });
  if (!are_same || !shown.outcome.completed || shown.outcome.error != CudaError::kSuccess) return false;
  const std::uint64_t before = BytesOf(past);
  try {
    for (Array& array : past.arrays) {
      if (array.is_written) array.after = CopyOf(array, memory);
    }
  } catch (const std::bad_alloc&) {
    for (Array& array : past.arrays) array.after = {};
    return false;
  }
  bytes_ += BytesOf(past) - before;
  return true;
}

void PastLaunches::AfterRun(const Key& key, const GlobalMemory& memory, const TouchedArrays& touched,
                            double seconds, const std::function<Shown()>& show) {
  Past* past = Find(key);
  if (past == nullptr && (seconds < kLeastSeconds || past_.size() >= kMostLaunches)) return;
  if (past != nullptr && (past->shown || past->misses >= kMostMisses)) return;
  if (past == nullptr) {
    past = &past_.emplace_back();
    past->key = key;
    past->seconds = seconds;
    past->last_use = uses_;
  }
  if (past->has_before) {
    Shown shown = show();
    if (Complete(*past, touched, memory, shown)) {
      past->shown = std::move(shown);
      return;
    }
    DropCopies(*past);
    ++past->misses;
  }
  past->arrays.clear();
  if (!touched) past->misses = kMostMisses;
  if (!touched) return;
  for (const AccessMap::TouchedArray& each : *touched)
    past->arrays.push_back({each.start, each.bytes, each.is_written, {}, {}});
}

}  // namespace warplings::vgpu
