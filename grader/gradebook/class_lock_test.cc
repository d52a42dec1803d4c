// SPDX-License-Identifier: Apache-2.0
#include "grader/gradebook/class_lock.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <optional>

namespace warplings {
namespace {

using std::chrono::milliseconds;

class ClassLockTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-lock-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(ClassLockTest, ASecondOneIsRefusedByName) {
  std::optional<ClassLock> first;
  {
    auto taken = ClassLock::Take(folder_, milliseconds(0));
    ASSERT_TRUE(taken.ok());
    first.emplace(std::move(*taken));
  }
  const auto second = ClassLock::Take(folder_, milliseconds(30));
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().blame, Blame::kUsage);
  EXPECT_NE(English(second.error().message).find("process " + std::to_string(::getpid())), std::string::npos)
      << second.error().message;
  first.reset();
  EXPECT_TRUE(ClassLock::Take(folder_, milliseconds(0)).ok());
}

TEST_F(ClassLockTest, ReadersShareItKeepGradersOutAndWriteNothing) {
  EXPECT_TRUE(ClassLock::TakeToRead(folder_, milliseconds(0)).ok());
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  std::optional<ClassLock> grader;
  {
    auto taken = ClassLock::Take(folder_, milliseconds(0));
    ASSERT_TRUE(taken.ok());
    grader.emplace(std::move(*taken));
  }
  const auto refused = ClassLock::TakeToRead(folder_, milliseconds(0));
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(English(refused.error().message).find("is writing to"), std::string::npos)
      << refused.error().message;
  // Only `grade` has an --out that could be another one.
  EXPECT_EQ(English(refused.error().next_step), "Wait until it ends, and try again.");
  grader.reset();
  const auto first = ClassLock::TakeToRead(folder_, milliseconds(0)),
             second = ClassLock::TakeToRead(folder_, milliseconds(0));
  EXPECT_TRUE(first.ok() && second.ok());
  EXPECT_FALSE(ClassLock::Take(folder_, milliseconds(0)).ok());
}

TEST_F(ClassLockTest, AFolderThatCannotBeWrittenIsAUsageError) {
  const auto taken = ClassLock::Take(folder_ / "absent", milliseconds(0));
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().blame, Blame::kUsage);
}

}  // namespace
}  // namespace warplings
