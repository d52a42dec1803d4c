// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "grader/runtime/graph_model.h"

/// Stream capture: work for a capturing stream becomes nodes of a graph. Which calls are refused meanwhile,
/// and with which error, an H100 showed (testdata/captures.cu). The mutex of the Runtime guards all of this.
namespace warplings::runtime {

/// False in a program that captures nothing, whose calls then do no more.
bool IsAnythingCaptured();
/// If the stream is capturing, makes a node of the work. Nothing if it is not: the work goes to the device.
std::optional<Outcome> CaptureWork(Runtime& runtime, void* stream, NodeWork work);

/// Captures work, or else calls `run`.
template <class Work, class Run>
Outcome GiveToStream(Runtime& runtime, void* stream, const Work& work, Run&& run) {
  if (!IsAnythingCaptured()) return run();
  const std::optional<Outcome> captured = CaptureWork(runtime, stream, work);
  return captured ? *captured : Outcome(run());
}

/// For calls that no capturing stream takes: nothing, or their error.
std::optional<Outcome> RefuseInCapture(Runtime& runtime, void* stream, CudaError code = kCaptureUnsupported);
/// For calls that may wait for streams that are capturing: nothing, or their error. The captures that forbid
/// them fail. `everywhere`: whatever the mode.
std::optional<Outcome> RefuseDuringCapture(Runtime& runtime, bool everywhere = false);

/// For calls that make a node which has to know its graph: `make(graph, work)` fills its work, and leaves it
/// empty where there is nothing to do. Nothing if the stream is not capturing.
std::optional<Outcome> CaptureMade(Runtime& runtime, void* stream,
                                   const std::function<Outcome(GraphId, NodeWork&)>& make);
/// True while a stream captures to this graph; or to one that belongs to a node of it.
bool IsCapturedTo(GraphId graph);
bool IsCapturedWithin(GraphId graph);

// Events. Nothing: the event and the stream have nothing to do with a capture.
std::optional<Outcome> CaptureRecord(Runtime& runtime, void* event, void* stream, bool is_external);
std::optional<Outcome> CaptureWait(Runtime& runtime, void* stream, void* event);
/// For calls that look at an event.
std::optional<Outcome> RefuseCapturedEvent(Runtime& runtime, void* event);
void ForgetEvent(void* event);
/// The device was reset: what was captured for it is gone.
void ForgetCaptures();

}  // namespace warplings::runtime
