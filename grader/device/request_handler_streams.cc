// SPDX-License-Identifier: Apache-2.0
// Streams and events.
#include <algorithm>

#include "grader/device/refusals.h"
#include "grader/device/request_handler.h"
#include "grader/messages/refusals.h"

namespace warplings {

using namespace protocol;

CudaResult<StreamId> RequestHandler::HandleCreateStream(Session& session, const CreateStream& request) {
  if (auto room = ledger_.CheckRoomForStream(session.place()); !room) return room.error();
  auto stream = DeviceFor(session).CreateStream(session.client, request.flags);
  // Every order that a priority could give is one that CUDA allows without it, so that no device needs to
  // know.
  if (stream) {
    ledger_.AddStream(session.place(), *stream,
                      std::clamp(request.priority, kGreatestPriority, kLeastPriority));
  }
  return stream;
}

CudaResult<std::int32_t> RequestHandler::HandleGetStreamPriority(Session& session,
                                                                 const GetStreamPriority& request) {
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle(say::no_such_stream());
  return ledger_.PriorityOf(session.place(), request.stream);
}

CudaStatus RequestHandler::HandleDestroyStream(Session& session, const DestroyStream& request) {
  if (!ledger_.RemoveStream(session.place(), request.stream)) return InvalidHandle(say::no_such_stream());
  return DeviceFor(session).DestroyStream(session.client, request.stream);
}

CudaResult<bool> RequestHandler::HandleQueryStream(Session& session, const QueryStream& request) {
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle(say::no_such_stream());
  recorder_.NoteHostObservation(session.client, "cudaStreamQuery");
  return DeviceFor(session).QueryStream(request.stream);
}

CudaStatus RequestHandler::HandleSynchronizeStream(Session& session, const SynchronizeStream& request) {
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle(say::no_such_stream());
  return DeviceFor(session).SynchronizeStream(request.stream);
}

CudaStatus RequestHandler::HandleSynchronizeAll(Session& session, const SynchronizeAll&) {
  return DeviceFor(session).SynchronizeAll();
}

CudaResult<std::uint64_t> RequestHandler::HandleLaunchHostFunction(Session& session,
                                                                   const LaunchHostFunction& request) {
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle(say::no_such_stream());
  recorder_.NoteHostObservation(session.client, "cudaLaunchHostFunc");
  return DeviceFor(session).SubmitHostFunction(request.stream);
}

CudaResult<std::uint64_t> RequestHandler::HandleAdvanceToHostFunction(Session& session,
                                                                      const AdvanceToHostFunction& request) {
  const bool names_event = request.awaited == Awaited::kEvent || request.awaited == Awaited::kEventQuery;
  const bool names_stream = request.awaited == Awaited::kStream || request.awaited == Awaited::kStreamQuery;
  if (names_event && !ledger_.HasEvent(session.place(), request.id))
    return InvalidHandle(say::no_such_event());
  if (names_stream && !ledger_.MayUseStream(session.place(), request.id))
    return InvalidHandle(say::no_such_stream());
  return DeviceFor(session).AdvanceTo(session.client, request.awaited, request.id);
}

CudaStatus RequestHandler::HandleEndHostFunction(Session& session, const EndHostFunction& request) {
  DeviceFor(session).EndHostFunction(session.client, request.number);
  return Unit{};
}

CudaResult<EventId> RequestHandler::HandleCreateEvent(Session& session, const CreateEvent&) {
  if (auto room = ledger_.CheckRoomForEvent(session.place()); !room) return room.error();
  auto event = DeviceFor(session).CreateEvent(session.client);
  if (event) ledger_.AddEvent(session.place(), *event);
  return event;
}

CudaStatus RequestHandler::HandleDestroyEvent(Session& session, const DestroyEvent& request) {
  if (!ledger_.RemoveEvent(session.place(), request.event)) return InvalidHandle(say::no_such_event());
  return DeviceFor(session).DestroyEvent(session.client, request.event);
}

CudaStatus RequestHandler::HandleRecordEvent(Session& session, const RecordEvent& request) {
  if (!ledger_.HasEvent(session.place(), request.event)) return InvalidHandle(say::no_such_event());
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle(say::no_such_stream());
  return DeviceFor(session).RecordEvent(request.event, request.stream);
}

CudaStatus RequestHandler::HandleWaitEvent(Session& session, const WaitEvent& request) {
  if (!ledger_.HasEvent(session.place(), request.event)) return InvalidHandle(say::no_such_event());
  if (!ledger_.MayUseStream(session.place(), request.stream)) return InvalidHandle(say::no_such_stream());
  return DeviceFor(session).WaitEvent(request.stream, request.event);
}

CudaResult<bool> RequestHandler::HandleQueryEvent(Session& session, const QueryEvent& request) {
  if (!ledger_.HasEvent(session.place(), request.event)) return InvalidHandle(say::no_such_event());
  recorder_.NoteHostObservation(session.client, "cudaEventQuery");
  return DeviceFor(session).QueryEvent(request.event);
}

CudaStatus RequestHandler::HandleSynchronizeEvent(Session& session, const SynchronizeEvent& request) {
  if (!ledger_.HasEvent(session.place(), request.event)) return InvalidHandle(say::no_such_event());
  return DeviceFor(session).SynchronizeEvent(request.event);
}

CudaResult<float> RequestHandler::HandleElapsedMilliseconds(Session& session,
                                                            const ElapsedMilliseconds& request) {
  if (!ledger_.HasEvent(session.place(), request.start) || !ledger_.HasEvent(session.place(), request.stop)) {
    return InvalidHandle(say::no_such_event());
  }
  recorder_.NoteHostObservation(session.client, "cudaEventElapsedTime");
  return DeviceFor(session).ElapsedMilliseconds(request.start, request.stop);
}

}  // namespace warplings
