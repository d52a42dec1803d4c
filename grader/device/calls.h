// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/message.h"
#include "grader/device/wire_types.h"

/// All calls to the device process: request, reply, and who may make the call.
///
/// A call is a struct, its request, and a row in the table WARPLINGS_CALLS below. From the row come
///
/// - the client's function: DeviceClient::Ask(request) sends it and returns the reply;
/// - the server's dispatch, including the permission check for the connection;
/// - the declaration of the RequestHandler's function that does the work: HandleLaunch for Launch;
/// - the fuzzer's requests and the tests with hostile bytes, which iterate over all rows;
/// - docs/device_calls.md.
///
/// So a new call is a struct and a row here, the body of its function in request_handler*.cc, and a function
/// in grader/runtime that programs call. Structs have no list of their fields: wire.h finds them.
namespace warplings::protocol {

/// Increment this with every change of a row or a struct, because client and device may come from different
/// builds.
inline constexpr std::uint32_t kVersion = 8;

// --- The connection --------------------------------------------------------------------------------

struct Hello {
  std::uint32_t version = kVersion;
};
/// Sent together with the staging buffer's descriptor.
struct HelloReply {
  std::vector<DeviceProfile> profiles;  ///< Profiles of the devices that are present, by ordinal.
  ClientId client = 0;
  /// This connection is allowed, and expected, to take kernels' printf output.
  bool deliver_printed = false;
};

// --- Modules ---------------------------------------------------------------------------------------

/// Uploads the next piece of a module through the staging buffer; LoadModule loads the concatenated pieces.
struct UploadModule {
  std::uint64_t bytes = 0;
};
struct LoadModule {};
struct UnloadModule {
  ModuleId module = 0;
};
struct FindKernel {
  ModuleId module = 0;
  std::string name;  ///< Mangled.
};
struct FindVariable {
  ModuleId module = 0;
  std::string name;
};
struct ListKernelResources {
  ClientId client = 0;
};
struct BlocksPerMultiprocessor {
  KernelId kernel = 0;
  std::uint32_t block_threads = 0;
  std::uint32_t dynamic_shared_bytes = 0;
};
struct SetMaxDynamicShared {
  KernelId kernel = 0;
  std::uint32_t bytes = 0;
};

// --- Memory ----------------------------------------------------------------------------------------

struct Allocate {
  std::uint64_t bytes = 0;
  AllocationKind kind = AllocationKind::kDevice;
};
/// Sent together with the memory's descriptor if `shared`.
struct AllocateReply {
  DevicePointer address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t mapped_bytes = 0;
  bool shared = false;
};
struct Free {
  DevicePointer address = 0;
};
/// cudaMallocAsync. The memory is there at once; what uses it has to come after this place in the stream.
struct AllocateInStream {
  std::uint64_t bytes = 0;
  StreamId stream = 0;
};
/// cudaFreeAsync. No later call may name the memory; it is freed when the stream gets here.
struct FreeInStream {
  DevicePointer address = 0;
  StreamId stream = 0;
};
/// Puts memory behind an allocation of kind kGraph, or takes it away, when the stream gets here.
struct ChangeGraphMemory {
  DevicePointer address = 0;
  StreamId stream = 0;
  bool present = false;
};
/// cudaLimitDevRuntimePendingLaunchCount.
struct LimitPendingLaunches {
  std::uint64_t launches = 0;
};
/// cudaDeviceEnablePeerAccess and …Disable….
struct SetPeerAccess {
  std::uint32_t device = 0;  ///< Whose memory kernels may access.
  bool on = false;
};
struct SetLabel {
  DevicePointer address = 0;
  std::string label;
};
struct MarkUninitialised {
  DevicePointer address = 0;
  std::uint64_t bytes = 0;
};
struct GetMemoryInfo {};
struct GetPointerInfo {
  DevicePointer address = 0;
};

// --- Work ------------------------------------------------------------------------------------------

/// The position of a piece in the whole copy. The whole copy is checked before its first byte moves; a piece
/// of 0 bytes requests only that check.
struct Piece {
  std::uint64_t total = 0;   ///< Bytes of the whole copy.
  std::uint64_t offset = 0;  ///< Offset of this piece within the copy.
  std::uint64_t bytes = 0;   ///< Size of this piece.
};
struct CopyIn {
  DevicePointer target = 0;  ///< Target of the whole copy.
  StreamId stream = 0;
  Piece piece;
  std::vector<std::byte> data;  ///< The piece's data; empty if it is in the staging buffer.
};
struct CopyOut {
  DevicePointer source = 0;
  StreamId stream = 0;
  Piece piece;
};
struct CopyWithin {
  DevicePointer target = 0, source = 0;
  std::uint64_t bytes = 0;
  StreamId stream = 0;
  bool host_waits = true;  ///< For it, if host memory takes part: cudaMemcpy, not cudaMemcpyAsync.
};
struct Fill {
  DevicePointer target = 0;
  std::uint8_t value = 0;
  std::uint64_t bytes = 0;
  StreamId stream = 0;
};
struct Launch {
  LaunchRequest request;
};
/// Whether Launch would refuse it: a kernel is captured long before it is launched.
struct ValidateLaunch {
  LaunchRequest request;
};

// --- Streams and events ----------------------------------------------------------------------------

/// Priorities of streams, as on current cards: a lower number is a higher priority, and the default is 0.
inline constexpr std::int32_t kLeastPriority = 0, kGreatestPriority = -5;

struct CreateStream {
  StreamFlags flags = StreamFlags::kBlocking;
  std::int32_t priority = 0;  ///< Clamped to the range.
};
struct GetStreamPriority {
  StreamId stream = 0;
};
struct DestroyStream {
  StreamId stream = 0;
};
struct QueryStream {
  StreamId stream = 0;
};
struct SynchronizeStream {
  StreamId stream = 0;
};
struct SynchronizeAll {};
struct CreateEvent {};
struct DestroyEvent {
  EventId event = 0;
};
struct RecordEvent {
  EventId event = 0;
  StreamId stream = 0;
};
struct WaitEvent {
  StreamId stream = 0;
  EventId event = 0;
};
struct QueryEvent {
  EventId event = 0;
};
struct SynchronizeEvent {
  EventId event = 0;
};
struct ElapsedMilliseconds {
  EventId start = 0, stop = 0;
};

// --- Functions of the host in a stream -------------------------------------------------------------

/// A function that the client is to run when the stream gets here (cudaLaunchHostFunc). Reply: its number for
/// the calls below; 0: the stream has got here already, so run it now.
struct LaunchHostFunction {
  StreamId stream = 0;
};
/// What the client is about to wait for.
enum class Awaited : std::uint8_t { kStream, kEvent, kAll, kStreamQuery, kEventQuery };
/// Runs the work that the client is about to wait for, up to the first host function. Reply: its number; 0:
/// there is none. To be asked before waiting as long as there are any: a wait passes over host functions.
struct AdvanceToHostFunction {
  Awaited awaited = Awaited::kAll;
  std::uint64_t id = 0;  ///< Of the stream or the event.
};
struct EndHostFunction {
  std::uint64_t number = 0;
};

// --- The program as a whole ------------------------------------------------------------------------

/// Why the runtime refused a call without asking the device, or what it has to remark on one that it did. The
/// server words the finding.
enum class Refusal : std::uint8_t {
  kUnknownKernel,       ///< Launch of a function that no module registered.
  kUnknownSymbol,       ///< cudaMemcpyToSymbol and the like on something that is not a device variable.
  kNullPointer,         ///< A null pointer with a size that is not zero.
  kWrongDirection,      ///< cudaMemcpyKind does not match the pointers.
  kUnsupportedCall,     ///< A runtime function that Warplings does not support.
  kWrongFree,           ///< cudaFree for pinned memory, or cudaFreeHost for device memory.
  kUnfreedGraphMemory,  ///< Launch of a graph whose earlier launch left memory allocated.
  kFreedGraphMemory,    ///< A graph's memory is freed, but is not allocated.
  kOneInstanceOfGraph,  ///< A second one of a graph with memory or conditions.
  kBodyInstantiated,    ///< A body of a conditional node, by itself.
  kUpdateFromInstance,  ///< From a graph with memory that is instantiated already.
  kNodesOfMemoryStay,   ///< Such a graph's nodes or edges are to be removed.
  kEndlessGraph,        ///< A while node of a graph does not end.
  kRange,       ///< Counts, offsets or pitches that are inconsistent with each other or with the object.
  kSymbolSize,  ///< A copy that does not fit into the device variable.
  // Of the driver API.
  kNotInitialised,   ///< No cuInit before.
  kNoContext,        ///< No context is current.
  kUnknownContext,   ///< A context that does not exist, or has been destroyed.
  kUnknownModule,    ///< A module that does not exist, or has been unloaded.
  kUnknownFunction,  ///< A kernel that does not exist, or whose module has been unloaded.
  kMachineCode,      ///< A cubin, without PTX.
  kNoSuchFile,       ///< cuModuleLoad of a file that cannot be read.
  kMisaligned,       ///< cuMemsetD16 and D32 of an address that is not a multiple of the element's size.
  kMixedArguments,   ///< cuLaunchKernel with kernelParams and extra, or with an incomplete `extra`.
  // The name of a __device__ or __constant__ variable in place of a pointer. For the host it is other memory.
  kTargetIsVariable,
  kSourceIsVariable,
  // Done, with a remark: copies whose cudaMemcpyKind is another one.
  kIsDeviceToDevice,
  kIsDeviceToHost,
  kIsHostToDevice,
  // Likewise: copies within the host's memory for such a name.
  kWroteVariablesName,
  kReadVariablesName,
  // Likewise: copies past the end of a block of the host's heap.
  kPastTargetBlock,
  kPastSourceBlock,
};
/// For kSymbolSize: what was to be copied, and the size of the variable. For kPast…Block likewise, of the
/// block.
struct RefusedSizes {
  std::uint64_t bytes = 0, offset = 0, variable_bytes = 0;
};
/// A variable whose name was used as a pointer.
struct NamedVariable {
  std::string name;  ///< Mangled.
  bool is_constant = false;
};
struct ReportRefusal {
  Refusal refusal = Refusal::kUnknownKernel;
  std::string call;  ///< Name of the runtime function.
  RefusedSizes sizes{};
  NamedVariable variable{};
};
/// cudaDeviceReset. The connection is kept.
struct Reset {};

// --- Observation -----------------------------------------------------------------------------------

struct SetObservation {
  ObservationOptions options;
};
struct ListPendingWork {};
struct TakeFindings {};
struct TakeLaunches {};
struct ListArrayWriters {};
struct TakeProfile {};
/// An untrusted connection gets the text in pieces, the last of them empty.
struct TakePrinted {};
struct AddFinding {
  Finding finding;
};
struct TakeDeviceUse {};
/// Copies of one direction, fills or allocations: how many, and the sum of their bytes.
struct Amount {
  std::uint64_t count = 0, bytes = 0;
};
/// What untrusted clients did with a device beside launching kernels. A 2D copy counts as a copy for each
/// row.
struct DeviceUse {
  Amount to_device, to_host, within, fills;
  std::uint64_t allocations = 0;  ///< Number of all that were ever made.
  std::uint64_t most_bytes = 0;   ///< Allocated at once; without pinned memory, which is the host's.
  Amount never_freed;             ///< When its owner ended or reset the device.
  /// Whether kernels or asynchronous copies wrote managed or pinned memory, whose reads by the host nobody
  /// sees.
  bool wrote_host_memory = false;
};

// --- Connections -----------------------------------------------------------------------------------

/// Sent together with the socket of the new connection.
struct AttachClient {
  bool deliver_printed = false;
  /// WorkerProgram::image of a submission, the only kernels that it may load; absent: a program of no
  /// grading, which may load any.
  std::optional<std::string> image;
};
/// What the device has done for a client since the client was last released from its hold.
struct Served {
  std::uint64_t resets = 0;  ///< Number of cudaDeviceReset calls.
};
/// Holds or releases a client. While it is held, its requests are not served; it waits for its replies.
struct HoldClient {
  ClientId client = 0;
  bool hold = true;
};
struct DropClient {
  ClientId client = 0;
};
/// A protocol violation: something that an untrusted connection did and the CUDA runtime never does.
struct Violation {
  ClientId client = 0;
  std::string what;
};
struct TakeProtocolViolations {};
/// How the process itself failed at requests. It refused them with a CUDA error, or closed their connections;
/// what it tells of the work since may be incomplete.
struct InternalFaults {
  std::uint64_t memory = 0;  ///< Number of requests for which it had no memory or descriptor left.
  std::string thrown;        ///< What else was thrown first, as DescribeThrown says it; empty: nothing.
};
struct TakeInternalFaults {};

// --- Timed runs of one client's call (recorder.h). One client is recorded at a time ----------------

/// From now on, the client's requests are executed and recorded.
struct BeginRecording {
  ClientId client = 0;
};
struct RecordingInfo {
  std::uint64_t operations = 0;
  Message live_reason;  ///< Why it cannot be replayed; empty: it can.
};
/// From now on, the client is not served, except between BeginLive and EndLive, until DropRecording.
struct EndRecording {};
/// Replays the recorded operations: untimed for `warm_up_seconds` (at least once unless that is 0), then, if
/// `timed`, once between BeginTiming and EndTiming.
struct Replay {
  double warm_up_seconds = 0;
  bool timed = true;
};
/// Starts the time and serves the client, while the judge makes the call, …
struct BeginLive {};
/// … and stops the time when all its work is done.
struct EndLive {};
struct DropRecording {};

// --- The table -------------------------------------------------------------------------------------

/// Who may make a call. Any other connection that tries is closed, and the judge is told (Violation).
enum class Asker : std::uint8_t {
  kEveryone,  ///< The judge, and every program that is linked with our runtime: submissions.
  kPrinter,   ///< The judge, and the program that HelloReply::deliver_printed was sent to.
  kJudge,     ///< Only the trusted control connection.
};

/// Columns: opcode, counted from 0; request; reply; who may make the call; its name in findings; a
/// description for the documentation.
///
/// If a submission's call is refused, it gets a finding under this name, so that an error code that the
/// submission ignored is reported. A call without a name is one whose refusal is not the program's fault, and
/// gives no finding.
// clang-format off
#define WARPLINGS_CALLS(CALL) \
  CALL(0, Hello, HelloReply, kEveryone, "", "Opens a connection. It must be the first call; a later one ends the connection.") \
  \
  CALL(1, UploadModule, Unit, kEveryone, "", "Passes the next piece of a module.") \
  CALL(2, LoadModule, ModuleId, kEveryone, "loading the program's kernels", "Loads the module whose pieces were uploaded.") \
  CALL(3, UnloadModule, Unit, kEveryone, "", "Unloads a module, with its kernels and variables.") \
  CALL(4, FindKernel, KernelInfo, kEveryone, "looking up a kernel", "Finds a kernel of a module by its mangled name.") \
  CALL(5, FindVariable, VariableInfo, kEveryone, "looking up a __device__ variable", "Finds a module's variable by its mangled name.") \
  CALL(6, ListKernelResources, std::vector<KernelResources>, kJudge, "", "Returns registers and memory of each kernel that a client has loaded.") \
  CALL(7, BlocksPerMultiprocessor, std::uint32_t, kEveryone, "", "Returns how many blocks of a kernel can be resident on one multiprocessor.") \
  CALL(8, SetMaxDynamicShared, Unit, kEveryone, "cudaFuncSetAttribute", "Allows a kernel more dynamic shared memory.") \
  \
  CALL(9, Allocate, AllocateReply, kEveryone, "cudaMalloc", "Allocates device, managed or pinned memory.") \
  CALL(10, Free, Unit, kEveryone, "cudaFree", "Frees an allocation that the caller owns.") \
  CALL(11, SetLabel, Unit, kJudge, "", "Names an allocation for findings.") \
  CALL(12, MarkUninitialised, Unit, kJudge, "", "Marks memory as never written.") \
  CALL(13, GetMemoryInfo, MemoryInfo, kEveryone, "", "Returns free and total memory of the device.") \
  CALL(14, GetPointerInfo, PointerInfo, kEveryone, "", "Returns start, size, kind and device of the allocation that holds an address.") \
  \
  CALL(15, CopyIn, Unit, kEveryone, "cudaMemcpy to the device", "Copies a piece of host memory to the device.") \
  CALL(16, CopyOut, std::vector<std::byte>, kEveryone, "cudaMemcpy to the host", "Copies a piece of device memory to the host.") \
  CALL(17, CopyWithin, Unit, kEveryone, "cudaMemcpy within the device", "Copies device memory to device memory.") \
  CALL(18, Fill, Unit, kEveryone, "cudaMemset", "Sets each byte of a range to one value.") \
  CALL(19, Launch, Unit, kEveryone, "kernel launch", "Launches a kernel.") \
  \
  CALL(20, CreateStream, StreamId, kEveryone, "", "Makes a stream.") \
  CALL(21, DestroyStream, Unit, kEveryone, "cudaStreamDestroy", "Destroys a stream.") \
  CALL(22, QueryStream, bool, kEveryone, "cudaStreamQuery", "Returns whether all work of a stream is done.") \
  CALL(23, SynchronizeStream, Unit, kEveryone, "cudaStreamSynchronize", "Waits for all work of a stream.") \
  CALL(24, SynchronizeAll, Unit, kEveryone, "", "Waits for all work of the device.") \
  CALL(25, CreateEvent, EventId, kEveryone, "", "Makes an event.") \
  CALL(26, DestroyEvent, Unit, kEveryone, "cudaEventDestroy", "Destroys an event.") \
  CALL(27, RecordEvent, Unit, kEveryone, "cudaEventRecord", "Records an event in a stream.") \
  CALL(28, WaitEvent, Unit, kEveryone, "cudaStreamWaitEvent", "Makes a stream wait for an event.") \
  CALL(29, QueryEvent, bool, kEveryone, "cudaEventQuery", "Returns whether an event has been reached.") \
  CALL(30, SynchronizeEvent, Unit, kEveryone, "cudaEventSynchronize", "Waits until an event has been reached.") \
  CALL(31, ElapsedMilliseconds, float, kEveryone, "cudaEventElapsedTime", "Returns the time between two events.") \
  \
  CALL(32, ReportRefusal, Unit, kEveryone, "", "Reports a call that the runtime itself refused.") \
  CALL(33, Reset, Unit, kEveryone, "", "Frees all that the caller owns on the device.") \
  \
  CALL(34, SetObservation, Unit, kJudge, "", "Chooses what is checked and counted from now on.") \
  CALL(35, ListPendingWork, std::vector<PendingWork>, kJudge, "", "Returns the work that a read on the default stream would not wait for.") \
  CALL(36, TakeFindings, std::vector<Finding>, kJudge, "", "Returns the findings since the last such call.") \
  CALL(37, TakeLaunches, std::vector<LaunchRecord>, kJudge, "", "Returns the launches since the last such call, with their counts.") \
  CALL(38, ListArrayWriters, std::vector<ArrayWriters>, kJudge, "", "Returns how the words of each labelled array were last written.") \
  CALL(39, TakeProfile, std::vector<KernelProfile>, kJudge, "", "Returns counts by kernel and instruction since the last such call.") \
  CALL(40, TakePrinted, std::string, kPrinter, "", "Returns the text that kernels printed.") \
  CALL(41, AddFinding, Unit, kJudge, "", "Adds a finding of the judge's own.") \
  \
  CALL(42, AttachClient, ClientId, kJudge, "", "Accepts a socket as an untrusted connection.") \
  CALL(43, HoldClient, Served, kJudge, "", "Holds a client, so that its requests wait, or releases it.") \
  CALL(44, DropClient, Unit, kJudge, "", "Ends a client's connection and frees all that it owns.") \
  CALL(45, TakeProtocolViolations, std::vector<Violation>, kJudge, "", "Returns what clients did that the CUDA runtime never does.") \
  \
  CALL(46, BeginRecording, Unit, kJudge, "", "Begins to record the requests of a client.") \
  CALL(47, EndRecording, RecordingInfo, kJudge, "", "Ends the recording; from then on the client waits.") \
  CALL(48, Replay, Timing, kJudge, "", "Runs the recorded requests, and times them.") \
  CALL(49, BeginLive, Unit, kJudge, "", "Begins a timed run in which the client's requests are served.") \
  CALL(50, EndLive, Timing, kJudge, "", "Ends that run and returns its time.") \
  CALL(51, DropRecording, Unit, kJudge, "", "Deletes the recording; the client is served again.") \
  \
  CALL(52, GetStreamPriority, std::int32_t, kEveryone, "cudaStreamGetPriority", "Returns the priority with which a stream was made.") \
  CALL(53, TakeInternalFaults, InternalFaults, kJudge, "", "Returns the device process's own failures since the last such call.") \
  \
  CALL(54, AllocateInStream, AllocateReply, kEveryone, "cudaMallocAsync", "Allocates device memory for the work that follows in a stream.") \
  CALL(55, FreeInStream, Unit, kEveryone, "cudaFreeAsync", "Frees the caller's allocation when the stream reaches this point.") \
  \
  CALL(56, LaunchHostFunction, std::uint64_t, kEveryone, "cudaLaunchHostFunc", "Keeps a place in a stream for a function that the client runs.") \
  CALL(57, AdvanceToHostFunction, std::uint64_t, kEveryone, "", "Runs the pending work that the caller waits for, and stops at the next host function.") \
  CALL(58, EndHostFunction, Unit, kEveryone, "", "Reports that a host function has been run.") \
  \
  CALL(59, ValidateLaunch, Unit, kEveryone, "kernel launch", "Checks a launch without running it.") \
  \
  CALL(60, ChangeGraphMemory, Unit, kEveryone, "cudaGraphLaunch", "Allocates or frees memory of a graph when the stream reaches this point.") \
  CALL(61, LimitPendingLaunches, Unit, kEveryone, "cudaDeviceSetLimit", "Sets how many launches of kernels can be pending at a time.") \
  CALL(62, SetPeerAccess, Unit, kEveryone, "", "Allows or forbids kernels to access another device's memory.") \
  \
  CALL(63, TakeDeviceUse, std::vector<DeviceUse>, kJudge, "", "Returns the copies and the use of memory on each device since the last such call.")
// clang-format on

// --- Generated from the table ---------------------------------------------------------------------

/// A row, for code that iterates over all of them.
struct CallRow {
  std::uint16_t opcode = 0;
  std::string_view request;
  std::string_view reply;
  Asker asker = Asker::kJudge;
  std::string_view name;
  std::string_view does;
};

#define WARPLINGS_ROW(number, Request, Reply, asker, name, does) \
  CallRow{number, #Request, #Reply, Asker::asker, name, does},
inline constexpr CallRow kCalls[] = {WARPLINGS_CALLS(WARPLINGS_ROW)};
#undef WARPLINGS_ROW
inline constexpr std::uint16_t kCallCount = std::size(kCalls);

/// The row of a request's type: CallOf<Launch>::kRow, CallOf<Launch>::Reply.
template <class Request>
struct CallOf;

#define WARPLINGS_CALL_OF(number, Request, ReplyType, ...)                                 \
  template <>                                                                              \
  struct CallOf<Request> {                                                                 \
    using Reply = ReplyType;                                                               \
    static constexpr const CallRow& kRow = kCalls[number];                                 \
    static_assert(kRow.opcode == number, "opcodes count up from 0, and none is left out"); \
  };
WARPLINGS_CALLS(WARPLINGS_CALL_OF)
#undef WARPLINGS_CALL_OF

template <class Request>
using ReplyTo = typename CallOf<Request>::Reply;
template <class Request>
inline constexpr std::uint16_t kOpcode = CallOf<Request>::kRow.opcode;

}  // namespace warplings::protocol
