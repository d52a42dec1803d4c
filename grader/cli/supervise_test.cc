// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/supervise.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "grader/cli/command.h"

namespace warplings {
namespace {

class SuperviseTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-supervise-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    ::setenv("TMPDIR", folder_.c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("TMPDIR");
    std::filesystem::remove_all(folder_);
  }

  /// Starts a grandchild that has left its session, writes its id and sleeps.
  void StartStray() const {
    if (::fork() != 0) return;
    ::setsid();
    std::ofstream(folder_ / "stray") << ::getpid() << std::flush;
    ::sleep(60);
    ::_exit(0);
  }

  /// Waits for the file; the stray's id, 0 if there is none.
  pid_t StrayId() const {
    pid_t pid = 0;
    for (int i = 0; i < 500 && !(std::ifstream(folder_ / "stray") >> pid); ++i) ::usleep(10'000);
    return pid;
  }

  bool OnlyTheStraysFileIsLeft() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      if (entry.path().filename() != "stray") return false;
    }
    return true;
  }

  std::filesystem::path folder_;
};

TEST_F(SuperviseTest, HandsOnTheStatusAndGivesAFolder) {
  EXPECT_EQ(Supervise([&] {
              const std::filesystem::path own = ::getenv("TMPDIR");
              std::ofstream(own / "left behind") << "x";
              return own.parent_path() == folder_ ? 7 : 8;
            }),
            7);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(SuperviseTest, ACrashIsAFaultOfOurs) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(Supervise([]() -> int { std::abort(); }), kExitGraderFault);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("the grader itself crashed"), std::string::npos);
}

/// `warplings verify | head`: the reader has seen enough, nothing has crashed.
TEST_F(SuperviseTest, AReaderThatLeavesIsNoCrash) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(Supervise([]() -> int { return ::raise(SIGPIPE); }), 128 + SIGPIPE);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(SuperviseTest, KillsWhatTheWorkLeftRunning) {
  EXPECT_EQ(Supervise([&] {
              StartStray();
              return StrayId() > 0 ? 0 : 1;
            }),
            0);
  EXPECT_NE(::kill(StrayId(), 0), 0);
}

TEST_F(SuperviseTest, AnInterruptionLeavesNothing) {
  const pid_t supervisor = ::fork();
  if (supervisor == 0) {
    ::_exit(Supervise([&] {
      StartStray();
      ::sleep(60);
      return 0;
    }));
  }
  const pid_t stray = StrayId();
  ASSERT_GT(stray, 0);
  ::kill(supervisor, SIGINT);
  int status = 0;
  ASSERT_EQ(::waitpid(supervisor, &status, 0), supervisor);
  EXPECT_EQ(WEXITSTATUS(status), kExitInterrupted);
  EXPECT_NE(::kill(stray, 0), 0);
  EXPECT_TRUE(OnlyTheStraysFileIsLeft());
}

TEST_F(SuperviseTest, AnInterruptionIsSaidBeforeWhatFollowsFromIt) {
  testing::internal::CaptureStderr();
  // The child's own end may be seen before the signal.
  const int status =
      Supervise([]() -> int { return ::raise(SIGINT); }, [] { std::fputs("All is kept.\n", stderr); });
  EXPECT_EQ(status, kExitInterrupted);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_LT(said.find("interrupted"), said.find("All is kept."));
  EXPECT_TRUE(said.ends_with("All is kept.\n")) << said;
}

TEST_F(SuperviseTest, WhatIsThrownIsReportedAsAFaultOfTheGraders) {
  testing::internal::CaptureStderr();
  const int status = Supervise([]() -> int { throw std::length_error("vector::reserve"); });
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(status, kExitGraderFault);
  EXPECT_NE(said.find("the grader itself failed: std::length_error: vector::reserve"), std::string::npos)
      << said;
}

}  // namespace
}  // namespace warplings
