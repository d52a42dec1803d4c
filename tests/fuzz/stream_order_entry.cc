// SPDX-License-Identifier: Apache-2.0
// Programs that use streams and events as CUDA allows, and what must come of them.
//
// Which program, the bytes say. None has a race: a piece of work is asked for only where StreamOrder promises
// that all earlier work on the same arrays, where one of the two writes, is over when it begins. So where
// CUDA leaves an order open, nothing depends on it, and the arrays hold what they would if each call did its
// work at once. That is what is compared, together with all answers to queries.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "grader/device/request_handler.h"
#include "tests/fuzz/entries.h"
#include "tests/fuzz/kernels.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/stream_order.h"
#include "tests/support/virtual_gpu_testing.h"

namespace warplings::fuzz {
namespace {

using namespace protocol;

constexpr std::size_t kArrays = 3, kEvents = 4;
constexpr std::size_t kSizes[] = {8, 33, 200, 3000};  ///< Of arrays, in words.
constexpr std::uint32_t kBlock = 64;
constexpr std::uint64_t kMemory = std::uint64_t{16} << 20;

/// The bytes of the input, one after the other, and then zeros.
class Choices {
 public:
  explicit Choices(std::span<const std::byte> bytes) : bytes_(bytes) {}
  bool empty() const { return bytes_.empty(); }
  /// Less than `end`, at most 256.
  std::size_t Below(std::size_t end) {
    if (bytes_.empty()) return 0;
    const auto first = std::to_integer<std::size_t>(bytes_[0]);
    bytes_ = bytes_.subspan(1);
    return first % end;
  }

 private:
  std::span<const std::byte> bytes_;
};

struct Array {
  DevicePointer address = 0;
  std::vector<std::uint32_t> words;  ///< What it holds when all that was asked is done.
  StreamOrder::Set reads, writes;    ///< The work that does.
};
struct KnownStream {
  StreamId id = 0;
  StreamOrder::Number number = StreamOrder::kLegacy;
};
struct KnownEvent {
  EventId id = 0;
  StreamOrder::Number number = 0;
};

VirtualGpuOptions DrawOptions(Choices& choices) {
  VirtualGpuOptions options{.memory_bytes = kMemory, .host_threads = 1};
  // A device that may keep little runs work earlier than it had to.
  if (choices.Below(4) == 0) options.pending = {choices.Below(8), choices.Below(256) * 16};
  return options;
}

std::unique_ptr<LocalDevice> MakeCard(const VirtualGpuOptions& options) {
  auto card = MakeVirtualGpu(*FindDeviceProfile(kDefaultProfile), options);
  Require(card.ok(), "no virtual GPU");
  return std::move(*card);
}

class OrderedProgram {
 public:
  explicit OrderedProgram(Choices choices) : choices_(choices), card_(MakeCard(DrawOptions(choices_))) {
    session_.client = 1;
    session_.uploads.resize(1);
    Do(Hello{});
    LoadKernels();
    streams_.push_back({});
    for (const bool blocking : {false, false, true, false}) MakeStream(blocking);
    for (std::size_t i = 0; i < kEvents; ++i) MakeEvent();
    for (std::size_t i = 0; i < kArrays; ++i) arrays_.push_back(MakeArray());
  }

  void Run() {
    while (!choices_.empty() && order_.HasRoom()) Step();
    Do(SynchronizeAll{});
    order_.AllIsComplete();
    // Room for these comparisons is not needed: they are no work of another stream.
    for (Array& array : arrays_) {
      Compare(array, StreamId{0});
      Do(Free{array.address});
    }
    for (const Finding& finding : card_->TakeFindings()) {
      std::fprintf(stderr, "a finding: %s\n", English(finding.message).c_str());
      Require(false, "a valid program has a finding");
    }
    handler_.Forget(session_);
  }

 private:
  // --- Calls ---

  template <class Request>
  CudaResult<ReplyTo<Request>> Ask(const Request& request) {
    return handler_.Handle(session_, request);
  }
  /// A call that has to succeed.
  template <class Request>
  ReplyTo<Request> Do(const Request& request) {
    auto reply = Ask(request);
    if (reply) return std::move(*reply);
    std::fprintf(stderr, "%s: %s\n", std::string(CallOf<Request>::kRow.request).c_str(),
                 English(reply.error().message).c_str());
    Require(false, "a valid call fails");
    return {};
  }

  void LoadKernels() {
    const std::vector<std::byte> fatbin = vgpu::WrapPtx(ArithmeticPtx());
    std::ranges::copy(fatbin, session_.staging.bytes().begin());
    Do(UploadModule{fatbin.size()});
    const ModuleId module = Do(LoadModule{});
    add_ = Do(FindKernel{module, "a"}).id;
    mix_ = Do(FindKernel{module, "m"}).id;
  }
  void MakeStream(bool blocking) {
    const auto flags = blocking ? StreamFlags::kBlocking : StreamFlags::kNonBlocking;
    streams_.push_back({Do(CreateStream{flags, 0}), order_.AddStream(blocking)});
  }
  void MakeEvent() { events_.push_back({Do(CreateEvent{}), order_.AddEvent()}); }
  Array MakeArray() {
    Array array;
    array.words.resize(kSizes[choices_.Below(std::size(kSizes))]);
    array.address = Do(Allocate{array.words.size() * sizeof(std::uint32_t), AllocationKind::kDevice}).address;
    // Of all streams one, so that the others have something to wait for from the start.
    FillBytes(array, Stream(), 0, array.words.size());
    return array;
  }

  // --- The program ---

  KnownStream& Stream() { return streams_[choices_.Below(streams_.size())]; }
  KnownEvent& Event() { return events_[choices_.Below(events_.size())]; }
  /// The first array, from a drawn one on, that the stream's next work may use; null: none.
  Array* ArrayFor(const KnownStream& stream, bool to_write, const Array* except = nullptr) {
    const std::size_t first = choices_.Below(kArrays);
    const StreamOrder::Set open = ~order_.Before(stream.number);
    for (std::size_t i = 0; i < kArrays; ++i) {
      Array& array = arrays_[(first + i) % kArrays];
      const StreamOrder::Set conflicts = to_write ? array.reads | array.writes : array.writes;
      if (&array != except && (conflicts & open).none()) return &array;
    }
    return nullptr;
  }

  void Step() {
    switch (choices_.Below(24)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4: return LaunchAdd();
      case 5:
      case 6: return LaunchMix();
      case 7: return Fill();
      case 8:
      case 9: return CopyToDevice();
      case 10: return CopyAcross();
      case 11:
      case 12: return Record();
      case 13:
      case 14:
      case 15: return Wait();
      case 16: return ReplaceEvent();
      case 17: return Synchronize();
      case 18: return SynchronizeAnEvent();
      case 19: return AskStream();
      case 20: return AskEvent();
      case 21: return AskTime();
      case 22: return Read();
      default: return Seldom();
    }
  }
  void Seldom() {
    switch (choices_.Below(5)) {
      case 0: return ReplaceStream();
      case 1: return ReplaceArray();
      case 2: return Poll();
      case 3: return PollEvent();
      default: Do(SynchronizeAll{}); return order_.AllIsComplete();
    }
  }

  // --- Work ---

  void LaunchOn(const KnownStream& stream, KernelId kernel, std::size_t words,
                const vgpu::Arguments& arguments) {
    Launch launch;
    launch.request.kernel = kernel;
    launch.request.grid = {(static_cast<std::uint32_t>(words) + kBlock - 1) / kBlock, 1, 1};
    launch.request.block = {kBlock, 1, 1};
    launch.request.stream = stream.id;
    launch.request.arguments = arguments.bytes();
    Do(launch);
  }
  void LaunchAdd() {
    const KnownStream& stream = Stream();
    Array* const array = ArrayFor(stream, true);
    if (!array) return;
    const auto add = static_cast<std::uint32_t>(choices_.Below(256));
    const auto words = static_cast<std::uint32_t>(array->words.size());
    LaunchOn(stream, add_, words, vgpu::Arguments().Add(array->address).Add(words).Add(add));
    array->writes.set(order_.Ask(stream.number));
    for (std::uint32_t& word : array->words) word = word * 3 + add;
  }
  void LaunchMix() {
    const KnownStream& stream = Stream();
    Array* const target = ArrayFor(stream, true);
    Array* const source = target ? ArrayFor(stream, false, target) : nullptr;
    if (!source) return;
    const auto words = static_cast<std::uint32_t>(std::min(target->words.size(), source->words.size()));
    LaunchOn(stream, mix_, words, vgpu::Arguments().Add(target->address).Add(source->address).Add(words));
    const std::size_t work = order_.Ask(stream.number);
    target->writes.set(work);
    source->reads.set(work);
    for (std::size_t i = 0; i < words; ++i) target->words[i] = target->words[i] * 5 + source->words[i];
  }
  void FillBytes(Array& array, const KnownStream& stream, std::size_t first, std::size_t words) {
    const auto value = static_cast<std::uint8_t>(choices_.Below(256));
    Do(protocol::Fill{array.address + first * sizeof(std::uint32_t), value, words * sizeof(std::uint32_t),
                      stream.id});
    array.writes.set(order_.Ask(stream.number));
    std::memset(array.words.data() + first, value, words * sizeof(std::uint32_t));
  }
  void Fill() {
    const KnownStream& stream = Stream();
    Array* const array = ArrayFor(stream, true);
    if (!array) return;
    const std::size_t first = choices_.Below(array->words.size() / 2);
    FillBytes(*array, stream, first, array->words.size() - first);
  }
  void CopyToDevice() {
    const KnownStream& stream = Stream();
    Array* const array = ArrayFor(stream, true);
    if (!array) return;
    const std::size_t first = choices_.Below(array->words.size() / 2);
    auto value = static_cast<std::uint32_t>(choices_.Below(256));
    for (std::size_t i = first; i < array->words.size(); ++i) array->words[i] = value += 0x01010101;
    const std::span<const std::uint32_t> data = std::span(array->words).subspan(first);
    const auto bytes = std::as_bytes(data);
    Do(CopyIn{array->address + first * sizeof(std::uint32_t),
              stream.id,
              {bytes.size(), 0, bytes.size()},
              {bytes.begin(), bytes.end()}});
    array->writes.set(order_.Ask(stream.number));
  }
  void CopyAcross() {
    const KnownStream& stream = Stream();
    Array* const target = ArrayFor(stream, true);
    Array* const source = target ? ArrayFor(stream, false, target) : nullptr;
    if (!source) return;
    const std::size_t words = std::min(target->words.size(), source->words.size());
    Do(CopyWithin{target->address, source->address, words * sizeof(std::uint32_t), stream.id});
    const std::size_t work = order_.Ask(stream.number);
    target->writes.set(work);
    source->reads.set(work);
    std::copy_n(source->words.begin(), words, target->words.begin());
  }
  /// A copy to the host is there when the call returns.
  void Read() {
    const KnownStream& stream = Stream();
    Array* const array = ArrayFor(stream, false);
    if (!array) return;
    Compare(*array, stream.id);
    array->reads.set(order_.Ask(stream.number));
    order_.StreamIsComplete(stream.number);
  }
  void Compare(const Array& array, StreamId stream) {
    const std::uint64_t bytes = array.words.size() * sizeof(std::uint32_t);
    const std::vector<std::byte> found = Do(CopyOut{array.address, stream, {bytes, 0, bytes}});
    Require(found.size() == bytes, "a copy of another size");
    Require(std::memcmp(found.data(), array.words.data(), bytes) == 0,
            "work ran in an order that CUDA forbids");
  }

  // --- Events, and what the host learns ---

  void Record() {
    const KnownStream& stream = Stream();
    const KnownEvent& event = Event();
    Do(RecordEvent{event.id, stream.id});
    order_.Record(event.number, stream.number);
  }
  void Wait() {
    const KnownStream& stream = Stream();
    const KnownEvent& event = Event();
    Do(WaitEvent{stream.id, event.id});
    order_.Wait(stream.number, event.number);
  }
  void ReplaceEvent() {
    const std::size_t which = choices_.Below(kEvents);
    Do(DestroyEvent{events_[which].id});
    MakeEvent();
    events_[which] = events_.back();
    events_.pop_back();
  }
  void Synchronize() {
    const KnownStream& stream = Stream();
    Do(SynchronizeStream{stream.id});
    order_.StreamIsComplete(stream.number);
  }
  void SynchronizeAnEvent() {
    const KnownEvent& event = Event();
    Do(SynchronizeEvent{event.id});
    order_.EventIsComplete(event.number);
  }
  bool Ask(const KnownStream& stream) {
    const bool complete = Do(QueryStream{stream.id});
    Require(complete || !order_.StreamMustBeComplete(stream.number), "a stream that is over is not ready");
    if (complete) order_.StreamIsComplete(stream.number);
    return complete;
  }
  bool Ask(const KnownEvent& event) {
    const bool complete = Do(QueryEvent{event.id});
    Require(complete || !order_.EventMustBeComplete(event.number), "an event that is over is not ready");
    if (complete) order_.EventIsComplete(event.number);
    return complete;
  }
  void AskStream() { Ask(Stream()); }
  void AskEvent() { Ask(Event()); }
  /// A program may ask until the answer is yes; it will be.
  void Poll() {
    const KnownStream& stream = Stream();
    std::size_t left = 2 * StreamOrder::kMostWork;
    while (!Ask(stream)) Require(--left != 0, "a stream that never gets ready");
  }
  void PollEvent() {
    const KnownEvent& event = Event();
    std::size_t left = 2 * StreamOrder::kMostWork;
    while (!Ask(event)) Require(--left != 0, "an event that never gets ready");
  }
  void AskTime() {
    const KnownEvent& start = Event();
    const KnownEvent& stop = Event();
    const auto milliseconds = Ask(ElapsedMilliseconds{start.id, stop.id});
    const bool recorded = order_.WasRecorded(start.number) && order_.WasRecorded(stop.number);
    if (!milliseconds) {
      const bool may_be_open =
          !order_.EventMustBeComplete(start.number) || !order_.EventMustBeComplete(stop.number);
      const CudaError code = milliseconds.error().code;
      Require(
          recorded ? code == CudaError::kNotReady && may_be_open : code == CudaError::kInvalidResourceHandle,
          "a wrong error for a time");
      return;
    }
    Require(recorded, "a time of an event that was never recorded");
    order_.EventIsComplete(start.number);
    order_.EventIsComplete(stop.number);
    if (order_.IsBefore(start.number, stop.number)) Require(*milliseconds >= 0, "time runs backwards");
  }

  // --- What is made anew ---

  void ReplaceStream() {
    const std::size_t which = 1 + choices_.Below(streams_.size() - 1);
    Do(DestroyStream{streams_[which].id});
    order_.DestroyStream(streams_[which].number);
    MakeStream(choices_.Below(4) == 0);
    streams_[which] = streams_.back();
    streams_.pop_back();
  }
  void ReplaceArray() {
    Array& array = arrays_[choices_.Below(kArrays)];
    // Memory that work still uses is not freed.
    if (((array.reads | array.writes) & ~order_.complete()).any()) return;
    Do(Free{array.address});
    array = MakeArray();
  }

  Choices choices_;
  std::unique_ptr<LocalDevice> card_;
  RequestHandler handler_{{card_.get()}, ClientLimits{}, {}};
  Session session_;
  StreamOrder order_;
  KernelId add_ = 0, mix_ = 0;
  std::vector<KnownStream> streams_;
  std::vector<KnownEvent> events_;
  std::vector<Array> arrays_;
};

}  // namespace

void FollowStreamOrder(std::span<const std::byte> bytes) {
  OrderedProgram(Choices(bytes)).Run();
}

}  // namespace warplings::fuzz
