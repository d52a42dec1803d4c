// SPDX-License-Identifier: Apache-2.0
#include "grader/sandbox/process.h"

#include <dirent.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "grader/sandbox/launch.h"
#include "tests/support/drawn.h"

namespace warplings::sandbox {
namespace {

using Kind = ProgramEnd::Kind;
using std::chrono::milliseconds;
using std::chrono::seconds;

ProcessRequest WorkerRequest(std::vector<std::string> words) {
  words.insert(words.begin(), kWorkerProgram);
  return {.policy = WorkerPolicy(MISBEHAVE), .program = std::move(words), .passed = {}, .files = {}};
}

/// The same program where a reader of archives would run, before it has confined itself and after.
ProcessRequest ReaderRequest(const char* program, std::vector<std::string> words) {
  words.insert(words.begin(), kReaderProgram);
  return {.policy = ReaderPolicy(program), .program = std::move(words), .passed = {}, .files = {}};
}

/// The same program where a compiler would run.
ProcessRequest CompileRequest(std::vector<std::string> words) {
  words.insert(words.begin(), "/misbehave");
  ProcessRequest request{.policy = CompilePolicy({}), .program = std::move(words), .passed = {}, .files = {}};
  request.policy.binds.push_back({MISBEHAVE, "/misbehave"});
  return request;
}

Finished Finish(const ProcessRequest& request) {
  auto finished = RunToEnd(request);
  EXPECT_TRUE(finished) << finished.error().message << '\n' << finished.error().next_step;
  return finished ? *finished : Finished{{Kind::kExited, 1000}, "", 0};
}

/// "refused" (0), "hole" (42) or how else it ended; with what it printed.
void ExpectRefused(const ProcessRequest& request) {
  Finished finished = Finish(request);
  EXPECT_EQ(finished.end.kind, Kind::kExited) << finished.output;
  EXPECT_EQ(finished.end.code, 0) << request.program[1] << ": " << finished.output;
}

class WorkerIsRefused : public testing::TestWithParam<std::vector<std::string>> {};
TEST_P(WorkerIsRefused, It) {
  ExpectRefused(WorkerRequest(GetParam()));
}
INSTANTIATE_TEST_SUITE_P(
    Worker, WorkerIsRefused,
    testing::Values(std::vector<std::string>{"fork"}, std::vector<std::string>{"socket"},
                    std::vector<std::string>{"socketpair"}, std::vector<std::string>{"open", "/etc/passwd"},
                    std::vector<std::string>{"open", "/worker"},
                    std::vector<std::string>{"open", "/dev/null"}, std::vector<std::string>{"list", "/"},
                    std::vector<std::string>{"list", "/proc/self"}, std::vector<std::string>{"ptrace"},
                    std::vector<std::string>{"attach"}, std::vector<std::string>{"kill"},
                    std::vector<std::string>{"write"}, std::vector<std::string>{"unshare"},
                    std::vector<std::string>{"mount"}, std::vector<std::string>{"mkdir"},
                    std::vector<std::string>{"hog"}, std::vector<std::string>{"huge-file"},
                    std::vector<std::string>{"limits"}));

class CompilerIsRefused : public testing::TestWithParam<std::vector<std::string>> {};
TEST_P(CompilerIsRefused, It) {
  ExpectRefused(CompileRequest(GetParam()));
}
INSTANTIATE_TEST_SUITE_P(
    Compiler, CompilerIsRefused,
    testing::Values(std::vector<std::string>{"socket"}, std::vector<std::string>{"open", "/etc/passwd"},
                    std::vector<std::string>{"open", "/proc/self/environ"},
                    std::vector<std::string>{"open", "/dev/zero"},
                    std::vector<std::string>{"open", "/dev/random"},
                    std::vector<std::string>{"list", "/home"}, std::vector<std::string>{"list", "/root"},
                    std::vector<std::string>{"list", "/sys"}, std::vector<std::string>{"list", "/var"},
                    std::vector<std::string>{"list", "/usr/local"},
                    std::vector<std::string>{"list", SOURCE_ROOT}, std::vector<std::string>{"ptrace"},
                    std::vector<std::string>{"attach"}, std::vector<std::string>{"unshare"},
                    std::vector<std::string>{"mount"}, std::vector<std::string>{"mkdir"},
                    std::vector<std::string>{"hog"}, std::vector<std::string>{"limits"}));

class ReaderIsRefused : public testing::TestWithParam<std::vector<std::string>> {};
TEST_P(ReaderIsRefused, BeforeItIsConfined) {
  ExpectRefused(ReaderRequest(MISBEHAVE, GetParam()));
}
TEST_P(ReaderIsRefused, It) {
  ExpectRefused(ReaderRequest(MISBEHAVING_READER, GetParam()));
}
INSTANTIATE_TEST_SUITE_P(
    Reader, ReaderIsRefused,
    testing::Values(std::vector<std::string>{"fork"}, std::vector<std::string>{"socket"},
                    std::vector<std::string>{"socketpair"}, std::vector<std::string>{"open", "/etc/passwd"},
                    std::vector<std::string>{"open", "/usr/bin/env"},
                    std::vector<std::string>{"open", "/proc/self/environ"},
                    std::vector<std::string>{"open", "/dev/null"}, std::vector<std::string>{"list", "/home"},
                    std::vector<std::string>{"list", "/sys"}, std::vector<std::string>{"list", SOURCE_ROOT},
                    std::vector<std::string>{"ptrace"}, std::vector<std::string>{"attach"},
                    std::vector<std::string>{"kill"}, std::vector<std::string>{"write"},
                    std::vector<std::string>{"unshare"}, std::vector<std::string>{"mount"},
                    std::vector<std::string>{"mkdir"}, std::vector<std::string>{"hog"},
                    std::vector<std::string>{"huge-file"}, std::vector<std::string>{"limits"}));

TEST(Process, AConfinedReaderOpensNotEvenWhatItSees) {
  // The first is refused by the policy's own filter nowhere: the other test would show nothing.
  EXPECT_EQ(Finish(ReaderRequest(MISBEHAVE, {"list", "/usr/lib"})).end.code, 42);
  ExpectRefused(ReaderRequest(MISBEHAVING_READER, {"list", "/usr/lib"}));
}

TEST(Process, ReportsTheExitStatus) {
  Finished finished = Finish(WorkerRequest({"exit", "7"}));
  EXPECT_EQ(finished.end.kind, Kind::kExited);
  EXPECT_EQ(finished.end.code, 7);
  EXPECT_FALSE(finished.end.succeeded());
}

TEST(Process, ReportsTheSignal) {
  for (int number : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) {
    Finished finished = Finish(WorkerRequest({"raise", std::to_string(number)}));
    EXPECT_EQ(finished.end.kind, Kind::kSignalled);
    EXPECT_EQ(finished.end.code, number);
  }
  EXPECT_EQ(English(DescribeSignal(SIGSEGV)), "a segmentation fault (SIGSEGV)");
  EXPECT_EQ(English(DescribeSignal(SIGUSR1)), "SIGUSR1");
  EXPECT_EQ(English(DescribeSignal(40)), "signal 40");
}

TEST(Process, ARequestToEndIsTheGradersToAnswer) {
  // Sent to all processes of a job or a terminal, these would end a compiler in the middle of its work.
  for (int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) {
    EXPECT_EQ(Finish(WorkerRequest({"raise", std::to_string(number)})).end.kind, Kind::kExited) << number;
    EXPECT_EQ(Finish(CompileRequest({"raise", std::to_string(number)})).end.kind, Kind::kExited) << number;
  }
}

TEST(Process, KeepsWhatWasPrinted) {
  EXPECT_EQ(Finish(WorkerRequest({"print", "hello"})).output, "hello\n");
}

TEST(Process, StopsAFloodAndKeepsItsBeginning) {
  ProcessRequest request = WorkerRequest({"flood"});
  request.policy.limits.output_bytes = 1000;
  Finished finished = Finish(request);
  EXPECT_EQ(finished.end.kind, Kind::kOutputLimit);
  EXPECT_EQ(finished.output, std::string(1000, 'a'));
  EXPECT_LT(finished.seconds, 5);
}

TEST(Process, StopsASleeperAtTheWallLimit) {
  ProcessRequest request = WorkerRequest({"sleep"});
  request.policy.limits.wall = milliseconds(300);
  Finished finished = Finish(request);
  EXPECT_EQ(finished.end.kind, Kind::kTimeLimit);
  EXPECT_GE(finished.seconds, 0.3);
  EXPECT_LT(finished.seconds, 5);
}

TEST(Process, StopsABusyLoopAtTheProcessorLimit) {
  ProcessRequest request = WorkerRequest({"spin"});
  request.policy.limits.cpu = seconds(1);
  Finished finished = Finish(request);
  EXPECT_EQ(finished.end.kind, Kind::kTimeLimit);
  EXPECT_EQ(finished.end.code, SIGXCPU);
}

/// Processes that run one after the other, and beside each other; what each may use is never reached.
TEST(Process, StopsAllAtTheirCommonProcessorLimit) {
  RUN_ONE_IN(6);
  for (const char* const verb : {"spin-in-turn", "spin-at-once"}) {
    ProcessRequest request = CompileRequest({verb});
    request.policy.limits.cpu = seconds(10);
    request.policy.limits.cpu_in_all = seconds(1);
    request.policy.limits.wall = seconds(50);
    const Finished finished = Finish(request);
    EXPECT_EQ(finished.end.kind, Kind::kTotalTime) << verb;
    EXPECT_LT(finished.seconds, 45) << verb;
  }
  ProcessRequest below = CompileRequest({"spin-at-once"});
  below.policy.limits.cpu_in_all = seconds(40);
  EXPECT_TRUE(Finish(below).end.succeeded());
  // It waits, and uses up nothing.
  ProcessRequest waiting = CompileRequest({"sleep"});
  waiting.policy.limits.cpu_in_all = seconds(1);
  waiting.policy.limits.wall = milliseconds(2500);
  EXPECT_EQ(Finish(waiting).end.kind, Kind::kTimeLimit);
}

TEST(Process, TellsProcessorTime) {
  auto spinning = Process::Start(WorkerRequest({"spin"}));
  ASSERT_TRUE(spinning);
  const auto until = Process::Clock::now() + seconds(10);
  std::chrono::nanoseconds used{0};
  while (used < milliseconds(100) && Process::Clock::now() < until) {
    usleep(10'000);
    used = (*spinning)->ProcessorTime().value_or(std::chrono::nanoseconds{0});
  }
  EXPECT_GE(used, milliseconds(100));
  (*spinning)->Kill();
  EXPECT_EQ((*spinning)->ProcessorTime(), std::nullopt);

  auto sleeping = Process::Start(WorkerRequest({"sleep"}));
  ASSERT_TRUE(sleeping);
  usleep(300'000);
  EXPECT_LT((*sleeping)->ProcessorTime().value_or(std::chrono::nanoseconds{0}), milliseconds(100));
}

TEST(Process, StopsAtTheCallersDeadline) {
  auto process = Process::Start(WorkerRequest({"sleep"}));
  ASSERT_TRUE(process);
  auto end = (*process)->Wait(Process::Clock::now() + milliseconds(200));
  ASSERT_TRUE(end);
  EXPECT_EQ(end->kind, Kind::kTimeLimit);
}

TEST(Process, KillEndsIt) {
  auto process = Process::Start(WorkerRequest({"sleep"}));
  ASSERT_TRUE(process);
  (*process)->Kill();
  auto end = (*process)->Wait();
  ASSERT_TRUE(end);
  EXPECT_EQ(end->kind, Kind::kStopped);
}

TEST(Process, KillEndsItAtAnyMoment) {
  // Each start is interrupted a little later, from before bwrap has done anything until the program runs.
  for (int delay = 0; delay < 40; ++delay) {
    auto process = Process::Start(WorkerRequest({"flood"}));
    ASSERT_TRUE(process);
    usleep(static_cast<useconds_t>(delay * 200));
    auto begin = Process::Clock::now();
    (*process)->Kill();
    auto end = (*process)->Wait();
    ASSERT_TRUE(end) << end.error().message;
    EXPECT_EQ(end->kind, Kind::kStopped);
    // Were anything left of it, its end of the pipe would be open.
    EXPECT_EQ((*process)->output_fd(), -1);
    EXPECT_LT(Process::Clock::now() - begin, seconds(4)) << delay;
  }
}

TEST(Process, GrandchildrenDoNotOutliveIt) {
  // The pipe ends only when the grandchild is dead, and Wait returns only when the pipe has ended.
  Finished finished = Finish(CompileRequest({"background"}));
  EXPECT_TRUE(finished.end.succeeded());
  EXPECT_LT(finished.seconds, 3);
}

TEST(Process, AHugeFileIsCutOff) {
  Finished finished = Finish(CompileRequest({"huge-file"}));
  EXPECT_EQ(finished.end.kind, Kind::kSignalled);
  EXPECT_EQ(finished.end.code, SIGXFSZ);
}

TEST(Process, PassesOnlyTheListedDescriptors) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);  // Inheritable on purpose: it must not get in.
  ASSERT_EQ(write(ends[1], "word", 4), 4);
  ProcessRequest request = WorkerRequest({"descriptors"});
  EXPECT_EQ(Finish(request).output, "0 1 2 ");
  request.passed = {{ends[0], 3}};
  EXPECT_EQ(Finish(request).output, "0 1 2 3 ");
  request = WorkerRequest({"read3"});
  request.passed = {{ends[0], 3}};
  EXPECT_EQ(Finish(request).output, "word\n");
  close(ends[0]);
  close(ends[1]);
}

TEST(Process, DescriptorsMayTradePlaces) {
  int three[2], four[2];
  ASSERT_EQ(pipe(three), 0);
  ASSERT_EQ(pipe(four), 0);
  ASSERT_EQ(write(four[1], "four", 4), 4);
  ASSERT_EQ(dup2(four[0], 60), 60);
  ASSERT_EQ(dup2(three[0], 61), 61);
  ProcessRequest request = WorkerRequest({"read3"});
  request.passed = {{61, 60}, {60, 3}};
  EXPECT_EQ(Finish(request).output, "four\n");
  for (int fd : {three[0], three[1], four[0], four[1], 60, 61}) close(fd);
}

TEST(Process, PassesNoEnvironmentButThePolicys) {
  setenv("WARPLINGS_TEST_SECRET", "secret", 1);
  EXPECT_EQ(Finish(WorkerRequest({"environment"})).output.find("secret"), std::string::npos);
  EXPECT_NE(Finish(CompileRequest({"environment"})).output.find("TMPDIR=/tmp"), std::string::npos);
}

TEST(Process, ShowsDataFiles) {
  ProcessRequest request = CompileRequest({"open", "/submission/a.cu"});
  request.files = {{"/submission/a.cu", "text"}};
  EXPECT_EQ(Finish(request).end.code, 42);
}

TEST(Process, AProgramThatIsNotThereIsTheGradersFault) {
  ProcessRequest request = WorkerRequest({"exit", "0"});
  request.program = {"/nothing"};
  auto finished = RunToEnd(request);
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().blame, Blame::kGrader);
  EXPECT_NE(English(finished.error().message).find("/nothing"), std::string::npos);
}

TEST(Process, ABindThatIsNotThereIsTheGradersFault) {
  ProcessRequest request = WorkerRequest({"exit", "0"});
  request.policy.binds.push_back({"/no/such/folder", "/x"});
  auto finished = RunToEnd(request);
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().blame, Blame::kGrader);
  EXPECT_NE(English(finished.error().message).find("/no/such/folder"), std::string::npos);
}

TEST(Process, ADescriptorThatIsNotOpenIsTheGradersFault) {
  ProcessRequest request = WorkerRequest({"exit", "0"});
  request.passed = {{-1, 3}};
  auto finished = RunToEnd(request);
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().blame, Blame::kGrader);
}

/// Whatever it is doing then: a bubblewrap that is still setting up, too.
TEST(Process, WhatWasLaunchedEndsWithItsParent) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    const auto launched = Launch({"/bin/sleep", "300"}, {}, {});
    const pid_t pid = launched ? *launched : -1;
    if (write(ends[1], &pid, sizeof pid) != sizeof pid) _exit(1);
    pause();
  }
  pid_t launched = -1;
  ASSERT_EQ(read(ends[0], &launched, sizeof launched), static_cast<ssize_t>(sizeof launched));
  ASSERT_GT(launched, 0);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  const std::string status = "/proc/" + std::to_string(launched) + "/stat";
  const auto runs = [&] {
    std::ifstream file(status);
    // Of a process that ends between the two, the file is there and cannot be read. getline says so; an
    // iterator over the buffer throws.
    std::string text;
    return std::getline(file, text) && text.find(") Z") == std::string::npos;  // Nobody may wait for it.
  };
  for (int i = 0; i < 500 && runs(); ++i) usleep(10'000);
  EXPECT_FALSE(runs());
  close(ends[0]);
  close(ends[1]);
}

/// An ordinary user has fewer rights than root to set a sandbox up, and none to spare inside it.
TEST(Process, WorksForAnOrdinaryUser) {
  if (getuid() != 0) GTEST_SKIP() << "this whole test runs as an ordinary user already";
  std::string copy = "/tmp/warplings_misbehave_" + std::to_string(getpid());
  std::ofstream(copy, std::ios::binary) << std::ifstream(MISBEHAVE, std::ios::binary).rdbuf();
  ASSERT_EQ(chmod(copy.c_str(), 0755), 0);
  pid_t pid = fork();
  if (pid == 0) {
    if (setgid(65534) != 0 || setuid(65534) != 0) _exit(2);
    ProcessRequest request = WorkerRequest({"fork"});
    request.policy.binds[0].source = copy;
    auto finished = RunToEnd(request);
    if (!finished) fprintf(stderr, "%s\n", English(finished.error().message).c_str());
    _exit(finished && finished->end.succeeded() ? 0 : 1);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  unlink(copy.c_str());
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace warplings::sandbox
