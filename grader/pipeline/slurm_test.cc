// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/slurm.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace warplings::cluster {
namespace {

namespace fs = std::filesystem;

/// Fake Slurm programs, first on PATH.
class SlurmTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-slurm-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    former_path_ = ::getenv("PATH");
  }
  void TearDown() override {
    ::setenv("PATH", former_path_.c_str(), 1);
    fs::remove_all(folder_);
  }
  void Program(const std::string& name, const std::string& text) const {
    const fs::path file = folder_ / name;
    std::ofstream(file) << "#!/bin/sh\n" << text << "\n";
    fs::permissions(file, fs::perms::owner_all);
    ::setenv("PATH", (folder_.string() + ":" + former_path_).c_str(), 1);
  }
  std::string Written(const std::string& name) const {
    std::ifstream stream(folder_ / name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  SlurmQueue Queue() const {
    return {"warplings-test",
            {.partition = "gpu",
             .account = "",
             .time = "01:00:00",
             .gres = "gpu:1",
             .cpus = 3,
             .more = {"--qos=low"}},
            "/shared/task.sh",
            "/shared/slice-%4a.log"};
  }

  fs::path folder_;
  std::string former_path_;
};

TEST_F(SlurmTest, NumbersOfAnArray) {
  EXPECT_EQ(ArrayText({1, 2, 3, 7, 9, 10}), "1-3,7,9-10");
  EXPECT_EQ(ArrayText({4}), "4");
}

TEST_F(SlurmTest, ReadsTheQueue) {
  const QueueView view = ParseQueue("1 R None\n2 CG None\n3 PD Resources\n4 PD (Priority)\nN/A PD x\n\n");
  EXPECT_EQ(view.running, (std::set<std::size_t>{1, 2}));
  EXPECT_EQ(view.waiting, (std::set<std::size_t>{3, 4}));
  EXPECT_EQ(view.reason, "(Priority)");
}

TEST_F(SlurmTest, TheSameFolderHasTheSameJobs) {
  EXPECT_EQ(JobName(folder_ / "out"), JobName(folder_ / "x" / ".." / "out"));
  EXPECT_NE(JobName(folder_ / "out"), JobName(folder_ / "out2"));
}

TEST_F(SlurmTest, SubmitsWhatWasAskedFor) {
  Program("sbatch", "printf '%s\\n' \"$@\" >" + folder_.string() + "/arguments; echo 17");
  auto queue = Queue();
  ASSERT_TRUE(queue.Submit({1, 2, 5}).ok());
  const std::string arguments = Written("arguments");
  for (const char* word :
       {"--partition=gpu\n", "--time=01:00:00\n", "--gres=gpu:1\n", "--cpus-per-task=3\n", "--array=1-2,5\n",
        "--qos=low\n", "--no-requeue\n", "--job-name=warplings-test\n"}) {
    EXPECT_NE(arguments.find(word), std::string::npos) << word << arguments;
  }
  EXPECT_EQ(arguments.find("--account"), std::string::npos);
  EXPECT_TRUE(arguments.ends_with("/shared/task.sh\n"));
}

TEST_F(SlurmTest, ARefusalIsToldInSlurmsWords) {
  Program("sbatch", "echo 'sbatch: error: invalid partition specified: gpu' >&2; exit 1");
  const Status status = Queue().Submit({1});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(English(status.error().message), "Slurm refused the job: invalid partition specified: gpu");
  EXPECT_EQ(status.error().blame, Blame::kUsage);
}

TEST_F(SlurmTest, WithoutSlurmTheOtherWayIsNamed) {
  ::setenv("PATH", folder_.c_str(), 1);
  const Status status = SlurmQueue::CheckAvailable();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(English(status.error().message).find("sbatch"), std::string::npos);
  EXPECT_NE(English(status.error().next_step).find("--slices"), std::string::npos);
}

TEST_F(SlurmTest, ANodeTellsItsCard) {
  Program("srun", "printf '%s\\n' \"$@\" >" + folder_.string() + "/arguments; echo '90 NVIDIA H200'");
  const auto said = Queue().RunOnNode({"/opt/device", "--describe", "gpu:0"});
  ASSERT_TRUE(said.ok());
  EXPECT_EQ(*said, "90 NVIDIA H200\n");
  EXPECT_NE(Written("arguments").find("--gres=gpu:1\n"), std::string::npos);
  Program("srun", "echo 'no NVIDIA driver'; exit 3");
  const auto none = Queue().RunOnNode({"/opt/device"});
  ASSERT_FALSE(none.ok());
  EXPECT_NE(English(none.error().message).find("no NVIDIA driver"), std::string::npos);
}

TEST_F(SlurmTest, AProgramThatHangsIsEnded) {
  const ProgramAnswer answer =
      RunWithTimeout({"sh", "-c", "echo here; exec sleep 60"}, std::chrono::milliseconds(200));
  EXPECT_EQ(answer.status, 128 + SIGKILL);
  EXPECT_EQ(answer.out, "here\n");
}

}  // namespace
}  // namespace warplings::cluster
