// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/launch_progress_line.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "grader/messages/command_line.h"

namespace warplings {
namespace {

using namespace std::chrono_literals;

std::string Describe(std::uint64_t finished, std::uint64_t blocks, std::chrono::seconds elapsed) {
  return English(DescribeLaunchProgress({3, "matmul", finished, blocks, elapsed}));
}

TEST(DescribeLaunchProgress, EstimatesTheRestFromTheBlocksThatHaveEnded) {
  EXPECT_EQ(Describe(412, 1600, 14s), "matmul, launch 3: 412 of 1600 blocks, about 40 s left");
  EXPECT_EQ(Describe(500, 1000, 100s), "matmul, launch 3: 500 of 1000 blocks, about 2 min left");
  EXPECT_EQ(Describe(500, 1000, 7500s), "matmul, launch 3: 500 of 1000 blocks, about 2 h 5 min left");
}

TEST(DescribeLaunchProgress, WithoutEvidenceSaysOnlyHowLongItHasTaken) {
  EXPECT_EQ(Describe(0, 1, 12s), "matmul, launch 3: 0 of 1 block, 12 s so far");
  EXPECT_EQ(Describe(19, 1000, 30s), "matmul, launch 3: 19 of 1000 blocks, 30 s so far");
  EXPECT_EQ(Describe(20, 1000, 30s), "matmul, launch 3: 20 of 1000 blocks, about 25 min left");
  EXPECT_EQ(Describe(8, 8, 3s), "matmul, launch 3: 8 of 8 blocks, 3 s so far") << "what it found is gathered";
}

TEST(DescribeLaunchProgress, AnyNumbersAndNamesCanBeShown) {
  const std::uint64_t most = ~std::uint64_t{0};
  const std::string text =
      English(DescribeLaunchProgress({most, "\x1b[2J\n\xff" + std::string(200, 'k'), most / 40, most,
                                      LaunchProgress::Clock::duration::max()}));
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  EXPECT_LT(text.size(), 150u) << text;
  EXPECT_TRUE(text.ends_with("about 1000 h 0 min left")) << text;
}

class LaunchProgressLineTest : public testing::Test {
 protected:
  ~LaunchProgressLineTest() override { std::fclose(out_); }

  std::string Written() const {
    std::string text(1 << 16, '\0');
    const long end = std::ftell(out_);
    std::rewind(out_);
    text.resize(std::fread(text.data(), 1, text.size(), out_));
    std::fseek(out_, end, SEEK_SET);
    return text;
  }
  static std::size_t Occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
  }

  LaunchProgress progress_;
  std::FILE* const out_ = std::tmpfile();
};

TEST_F(LaunchProgressLineTest, InALogEachLineIsItsOwn) {
  LaunchProgressLine line(&progress_, out_, /*in_place=*/false, {40ms, 40ms});
  line.Start();
  {
    const LaunchProgress::Launch launch(&progress_, "slow", 4);
    std::this_thread::sleep_for(500ms);
  }
  line.End();
  const std::string text = Written();
  EXPECT_GE(Occurrences(text, "warplings: slow, launch 1: 0 of 4 blocks, "), 2u) << text;
  EXPECT_EQ(Occurrences(text, "\n"), Occurrences(text, "warplings: ")) << text;
  EXPECT_EQ(text.find('\x1b'), text.npos) << text;
}

TEST_F(LaunchProgressLineTest, ShortLaunchesAreNotMentioned) {
  LaunchProgressLine line(&progress_, out_, /*in_place=*/true, {1h, 1h});
  line.Start();
  for (int i = 0; i < 20; ++i) {
    const LaunchProgress::Launch launch(&progress_, "short", 4);
    std::this_thread::sleep_for(1ms);
  }
  line.End();
  EXPECT_EQ(Written(), "");
}

TEST_F(LaunchProgressLineTest, OnATerminalTheLineIsGoneWhenTheLaunchHasEnded) {
  LaunchProgressLine line(&progress_, out_, /*in_place=*/true, {20ms, 1h});
  line.Start();
  {
    const LaunchProgress::Launch launch(&progress_, "slow", 4);
    std::this_thread::sleep_for(300ms);
  }
  const std::string text = Written();
  EXPECT_EQ(Occurrences(text, "slow, launch 1: 0 of 4 blocks"), 1u) << text;
  EXPECT_TRUE(text.ends_with("\x1b[A\x1b[J")) << text;
  line.End();
  EXPECT_EQ(Written(), text);
}

TEST_F(LaunchProgressLineTest, TheLineIsGoneWhenTheProgramHasEnded) {
  LaunchProgressLine line(&progress_, out_, /*in_place=*/true, {20ms, 20ms});
  line.Start();
  const LaunchProgress::Launch launch(&progress_, "endless", 1);
  std::this_thread::sleep_for(300ms);
  line.End();
  EXPECT_GE(Occurrences(Written(), "endless, launch 1: 0 of 1 block"), 2u);
  EXPECT_TRUE(Written().ends_with("\x1b[A\x1b[J")) << Written();
}

TEST_F(LaunchProgressLineTest, NothingIsToBeShown) {
  LaunchProgressLine line(nullptr);
  line.Start();
  line.End();
}

}  // namespace
}  // namespace warplings
