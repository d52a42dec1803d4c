// SPDX-License-Identifier: Apache-2.0
#include "grader/worker/worker.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "grader/base/messages.h"
#include "grader/base/wire.h"
#include "grader/device/channel.h"
#include "grader/device/describe_fault.h"
#include "grader/messages/host_code.h"

namespace warplings {

using worker::AnswerKind;
using worker::CallAnswer;

/// One message from the worker, or the reason why there is none.
struct Worker::Packet {
  enum class Kind {
    kAnswer,
    kGarbage,
    kClosed,
    kDeadline,
    kProcessorTime,
    kFlood,
    kIdleSum,      ///< All calls together did nothing for too long.
    kProcessorSum  ///< All calls together computed for too long.
  };
  Kind kind = Kind::kClosed;
  CallAnswer answer;
};

namespace {

/// After its control connection has ended, the program itself must end soon.
constexpr std::chrono::milliseconds kPatienceAfterClose{1000};

/// How often a call that takes its time is looked at: how much processor time was that? The first look comes
/// soon, because many short naps add up, too; each further one comes after twice the time.
constexpr std::chrono::milliseconds kFirstLook{5}, kLook{100};

/// A call that the machine has no processor for is waited for this many times its limit.
constexpr int kMostPatience = 12;

/// A worker's other end is hostile: what waits there is read without blocking, whatever poll said.
std::optional<CallAnswer> ReadAnswer(int socket, bool& closed) {
  std::array<std::byte, worker::kMaxPacketBytes> packet;
  ssize_t got = 0;
  do got = recv(socket, packet.data(), packet.size(), MSG_DONTWAIT | MSG_TRUNC);
  while (got < 0 && errno == EINTR);
  // An empty packet looks like the end; nobody honest sends one, so that it may well be taken for it.
  closed = got == 0 || (got < 0 && errno != EAGAIN);
  if (got <= 0 || static_cast<std::size_t>(got) > packet.size()) return std::nullopt;
  return wire::Decode<CallAnswer>(std::span(packet.data(), static_cast<std::size_t>(got)));
}

/// How the arguments of a call, of these sizes, differ from the contract's parameters, by what the process
/// says of these: a byte each.
Message OtherArguments(const std::vector<std::size_t>& sent, const worker::Value& parameters) {
  if (sent.size() != parameters.size()) {
    return say::other_number_of_arguments(say::Count(sent.size(), "argument"),
                                          say::Count(parameters.size(), "parameter"));
  }
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const auto size = std::to_integer<std::size_t>(parameters[i]);
    if (sent[i] != size)
      return say::other_size_of_argument(i + 1, say::Count(sent[i], "byte"), say::Count(size, "byte"));
  }
  return say::other_arguments();
}

std::string Seconds(std::chrono::milliseconds time) {
  std::string text = std::to_string(time.count() / 1000);
  if (time.count() % 1000 != 0) text += "." + std::to_string(time.count() % 1000 / 100);
  return text + " s";
}

}  // namespace

Worker::Worker(const WorkerOptions& options, ClientId client, UniqueFd control,
               std::unique_ptr<sandbox::Process> process)
    : options_(options),
      client_(client),
      control_(std::move(control)),
      process_(std::move(process)),
      time_(options.spent) {}

Result<std::unique_ptr<Worker>> Worker::Start(const WorkerOptions& options,
                                              const std::function<CudaResult<ClientId>(int fd)>& attach) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return GraderError(say::no_sockets_for_worker(), say::close_programs_for_descriptors());
  }
  UniqueFd ours(ends[0]), theirs(ends[1]);
  ChannelPair device = MakeChannelPair();
  if (!device.first.valid())
    return GraderError(say::no_sockets_for_device(), say::close_programs_for_descriptors());
  CudaResult<ClientId> client = attach(device.first.get());
  if (!client) return GraderError(say::device_takes_no_worker(client.error().message));
  device.first.reset();

  sandbox::ProcessRequest request;
  request.policy = sandbox::WorkerPolicy(options.program);
  request.policy.limits.address_space_bytes = options.memory_limit;
  request.policy.limits.output_bytes = options.output_limit;
  request.program = {sandbox::kWorkerProgram};
  request.passed = {{theirs.get(), worker::kControlNumber}, {device.second.get(), worker::kDeviceNumber}};
  auto process = sandbox::Process::Start(request);
  if (!process) return process.error();
  // Only the worker may hold its ends, or their end would never be seen.
  theirs.reset();
  device.second.reset();

  std::unique_ptr<Worker> worker(new Worker(options, *client, std::move(ours), std::move(*process)));
  CallOutcome ready = worker->AwaitAnswer(0, AnswerKind::kReady);
  if (ready.verdict == Verdict::kGraderFault)
    return GraderError(std::move(ready.reason), std::move(ready.next_step));
  if (ready.verdict != Verdict::kPassed) worker->start_failure_ = std::move(ready);
  return worker;
}

CallOutcome Worker::CallWith(std::vector<worker::Value> arguments) {
  if (start_failure_) return *start_failure_;
  if (!alive_) {
    return Fail(Verdict::kGraderFault, say::worker_has_ended(), say::bug_of_suite());
  }
  // Whatever waits here answers a call that is yet to be made.
  bool closed = false;
  if (pollfd waiting{control_.get(), POLLIN, 0}; poll(&waiting, 1, 0) == 1) {
    ReadAnswer(control_.get(), closed);
    if (closed) return ExplainEnd();
    return Fail(Verdict::kProtocolViolation, say::answered_no_call(), say::return_by_itself());
  }
  std::vector<std::size_t> sizes;
  for (const worker::Value& argument : arguments) sizes.push_back(argument.size());
  worker::CallRequest request{++calls_, device_, std::move(arguments)};
  std::vector<std::byte> packet = wire::Encode(request);
  // A worker that does not read has its queue empty all the same: one request is on its way at most.
  ssize_t sent = send(control_.get(), packet.data(), packet.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent != static_cast<ssize_t>(packet.size())) return ExplainEnd();
  CallOutcome outcome = AwaitAnswer(calls_, AnswerKind::kReturned);
  if (say::other_arguments.Made(outcome.reason)) {
    outcome.reason = OtherArguments(sizes, outcome.result);
    outcome.result.clear();
  }
  return outcome;
}

bool Worker::HasAnswered() const {
  pollfd control{control_.get(), POLLIN, 0};
  return poll(&control, 1, 0) != 0;
}

std::chrono::nanoseconds Worker::DeviceTime() const {
  const bool has_device = options_.device_process > 0;
  return (has_device ? sandbox::ProcessorTimeOf(options_.device_process) : std::nullopt)
      .value_or(std::chrono::nanoseconds{0});
}

Worker::Clock::duration Worker::Unused(const Look& last, const Look& now) {
  const auto computed = now.used - last.used + now.device_used - last.device_used;
  return std::max<Clock::duration>(now.when - last.when - computed, Clock::duration{0});
}

void Worker::AddIdle(const Look& last, const Look& now, Clock::duration at_most) {
  const auto passed = std::min(now.when - last.when, at_most);
  const auto computed = now.used - last.used + now.device_used - last.device_used;
  if (computed < passed / 2) time_.idle += passed - computed;
}

Worker::Clock::time_point Worker::CallLimits::Deadline() const {
  return start + std::min(limit + starved, kMostPatience * limit);
}

std::optional<Worker::Packet> Worker::LookAtLimits(Look& last, Clock::duration pause, CallLimits& limits) {
  // The worker before and after the device: if it has not moved meanwhile, both slept at one moment, and
  // none of them had a message from the other on its way.
  const auto used = process_->ProcessorTime();
  if (!used) return std::nullopt;
  const bool slept_before = process_->IsAsleep();
  const bool device_sleeps = options_.device_process < 0 || sandbox::IsAsleep(options_.device_process);
  const bool is_idle = slept_before && device_sleeps && process_->IsAsleep() &&
                       process_->ProcessorTime() == used && !HasAnswered();
  const Look now{Clock::now(), *used, DeviceTime()};
  // Where this process stood still itself, nothing is known of most of the time that passed.
  if (is_idle) AddIdle(last, now, 2 * pause);
  const bool wants_processor =
      process_->IsRunnable() || (options_.device_process > 0 && sandbox::IsRunnable(options_.device_process));
  if (wants_processor) limits.starved += Unused(last, now);
  last = now;
  const std::chrono::nanoseconds in_call = *limits.processor_time.Used(used);
  if (in_call > options_.processor_time_limit) return Packet{Packet::Kind::kProcessorTime, {}};
  if (time_.processor + in_call > options_.sum_limit.processor)
    return Packet{Packet::Kind::kProcessorSum, {}};
  if (time_.idle > options_.sum_limit.idle) return Packet{Packet::Kind::kIdleSum, {}};
  return std::nullopt;
}

Worker::Packet Worker::Receive(CallLimits& limits) {
  std::chrono::milliseconds pause = kFirstLook;
  Look last{Clock::now(), process_->ProcessorTime().value_or(std::chrono::nanoseconds{0}), DeviceTime()};
  for (;;) {
    if (process_->output_limit_reached()) return {Packet::Kind::kFlood, {}};
    const auto now = Clock::now();
    const auto deadline = limits.Deadline();
    if (now >= deadline) return {Packet::Kind::kDeadline, {}};
    const auto until = std::max(std::min(deadline, last.when + pause) - now, Clock::duration{0});
    std::array<pollfd, 2> fds = {pollfd{control_.get(), POLLIN, 0}, pollfd{process_->output_fd(), POLLIN, 0}};
    poll(fds.data(), fds.size(),
         static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(until).count()));
    if (fds[0].revents == 0 && Clock::now() >= last.when + pause) {
      if (auto reached = LookAtLimits(last, pause, limits)) return std::move(*reached);
      last.when = Clock::now();
      pause = std::min(2 * pause, kLook);
    }
    if (fds[1].revents != 0) process_->DrainOutput();
    if (fds[0].revents == 0) continue;
    bool closed = false;
    if (auto answer = ReadAnswer(control_.get(), closed)) return {Packet::Kind::kAnswer, std::move(*answer)};
    return {closed ? Packet::Kind::kClosed : Packet::Kind::kGarbage, {}};
  }
}

CallOutcome Worker::AwaitAnswer(std::uint64_t number, AnswerKind expected) {
  const bool starting = expected == AnswerKind::kReady;
  const auto limit = starting ? options_.start_time_limit : options_.call_time_limit;
  CallLimits limits{limit, Clock::now(),
                    CallProcessorTime(starting ? std::chrono::nanoseconds{0} : process_->ProcessorTime())};
  for (;;) {
    Packet packet = Receive(limits);
    switch (packet.kind) {
      case Packet::Kind::kClosed: return ExplainEnd();
      case Packet::Kind::kGarbage:
        return Fail(Verdict::kProtocolViolation, say::bytes_of_no_worker(), say::return_by_itself());
      case Packet::Kind::kDeadline: return FailAtLimit(limit, false, starting);
      case Packet::Kind::kIdleSum: return FailAtSum(false);
      case Packet::Kind::kProcessorSum: return FailAtSum(true);
      case Packet::Kind::kProcessorTime: return FailAtLimit(options_.processor_time_limit, true, starting);
      case Packet::Kind::kFlood:
        return Fail(Verdict::kOutputLimit, say::printed_too_much(options_.output_limit >> 10),
                    say::print_less());
      case Packet::Kind::kAnswer: break;
    }
    CallAnswer& answer = packet.answer;
    if (answer.number == number && KeepHint(answer)) continue;
    if (answer.number == number && answer.kind == AnswerKind::kBadArguments) {
      CallOutcome refused =
          Fail(Verdict::kProtocolViolation, say::other_arguments(), say::suite_and_contract_disagree());
      refused.result = std::move(answer.result);
      return refused;
    }
    if (answer.number != number || answer.kind != expected) {
      return Fail(Verdict::kProtocolViolation, say::answered_no_call(), say::return_by_itself());
    }
    if (const auto used = limits.processor_time.Used(process_->ProcessorTime())) time_.processor += *used;
    CallOutcome outcome;
    // What was printed before the answer is in the pipe by now.
    process_->DrainOutput();
    outcome.printed = process_->TakeOutput();
    outcome.result = std::move(answer.result);
    outcome.last_error = answer.last_error;
    return outcome;
  }
}

CallOutcome Worker::Fail(Verdict verdict, Message reason, Message next_step) {
  alive_ = false;
  process_->Kill();
  CallOutcome outcome{verdict, std::move(reason), std::move(next_step), {}, {}, 0};
  process_->DrainOutput();
  outcome.printed = process_->TakeOutput();
  return outcome;
}

CallOutcome Worker::FailAtLimit(std::chrono::milliseconds limit, bool of_processor, bool starting) {
  const auto& row = starting ? (of_processor ? say::not_ready_within_processor_time : say::not_ready_within)
                    : of_processor ? say::not_returned_within_processor_time
                                   : say::not_returned_within;
  return Fail(Verdict::kTimeLimit, row(Seconds(limit)),
              // Kernels use the processor time of another process.
              of_processor ? say::look_for_endless_host_loop() : say::look_for_endless_loop());
}

CallOutcome Worker::FailAtSum(bool of_processor) {
  const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(
      of_processor ? options_.sum_limit.processor : options_.sum_limit.idle);
  if (of_processor) {
    return Fail(Verdict::kTimeLimit, say::all_calls_computed(Seconds(limit)),
                say::leave_computing_to_kernels());
  }
  return Fail(Verdict::kTimeLimit, say::all_calls_slept(Seconds(limit)), say::remove_the_sleep());
}

CallOutcome Worker::ExplainSignal(int signal) {
  if (out_of_memory_) {
    return Fail(Verdict::kMemoryLimit, say::memory_of_host_code(options_.memory_limit >> 20),
                say::allocate_less());
  }
  if (signal == SIGKILL) {
    return Fail(Verdict::kMemoryLimit, say::killed_for_memory(), say::allocate_less_memory());
  }
  const Message name = sandbox::DescribeSignal(signal);
  if (signal != SIGSEGV) return Fail(Verdict::kCrashed, say::ended_by_signal(name), AdviceOnSignal(signal));
  const FaultWords words = DescribeFault(name, fault_);
  return Fail(Verdict::kCrashed, words.reason, words.next_step);
}

bool Worker::KeepHint(const CallAnswer& answer) {
  if (answer.kind == AnswerKind::kOutOfMemory && !out_of_memory_) return out_of_memory_ = true;
  if (answer.kind != AnswerKind::kFault || fault_) return false;
  fault_ = answer.fault.value_or(HostFault{});
  return true;
}

CallOutcome Worker::ExplainEnd() {
  using Kind = sandbox::ProgramEnd::Kind;
  auto end = process_->Wait(Clock::now() + kPatienceAfterClose);
  if (!end) return Fail(Verdict::kGraderFault, end.error().message, end.error().next_step);
  switch (end->kind) {
    case Kind::kExited:
      return Fail(Verdict::kExited, say::process_ended(end->code), say::return_instead_of_exit());
    case Kind::kSignalled: return ExplainSignal(end->code);
    case Kind::kOutputLimit:
      return Fail(Verdict::kOutputLimit, say::printed_too_much(options_.output_limit >> 10),
                  say::print_less());
    case Kind::kTimeLimit:
      // Stopped by SIGXCPU, or it closed its connection and lives on.
      if (end->code == SIGXCPU) {
        return Fail(Verdict::kTimeLimit, say::processor_time_used_up(), say::loop_that_never_ends());
      }
      return Fail(Verdict::kProtocolViolation, say::connection_closed(), say::close_no_descriptor());
    case Kind::kTotalTime:  // Workers have no such limit.
    case Kind::kStopped: break;
  }
  return Fail(Verdict::kGraderFault, say::worker_stopped(), say::run_again());
}

}  // namespace warplings
