// SPDX-License-Identifier: Apache-2.0
#include "grader/device/launch_progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#include <thread>

#include "grader/device/shared_memory.h"

namespace warplings {
namespace {

TEST(LaunchProgress, CountsTheBlocksOfTheLaunchThatRuns) {
  LaunchProgress progress;
  EXPECT_FALSE(progress.Look()) << "nothing runs yet";
  {
    const LaunchProgress::Launch first(&progress, "a_long_name", 10);
    first.finished()->fetch_add(4);
    const auto seen = progress.Look();
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->number, 1u);
    EXPECT_EQ(seen->kernel, "a_long_name");
    EXPECT_EQ(seen->finished, 4u);
    EXPECT_EQ(seen->blocks, 10u);
  }
  EXPECT_FALSE(progress.Look()) << "it has ended";
  progress.Skip();
  const LaunchProgress::Launch third(&progress, "short", 3);
  const auto seen = progress.Look();
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->number, 3u) << "a launch that need not run counts";
  EXPECT_EQ(seen->kernel, "short");
  EXPECT_EQ(seen->finished, 0u);
}

TEST(LaunchProgress, MayBeNobodys) {
  const LaunchProgress::Launch launch(nullptr, "kernel", 1);
  EXPECT_EQ(launch.finished(), nullptr);
}

TEST(LaunchProgress, LongNamesAreCut) {
  LaunchProgress progress;
  const std::string name(1000, 'n');
  const LaunchProgress::Launch launch(&progress, name, 1);
  EXPECT_EQ(progress.Look()->kernel, name.substr(0, LaunchProgress::kNameBytes));
}

TEST(LaunchProgress, ALaunchThatIsShownEndsWhenItIsHidden) {
  LaunchProgress progress;
  std::optional<LaunchProgress::Launch> launch(std::in_place, &progress, "kernel", 1);
  const auto seen = progress.Look();
  ASSERT_TRUE(seen);
  ASSERT_TRUE(progress.MayShow(*seen));
  std::atomic<bool> is_hidden = false;
  std::jthread shows([&] {
    while (progress.Look()) std::this_thread::yield();
    is_hidden = true;
    progress.Hide();
  });
  launch.reset();
  EXPECT_TRUE(is_hidden);
  EXPECT_FALSE(progress.MayShow(*seen)) << "it has ended";
  launch.emplace(&progress, "kernel", 1);
  EXPECT_FALSE(progress.MayShow(*seen)) << "another one runs";
}

TEST(LaunchProgress, ALaunchEndsThoughNobodyHidesIt) {
  LaunchProgress progress;
  std::optional<LaunchProgress::Launch> launch(std::in_place, &progress, "kernel", 1);
  ASSERT_TRUE(progress.MayShow(*progress.Look()));
  launch.reset();
  EXPECT_FALSE(progress.Look());
}

/// A device process that a submission has taken over may write anything there.
TEST(LaunchProgress, AnyBytesCanBeLookedAt) {
  const SharedMemory memory = SharedMemory::Create(sizeof(LaunchProgress));
  ASSERT_TRUE(memory.valid());
  LaunchProgress* const progress = LaunchProgress::In(memory);
  for (int byte = 0; byte < 256; ++byte) {
    std::ranges::fill(memory.bytes(), std::byte(byte));
    const auto seen = progress->Look();
    if (!seen) continue;
    EXPECT_LE(seen->finished, seen->blocks);
    EXPECT_GE(seen->elapsed.count(), 0);
    EXPECT_LE(seen->kernel.size(), LaunchProgress::kNameBytes);
  }
  EXPECT_EQ(LaunchProgress::In(SharedMemory()), nullptr);
}

}  // namespace
}  // namespace warplings
