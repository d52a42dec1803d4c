// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/judge_session.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <iterator>
#include <utility>

#include "grader/messages/judging.h"
#include "grader/suite/call_limits.h"
#include "grader/suite/printed_text.h"

namespace warplings {
namespace {

/// Two calls that hang are waited for. Then kernels get a part of their budget, which is made for a single
/// thread that computes everything: the blocks of an ordinary kernel need a hundredth of what is left, so
/// that a test which does not hang still passes, and thirteen that do take seconds, not half a minute.
constexpr int kWaitedFor = 2;
constexpr std::uint64_t kPartOfBudget = 10, kMostOfPart = 1'000'000;
/// Calls this short, in warp instructions, are made once more with other elements: it takes some 10 ms.
constexpr std::uint64_t kShortCall = 100'000;
/// New processes take some 50 ms.
constexpr int kAskedInNewProcesses = 4;
/// How much longer each limit is under a tool, and how long the tool may write when its program has ended.
constexpr int kToolSlowdown = 20;
constexpr std::chrono::seconds kToolEnd{30};
/// Kept of what a submission prints, over all tests.
constexpr std::size_t kMaxStudentOutput = 64 * 1024;

CallReport Failure(Verdict verdict, const Error& error) {
  CallReport report;
  report.Add(verdict, error.message, error.next_step);
  return report;
}

CallReport FaultOfSuite(const Message& fault) {
  CallReport report;
  report.Add(Verdict::kGraderFault, fault, say::fault_of_suite());
  return report;
}

/// After two calls that had to be stopped, or one that never began, the rest is not waited for: thirteen
/// tests would take a minute, a class of them hours, and what to do first would be the same.
CallReport NotRun() {
  CallReport report;
  report.Add(Verdict::kNotRun, say::not_run_after_endless_calls(), say::find_loop());
  return report;
}

CallReport TooMuchInKernels() {
  CallReport report;
  report.Add(Verdict::kTimeLimit, say::kernels_computed_too_long(kKernelSum.count()),
             say::count_launches_and_rounds());
  return report;
}

/// The largest element of the inputs that hold floats, without its sign.
double LargestInput(const std::vector<CallArray>& arrays) {
  double largest = 0;
  for (const CallArray& array : arrays) {
    if (array.role == CallArray::Role::kOutput || array.is_of_integers ||
        array.element_bytes != sizeof(float))
      continue;
    for (const float element : ValuesOf<float>(array.bytes))
      if (std::isfinite(element)) largest = std::max(largest, std::abs(double{element}));
  }
  return largest;
}

/// Whether two outputs for the same inputs differ, floats by more than the order of additions explains.
/// `largest`: of an element that may be a term of a sum, however small the sum itself is.
bool Differ(const CallArray& array, std::span<const std::byte> a, std::span<const std::byte> b,
            double largest = 0) {
  constexpr double kOrderOfAdditions = 1e-3;  // Of the largest element.
  if (a.size() != b.size()) return true;
  if (array.is_of_integers) return !std::ranges::equal(a, b);
  double difference = 0;
  for (std::size_t at = 0; at + sizeof(float) <= a.size(); at += sizeof(float)) {
    std::uint32_t bits_x = 0, bits_y = 0;
    std::memcpy(&bits_x, a.data() + at, sizeof bits_x);
    std::memcpy(&bits_y, b.data() + at, sizeof bits_y);
    const auto x = std::bit_cast<float>(bits_x), y = std::bit_cast<float>(bits_y);
    if (!std::isfinite(x) || !std::isfinite(y)) {
      if (bits_x != bits_y) return true;
      continue;
    }
    largest = std::max({largest, std::abs(double{x}), std::abs(double{y})});
    difference = std::max(difference, std::abs(double{x} - double{y}));
  }
  return difference > kOrderOfAdditions * largest;
}

/// The outputs, by their place among `arrays`, in which two reports of calls differ.
std::vector<std::size_t> FindDifferingOutputs(const std::vector<CallArray>& arrays, const CallReport& a,
                                              const CallReport& b, double largest_term = 0) {
  std::vector<std::size_t> differing;
  const std::size_t there = std::min({arrays.size(), a.contents.size(), b.contents.size()});
  for (std::size_t i = 0; i < there; ++i) {
    const bool is_output = arrays[i].role == CallArray::Role::kOutput;
    if (is_output && Differ(arrays[i], a.contents[i], b.contents[i], largest_term)) differing.push_back(i);
  }
  return differing;
}

/// With other elements in the same arrays nothing else was stored than before; but something was.
bool IsOfTheElementsBefore(const CallReport& second, const std::vector<CallArray>& arrays, std::size_t i) {
  if (i >= second.contents_before.size()) return false;
  const std::vector<std::byte>& stored = second.contents[i];
  return stored != PoisonBytes(stored.size()) && !Differ(arrays[i], stored, second.contents_before[i]);
}

/// A function gives the same for the same inputs, however often it was called before.
void AddDifference(CallReport& second, const CallReport& first, const std::vector<CallArray>& arrays) {
  for (const std::size_t i : FindDifferingOutputs(arrays, first, second)) {
    if (IsOfTheElementsBefore(second, arrays, i)) {
      second.Add(Verdict::kWrongResult, say::stored_for_elements_before(arrays[i].label),
                 say::what_is_kept_from_call_to_call());
    } else {
      second.Add(Verdict::kWrongResult, say::stored_differently(arrays[i].label),
                 say::look_for_what_is_left_behind());
    }
  }
}

bool IsShort(const CallReport& report) {
  std::uint64_t executed = 0;
  for (const LaunchRecord& launch : report.launches) executed += launch.totals.warp_instructions;
  return !report.launches.empty() && executed <= kShortCall;
}

bool IsEndlessKernel(const CallReport& report) {
  return report.verdict == Verdict::kTimeLimit &&
         std::ranges::count(report.findings, FindingKind::kEndlessLoop, &Finding::kind) > 0;
}

}  // namespace

std::optional<CallReport> ProcessPair::StartWorker() {
  if (worker_) spent_ = worker_->time();
  WorkerOptions options;
  options.program = worker_program_.file;
  options.call_time_limit = under_tool_ ? kCallLimit * kToolSlowdown : kCallLimit;
  options.start_time_limit = options.call_time_limit;
  options.processor_time_limit = under_tool_ ? kHostLimit * kToolSlowdown : kHostLimit;
  options.memory_limit = kHostMemory;
  options.spent = spent_;
  // A card computes while its process sleeps, and a tool may do both. Calls are made on a virtual GPU before.
  if (devices_.starts_with("virtual") && !under_tool_) {
    options.sum_limit = kSumLimit;
    options.device_process = device_->process();
  }
  auto worker =
      Worker::Start(options, [this](int fd) { return device_->AttachSubmission(fd, worker_program_.image); });
  if (!worker) return Failure(Verdict::kGraderFault, worker.error());
  // It may be dead already (a static constructor that crashes is the submission's); its Call says why.
  worker_ = std::move(*worker);
  became_ready_ = worker_->became_ready();
  load_findings_ = device_->TakeFindings();
  CallReport report;
  AddHold(report, device_->HoldClient(worker_->client(), true), *device_);
  if (report.verdict != Verdict::kPassed) return report;
  return std::nullopt;
}

std::optional<CallReport> ProcessPair::Prepare() {
  if (!device_ || !device_->alive()) {
    Stop();
    auto device = DeviceClient::StartProcess(device_program_, devices_, memory_.bytes, memory_.seed);
    if (!device) return Failure(Verdict::kGraderFault, device.error());
    device_ = std::move(*device);
    device_->SetDeadline(under_tool_ ? kDeviceLimit * kToolSlowdown : kDeviceLimit);
    if (under_tool_) device_->LetEnd(kToolEnd);
  }
  if (worker_ && worker_->alive()) return std::nullopt;
  return StartWorker();
}

void ProcessPair::AddLosses(CallReport& report, Losses losses) {
  if (!losses.violations.empty()) {
    report.unclean = true;
    report.Add(Verdict::kProtocolViolation, say::sent_no_cuda(losses.violations.front().what),
               say::use_runtime_only());
  }
  // A kernel may have been broken off where the submission asks for no errors, and findings and counts may be
  // missing: nothing that this call seems to show is to be believed, neither for the submission nor against
  // it. The check is repeated then, and a submission that eats the memory itself is found out
  // (AttributeFaults).
  if (device_->alive() && losses.memory_ran_out) {
    report.unclean = true;
    report.Add(Verdict::kGraderFault, say::device_out_of_memory());
  }
  if (device_->alive() && !losses.thrown.empty()) {
    report.unclean = true;
    report.Add(Verdict::kGraderFault, say::device_process_threw(losses.thrown), say::report_fault_of_ours());
  }
  if (worker_->alive() && !losses.resources.empty()) resources_ = std::move(losses.resources);
  switch (device_->loss()) {
    case DeviceClient::Loss::kNone: return;
    case DeviceClient::Loss::kDeadline:
      report.stopped = true;
      report.Add(Verdict::kTimeLimit, say::kernel_not_in_time(), say::find_loop());
      break;
    case DeviceClient::Loss::kEnded: report.Add(Verdict::kGraderFault, say::device_ended()); break;
    case DeviceClient::Loss::kGarbage: report.Add(Verdict::kGraderFault, say::device_sent_no_answer()); break;
  }
  report.unclean = true;
}

void ProcessPair::UseDevices(const std::string& devices, std::int32_t current) {
  current_device_ = current;
  if (devices == devices_) return;
  devices_ = devices;
  Stop();
}

CallReport ProcessPair::Call(std::vector<CallArray> arrays, std::uint64_t max_warp_instructions,
                             const SubmissionCall& call, bool detailed, int changed_before) {
  CallRequest request;
  request.arrays = std::move(arrays);
  request.max_warp_instructions = max_warp_instructions;
  request.detailed = detailed;
  request.changed_before = changed_before;
  probed_arrays_.clear();
  return Observe(std::move(request), call);
}

CallReport ProcessPair::Probe(std::vector<CallArray> arrays, std::uint64_t max_warp_instructions,
                              const SubmissionCall& call) {
  CallRequest request;
  request.arrays = std::move(arrays);
  request.max_warp_instructions = max_warp_instructions;
  request.is_probe = true;
  return Observe(std::move(request), call);
}

CallReport ProcessPair::CallReordered(std::vector<CallArray> arrays, std::uint64_t max_warp_instructions,
                                      const SubmissionCall& call, int changed_before) {
  CallRequest request;
  request.arrays = std::move(arrays);
  request.max_warp_instructions = max_warp_instructions;
  request.is_probe = true;
  request.changed_before = changed_before;
  request.block_order = BlockOrder::kDescendingInGroups;
  return Observe(std::move(request), call);
}

CallReport ProcessPair::Observe(CallRequest request, const SubmissionCall& call) {
  if (auto failure = Prepare()) return *failure;
  if (ended_devices_time_ + device_time_ > kKernelSum) return TooMuchInKernels();
  // memcheck looks at allocations: an access to a guard band is inside one.
  const bool device_checks = devices_.starts_with("virtual") || under_tool_;
  request.fence = device_checks ? Fence::kDevice : Fence::kGuardBands;
  request.load_findings = load_findings_;
  request.client = worker_->client();
  bool stopped = false;
  request.call = [&](std::span<const DevicePointer> pointers) {
    worker_->UseDevice(current_device_);
    CallOutcome outcome = call(*worker_, pointers);
    stopped = stopped || outcome.verdict == Verdict::kTimeLimit;
    return outcome;
  };
  Losses losses;
  request.at_end = [&](CallBatch& batch) {
    batch.Add(protocol::TakeProtocolViolations{}, [&](auto reply) {
      if (reply) std::ranges::move(*reply, std::back_inserter(losses.violations));
    });
    batch.Add(protocol::TakeInternalFaults{}, [&](auto reply) {
      losses.memory_ran_out = losses.memory_ran_out || !reply || reply->memory != 0;
      if (reply && losses.thrown.empty()) losses.thrown = std::move(reply->thrown);
    });
    batch.Add(protocol::ListKernelResources{worker_->client()}, [&](auto reply) {
      if (reply) losses.resources = std::move(*reply);
    });
  };
  std::vector<DeviceArray> own;
  CallReport report = ObserveCall(*device_, request, request.is_probe ? probed_arrays_ : own);
  report.stopped = stopped;
  CallBatch batch(*device_);
  DeviceArray::AddFrees(batch, own);
  batch.Ask();
  AddLosses(report, std::move(losses));
  device_time_ = std::max(device_time_, worker_->DeviceTime());
  if (report.unclean) Stop();
  return report;
}

void ProcessPair::Stop() {
  probed_arrays_.clear();
  if (worker_) spent_ = worker_->time();
  worker_.reset();
  device_.reset();
  ended_devices_time_ += std::exchange(device_time_, {});
}

JudgeSession::JudgeSession(const SuiteOrder& order)
    : order_(order),
      main_(order.card_program.empty() ? order.device_program : order.card_program, order.worker,
            order.device, MemoryOf(order)) {
  if (!order.card_program.empty()) main_.RunsUnderTool();
  if (!order.watcher.empty()) {
    watcher_.emplace(order.device_program, order.worker, order.watcher, MemoryOf(order));
  }
}

void JudgeSession::UseDevices(const std::string& spec, std::int32_t current) {
  main_.UseDevices(spec.empty() ? order_.device : spec, current);
}

const std::vector<KernelResources>& JudgeSession::resources() const {
  return main_.resources().empty() && watcher_ ? watcher_->resources() : main_.resources();
}

void JudgeSession::CountOnCard(const std::vector<LaunchRecord>& launches) {
  for (const LaunchRecord& launch : launches) {
    auto entry = std::ranges::find(card_kernels_, launch.kernel, &CardKernel::kernel);
    if (entry == card_kernels_.end()) entry = card_kernels_.insert(entry, CardKernel{launch.kernel, {}});
    entry->totals += launch.totals;
  }
}

void JudgeSession::KeepOutput(const std::string& printed) {
  const std::size_t room = kMaxStudentOutput - student_output_.size();
  student_output_.append(printed, 0, room);
  AddPrinted(printed, printed_);
}

CallReport JudgeSession::CallWatched(const std::vector<CallArray>& arrays,
                                     std::uint64_t max_warp_instructions, const SubmissionCall& call,
                                     int changed_before) {
  CallReport watched = watcher_->Call(arrays, max_warp_instructions, call, order_.detailed, changed_before);
  if (watched.verdict != Verdict::kPassed && !order_.card_decides) return watched;
  CallReport report = main_.Call(arrays, max_warp_instructions, call, false, changed_before);
  report.launches = std::move(watched.launches);
  report.writers = std::move(watched.writers);
  CountOnCard(report.launches);
  if (!order_.card_decides) std::ranges::move(watched.findings, std::back_inserter(report.findings));
  return report;
}

CallReport JudgeSession::Probe(std::vector<CallArray> arrays, std::uint64_t max_warp_instructions,
                               const SubmissionCall& call) {
  if (endless_calls_ > 0) return NotRun();
  ProcessPair& pair = watcher_ ? *watcher_ : main_;
  return pair.Probe(std::move(arrays), max_warp_instructions, call);
}

std::uint64_t JudgeSession::BudgetOf(std::uint64_t max_warp_instructions) const {
  return endless_kernels_ < kWaitedFor ? max_warp_instructions
                                       : std::min(max_warp_instructions / kPartOfBudget, kMostOfPart);
}

CallReport JudgeSession::CallOnce(const std::vector<CallArray>& arrays, std::uint64_t max_warp_instructions,
                                  const SubmissionCall& call, int changed_before) {
  max_warp_instructions = BudgetOf(max_warp_instructions);
  const bool watched = watcher_ && main_.devices() == order_.device;
  return watched ? CallWatched(arrays, max_warp_instructions, call, changed_before)
                 : main_.Call(arrays, max_warp_instructions, call, order_.detailed, changed_before);
}

int JudgeSession::ChooseChanged(const std::vector<CallArray>& arrays, const CallReport& first) {
  // A tool on a card would count this call, too.
  const bool is_under_tool = !order_.card_program.empty();
  if (is_under_tool || !IsShort(first)) return -1;
  std::vector<int> inputs;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const bool is_input = arrays[i].role == CallArray::Role::kInput;
    const bool has_other = arrays[i].other.rule != OtherElements::Rule::kNone && !arrays[i].bytes.empty();
    if (is_input && has_other) inputs.push_back(static_cast<int>(i));
  }
  // One at a time: M and N with other signs have the same product.
  return inputs.empty() ? -1 : inputs[changed_calls_++ % inputs.size()];
}

bool JudgeSession::IsReorderable(const CallReport& report) const {
  const bool is_own_device = main_.devices() == order_.device;
  const bool is_virtual = watcher_ || main_.devices().starts_with("virtual");
  if (!is_own_device || !is_virtual || !order_.card_program.empty() || order_.card_decides) return false;
  const bool has_block_order = std::ranges::any_of(report.launches, &LaunchRecord::has_block_order);
  return has_block_order && IsShort(report);
}

void JudgeSession::CallReordered(CallReport& report, int changed_before) {
  ProcessPair& pair = watcher_ ? *watcher_ : main_;
  CallReport other = pair.CallReordered(latest_.arrays, BudgetOf(latest_.max_warp_instructions), latest_.call,
                                        changed_before);
  const double largest_term = LargestInput(latest_.arrays);
  const auto differing = FindDifferingOutputs(latest_.arrays, report, other, largest_term);
  if (other.verdict == Verdict::kPassed && differing.empty()) return;
  // What is right in the first call of new processes goes wrong because of the calls before.
  if (!depends_on_earlier_calls_ && other.verdict != Verdict::kGraderFault) {
    const auto fresh = CallInNewProcesses(BlockOrder::kDescendingInGroups);
    depends_on_earlier_calls_ =
        fresh && FindDifferingOutputs(latest_.arrays, report, *fresh, largest_term).empty();
  }
  if (other.verdict != Verdict::kPassed) {
    if (other.verdict != Verdict::kGraderFault) other.reason = say::in_another_order(other.reason);
    other.printed = std::move(report.printed);
    report = std::move(other);
    return;
  }
  const std::string& label = latest_.arrays[differing.front()].label;
  if (depends_on_earlier_calls_) {
    report.contents = std::move(other.contents);
    report.Add(Verdict::kWrongResult, say::stored_after_old_flags(label), say::which_flags_are_left());
  } else {
    report.Add(Verdict::kWrongResult, say::stored_by_order(label), say::who_waits_for_blocks());
  }
}

std::optional<CallReport> JudgeSession::CallInNewProcesses(BlockOrder order) {
  const bool is_own_device = main_.devices() == order_.device;
  if (!latest_.call || !is_own_device || asked_in_new_processes_ >= kAskedInNewProcesses) return std::nullopt;
  ++asked_in_new_processes_;
  ProcessPair anew(order_.device_program, order_.worker,
                   order_.watcher.empty() ? order_.device : order_.watcher, MemoryOf(order_));
  CallReport fresh = order == BlockOrder::kAscending
                         ? anew.Call(latest_.arrays, latest_.max_warp_instructions, latest_.call, false)
                         : anew.CallReordered(latest_.arrays, latest_.max_warp_instructions, latest_.call);
  // A race among the blocks of a first call is no reason to forget that later calls are wrong for another.
  if (fresh.verdict != Verdict::kPassed && fresh.verdict != Verdict::kFinding) return std::nullopt;
  return fresh;
}

std::optional<std::string> JudgeSession::DiffersInNewProcesses(const CallReport& report) {
  const auto fresh = CallInNewProcesses(BlockOrder::kAscending);
  if (!fresh) return std::nullopt;
  const auto differing = FindDifferingOutputs(latest_.arrays, report, *fresh);
  if (differing.empty()) return std::nullopt;
  depends_on_earlier_calls_ = true;
  return latest_.arrays[differing.front()].label;
}

CallReport JudgeSession::Call(const std::vector<CallArray>& arrays, std::uint64_t max_warp_instructions,
                              const SubmissionCall& call) {
  if (only_lists_inputs_) {
    for (const CallArray& array : arrays) {
      if (array.role == CallArray::Role::kInput)
        inputs_[array.label].Add(array);
      else
        outputs_.insert(array.label);
    }
    return NotRun();
  }
  const auto faulty = std::ranges::find_if_not(arrays, &Message::empty, &CallArray::fault);
  if (faulty != arrays.end()) return FaultOfSuite(faulty->fault);
  if (endless_calls_ >= kWaitedFor) return NotRun();
  latest_ = {arrays, max_warp_instructions, call};
  CallReport report = CallOnce(arrays, max_warp_instructions, call);
  if (report.verdict == Verdict::kPassed) {
    const int changed_before = ChooseChanged(arrays, report);
    CallReport first = std::exchange(report, CallOnce(arrays, max_warp_instructions, call, changed_before));
    report.printed = std::move(first.printed);
    if (report.verdict == Verdict::kPassed) {
      AddDifference(report, first, arrays);
      depends_on_earlier_calls_ = depends_on_earlier_calls_ || report.verdict != Verdict::kPassed;
      if (report.verdict == Verdict::kPassed && IsReorderable(report)) CallReordered(report, changed_before);
    } else if (IsEndlessKernel(report)) {
      depends_on_earlier_calls_ = true;
    }
  }
  if (report.stopped) {
    const bool ready = main_.became_ready() && (!watcher_ || watcher_->became_ready());
    endless_calls_ += ready ? 1 : kWaitedFor;
  } else if (report.verdict == Verdict::kTimeLimit) {
    ++endless_kernels_;
  }
  KeepOutput(report.printed);
  return report;
}

}  // namespace warplings
