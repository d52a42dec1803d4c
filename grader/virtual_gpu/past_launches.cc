// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/past_launches.h"

#include <algorithm>
#include <new>
#include <utility>

#include "grader/virtual_gpu/machine/program.h"

namespace warplings::vgpu {
namespace {

/// A launch that takes less is not worth the copies.
constexpr double kLeastSeconds = 0.01;
/// Comparing and copying go at some gigabytes a second; a launch must take longer than that. Copies that may
/// well be in vain must not be felt: those of a first launch, and those after some that nothing was found in.
constexpr double kBytesPerSecond = 1e9, kBytesPerSecondInVain = 1e8;
constexpr int kFewMisses = 4;
/// The launches that are looked through for each launch.
constexpr std::size_t kMostLaunches = 512;
/// The states of one of them. One that so often found none of them will do so again.
constexpr std::size_t kMostStates = 64;
constexpr int kMostMisses = 64;
/// Of bytes that a launch accesses: scattered ones take more room for themselves than for their copies.
constexpr std::size_t kMostRanges = std::size_t{1} << 14;
/// Copies make way if their launch has not occurred among so many others, and among so many times as many as
/// there were between its last two.
constexpr std::uint64_t kForgottenAfter = 32, kForgottenAfterGaps = 8;

std::uint64_t BytesToCompare(double seconds) {
  return static_cast<std::uint64_t>(seconds * kBytesPerSecond);
}

}  // namespace

bool PastLaunches::IsDecidedByMemory(const Program& program) {
  return std::ranges::none_of(program.functions,
                              [](const FunctionCode& code) { return code.builtin != Builtin::kNone; });
}

PastLaunches::Past* PastLaunches::Find(const Key& key) {
  const auto found = std::ranges::find(past_, key, &Past::key);
  return found == past_.end() ? nullptr : &*found;
}

void PastLaunches::Clear() {
  past_.clear();
  bytes_ = 0;
}

// --- A launch that need not run. -------------------------------------------------------------------------

bool PastLaunches::IsAsBefore(State& state, const GlobalMemory& memory, std::uint64_t& budget) {
  return std::ranges::all_of(state.arrays, [&](Array& array) {
    const Region* region = memory.Find(array.start);
    if (region == nullptr || region->start != array.start || region->bytes != array.bytes) return false;
    const std::uint64_t content = region->content;
    if (content != 0 && (content == array.content_before || content == array.content_alike)) return true;
    if (!array.before->IsAsIn(memory, array.needed, budget)) return false;
    array.content_alike = content;
    return true;
  });
}

void PastLaunches::Redo(const State& state, GlobalMemory& memory) {
  for (const Array& array : state.arrays) {
    if (array.written.empty()) continue;
    Region& region = *memory.FindMutable(array.start);
    // It would write what is there.
    if (region.content != 0 && region.content == array.content_after) continue;
    const bool was_the_same = region.content != 0 && region.content == array.content_before;
    const bool is_all_written = array.written == ByteRanges{{array.start, array.start + array.bytes}};
    array.after.Restore(memory, array.written);
    memory.NoteWrite(array.start);
    if (region.content != 0 && (was_the_same || is_all_written)) region.content = array.content_after;
  }
}

const PastLaunches::Shown* PastLaunches::Repeat(const Key& key, GlobalMemory& memory, bool with_accesses) {
  ++uses_;
  Past* past = Find(key);
  if (past == nullptr) return nullptr;
  past->gap = uses_ - std::exchange(past->last_use, uses_);
  std::uint64_t budget = BytesToCompare(past->seconds);
  const auto found = std::ranges::find_if(past->states, [&](State& state) {
    return (!with_accesses || state.shown.accesses) && IsAsBefore(state, memory, budget);
  });
  if (found == past->states.end()) {
    if (++past->misses == kMostMisses) GiveUp(*past);
    return nullptr;
  }
  past->misses = 0;
  std::rotate(past->states.begin(), found, found + 1);
  State& state = past->states.front();
  state.last_use = uses_;
  Redo(state, memory);
  return &state.shown;
}

// --- A launch that runs. ---------------------------------------------------------------------------------

/// `all_is_needed`: also what is only written must be as it was.
std::vector<PastLaunches::Array> PastLaunches::ArraysOf(const std::vector<AccessMap::TouchedArray>& touched,
                                                        bool all_is_needed) {
  std::vector<Array> arrays;
  for (const AccessMap::TouchedArray& each : touched) {
    Array& array = arrays.emplace_back();
    array.start = each.start;
    array.bytes = each.bytes;
    array.needed = all_is_needed ? ByteRanges{{each.start, each.start + each.bytes}} : each.read;
    array.written = each.written;
  }
  return arrays;
}

bool PastLaunches::IsChanged(const Array& array) {
  return FirstCommon(array.needed, array.written).has_value();
}

std::uint64_t PastLaunches::BytesOf(const std::vector<Array>& arrays) {
  std::uint64_t bytes = 0;
  for (const Array& array : arrays)
    bytes += RangeCopy::BytesOf(array.needed) + RangeCopy::BytesOf(array.written);
  return bytes;
}

void PastLaunches::BeforeRun(const Key& key, const GlobalMemory& memory) {
  Past* past = Find(key);
  if (past == nullptr || past->misses >= kMostMisses || !MayCopy(*past, BytesOf(past->latest))) return;
  try {
    for (Array& array : past->latest) {
      const Region* region = memory.Find(array.start);
      if (region == nullptr || region->start != array.start || region->bytes != array.bytes) return;
      if (IsChanged(array)) array.before = RangeCopy(array.needed, memory);
    }
  } catch (const std::bad_alloc&) {
    past->latest.clear();
  }
}

bool PastLaunches::CopyAll(std::vector<Array>& arrays, std::vector<Array>& made_before,
                           const GlobalMemory& memory) {
  for (Array& array : arrays) {
    if (!IsChanged(array)) continue;
    const auto before = std::ranges::find(made_before, array.start, &Array::start);
    if (before == made_before.end() || before->bytes != array.bytes || !before->before ||
        before->needed != array.needed)
      return false;
    array.before = std::move(before->before);
  }
  for (Array& array : arrays) {
    if (!array.before) array.before = RangeCopy(array.needed, memory);
    array.after = RangeCopy(array.written, memory);
  }
  return true;
}

bool PastLaunches::MayCopy(const Past& past, std::uint64_t bytes) {
  const bool in_vain = past.misses == 0 || past.misses > kFewMisses;
  const double rate = in_vain ? kBytesPerSecondInVain : kBytesPerSecond;
  return static_cast<double>(bytes) <= past.seconds * rate && MakeRoom(bytes);
}

void PastLaunches::NoteWrites(std::vector<Array>& arrays, GlobalMemory& memory) {
  for (Array& array : arrays) {
    const Region* region = memory.Find(array.start);
    if (region == nullptr) continue;
    array.content_before = region->content;
    if (!array.written.empty()) memory.NoteWrite(array.start);
    array.content_after = region->content;
  }
}

PastLaunches::Past& PastLaunches::Begin(const Key& key, double seconds) {
  Past& past = past_.emplace_back();
  past.key = key;
  past.seconds = seconds;
  past.last_use = uses_;
  return past;
}

void PastLaunches::AfterRun(const Key& key, GlobalMemory& memory, const TouchedArrays& touched,
                            double seconds, const std::function<Shown()>& show) {
  Past* past = Find(key);
  try {
    const bool is_kept = past != nullptr ? past->misses < kMostMisses
                                         : seconds >= kLeastSeconds && past_.size() < kMostLaunches;
    if (touched && is_kept) {
      if (past == nullptr) past = &Begin(key, seconds);
      Keep(*past, memory, *touched, show());
      return;
    }
    for (std::size_t i = 0; touched && i < touched->size(); ++i) {
      if (!(*touched)[i].written.empty()) memory.NoteWrite((*touched)[i].start);
    }
    if (touched) return;
  } catch (const std::bad_alloc&) {
  }
  memory.NoteWriteEverywhere();
  if (past != nullptr) GiveUp(*past);
}

void PastLaunches::Keep(Past& past, GlobalMemory& memory, const std::vector<AccessMap::TouchedArray>& touched,
                        Shown shown) {
  // Findings may say of stores whether they changed anything, and so do recorded accesses.
  std::vector<Array> arrays = ArraysOf(touched, shown.accesses || !shown.outcome.findings.empty());
  NoteWrites(arrays, memory);
  std::vector<Array> made_before = std::exchange(past.latest, arrays);
  std::size_t ranges = 0;
  for (const Array& array : arrays) ranges += array.needed.size() + array.written.size();
  if (ranges > kMostRanges) return GiveUp(past);
  const bool ended_well = shown.outcome.completed && shown.outcome.error == CudaError::kSuccess;
  const std::uint64_t bytes = BytesOf(arrays);
  if (!ended_well || !MayCopy(past, bytes) || !CopyAll(arrays, made_before, memory)) return;
  past.states.push_front({std::move(arrays), std::move(shown), uses_});
  bytes_ += bytes;
  if (past.states.size() > kMostStates) ForgetLast(past);
}

// --- Room for copies. ------------------------------------------------------------------------------------

void PastLaunches::ForgetLast(Past& past) {
  bytes_ -= BytesOf(past.states.back().arrays);
  past.states.pop_back();
}

void PastLaunches::GiveUp(Past& past) {
  while (!past.states.empty()) ForgetLast(past);
  past.latest.clear();
  past.misses = kMostMisses;
}

bool PastLaunches::MakeRoom(std::uint64_t bytes) {
  if (bytes > limit_bytes_) return false;
  while (bytes_ + bytes > limit_bytes_) {
    Past* oldest = nullptr;
    for (Past& past : past_) {
      if (past.states.empty()) continue;
      const std::uint64_t age = uses_ - past.states.back().last_use;
      if (age < kForgottenAfter + past.gap * kForgottenAfterGaps) continue;
      if (oldest == nullptr || past.states.back().last_use < oldest->states.back().last_use) oldest = &past;
    }
    if (oldest == nullptr) return false;
    ForgetLast(*oldest);
  }
  return true;
}

}  // namespace warplings::vgpu
