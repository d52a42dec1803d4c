// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/grade_progress.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace warplings {
namespace {

constexpr std::chrono::seconds kBetweenLines{15};

std::string Duration(double seconds) {
  if (seconds < 90) return std::to_string(std::lround(seconds)) + " s";
  if (seconds < 90 * 60) return std::to_string(std::lround(seconds / 60)) + " min";
  const long minutes = std::lround(seconds / 60);
  return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

}  // namespace

std::string DescribeProgress(std::size_t done, std::size_t total, std::chrono::duration<double> elapsed) {
  std::string text = std::to_string(done) + " of " + std::to_string(total) + " graded";
  if (done == 0 || done == total) return text;
  return text + ", about " +
         Duration(elapsed.count() / static_cast<double>(done) * static_cast<double>(total - done)) + " left";
}

GradeProgress::GradeProgress(std::size_t total)
    : total_(total), on_terminal_(::isatty(STDERR_FILENO) != 0), start_(Clock::now()), last_line_(start_) {}

std::string GradeProgress::Counts() const {
  return DescribeProgress(done_, total_, Clock::now() - start_);
}

void GradeProgress::Show(const std::string& what) {
  line_.Show(Counts() + "; " + what);
}

void GradeProgress::Done() {
  ++done_;
  if (on_terminal_) return line_.Show(Counts());
  const Clock::time_point now = Clock::now();
  if (now - last_line_ < kBetweenLines && done_ != total_) return;
  last_line_ = now;
  std::fprintf(stderr, "%s\n", Counts().c_str());
}

}  // namespace warplings
