// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

#include <string_view>
#include <type_traits>
#include <utility>

#include "grader/device/wire_types.h"

/// The protocol between the device process and its clients; the only definition of it.
///
/// Theory of operation
///
/// A connection is a Unix socket of type kSocketType. The *control* connection belongs to whoever
/// started the device process (the judge, or `warplings run`); it is trusted and may send every message.
/// Over it come the sockets of further, *untrusted* connections (AttachClient): workers and programs.
///
/// Strictly one request, one reply, in turn. Both are a FrameHeader and the encoding of a struct
/// (grader/base/wire.h). The first request is Hello; sequence numbers start at 1 and go up by one; the
/// reply repeats the number and the id. Its body is {ReplyHead, reply} for success, {ReplyHead} for a
/// refusal: the runtime's error number and a sentence.
///
/// Bulk data goes through the connection's *staging buffer*: memory that the server creates, seals
/// against resizing, and sends with its reply to Hello (SCM_RIGHTS). A copy of up to kInlineBytes travels
/// in the message, a larger one in pieces of at most kStagingBytes through the buffer. The server copies
/// a piece out before it looks at it, so that nobody can change what has been checked.
///
/// A peer that does anything else — an unknown id, a body that does not decode, a request too many, a
/// request that only the judge may make — is disconnected. For an untrusted one the reason is kept
/// (TakeProtocolViolations), and all that it owned is freed.
///
/// Several devices can be present; each request names the one that it is for. Modules, kernels, streams and
/// events are numbered per device. Addresses are not: copies and Free go by the address, whatever the device.
/// What asks for observations (findings, launches, printed text, pending work) asks for all devices'.
///
/// Who may touch what. Modules, kernels, streams, events and allocations belong to the connection that
/// made them, and an id that another one made is refused as if it did not exist. One exception: memory of the
/// judge may be copied from and to (a submission's host code may well cudaMemcpy from its arguments),
/// but not freed. What a *kernel* may touch is the Device's business.
namespace warplings::protocol {

inline constexpr std::uint32_t kVersion = 2;
inline constexpr int kSocketType = SOCK_STREAM;
inline constexpr std::uint64_t kStagingBytes = std::uint64_t{4} << 20;
/// Larger copies go through the staging buffer. A frame of this size always fits an empty socket buffer.
inline constexpr std::uint64_t kInlineBytes = 16 << 10;
/// No request or reply of an untrusted connection has a longer body; a longer one is a violation.
inline constexpr std::uint32_t kMaxClientFrame = 64 << 10;
/// The control connection's replies hold launch records with counts per line.
inline constexpr std::uint32_t kMaxControlFrame = 1U << 30;

/// What an untrusted connection may own at a time. Far beyond any course program, and small enough that
/// a hostile one exhausts itself before the device process.
struct ClientLimits {
  std::size_t allocations = 1 << 16;
  std::size_t shared_allocations = 4096;  ///< Managed and pinned: each is a file descriptor here.
  std::size_t modules = 256;
  std::uint64_t module_bytes = std::uint64_t{64} << 20;       ///< One module.
  std::uint64_t all_module_bytes = std::uint64_t{256} << 20;  ///< All of a connection's.
  std::size_t kernels = 1 << 14;
  std::size_t streams = 1024;
  std::size_t events = 1 << 16;
};

struct FrameHeader {
  std::uint32_t length = 0;  ///< Bytes of the body that follows.
  std::uint16_t id = 0;      ///< Row in MessageTable.
  std::uint16_t device = 0;  ///< Ordinal of the device that a request is for; 0 in replies.
  std::uint64_t sequence = 0;
};
static_assert(sizeof(FrameHeader) == 16);

struct ReplyHead {
  std::int32_t code = 0;  ///< CudaError; 0: the reply follows.
  std::string message;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(code, message);
  }
};

struct Nothing {
  template <class Archive>
  void Fields(Archive&) {}
};

/// A reply that is one value.
template <class T>
struct Value {
  T value{};
  template <class Archive>
  void Fields(Archive& archive) {
    archive(value);
  }
};

struct Hello {
  std::uint32_t version = kVersion;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(version);
  }
};
/// Carries the staging buffer's descriptor.
struct HelloReply {
  std::vector<DeviceProfile> profiles;  ///< Of the devices present, by ordinal.
  ClientId client = 0;
  bool deliver_printed = false;  ///< This connection may, and should, take kernels' printf output.
  template <class Archive>
  void Fields(Archive& archive) {
    archive(profiles, client, deliver_printed);
  }
};

// A request with a kCall is one whose refusal is the program's own fault. For an untrusted connection it
// becomes a finding under that name, so that an error code that nobody looked at is seen.

/// The next piece of a module, in the staging buffer; LoadModule takes the pieces together.
struct UploadModule {
  std::uint64_t bytes = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(bytes);
  }
};
struct LoadModule {
  static constexpr std::string_view kCall = "loading the program's kernels";
  template <class Archive>
  void Fields(Archive&) {}
};
struct UnloadModule {
  ModuleId module = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(module);
  }
};
struct FindKernel {
  static constexpr std::string_view kCall = "looking up a kernel";
  ModuleId module = 0;
  std::string name;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(module, name);
  }
};
struct FindVariable {
  static constexpr std::string_view kCall = "looking up a __device__ variable";
  ModuleId module = 0;
  std::string name;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(module, name);
  }
};
struct ListKernelResources {
  ClientId client = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(client);
  }
};
struct BlocksPerMultiprocessor {
  KernelId kernel = 0;
  std::uint32_t block_threads = 0;
  std::uint32_t dynamic_shared_bytes = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(kernel, block_threads, dynamic_shared_bytes);
  }
};
struct SetMaxDynamicShared {
  static constexpr std::string_view kCall = "cudaFuncSetAttribute";
  KernelId kernel = 0;
  std::uint32_t bytes = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(kernel, bytes);
  }
};

struct Allocate {
  static constexpr std::string_view kCall = "cudaMalloc";
  std::uint64_t bytes = 0;
  AllocationKind kind = AllocationKind::kDevice;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(bytes, kind);
  }
};
/// Carries the memory's descriptor where `shared`.
struct AllocateReply {
  DevicePointer address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t mapped_bytes = 0;
  bool shared = false;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(address, bytes, mapped_bytes, shared);
  }
};
struct Free {
  static constexpr std::string_view kCall = "cudaFree";
  DevicePointer address = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(address);
  }
};
struct SetLabel {
  DevicePointer address = 0;
  std::string label;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(address, label);
  }
};
struct MarkUninitialised {
  DevicePointer address = 0;
  std::uint64_t bytes = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(address, bytes);
  }
};
struct GetMemoryInfo {
  template <class Archive>
  void Fields(Archive&) {}
};
struct GetPointerInfo {
  DevicePointer address = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(address);
  }
};

/// Where a piece of a copy stands in the whole, which is checked before its first byte moves. A piece of no
/// bytes asks for that check alone.
struct Piece {
  std::uint64_t total = 0;   ///< Bytes of the whole copy.
  std::uint64_t offset = 0;  ///< Of this piece in it.
  std::uint64_t bytes = 0;   ///< Of this piece.
  template <class Archive>
  void Fields(Archive& archive) {
    archive(total, offset, bytes);
  }
};
struct CopyIn {
  static constexpr std::string_view kCall = "cudaMemcpy to the device";
  DevicePointer target = 0;  ///< Of the whole copy.
  StreamId stream = 0;
  Piece piece;
  std::vector<std::byte> data;  ///< The piece; empty where it lies in the staging buffer.
  template <class Archive>
  void Fields(Archive& archive) {
    archive(target, stream, piece, data);
  }
};
struct CopyOut {
  static constexpr std::string_view kCall = "cudaMemcpy to the host";
  DevicePointer source = 0;
  StreamId stream = 0;
  Piece piece;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(source, stream, piece);
  }
};
struct CopyWithin {
  static constexpr std::string_view kCall = "cudaMemcpy within the device";
  DevicePointer target = 0, source = 0;
  std::uint64_t bytes = 0;
  StreamId stream = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(target, source, bytes, stream);
  }
};
struct Fill {
  static constexpr std::string_view kCall = "cudaMemset";
  DevicePointer target = 0;
  std::uint8_t value = 0;
  std::uint64_t bytes = 0;
  StreamId stream = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(target, value, bytes, stream);
  }
};
struct Launch {
  static constexpr std::string_view kCall = "kernel launch";
  LaunchRequest request;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(request);
  }
};

struct CreateStream {
  StreamFlags flags = StreamFlags::kBlocking;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(flags);
  }
};
struct DestroyStream {
  static constexpr std::string_view kCall = "cudaStreamDestroy";
  StreamId stream = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(stream);
  }
};
struct QueryStream {
  static constexpr std::string_view kCall = "cudaStreamQuery";
  StreamId stream = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(stream);
  }
};
struct SynchronizeStream {
  static constexpr std::string_view kCall = "cudaStreamSynchronize";
  StreamId stream = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(stream);
  }
};
struct SynchronizeAll {
  template <class Archive>
  void Fields(Archive&) {}
};
struct CreateEvent {
  template <class Archive>
  void Fields(Archive&) {}
};
struct DestroyEvent {
  static constexpr std::string_view kCall = "cudaEventDestroy";
  EventId event = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(event);
  }
};
struct RecordEvent {
  static constexpr std::string_view kCall = "cudaEventRecord";
  EventId event = 0;
  StreamId stream = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(event, stream);
  }
};
struct WaitEvent {
  static constexpr std::string_view kCall = "cudaStreamWaitEvent";
  StreamId stream = 0;
  EventId event = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(stream, event);
  }
};
struct QueryEvent {
  static constexpr std::string_view kCall = "cudaEventQuery";
  EventId event = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(event);
  }
};
struct SynchronizeEvent {
  static constexpr std::string_view kCall = "cudaEventSynchronize";
  EventId event = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(event);
  }
};
struct ElapsedMilliseconds {
  static constexpr std::string_view kCall = "cudaEventElapsedTime";
  EventId start = 0, stop = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(start, stop);
  }
};

/// A call that the runtime refused before it could reach the device; the server words the finding.
enum class Refusal : std::uint8_t {
  kUnknownKernel,    ///< Launch of a function that no module registered.
  kUnknownSymbol,    ///< cudaMemcpyToSymbol and the like on something that is no device variable.
  kNullPointer,      ///< A null pointer with a size that is not zero.
  kWrongDirection,   ///< cudaMemcpyKind and pointers do not go together.
  kUnsupportedCall,  ///< A runtime function that Warplings does not have.
  kWrongFree,        ///< cudaFree for pinned memory, or cudaFreeHost for device memory.
  kRange,            ///< Counts, offsets or pitches that do not fit each other or the object.
};
constexpr Refusal WireLast(Refusal) {
  return Refusal::kRange;
}
struct ReportRefusal {
  Refusal refusal = Refusal::kUnknownKernel;
  std::string call;  ///< Name of the runtime function.
  template <class Archive>
  void Fields(Archive& archive) {
    archive(refusal, call);
  }
};

/// cudaDeviceReset: frees all that the connection owns on the device; the connection stays.
struct Reset {
  template <class Archive>
  void Fields(Archive&) {}
};

struct SetObservation {
  ObservationOptions options;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(options);
  }
};
struct ListPendingWork {
  template <class Archive>
  void Fields(Archive&) {}
};
struct TakeFindings {
  template <class Archive>
  void Fields(Archive&) {}
};
struct TakeLaunches {
  template <class Archive>
  void Fields(Archive&) {}
};
struct ListArrayWriters {
  template <class Archive>
  void Fields(Archive&) {}
};
struct TakeProfile {
  template <class Archive>
  void Fields(Archive&) {}
};
/// An untrusted connection may send it where HelloReply::deliver_printed says so; it gets the text in
/// pieces, the last of them empty.
struct TakePrinted {
  template <class Archive>
  void Fields(Archive&) {}
};
struct AddFinding {
  Finding finding;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(finding);
  }
};
/// Carries the socket of the new connection.
struct AttachClient {
  bool deliver_printed = false;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(deliver_printed);
  }
};
/// What a client was served since it was last let go.
struct Served {
  std::uint64_t resets = 0;  ///< cudaDeviceReset.
  template <class Archive>
  void Fields(Archive& archive) {
    archive(resets);
  }
};
/// While a client is held, nothing that it asks is served: it waits for its replies.
struct HoldClient {
  ClientId client = 0;
  bool hold = true;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(client, hold);
  }
};
struct DropClient {
  ClientId client = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(client);
  }
};

/// What an untrusted connection did that the CUDA runtime never does.
struct Violation {
  ClientId client = 0;
  std::string what;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(client, what);
  }
};
struct TakeProtocolViolations {
  template <class Archive>
  void Fields(Archive&) {}
};

// Timed runs of one client's call (recorder.h has the theory of operation). One client is recorded at a time.

/// What the client asks for from now on is done and noted.
struct BeginRecording {
  ClientId client = 0;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(client);
  }
};
struct RecordingInfo {
  std::uint64_t operations = 0;
  std::string live_reason;  ///< Why it cannot be replayed; empty: it can.
  template <class Archive>
  void Fields(Archive& archive) {
    archive(operations, live_reason);
  }
};
/// The client is served no more until DropRecording, or between BeginLive and EndLive.
struct EndRecording {
  template <class Archive>
  void Fields(Archive&) {}
};
/// Runs the recorded list: untimed for `warm_up_seconds` (at least once where that is not 0), then, where
/// `timed`, once between BeginTiming and EndTiming.
struct Replay {
  double warm_up_seconds = 0;
  bool timed = true;
  template <class Archive>
  void Fields(Archive& archive) {
    archive(warm_up_seconds, timed);
  }
};
/// The time begins, and the client is served: the judge makes the call, …
struct BeginLive {
  template <class Archive>
  void Fields(Archive&) {}
};
/// … and the time ends when all its work is done.
struct EndLive {
  template <class Archive>
  void Fields(Archive&) {}
};
struct DropRecording {
  template <class Archive>
  void Fields(Archive&) {}
};

enum class Permission { kEveryone, kJudge };

template <class RequestType, class ReplyType, Permission kWho>
struct Row {
  using Request = RequestType;
  using Reply = ReplyType;
  static constexpr Permission kPermission = kWho;
};
template <class... Rows>
struct Table {
  static constexpr std::uint32_t kSize = sizeof...(Rows);
};

/// Every message: what is asked, what is answered, who may ask. A message's id is its row.
using MessageTable = Table<Row<Hello, HelloReply, Permission::kEveryone>,                  //
                           Row<UploadModule, Nothing, Permission::kEveryone>,              //
                           Row<LoadModule, Value<ModuleId>, Permission::kEveryone>,        //
                           Row<UnloadModule, Nothing, Permission::kEveryone>,              //
                           Row<FindKernel, Value<KernelInfo>, Permission::kEveryone>,      //
                           Row<FindVariable, Value<VariableInfo>, Permission::kEveryone>,  //
                           Row<ListKernelResources, Value<std::vector<KernelResources>>, Permission::kJudge>,
                           Row<BlocksPerMultiprocessor, Value<std::uint32_t>, Permission::kEveryone>,       //
                           Row<SetMaxDynamicShared, Nothing, Permission::kEveryone>,                        //
                           Row<Allocate, AllocateReply, Permission::kEveryone>,                             //
                           Row<Free, Nothing, Permission::kEveryone>,                                       //
                           Row<SetLabel, Nothing, Permission::kJudge>,                                      //
                           Row<MarkUninitialised, Nothing, Permission::kJudge>,                             //
                           Row<GetMemoryInfo, Value<Device::MemoryInfo>, Permission::kEveryone>,            //
                           Row<GetPointerInfo, Value<Device::PointerInfo>, Permission::kEveryone>,          //
                           Row<CopyIn, Nothing, Permission::kEveryone>,                                     //
                           Row<CopyOut, Value<std::vector<std::byte>>, Permission::kEveryone>,              //
                           Row<CopyWithin, Nothing, Permission::kEveryone>,                                 //
                           Row<Fill, Nothing, Permission::kEveryone>,                                       //
                           Row<Launch, Nothing, Permission::kEveryone>,                                     //
                           Row<CreateStream, Value<StreamId>, Permission::kEveryone>,                       //
                           Row<DestroyStream, Nothing, Permission::kEveryone>,                              //
                           Row<QueryStream, Value<bool>, Permission::kEveryone>,                            //
                           Row<SynchronizeStream, Nothing, Permission::kEveryone>,                          //
                           Row<SynchronizeAll, Nothing, Permission::kEveryone>,                             //
                           Row<CreateEvent, Value<EventId>, Permission::kEveryone>,                         //
                           Row<DestroyEvent, Nothing, Permission::kEveryone>,                               //
                           Row<RecordEvent, Nothing, Permission::kEveryone>,                                //
                           Row<WaitEvent, Nothing, Permission::kEveryone>,                                  //
                           Row<QueryEvent, Value<bool>, Permission::kEveryone>,                             //
                           Row<SynchronizeEvent, Nothing, Permission::kEveryone>,                           //
                           Row<ElapsedMilliseconds, Value<float>, Permission::kEveryone>,                   //
                           Row<ReportRefusal, Nothing, Permission::kEveryone>,                              //
                           Row<Reset, Nothing, Permission::kEveryone>,                                      //
                           Row<SetObservation, Nothing, Permission::kJudge>,                                //
                           Row<ListPendingWork, Value<std::vector<PendingWork>>, Permission::kJudge>,       //
                           Row<TakeFindings, Value<std::vector<Finding>>, Permission::kJudge>,              //
                           Row<TakeLaunches, Value<std::vector<LaunchRecord>>, Permission::kJudge>,         //
                           Row<ListArrayWriters, Value<std::vector<ArrayWriters>>, Permission::kJudge>,     //
                           Row<TakeProfile, Value<std::vector<KernelProfile>>, Permission::kJudge>,         //
                           Row<TakePrinted, Value<std::string>, Permission::kEveryone>,                     //
                           Row<AddFinding, Nothing, Permission::kJudge>,                                    //
                           Row<AttachClient, Value<ClientId>, Permission::kJudge>,                          //
                           Row<HoldClient, Served, Permission::kJudge>,                                     //
                           Row<DropClient, Nothing, Permission::kJudge>,                                    //
                           Row<TakeProtocolViolations, Value<std::vector<Violation>>, Permission::kJudge>,  //
                           Row<BeginRecording, Nothing, Permission::kJudge>,                                //
                           Row<EndRecording, RecordingInfo, Permission::kJudge>,                            //
                           Row<Replay, Value<Timing>, Permission::kJudge>,                                  //
                           Row<BeginLive, Nothing, Permission::kJudge>,                                     //
                           Row<EndLive, Value<Timing>, Permission::kJudge>,                                 //
                           Row<DropRecording, Nothing, Permission::kJudge>>;

namespace internal {
/// A row and where it stands. The table's rows are the bases of one class: which of them is a request's, the
/// compiler then finds in one step, where a search from row to row would make a thousand classes in each
/// source.
template <class Request, class Reply, std::uint16_t kIndex>
struct Place {};
template <class Request, class Reply, std::uint16_t kIndex>
constexpr std::uint16_t MessageIndex(const Place<Request, Reply, kIndex>*) {
  return kIndex;
}
template <class Request, class Reply, std::uint16_t kIndex>
std::type_identity<Reply> MessageReply(const Place<Request, Reply, kIndex>*);

template <class Indices, class Rows>
struct Places;
template <std::uint16_t... kIndices, class... Rows>
struct Places<std::integer_sequence<std::uint16_t, kIndices...>, Table<Rows...>>
    : Place<typename Rows::Request, typename Rows::Reply, kIndices>... {};
template <class MessageRows>
struct PlacesOf;
template <class... Rows>
struct PlacesOf<Table<Rows...>> {
  using Type = Places<std::make_integer_sequence<std::uint16_t, sizeof...(Rows)>, Table<Rows...>>;
};
using AllPlaces = PlacesOf<MessageTable>::Type;
}  // namespace internal

template <class Request>
inline constexpr std::uint16_t kMessageId =
    internal::MessageIndex<Request>(static_cast<const internal::AllPlaces*>(nullptr));
template <class Request>
using ReplyTo = typename decltype(internal::MessageReply<Request>(
    static_cast<const internal::AllPlaces*>(nullptr)))::type;

}  // namespace warplings::protocol
