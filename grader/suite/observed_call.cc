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
#include "grader/messages/refusals.h"
#include "grader/suite/evidence.h"

namespace warplings {
namespace {

void AddPending(CallReport& report, const std::vector<PendingWork>& pending) {
  if (pending.empty()) return;
  report.unclean = true;
  const std::string& first = pending.front().what;
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

/// The suite's arrays are found by their labels; other memory that a pointer led to is the submission's own.
bool IsOwnAllocation(const Finding& finding, const CallRequest& request) {
  const bool is_labelled = std::ranges::count(request.arrays, English(finding.object), &CallArray::label) > 0;
  return !is_labelled && (say::argument.Made(finding.object) || say::an_allocation.Made(finding.object));
}

Message NextStepOfOutside(const Finding& finding, const CallRequest& request) {
  const say::Line line = LineOf(finding);
  const bool reads = finding.access == Access::kRead;
  if (finding.space == MemorySpace::kShared)
    return (reads ? say::shared_index_read : say::shared_index_written)(line, finding.object);
  if (IsOwnAllocation(finding, request))
    return (reads ? say::own_allocation_read : say::own_allocation_written)(
        say::WithSize(finding.object, finding.object_bytes), line);
  return (reads ? say::index_read : say::index_written)(line, finding.object);
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

/// Two threads that store into one place. The index is asked about first.
Message NextStepOfTwoStores(const Finding& finding) {
  const std::optional<say::Line> other = OtherLineOf(finding);
  const Message where = other ? say::two_stores_of_two_lines(finding.object, LineOf(finding), *other)
                              : say::two_stores_of_one_line(finding.object, LineOf(finding));
  // No barrier reaches beyond a block.
  return say::both(where, finding.space == MemorySpace::kShared ? say::barrier_decides_which_stays()
                                                                : say::adding_is_one_operation());
}

Message NextStepOfRace(const Finding& finding) {
  if (BothStore(finding)) return NextStepOfTwoStores(finding);
  if (IsOfAsyncCopy(finding)) return say::wait_for_the_copy();
  const std::optional<say::Line> other = OtherLineOf(finding);
  return other ? say::race_of_two_lines(finding.object, LineOf(finding), *other)
               : say::race_of_one_line(finding.object, LineOf(finding));
}

/// What to ask of the line that a finding names.
Message NextStepOfAccess(const Finding& finding, const CallRequest& request) {
  const say::Line line = LineOf(finding);
  const bool has_object = !finding.object.empty();
  switch (finding.kind) {
    case FindingKind::kOutOfBounds:
      return has_object ? NextStepOfOutside(finding, request) : say::follow_the_pointer(line);
    case FindingKind::kUseAfterFree:
      return has_object ? say::used_after_free(line) : say::follow_the_pointer(line);
    case FindingKind::kUninitialised:
      if (!has_object) return say::own_value_never_stored(line);
      return (finding.space == MemorySpace::kShared ? say::nobody_stored_shared : say::nobody_stored)(
          finding.offset_bytes, finding.object, line);
    case FindingKind::kDivergentBarrier:
      return say::part_of_warp_at_matrix.Made(finding.message) ? say::whole_warp_together(line)
                                                               : NextStepOfWaiting(finding);
    case FindingKind::kMaskWithoutLane: return say::which_lanes_execute(line);
    case FindingKind::kTrap: return say::values_where_it_stopped(line);
    case FindingKind::kInvalidCall: return say::arguments_of_refused_call();
    case FindingKind::kRace: return has_object ? NextStepOfRace(finding) : say::look_at_lines();
    case FindingKind::kMisaligned:
      if (!has_object) return say::look_at_lines();
      return say::which_byte_begins(finding.object, line, finding.access_bytes, finding.access_bytes);
    default: return say::look_at_lines();
  }
}

/// A launch that is larger than the card or the kernel allows says so; of others only that they failed is
/// known.
Message NextStepOfLaunch(const Finding& finding) {
  if (Refused(finding, say::no_blocks.id)) return say::grid_of_zero();
  if (Refused(finding, say::no_threads.id)) return say::block_of_zero();
  for (const std::string_view limit :
       {say::too_many_threads.id, say::block_too_deep.id, say::grid_too_large.id,
        say::more_threads_than_promised.id, say::shared_memory_without_attribute.id,
        say::shared_memory_of_card.id, say::too_many_registers.id, say::cooperative_launch_too_large.id}) {
    if (Refused(finding, limit)) return say::launch_too_large(finding.message.arguments().at(1).inner.at(0));
  }
  return say::look_at_launch();
}

Message NextStepOf(const Finding& finding, Verdict verdict, const CallRequest& request) {
  if (finding.kind == FindingKind::kUnsupported) return say::write_without_it();
  switch (verdict) {
    case Verdict::kLaunchFailed:
      return finding.kind == FindingKind::kInvalidCall ? say::arguments_of_refused_call()
                                                       : NextStepOfLaunch(finding);
    case Verdict::kTimeLimit: return NextStepOfWaiting(finding);
    default: return NextStepOfAccess(finding, request);
  }
}

/// Of several findings the one with the lowest rank is the likeliest cause of the others: threads out of
/// step race, and a race reads what is not written yet.
int CauseRank(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::kDivergentBarrier:
    case FindingKind::kMaskWithoutLane: return 0;
    case FindingKind::kRace: return 1;
    case FindingKind::kUninitialised: return 3;
    default: return 2;
  }
}

void AddFindings(CallReport& report, const CallRequest& request) {
  std::vector<const Finding*> errors;
  for (const Finding& finding : report.findings) {
    if (finding.severity == Severity::kError) errors.push_back(&finding);
  }
  std::ranges::stable_sort(errors, {}, [](const Finding* finding) { return CauseRank(*finding); });
  for (const Finding* finding : errors) {
    const Verdict verdict = VerdictOf(*finding);
    if (report.Add(verdict, Describe(*finding), NextStepOf(*finding, verdict, request)))
      report.advised = static_cast<std::size_t>(finding - report.findings.data());
    // A kernel that was broken off leaves its device in a state that no later test should meet.
    if (verdict == Verdict::kTimeLimit || finding->kind == FindingKind::kTrap) report.unclean = true;
  }
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
                                      .accesses = request.detailed}});
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
    return before;
  }
  CallReport report = ObserveOnce(device, request, arrays);
  report.contents_before = std::move(before.contents);
  return report;
}

}  // namespace warplings
