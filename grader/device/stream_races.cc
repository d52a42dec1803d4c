// SPDX-License-Identifier: Apache-2.0
#include "grader/device/stream_races.h"

#include <algorithm>
#include <new>
#include <utility>

#include "grader/messages/findings.h"

namespace warplings {
namespace {

std::size_t CountRanges(const ArrayAccesses& accesses) {
  return accesses.read.size() + accesses.written.size() + accesses.strongly_read.size() +
         accesses.strongly_written.size() + accesses.changed.size();
}

bool IsEmpty(const ArrayAccesses& accesses) {
  return accesses.read.empty() && accesses.written.empty() && accesses.strongly_read.empty() &&
         accesses.strongly_written.empty();
}

/// The first line that may have accessed the range in this way.
SourceLine LineOf(const ArrayAccesses& accesses, const ByteRange& range, bool writes) {
  for (const ArrayAccesses::Line& line : accesses.lines) {
    if (line.writes == writes && line.range.begin < range.end && range.begin < line.range.end)
      return line.where;
  }
  return {};
}

}  // namespace

void StreamRaces::Enable(bool on) {
  if (is_on_ && !on) history_.clear();
  is_on_ = on;
}

std::shared_ptr<StreamRaces::Operation> StreamRaces::Issue(StreamId stream) {
  // What was issued before the order matters is not recorded, so it needs no place in it.
  if (!order_.matters()) return nullptr;
  StreamOrder::Issued issued = order_.Issue(stream);
  if (!is_on_) return nullptr;
  auto operation = std::make_shared<Operation>();
  operation->issued = std::move(issued);
  return operation;
}

void StreamRaces::Note(const std::shared_ptr<const Operation>& operation,
                       std::vector<ArrayAccesses> accesses) {
  if (!is_on_) return;
  try {
    for (ArrayAccesses& array : accesses) {
      if (!IsEmpty(array)) Add(operation, std::move(array));
    }
  } catch (const std::bad_alloc&) {
    history_.clear();  // The work itself has been done.
  }
}

void StreamRaces::EndAll(std::size_t device) {
  order_.AwaitAll(device);
  if (order_.devices() > 1) return;  // What others issued may still run.
  history_.clear();
  ranges_ = 0;
}

/// Two kernels may order themselves: one waits for a flag of the other's.
bool StreamRaces::AreOrdered(const Operation& one, const Operation& other) {
  return one.issued.IsAfter(other.issued) || (one.signals && other.signals && (one.waits || other.waits));
}

std::optional<StreamRaces::Conflict> StreamRaces::FindConflict(const ArrayAccesses& first,
                                                               const ArrayAccesses& second) {
  const auto written = [](const ByteRanges& plain, const ByteRanges& strong, const ArrayAccesses& by) {
    auto common = FirstCommon(plain, by.written);
    if (!common) common = FirstCommon(plain, by.strongly_written);
    return common ? common : FirstCommon(strong, by.written);
  };
  const auto read = [&](const ArrayAccesses& reader, const ArrayAccesses& by) {
    if (!reader.swaps || !by.swaps) return written(reader.read, reader.strongly_read, by);
    const auto common = FirstCommon(reader.read, by.written);
    return common ? common : FirstCommon(reader.strongly_read, by.written);
  };
  if (const auto range = read(second, first)) return Conflict{*range, true, false, false};
  if (const auto range = read(first, second)) return Conflict{*range, false, true, false};
  if (const auto range = written(second.changed, second.strongly_written, first))
    return Conflict{*range, true, true, false};
  if (const auto range = written(second.written, {}, first)) return Conflict{*range, true, true, true};
  return std::nullopt;
}

void StreamRaces::RemoveCovered(ArrayAccesses& older, const ArrayAccesses& newer) {
  const auto remove = [](ByteRanges& from, std::initializer_list<const ByteRanges*> covered) {
    for (const ByteRanges* ranges : covered) {
      if (FirstCommon(from, *ranges)) from = Without(from, *ranges);
    }
  };
  remove(older.written, {&newer.written});
  remove(older.read, {&newer.written, &newer.read});
  remove(older.strongly_read, {&newer.written, &newer.read, &newer.strongly_read});
  remove(older.strongly_written, {&newer.written, &newer.strongly_written});
}

void StreamRaces::Add(const std::shared_ptr<const Operation>& operation, ArrayAccesses accesses) {
  ranges_ += CountRanges(accesses);
  if (ranges_ > kMaximumRanges) {
    history_.clear();
    ranges_ = CountRanges(accesses);
  }
  std::vector<Entry>& entries = history_[accesses.array.start];
  const Entry added{operation, std::move(accesses)};
  for (Entry& entry : entries) {
    const Operation& older = *entry.operation;
    if (operation->issued.IsAfter(older.issued)) {
      RemoveCovered(entry.accesses, added.accesses);
    } else if (!AreOrdered(older, *operation)) {
      if (const auto conflict = FindConflict(entry.accesses, added.accesses)) Tell(entry, added, *conflict);
    }
  }
  std::erase_if(entries, [](const Entry& entry) { return IsEmpty(entry.accesses); });
  if (entries.size() == kMaximumEntries) entries.erase(entries.begin());
  entries.push_back(added);
}

Message StreamRaces::NameOf(const StreamOrder::Issued& issued) const {
  if (!issued.device)
    return issued.timeline == 0 ? say::default_stream() : say::numbered_stream(issued.timeline);
  const std::size_t devices = order_.devices();
  if (issued.timeline < devices) return say::default_stream_of_device(*issued.device);
  return say::numbered_stream_of_device(issued.timeline - devices + 1, *issued.device);
}

Message StreamRaces::Describe(const Operation& later, const Operation& earlier, const Conflict& conflict,
                              bool later_writes, bool earlier_writes, const NamedArray& array) const {
  const auto first = static_cast<std::int64_t>(conflict.range.begin - array.start);
  const auto last = static_cast<std::int64_t>(conflict.range.end - array.start) - 1;
  const Message range = first == last ? say::one_byte(first) : say::bytes_between(say::Range(first, last));
  const auto& row = earlier.role == Role::kAllocates ? say::race_with_allocation
                    : earlier.role == Role::kFrees   ? say::race_after_free
                    : later.role == Role::kFrees     ? say::race_with_free
                    : conflict.same_value            ? say::race_of_streams_same_value
                    : !later_writes                  ? say::race_of_streams_read
                    : !earlier_writes                ? say::race_of_streams_write
                                                     : say::race_of_streams_two_writes;
  return row(later.what, NameOf(later.issued), range, array.name, earlier.what, NameOf(earlier.issued));
}

void StreamRaces::Tell(const Entry& one, const Entry& other, const Conflict& conflict) {
  // The one that was issued later is the subject: while it runs, the other may not have ended.
  const bool in_order = one.operation->issued.position < other.operation->issued.position;
  const Entry& earlier = in_order ? one : other;
  const Entry& later = in_order ? other : one;
  const bool earlier_writes = in_order ? conflict.first_writes : conflict.second_writes;
  const bool later_writes = in_order ? conflict.second_writes : conflict.first_writes;

  Finding finding;
  finding.kind = FindingKind::kRaceBetweenStreams;
  finding.severity = conflict.same_value ? Severity::kWarning : Severity::kError;
  finding.space = MemorySpace::kGlobal;
  const bool later_frees = later.operation->role == Role::kFrees;
  finding.access = later_writes || later_frees ? Access::kWrite : Access::kRead;
  finding.other_access = earlier_writes ? Access::kWrite : Access::kRead;
  // A kernel knows the array as its argument, and has lines.
  const bool is_later = !later.operation->kernel.empty() || earlier.operation->kernel.empty();
  const Entry& named = is_later ? later : earlier;
  finding.kernel = named.operation->kernel;
  finding.where = LineOf(named.accesses, conflict.range, is_later ? later_writes : earlier_writes);
  if (is_later && !earlier.operation->kernel.empty()) {
    const SourceLine line = LineOf(earlier.accesses, conflict.range, earlier_writes);
    if (line.line != 0) finding.other = line;
  }
  const NamedArray& array = named.accesses.array;
  finding.object = array.name;
  finding.object_bytes = static_cast<std::int64_t>(array.bytes);
  finding.offset_bytes = static_cast<std::int64_t>(conflict.range.begin - array.start);

  const std::string key = English(later.operation->what) + "|" + English(earlier.operation->what) + "|" +
                          English(array.name) + "|" + std::to_string(finding.where.line) +
                          (later_writes ? "w" : "r") + (earlier_writes ? "w" : "r") +
                          (conflict.same_value ? "s" : "");
  const auto known = reported_.find(key);
  if (known != reported_.end()) return report_(known->second);

  finding.message =
      Describe(*later.operation, *earlier.operation, conflict, later_writes, earlier_writes, array);
  if (reported_.size() < kMaximumReports) reported_.emplace(key, finding);
  report_(std::move(finding));
}

}  // namespace warplings
