// SPDX-License-Identifier: Apache-2.0
#include "grader/device/recorder.h"

#include <utility>

#include "grader/messages/timing.h"

namespace warplings {
namespace {

/// Does one operation on a device, on its default stream.
struct Executor {
  LocalDevice& device;

  CudaStatus operator()(const LaunchRequest& launch) const { return device.Launch(launch); }
  CudaStatus operator()(const Recorder::CopyIn& copy) const {
    return device.CopyIn(copy.target, copy.data, 0);
  }
  CudaStatus operator()(const Recorder::CopyWithin& copy) const {
    return device.CopyWithin(copy.target, copy.source, copy.bytes, 0);
  }
  CudaStatus operator()(const Recorder::Fill& fill) const {
    return device.Fill(fill.target, fill.value, fill.bytes, 0);
  }
};

}  // namespace

void Recorder::Clear() {
  operations_.clear();
  copied_bytes_ = 0;
  device_ = 0;
  look_ = {};
  refusal_ = {};
}

void Recorder::Begin(ClientId client) {
  Clear();
  state_ = State::kRecording;
  client_ = client;
}

void Recorder::End() {
  state_ = State::kHeld;
}

void Recorder::BeginLive() {
  operations_.clear();
  state_ = State::kLive;
}

void Recorder::EndLive() {
  state_ = State::kHeld;
}

void Recorder::Drop() {
  Clear();
  state_ = State::kIdle;
  client_ = 0;
}

void Recorder::Note(ClientId client, std::size_t device, Operation operation) {
  if (!Records(client) || !refusal_.empty()) return;
  if (!look_.empty()) return Refuse(client, say::came_before_more_work(look_));
  if (operations_.empty()) device_ = device;
  if (device != device_) return Refuse(client, say::used_second_device());
  if (const auto* copy = std::get_if<CopyIn>(&operation)) copied_bytes_ += copy->data.size();
  if (operations_.size() >= kMaximumOperations || copied_bytes_ > kMaximumBytes) {
    operations_.clear();
    return Refuse(client, say::too_many_operations_to_keep());
  }
  if (auto* launch = std::get_if<LaunchRequest>(&operation)) launch->stream = 0;
  operations_.push_back(std::move(operation));
}

void Recorder::NoteHostObservation(ClientId client, Message how) {
  if (Records(client)) look_ = std::move(how);
}

void Recorder::Refuse(ClientId client, Message reason) {
  if (Records(client) && refusal_.empty()) refusal_ = std::move(reason);
}

CudaStatus Recorder::Run(std::span<LocalDevice* const> devices) const {
  for (const Operation& operation : operations_) {
    if (auto done = std::visit(Executor{*devices[device_]}, operation); !done) return done;
  }
  return Unit{};
}

}  // namespace warplings
