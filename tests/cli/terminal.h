// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace warplings::cli_test {

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
    const auto end = std::chrono::steady_clock::now() + limit;
    while (std::chrono::steady_clock::now() < end) {
      if (const std::size_t at = seen_.find(words); at != std::string::npos) {
        seen_.erase(0, at + words.size());
        return true;
      }
      Read();
    }
    ADD_FAILURE() << "not said: " << words << "\nbut: " << seen_;
    return false;
  }

  /// What was read behind the words that were last waited for.
  const std::string& seen() const { return seen_; }

  /// Wait status of a program that ended or, with WUNTRACED, stopped.
  int Wait(int options = 0) {
    int status = -1;
    for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
         std::chrono::steady_clock::now() < end;) {
      if (::waitpid(pid_, &status, options | WNOHANG) == pid_) {
        if (WIFEXITED(status) || WIFSIGNALED(status)) pid_ = 0;
        while (Read()) {
        }
        return status;
      }
      Read();
    }
    return -1;
  }

 private:
  /// Waits a moment; whether something came.
  bool Read() {
    pollfd wanted{fd_, POLLIN, 0};
    if (::poll(&wanted, 1, 50) <= 0) return false;
    char bytes[4096];
    const ssize_t n = ::read(fd_, bytes, sizeof bytes);
    if (n > 0) seen_.append(bytes, std::size_t(n));
    EXPECT_EQ(seen_.find("\x1b[3J"), std::string::npos) << "that deletes what the terminal showed before";
    if (n <= 0) ::usleep(10'000);
    return n > 0;
  }

  int fd_ = -1;
  pid_t pid_ = -1;
  std::string seen_;
};

}  // namespace warplings::cli_test
