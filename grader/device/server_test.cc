// SPDX-License-Identifier: Apache-2.0
#include "grader/device/server.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <new>
#include <random>
#include <stdexcept>
#include <thread>

#include "grader/base/sha256.h"
#include "grader/device/call_batch.h"
#include "grader/device/client.h"
#include "tests/support/fake_device.h"

namespace warplings::server_test {
namespace {

using namespace protocol;
using namespace std::chrono_literals;

/// A server in its own thread over a FakeDevice, the judge's connection to it, and its clients.
class ServerTest : public testing::Test {
 protected:
  void SetUp() override {
    ChannelPair pair = MakeChannelPair();
    ClientLimits limits;
    limits.allocations = 8;
    limits.shared_allocations = 2;
    limits.modules = 3;
    limits.module_bytes = 10 << 20;
    limits.streams = 4;
    limits.events = 4;
    server_ = std::make_unique<DeviceServer>(std::vector<LocalDevice*>{&device_, &second_},
                                             std::move(pair.second), limits);
    thread_ = std::thread([this] { result_ = server_->Run(); });
    judge_ = DeviceClient::Connect(std::move(pair.first)).value();
  }

  void TearDown() override {
    judge_.reset();
    thread_.join();
    EXPECT_TRUE(result_.ok()) << result_.error().message;
  }

  /// A socket that the server takes for a client's.
  UniqueFd AttachRaw() {
    ChannelPair pair = MakeChannelPair();
    EXPECT_TRUE(judge_->AttachClient(pair.second.get()).ok());
    return std::move(pair.first);
  }

  std::unique_ptr<DeviceClient> Attach(bool deliver_printed = false) {
    ChannelPair pair = MakeChannelPair();
    EXPECT_TRUE(judge_->AttachClient(pair.second.get(), deliver_printed).ok());
    pair.second.reset();
    auto client = DeviceClient::Connect(std::move(pair.first));
    EXPECT_TRUE(client.ok());
    return std::move(*client);
  }

  /// What the server holds against its clients, once there is something; empty after a second.
  std::vector<Violation> AwaitViolations() {
    for (int i = 0; i < 1000; ++i) {
      auto violations = judge_->TakeProtocolViolations();
      if (!violations.empty()) return violations;
      std::this_thread::sleep_for(1ms);
    }
    return {};
  }

  FakeDevice device_, second_{0x3100'0000'0000};
  std::unique_ptr<DeviceServer> server_;
  std::thread thread_;
  Status result_ = Unit{};
  std::unique_ptr<DeviceClient> judge_;
};

std::vector<std::byte> Frame(std::uint16_t id, std::uint64_t sequence, std::span<const std::byte> body,
                             std::uint16_t device = 0) {
  FrameHeader header{static_cast<std::uint32_t>(body.size()), id, device, sequence};
  std::vector<std::byte> frame(sizeof header + body.size());
  std::memcpy(frame.data(), &header, sizeof header);
  std::ranges::copy(body, frame.begin() + sizeof header);
  return frame;
}

template <class Request>
std::vector<std::byte> FrameOf(const Request& request, std::uint64_t sequence) {
  return Frame(kOpcode<Request>, sequence, wire::Encode(request));
}

void Send(const UniqueFd& socket, std::span<const std::byte> bytes) {
  (void)SendAll(socket.get(), bytes, -1, std::chrono::steady_clock::now() + 1s);
}

bool IsClosedByPeer(const UniqueFd& socket) {
  std::vector<std::byte> rest(1 << 16);
  for (;;) {
    ssize_t got = recv(socket.get(), rest.data(), rest.size(), 0);
    if (got <= 0) return got == 0 || errno == ECONNRESET;
  }
}

std::vector<std::byte> Pattern(std::size_t bytes) {
  std::vector<std::byte> pattern(bytes);
  for (std::size_t i = 0; i < bytes; ++i) pattern[i] = static_cast<std::byte>(i * 31 + i / 251);
  return pattern;
}

// --- Calls go through ------------------------------------------------------------------------------

TEST_F(ServerTest, ASubmissionLoadsTheCompilersImageAlone) {
  const std::vector<std::byte> genuine = Pattern(5000);
  std::vector<std::byte> patched = genuine, longer = genuine;
  patched[4999] ^= std::byte{1};
  longer.push_back(std::byte{0});
  Sha256 hash;
  hash.Add({reinterpret_cast<const char*>(genuine.data()), genuine.size()});
  const std::string image = hash.Finish();
  for (const std::string& allowed : {image, std::string()}) {
    ChannelPair pair = MakeChannelPair();
    ASSERT_TRUE(judge_->AttachSubmission(pair.second.get(), allowed).ok());
    pair.second.reset();
    auto client = DeviceClient::Connect(std::move(pair.first)).value();
    for (const auto& bytes : {patched, longer, std::vector<std::byte>(genuine.begin(), genuine.end() - 1)}) {
      const auto refused = client->LoadModule(0, bytes);
      ASSERT_FALSE(refused.ok());
      EXPECT_EQ(refused.error().code, CudaError::kNotPermitted);
    }
    EXPECT_EQ(client->LoadModule(0, genuine).ok(), !allowed.empty()) << "without kernels it has no image";
  }
  const auto findings = judge_->TakeFindings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Severity::kError);
  EXPECT_EQ(findings[0].count, 7u);
  EXPECT_TRUE(Attach()->LoadModule(0, patched).ok()) << "a program that is not graded may load any";
}

TEST_F(ServerTest, CopiesOfEverySizeComeBack) {
  auto client = Attach();
  for (std::size_t bytes : {1ul, 4ul, 16384ul, 16385ul, 4194304ul, 4194305ul, 9000001ul}) {
    auto memory = client->Allocate(bytes, AllocationKind::kDevice);
    ASSERT_TRUE(memory.ok());
    auto sent = Pattern(bytes);
    std::vector<std::byte> back(bytes);
    EXPECT_TRUE(client->CopyIn(memory->address, sent, 0).ok());
    EXPECT_TRUE(client->CopyOut(back, memory->address, 0).ok());
    EXPECT_EQ(sent, back) << bytes;
    EXPECT_TRUE(client->Free(memory->address).ok());
  }
}

TEST_F(ServerTest, CallsMadeTogetherAreAnsweredInTheirOrder) {
  const DevicePointer target = judge_->Allocate(8, AllocationKind::kDevice)->address;
  const auto sent = Pattern(8);
  std::string order;
  CallBatch batch(*judge_);
  batch.Add(CopyIn{target, 0, {8, 0, 8}, sent}, [&](auto copied) {
    order += "copy in, ";
    EXPECT_TRUE(copied.ok());
  });
  batch.Add(CopyOut{target, 0, {9, 0, 9}}, [&](auto refused) {
    order += "too much, ";
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, CudaError::kInvalidValue);
  });
  batch.Add(protocol::Allocate{4, AllocationKind::kManaged}, [&](auto managed) {
    order += "allocate, ";
    EXPECT_TRUE(managed.ok() && managed->shared);
  });
  batch.Add(CopyOut{target, 0, {8, 0, 8}}, [&](auto back) {
    order += "copy out";
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(*back, sent);
  });
  batch.Add(protocol::Free{target});
  EXPECT_EQ(order, "") << "nothing is asked before Ask()";
  batch.Ask();
  EXPECT_EQ(order, "copy in, too much, allocate, copy out");
  EXPECT_FALSE(judge_->Free(target).ok());
}

/// More than one message holds, and more than the server reads at once; others may ask in between.
TEST_F(ServerTest, CallsMadeTogetherMayBeLong) {
  constexpr std::size_t kPieces = 20;
  const DevicePointer memory = judge_->Allocate(kPieces * kInlineBytes, AllocationKind::kDevice)->address;
  const auto sent = Pattern(kPieces * kInlineBytes);
  std::size_t copied = 0;
  std::vector<std::byte> back;
  CallBatch batch(*judge_);
  for (std::size_t i = 0; i < kPieces; ++i) {
    const protocol::Piece all{sent.size(), i * kInlineBytes, kInlineBytes};
    const auto piece = std::span(sent).subspan(all.offset, all.bytes);
    batch.Add(CopyIn{memory, 0, all, {piece.begin(), piece.end()}},
              [&](auto reply) { copied += reply.ok(); });
  }
  EXPECT_TRUE(judge_->GetPointerInfo(memory).ok());
  for (std::size_t i = 0; i < kPieces; ++i) {
    batch.Add(CopyOut{memory, 0, {sent.size(), i * kInlineBytes, kInlineBytes}},
              [&](auto reply) { back.insert(back.end(), reply->begin(), reply->end()); });
  }
  batch.Ask();
  EXPECT_EQ(copied, kPieces);
  EXPECT_EQ(back, sent);
}

TEST_F(ServerTest, ProfileAndIdentityComeWithTheGreeting) {
  auto client = Attach();
  EXPECT_EQ(judge_->profile().id, "a100");
  EXPECT_EQ(client->profile().name, "NVIDIA A100-SXM4-40GB");
  EXPECT_EQ(judge_->id(), 0u);
  EXPECT_NE(client->id(), 0u);
}

TEST_F(ServerTest, ModulesOfSeveralPiecesKernelsAndLaunches) {
  std::vector<std::byte> seen;
  device_.AddKernel("_Z4noopi", {{0, 4}}, [&](const LaunchRequest& request) -> CudaStatus {
    seen = request.arguments;
    return Unit{};
  });
  auto client = Attach();
  auto module = client->LoadModule(0, Pattern(9 << 20));
  ASSERT_TRUE(module.ok()) << module.error().message;
  auto kernel = client->FindKernel(*module, "_Z4noopi");
  ASSERT_TRUE(kernel.ok());
  EXPECT_EQ(kernel->argument_bytes, 4u);
  LaunchRequest launch{.kernel = kernel->id, .grid = {2, 1, 1}, .block = {32, 1, 1}, .arguments = Pattern(4)};
  EXPECT_TRUE(client->Launch(launch).ok());
  EXPECT_EQ(seen, Pattern(4));
  EXPECT_EQ(judge_->TakeLaunches().size(), 1u);
  EXPECT_TRUE(client->UnloadModule(0, *module).ok());
  EXPECT_EQ(client->Launch(launch).error().code, CudaError::kInvalidResourceHandle);
}

TEST_F(ServerTest, EachRequestGoesToItsDevice) {
  int launched = 0;
  second_.AddKernel("_Z4noopi", {}, [&](const LaunchRequest&) -> CudaStatus {
    ++launched;
    return Unit{};
  });
  auto client = Attach();
  ASSERT_EQ(client->device_count(), 2u);
  auto on_first = client->CreateStream(0, StreamFlags::kBlocking);
  client->UseDevice(1);
  auto module = client->LoadModule(0, Pattern(8));
  auto kernel = client->FindKernel(*module, "_Z4noopi");
  ASSERT_TRUE(kernel.ok()) << kernel.error().message;
  auto memory = client->Allocate(64, AllocationKind::kDevice);
  ASSERT_TRUE(memory.ok());
  EXPECT_EQ(second_.live_allocations(), 1u);
  LaunchRequest launch{.kernel = kernel->id, .grid = {1, 1, 1}, .block = {1, 1, 1}, .arguments = {}};
  EXPECT_TRUE(client->Launch(launch).ok());
  EXPECT_EQ(launched, 1);
  EXPECT_EQ(client->SynchronizeStream(*on_first).error().code, CudaError::kInvalidResourceHandle)
      << "a number of device 0 means nothing on device 1";
  client->UseDevice(0);
  EXPECT_EQ(client->Launch(launch).error().code, CudaError::kInvalidResourceHandle);
  // What is asked of a device as a whole comes from all; memory goes by its address.
  EXPECT_EQ(judge_->TakeLaunches().size(), 1u);
  EXPECT_EQ(client->GetPointerInfo(memory->address)->device, 1u);
  EXPECT_TRUE(client->Free(memory->address).ok());
  EXPECT_EQ(second_.live_allocations(), 0u);
}

TEST_F(ServerTest, AResetIsOneDevicesAndTheEndIsAll) {
  auto client = Attach();
  ASSERT_TRUE(client->Allocate(64, AllocationKind::kDevice).ok());
  client->UseDevice(1);
  ASSERT_TRUE(client->Allocate(64, AllocationKind::kDevice).ok());
  EXPECT_TRUE(client->Reset().ok());
  EXPECT_EQ(device_.live_allocations(), 1u);
  EXPECT_EQ(second_.live_allocations(), 0u);
  ASSERT_TRUE(client->Allocate(64, AllocationKind::kManaged).ok());
  judge_->DropClient(client->id());
  EXPECT_TRUE(judge_->SynchronizeAll().ok());
  EXPECT_EQ(device_.live_allocations() + second_.live_allocations(), 0u);
}

/// A request that comes while its client is held waits for its reply, and is served when the client is let
/// go.
TEST_F(ServerTest, AHeldClientWaits) {
  auto client = Attach();
  ASSERT_TRUE(judge_->HoldClient(client->id(), true).ok());
  std::atomic<bool> served{false};
  std::thread asks([&] {
    EXPECT_TRUE(client->Allocate(64, AllocationKind::kDevice).ok());
    served = true;
  });
  std::this_thread::sleep_for(50ms);
  EXPECT_TRUE(judge_->SynchronizeAll().ok()) << "the judge is served meanwhile";
  EXPECT_FALSE(served);
  EXPECT_EQ(device_.live_allocations(), 0u);
  ASSERT_TRUE(judge_->HoldClient(client->id(), false).ok());
  asks.join();
  EXPECT_TRUE(served);
}

TEST_F(ServerTest, WhatAHeldClientOwnsGoesWithIt) {
  auto client = Attach();
  ASSERT_TRUE(client->Allocate(64, AllocationKind::kDevice).ok());
  ASSERT_TRUE(judge_->HoldClient(client->id(), true).ok());
  client.reset();
  for (int i = 0; i < 1000 && device_.live_allocations() > 0; ++i) {
    EXPECT_TRUE(judge_->SynchronizeAll().ok());
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(device_.live_allocations(), 0u);
}

TEST_F(ServerTest, ResetsAreCountedFromHoldToHold) {
  auto client = Attach();
  ASSERT_TRUE(judge_->HoldClient(client->id(), false).ok());
  EXPECT_TRUE(client->Reset().ok());
  EXPECT_EQ(judge_->HoldClient(client->id(), true)->resets, 1u);
  EXPECT_EQ(judge_->HoldClient(client->id(), false)->resets, 0u);
}

TEST_F(ServerTest, AStreamKeepsItsPriorityWithinTheRange) {
  auto client = Attach();
  constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
  for (const auto& [asked, kept] : {std::pair{0, 0}, {-3, -3}, {-6, -5}, {-kMax - 1, -5}, {kMax, 0}}) {
    auto stream = client->Ask(protocol::CreateStream{StreamFlags::kNonBlocking, asked});
    ASSERT_TRUE(stream.ok());
    EXPECT_EQ(*client->Ask(GetStreamPriority{*stream}), kept);
    EXPECT_EQ(Attach()->Ask(GetStreamPriority{*stream}).error().code, CudaError::kInvalidResourceHandle);
    ASSERT_TRUE(client->Ask(protocol::DestroyStream{*stream}).ok());
    EXPECT_FALSE(client->Ask(GetStreamPriority{*stream}).ok());
  }
  EXPECT_EQ(*client->Ask(GetStreamPriority{0}), 0);
}

TEST_F(ServerTest, ManagedMemoryIsSharedWithTheClient) {
  auto client = Attach();
  auto memory = client->Allocate(100, AllocationKind::kManaged);
  ASSERT_TRUE(memory.ok());
  ASSERT_GE(memory->shared_fd, 0);
  void* mapped =
      mmap(nullptr, memory->mapped_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory->shared_fd, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  std::memset(mapped, 0x5a, 100);
  std::vector<std::byte> back(100);
  EXPECT_TRUE(judge_->CopyOut(back, memory->address, 0).ok());
  EXPECT_EQ(back[99], std::byte{0x5a});
  EXPECT_NE(ftruncate(memory->shared_fd, 0), 0) << "a client must not be able to shorten shared memory";
  munmap(mapped, memory->mapped_bytes);
}

TEST_F(ServerTest, FindingsLaunchesAndPendingWorkTravelWhole) {
  Finding finding;
  finding.kind = FindingKind::kRace;
  finding.where = {"/submission/a.cu", 12};
  finding.other = SourceLine{"/submission/a.cu", 14};
  finding.offset_bytes = -4;
  finding.message = "two threads";
  judge_->AddFinding(finding);
  LaunchRecord record;
  record.kernel = "k";
  record.totals.flops = 7;
  record.lines.resize(20000, {{"/submission/a.cu", 3}, {}});  // Larger than any client's frame.
  device_.launches.push_back(record);
  const auto memory = judge_->Allocate(8, AllocationKind::kDevice);
  const auto stream = judge_->CreateStream(0, StreamFlags::kNonBlocking);
  ASSERT_TRUE(judge_->Fill(memory->address, 1, 8, *stream).ok());
  auto findings = judge_->TakeFindings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].other->line, 14);
  EXPECT_EQ(findings[0].offset_bytes, -4);
  auto launches = judge_->TakeLaunches();
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].lines.size(), 20000u);
  EXPECT_EQ(launches[0].totals.flops, 7u);
  const auto pending = judge_->ListPendingWork();
  ASSERT_EQ(pending.size(), 1u);
  EXPECT_EQ(pending[0].stream, *stream);
  EXPECT_EQ(English(pending[0].what), "memset of 8 bytes");
}

TEST_F(ServerTest, PrintedTextGoesToTheProgramThatAsksForIt) {
  auto client = Attach(true);
  ASSERT_TRUE(client->delivers_printed());
  device_.printed = std::string(40000, 'x');
  std::string text;
  for (std::string piece; !(piece = client->TakePrinted()).empty();) text += piece;
  EXPECT_EQ(text.size(), 40000u);
}

// --- Who may do what -------------------------------------------------------------------------------

TEST_F(ServerTest, AClientCannotNameWhatIsAnotherClients) {
  device_.AddKernel("k", {}, [](const LaunchRequest&) -> CudaStatus { return Unit{}; });
  auto owner = Attach();
  auto other = Attach();
  auto memory = owner->Allocate(64, AllocationKind::kDevice);
  auto stream = owner->CreateStream(0, StreamFlags::kBlocking);
  auto event = owner->CreateEvent(0);
  auto module = owner->LoadModule(0, Pattern(4));
  auto kernel = owner->FindKernel(*module, "k");
  std::vector<std::byte> bytes(64);
  EXPECT_EQ(other->CopyIn(memory->address, bytes, 0).error().code, CudaError::kInvalidValue);
  EXPECT_EQ(other->CopyOut(bytes, memory->address, 0).error().code, CudaError::kInvalidValue);
  EXPECT_EQ(other->Fill(memory->address, 0, 64, 0).error().code, CudaError::kInvalidValue);
  EXPECT_EQ(other->Free(memory->address).error().code, CudaError::kInvalidValue);
  EXPECT_EQ(other->GetPointerInfo(memory->address).error().code, CudaError::kInvalidValue);
  EXPECT_EQ(other->SynchronizeStream(*stream).error().code, CudaError::kInvalidResourceHandle);
  EXPECT_EQ(other->DestroyStream(0, *stream).error().code, CudaError::kInvalidResourceHandle);
  EXPECT_EQ(other->RecordEvent(*event, 0).error().code, CudaError::kInvalidResourceHandle);
  EXPECT_EQ(other->FindKernel(*module, "k").error().code, CudaError::kInvalidResourceHandle);
  EXPECT_EQ(other->UnloadModule(0, *module).error().code, CudaError::kInvalidResourceHandle);
  LaunchRequest launch;
  launch.kernel = kernel->id;
  EXPECT_EQ(other->Launch(launch).error().code, CudaError::kInvalidResourceHandle);
  EXPECT_TRUE(other->alive());
  EXPECT_TRUE(owner->Free(memory->address).ok());
}

TEST_F(ServerTest, TheJudgesMemoryMayBeCopiedButNotFreed) {
  auto memory = judge_->Allocate(64, AllocationKind::kDevice);
  auto client = Attach();
  std::vector<std::byte> bytes(64);
  EXPECT_TRUE(client->CopyIn(memory->address, bytes, 0).ok());
  EXPECT_TRUE(client->CopyOut(bytes, memory->address, 0).ok());
  EXPECT_EQ(client->Free(memory->address).error().code, CudaError::kInvalidValue);
  auto findings = judge_->TakeFindings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::kInvalidCall);
  EXPECT_TRUE(judge_->Free(memory->address).ok());
}

TEST_F(ServerTest, WhatTheJudgeAloneMaySendEndsAClientsConnection) {
  auto expect_dropped = [&](auto&& send) {
    auto client = Attach();
    send(*client);
    EXPECT_FALSE(client->alive());
    auto violations = AwaitViolations();
    ASSERT_EQ(violations.size(), 1u);
    EXPECT_EQ(violations[0].client, client->id());
    EXPECT_EQ(violations[0].what, "sent a message that is reserved to the grader");
  };
  expect_dropped([](DeviceClient& client) { (void)client.TakeFindings(); });
  expect_dropped([](DeviceClient& client) { (void)client.TakeLaunches(); });
  expect_dropped([](DeviceClient& client) { (void)client.Ask(protocol::ListArrayWriters{}); });
  expect_dropped([](DeviceClient& client) { (void)client.HoldClient(1, false); });
  expect_dropped([](DeviceClient& client) { (void)client.TakePrinted(); });
  expect_dropped([](DeviceClient& client) { (void)client.ListPendingWork(); });
  expect_dropped([](DeviceClient& client) { (void)client.Ask(protocol::ListKernelResources{1}); });
  expect_dropped([](DeviceClient& client) { (void)client.TakeProtocolViolations(); });
  expect_dropped([](DeviceClient& client) { (void)client.SetLabel(0x1000, "x"); });
  expect_dropped([](DeviceClient& client) { (void)client.MarkUninitialised(0x1000, 4); });
  expect_dropped([](DeviceClient& client) { client.SetObservation({}); });
  expect_dropped([](DeviceClient& client) { client.AddFinding({}); });
  expect_dropped([](DeviceClient& client) { client.DropClient(1); });
  expect_dropped([](DeviceClient& client) { (void)client.BeginRecording(1); });
  expect_dropped([](DeviceClient& client) { (void)client.EndRecording(); });
  expect_dropped([](DeviceClient& client) { (void)client.Replay(0, true); });
  expect_dropped([](DeviceClient& client) { (void)client.BeginLive(); });
  expect_dropped([](DeviceClient& client) { (void)client.EndLive(); });
  expect_dropped([](DeviceClient& client) { (void)client.DropRecording(); });
  expect_dropped([](DeviceClient& client) {
    ChannelPair pair = MakeChannelPair();
    (void)client.AttachClient(pair.first.get());
  });
}

// --- Refusals are seen -----------------------------------------------------------------------------

TEST_F(ServerTest, RefusedCallsBecomeFindings) {
  device_.AddKernel("_Z4tilePKf", {}, [](const LaunchRequest&) -> CudaStatus { return Unit{}; });
  auto client = Attach();
  auto memory = client->Allocate(64, AllocationKind::kDevice);
  std::vector<std::byte> bytes(128);
  EXPECT_FALSE(client->CopyIn(memory->address, bytes, 0).ok());
  EXPECT_FALSE(client->CopyOut(bytes, 0x1234, 0).ok());
  EXPECT_FALSE(client->Free(memory->address + 8).ok());
  auto kernel = client->FindKernel(*client->LoadModule(0, Pattern(1)), "_Z4tilePKf");
  LaunchRequest launch;
  launch.kernel = kernel->id;
  launch.block = {33, 33, 1};
  EXPECT_FALSE(client->Launch(launch).ok());
  client->ReportRefusal(Refusal::kUnsupportedCall, "cudaGraphLaunch\x1b[31m");
  client->ReportRefusal(Refusal::kSymbolSize, "cudaMemcpyToSymbol",
                        {.bytes = 400'012, .variable_bytes = 64'000});
  client->ReportRefusal(Refusal::kSymbolSize, "cudaMemcpyFromSymbol",
                        {.bytes = 8, .offset = 64'000, .variable_bytes = 64'000});
  client->ReportRefusal(Refusal::kTargetIsVariable, "cudaMemcpy", {}, {"_ZN2ns6filterE\x1b[31m", true});
  client->ReportRefusal(Refusal::kReadVariablesName, "cudaMemcpy", {}, {"total", false});
  client->ReportRefusal(Refusal::kPastTargetBlock, "cudaMemcpy", {.bytes = 400, .variable_bytes = 200});
  client->ReportRefusal(Refusal::kPastSourceBlock, "cudaMemcpy",
                        {.bytes = 400, .offset = 8, .variable_bytes = 200});
  EXPECT_TRUE(client->Free(memory->address).ok());
  auto findings = judge_->TakeFindings();
  ASSERT_EQ(findings.size(), 11u);
  EXPECT_EQ(English(findings[9].message),
            "cudaMemcpy copies 400 bytes into a block of host memory that has 200");
  EXPECT_EQ(English(findings[10].message),
            "cudaMemcpy copies 400 bytes from a block of host memory that has 200, from byte 8 on");
  EXPECT_EQ(findings[10].severity, Severity::kError);
  EXPECT_EQ(
      English(findings[8].message),
      "`total` is a __device__ variable, and its name is no pointer that cudaMemcpy can use: this copy read "
      "zeros from host memory, not the variable.");
  EXPECT_EQ(findings[8].severity, Severity::kWarning);
  EXPECT_NE(English(findings[7].message).find("is a __constant__ variable"), std::string::npos)
      << "a hostile name is shown without its control characters: " << English(findings[7].message);
  EXPECT_EQ(English(findings[0].message),
            "cudaMemcpy to the device was refused: it accesses 128 bytes, but the allocation has only 64 "
            "bytes; check the "
            "size");
  EXPECT_NE(English(findings[1].message).find("does not point into allocated device memory"),
            std::string::npos);
  EXPECT_NE(English(findings[2].message).find("8 bytes after its start"), std::string::npos);
  EXPECT_EQ(findings[3].kind, FindingKind::kInvalidLaunch);
  EXPECT_EQ(findings[3].kernel, "tile");
  EXPECT_NE(English(findings[3].message).find("= 1089 threads; a block can have at most"), std::string::npos);
  EXPECT_EQ(findings[4].kind, FindingKind::kUnsupported);
  EXPECT_EQ(English(findings[5].message),
            "cudaMemcpyToSymbol was refused: it copies 400012 bytes, but the variable has 64000 bytes.");
  EXPECT_EQ(English(findings[6].message),
            "cudaMemcpyFromSymbol was refused: it copies 8 bytes at offset 64000, but the variable has "
            "64000 bytes.");
  EXPECT_EQ(English(findings[4].message),
            "cudaGraphLaunch31m was refused: Warplings does not support this call.");
}

TEST_F(ServerTest, AFreeThatWaitsForFailedWorkFreesTheMemory) {
  device_.AddKernel("_Z5failsv", {}, [](const LaunchRequest&) -> CudaStatus {
    return CudaFault{CudaError::kLaunchFailure, "the kernel stopped itself"};
  });
  auto client = Attach();
  const DevicePointer memory = client->Allocate(64, AllocationKind::kDevice)->address;
  LaunchRequest launch;
  launch.kernel = client->FindKernel(*client->LoadModule(0, Pattern(1)), "_Z5failsv")->id;
  launch.grid = launch.block = {1, 1, 1};
  launch.stream = *client->CreateStream(0, StreamFlags::kNonBlocking);
  ASSERT_TRUE(client->Launch(launch).ok());
  EXPECT_EQ(client->Free(memory).error().code, CudaError::kLaunchFailure);
  EXPECT_EQ(client->Free(memory).error().code, CudaError::kInvalidValue) << "it has been freed already";
  EXPECT_EQ(device_.live_allocations(), 0u);
  EXPECT_EQ(judge_->TakeFindings().size(), 1u) << "the second free, and no leak";
}

TEST_F(ServerTest, TheEndOfAClientComesBeforeWhatTheJudgeAsksAfterIt) {
  for (int round = 0; round < 1000; ++round) {
    auto client = Attach();
    ASSERT_TRUE(client->Allocate(4, AllocationKind::kDevice).ok());
    client.reset();
    ASSERT_EQ(judge_->TakeFindings().size(), 1u);
    ASSERT_EQ(device_.live_allocations(), 0u) << "what is released tells more, as of results nobody read";
  }
}

TEST_F(ServerTest, ALeakIsReportedOnceWithTheCallsThatAllocated) {
  auto client = Attach();
  ASSERT_TRUE(judge_->Allocate(64, AllocationKind::kDevice).ok());
  ASSERT_TRUE(client->Allocate(4, AllocationKind::kDevice).ok());
  ASSERT_TRUE(client->Allocate(8, AllocationKind::kManaged).ok());
  auto findings = judge_->TakeFindings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::kLeak);
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_EQ(English(findings[0].message),
            "2 allocations of 12 bytes in all were never freed (cudaMalloc, cudaMallocManaged)");
  EXPECT_TRUE(judge_->TakeFindings().empty());

  ASSERT_TRUE(client->Allocate(1, AllocationKind::kPinned).ok());
  judge_->DropClient(client->id());
  findings = judge_->TakeFindings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(English(findings[0].message),
            "1 allocation of 1 byte was never freed (cudaMallocHost/"
            "cudaHostRegister)");

  judge_->SetObservation({.checks = false});
  auto unchecked = Attach();
  ASSERT_TRUE(unchecked->Allocate(4, AllocationKind::kDevice).ok());
  EXPECT_TRUE(judge_->TakeFindings().empty());
}

TEST_F(ServerTest, CopiesAndMemoryOfClientsAreCounted) {
  auto client = Attach();
  const auto judges = judge_->Allocate(64, AllocationKind::kDevice);
  ASSERT_TRUE(judges.ok());
  const std::vector<std::byte> one_byte(1), pieces(kStagingBytes + 8);
  ASSERT_TRUE(judge_->CopyIn(judges->address, one_byte, 0).ok());
  const auto memory = client->Allocate(pieces.size(), AllocationKind::kDevice);
  ASSERT_TRUE(memory.ok());
  ASSERT_TRUE(client->CopyIn(memory->address, pieces, 0).ok()) << "one copy, in two pieces";
  ASSERT_TRUE(client->CopyIn(memory->address, one_byte, 0).ok());
  std::vector<std::byte> back(16);
  ASSERT_TRUE(client->CopyOut(back, memory->address, 0).ok());
  ASSERT_TRUE(client->CopyWithin(memory->address, memory->address + 32, 32, 0).ok());
  ASSERT_TRUE(client->Fill(memory->address, 0, 4, 0).ok());
  EXPECT_FALSE(client->Fill(memory->address, 0, pieces.size() + 1, 0).ok()) << "it is not done";
  const auto pinned = client->Allocate(8, AllocationKind::kPinned);
  ASSERT_TRUE(pinned.ok());
  ASSERT_TRUE(client->CopyWithin(memory->address, pinned->address, 8, 0).ok());
  ASSERT_TRUE(client->CopyWithin(pinned->address, memory->address, 4, 0).ok());
  ASSERT_TRUE(client->Free(pinned->address).ok());
  judge_->DropClient(client->id());

  const auto uses = judge_->Ask(TakeDeviceUse{});
  ASSERT_TRUE(uses.ok());
  ASSERT_GE(uses->size(), 1u);
  const DeviceUse& use = uses->front();
  const auto is = [](const Amount& amount, std::uint64_t count, std::uint64_t bytes) {
    return amount.count == count && amount.bytes == bytes;
  };
  EXPECT_TRUE(is(use.to_device, 3, pieces.size() + 9)) << use.to_device.count << " " << use.to_device.bytes;
  EXPECT_TRUE(is(use.to_host, 2, 20));
  EXPECT_TRUE(is(use.within, 1, 32));
  EXPECT_TRUE(is(use.fills, 1, 4));
  EXPECT_TRUE(is(use.never_freed, 1, pieces.size()));
  EXPECT_EQ(use.allocations, 2u);
  EXPECT_EQ(use.most_bytes, pieces.size());
  EXPECT_EQ(judge_->Ask(TakeDeviceUse{})->front().to_device.count, 0u);
}

TEST_F(ServerTest, TheJudgesOwnRefusalsAndOrdinaryAnswersAreNone) {
  std::vector<std::byte> bytes(4);
  EXPECT_FALSE(judge_->CopyIn(0x1234, bytes, 0).ok());
  auto client = Attach();
  EXPECT_EQ(client->Allocate(std::uint64_t{1} << 50, AllocationKind::kDevice).error().code,
            CudaError::kMemoryAllocation);
  EXPECT_TRUE(judge_->TakeFindings().empty());
}

TEST_F(ServerTest, ACopyThatDoesNotFitMovesNothing) {
  auto client = Attach();
  std::uint64_t bytes = kStagingBytes + 8;
  auto memory = client->Allocate(bytes, AllocationKind::kDevice);
  ASSERT_TRUE(client->Fill(memory->address, 1, bytes, 0).ok());
  EXPECT_FALSE(client->CopyIn(memory->address, std::vector<std::byte>(bytes + 1), 0).ok());
  std::vector<std::byte> first(1);
  EXPECT_TRUE(client->CopyOut(first, memory->address, 0).ok());
  EXPECT_EQ(first[0], std::byte{1});
}

TEST_F(ServerTest, ASourceIsNotReadForACopyThatDoesNotFit) {
  auto client = Attach();
  auto memory = client->Allocate(64, AllocationKind::kDevice);
  constexpr std::size_t kBytes = 1 << 20;
  void* forbidden = mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(forbidden, MAP_FAILED);
  std::span<const std::byte> source(static_cast<const std::byte*>(forbidden), kBytes);
  EXPECT_EQ(client->CopyIn(memory->address, source, 0).error().code, CudaError::kInvalidValue);
  munmap(forbidden, kBytes);
}

TEST_F(ServerTest, LimitsHold) {
  auto client = Attach();
  auto count = [](auto&& make) {
    int made = 0;
    while (made < 100 && make()) ++made;
    return made;
  };
  EXPECT_EQ(count([&] { return client->CreateStream(0, StreamFlags::kNonBlocking).ok(); }), 4);
  EXPECT_EQ(count([&] { return client->CreateEvent(0).ok(); }), 4);
  EXPECT_EQ(count([&] { return client->Allocate(8, AllocationKind::kPinned).ok(); }), 2);
  EXPECT_EQ(count([&] { return client->Allocate(8, AllocationKind::kDevice).ok(); }), 6);
  EXPECT_EQ(count([&] { return client->LoadModule(0, Pattern(8)).ok(); }), 3);
  EXPECT_FALSE(client->LoadModule(0, Pattern(11 << 20)).ok());
}

TEST_F(ServerTest, MemoryFreedInAStreamGoesWhenTheStreamGetsThere) {
  auto client = Attach();
  const StreamId stream = client->CreateStream(0, StreamFlags::kNonBlocking).value();
  const DevicePointer address = client->Ask(AllocateInStream{64, stream}).value().address;
  ASSERT_TRUE(client->Fill(address, 7, 64, stream).ok());
  ASSERT_TRUE(client->Ask(FreeInStream{address, stream}).ok());
  EXPECT_NE(device_.Memory(address, 64), nullptr) << "its stream has not got there";
  EXPECT_FALSE(client->Fill(address, 7, 64, stream).ok()) << "nobody may name it any more";
  EXPECT_FALSE(client->Ask(FreeInStream{address, stream}).ok());
  EXPECT_FALSE(client->Free(address).ok());
  EXPECT_TRUE(client->SynchronizeStream(stream).ok());
  EXPECT_EQ(device_.Memory(address, 64), nullptr);
}

TEST_F(ServerTest, FreesThatWaitCountAgainstTheLimitAndGoWithTheClient) {
  auto client = Attach();
  const StreamId stream = client->CreateStream(0, StreamFlags::kNonBlocking).value();
  DevicePointer address = 0;
  for (int i = 0; i < 8; ++i) {
    address = client->Ask(AllocateInStream{64, stream}).value().address;
    ASSERT_TRUE(client->Ask(FreeInStream{address, stream}).ok());
  }
  EXPECT_EQ(client->Ask(AllocateInStream{64, stream}).error().code, CudaError::kMemoryAllocation);
  EXPECT_TRUE(client->SynchronizeStream(stream).ok());
  address = client->Ask(AllocateInStream{64, stream}).value().address;
  ASSERT_TRUE(client->Ask(FreeInStream{address, stream}).ok());
  client.reset();
  for (int i = 0; i < 1000 && device_.Memory(address, 64) != nullptr; ++i) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(device_.Memory(address, 64), nullptr);
}

TEST_F(ServerTest, MemoryInAStreamIsItsOwners) {
  auto client = Attach(), other = Attach();
  const StreamId stream = client->CreateStream(0, StreamFlags::kNonBlocking).value();
  EXPECT_FALSE(other->Ask(AllocateInStream{64, stream}).ok());
  const DevicePointer address = client->Ask(AllocateInStream{64, stream}).value().address;
  EXPECT_FALSE(other->Ask(FreeInStream{address, 0}).ok());
  EXPECT_FALSE(client->Ask(FreeInStream{address, stream + 100}).ok());
  EXPECT_FALSE(client->Ask(FreeInStream{address + 8, stream}).ok());
  const DevicePointer judges = judge_->Allocate(64, AllocationKind::kDevice).value().address;
  EXPECT_FALSE(client->Ask(FreeInStream{judges, stream}).ok());
  EXPECT_TRUE(client->Ask(FreeInStream{address, stream}).ok());
}

TEST_F(ServerTest, WhatAClientOwnedGoesWithIt) {
  auto client = Attach();
  (void)client->Allocate(64, AllocationKind::kDevice);
  (void)client->Allocate(64, AllocationKind::kManaged);
  ClientId id = client->id();
  judge_->DropClient(id);
  EXPECT_EQ(judge_->GetMemoryInfo().free_bytes, judge_->GetMemoryInfo().total_bytes);
  EXPECT_FALSE(client->SynchronizeAll().ok());
  EXPECT_EQ(client->loss(), DeviceClient::Loss::kEnded);
  EXPECT_TRUE(judge_->TakeProtocolViolations().empty()) << "being dropped is no violation";
}

TEST_F(ServerTest, ResetFreesWhatTheConnectionOwnsAndKeepsIt) {
  auto client = Attach();
  auto judges = judge_->Allocate(64, AllocationKind::kDevice);
  auto memory = client->Allocate(64, AllocationKind::kDevice);
  auto stream = client->CreateStream(0, StreamFlags::kBlocking);
  EXPECT_TRUE(client->Reset().ok());
  EXPECT_FALSE(client->Free(memory->address).ok());
  EXPECT_FALSE(client->SynchronizeStream(*stream).ok());
  EXPECT_TRUE(client->Fill(judges->address, 0, 64, 0).ok());
  EXPECT_TRUE(client->Allocate(64, AllocationKind::kDevice).ok());
}

// --- Hostile bytes ---------------------------------------------------------------------------------

class HostileBytes : public ServerTest {
 protected:
  /// Sends bytes after an orderly greeting (or instead of one); the server must hold `what` against it.
  void ExpectViolation(std::span<const std::byte> bytes, bool greet, const std::string& what) {
    UniqueFd socket = AttachRaw();
    if (greet) Send(socket, FrameOf(Hello{}, 1));
    Send(socket, bytes);
    EXPECT_TRUE(IsClosedByPeer(socket));
    auto violations = AwaitViolations();
    ASSERT_EQ(violations.size(), 1u) << what;
    EXPECT_EQ(violations[0].what, what);
    EXPECT_TRUE(judge_->SynchronizeAll().ok());
  }
};

TEST_F(HostileBytes, HugeLength) {
  FrameHeader header{0xffff'ffff, kOpcode<SynchronizeAll>, 0, 2};
  ExpectViolation(std::as_bytes(std::span(&header, 1)), true, "announced a message of 4294967295 bytes");
}

TEST_F(HostileBytes, UnknownMessage) {
  ExpectViolation(Frame(kCallCount, 2, {}), true, "sent a message that does not exist");
  ExpectViolation(Frame(0xffff, 2, {}), true, "sent a message that does not exist");
}

TEST_F(HostileBytes, UnknownDevice) {
  ExpectViolation(Frame(kOpcode<SynchronizeAll>, 2, {}, 2), true, "named a device that does not exist");
}

TEST_F(HostileBytes, WrongOrder) {
  ExpectViolation(FrameOf(SynchronizeAll{}, 1), false, "sent a message before or after its time");
  ExpectViolation(FrameOf(Hello{}, 2), true, "sent a message before or after its time");
  ExpectViolation(FrameOf(SynchronizeAll{}, 7), true, "sent messages out of sequence");
  ExpectViolation(FrameOf(SynchronizeAll{}, 1), true, "sent messages out of sequence");
}

TEST_F(HostileBytes, BodiesThatDoNotDecode) {
  const std::string kWhat = "sent a message that does not decode";
  auto body = wire::Encode(FindKernel{1, "name"});
  ExpectViolation(Frame(kOpcode<FindKernel>, 2, std::span(body).first(5)), true, kWhat);
  body.push_back(std::byte{0});
  ExpectViolation(Frame(kOpcode<FindKernel>, 2, body), true, kWhat);
  auto allocate = wire::Encode(Allocate{64, AllocationKind::kDevice});
  allocate.back() = std::byte{9};  // No such kind.
  ExpectViolation(Frame(kOpcode<Allocate>, 2, allocate), true, kWhat);
}

TEST_F(HostileBytes, OtherVersionIsAnswered) {
  UniqueFd socket = AttachRaw();
  Send(socket, FrameOf(Hello{99}, 1));
  FrameHeader header;
  std::vector<UniqueFd> fds;
  auto deadline = std::chrono::steady_clock::now() + 5s;
  auto bytes = std::as_writable_bytes(std::span(&header, 1));
  ASSERT_EQ(ReceiveAll(socket.get(), bytes, fds, deadline), ChannelStatus::kOk);
  std::vector<std::byte> body(header.length);
  ASSERT_EQ(ReceiveAll(socket.get(), body, fds, deadline), ChannelStatus::kOk);
  auto head = wire::Decode<ReplyHead>(body);
  ASSERT_TRUE(head.has_value());
  EXPECT_NE(English(head->message).find("version 99"), std::string::npos);
}

TEST_F(HostileBytes, AFrameThatNeverEndsStopsNobody) {
  UniqueFd slow = AttachRaw();
  auto frame = FrameOf(Hello{}, 1);
  Send(slow, std::span(frame).first(7));
  EXPECT_TRUE(Attach()->SynchronizeAll().ok());
  Send(slow, std::span(frame).subspan(7));
  std::byte reply;
  EXPECT_EQ(recv(slow.get(), &reply, 1, 0), 1);
  Send(slow, std::span(frame).first(3));
  slow.reset();  // Gone in the middle of a frame: an ordinary death.
  EXPECT_TRUE(judge_->SynchronizeAll().ok());
  EXPECT_TRUE(judge_->TakeProtocolViolations().empty());
}

TEST_F(HostileBytes, AskingWithoutReadingEndsTheConnection) {
  UniqueFd socket = AttachRaw();
  Send(socket, FrameOf(Hello{}, 1));
  auto memory = judge_->Allocate(kInlineBytes, AllocationKind::kDevice);
  CopyOut request{memory->address, 0, {kInlineBytes, 0, kInlineBytes}};
  for (std::uint64_t i = 2; i < 200; ++i) Send(socket, FrameOf(request, i));
  auto violations = AwaitViolations();
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].what, "does not read the replies to its messages");
}

TEST_F(HostileBytes, DescriptorsFromAClientAreNotKept) {
  UniqueFd socket = AttachRaw();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  UniqueFd reader(ends[0]), writer(ends[1]);
  ASSERT_EQ(SendAll(socket.get(), FrameOf(Hello{}, 1), writer.get(), std::nullopt), ChannelStatus::kOk);
  std::byte reply;
  EXPECT_EQ(recv(socket.get(), &reply, 1, 0), 1);
  writer.reset();
  EXPECT_EQ(read(reader.get(), &reply, 1), 0) << "the server holds no copy of the pipe's end";
}

TEST_F(HostileBytes, PiecesThatAreNotPartOfTheirCopy) {
  auto memory = judge_->Allocate(64, AllocationKind::kDevice);
  const std::uint64_t kMax = ~std::uint64_t{0};
  for (Piece piece : {Piece{64, 1, 64}, Piece{64, kMax, 64}, Piece{kMax, kMax - 8, 8}, Piece{kMax, 0, kMax},
                      Piece{64, 0, kStagingBytes + 1}, Piece{8, 0, 16}}) {
    UniqueFd socket = AttachRaw();
    Send(socket, FrameOf(Hello{}, 1));
    Send(socket, FrameOf(CopyIn{memory->address, 0, piece, {}}, 2));
    Send(socket, FrameOf(CopyOut{memory->address, 0, piece}, 3));
    Send(socket, FrameOf(UploadModule{piece.bytes + kStagingBytes}, 4));
    Send(socket, FrameOf(LoadModule{}, 5));
    shutdown(socket.get(), SHUT_WR);
    EXPECT_TRUE(IsClosedByPeer(socket));
    EXPECT_TRUE(judge_->SynchronizeAll().ok());
  }
}

TEST_F(HostileBytes, RandomFramesNeverHurtTheServer) {
  std::mt19937_64 random(20261121);
  for (int round = 0; round < 400; ++round) {
    UniqueFd socket = AttachRaw();
    std::vector<std::byte> bytes;
    if (round % 4 != 0) bytes = FrameOf(Hello{}, 1);
    for (std::uint64_t i = 2; i < 6; ++i) {
      std::vector<std::byte> body(random() % 64);
      // Small numbers hit ids and counts that exist.
      for (auto& byte : body) byte = static_cast<std::byte>(random() % 3 == 0 ? random() : random() % 3);
      auto frame = Frame(static_cast<std::uint16_t>(random() % (kCallCount + 1)), i, body,
                         static_cast<std::uint16_t>(random() % 3));
      bytes.insert(bytes.end(), frame.begin(), frame.end());
    }
    Send(socket, bytes);
    shutdown(socket.get(), SHUT_WR);
    EXPECT_TRUE(IsClosedByPeer(socket));
  }
  EXPECT_TRUE(judge_->SynchronizeAll().ok());
  (void)judge_->TakeProtocolViolations();
  (void)judge_->TakeFindings();
}

// --- What is thrown ----------------------------------------------------------------------------------

/// What went wrong in the server itself since this was last asked.
InternalFaults TakeFaults(DeviceClient& judge) {
  InternalFaults faults;
  CallBatch batch(judge);
  batch.Add(TakeInternalFaults{}, [&](auto reply) {
    ASSERT_TRUE(reply.ok());
    faults = std::move(*reply);
  });
  batch.Ask();
  return faults;
}

TEST_F(ServerTest, ARequestThatThrowsIsRefusedAndTheProcessGoesOn) {
  auto client = Attach(), other = Attach();
  device_.on_wait = [] { throw std::length_error("vector::reserve"); };
  const auto refused = client->SynchronizeAll();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, CudaError::kUnknown);
  EXPECT_EQ(English(refused.error().message),
            "The device process itself failed: std::length_error: vector::reserve.");
  device_.on_wait = [] { throw 7; };
  EXPECT_EQ(other->SynchronizeAll().error().code, CudaError::kUnknown);
  device_.on_wait = [] { throw std::bad_alloc(); };
  EXPECT_EQ(client->SynchronizeAll().error().code, CudaError::kMemoryAllocation);
  device_.on_wait = {};

  EXPECT_TRUE(client->SynchronizeAll().ok());
  EXPECT_TRUE(other->SynchronizeAll().ok());
  const InternalFaults faults = TakeFaults(*judge_);
  EXPECT_EQ(faults.thrown, "std::length_error: vector::reserve") << "the first";
  EXPECT_EQ(faults.memory, 1u);
  EXPECT_TRUE(judge_->TakeFindings().empty()) << "the clients did nothing wrong";
  EXPECT_TRUE(judge_->TakeProtocolViolations().empty());
  const InternalFaults later = TakeFaults(*judge_);
  EXPECT_EQ(later.thrown, "");
  EXPECT_EQ(later.memory, 0u);
}

// --- The judge's end -------------------------------------------------------------------------------

TEST_F(ServerTest, AMissedDeadlineLosesTheConnection) {
  auto client = Attach();
  device_.on_wait = [] { std::this_thread::sleep_for(300ms); };
  client->SetDeadline(30ms);
  auto before = std::chrono::steady_clock::now();
  EXPECT_FALSE(client->SynchronizeAll().ok());
  EXPECT_LT(std::chrono::steady_clock::now() - before, 250ms);
  EXPECT_FALSE(client->alive());
  EXPECT_EQ(client->loss(), DeviceClient::Loss::kDeadline);
  EXPECT_FALSE(client->CreateEvent(0).ok()) << "it stays lost";
  int refused = 0;
  CallBatch batch(*client);
  batch.Add(protocol::CreateEvent{}, [&](auto event) { refused += !event.ok(); });
  batch.Add(protocol::SynchronizeAll{}, [&](auto done) { refused += !done.ok(); });
  batch.Ask();
  EXPECT_EQ(refused, 2);
}

TEST_F(ServerTest, AttachNeedsASocketOfTheRightType) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  UniqueFd reader(ends[0]), writer(ends[1]);
  EXPECT_FALSE(judge_->AttachClient(reader.get()).ok());
  int packets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, packets), 0);
  UniqueFd first(packets[0]), second(packets[1]);
  EXPECT_FALSE(judge_->AttachClient(first.get()).ok());
  EXPECT_TRUE(judge_->alive());
}

TEST(DeviceClientAlone, ADeadServerIsAnError) {
  ChannelPair pair = MakeChannelPair();
  pair.second.reset();
  EXPECT_FALSE(DeviceClient::Connect(std::move(pair.first)).ok());
}

TEST(DeviceClientAlone, AnAnswerThatIsNoneIsGarbage) {
  ChannelPair pair = MakeChannelPair();
  Send(pair.second, Frame(17, 1, {}));
  auto client = DeviceClient::Connect(std::move(pair.first));
  ASSERT_FALSE(client.ok());
  EXPECT_NE(English(client.error().message).find("invalid answer"), std::string::npos);
}

TEST(DeviceClientAlone, StartingNamesWhatIsWrong) {
  auto unknown = DeviceClient::StartProcess("/bin/true", "virtual:gtx1");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().blame, Blame::kUsage);
  EXPECT_FALSE(DeviceClient::StartProcess("/nonexistent", "virtual:a100").ok());
  EXPECT_FALSE(DeviceClient::StartProcess("/bin/true", "virtual:a100").ok());
}

}  // namespace
}  // namespace warplings::server_test
