// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/observed_call.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "grader/messages/calls.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/messages/judging.h"
#include "grader/messages/refusals.h"
#include "grader/suite/evidence.h"

namespace warplings {
namespace {

void AddPending(CallReport& report, const std::vector<PendingWork>& pending) {
  if (pending.empty()) return;
  report.unclean = true;
  const Message& first = pending.front().what;
  report.Add(
      Verdict::kNotSynchronised,
      pending.size() == 1 ? say::work_pending(first) : say::work_pending_and_more(first, pending.size() - 1),
      say::wait_for_your_stream());
}

Finding WriteOutside(const CallArray& array, std::int64_t offset) {
  Finding finding;
  finding.kind = FindingKind::kOutOfBounds;
  finding.space = MemorySpace::kGlobal;
  finding.access = Access::kWrite;
  finding.object = array.label;
  finding.object_bytes = static_cast<std::int64_t>(array.bytes.size());
  finding.offset_bytes = offset;
  const std::int64_t past = offset - finding.object_bytes;
  const auto bytes = [](std::int64_t count) { return say::Count(count, "byte"); };
  const say::Count length = bytes(finding.object_bytes);
  finding.message = offset < 0  ? say::written_before_start(bytes(-offset), finding.object, length)
                    : past == 0 ? say::written_right_past_end(finding.object, length)
                                : say::written_past_end(bytes(past), finding.object, length);
  return finding;
}

/// Whether it is read after the call.
bool IsRead(const CallRequest& request, const CallArray& array) {
  return !request.is_probe || array.role != CallArray::Role::kInput;
}

void ReadBack(CallReport& report, const CallRequest& request, const std::vector<DeviceArray>& arrays,
              const std::vector<DeviceArray::Image>& images) {
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const CallArray& array = request.arrays[i];
    if (!images[i].read) {
      report.unclean = true;
      report.contents.clear();
      report.Add(Verdict::kLaunchFailed, say::device_answers(images[i].read.error().message),
                 say::findings_say_where());
      return;
    }
    if (!IsRead(request, array)) {
      report.contents.emplace_back();
      continue;
    }
    DeviceArray::Content content = arrays[i].ContentOf(images[i]);
    if (content.first_outside != 0) report.findings.push_back(WriteOutside(array, content.first_outside));
    if (array.role == CallArray::Role::kInput && content.bytes != array.bytes) {
      const auto differ = std::ranges::mismatch(content.bytes, array.bytes).in1 - content.bytes.begin();
      report.Add(Verdict::kInputModified, say::input_changed(array.label, differ), say::write_output_only());
    }
    report.contents.push_back(std::move(content.bytes));
  }
}

/// An input that was written stays an input that was written, whatever it holds in the end.
void AddWrittenInputs(CallReport& report, const CallRequest& request) {
  for (const ArrayWriters& writers : report.writers) {
    const auto array = std::ranges::find(request.arrays, writers.label, &CallArray::label);
    if (array == request.arrays.end() || array->role != CallArray::Role::kInput) continue;
    if (writers.by_nobody == writers.words) continue;
    report.Add(Verdict::kInputModified, say::input_written(writers.label), say::only_read_inputs());
  }
}

/// "line 32: reads 4 bytes of shared array Nds before anything is written there".
Message Describe(const Finding& finding) {
  if (finding.where.line == 0) return finding.message;
  return say::in_line(finding.where.line, finding.message);
}

/// The verdict that a finding of severity error means.
Verdict VerdictOf(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::kInvalidLaunch:
    case FindingKind::kInvalidCall: return Verdict::kLaunchFailed;
    case FindingKind::kDeadlock:
    case FindingKind::kEndlessLoop: return Verdict::kTimeLimit;
    // A gap of ours, said by its name. No fault of the grader's, which a submission could call up at will
    // beside a wrong answer.
    case FindingKind::kUnsupported: return Verdict::kFinding;
    default: return Verdict::kFinding;
  }
}

say::Line LineOf(const Finding& finding) {
  return finding.where.line;
}

/// Of a race: the other access's line, where it is another one that is known.
std::optional<say::Line> OtherLineOf(const Finding& finding) {
  if (!finding.other || finding.other->line == 0 || *finding.other == finding.where) return std::nullopt;
  return say::Line(finding.other->line);
}

say::Thread ThreadOf(const Finding& finding) {
  return {finding.thread.x, finding.thread.y, finding.thread.z};
}

say::Thread BlockOf(const Finding& finding) {
  return {finding.block.x, finding.block.y, finding.block.z};
}

/// The suite's array that a finding is about; null for other memory.
const CallArray* ArrayOf(const Finding& finding, const CallRequest& request) {
  const auto array = std::ranges::find(request.arrays, English(finding.object), &CallArray::label);
  return finding.space == MemorySpace::kGlobal && array != request.arrays.end() ? &*array : nullptr;
}

/// Which element an access begins at; nothing where it does not begin at one, or of what array is unknown.
std::optional<std::int64_t> ElementOf(const Finding& finding, const CallArray* array) {
  if (array == nullptr || array->element_bytes == 0) return std::nullopt;
  const auto size = static_cast<std::int64_t>(array->element_bytes);
  if (finding.offset_bytes % size != 0 || finding.access_bytes % size != 0) return std::nullopt;
  return finding.offset_bytes / size;
}

/// Whether it is about the shared array whose size the launch gives.
bool IsOfDynamicArray(const Finding& finding, const CallReport& report) {
  return finding.space == MemorySpace::kShared &&
         std::ranges::any_of(report.launches, [&](const LaunchRecord& launch) {
           return launch.dynamic_shared_bytes > 0 && finding.object_bytes == launch.dynamic_shared_bytes;
         });
}

/// Memory that a pointer led to is an argument or an allocation; a name is that of a variable.
bool HasNoName(const Finding& finding) {
  return finding.object.empty() || say::argument.Made(finding.object) ||
         say::an_allocation.Made(finding.object);
}

/// An array that the submission declares: a __device__ variable.
bool IsOwnArray(const Finding& finding, const CallRequest& request) {
  return finding.space == MemorySpace::kGlobal && ArrayOf(finding, request) == nullptr && !HasNoName(finding);
}

/// Of an access to an array that the submission declares: its element, taken for as wide as the access.
/// Wider accesses than of a word may take several elements, and an array whose size the launch gives is cut
/// into arrays of any type.
std::optional<std::int64_t> ElementOfOwn(const Finding& finding, const CallRequest& request,
                                         const CallReport& report) {
  constexpr std::uint32_t kWord = 4;
  const bool is_shared = finding.space == MemorySpace::kShared && !HasNoName(finding);
  if (!(is_shared || IsOwnArray(finding, request)) || IsOfDynamicArray(finding, report)) return std::nullopt;
  const std::int64_t size = finding.access_bytes;
  if (size == 0 || size > kWord || finding.offset_bytes < 0) return std::nullopt;
  if (finding.offset_bytes % size != 0 || finding.object_bytes % size != 0) return std::nullopt;
  return finding.offset_bytes / size;
}

Message VerbOf(const Finding& finding) {
  return finding.access == Access::kRead    ? say::reads()
         : finding.access == Access::kWrite ? say::writes()
                                            : say::atomically_updates();
}

/// Of an access to an array that the submission declares: "writes element 66900 of `turned`, which has
/// 65536 elements (the last is 65535)".
void NameOwnElements(Finding& finding, const CallRequest& request, const CallReport& report) {
  const std::optional<std::int64_t> element = ElementOfOwn(finding, request, report);
  if (!element || say::index_below_zero.Made(finding.message)) return;
  // The name of a variable reads like a word of the sentence.
  const Message object =
      IsOwnArray(finding, request) ? say::name_in_code(English(finding.object)) : finding.object;
  const bool is_outside = finding.kind == FindingKind::kOutOfBounds && finding.object_bytes > 0 &&
                          finding.offset_bytes >= finding.object_bytes;
  if (is_outside) {
    const std::int64_t count = finding.object_bytes / finding.access_bytes;
    Message outside = say::numbered_element_past_end(VerbOf(finding), *element, object,
                                                     say::Count(count, "element"), count - 1);
    if (say::launch_gives_unused_bytes.Made(finding.message)) {
      finding.message.arguments().at(0).inner = {std::move(outside)};
    } else {
      finding.message = std::move(outside);
    }
  }
  if (finding.kind == FindingKind::kUninitialised)
    finding.message = say::read_unwritten_element(say::NumberedElement(object, *element));
}

/// Of an access that leaves one of the suite's arrays: "reads `M[16]`, but `M` has 1 element". The device
/// knows bytes only.
void NameElements(Finding& finding, const CallRequest& request) {
  if (finding.kind != FindingKind::kOutOfBounds || finding.access_bytes == 0) return;
  const CallArray* array = ArrayOf(finding, request);
  const std::optional<std::int64_t> first = ElementOf(finding, array);
  if (!first) return;
  if (say::index_below_zero.Made(finding.message)) {
    finding.message.arguments().at(1).inner = {say::element_of(finding.object, *first)};
    return;
  }
  const Message verb = VerbOf(finding);
  const auto size = static_cast<std::int64_t>(array->element_bytes);
  const std::int64_t last = *first + finding.access_bytes / size - 1;
  const say::Count elements(finding.object_bytes / size, "element");
  finding.message = *first < 0 ? say::element_before_start(verb, finding.object, *first)
                               : say::ElementsPastEnd(verb, finding.object, *first, last, elements);
}

/// "`P[4]`", "one element of shared array `Mds`".
Message PlaceOf(const Finding& finding, const CallRequest& request) {
  const std::optional<std::int64_t> element = ElementOf(finding, ArrayOf(finding, request));
  return element ? say::element_of(finding.object, *element) : say::OneElementOf(finding.object);
}

/// Other memory that a pointer led to is the submission's own.
bool IsOwnAllocation(const Finding& finding, const CallRequest& request) {
  const bool is_labelled = std::ranges::count(request.arrays, English(finding.object), &CallArray::label) > 0;
  return !is_labelled && (say::argument.Made(finding.object) || say::an_allocation.Made(finding.object));
}

/// Whether an access of several elements begins inside its array, so that its index is right.
bool BeginsInside(const Finding& finding) {
  return (say::elements_past_end.Made(finding.message) || say::two_elements_past_end.Made(finding.message)) &&
         finding.offset_bytes >= 0 && finding.offset_bytes < finding.object_bytes;
}

/// Whether the very first thread stores past the end: an index that begins at 0 does not, so that the pointer
/// may begin elsewhere.
bool IsOfFirstThread(const Finding& finding) {
  const bool is_first = finding.thread == Dim3{0, 0, 0} && finding.block == Dim3{0, 0, 0};
  return is_first && finding.access != Access::kRead && say::element_past_end.Made(finding.message);
}

/// Whether all threads of its kernel's grid stand in one row, each for one element, and this one's number is
/// the index that leaves the array.
bool IsOfThreadWithoutElement(const Finding& finding, const CallRequest& request, const CallReport& report) {
  const std::optional<std::int64_t> element = ElementOf(finding, ArrayOf(finding, request));
  bool is_launched = false;
  for (const LaunchRecord& launch : report.launches) {
    if (launch.kernel != finding.kernel) continue;
    is_launched = true;
    const bool in_one_row = launch.grid.y * launch.grid.z * launch.block.y * launch.block.z == 1;
    const std::int64_t number = std::int64_t{finding.block.x} * launch.block.x + finding.thread.x;
    if (!in_one_row || element != number) return false;
  }
  // Of one element, the next index is every thread's that goes one too far, in a tile as well.
  const bool is_by_chance = finding.object_bytes <= static_cast<std::int64_t>(finding.access_bytes);
  return is_launched && !is_by_chance && say::element_past_end.Made(finding.message);
}

/// Whether what is stored into the shared array stays inside it, so that a load outside is not one of an
/// array too small.
bool LoadsFartherThanStores(const Finding& load, const CallReport& report) {
  const auto stores_outside = [&](const Finding& each) {
    return each.kind == FindingKind::kOutOfBounds && each.space == MemorySpace::kShared &&
           each.kernel == load.kernel && each.access != Access::kRead;
  };
  return load.access == Access::kRead && std::ranges::none_of(report.findings, stores_outside);
}

Message NextStepOfShared(const Finding& finding, const CallReport& report) {
  const say::Line line = LineOf(finding);
  const say::Thread thread = ThreadOf(finding), block = BlockOf(finding);
  if (say::launch_gives_no_bytes.Made(finding.message))
    return say::dynamic_array_without_bytes(line, thread, block, finding.message);
  if (finding.offset_bytes < 0) return say::shared_index_before(line, thread, block, finding.message);
  if (LoadsFartherThanStores(finding, report))
    return say::shared_load_outside(line, thread, block, finding.message);
  if (!IsOfDynamicArray(finding, report))
    return say::shared_index_outside(line, thread, block, finding.message);
  return say::dynamic_index_outside(line, finding.object, say::Count(finding.object_bytes, "byte"),
                                    say::Count(finding.access_bytes, "byte"));
}

/// Of memory that the submission allocated, in this call or in one before it.
Message NextStepOfOwnAllocation(const Finding& finding) {
  const say::Line line = LineOf(finding);
  if (finding.offset_bytes < 0)
    return say::own_allocation_before(line, ThreadOf(finding), BlockOf(finding), finding.message);
  // Its name would be its size.
  const Message object = say::an_allocation.Made(finding.object) ? say::own_memory() : finding.object;
  const say::Count size(finding.object_bytes, "byte");
  return say::of_size_from_earlier_call.Made(finding.message)
             ? say::old_allocation_outside(line, object, size)
             : say::own_allocation_outside(line, object, size);
}

Message NextStepOfOutside(const Finding& finding, const CallRequest& request, const CallReport& report) {
  const say::Line line = LineOf(finding);
  const say::Thread thread = ThreadOf(finding), block = BlockOf(finding);
  const Message& what = finding.message;
  if (finding.space == MemorySpace::kShared) return NextStepOfShared(finding, report);
  if (finding.space == MemorySpace::kLocal) return say::local_index_outside(line, thread, block, what);
  if (IsOwnAllocation(finding, request)) return NextStepOfOwnAllocation(finding);
  if (IsOwnArray(finding, request)) return say::own_array_outside(line, thread, block, what);
  if (BeginsInside(finding)) return say::elements_outside(line, thread, block, what);
  const Message why =
      IsOfFirstThread(finding) ? say::which_element_of_first(finding.object)
      : IsOfThreadWithoutElement(finding, request, report)
          ? say::thread_without_element(*ElementOf(finding, ArrayOf(finding, request)), finding.object)
          : say::which_element_if_any(finding.object);
  return say::index_outside(line, thread, block, what, why);
}

/// A null pointer that a thread used: empty arrays have one.
Message NextStepOfNull(const Finding& finding, const CallReport& report) {
  if (report.empty_arrays.empty()) return say::null_pointer_used(LineOf(finding));
  const std::vector<std::string>& labels = report.empty_arrays;
  Message names = say::name_in_code(labels.front());
  for (std::size_t i = 1; i < labels.size(); ++i)
    names =
        i + 1 < labels.size() ? say::and_then_name(names, labels[i]) : say::and_last_name(names, labels[i]);
  return say::pointer_of_empty_array(LineOf(finding), names);
}

/// Threads that wait for some that do not come, or go round for ever.
Message NextStepOfWaiting(const Finding& finding) {
  const say::Line line = LineOf(finding);
  switch (finding.kind) {
    case FindingKind::kEndlessLoop: return say::follow_the_loop(line);
    case FindingKind::kDeadlock:
      return say::deadlock_in_mask.Made(finding.message) ? say::which_lanes_come(line)
                                                         : say::follow_who_waits(line);
    default:
      return finding.other && finding.other->line != 0 && finding.other->line != finding.where.line
                 ? say::two_barriers_of_a_block(line, finding.other->line)
                 : say::which_threads_skip(line);
  }
}

/// What the message of a race within a block says of its two threads.
struct RacingThreads {
  Message verb, other, other_verb;
  bool in_warp = false;
};

std::optional<RacingThreads> ThreadsOf(const Finding& race) {
  const Message& said = race.message;
  const bool in_warp = say::race_in_warp.Made(said) || say::race_in_warp_volatile.Made(said);
  const bool in_passes = say::race_before_next_write.Made(said) || say::race_before_next_read.Made(said) ||
                         say::race_with_later_write.Made(said);
  if (!in_warp && !in_passes && !say::race_in_block.Made(said) && !say::race_same_instruction.Made(said))
    return std::nullopt;
  const auto part = [&](std::size_t i) { return said.arguments().at(i).inner.at(0); };
  RacingThreads threads{part(0), part(2), part(3), in_warp};
  if (say::another_thread_of_warp.Made(threads.other)) {
    threads.other = say::another_thread();
  } else if (say::other_thread_of_warp.Made(threads.other)) {
    std::vector<Argument> index = threads.other.arguments();
    threads.other = say::other_thread({0, 0, 0});
    threads.other.arguments() = std::move(index);
  }
  return threads;
}

/// Whether the line that stores to one of the suite's arrays loads as well, in a kernel that loads from this
/// very array: "P[i] += x".
bool LoadsWhatItStores(const Finding& race, const CallRequest& request, const CallReport& report) {
  const CallArray* stored = ArrayOf(race, request);
  if (OtherLineOf(race) || stored == nullptr) return false;
  return std::ranges::any_of(report.launches, [&](const LaunchRecord& launch) {
    const bool loads_array = std::ranges::any_of(launch.arrays, [&](const ArrayTraffic& traffic) {
      return traffic.label == stored->label && traffic.load_bytes > 0;
    });
    return loads_array && std::ranges::any_of(launch.lines, [&](const LineCounts& line) {
             return line.where == race.where && line.counts.global_load_requests > 0;
           });
  });
}

Message NextStepOfStoringBlocks(const Finding& finding, const Message& place, bool changes) {
  const say::Line line = LineOf(finding);
  if (changes) return say::changing_blocks(place, line);
  if (const auto other = OtherLineOf(finding)) return say::storing_blocks_and_lines(place, line, *other);
  return say::storing_blocks(place, line, ThreadOf(finding), BlockOf(finding));
}

/// Two threads that store into one place.
Message NextStepOfTwoStores(const Finding& finding, const CallRequest& request, const CallReport& report) {
  const std::optional<say::Line> other = OtherLineOf(finding);
  const std::optional<RacingThreads> threads = ThreadsOf(finding);
  Message place = PlaceOf(finding, request);
  if (!other && say::one_element_of.Made(place)) place = say::SameElementOf(finding.object);
  const bool changes = LoadsWhatItStores(finding, request, report);
  if (say::IsBetweenBlocks(finding.message)) return NextStepOfStoringBlocks(finding, place, changes);
  const say::Line line = LineOf(finding);
  if (say::shared_variable.Made(finding.object) && !changes)
    return other ? say::stores_to_variable_in_lines(finding.object, line, *other)
                 : say::stores_to_variable(finding.object, line);
  Message where = other ? say::two_stores_of_two_lines(say::SameElementOf(finding.object), line, *other)
                        : say::two_stores_of_one_line(say::SameElementOf(finding.object), line);
  if (threads) {
    const say::Thread thread = ThreadOf(finding), block = BlockOf(finding);
    if (changes) return say::changing_threads(thread, threads->other, block, place, line);
    where = other ? say::storing_threads_and_lines(thread, threads->other, block, place, line, *other)
                  : say::storing_threads(thread, threads->other, block, place, line);
  }
  if (finding.space != MemorySpace::kShared || other)
    return where;  // Of two lines, one may have to be first.
  return say::both(where, say::barrier_decides_which_stays());
}

Message NextStepOfRace(const Finding& finding, const CallRequest& request, const CallReport& report) {
  if (BothStore(finding)) return NextStepOfTwoStores(finding, request, report);
  if (IsOfAsyncCopy(finding)) return say::wait_for_the_copy();
  const say::Line line = LineOf(finding);
  const std::optional<say::Line> other = OtherLineOf(finding);
  const Message place = PlaceOf(finding, request);
  const auto verb = [](Access access) {
    if (access == Access::kAtomic) return Message(say::atomically_updates());
    return access == Access::kRead ? Message(say::reads()) : Message(say::writes());
  };
  if (say::IsBetweenBlocks(finding.message) && finding.other_access) {
    return say::racing_blocks(verb(finding.access), place, line, verb(*finding.other_access),
                              other.value_or(line));
  }
  const std::optional<RacingThreads> threads = ThreadsOf(finding);
  if (!threads) {
    return other ? say::race_of_two_lines(say::SameElementOf(finding.object), line, *other)
                 : say::race_of_one_line(say::SameElementOf(finding.object), line);
  }
  if (const Message race = RaceOfPasses(finding, report.launches, report.findings); !race.empty()) {
    return say::both(race, say::race_with_next_pass.Made(race)    ? say::who_waits_after_pass()
                           : say::race_with_later_pass.Made(race) ? say::who_fills_before_reading()
                                                                  : say::who_waits_before_reading());
  }
  const auto& [does, who, other_does, in_warp] = *threads;
  const Message step = other
                           ? say::racing_lines(ThreadOf(finding), does, place, line, who, other_does, *other)
                           : say::racing_line(ThreadOf(finding), does, place, line, who, other_does);
  return in_warp ? say::both(step, say::lanes_need_it_too()) : step;
}

/// Shared memory that nobody has stored. Where a block's warps store an element each, the first that they do
/// not store has the number of warps.
Message NextStepOfUnstored(const Finding& finding, const CallRequest& request, const CallReport& report) {
  const say::Line line = LineOf(finding);
  const std::optional<std::int64_t> element = ElementOfOwn(finding, request, report);
  if (!element) return say::nobody_stored_shared(say::byte_of(finding.object, finding.offset_bytes), line);
  const Message place = say::NumberedElement(finding.object, *element);
  constexpr std::int64_t kLanes = 32;
  const auto is_of_warps = [&](const LaunchRecord& launch) {
    const auto warps = static_cast<std::int64_t>((launch.block.Volume() + kLanes - 1) / kLanes);
    return launch.kernel == finding.kernel && warps > 1 && warps == *element;
  };
  const bool one_each = finding.object_bytes <= kLanes * finding.access_bytes;
  if (one_each && std::ranges::any_of(report.launches, is_of_warps))
    return say::only_warps_stored(place, line, say::Count(*element, "warp"));
  const auto launch = std::ranges::find(report.launches, finding.kernel, &LaunchRecord::kernel);
  const bool has_thread =
      launch == report.launches.end() || *element < static_cast<std::int64_t>(launch->block.Volume());
  if (has_thread) return say::nobody_stored_shared(place, line);
  return say::threads_did_not_store_shared(place, line, say::Count(launch->block.Volume(), "thread"));
}

Message NextStepOfUnstoredGlobal(const Finding& finding, const CallRequest& request) {
  const CallArray* array = ArrayOf(finding, request);
  const auto& row = array != nullptr && array->role == CallArray::Role::kOutput ? say::output_has_no_value
                                                                                : say::nobody_stored;
  return row(PlaceOf(finding, request), LineOf(finding));
}

/// What to ask of the line that a finding names.
Message NextStepOfAccess(const Finding& finding, const CallRequest& request, const CallReport& report) {
  const say::Line line = LineOf(finding);
  const bool has_object = !finding.object.empty();
  switch (finding.kind) {
    case FindingKind::kOutOfBounds:
      if (say::null_pointer.Made(finding.message)) return NextStepOfNull(finding, report);
      if (say::argument_outside_memory.Made(finding.message))
        return say::argument_is_no_device_memory(line, VerbOf(finding),
                                                 say::argument(finding.message.arguments().at(2).number));
      if (say::index_below_zero.Made(finding.message) || say::offset_below_zero.Made(finding.message)) {
        return say::unsigned_index_below_zero(line, ThreadOf(finding), BlockOf(finding), finding.message);
      }
      if (say::outside_allocations.Made(finding.message))
        return say::check_the_index_first(line, ThreadOf(finding), BlockOf(finding));
      return has_object ? NextStepOfOutside(finding, request, report) : say::follow_the_pointer(line);
    case FindingKind::kUseAfterFree:
      return has_object ? say::used_after_free(line) : say::follow_the_pointer(line);
    case FindingKind::kUninitialised:
      if (!has_object) return say::own_value_never_stored(line);
      return finding.space == MemorySpace::kShared ? NextStepOfUnstored(finding, request, report)
                                                   : NextStepOfUnstoredGlobal(finding, request);
    case FindingKind::kDivergentBarrier:
      return say::part_of_warp_at_matrix.Made(finding.message) ? say::whole_warp_together(line)
                                                               : NextStepOfWaiting(finding);
    case FindingKind::kMaskWithoutLane: return say::which_lanes_execute(line);
    case FindingKind::kTrap: return say::values_where_it_stopped(line, ThreadOf(finding), BlockOf(finding));
    case FindingKind::kInvalidCall: return say::arguments_of_refused_call();
    case FindingKind::kRaceBetweenStreams: return say::order_your_streams();
    case FindingKind::kRace:
      return has_object ? NextStepOfRace(finding, request, report) : say::look_at_lines();
    case FindingKind::kMisaligned:
      if (!has_object) return say::look_at_lines();
      return say::which_byte_begins(finding.object, line, finding.access_bytes, finding.access_bytes);
    default: return say::look_at_lines();
  }
}

/// A launch that is larger than the card or the kernel allows says so; of others only that they failed is
/// known.
Message NextStepOfLaunch(const Finding& finding, const CallRequest& request, const CallReport& report) {
  const bool has_output = std::ranges::any_of(request.arrays, [](const CallArray& array) {
    return array.role != CallArray::Role::kInput && !array.bytes.empty();
  });
  if (Refused(finding, say::no_blocks.id)) {
    if (!has_output) return say::grid_for_nothing();
    const bool is_beside_others = std::ranges::any_of(
        report.launches, [&](const LaunchRecord& launch) { return launch.kernel != finding.kernel; });
    return is_beside_others ? say::grid_of_zero_beside() : say::grid_of_zero();
  }
  if (Refused(finding, say::no_threads.id)) return say::block_of_zero();
  const Message reason =
      finding.message.arguments().size() > 1 && !finding.message.arguments()[1].inner.empty()
          ? finding.message.arguments()[1].inner[0]
          : Message();
  if (HasTooManyThreads(finding)) return say::block_too_large(reason);
  for (const std::string_view limit :
       {say::block_too_deep.id, say::grid_too_large.id, say::more_threads_than_promised.id,
        say::shared_memory_of_card.id, say::too_many_registers.id, say::cooperative_launch_too_large.id}) {
    if (Refused(finding, limit)) return say::launch_too_large(reason);
  }
  if (Refused(finding, say::shared_memory_without_attribute.id)) return say::launch_needs_less_shared(reason);
  return say::look_at_launch();
}

Message NextStepOf(const Finding& finding, Verdict verdict, const CallRequest& request,
                   const CallReport& report) {
  if (finding.kind == FindingKind::kUnsupported) return say::write_without_it();
  switch (verdict) {
    case Verdict::kLaunchFailed:
      return finding.kind == FindingKind::kInvalidCall ? say::arguments_of_refused_call()
                                                       : NextStepOfLaunch(finding, request, report);
    case Verdict::kTimeLimit: return NextStepOfWaiting(finding);
    default: return NextStepOfAccess(finding, request, report);
  }
}

/// Of several findings the one with the lowest rank is the likeliest cause of the others: threads out of
/// step race, and a race reads what is not written yet. Threads of an endless loop miss the next barrier.
int CauseRank(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::kEndlessLoop: return -1;
    case FindingKind::kDivergentBarrier:
    case FindingKind::kMaskWithoutLane: return 0;
    case FindingKind::kRace:
    case FindingKind::kRaceBetweenStreams: return 1;
    case FindingKind::kUninitialised: return 3;
    default: return 2;
  }
}

/// Whether the thread of this race leaves an array in one of the race's two lines: one that works although
/// there is no element left for it also meets others at the elements that it does use. Or whether one of
/// these lines leaves another array, so that it may have come to this one by that.
bool IsOfThreadOutside(const Finding& race, const std::vector<const Finding*>& errors) {
  const auto leads_here = [&](const Finding* each) { return MayFollowFromOutside(race, *each); };
  if (std::ranges::any_of(errors, leads_here)) return true;
  return race.kind == FindingKind::kRace && !say::IsBetweenBlocks(race.message) &&
         std::ranges::any_of(errors, [&](const Finding* each) {
           return each->kind == FindingKind::kOutOfBounds && each->kernel == race.kernel &&
                  each->block == race.block && each->thread == race.thread &&
                  (each->where == race.where || each->where == race.other);
         });
}

/// Whether this is the first of a call's errors, a read of what nothing has written, and all others are of
/// later kernels: these go wrong because of the numbers that they get.
bool IsReadBeforeLaterKernels(const Finding& finding, const std::vector<const Finding*>& errors) {
  const auto is_later = [&](const Finding* each) {
    return each->kind == FindingKind::kUninitialised ||
           (!each->kernel.empty() && each->kernel != finding.kernel);
  };
  return finding.kind == FindingKind::kUninitialised && !finding.kernel.empty() &&
         errors.front() == &finding && std::ranges::all_of(errors, is_later);
}

/// An access outside an array that came before this refusal of a copy, whose pointer is outside, too: the
/// array may be too small for both. Null where there is none.
const Finding* OutsideBefore(const Finding& refusal, const std::vector<Finding>& findings) {
  if (!Refused(refusal, say::not_live_memory.id) && !Refused(refusal, say::past_an_allocation.id))
    return nullptr;
  const auto end = std::ranges::find_if(findings, [&](const Finding& each) { return &each == &refusal; });
  const auto first = std::find_if(findings.begin(), end, [](const Finding& each) {
    return each.kind == FindingKind::kOutOfBounds && each.severity == Severity::kError &&
           each.space == MemorySpace::kGlobal && each.object_bytes > 0;
  });
  return first == end ? nullptr : &*first;
}

/// Of a race between two passes of a loop: where no barrier is, as one stands between the two lines.
void NamePasses(Finding& finding, const CallReport& report) {
  const Message race = RaceOfPasses(finding, report.launches, report.findings);
  const std::optional<RacingThreads> threads = ThreadsOf(finding);
  if (race.empty() || !threads) return;
  std::vector<Argument> arguments = finding.message.arguments();
  // All warps need the barrier, also where the two threads that were seen are of one.
  arguments.at(2).inner.at(0) = threads->other;
  const Message none;
  finding.message = say::race_with_next_pass.Made(race) ? say::race_before_next_write(none, none, none, none)
                    : say::race_with_later_pass.Made(race)
                        ? say::race_with_later_write(none, none, none, none)
                        : say::race_before_next_read(none, none, none, none);
  finding.message.arguments() = std::move(arguments);
}

void AddFindings(CallReport& report, const CallRequest& request) {
  std::vector<const Finding*> errors;
  for (Finding& finding : report.findings) {
    NameElements(finding, request);
    NameOwnElements(finding, request, report);
    NamePasses(finding, report);
    if (finding.severity == Severity::kError) errors.push_back(&finding);
  }
  constexpr int kFirstOfAll = -2, kBehindOutside = 3;
  const std::vector<const Finding*> all = errors;
  std::ranges::stable_sort(errors, {}, [&](const Finding* finding) {
    if (IsReadBeforeLaterKernels(*finding, all)) return kFirstOfAll;
    return IsOfThreadOutside(*finding, all) ? kBehindOutside : CauseRank(*finding);
  });
  for (const Finding* finding : errors) {
    const Verdict verdict = VerdictOf(*finding);
    if (report.Add(verdict, Describe(*finding), NextStepOf(*finding, verdict, request, report)))
      report.advised = static_cast<std::size_t>(finding - report.findings.data());
    // A kernel that was broken off leaves its device in a state that no later test should meet.
    if (verdict == Verdict::kTimeLimit || finding->kind == FindingKind::kTrap) report.unclean = true;
  }
  const Finding* outside =
      report.advised ? OutsideBefore(report.findings[*report.advised], report.findings) : nullptr;
  if (outside != nullptr) {
    report.reason = Describe(*outside);
    report.next_step = NextStepOf(*outside, VerdictOf(*outside), request, report);
    report.advised = static_cast<std::size_t>(outside - report.findings.data());
  }
  // That the device answers nothing more follows from where a kernel stopped.
  const auto stop = std::ranges::find_if(errors, [](const Finding* each) { return each->where.line > 0; });
  if (stop == errors.end() || !say::findings_say_where.Made(report.next_step)) return;
  report.reason = Describe(**stop);
  report.next_step = NextStepOf(**stop, VerdictOf(**stop), request, report);
  report.advised = static_cast<std::size_t>(*stop - report.findings.data());
}

/// Fills the arrays, chooses what is observed and lets the submission ask for things. What is left of an
/// earlier call is dropped: it belongs to that one.
CudaStatus Begin(DeviceClient& device, const CallRequest& request, const std::vector<DeviceArray>& arrays,
                 CallReport& report) {
  CudaStatus filled = Unit{};
  CallBatch batch(device);
  for (std::size_t i = 0; i < arrays.size(); ++i) arrays[i].AddFill(batch, request.arrays[i], filled);
  batch.Add(protocol::SetObservation{{.checks = !request.is_probe,
                                      .max_warp_instructions = request.max_warp_instructions,
                                      .work = request.detailed,
                                      .arrays = !request.is_probe,
                                      .accesses = request.detailed,
                                      .block_order = request.block_order}});
  batch.Add(protocol::TakeFindings{});
  batch.Add(protocol::TakeLaunches{});
  if (request.client) {
    batch.Add(protocol::HoldClient{*request.client, false},
              [&](auto served) { AddHold(report, served, device); });
  }
  batch.Ask();
  return filled;
}

/// Holds the submission again, and asks what it left and what was seen of it.
void End(DeviceClient& device, const CallRequest& request, const std::vector<DeviceArray>& arrays,
         CallReport& report) {
  CallBatch batch(device);
  std::vector<PendingWork> pending;
  std::vector<DeviceArray::Image> images(arrays.size());
  if (request.client) {
    batch.Add(protocol::HoldClient{*request.client, true},
              [&](auto served) { AddHold(report, served, device); });
  }
  batch.Add(protocol::ListPendingWork{}, [&](auto reply) {
    if (reply) pending = std::move(*reply);
  });
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (IsRead(request, request.arrays[i])) arrays[i].AddRead(batch, images[i]);
  }
  std::vector<Finding> findings;
  batch.Add(protocol::TakeFindings{}, [&](auto reply) {
    if (reply) findings = std::move(*reply);
  });
  batch.Add(protocol::TakeLaunches{}, [&](auto reply) {
    if (reply) report.launches = std::move(*reply);
  });
  batch.Add(protocol::ListArrayWriters{}, [&](auto reply) {
    if (reply) report.writers = std::move(*reply);
  });
  batch.Add(protocol::TakePrinted{}, [&](auto reply) {
    if (reply) report.printed += *reply;
  });
  if (request.at_end) request.at_end(batch);
  batch.Ask();
  AddPending(report, pending);
  ReadBack(report, request, arrays, images);
  std::ranges::move(findings, std::back_inserter(report.findings));
}

/// The reason, naming the call with other elements: the test's own inputs may well be right for it. The line
/// stays in front, where reports look for it.
Message InCallBefore(const std::string& label, const Message& reason) {
  if (!say::in_line.Made(reason)) return say::in_call_with_other_elements(label, reason);
  const std::vector<Argument>& arguments = reason.arguments();
  return say::in_line(static_cast<int>(arguments[0].number),
                      say::in_call_with_other_elements(label, arguments[1].inner.front()));
}

CallReport RefusedArrays(const CudaFault& fault) {
  CallReport report;
  report.unclean = true;
  report.Add(Verdict::kGraderFault, say::device_refuses_arrays(fault.message));
  return report;
}

/// One call, observed from its beginning.
CallReport ObserveOnce(DeviceClient& device, const CallRequest& request,
                       const std::vector<DeviceArray>& arrays) {
  CallReport report;
  if (const CudaStatus filled = Begin(device, request, arrays, report); !filled)
    return RefusedArrays(filled.error());
  report.findings = request.load_findings;
  report.has_no_inputs = std::ranges::all_of(
      request.arrays, [](const CallArray& array) { return array.role == CallArray::Role::kOutput; });
  for (const CallArray& array : request.arrays) {
    if (array.bytes.empty()) report.empty_arrays.push_back(array.label);
  }

  std::vector<DevicePointer> pointers;
  for (const DeviceArray& array : arrays) pointers.push_back(array.pointer());
  CallOutcome outcome = request.call(pointers);
  report.unclean = outcome.verdict != Verdict::kPassed;
  report.Add(outcome.verdict, std::move(outcome.reason), std::move(outcome.next_step));
  report.printed = std::move(outcome.printed);

  End(device, request, arrays, report);
  AddWrittenInputs(report, request);
  AddFindings(report, request);
  return report;
}

}  // namespace

bool CallReport::Add(Verdict other, Message other_reason, Message other_next_step) {
  if (other == verdict || Worse(verdict, other) != other) return false;
  verdict = other;
  reason = std::move(other_reason);
  next_step = std::move(other_next_step);
  advised.reset();
  return true;
}

void AddHold(CallReport& report, const CudaResult<protocol::Served>& served, const DeviceClient& device) {
  if (!served && !device.alive()) return;
  if (!served) {
    report.Add(Verdict::kGraderFault, say::device_cannot_hold(served.error().message));
  } else if (served->resets != 0) {
    report.Add(Verdict::kFinding, say::device_reset_by_call(), say::leave_device_as_it_was());
  }
}

CallReport ObserveCall(DeviceClient& device, const CallRequest& request, std::vector<DeviceArray>& arrays) {
  if (!DeviceArray::Fit(arrays, request.arrays)) {
    arrays.clear();
    auto allocated = DeviceArray::AllocateAll(device, request.arrays, request.fence);
    if (!allocated) return RefusedArrays(allocated.error());
    arrays = std::move(*allocated);
  }
  if (request.changed_before < 0) return ObserveOnce(device, request, arrays);
  CallRequest other = request;
  other.detailed = false;
  const auto changed = static_cast<std::size_t>(request.changed_before);
  other.arrays[changed].bytes = OtherElementsOf(request.arrays[changed]);
  CallReport before = ObserveOnce(device, other, arrays);
  if (before.verdict != Verdict::kPassed) {
    // Its values belong to other elements: nobody is to compare them.
    before.contents.clear();
    before.reason = InCallBefore(request.arrays[changed].label, before.reason);
    return before;
  }
  CallReport report = ObserveOnce(device, request, arrays);
  report.contents_before = std::move(before.contents);
  return report;
}

}  // namespace warplings
