// SPDX-License-Identifier: Apache-2.0
#include "grader/device/launch_progress.h"

#include <algorithm>
#include <thread>

namespace warplings {

// Two processes share them: an atomic with a lock would have its lock in one of the two.
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(std::atomic<LaunchProgress::Clock::rep>::is_always_lock_free);
static_assert(std::atomic<char>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

LaunchProgress::Launch::Launch(LaunchProgress* progress, std::string_view kernel, std::uint64_t blocks)
    : progress_(progress) {
  if (progress == nullptr) return;
  constexpr auto kRelaxed = std::memory_order_relaxed;
  const std::size_t length = std::min(kernel.size(), kNameBytes);
  for (std::size_t i = 0; i < length; ++i) progress->kernel_[i].store(kernel[i], kRelaxed);
  if (length < kNameBytes) progress->kernel_[length].store('\0', kRelaxed);
  progress->blocks_.store(blocks, kRelaxed);
  progress->finished_.store(0, kRelaxed);
  progress->start_.store(Clock::now().time_since_epoch().count(), kRelaxed);
  progress->running_ = progress->launches_.fetch_add(1, kRelaxed) + 1;
}

LaunchProgress::Launch::~Launch() {
  if (progress_ == nullptr) return;
  // Who shows it may have been stopped: the kernel's end is not for long.
  constexpr int kMostWaits = 100;
  progress_->running_ = 0;
  for (int i = 0; i < kMostWaits && progress_->is_shown_; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

std::atomic<std::uint64_t>* LaunchProgress::Launch::finished() const {
  return progress_ == nullptr ? nullptr : &progress_->finished_;
}

std::optional<LaunchProgress::Running> LaunchProgress::Look() const {
  Running launch;
  launch.number = running_;
  if (launch.number == 0) return std::nullopt;
  for (const std::atomic<char>& each : kernel_) {
    const char letter = each.load(std::memory_order_relaxed);
    if (letter == '\0') break;
    launch.kernel += letter;
  }
  launch.blocks = blocks_;
  launch.finished = std::min<std::uint64_t>(finished_, launch.blocks);
  const Clock::time_point start{Clock::duration(start_)};
  const Clock::time_point now = Clock::now();
  // Another launch has begun meanwhile: the next look will see it.
  if (start.time_since_epoch().count() < 0 || start > now || running_ != launch.number) return std::nullopt;
  launch.elapsed = now - start;
  return launch;
}

bool LaunchProgress::MayShow(const Running& launch) {
  is_shown_ = true;
  if (running_ == launch.number) return true;
  is_shown_ = false;
  return false;
}

}  // namespace warplings
