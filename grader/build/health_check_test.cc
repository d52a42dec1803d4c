// SPDX-License-Identifier: Apache-2.0
#include "grader/build/health_check.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>

namespace warplings {
namespace {

namespace fs = std::filesystem;
using State = HealthRow::State;

void ExpectHealthy(const std::vector<HealthRow>& rows, std::size_t count) {
  EXPECT_EQ(rows.size(), count);
  for (const HealthRow& row : rows) {
    EXPECT_EQ(row.state, State::kOk) << row.name << ": " << row.detail;
    EXPECT_FALSE(row.detail.empty()) << row.name;
    EXPECT_TRUE(row.next_step.empty()) << row.name;
  }
}

TEST(HealthCheck, ThisMachineIsHealthy) {
  ExpectHealthy(CheckSandbox(), 3);
  ExpectHealthy(CheckCompilers(ThisLayout().root), 5);
}

TEST(HealthCheck, ABrokenCompilerIsNamed) {
  std::string folder = testing::TempDir() + "warplings-health-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  fs::create_directories(folder + "/bin");
  for (const char* name : {"/bin/nvcc", "/bin/ptxas"}) {
    std::ofstream(folder + name) << "#!/bin/sh\necho broken\nexit 3\n";
    fs::permissions(folder + name, fs::perms::owner_all);
  }
  std::string path = getenv("PATH");
  setenv("PATH", (folder + "/bin:/usr/bin:/bin").c_str(), 1);
  auto rows = CheckCompilers(folder, {});
  setenv("PATH", path.c_str(), 1);
  fs::remove_all(folder);
  ASSERT_EQ(rows.size(), 5u);
  for (std::size_t broken : {0u, 1u, 4u}) {
    EXPECT_EQ(rows[broken].state, State::kFail) << rows[broken].name;
    EXPECT_FALSE(rows[broken].next_step.empty()) << rows[broken].name;
  }
  EXPECT_EQ(rows[2].state, State::kOk);
  EXPECT_EQ(rows[3].state, State::kOk);
}

TEST(HealthCheck, AnOldOrAnotherNvccIsNamedWithItsVersion) {
  const std::string folder = testing::TempDir() + "warplings-health-" + std::to_string(getpid());
  fs::create_directories(folder + "/bin");
  const auto row_of = [&](const std::string& version) {
    std::ofstream(folder + "/bin/nvcc")
        << "#!/bin/sh\necho 'Cuda compilation tools, release " << version << ", V'\n";
    fs::permissions(folder + "/bin/nvcc", fs::perms::owner_all);
    const auto rows = CheckCompilers(folder, {folder + "/bin/nvcc", {}, {}, 13});
    return rows.empty() ? HealthRow{} : rows[0];
  };
  const HealthRow old = row_of("11.8");
  EXPECT_EQ(old.state, State::kFail);
  EXPECT_EQ(English(old.detail), "CUDA 11.8 in " + folder + "/bin/nvcc is too old.");
  EXPECT_NE(English(old.next_step).find("CUDA 12 or 13"), std::string::npos) << old.next_step;
  const HealthRow other = row_of("12.4");
  EXPECT_EQ(other.state, State::kFail);
  EXPECT_NE(English(other.detail).find("CUDA 12.4"), std::string::npos) << other.detail;
  EXPECT_NE(English(other.detail).find("built for CUDA 13"), std::string::npos) << other.detail;
  EXPECT_EQ(row_of("13.1").state, State::kOk);
  fs::remove_all(folder);
}

TEST(HealthCheck, AnUnusableCacheIsAWarning) {
  setenv("XDG_CACHE_HOME", "/dev/null/x", 1);
  HealthRow row = CheckCache();
  EXPECT_EQ(row.state, State::kWarn);
  EXPECT_FALSE(row.next_step.empty());
  unsetenv("XDG_CACHE_HOME");
}

TEST(HealthCheck, AMissingPartIsNamed) {
  Workbook workbook;
  HealthRow row = CheckBuiltTree({"/nowhere", "/nowhere/build"}, workbook);
  EXPECT_EQ(row.state, State::kFail);
  EXPECT_NE(English(row.detail).find("warplings-device"), std::string::npos);
  EXPECT_NE(English(row.next_step).find("ninja"), std::string::npos);
}

}  // namespace
}  // namespace warplings
