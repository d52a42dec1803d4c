// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <string>

#include "grader/device/request_handler.h"
#include "grader/messages/timing.h"

namespace warplings {

using namespace protocol;

namespace {

using Clock = std::chrono::steady_clock;

/// Upper limit of a warm-up, whatever was requested.
constexpr double kLongestWarmUp = 10;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

CudaFault OutOfTurn(const char* what) {
  return {CudaError::kInvalidValue, std::string(what) + " is not possible now."};
}

/// For a device without a time of its own, the host's.
Timing WithHostTime(Timing timing, Clock::time_point start) {
  if (!timing.measured) timing.host_seconds = SecondsSince(start);
  return timing;
}

}  // namespace

CudaResult<Allocation> RequestHandler::AllocateDespiteRecording(Session& session, const Allocate& request) {
  auto allocation = DeviceFor(session).Allocate(request.bytes, request.kind);
  if (allocation || !recorder_.Records(session.client)) return allocation;
  recorder_.Refuse(session.client, say::temporaries_do_not_fit());
  ReleaseKept();
  return DeviceFor(session).Allocate(request.bytes, request.kind);
}

void RequestHandler::ReleaseKept() {
  for (const auto& [start, memory] : ledger_.TakeKept()) {
    // Its owner has freed it already, and is told of errors by the calls that wait.
    static_cast<void>(devices_[memory.owner.device]->Free(start).ok());
  }
}

CudaStatus RequestHandler::HandleBeginRecording(Session&, const BeginRecording& request) {
  if (!recorder_.idle() || request.client == 0) return OutOfTurn("A recording");
  recorder_.Begin(request.client);
  if (ledger_.SharesWithHost(request.client))
    recorder_.Refuse(request.client, say::has_shared_memory_of_host());
  return Unit{};
}

CudaResult<RecordingInfo> RequestHandler::HandleEndRecording(Session&, const EndRecording&) {
  if (!recorder_.Records(recorder_.client())) return OutOfTurn("The end of a recording");
  recorder_.End();
  return RecordingInfo{recorder_.size(), recorder_.refusal()};
}

CudaResult<Timing> RequestHandler::HandleReplay(Session& session, const protocol::Replay& request) {
  if (!recorder_.held() || !recorder_.refusal().empty()) return OutOfTurn("A replay");
  LocalDevice& device = DeviceFor(session);
  const Clock::time_point begin = Clock::now();
  const double warm_up = std::min(request.warm_up_seconds, kLongestWarmUp);
  while (SecondsSince(begin) < warm_up) {
    if (auto run = recorder_.Run(devices_); !run) return run.error();
    if (auto done = device.SynchronizeAll(); !done) return done.error();
  }
  Timing timing;
  if (request.timed) {
    if (auto ready = device.BeginTiming(); !ready) return ready.error();
    const Clock::time_point start = Clock::now();
    if (auto run = recorder_.Run(devices_); !run) return run.error();
    auto ended = device.EndTiming();
    if (!ended) return ended.error();
    timing = WithHostTime(*ended, start);
  }
  // Nobody asks for the records of replays, and there are many.
  static_cast<void>(device.TakeLaunches());
  return timing;
}

CudaStatus RequestHandler::HandleBeginLive(Session& session, const protocol::BeginLive&) {
  if (!recorder_.held()) return OutOfTurn("A live run");
  ReleaseKept();
  recorder_.BeginLive();
  if (auto ready = DeviceFor(session).BeginTiming(); !ready) return ready.error();
  live_start_ = Clock::now();
  return Unit{};
}

CudaResult<Timing> RequestHandler::HandleEndLive(Session& session, const protocol::EndLive&) {
  if (!recorder_.live()) return OutOfTurn("The end of a live run");
  recorder_.EndLive();
  auto timing = DeviceFor(session).EndTiming();
  if (!timing) return timing.error();
  static_cast<void>(DeviceFor(session).TakeLaunches());
  return WithHostTime(*timing, live_start_);
}

CudaStatus RequestHandler::HandleDropRecording(Session&, const protocol::DropRecording&) {
  ReleaseKept();
  recorder_.Drop();
  return Unit{};
}

}  // namespace warplings
