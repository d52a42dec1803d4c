// SPDX-License-Identifier: Apache-2.0
#include "grader/device/missing_waits.h"

#include <algorithm>
#include <utility>

#include "grader/messages/findings.h"

namespace warplings {
namespace {

Finding FindingOf(const MissingWaits::Work& work, Message message) {
  Finding finding;
  finding.kind = FindingKind::kMissingWait;
  finding.severity = Severity::kWarning;
  finding.kernel = work.kernel;
  finding.message = std::move(message);
  return finding;
}

}  // namespace

void MissingWaits::Note(Work work, const StreamOrder& order) {
  if (order.HostAwaited(work.issued)) return;
  noted_ = true;
  // Of a loop's passes the last is enough: whoever waits for it has waited for all.
  std::erase_if(works_, [&](const Work& earlier) {
    return order.HostAwaited(earlier.issued) ||
           (earlier.issued.timeline == work.issued.timeline && earlier.what == work.what &&
            std::ranges::includes(work.arrays, earlier.arrays));
  });
  if (works_.size() == kMaximumWorks) works_.erase(works_.begin());
  works_.push_back(std::move(work));
}

std::vector<Finding> MissingWaits::TakeBeforeFree(DevicePointer start, const StreamOrder& order) {
  std::vector<Finding> found;
  for (const Work& work : works_) {
    if (!order.HostAwaited(work.issued) && std::ranges::count(work.arrays, start) > 0)
      found.push_back(FindingOf(work, say::no_wait_before_free(work.what)));
  }
  if (!found.empty()) works_.clear();  // The free waits for all of it.
  return found;
}

bool MissingWaits::IsTimeTooEarly(EventId event, const StreamOrder& order) {
  if (knows_by_itself_ || order.HostAwaited(event)) {
    asked_.erase(event);
    return false;
  }
  if (asked_.erase(event) > 0) return false;
  asked_.insert(event);
  return true;
}

std::vector<Finding> MissingWaits::TakeAtEnd(const StreamOrder& order) {
  std::vector<Finding> found;
  if (missed_time_ || !asked_.empty()) found.push_back(FindingOf({}, say::time_before_event()));
  missed_time_ = false;
  asked_.clear();
  for (const Work& work : works_) {
    if (!order.HostAwaited(work.issued)) found.push_back(FindingOf(work, say::no_wait_before_end(work.what)));
  }
  works_.clear();
  return found;
}

}  // namespace warplings
