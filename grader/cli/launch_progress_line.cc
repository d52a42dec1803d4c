// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/launch_progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>

#include "grader/base/catalogue.h"
#include "grader/base/fit.h"
#include "grader/base/text.h"
#include "grader/cli/progress_line.h"
#include "grader/messages/command_line.h"
#include "grader/report/terminal_report.h"

namespace warplings {
namespace {

using std::chrono::milliseconds;

constexpr LaunchProgressLine::Times kOnTerminal{std::chrono::seconds(2), std::chrono::seconds(1)};
constexpr LaunchProgressLine::Times kInLog{std::chrono::seconds(30), std::chrono::seconds(30)};

bool CanBeDrawnOver(int fd) {
  const char* terminal = std::getenv("TERM");
  return ::isatty(fd) != 0 && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

Message DescribeDuration(double time) {
  constexpr double kMinute = 60, kHour = 3600, kLongest = 1000 * kHour;
  const double length = std::min(time, kLongest);
  if (length < 1.5 * kMinute) return say::duration_in_seconds(std::lround(length));
  const long minutes = std::lround(length / kMinute);
  if (length < 1.5 * kHour) return say::duration_in_minutes(minutes);
  return say::duration_in_hours(minutes / 60, minutes % 60);
}

std::int64_t AsAmount(std::uint64_t number) {
  return static_cast<std::int64_t>(std::min<std::uint64_t>(number, std::numeric_limits<std::int64_t>::max()));
}

}  // namespace

Message DescribeLaunchProgress(const LaunchProgress::Running& launch) {
  constexpr std::size_t kNameColumns = 40;
  constexpr double kLeastShare = 0.02;
  std::string kernel = launch.kernel;
  std::ranges::replace_if(
      kernel, [](char letter) { return letter == '\n' || letter == '\t'; }, ' ');
  const std::string name = CutTo(Printable(kernel), kNameColumns);
  const double finished = static_cast<double>(launch.finished), blocks = static_cast<double>(launch.blocks);
  const double elapsed = std::chrono::duration<double>(launch.elapsed).count();
  const std::int64_t done = AsAmount(launch.finished);
  const say::Count all(AsAmount(launch.blocks), "block");
  if (finished == 0 || finished < kLeastShare * blocks || launch.finished >= launch.blocks)
    return say::launch_with_elapsed(name, AsAmount(launch.number), done, all, DescribeDuration(elapsed));
  return say::launch_with_rest(name, AsAmount(launch.number), done, all,
                               DescribeDuration(elapsed / finished * (blocks - finished)));
}

LaunchProgressLine::LaunchProgressLine(LaunchProgress* progress)
    : LaunchProgressLine(progress, stderr, CanBeDrawnOver(STDERR_FILENO),
                         CanBeDrawnOver(STDERR_FILENO) ? kOnTerminal : kInLog) {}

void LaunchProgressLine::Start() {
  if (progress_ == nullptr) return;
  try {
    thread_ = std::jthread([this](const std::stop_token& stop) { Watch(stop); });
  } catch (const std::system_error&) {
    // The machine allows no more threads: then the program runs without the line.
  }
}

void LaunchProgressLine::End() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void LaunchProgressLine::Watch(const std::stop_token& stop) {
  // A drawn line must go soon when the launch ends, because the program waits for that.
  constexpr milliseconds kWhileDrawn{10}, kOtherwise{250};
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    Look();
    const milliseconds pause = drawn_ != 0 ? kWhileDrawn : std::min(kOtherwise, times_.first / 4);
    stopped.wait_for(lock, stop, pause, [] { return false; });
  }
  if (drawn_ != 0) Erase();
}

void LaunchProgressLine::Look() {
  const auto launch = progress_->Look();
  if (drawn_ != 0 && (!launch || launch->number != drawn_)) Erase();
  if (!launch) return;
  if (launch->number != watched_) {
    watched_ = launch->number;
    next_ = times_.first;
  }
  if (launch->elapsed < next_) return;
  next_ = launch->elapsed + times_.between;
  if (in_place_) return Draw(*launch);
  std::fprintf(out_, "warplings: %s\n", Words(DescribeLaunchProgress(*launch)).c_str());
  std::fflush(out_);
}

void LaunchProgressLine::Draw(const LaunchProgress::Running& launch) {
  if (drawn_ == 0 && !progress_->MayShow(launch)) return;
  drawn_ = launch.number;
  const std::string text = ProgressText("warplings: " + Words(DescribeLaunchProgress(launch)),
                                        DetectTerminalStyle(::fileno(out_)).columns);
  // Erases what is drawn below the cursor. Then a line down, in the same column; that place is remembered
  // while the line is written; and back.
  std::fprintf(out_,
               "\x1b[J\x1b"
               "D\x1b"
               "7\r%s\x1b"
               "8\x1b[A",
               text.c_str());
  std::fflush(out_);
}

void LaunchProgressLine::Erase() {
  std::fputs("\x1b[J", out_);
  std::fflush(out_);
  drawn_ = 0;
  progress_->Hide();
}

}  // namespace warplings
