// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/device/launch_accesses.h"
#include "grader/device/stream_order.h"

namespace warplings {

/// Finds races between the operations of streams, of one device or of several: copies, fills and kernels that
/// access the same bytes, at least one of which writes, and that nothing orders.
///
/// Theory of operation. An operation gets its clock when it is issued (StreamOrder), and is checked when it
/// has run, because a kernel's accesses are known only then. Each array has a history of operations with
/// the exact bytes that they accessed. A new operation is compared with those that it does not come after.
/// From those that it comes after, the bytes that it accesses itself are removed: whatever races with the
/// older operation there races with the new one, too. So a program that works on the same arrays again and
/// again has a short history. Operations run in an order that CUDA allows, so none comes after a later one.
///
/// Nothing is recorded while the program has a single order of all operations (StreamOrder::matters).
class StreamRaces {
 public:
  enum class Role : std::uint8_t { kWorks, kAllocates, kFrees };
  struct Operation {
    Role role = Role::kWorks;
    Message what;        ///< "kernel scale", "a memset"
    std::string kernel;  ///< Without it: a copy or a fill.
    StreamOrder::Issued issued;
    bool signals = false, waits = false;  ///< As in LaunchAccesses.
  };
  using Report = std::function<void(Finding)>;

  explicit StreamRaces(Report report) : report_(std::move(report)) {}

  StreamOrder& order() { return order_; }
  /// Turned off, it keeps the order and checks nothing.
  void Enable(bool on);
  /// Gives the operation its place in the order. Null: it need not be recorded, and Note must not be called.
  std::shared_ptr<Operation> Issue(StreamId stream);
  /// As Issue, for an operation of the judge's: it has its place, but is not checked.
  void IssueUnchecked(StreamId stream) {
    if (order_.matters()) order_.Issue(stream);
  }
  /// The operation has run.
  void Note(const std::shared_ptr<const Operation>& operation, std::vector<ArrayAccesses> accesses);
  /// All that was issued on the device has ended, and the host has waited for it.
  void EndAll(std::size_t device = 0);
  /// The memory is freed: what comes at its address is another array.
  void Forget(DevicePointer start) { history_.erase(start); }
  void ForgetAll() { history_.clear(); }

 private:
  struct Entry {
    std::shared_ptr<const Operation> operation;
    ArrayAccesses accesses;
  };
  struct Conflict {
    ByteRange range;
    bool first_writes = false, second_writes = false;
    bool same_value = false;
  };
  static constexpr std::size_t kMaximumEntries = 1024;  ///< Of one array.
  static constexpr std::size_t kMaximumRanges = std::size_t{4}
                                                << 20;  ///< Of the last operation of all arrays.
  static constexpr std::size_t kMaximumReports = 256;   ///< Different ones.

  static bool AreOrdered(const Operation& one, const Operation& other);
  static std::optional<Conflict> FindConflict(const ArrayAccesses& first, const ArrayAccesses& second);
  static void RemoveCovered(ArrayAccesses& older, const ArrayAccesses& newer);
  void Add(const std::shared_ptr<const Operation>& operation, ArrayAccesses accesses);
  /// What is wrong between two operations that nothing orders; `range` is the bytes that both access.
  /// "the default stream", "stream 2 of device 1"
  Message NameOf(const StreamOrder::Issued& issued) const;
  Message Describe(const Operation& later, const Operation& earlier, const Conflict& conflict,
                   bool later_writes, bool earlier_writes, const NamedArray& array) const;
  void Tell(const Entry& one, const Entry& other, const Conflict& conflict);

  Report report_;
  StreamOrder order_;
  bool is_on_ = true;
  std::map<DevicePointer, std::vector<Entry>> history_;  ///< By start of the array.
  std::size_t ranges_ = 0;                               ///< Added since the history was last empty.
  /// What was reported, so that the same race of a later pass of a loop is only counted.
  std::map<std::string, Finding> reported_;
};

}  // namespace warplings
