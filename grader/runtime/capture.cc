// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/capture.h"

#include <algorithm>
#include <set>
#include <thread>

namespace warplings::runtime {
namespace {

using CaptureId = std::uint64_t;
using StreamKey = std::pair<std::size_t, StreamId>;  ///< Device and stream.

enum Mode : int { kGlobal, kThreadLocal, kRelaxed };
enum CaptureStatus : int { kNone, kActive, kInvalidated };

struct OneCapture {
  GraphId graph = 0;
  int mode = kGlobal;
  std::thread::id thread;
  StreamKey origin;
  bool is_invalid = false;
  bool is_of_program = false;  ///< The graph is one that the program had before.
};
struct CapturingStream {
  CaptureId capture = 0;
  bool is_blocking = false;
  std::vector<NodeId> last;  ///< What the next node waits for.
};
struct CapturedEvent {
  CaptureId capture = 0;
  std::vector<NodeId> last;
};

struct Captures {
  std::map<CaptureId, OneCapture> all;
  std::map<StreamKey, CapturingStream> streams;
  std::map<void*, CapturedEvent> events;
  std::set<void*> recorded;  ///< Events that were recorded by no capture.
  CaptureId next = 1;
};

Captures& TheCaptures() {
  static Captures* const captures = new Captures;
  return *captures;
}

int& ThreadMode() {
  thread_local int mode = kGlobal;
  return mode;
}

OneCapture* FindCapture(CaptureId id) {
  const auto found = TheCaptures().all.find(id);
  return found == TheCaptures().all.end() ? nullptr : &found->second;
}

/// Null where the stream takes part in no capture.
CapturingStream* FindStream(const StreamKey& key) {
  const auto found = TheCaptures().streams.find(key);
  return found == TheCaptures().streams.end() ? nullptr : &found->second;
}

CudaError Invalidate(CaptureId id, CudaError code) {
  if (OneCapture* capture = FindCapture(id)) capture->is_invalid = true;
  return code;
}

/// Work in the legacy default stream would wait for a blocking stream that is capturing.
bool DependsOnCapture(const StreamKey& key, bool invalidates) {
  bool depends = false;
  if (key.second != 0) return false;
  for (const auto& [stream, state] : TheCaptures().streams) {
    if (stream.first != key.first || !state.is_blocking) continue;
    depends = true;
    if (invalidates) Invalidate(state.capture, kCaptureImplicit);
  }
  return depends;
}

/// The stream's key; makes its device the one in use.
CudaResult<StreamKey> KeyOf(Runtime& runtime, void* handle) {
  auto stream = ToStream(runtime, handle);
  if (!stream) return stream.error();
  return StreamKey{runtime.device().device_in_use(), *stream};
}

/// The stream that captures the handle's work, with its device the one in use. Null where it takes part in no
/// capture, and then the device in use stays. An error if the work cannot be captured.
Result<CapturingStream*, Outcome> StreamThatCaptures(Runtime& runtime, void* handle) {
  const std::size_t current = runtime.device().device_in_use();
  auto key = KeyOf(runtime, handle);
  if (!key) return Outcome(key.error());
  if (DependsOnCapture(*key, true)) return Outcome(kCaptureImplicit);
  CapturingStream* stream = FindStream(*key);
  if (stream == nullptr) {
    runtime.device().UseDevice(current);
    return stream;
  }
  if (FindCapture(stream->capture)->is_invalid) return Outcome(kCaptureInvalidated);
  return stream;
}

/// Ends a capture, and hands over its graph.
void Remove(CaptureId id) {
  Captures& captures = TheCaptures();
  captures.all.erase(id);
  std::erase_if(captures.streams, [&](const auto& entry) { return entry.second.capture == id; });
}

/// True if every node that a stream captured last comes before what the origin captured last.
bool IsJoined(CaptureId id) {
  const OneCapture& capture = *FindCapture(id);
  std::vector<NodeId> open = FindStream(capture.origin)->last;
  std::set<NodeId> reached(open.begin(), open.end());
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    for (const NodeId before : Graphs::Get().FindNode(node)->before) {
      if (reached.insert(before).second) open.push_back(before);
    }
  }
  return std::ranges::all_of(TheCaptures().streams, [&](const auto& entry) {
    const CapturingStream& stream = entry.second;
    return stream.capture != id ||
           std::ranges::all_of(stream.last, [&](NodeId node) { return reached.contains(node); });
  });
}

void Join(std::vector<NodeId>& nodes, const std::vector<NodeId>& more) {
  for (const NodeId node : more) {
    if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
  }
}

struct Info {
  int status = kNone;
  CaptureId id = 0;
  GraphId graph = 0;
  std::vector<NodeId> last;
};

Outcome GetInfo(Runtime& runtime, void* handle, Info& info) {
  auto key = KeyOf(runtime, handle);
  if (!key) return key.error();
  if (DependsOnCapture(*key, false)) return kCaptureImplicit;
  const CapturingStream* stream = FindStream(*key);
  if (stream == nullptr) return {};
  const OneCapture& capture = *FindCapture(stream->capture);
  info = {capture.is_invalid ? kInvalidated : kActive, stream->capture, capture.graph, stream->last};
  return {};
}

Outcome End(Runtime& runtime, void* handle, void** graph) {
  auto key = KeyOf(runtime, handle);
  if (!key) return key.error();
  const CapturingStream* stream = FindStream(*key);
  if (stream == nullptr) return kIllegalState;
  const CaptureId id = stream->capture;
  const OneCapture capture = *FindCapture(id);
  if (capture.origin != *key) return Invalidate(id, kCaptureUnmatched);
  if (capture.mode != kRelaxed && capture.thread != std::this_thread::get_id())
    return Invalidate(id, kCaptureWrongThread);
  const CudaError error = capture.is_invalid ? kCaptureInvalidated
                          : !IsJoined(id)    ? kCaptureUnjoined
                                             : CudaError::kSuccess;
  Remove(id);
  if (capture.is_of_program) {
    if (graph != nullptr && error == CudaError::kSuccess) *graph = Graphs::Handle(capture.graph);
    return error;
  }
  if (error != CudaError::kSuccess || graph == nullptr) {
    Graphs::Get().Destroy(capture.graph);
    return error;
  }
  Graphs::Get().Find(capture.graph)->is_owned = false;
  *graph = Graphs::Handle(capture.graph);
  return {};
}

}  // namespace

bool IsAnythingCaptured() {
  return !TheCaptures().all.empty();
}

std::optional<Outcome> CaptureWork(Runtime& runtime, void* handle, NodeWork work) {
  const auto found = StreamThatCaptures(runtime, handle);
  if (!found) return found.error();
  CapturingStream* const stream = *found;
  if (stream == nullptr) return std::nullopt;
  const std::size_t device = runtime.device().device_in_use();
  OneCapture& capture = *FindCapture(stream->capture);
  if (const auto* kernel = std::get_if<KernelWork>(&work)) {
    Outcome checked = CheckKernel(runtime, *kernel);
    if (!checked.ok()) {
      capture.is_invalid = true;
      return checked;
    }
  }
  auto node = Graphs::Get().Add(capture.graph, stream->last, std::move(work), device);
  if (!node) return Invalidate(stream->capture, node.error().code);
  stream->last = {*node};
  return Outcome();
}

std::optional<Outcome> CaptureMade(Runtime& runtime, void* handle,
                                   const std::function<Outcome(GraphId, NodeWork&)>& make) {
  if (!IsAnythingCaptured()) return std::nullopt;
  const auto stream = StreamThatCaptures(runtime, handle);
  if (!stream) return stream.error();
  if (*stream == nullptr) return std::nullopt;
  NodeWork work = EmptyWork{};
  Outcome made = make(FindCapture((*stream)->capture)->graph, work);
  if (!made.ok() || std::holds_alternative<EmptyWork>(work)) return made;
  return CaptureWork(runtime, handle, std::move(work));
}

bool IsCapturedTo(GraphId graph) {
  return std::ranges::any_of(TheCaptures().all,
                             [&](const auto& entry) { return entry.second.graph == graph; });
}

bool IsCapturedWithin(GraphId graph) {
  return std::ranges::any_of(TheCaptures().all, [&](const auto& entry) {
    GraphId captured = entry.second.graph;
    while (captured != 0 && captured != graph) captured = Graphs::Get().Find(captured)->parent;
    return captured != 0;
  });
}

std::optional<Outcome> RefuseInCapture(Runtime& runtime, void* handle, CudaError code) {
  if (!IsAnythingCaptured()) return std::nullopt;
  auto key = KeyOf(runtime, handle);
  if (!key) return key.error();
  if (DependsOnCapture(*key, true)) return kCaptureImplicit;
  const CapturingStream* stream = FindStream(*key);
  if (stream == nullptr) return std::nullopt;
  Invalidate(stream->capture, code);
  if (code == CudaError::kNotSupported) return Refused{code, protocol::Refusal::kUnsupportedCall};
  return code;
}

std::optional<Outcome> RefuseDuringCapture(Runtime&, bool everywhere) {
  bool is_refused = false;
  for (auto& [id, capture] : TheCaptures().all) {
    const bool is_own = capture.thread == std::this_thread::get_id();
    const bool forbids = (capture.mode == kGlobal && (is_own || ThreadMode() == kGlobal)) ||
                         (capture.mode == kThreadLocal && is_own);
    if (!everywhere && (!forbids || ThreadMode() == kRelaxed)) continue;
    capture.is_invalid = true;
    is_refused = true;
  }
  if (!is_refused) return std::nullopt;
  return kCaptureUnsupported;
}

std::optional<Outcome> CaptureRecord(Runtime& runtime, void* event, void* handle, bool is_external) {
  Captures& captures = TheCaptures();
  if (!IsAnythingCaptured()) {
    captures.events.erase(event);
    captures.recorded.insert(event);
    return std::nullopt;
  }
  if (is_external) return CaptureWork(runtime, handle, EventRecord{event});
  const auto found = StreamThatCaptures(runtime, handle);
  if (!found) return found.error();
  const CapturingStream* const stream = *found;
  if (stream == nullptr) {
    captures.events.erase(event);
    captures.recorded.insert(event);
    return std::nullopt;
  }
  const auto known = Unpack(runtime, event);
  if (!known || (known->tag != HandleTag::kTimedEvent && known->tag != HandleTag::kUntimedEvent))
    return CudaError::kInvalidResourceHandle;
  captures.events[event] = {stream->capture, stream->last};
  return Outcome();
}

std::optional<Outcome> CaptureWait(Runtime& runtime, void* handle, void* event) {
  Captures& captures = TheCaptures();
  const auto captured = captures.events.find(event);
  if (captured == captures.events.end() && !IsAnythingCaptured()) return std::nullopt;
  const std::size_t current = runtime.device().device_in_use();
  auto key = KeyOf(runtime, handle);
  if (!key) return key.error();
  CapturingStream* stream = FindStream(*key);
  if (captured == captures.events.end()) {
    if (stream == nullptr) {
      runtime.device().UseDevice(current);
      return std::nullopt;
    }
    // An event that was never recorded stands for no work.
    if (!captures.recorded.contains(event)) return Outcome();
    return Invalidate(stream->capture, kCaptureIsolation);
  }
  const CaptureId id = captured->second.capture;
  const OneCapture* capture = FindCapture(id);
  if (capture == nullptr) return CudaError::kInvalidValue;  // That capture has ended.
  if (capture->is_invalid) return kCaptureInvalidated;
  if (key->second == 0) return Invalidate(id, kCaptureImplicit);
  if (stream != nullptr && stream->capture != id) {
    Invalidate(stream->capture, kCaptureMerge);
    return Invalidate(id, kCaptureMerge);
  }
  if (stream == nullptr) {
    stream = &captures.streams[*key];
    *stream = {id, TagOf(handle) != HandleTag::kNonBlockingStream, {}};
  }
  Join(stream->last, captured->second.last);
  return Outcome();
}

std::optional<Outcome> RefuseCapturedEvent(Runtime& runtime, void* event) {
  const auto captured = TheCaptures().events.find(event);
  if (captured == TheCaptures().events.end()) return RefuseDuringCapture(runtime);
  if (FindCapture(captured->second.capture) == nullptr) return CudaError::kInvalidValue;
  return Invalidate(captured->second.capture, kCapturedEvent);
}

void ForgetEvent(void* event) {
  TheCaptures().events.erase(event);
  TheCaptures().recorded.erase(event);
}

void ForgetCaptures() {
  Captures& captures = TheCaptures();
  for (const auto& [id, capture] : captures.all) {
    if (!capture.is_of_program) Graphs::Get().Destroy(capture.graph);
  }
  captures.all.clear();
  captures.streams.clear();
  captures.events.clear();
  captures.recorded.clear();
}

}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

namespace {

/// A graph of the program's, and the nodes in it that the first captured one waits for.
struct GraphToFill {
  GraphId graph = 0;
  std::vector<NodeId> last;
};

/// Without `to`, the capture makes a graph of its own.
Outcome Begin(Runtime& runtime, void* handle, int mode, const std::optional<GraphToFill>& to) {
  if (mode < kGlobal || mode > kRelaxed) return CudaError::kInvalidValue;
  auto key = KeyOf(runtime, handle);
  if (!key) return key.error();
  if (key->second == 0) return kCaptureUnsupported;
  if (FindStream(*key) != nullptr) return kIllegalState;
  // A wrong handle.
  if (auto known = runtime.device().Ask(protocol::GetStreamPriority{key->second}); !known)
    return known.error();
  auto graph = to ? CudaResult<GraphId>(to->graph) : Graphs::Get().Create(true);
  if (!graph) return graph.error();
  Captures& captures = TheCaptures();
  captures.all[captures.next] = {*graph, mode, std::this_thread::get_id(), *key, false, to.has_value()};
  captures.streams[*key] = {captures.next++, TagOf(handle) != HandleTag::kNonBlockingStream,
                            to ? to->last : std::vector<NodeId>()};
  return {};
}

/// cudaStreamUpdateCaptureDependenciesFlags.
enum UpdateFlags : unsigned { kAddToLast = 0, kSetLast = 1 };

int UpdateLast(void* handle, void* const* nodes, const EdgeData* edges, std::size_t count, unsigned flags) {
  return Forward("cudaStreamUpdateCaptureDependencies", [&](Runtime& runtime) -> Outcome {
    auto key = KeyOf(runtime, handle);
    if (!key) return key.error();
    CapturingStream* stream = FindStream(*key);
    if (stream == nullptr) return kIllegalState;
    const OneCapture& capture = *FindCapture(stream->capture);
    if (capture.is_invalid) return kIllegalState;
    auto wanted = Graphs::Get().ToNodes(runtime, capture.graph, nodes, count);
    if (flags > kSetLast || !wanted) return CudaError::kInvalidValue;
    if (!IsPlain(edges, count)) return Refused{CudaError::kNotSupported, protocol::Refusal::kUnsupportedCall};
    if (flags == kSetLast) stream->last.clear();
    Join(stream->last, *wanted);
    return {};
  });
}

}  // namespace

WARPLINGS_API int cudaStreamBeginCapture(void* handle, int mode) {
  return Forward("cudaStreamBeginCapture",
                 [&](Runtime& runtime) { return Begin(runtime, handle, mode, std::nullopt); });
}

WARPLINGS_API int cudaStreamBeginCaptureToGraph(void* handle, void* graph, void* const* nodes,
                                                const EdgeData* edges, std::size_t count, int mode) {
  return Forward("cudaStreamBeginCaptureToGraph", [&](Runtime& runtime) -> Outcome {
    const auto id = Graphs::Get().ToGraph(runtime, graph);
    if (!id || IsCapturedTo(*id)) return CudaError::kInvalidValue;
    auto last = Graphs::Get().ToNodes(runtime, *id, nodes, count);
    if (!last) return CudaError::kInvalidValue;
    if (!IsPlain(edges, count)) return Refused{CudaError::kNotSupported, protocol::Refusal::kUnsupportedCall};
    return Begin(runtime, handle, mode, GraphToFill{*id, std::move(*last)});
  });
}
WARPLINGS_API int cudaStreamBeginCaptureToGraph_ptsz(void* stream, void* graph, void* const* nodes,
                                                     const EdgeData* edges, std::size_t count, int mode) {
  return cudaStreamBeginCaptureToGraph(stream == nullptr ? kPerThreadStream : stream, graph, nodes, edges,
                                       count, mode);
}

WARPLINGS_API int cudaStreamEndCapture(void* handle, void** graph) {
  return Forward("cudaStreamEndCapture", [&](Runtime& runtime) -> Outcome {
    if (graph != nullptr) *graph = nullptr;
    return End(runtime, handle, graph);
  });
}

WARPLINGS_API int cudaStreamIsCapturing(void* handle, int* status) {
  return Forward("cudaStreamIsCapturing", [&](Runtime& runtime) -> Outcome {
    if (status == nullptr) return CudaError::kInvalidValue;
    Info info;
    Outcome outcome = GetInfo(runtime, handle, info);
    *status = info.status;
    return outcome;
  });
}

namespace {

/// The nodes are told in an array that lasts until the thread asks again.
int GetCaptureInfo(void* handle, int* status, unsigned long long* id, void** graph, void* const** nodes,
                   const EdgeData** edges, std::size_t* count) {
  return Forward("cudaStreamGetCaptureInfo", [&](Runtime& runtime) -> Outcome {
    thread_local std::vector<void*> told;
    thread_local std::vector<EdgeData> told_edges;
    if (status == nullptr) return CudaError::kInvalidValue;
    Info info;
    Outcome outcome = GetInfo(runtime, handle, info);
    *status = info.status;
    if (!outcome.ok() || info.status != kActive) return outcome;
    told.clear();
    for (const NodeId node : info.last) told.push_back(Graphs::NodeHandle(node));
    told_edges.assign(told.size(), {});
    if (id != nullptr) *id = info.id;
    if (graph != nullptr) *graph = Graphs::Handle(info.graph);
    if (nodes != nullptr) *nodes = told.data();
    if (edges != nullptr) *edges = told_edges.data();
    if (count != nullptr) *count = told.size();
    return {};
  });
}

}  // namespace

#if WARPLINGS_CUDA_MAJOR >= 13
#define WITH_EDGES(name) name
#else
#define WITH_EDGES(name) name##_v2
WARPLINGS_API int cudaStreamUpdateCaptureDependencies(void* stream, void* const* nodes, std::size_t count,
                                                      unsigned flags) {
  return UpdateLast(stream, nodes, nullptr, count, flags);
}
#endif
WARPLINGS_API int WITH_EDGES(cudaStreamUpdateCaptureDependencies)(void* stream, void* const* nodes,
                                                                  const EdgeData* edges, std::size_t count,
                                                                  unsigned flags) {
  return UpdateLast(stream, nodes, edges, count, flags);
}

#if WARPLINGS_CUDA_MAJOR >= 13
WARPLINGS_API int cudaStreamGetCaptureInfo(void* stream, int* status, unsigned long long* id, void** graph,
                                           void* const** nodes, const EdgeData** edges, std::size_t* count) {
  return GetCaptureInfo(stream, status, id, graph, nodes, edges, count);
}
WARPLINGS_API int cudaStreamGetCaptureInfo_ptsz(void* stream, int* status, unsigned long long* id,
                                                void** graph, void* const** nodes, const EdgeData** edges,
                                                std::size_t* count) {
  return GetCaptureInfo(stream == nullptr ? kPerThreadStream : stream, status, id, graph, nodes, edges,
                        count);
}
#else
WARPLINGS_API int cudaStreamGetCaptureInfo_v2(void* stream, int* status, unsigned long long* id, void** graph,
                                              void* const** nodes, std::size_t* count) {
  return GetCaptureInfo(stream, status, id, graph, nodes, nullptr, count);
}
WARPLINGS_API int cudaStreamGetCaptureInfo_v2_ptsz(void* stream, int* status, unsigned long long* id,
                                                   void** graph, void* const** nodes, std::size_t* count) {
  return GetCaptureInfo(stream == nullptr ? kPerThreadStream : stream, status, id, graph, nodes, nullptr,
                        count);
}
WARPLINGS_API int cudaStreamGetCaptureInfo_v3(void* stream, int* status, unsigned long long* id, void** graph,
                                              void* const** nodes, const EdgeData** edges,
                                              std::size_t* count) {
  return GetCaptureInfo(stream, status, id, graph, nodes, edges, count);
}
WARPLINGS_API int cudaStreamGetCaptureInfo_v3_ptsz(void* stream, int* status, unsigned long long* id,
                                                   void** graph, void* const** nodes, const EdgeData** edges,
                                                   std::size_t* count) {
  return GetCaptureInfo(stream == nullptr ? kPerThreadStream : stream, status, id, graph, nodes, edges,
                        count);
}
#endif

WARPLINGS_API int cudaThreadExchangeStreamCaptureMode(int* mode) {
  if (mode == nullptr || *mode < kGlobal || *mode > kRelaxed) return Finish(CudaError::kInvalidValue);
  std::swap(*mode, ThreadMode());
  return 0;
}
