// SPDX-License-Identifier: Apache-2.0
#include "grader/device/recorder.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "grader/device/client.h"
#include "grader/device/server.h"
#include "tests/support/fake_device.h"

namespace warplings {
namespace {

/// A judge, a client and a server over two FakeDevices, with a kernel that adds 1 to an int.
class RecorderTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto add_one = [this](FakeDevice& device, const LaunchRequest& request) -> CudaStatus {
      ++launches_;
      DevicePointer address = 0;
      std::memcpy(&address, request.arguments.data(), sizeof address);
      std::byte* memory = device.Memory(address, 4);
      if (memory == nullptr) return CudaFault{CudaError::kIllegalAddress, "freed"};
      memory[0] = static_cast<std::byte>(std::to_integer<int>(memory[0]) + 1);
      return Unit{};
    };
    for (FakeDevice* device : {&device_, &second_}) {
      device->AddKernel("add", {{0, 8}},
                        [=](const LaunchRequest& request) { return add_one(*device, request); });
    }
    ChannelPair pair = MakeChannelPair();
    server_ =
        std::make_unique<DeviceServer>(std::vector<LocalDevice*>{&device_, &second_}, std::move(pair.second));
    thread_ = std::thread([this] { EXPECT_TRUE(server_->Run().ok()); });
    judge_ = DeviceClient::Connect(std::move(pair.first)).value();
    ChannelPair clients = MakeChannelPair();
    client_id_ = judge_->AttachClient(clients.second.get()).value();
    clients.second.reset();
    client_ = DeviceClient::Connect(std::move(clients.first)).value();
    kernel_ = client_->FindKernel(client_->LoadModule(0, Bytes(8)).value(), "add").value().id;
    array_ = judge_->Allocate(4, AllocationKind::kDevice).value().address;
    Set(array_, 0);
  }

  void TearDown() override {
    client_.reset();
    judge_.reset();
    thread_.join();
  }

  static std::vector<std::byte> Bytes(std::size_t count, int value = 0) {
    return std::vector<std::byte>(count, static_cast<std::byte>(value));
  }
  CudaStatus Add(DevicePointer address) {
    LaunchRequest launch{.kernel = kernel_, .grid = {1, 1, 1}, .block = {1, 1, 1}, .arguments = Bytes(8)};
    std::memcpy(launch.arguments.data(), &address, sizeof address);
    return client_->Launch(launch);
  }
  void Set(DevicePointer address, int value) {
    EXPECT_TRUE(judge_->CopyIn(address, Bytes(4, value), 0).ok());
  }
  int Get(DevicePointer address) {
    auto bytes = Bytes(4);
    EXPECT_TRUE(judge_->CopyOut(bytes, address, 0).ok());
    return std::to_integer<int>(bytes[0]);
  }
  void Begin() { ASSERT_TRUE(judge_->BeginRecording(client_id_).ok()); }
  /// Why the call cannot be replayed; "" where it can.
  std::string End() { return English(judge_->EndRecording().value().live_reason); }

  FakeDevice device_, second_{0x3100'0000'0000};
  int launches_ = 0;
  std::unique_ptr<DeviceServer> server_;
  std::thread thread_;
  std::unique_ptr<DeviceClient> judge_, client_;
  ClientId client_id_ = 0;
  KernelId kernel_ = 0;
  DevicePointer array_ = 0;
};

TEST_F(RecorderTest, AReplayDoesOnNewInputsWhatTheCallDid) {
  Begin();
  EXPECT_TRUE(Add(array_).ok());
  EXPECT_TRUE(Add(array_).ok());
  EXPECT_EQ(End(), "");
  Set(array_, 40);
  const auto timing = judge_->Replay(0, true);
  ASSERT_TRUE(timing.ok()) << timing.error().message;
  EXPECT_FALSE(timing->measured);
  EXPECT_GE(timing->host_seconds, 0);
  EXPECT_EQ(Get(array_), 42);
  EXPECT_TRUE(judge_->TakeLaunches().empty()) << "replays leave no records";
}

TEST_F(RecorderTest, WhatCameBeforeAndAfterIsNotInTheList) {
  EXPECT_TRUE(Add(array_).ok());
  Begin();
  EXPECT_TRUE(Add(array_).ok());
  EXPECT_EQ(judge_->EndRecording().value().operations, 1u);
}

TEST_F(RecorderTest, CopiesAndFillsAreReplayed) {
  const DevicePointer other = judge_->Allocate(4, AllocationKind::kDevice)->address;
  Begin();
  EXPECT_TRUE(client_->CopyIn(array_, Bytes(4, 7), 0).ok());
  EXPECT_TRUE(client_->CopyWithin(other, array_, 4, 0).ok());
  EXPECT_TRUE(client_->Fill(array_, 9, 4, 0).ok());
  EXPECT_EQ(End(), "");
  Set(array_, 0);
  Set(other, 0);
  EXPECT_TRUE(judge_->Replay(0, true).ok());
  EXPECT_EQ(Get(other), 7);
  EXPECT_EQ(Get(array_), 9);
}

TEST_F(RecorderTest, TemporariesLiveUntilTheRecordingIsDropped) {
  Begin();
  const DevicePointer temporary = client_->Allocate(4, AllocationKind::kDevice)->address;
  EXPECT_TRUE(client_->Fill(temporary, 1, 4, 0).ok());
  EXPECT_TRUE(Add(temporary).ok());
  EXPECT_TRUE(client_->CopyWithin(array_, temporary, 4, 0).ok());
  EXPECT_TRUE(client_->Free(temporary).ok());
  EXPECT_FALSE(client_->Free(temporary).ok()) << "for the client it is gone";
  EXPECT_EQ(End(), "");
  for (int i = 0; i < 3; ++i) {
    Set(array_, 0);
    EXPECT_TRUE(judge_->Replay(0, true).ok());
    EXPECT_EQ(Get(array_), 2);
  }
  EXPECT_EQ(device_.live_allocations(), 2u);
  EXPECT_TRUE(judge_->DropRecording().ok());
  EXPECT_EQ(device_.live_allocations(), 1u);
}

TEST_F(RecorderTest, TemporariesThatDoNotFitTogetherAreFreed) {
  Begin();
  const DevicePointer first = client_->Allocate(4, AllocationKind::kDevice)->address;
  EXPECT_TRUE(client_->Free(first).ok());
  device_.is_full = true;
  EXPECT_FALSE(client_->Allocate(4, AllocationKind::kDevice).ok());
  EXPECT_EQ(device_.live_allocations(), 1u);
  EXPECT_NE(End().find("do not fit"), std::string::npos);
}

TEST_F(RecorderTest, NobodyCanMakeItKeepWithoutEnd) {
  Begin();
  for (std::size_t i = 0; i <= Ledger::kMostKept; ++i) {
    ASSERT_TRUE(client_->Free(client_->Allocate(4, AllocationKind::kDevice)->address).ok());
  }
  EXPECT_EQ(device_.live_allocations(), 2u);
  EXPECT_EQ(End(), "it frees memory too often");
}

TEST_F(RecorderTest, ACallThatUsesMemoryOfGraphsIsNotReplayed) {
  const DevicePointer memory = client_->Allocate(4, AllocationKind::kGraph)->address;
  Begin();
  EXPECT_TRUE(client_->Ask(protocol::ChangeGraphMemory{memory, 0, true}).ok());
  EXPECT_TRUE(Add(memory).ok());
  EXPECT_TRUE(client_->Ask(protocol::ChangeGraphMemory{memory, 0, false}).ok());
  EXPECT_EQ(End(), "it uses memory that graphs allocate");
}

TEST_F(RecorderTest, WarmUpRunsTheListAndTimesNothing) {
  Begin();
  EXPECT_TRUE(Add(array_).ok());
  EXPECT_EQ(End(), "");
  launches_ = 0;
  EXPECT_TRUE(judge_->Replay(0.01, false).ok());
  EXPECT_GE(launches_, 1);
}

TEST_F(RecorderTest, ResultsThatWereSeenBeforeMoreWorkForbidIt) {
  Begin();
  EXPECT_TRUE(Add(array_).ok());
  auto bytes = Bytes(4);
  EXPECT_TRUE(client_->CopyOut(bytes, array_, 0).ok());
  EXPECT_TRUE(Add(array_).ok());
  EXPECT_EQ(End(), "more work followed a copy to the host");
  EXPECT_FALSE(judge_->Replay(0, true).ok());
}

TEST_F(RecorderTest, ResultsThatAreSeenAtTheEndDoNot) {
  Begin();
  EXPECT_TRUE(Add(array_).ok());
  auto bytes = Bytes(4);
  EXPECT_TRUE(client_->CopyOut(bytes, array_, 0).ok());
  EXPECT_EQ(End(), "");
}

TEST_F(RecorderTest, ClocksAndQuestionsForbidIt) {
  const EventId event = client_->CreateEvent(0).value();
  EXPECT_TRUE(client_->RecordEvent(event, 0).ok());
  Begin();
  EXPECT_TRUE(client_->QueryEvent(event).ok());
  EXPECT_TRUE(Add(array_).ok());
  EXPECT_EQ(End(), "more work followed cudaEventQuery");
  EXPECT_TRUE(judge_->DropRecording().ok());
  Begin();
  EXPECT_TRUE(client_->ElapsedMilliseconds(event, event).ok());
  EXPECT_TRUE(Add(array_).ok());
  EXPECT_EQ(End(), "more work followed cudaEventElapsedTime");
}

TEST_F(RecorderTest, SharedMemoryForbidsItWheneverItWasMade) {
  ASSERT_TRUE(client_->Allocate(4096, AllocationKind::kManaged).ok());
  Begin();
  EXPECT_NE(End(), "");
  EXPECT_TRUE(judge_->DropRecording().ok());
  Begin();
  ASSERT_TRUE(client_->Allocate(4096, AllocationKind::kPinned).ok());
  EXPECT_NE(End().find("share"), std::string::npos);
}

TEST_F(RecorderTest, ASecondDeviceAndAResetForbidIt) {
  Begin();
  EXPECT_TRUE(Add(array_).ok());
  client_->UseDevice(1);
  const DevicePointer other = client_->Allocate(4, AllocationKind::kDevice)->address;
  EXPECT_TRUE(client_->Fill(other, 1, 4, 0).ok());
  EXPECT_EQ(End(), "it uses a second device");
  EXPECT_TRUE(judge_->DropRecording().ok());
  Begin();
  EXPECT_TRUE(client_->Reset().ok());
  EXPECT_EQ(End(), "it calls cudaDeviceReset");
}

TEST_F(RecorderTest, AListHasAnEnd) {
  Begin();
  for (std::size_t i = 0; i <= Recorder::kMaximumOperations; ++i) {
    EXPECT_TRUE(client_->Fill(array_, 1, 4, 0).ok());
  }
  EXPECT_NE(End().find("too many"), std::string::npos);
}

TEST_F(RecorderTest, ARecordedClientIsNotServedUntilTheRecordingIsDropped) {
  Begin();
  EXPECT_TRUE(Add(array_).ok());
  EXPECT_EQ(End(), "");
  Set(array_, 0);
  std::thread late([this] { EXPECT_TRUE(Add(array_).ok()); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(Get(array_), 0) << "work beside the timed runs";
  EXPECT_TRUE(judge_->DropRecording().ok());
  late.join();
  EXPECT_EQ(Get(array_), 1);
}

TEST_F(RecorderTest, ALiveRunServesTheClientBetweenItsEndsOnly) {
  Begin();
  EXPECT_EQ(End(), "");
  ASSERT_TRUE(judge_->BeginLive().ok());
  EXPECT_TRUE(Add(array_).ok());
  const auto timing = judge_->EndLive();
  ASSERT_TRUE(timing.ok());
  EXPECT_GT(timing->host_seconds, 0);
  EXPECT_EQ(Get(array_), 1);
  EXPECT_FALSE(judge_->EndLive().ok());
  std::thread late([this] { EXPECT_TRUE(Add(array_).ok()); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(Get(array_), 1);
  EXPECT_TRUE(judge_->DropRecording().ok());
  late.join();
}

TEST_F(RecorderTest, RequestsOutOfTurnAreRefused) {
  EXPECT_FALSE(judge_->EndRecording().ok());
  EXPECT_FALSE(judge_->Replay(0, true).ok());
  EXPECT_FALSE(judge_->BeginLive().ok());
  EXPECT_FALSE(judge_->EndLive().ok());
  EXPECT_FALSE(judge_->BeginRecording(0).ok());
  Begin();
  EXPECT_FALSE(judge_->BeginRecording(client_id_).ok());
  EXPECT_FALSE(judge_->Replay(0, true).ok());
  EXPECT_TRUE(judge_->DropRecording().ok());
  EXPECT_TRUE(judge_->DropRecording().ok());
}

TEST_F(RecorderTest, ARecordingGoesWithItsClient) {
  Begin();
  const DevicePointer temporary = client_->Allocate(4, AllocationKind::kDevice)->address;
  EXPECT_TRUE(client_->Free(temporary).ok());
  EXPECT_EQ(End(), "");
  judge_->DropClient(client_id_);
  EXPECT_FALSE(judge_->Replay(0, true).ok());
  EXPECT_EQ(device_.live_allocations(), 1u);
}

TEST_F(RecorderTest, AReplayThatTheDeviceRefusesSaysSo) {
  Begin();
  EXPECT_TRUE(Add(array_).ok());
  EXPECT_EQ(End(), "");
  ASSERT_TRUE(judge_->Free(array_).ok());
  const auto timing = judge_->Replay(0, true);
  ASSERT_FALSE(timing.ok());
  EXPECT_EQ(English(timing.error().message), "freed");
}

}  // namespace
}  // namespace warplings
