// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/device_choice.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

TEST(ChooseDevice, DefaultsToTheVirtualA100) {
  for (const char* text : {"virtual", "virtual:a100"}) {
    const Result<DeviceChoice> choice = ChooseDevice(text);
    ASSERT_TRUE(choice.ok()) << text;
    EXPECT_EQ(choice->spec, "virtual:a100");
    EXPECT_EQ(choice->sm, 80);
  }
}

TEST(ChooseDevice, CompilesForTheProfile) {
  const Result<DeviceChoice> choice = ChooseDevice("virtual:t4");
  ASSERT_TRUE(choice.ok());
  EXPECT_EQ(choice->sm, 75);
}

TEST(ChooseDevice, CompilesForTheLeastOfSeveral) {
  const Result<DeviceChoice> choice = ChooseDevice("virtual:h200,t4,a100");
  ASSERT_TRUE(choice.ok());
  EXPECT_EQ(choice->spec, "virtual:h200,t4,a100");
  EXPECT_EQ(choice->sm, 75);
}

TEST(ChooseDevice, RefusesWhatThereIsNot) {
  for (const char* text :
       {"", "gpu:", "gpu:-1", "gpu:0x", "GPU", "cpu", "virtual:", "virtual:c64", "virtual:a100:x", "Virtual",
        "virtual:,", "virtual:a100,", "virtual:a100,c64", "virtual:t4,t4,t4,t4,t4,t4,t4,t4,t4"}) {
    const Result<DeviceChoice> choice = ChooseDevice(text);
    ASSERT_FALSE(choice.ok()) << text;
    EXPECT_EQ(choice.error().blame, Blame::kUsage);
    EXPECT_NE(English(choice.error().next_step), "");
  }
}

/// A card is watched by the virtual one that it resembles most and that runs the same code.
TEST(ChooseDevice, AWatcherRunsWhatTheCardRuns) {
  EXPECT_EQ(WatcherOf({"NVIDIA H200", 90}).id, "h200");
  EXPECT_EQ(WatcherOf({"NVIDIA GH200 480GB", 90}).id, "h100");
  EXPECT_EQ(WatcherOf({"Tesla T4", 75}).id, "t4");
  EXPECT_EQ(WatcherOf({"NVIDIA A40", 86}).id, "rtx3060");
  EXPECT_EQ(WatcherOf({"DRIVE Orin", 87}).id, "rtx4090");
  EXPECT_EQ(WatcherOf({"NVIDIA GeForce RTX 5090", 120}).id, "b200");
}

TEST(ChooseDevice, AutoIsACardThatWorksOrElseTheVirtualGpu) {
  const Result<DeviceChoice> choice = ChooseDevice("auto");
  ASSERT_TRUE(choice.ok());
  if (ChooseDevice("gpu").ok()) {
    EXPECT_EQ(choice->spec, "gpu:0");
    EXPECT_TRUE(choice->watcher.starts_with("virtual:")) << choice->watcher;
    return;
  }
  EXPECT_EQ(choice->spec, "virtual:a100");
  EXPECT_EQ(choice->watcher, "");
  EXPECT_EQ(choice->note.empty(), !MayHaveCard()) << "a card that is passed over is mentioned";
}

/// With a card here it is chosen and compiled for; without one, one line says why not.
TEST(ChooseDevice, ACardIsFoundOrItIsSaidWhyNot) {
  const Result<DeviceChoice> choice = ChooseDevice("gpu");
  if (choice.ok()) {
    EXPECT_EQ(choice->spec, "gpu:0");
    EXPECT_GE(choice->sm, 50);
    return;
  }
  EXPECT_EQ(choice.error().blame, Blame::kUsage);
  EXPECT_NE(English(choice.error().message).find("--device gpu: "), std::string::npos);
  EXPECT_NE(English(choice.error().message).find("driver"), std::string::npos) << choice.error().message;
  EXPECT_NE(English(choice.error().next_step).find("--device virtual"), std::string::npos)
      << choice.error().next_step;
}

TEST(SpreadOverCards, TakesAllThatAreLikeTheFirst) {
  const std::vector<FoundCard> machine = {{"NVIDIA A40", 86, "0000:01:00.0"},
                                          {"Tesla T4", 75, "0000:02:00.0"},
                                          {"NVIDIA A40", 86, "0000:03:00.0"}};
  const auto probe = [&](int ordinal) -> Result<FoundCard> {
    if (static_cast<std::size_t>(ordinal) >= machine.size()) return GraderError("no such card");
    return machine[static_cast<std::size_t>(ordinal)];
  };
  DeviceChoice choice = ChoiceOfCard("gpu:0", machine[0]);
  SpreadOverCards(choice, probe);
  ASSERT_EQ(choice.cards.size(), 2u);
  EXPECT_EQ(choice.cards[0].spec, "gpu:0");
  EXPECT_EQ(choice.cards[1].spec, "gpu:2");
  EXPECT_EQ(choice.cards[1].place, "0000:03:00.0");
  EXPECT_EQ(choice.name, "gpu (NVIDIA A40)");

  // One card is named as ever, so that results of before stand.
  DeviceChoice alone = ChoiceOfCard("gpu:0", machine[0]);
  SpreadOverCards(alone, [&](int ordinal) -> Result<FoundCard> {
    if (ordinal > 0) return GraderError("no such card");
    return machine[0];
  });
  EXPECT_EQ(alone.name, "gpu:0 (NVIDIA A40)");
  EXPECT_EQ(alone.spec, "gpu:0");
}

}  // namespace
}  // namespace warplings
