// SPDX-License-Identifier: Apache-2.0
#include "grader/timing/roofline.h"

#include <algorithm>

namespace warplings::timing {
namespace {

int LanesPerMultiprocessor(const DeviceProfile& card) {
  // 7.0, 7.2, 7.5 and 8.0 have 64; 8.6 and later 128.
  return card.major == 7 || (card.major == 8 && card.minor == 0) ? 64 : 128;
}

double Seconds(double flops, double bytes, const DeviceProfile& card) {
  const double flop_rate = PeakFlopsPerSecond(card), byte_rate = PeakBytesPerSecond(card);
  const double computing = flop_rate > 0 ? flops / flop_rate : 0;
  const double moving = byte_rate > 0 ? bytes / byte_rate : 0;
  return std::max(computing, moving);
}

}  // namespace

double PeakBytesPerSecond(const DeviceProfile& card) {
  return 2.0 * 1e3 * card.memory_clock_khz * (card.memory_bus_bits / 8.0);
}

double PeakFlopsPerSecond(const DeviceProfile& card) {
  return 2.0 * 1e3 * card.clock_khz * card.multiprocessors * LanesPerMultiprocessor(card);
}

double LimitSeconds(const Work& work, const DeviceProfile& card) {
  return Seconds(work.flops, work.bytes_read + work.bytes_written, card);
}

double FloorSeconds(const Work& work, const DeviceProfile& card) {
  const double left_in_cache = std::min(work.bytes_written, static_cast<double>(card.l2_bytes));
  return Seconds(work.flops, work.bytes_read + work.bytes_written - left_in_cache, card);
}

}  // namespace warplings::timing
