// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/unset_bytes.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace warplings::vgpu {
namespace {

/// The largest alignment that a struct's member usually needs.
constexpr std::uint64_t kLargestMember = 8;
/// Pitches are multiples of it (cudaMallocPitch on today's cards).
constexpr std::uint64_t kPitch = 512;
/// More are as good as any number: they are either of one pattern or of none.
constexpr std::size_t kMostRuns = 4096;

struct Run {
  DevicePointer start = 0;
  std::uint64_t bytes = 0;
};

/// Whether a run has an aligned piece of the size of the largest member.
bool IsMoreThanPadding(const Run& run) {
  const DevicePointer first = (run.start + kLargestMember - 1) / kLargestMember * kLargestMember;
  return first + kLargestMember <= run.start + run.bytes;
}

class Scan {
 public:
  explicit Scan(const GlobalMemory& memory) : memory_(memory) {}

  void Go(DevicePointer start, std::uint64_t bytes) {
    const DevicePointer end = start + bytes;
    for (DevicePointer at = start; at < end;) {
      const bool is_word = (at & 3) == 0 && end - at >= 4;
      const std::uint8_t word = *memory_.Shadow(at);
      if (is_word && (word == 0xf || word == 0)) {
        const std::uint64_t words = LikeWords(at, (end - at) / 4, word);
        Add(at, 4 * words, word == 0);
        at += 4 * words;
      } else {
        Add(at, 1, (word >> (at & 3) & 1) == 0);
        ++at;
      }
    }
    EndRun();
  }

  std::uint64_t unset() const { return unset_; }
  const std::vector<Run>& runs() const { return runs_; }
  const UnsetBytes& found() const { return found_; }

 private:
  /// How many words from here on have the same shadow.
  std::uint64_t LikeWords(DevicePointer at, std::uint64_t most, std::uint8_t word) const {
    const std::uint8_t* first = memory_.Shadow(at);
    return static_cast<std::uint64_t>(
        std::find_if(first, first + most, [&](std::uint8_t each) { return each != word; }) - first);
  }
  void Add(DevicePointer at, std::uint64_t bytes, bool is_unset) {
    if (!is_unset) return EndRun();
    if (run_.bytes == 0) run_.start = at;
    run_.bytes += bytes;
    unset_ += bytes;
  }
  void EndRun() {
    if (run_.bytes != 0 && IsMoreThanPadding(run_)) {
      if (found_.count == 0) found_.first = run_.start;
      found_.last = run_.start + run_.bytes - 1;
      found_.count += run_.bytes;
      if (runs_.size() < kMostRuns) runs_.push_back(run_);
    }
    run_ = {};
  }

  const GlobalMemory& memory_;
  Run run_;
  std::uint64_t unset_ = 0;
  UnsetBytes found_;
  std::vector<Run> runs_;
};

/// Whether they are the ends of rows that lie a pitch apart.
bool ArePaddingOfRows(const std::vector<Run>& runs) {
  if (runs.size() < 2 || runs.front().bytes >= kPitch) return false;
  const std::uint64_t pitch = runs[1].start - runs[0].start;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (runs[i].start - runs[i - 1].start != pitch || runs[i].bytes != runs.front().bytes) return false;
  }
  return pitch % kPitch == 0;
}

}  // namespace

std::optional<UnsetBytes> FindUnsetBytes(const GlobalMemory& memory, DevicePointer start,
                                         std::uint64_t bytes) {
  Scan scan(memory);
  scan.Go(start, bytes);
  if (scan.unset() == 0) return std::nullopt;
  if (scan.unset() == bytes) return UnsetBytes{0, bytes - 1, bytes};
  if (scan.found().count == 0 || ArePaddingOfRows(scan.runs())) return std::nullopt;
  return UnsetBytes{scan.found().first - start, scan.found().last - start, scan.found().count};
}

}  // namespace warplings::vgpu
