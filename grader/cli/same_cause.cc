// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/same_cause.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "grader/messages/findings.h"
#include "grader/messages/refusals.h"

namespace warplings {
namespace {

const Message& InnerOf(const Finding& finding, std::size_t argument) {
  return finding.message.arguments().at(argument).inner.at(0);
}

/// Accesses through one argument of a kernel, which is no pointer to device memory.
bool AreOfOneArgument(const Finding& first, const Finding& later) {
  const auto& row = say::argument_outside_memory;
  return row.Made(first.message) && row.Made(later.message) && first.kernel == later.kernel &&
         first.message.arguments().at(2).number == later.message.arguments().at(2).number;
}

bool IsRaceOfStreams(const Finding& finding) {
  return say::race_of_streams_read.Made(finding.message) ||
         say::race_of_streams_write.Made(finding.message) ||
         say::race_of_streams_two_writes.Made(finding.message);
}

/// One stream does not wait for one operation of another.
bool AreOfOneWait(const Finding& first, const Finding& later) {
  if (!IsRaceOfStreams(first) || !IsRaceOfStreams(later)) return false;
  constexpr std::size_t kStream = 1, kAwaited = 4, kItsStream = 5;
  return std::ranges::all_of(std::initializer_list<std::size_t>{kStream, kAwaited, kItsStream},
                             [&](std::size_t i) { return InnerOf(first, i) == InnerOf(later, i); });
}

/// A copy or a memset of more bytes than the allocation has.
struct TooLarge {
  std::int64_t bytes = 0, allocated = 0;

  bool operator==(const TooLarge&) const = default;
};
std::optional<TooLarge> AsTooLarge(const Finding& finding) {
  if (!say::refused.Made(finding.message)) return std::nullopt;
  const Message& why = InnerOf(finding, 1);
  if (!say::larger_than_allocation.Made(why)) return std::nullopt;
  return TooLarge{why.arguments().at(0).number, why.arguments().at(1).number};
}

/// An allocation is too small: copies are refused, what they should have filled is read, and kernels go past
/// its end as far as the copies do.
bool IsOfSmallAllocation(const Finding& first, const Finding& later) {
  const auto copy = AsTooLarge(first);
  if (!copy) return false;
  if (const auto other = AsTooLarge(later)) return *other == *copy;
  if (later.space != MemorySpace::kGlobal || later.object_bytes != copy->allocated) return false;
  if (later.kind == FindingKind::kUninitialised) return true;
  return later.kind == FindingKind::kOutOfBounds && later.offset_bytes >= copy->allocated &&
         later.offset_bytes < copy->bytes;
}

/// Threads that skip a barrier because they have ended; others skip it by its condition.
bool AreOfOneBarrier(const Finding& first, const Finding& later) {
  return first.kind == FindingKind::kDivergentBarrier && later.kind == FindingKind::kBarrierAfterExit &&
         first.kernel == later.kernel && first.where == later.where;
}

bool Follows(const Finding& later, const Finding& first) {
  if (later.severity > first.severity) return false;
  return AreOfOneArgument(first, later) || AreOfOneWait(first, later) || IsOfSmallAllocation(first, later) ||
         AreOfOneBarrier(first, later) || IsReadBeforeOtherStream(later, first);
}

}  // namespace

bool IsReadBeforeOtherStream(const Finding& read, const Finding& race) {
  return read.kind == FindingKind::kUninitialised && read.space == MemorySpace::kGlobal &&
         race.kind == FindingKind::kRaceBetweenStreams && race.severity == Severity::kError &&
         race.other_access == Access::kWrite && race.kernel == read.kernel && race.object == read.object;
}

std::vector<LeadingFinding> WithoutFollowers(std::vector<Finding> findings) {
  std::vector<LeadingFinding> leading;
  for (Finding& finding : findings) {
    const auto first = std::ranges::find_if(
        leading, [&](const LeadingFinding& each) { return Follows(finding, each.finding); });
    if (first == leading.end()) {
      leading.push_back({std::move(finding)});
    } else {
      ++first->followers;
    }
  }
  return leading;
}

}  // namespace warplings
