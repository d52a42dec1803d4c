// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "grader/device/device.h"
#include "grader/device/stream_order.h"

namespace warplings {

/// Finds results that the host may have read too early: a kernel, or an asynchronous copy, has written memory
/// that the host shares (managed or pinned), and the host never waited for it.
///
/// Theory of operation. The host's own accesses to that memory are not seen. So nothing is said as long as
/// the host may still wait: only when the memory is freed, which is too late for a look at it, or when the
/// program ends. Any call that waits for the work settles it, also a cudaMemcpy or the free of other memory.
/// A program that never looks at its results gets the warning, too: it would not have seen an error of the
/// kernel, either.
class MissingWaits {
 public:
  struct Work {
    Message what;        ///< "kernel scale", "a copy from the device"
    std::string kernel;  ///< Without it: a copy.
    StreamOrder::Issued issued;
    std::vector<DevicePointer>
        arrays;  ///< The host's memory that it accessed, and wrote some of; a copy's source, too. Sorted.
  };

  /// The work has run.
  void Note(Work work, const StreamOrder& order);
  /// Whether there was any that the host had to wait for by itself: when it read the results nobody saw.
  bool Noted() const { return noted_; }
  /// The program itself has learned of the work's end: it was told by a host function, say.
  void Forget() {
    works_.clear();
    asked_.clear();
    knows_by_itself_ = true;
  }
  /// Whether a time up to that event has to wait, as it has on a card that still works: the host has asked
  /// for it, and never waited. Who asks a second time is polling, and gets it.
  bool IsTimeTooEarly(EventId event, const StreamOrder& order);
  /// The event was recorded again: nobody gets the time that was too early any more.
  void NoteRecord(EventId event) { missed_time_ = asked_.erase(event) > 0 || missed_time_; }
  /// To be called before the free counts as a wait: findings on work that accessed the memory.
  std::vector<Finding> TakeBeforeFree(DevicePointer start, const StreamOrder& order);
  /// The program has ended.
  std::vector<Finding> TakeAtEnd(const StreamOrder& order);

 private:
  static constexpr std::size_t kMaximumWorks = 256;  ///< With more, the oldest is forgotten.

  std::vector<Work> works_;
  std::set<EventId> asked_;  ///< Events up to which a time was too early.
  bool missed_time_ = false;
  bool knows_by_itself_ = false;
  bool noted_ = false;
};

}  // namespace warplings
