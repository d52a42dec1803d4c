// SPDX-License-Identifier: Apache-2.0
// A long life of one device process: 100,000 calls of a submission and of the judge. It ends with no more
// memory, mappings and descriptors than it had after the first 1,000, and each result was right.
//
// The client is what submissions are linked with, the process the one that grades them, and between the two
// are their sockets. A model in this test knows what each array has to hold.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grader/core/layout.h"
#include "grader/device/client.h"
#include "tests/support/virtual_gpu_testing.h"

namespace warplings {
namespace {

/// out[i] = 3 * in[i] + add, by way of shared memory; `out` may be `in`.
constexpr const char* kPtx = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 in, .param .u32 count, .param .u32 add)
{
  .reg .pred %p<2>;
  .reg .b32 %r<10>;
  .reg .b64 %rd<6>;
  .shared .align 4 .b8 tile[256];
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [in];
  ld.param.u32 %r1, [count];
  ld.param.u32 %r2, [add];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.u32 %r6, %r3, %r4, %r5;
  setp.ge.u32 %p1, %r6, %r1;
  shl.b32 %r7, %r5, 2;
  mov.u32 %r8, tile;
  add.u32 %r7, %r7, %r8;
  mul.wide.u32 %rd3, %r6, 4;
  add.u64 %rd4, %rd1, %rd3;
  add.u64 %rd5, %rd2, %rd3;
  @%p1 bra MEET;
  ld.global.u32 %r9, [%rd5];
  mad.lo.u32 %r9, %r9, 3, %r2;
  st.shared.u32 [%r7], %r9;
MEET:
  bar.sync 0;
  @%p1 bra END;
  ld.shared.u32 %r9, [%r7];
  st.global.u32 [%rd4], %r9;
END:
  ret;
}
)";
constexpr std::uint32_t kBlock = 64;
constexpr ClientId kSelf = 0;  ///< The server knows a client by its connection.

/// What the device process holds of the machine.
struct Holdings {
  std::uint64_t resident_bytes = 0;
  std::size_t mappings = 0, descriptors = 0;
};

Holdings HoldingsOf(pid_t process) {
  const std::filesystem::path folder = "/proc/" + std::to_string(process);
  Holdings held;
  std::uint64_t mapped_pages = 0, resident_pages = 0;
  std::ifstream(folder / "statm") >> mapped_pages >> resident_pages;
  held.resident_bytes = resident_pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::ifstream maps(folder / "maps");
  for (std::string line; std::getline(maps, line);) ++held.mappings;
  const std::filesystem::directory_iterator descriptors(folder / "fd");
  held.descriptors = static_cast<std::size_t>(std::distance(begin(descriptors), end(descriptors)));
  return held;
}

/// An array in device memory, and what it holds when all that was asked is done.
struct Array {
  DevicePointer address = 0;
  std::vector<std::uint32_t> words;
  StreamId stream = 0;        ///< Where its last use was issued.
  void* host_view = nullptr;  ///< Of memory that is shared with the host.

  std::uint64_t bytes() const { return words.size() * sizeof(std::uint32_t); }
};

/// How often each kind of call was made.
struct Counts {
  unsigned long allocations = 0, copies = 0, launches = 0, streams = 0, events = 0, modules = 0;
  unsigned long refusals = 0, told_refusals = 0;  ///< Refused calls; those of them that become findings.
  unsigned long compared_words = 0;               ///< Words of results.
};

/// A submission that calls the runtime at random, as CUDA allows, and checks each answer.
class Submission {
 public:
  Submission(std::unique_ptr<DeviceClient> device, Counts& counts, unsigned long seed)
      : device_(std::move(device)), counts_(counts), random_(seed) {
    LoadModule();
  }
  ~Submission() {
    for (Array& array : arrays_) Unmap(array);
  }
  Submission(const Submission&) = delete;
  Submission& operator=(const Submission&) = delete;

  ClientId id() const { return device_->id(); }

  void Step() {
    const unsigned turn = Below(100);
    if (arrays_.size() < 8 || (turn < 14 && arrays_.size() < 64)) return Allocate();
    if (turn < 28) return Free(Below(arrays_.size()));
    if (turn < 38) return CopyIn();
    if (turn < 44) return CopyWithin();
    if (turn < 48) return Fill();
    if (turn < 73) return Launch();
    if (turn < 81) return Read(AnyArray(), AnyStream());
    if (turn < 84) return ChangeStreams();
    if (turn < 88) return ChangeEvents();
    if (turn < 97) return UseEvent();
    if (turn < 99) return AskForNonsense();
    return Below(4) == 0 ? ReplaceModule() : Wait(AnyStream());
  }

  /// Memory that has mappings of its own, a copy in two pieces that has to wait, and a kernel that runs on
  /// several host threads.
  void UseLargeMemory() {
    constexpr std::size_t kWords = (1 << 20) + 1000, kThreads = 1 << 18;
    const StreamId stream = Get(device_->CreateStream(kSelf, StreamFlags::kNonBlocking));
    AllocateWords(kWords, AllocationKind::kDevice, stream);
    Array& array = arrays_.back();
    CopyInto(array, 0, stream);
    LaunchOn(array, array, stream, kThreads);
    Read(array, stream);
    Free(arrays_.size() - 1);
    Succeed(device_->DestroyStream(kSelf, stream));
  }

  /// Gives back all that it has. Then it may go on.
  void GiveAllBack() {
    while (!arrays_.empty()) Free(arrays_.size() - 1);
    while (!events_.empty()) DestroyEvent(events_.size() - 1);
    while (!streams_.empty()) DestroyStream(streams_.size() - 1);
  }

 private:
  unsigned Below(std::size_t end) { return static_cast<unsigned>(random_() % end); }
  std::uint32_t Word() { return static_cast<std::uint32_t>(random_()); }
  void Succeed(const CudaStatus& status) { ASSERT_TRUE(status.ok()) << status.error().message; }
  template <class T>
  T Get(CudaResult<T> result) {
    if (result.ok()) return *std::move(result);
    ADD_FAILURE() << result.error().message;
    return {};
  }
  Array& AnyArray() { return arrays_[Below(arrays_.size())]; }
  StreamId AnyStream() {
    const unsigned which = Below(streams_.size() + 1);
    return which == streams_.size() ? 0 : streams_[which];
  }

  // --- Memory ---

  void Allocate() {
    constexpr AllocationKind kKinds[] = {AllocationKind::kManaged, AllocationKind::kPinned};
    AllocateWords(1 + Below(4096), Below(12) ? AllocationKind::kDevice : kKinds[Below(2)], AnyStream());
  }
  void AllocateWords(std::size_t words, AllocationKind kind, StreamId stream) {
    ++counts_.allocations;
    Array array;
    array.words.resize(words);
    const Allocation made = Get(device_->Allocate(array.bytes(), kind));
    array.address = made.address;
    if (made.shared_fd >= 0) {
      void* view = mmap(nullptr, made.mapped_bytes, PROT_READ, MAP_SHARED, made.shared_fd, 0);
      ASSERT_NE(view, MAP_FAILED);
      array.host_view = view;
    }
    EXPECT_EQ(array.host_view != nullptr, kind != AllocationKind::kDevice);
    arrays_.push_back(std::move(array));
    FillAll(arrays_.back(), stream);
  }
  void Unmap(Array& array) {
    if (array.host_view) munmap(array.host_view, array.bytes());
  }
  void Free(std::size_t which) {
    std::swap(arrays_[which], arrays_.back());
    if (Below(8) == 0) Read(arrays_.back(), AnyStream());
    Unmap(arrays_.back());
    Succeed(device_->Free(arrays_.back().address));
    arrays_.pop_back();
  }

  // --- Work. An array is used by one stream after the other. ---

  /// Orders what follows in `stream` after what was issued for the array, in one of the ways that there are.
  void Use(Array& array, StreamId stream) {
    const StreamId before = std::exchange(array.stream, stream);
    if (before == stream) return;
    if (events_.empty() || Below(4) == 0) return Wait(before);
    ++counts_.events;
    const EventId event = events_[Below(events_.size())];
    Succeed(device_->RecordEvent(event, before));
    Succeed(device_->WaitEvent(stream, event));
  }
  void Wait(StreamId stream) { Succeed(device_->SynchronizeStream(stream)); }
  void FillAll(Array& array, StreamId stream) {
    array.stream = stream;
    const auto value = static_cast<std::uint8_t>(Below(256));
    Succeed(device_->Fill(array.address, value, array.bytes(), array.stream));
    std::memset(array.words.data(), value, array.bytes());
  }
  void Fill() {
    Array& array = AnyArray();
    Use(array, AnyStream());
    const std::size_t first = Below(array.words.size());
    const std::size_t count = 1 + Below(array.words.size() - first);
    Succeed(device_->Fill(array.address + 4 * first, 0x5a, 4 * count, array.stream));
    std::fill_n(array.words.begin() + static_cast<std::ptrdiff_t>(first), count, 0x5a5a5a5a);
  }
  void CopyIn() {
    Array& array = AnyArray();
    CopyInto(array, Below(array.words.size()), AnyStream());
  }
  void CopyInto(Array& array, std::size_t first, StreamId stream) {
    ++counts_.copies;
    Use(array, stream);
    const auto words = std::span(array.words).subspan(first);
    for (std::uint32_t& word : words) word = Word();
    Succeed(device_->CopyIn(array.address + 4 * first, std::as_bytes(words), array.stream));
  }
  void CopyWithin() {
    Array& target = AnyArray();
    Array& source = AnyArray();
    if (&target == &source) return;
    ++counts_.copies;
    const StreamId stream = AnyStream();
    Use(target, stream);
    Use(source, stream);
    const std::size_t count = std::min(target.words.size(), source.words.size());
    Succeed(device_->CopyWithin(target.address, source.address, 4 * count, stream));
    std::copy_n(source.words.begin(), count, target.words.begin());
  }
  void Launch() {
    Array& target = AnyArray();
    Array& source = AnyArray();
    const StreamId stream = AnyStream();
    Use(target, stream);
    Use(source, stream);
    const std::size_t most = std::min<std::size_t>({target.words.size(), source.words.size(), 2048});
    LaunchOn(target, source, stream, 1 + Below(most));
  }
  void LaunchOn(Array& target, const Array& source, StreamId stream, std::uint32_t count) {
    ++counts_.launches;
    const std::uint32_t add = Word();
    const LaunchRequest launch{
        .kernel = kernel_,
        .grid = {(count + kBlock - 1) / kBlock, 1, 1},
        .block = {kBlock, 1, 1},
        .stream = stream,
        .arguments = vgpu::Arguments().Add(target.address).Add(source.address).Add(count).Add(add).bytes(),
    };
    Succeed(device_->Launch(launch));
    for (std::uint32_t i = 0; i < count; ++i) target.words[i] = 3 * source.words[i] + add;
  }
  /// What the array holds is what the model says.
  void Read(Array& array, StreamId stream) {
    ++counts_.copies;
    counts_.compared_words += array.words.size();
    Use(array, stream);
    std::vector<std::uint32_t> found(array.words.size());
    Succeed(device_->CopyOut(std::as_writable_bytes(std::span(found)), array.address, array.stream));
    EXPECT_TRUE(found == array.words);
    if (!array.host_view) return;
    EXPECT_EQ(std::memcmp(array.host_view, array.words.data(), array.bytes()), 0);
  }

  // --- Streams, events, modules ---

  void ChangeStreams() {
    ++counts_.streams;
    if (streams_.size() > 1 && (streams_.size() == 6 || Below(2)))
      return DestroyStream(Below(streams_.size()));
    const auto flags = Below(2) ? StreamFlags::kNonBlocking : StreamFlags::kBlocking;
    streams_.push_back(Get(device_->CreateStream(kSelf, flags)));
  }
  /// With work in it that nobody has waited for, half of the times.
  void DestroyStream(std::size_t which) {
    std::swap(streams_[which], streams_.back());
    const StreamId stream = streams_.back();
    std::optional<EventId> end;
    if (!events_.empty() && Below(2)) {
      end = events_.back();
      Succeed(device_->RecordEvent(*end, stream));
    } else {
      Wait(stream);
    }
    Succeed(device_->DestroyStream(kSelf, stream));
    streams_.pop_back();
    if (end) Succeed(device_->WaitEvent(0, *end));
    for (Array& array : arrays_) {
      if (array.stream == stream) array.stream = 0;
    }
  }
  void ChangeEvents() {
    ++counts_.events;
    if (events_.size() > 2 && (events_.size() == 12 || Below(2))) return DestroyEvent(Below(events_.size()));
    events_.push_back(Get(device_->CreateEvent(kSelf)));
  }
  void DestroyEvent(std::size_t which) {
    std::swap(events_[which], events_.back());
    Succeed(device_->DestroyEvent(kSelf, events_.back()));
    events_.pop_back();
  }
  void UseEvent() {
    if (events_.size() < 2) return ChangeEvents();
    ++counts_.events;
    const EventId event = events_[Below(events_.size())];
    switch (Below(4)) {
      case 0: return Succeed(device_->RecordEvent(event, AnyStream()));
      case 1: return Succeed(device_->WaitEvent(AnyStream(), event));
      case 2: static_cast<void>(Get(device_->QueryEvent(event))); return;
      default: break;
    }
    const EventId start = events_.front(), stop = events_.back();
    Succeed(device_->RecordEvent(start, 0));
    Succeed(device_->RecordEvent(stop, 0));
    Succeed(device_->SynchronizeEvent(stop));
    EXPECT_GE(Get(device_->ElapsedMilliseconds(start, stop)), 0);
  }
  void LoadModule() {
    ++counts_.modules;
    module_ = Get(device_->LoadModule(kSelf, vgpu::WrapPtx(kPtx)));
    kernel_ = Get(device_->FindKernel(module_, "k")).id;
  }
  void ReplaceModule() {
    Succeed(device_->SynchronizeAll());  // A kernel that is still to run must be there then.
    Succeed(device_->UnloadModule(kSelf, module_));
    LoadModule();
  }
  /// What is refused has to cost nothing, either.
  void AskForNonsense() {
    ++counts_.refusals;
    const unsigned which = Below(5);
    // That there is no more memory is an answer, not a mistake.
    if (which != 0) ++counts_.told_refusals;
    EXPECT_FALSE(Nonsense(which)) << which;
  }
  /// True if the call succeeded.
  bool Nonsense(unsigned which) {
    switch (which) {
      case 0: return device_->Allocate(std::uint64_t{1} << 50, AllocationKind::kDevice).ok();
      case 1: return device_->Free(AnyArray().address + 4).ok();
      case 2: return device_->DestroyEvent(kSelf, EventId{1} << 40).ok();
      case 3: return device_->FindKernel(module_, "nothing").ok();
      default: break;
    }
    LaunchRequest launch;
    launch.kernel = kernel_;
    launch.grid = {1, 1, 1};
    launch.block = {1 << 20, 1, 1};
    return device_->Launch(launch).ok();
  }

  std::unique_ptr<DeviceClient> device_;
  Counts& counts_;
  std::mt19937 random_;
  ModuleId module_ = 0;
  KernelId kernel_ = 0;
  std::vector<Array> arrays_;
  std::vector<StreamId> streams_;  ///< Besides the default one.
  std::vector<EventId> events_;
};

class Soak : public testing::Test {
 protected:
  void SetUp() override {
    // What AddressSanitizer keeps of freed memory would count as held.
    const char* options = std::getenv("ASAN_OPTIONS");
    const std::string before = options ? options : "";
    setenv("ASAN_OPTIONS", (before + ":quarantine_size_mb=1").c_str(), 1);
    auto judge = DeviceClient::StartProcess(ThisLayout().DeviceProgram(), "virtual:a100");
    options ? setenv("ASAN_OPTIONS", before.c_str(), 1) : unsetenv("ASAN_OPTIONS");
    ASSERT_TRUE(judge.ok()) << judge.error().message;
    judge_ = std::move(*judge);
    judge_->SetObservation({.profile = true, .arrays = true, .accesses = true});
  }

  std::unique_ptr<DeviceClient> Attach() {
    ChannelPair pair = MakeChannelPair();
    EXPECT_TRUE(judge_->AttachClient(pair.second.get()).ok());
    pair.second.reset();
    auto client = DeviceClient::Connect(std::move(pair.first));
    EXPECT_TRUE(client.ok());
    return std::move(*client);
  }

  /// What the judge asks between two calls of a submission's function.
  void Judge(const Submission& submission) {
    EXPECT_TRUE(judge_->HoldClient(submission.id(), true).ok());
    launches_ += judge_->TakeLaunches().size();
    for (const Finding& finding : judge_->TakeFindings()) {
      // Told anew after each call: what is not freed yet.
      if (finding.kind == FindingKind::kLeak) continue;
      EXPECT_TRUE(finding.kind == FindingKind::kInvalidCall || finding.kind == FindingKind::kInvalidLaunch)
          << finding.message;
      findings_ += finding.count;
    }
    judge_->TakeProfile();
    EXPECT_TRUE(judge_->Ask(protocol::ListArrayWriters{}).ok());
    EXPECT_TRUE(judge_->TakeProtocolViolations().empty());
    EXPECT_TRUE(judge_->HoldClient(submission.id(), false).ok());
  }

  /// Another worker comes, works for a while, and goes without giving anything back.
  void VisitAndLeave(unsigned long seed) {
    Submission visitor(Attach(), counts_, seed);
    for (int i = 0; i < 50; ++i) visitor.Step();
    EXPECT_TRUE(judge_->SynchronizeAll().ok());
    // It is sent away, or ends by itself.
    if (seed % 1000 == 0) judge_->DropClient(visitor.id());
  }

  std::unique_ptr<DeviceClient> judge_;
  Counts counts_;  ///< Of all submissions.
  unsigned long launches_ = 0, findings_ = 0;
};

TEST_F(Soak, ALongLifeHoldsNoMoreThanAShortOne) {
  constexpr unsigned long kFirst = 1000, kStretch = 5000;
  const unsigned long calls = std::getenv("WARPLINGS_LONG_TESTS") ? 1'000'000 : 100'000;
  Submission submission(Attach(), counts_, 1);
  // The most that is held at a time is held before anything is measured: buffers that freed memory goes back
  // to, and the stacks and heaps of host threads.
  for (int i = 0; i < 4; ++i) submission.UseLargeMemory();
  Holdings first, last;
  for (unsigned long call = 1; call <= calls; ++call) {
    submission.Step();
    if (call % 100 == 0) Judge(submission);
    if (call % 500 == 0) VisitAndLeave(call);
    if (call % 2000 == 0) submission.UseLargeMemory();
    ASSERT_FALSE(HasFailure()) << "in call " << call;
    if (call != kFirst && call % kStretch != 0) continue;
    // A client that has nothing: what is compared is alike.
    submission.GiveAllBack();
    Judge(submission);
    last = HoldingsOf(judge_->process());
    if (call == kFirst) first = last;
    if (call != kFirst && call % 50'000 != 0) continue;
    std::printf("%lu calls: %lu KiB, %zu mappings, %zu descriptors\n", call, last.resident_bytes / 1024,
                last.mappings, last.descriptors);
  }
  ASSERT_TRUE(first.resident_bytes > 0 && first.mappings > 0 && first.descriptors > 0);
  EXPECT_LE(static_cast<double>(last.resident_bytes), 1.2 * static_cast<double>(first.resident_bytes));
#ifndef __SANITIZE_ADDRESS__  // Its allocator maps and unmaps as it likes.
  EXPECT_LE(last.mappings, first.mappings);
#endif
  EXPECT_LE(last.descriptors, first.descriptors);

  // All of it was done, and nothing else was found wrong than what is wrong.
  EXPECT_EQ(launches_, counts_.launches);
  EXPECT_EQ(findings_, counts_.told_refusals);
  for (const unsigned long count : {counts_.allocations, counts_.copies, counts_.launches, counts_.events}) {
    EXPECT_GE(count, calls / 10);
  }
  for (const unsigned long count : {counts_.streams, counts_.refusals}) EXPECT_GE(count, calls / 100);
  EXPECT_GE(counts_.modules, calls / 1000);
  EXPECT_GE(counts_.compared_words, calls * 10);
}

}  // namespace
}  // namespace warplings
