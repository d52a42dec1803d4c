// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/observed_call.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "grader/base/text.h"
#include "grader/suite/evidence.h"

namespace warplings {
namespace {

void AddPending(CallReport& report, const std::vector<PendingWork>& pending) {
  if (pending.empty()) return;
  report.unclean = true;
  std::string what = pending.front().what;
  if (pending.size() > 1) what += " and " + std::to_string(pending.size() - 1) + " more";
  report.Add(Verdict::kNotSynchronised,
             "the function returned while work on another stream was pending: " + what,
             "Use the default stream, or wait for your stream before returning (cudaStreamSynchronize).");
}

Finding WriteOutside(const CallArray& array, std::int64_t offset) {
  Finding finding;
  finding.kind = FindingKind::kOutOfBounds;
  finding.space = MemorySpace::kGlobal;
  finding.access = Access::kWrite;
  finding.object = array.label;
  finding.object_bytes = static_cast<std::int64_t>(array.bytes.size());
  finding.offset_bytes = offset;
  const std::int64_t behind = offset - finding.object_bytes;
  const std::string place = offset < 0    ? std::to_string(-offset) + " bytes before the start of "
                            : behind == 0 ? "right behind the end of "
                                          : std::to_string(behind) + " bytes behind the end of ";
  finding.message =
      "memory " + place + array.label + " (" + std::to_string(finding.object_bytes) + " bytes) was written";
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
      report.Add(Verdict::kLaunchFailed,
                 "after the call the device answers: " + images[i].read.error().message,
                 "A kernel broke off; the findings say where.");
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
      report.Add(Verdict::kInputModified,
                 "the input " + array.label + " was changed, first at byte " + std::to_string(differ),
                 "Write to the output only; other code still needs the inputs.");
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
    report.Add(Verdict::kInputModified,
               "the input " + writers.label + " was written, though it holds in the end what it held before",
               "Only read the inputs: other code may read them at the same time.");
  }
}

/// "line 32: reads 4 bytes of shared array Nds that nobody has written".
std::string Describe(const Finding& finding) {
  if (finding.where.line == 0) return finding.message;
  return "line " + std::to_string(finding.where.line) + ": " + finding.message;
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

std::string LineOf(const Finding& finding) {
  return finding.where.line == 0 ? "the line" : "line " + std::to_string(finding.where.line);
}

/// Both ends of a race: "does line 25 store for the one, and for the other", "does line 25 store for the one,
/// and line 26 for the other".
std::string BothStoresOf(const Finding& finding) {
  const bool is_one = !finding.other || finding.other->line == 0 || *finding.other == finding.where;
  return "does " + LineOf(finding) + " store for the one, and " +
         (is_one ? "" : "line " + std::to_string(finding.other->line) + " ") + "for the other";
}

/// Of a race between a store and another access, in two lines or in one.
std::string RaceOf(const Finding& finding) {
  const std::string line = LineOf(finding);
  if (finding.other && finding.other->line != 0 && *finding.other != finding.where) {
    return "Race: two threads use one element of " + finding.object + ", one in " + line +
           ", the other in line " + std::to_string(finding.other->line) +
           ", and nothing says which comes first.";
  }
  return "Race: two threads use one element of " + finding.object + " in " + line +
         ", and nothing says which comes first.";
}

/// The suite's arrays are found by their labels; other memory that a pointer led to is the submission's own.
bool IsOwnAllocation(const Finding& finding, const CallRequest& request) {
  const bool is_labelled = std::ranges::count(request.arrays, finding.object, &CallArray::label) > 0;
  return !is_labelled &&
         (finding.object.starts_with("argument ") || finding.object.starts_with("an allocation "));
}

std::string NextStepOfOutside(const Finding& finding, const CallRequest& request) {
  const std::string line = LineOf(finding);
  const std::string& object = finding.object;
  const std::string verb = finding.access == Access::kRead ? "reads" : "writes";
  if (finding.space == MemorySpace::kShared) {
    return "Write down the index with which the thread named below " + verb + " in " + line +
           ", and how many places " + object +
           " has: which of your variables make up that index, and how far does each of them run?";
  }
  if (IsOwnAllocation(finding, request)) {
    return "Your code allocated " + object + ", with " +
           Counted(static_cast<std::uint64_t>(finding.object_bytes), "byte") +
           ": in which call, for how many elements? And which one is it that the thread named below " + verb +
           " in " + line + "?";
  }
  return "Write down the index with which the thread named below " + verb + " in " + line +
         ": which element of " + object +
         " is that? If there is none, is the index to be another one, or has a check to keep the thread from "
         "it?";
}

/// Threads that wait for some that do not come, or go round for ever.
std::string NextStepOfWaiting(const Finding& finding) {
  const std::string line = LineOf(finding);
  switch (finding.kind) {
    case FindingKind::kEndlessLoop:
      return "Follow the loop around " + line +
             " for one thread: what changes from round to round, and when does that end the loop?";
    case FindingKind::kDeadlock:
      return finding.message.find("mask") != std::string::npos
                 ? "Which lanes of the warp come to " + line +
                       ", and which does its mask name? All that it names have to come, and only a lane that "
                       "comes has a value for the others: what keeps those away that do not?"
                 : "Follow the threads that wait at " + line +
                       ": for whom do they wait, and where are those?";
    default:
      return finding.other && finding.other->line != 0 && finding.other->line != finding.where.line
                 ? "Threads of one block wait at " + line + " and at line " +
                       std::to_string(finding.other->line) +
                       ": which condition parts them? All threads of a block have to come to the same "
                       "barrier."
                 : "Which threads skip " + line +
                       ", and by which condition or return? All threads of a block have to come to a "
                       "barrier.";
  }
}

/// Of a finding that names no array.
std::string NextStepWithoutObject(const Finding& finding) {
  const std::string line = LineOf(finding);
  switch (finding.kind) {
    case FindingKind::kOutOfBounds:
    case FindingKind::kUseAfterFree:
      return "Where does the address that " + line +
             " uses come from? Follow its pointer from the launch's arguments, or from its declaration, to "
             "that "
             "line, and then the index.";
    case FindingKind::kUninitialised:
      return "The thread named below reads a value of its own in " + line +
             " that nobody has stored: where is that variable or array declared, and which line is to store "
             "there first?";
    case FindingKind::kDivergentBarrier:
      return "All 32 threads of a warp have to execute " + line +
             " together: which of them does not come, and by which condition?";
    case FindingKind::kMaskWithoutLane:
      return "Which lanes of the warp execute " + line +
             ", and which does its mask name? A mask has to name every lane that executes the instruction.";
    case FindingKind::kTrap:
      return "The kernel stopped in " + line +
             ": write down the values that the thread named below has there. Which of them is not what you "
             "expected?";
    case FindingKind::kInvalidCall:
      return "A call of CUDA's runtime was refused, and the finding says why: write down each argument of "
             "that "
             "call. Which of them is not what the call asks for?";
    default: return "Look at the lines that the findings name.";
  }
}

/// What to ask of the line that a finding names.
std::string NextStepOfAccess(const Finding& finding, const CallRequest& request) {
  if (finding.kind == FindingKind::kDivergentBarrier && finding.message.find("matrix") == std::string::npos)
    return NextStepOfWaiting(finding);
  const std::string line = LineOf(finding);
  const std::string& object = finding.object;
  if (object.empty()) return NextStepWithoutObject(finding);
  const bool is_shared = finding.space == MemorySpace::kShared;
  switch (finding.kind) {
    case FindingKind::kOutOfBounds: return NextStepOfOutside(finding, request);
    case FindingKind::kUseAfterFree:
      return "Memory that was freed is used in " + line +
             ": which call frees it, and what still needs it then?";
    case FindingKind::kUninitialised:
      return "At byte " + WithThousands(static_cast<std::uint64_t>(finding.offset_bytes)) + " of " + object +
             ", where " + line +
             " reads, nobody has stored yet. Should it read there at all? If so, which thread is to store "
             "it, and " +
             (is_shared ? "before which barrier?" : "in which kernel, or copy, before?");
    case FindingKind::kRace:
      // The index is asked about first.
      if (BothStore(finding)) {
        // No barrier reaches beyond a block.
        return "Two threads store into one place of " + object + ". Counted from its beginning, where " +
               BothStoresOf(finding) + ", and are they meant to share it?" +
               (is_shared ? " A barrier decides only whose value stays."
                          : " Where each adds to what is there, loading, adding and storing have to be one "
                            "operation.");
      }
      if (IsOfAsyncCopy(finding)) {
        return "An asynchronous copy goes on behind its own line. Where does the thread that started it wait "
               "for its end, and is that in front of the barrier at which the others wait for that thread? A "
               "wait with a number leaves as many of the latest batches open: is the copy that the finding "
               "names "
               "one of these there?";
      }
      return RaceOf(finding) + " Are the two meant to meet there? If so, what makes one wait for the other?";
    case FindingKind::kMisaligned:
      return "At which byte of " + object + " does the access of " + line + " begin? One of " +
             std::to_string(finding.access_bytes) + " bytes may begin only at multiples of " +
             std::to_string(finding.access_bytes) +
             ": which parts make up that address, and for which sizes is each of them such a multiple?";
    default: return "Look at the lines that the findings name.";
  }
}

std::string NextStepOf(const Finding& finding, Verdict verdict, const CallRequest& request) {
  if (finding.kind == FindingKind::kUnsupported)
    return "Write it without this instruction or call, and report the gap.";
  switch (verdict) {
    case Verdict::kLaunchFailed:
      if (finding.message.find("has no blocks") != std::string::npos) {
        return "Compute the grid by hand with this test's sizes: how does its 0 come about, and how much is "
               "there to compute? Where that is nothing, nothing is to be launched.";
      }
      if (finding.message.find("has no threads") != std::string::npos)
        return "Compute the block's size by hand with this test's sizes: how does its 0 come about?";
      if (finding.kind == FindingKind::kInvalidCall) return NextStepWithoutObject(finding);
      return "Look at the launch: grid, block, registers of a block, shared memory; ask cudaGetLastError() "
             "after it.";
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

/// The elements in reverse order and with the other sign: every sum of them is another one, and integers
/// stay integers that differ from each other.
std::vector<std::byte> OtherElements(const std::vector<std::byte>& bytes) {
  constexpr std::size_t kWord = 4;
  std::vector<std::byte> other = bytes;
  const std::size_t count = bytes.size() / kWord;
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(kWord * (count - 1 - i)), kWord,
                other.begin() + static_cast<std::ptrdiff_t>(kWord * i));
    other[kWord * i + 3] ^= std::byte{0x80};
  }
  return other;
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
  report.Add(Verdict::kGraderFault, "the device refuses the test's arrays: " + fault.message);
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

bool CallReport::Add(Verdict other, std::string other_reason, std::string other_next_step) {
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
    report.Add(Verdict::kGraderFault,
               "The device process cannot hold the submission: " + served.error().message);
  } else if (served->resets != 0) {
    report.Add(Verdict::kFinding, "the function called cudaDeviceReset(), which frees the caller's arrays",
               "Leave the device as it was: free what you allocated, and nothing else.");
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
  other.arrays[changed].bytes = OtherElements(request.arrays[changed].bytes);
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
