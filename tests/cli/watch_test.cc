// SPDX-License-Identifier: Apache-2.0
// `watch` on a terminal: saves, keys, and whatever a file under the keyboard may do.
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>

#include "tests/cli/cli_fixture.h"

namespace warplings::cli_test {
namespace {

using Clock = std::chrono::steady_clock;

/// A program on a terminal of its own.
class Terminal {
 public:
  Terminal(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment) {
    winsize size{};
    size.ws_row = 25;
    size.ws_col = 80;
    pid_ = ::forkpty(&fd_, nullptr, nullptr, &size);
    if (pid_ != 0) return;
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ~Terminal() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(fd_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void Type(const std::string& keys) const {
    ASSERT_EQ(::write(fd_, keys.data(), keys.size()), ssize_t(keys.size()));
  }
  void Resize(unsigned short columns) const {
    winsize size{};
    size.ws_row = 25;
    size.ws_col = columns;
    ::ioctl(fd_, TIOCSWINSZ, &size);
  }
  void Signal(int number) const { ::kill(pid_, number); }

  /// Reads until the screen says `words`; what was read up to there is forgotten.
  bool WaitFor(const std::string& words, std::chrono::seconds limit = std::chrono::seconds(180)) {
    const auto end = Clock::now() + limit;
    while (Clock::now() < end) {
      if (const std::size_t at = seen_.find(words); at != std::string::npos) {
        seen_.erase(0, at + words.size());
        return true;
      }
      Read();
    }
    ADD_FAILURE() << "not said: " << words << "\nbut: " << seen_;
    return false;
  }

  /// Wait status of a program that ended or, with WUNTRACED, stopped.
  int Wait(int options = 0) {
    int status = -1;
    for (const auto end = Clock::now() + std::chrono::seconds(60); Clock::now() < end;) {
      if (::waitpid(pid_, &status, options | WNOHANG) == pid_) {
        if (WIFEXITED(status) || WIFSIGNALED(status)) pid_ = 0;
        return status;
      }
      Read();
    }
    return -1;
  }

 private:
  void Read() {
    pollfd wanted{fd_, POLLIN, 0};
    if (::poll(&wanted, 1, 50) <= 0) return;
    char bytes[4096];
    const ssize_t n = ::read(fd_, bytes, sizeof bytes);
    if (n > 0) seen_.append(bytes, std::size_t(n));
    EXPECT_EQ(seen_.find("\x1b[3J"), std::string::npos) << "that deletes what the terminal showed before";
    if (n <= 0) ::usleep(10'000);
  }

  int fd_ = -1;
  pid_t pid_ = -1;
  std::string seen_;
};

class WatchTest : public CliFixture {
 protected:
  std::map<std::string, std::string> Environment() const {
    std::filesystem::create_directories(scratch() / "tmp");
    return {{"XDG_STATE_HOME", scratch() / "state"},
            {"XDG_CACHE_HOME", scratch() / "cache"},
            {"TMPDIR", scratch() / "tmp"},
            {"CUDA_VISIBLE_DEVICES", ""},
            {"TERM", "xterm"},
            {"LC_ALL", "C.UTF-8"}};
  }
  std::vector<std::string> Command() const {
    return {layout_.build / "grader/cli/warplings-cli", "watch", "out_of_range_loads", "--workbook",
            workbook_};
  }
  void Solve() const {
    WriteText(file_, ReadText(layout_.root / "solutions" / kChapter / "out_of_range_loads.cu"));
  }

  static constexpr const char* kChapter = "01_boundary_checks";
  const std::filesystem::path workbook_ = CopyWorkbook();
  const std::filesystem::path file_ = workbook_ / "chapters" / kChapter / "out_of_range_loads.cu";
};

TEST_F(WatchTest, SavesAreSeenAndKeysAreObeyed) {
  Terminal terminal(Command(), Environment());
  ASSERT_TRUE(terminal.WaitFor("NOT PASSED"));
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  terminal.Type("h");
  EXPECT_TRUE(terminal.WaitFor("out_of_range_loads, hint 1 of 4"));
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  terminal.Type("l");
  EXPECT_TRUE(terminal.WaitFor("Next: edit"));
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  Solve();
  EXPECT_TRUE(terminal.WaitFor("1 of 3 exercises, 5 of 25 points"));
  EXPECT_TRUE(terminal.WaitFor("Passed. Now watching the next exercise, tiled_matmul: "));
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  WriteText(file_.parent_path() / "tiled_matmul.cu", "broken");
  EXPECT_TRUE(terminal.WaitFor("checking 01_boundary_checks/tiled_matmul"));
  EXPECT_TRUE(terminal.WaitFor("compile error"));
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  terminal.Type("n");
  EXPECT_TRUE(terminal.WaitFor("checking 01_boundary_checks/repair_tiled_matmul"));
  terminal.Type("q");
  const int status = terminal.Wait();
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(std::filesystem::is_empty(scratch() / "tmp")) << "the check that was running left something";
}

/// The last of many saves is the one that counts, also where an editor replaces the file.
TEST_F(WatchTest, AHundredRapidSavesEndWithTheLast) {
  Terminal terminal(Command(), Environment());
  ASSERT_TRUE(terminal.WaitFor("checking"));
  for (int i = 0; i < 100; ++i) {
    WriteText(file_, "broken " + std::to_string(i));
    ::usleep(20'000);
  }
  WriteText(file_.string() + "~", ReadText(layout_.root / "solutions" / kChapter / "out_of_range_loads.cu"));
  std::filesystem::rename(file_.string() + "~", file_);
  EXPECT_TRUE(terminal.WaitFor("5 of 25 points"));
  terminal.Type("q");
  EXPECT_EQ(terminal.Wait(), 0);
  EXPECT_TRUE(std::filesystem::is_empty(scratch() / "tmp"));
}

TEST_F(WatchTest, SurvivesWhatAFileATerminalAndAUserDo) {
  Terminal terminal(Command(), Environment());
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  WriteText(file_,
            "#include <cstdio>\n#include \"out_of_range_loads.h\"\n"
            "BlockLoads out_of_range_loads(int, int, int, int, int) { for (;;) std::puts(\"x\"); }\n");
  EXPECT_TRUE(terminal.WaitFor("limit")) << "endless output";
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  WriteText(file_, std::string("\0\x1b[2J not C++ {{{", 18));
  EXPECT_TRUE(terminal.WaitFor("compile error"));
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  terminal.Resize(40);
  EXPECT_TRUE(terminal.WaitFor("compile error")) << "drawn again";
  ASSERT_TRUE(terminal.WaitFor("q quit"));

  terminal.Type("\x1a");
  EXPECT_TRUE(WIFSTOPPED(terminal.Wait(WUNTRACED)));
  Solve();
  terminal.Signal(SIGCONT);
  EXPECT_TRUE(terminal.WaitFor("5 of 25 points")) << "saved while it was stopped";
  ASSERT_TRUE(terminal.WaitFor("q quit"));

  std::filesystem::remove(file_);
  terminal.Type("r");
  EXPECT_TRUE(terminal.WaitFor("no such file"));
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  terminal.Type("\x03");
  const int status = terminal.Wait();
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
}

}  // namespace
}  // namespace warplings::cli_test
