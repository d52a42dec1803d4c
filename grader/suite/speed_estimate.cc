// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/speed_estimate.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "grader/messages/judging.h"
#include "grader/suite/timed_program.h"
#include "grader/timing/estimate.h"

namespace warplings {
namespace {

/// Blocks of each launch that run to be counted. In the kernels of courses, all blocks do about the same
/// work.
constexpr std::uint64_t kSampleBlocks = 4;

TimedResult<EstimatedTime> TimeOf(const std::vector<LaunchRecord>& launches, const DeviceProfile& card) {
  EstimatedTime time;
  double longest = 0;
  for (const LaunchRecord& launch : launches) {
    if (!launch.completed || !launch.work)
      return TimedFault{Verdict::kNotRun, say::blocks_do_not_end(launch.kernel)};
    if (launch.work->has_matrix_operations) return TimedFault{Verdict::kNotRun, say::matrix_time_unknown()};
    const timing::Estimate estimate = timing::EstimateLaunch(launch, *launch.work, card);
    time.seconds += estimate.seconds;
    if (estimate.seconds > longest) time.bound = timing::NameOf(estimate.bound);
    longest = std::max(longest, estimate.seconds);
    const Counts& counts = launch.totals;
    time.dram_bytes += launch.work->read_bytes + launch.work->written_bytes + launch.work->atomic_bytes;
    time.sectors += counts.global_load_sectors + counts.global_store_sectors + counts.global_atomic_sectors;
    time.wavefronts += counts.shared_load_wavefronts + counts.shared_store_wavefronts;
    time.instructions += counts.warp_instructions;
  }
  if (launches.empty()) return TimedFault{Verdict::kNotRun, say::no_kernel_to_estimate()};
  return time;
}

/// A thread must outlive the program that it starts, and no longer.
TimedResult<EstimatedTime> EstimateProgram(const SpeedOrder& order, const WorkerProgram& worker,
                                           const TimedShape& shape, const TimedInputs& inputs,
                                           std::string& card_name) {
  const auto program = TimedProgram::Start(order.device_program, order.device, worker, order.memory);
  if (!program) return program.error();
  const auto launches = (*program)->CountSample(shape, inputs, kSampleBlocks, order.detailed);
  if (!launches) return launches.error();
  card_name = (*program)->profile().name;
  auto time = TimeOf(*launches, (*program)->profile());
  if (time && order.detailed) time->launches = *launches;
  return time;
}

}  // namespace

SpeedResult EstimateSpeed(const SpeedOrder& order, const std::vector<TimedShape>& shapes) {
  const auto start = std::chrono::steady_clock::now();
  SpeedResult result;
  if (shapes.empty()) {
    result.reason = say::no_shape_to_time();
    return result;
  }
  RandomValues random(order.seed);
  const TimedShape& shape = shapes.front();
  TimedInputs inputs;
  shape.make_inputs(random, inputs);
  TimedResult<EstimatedTime> baseline = EstimatedTime{}, submission = EstimatedTime{};
  SpeedEstimate estimate;
  {
    std::string same_card;
    const std::jthread other(
        [&] { baseline = EstimateProgram(order, order.baseline, shape, inputs, same_card); });
    submission = EstimateProgram(order, order.submission, shape, inputs, estimate.card);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const auto* program : {&submission, &baseline}) {
    if (*program) continue;
    result.reason = say::no_gpu_and_no_estimate(program->error().reason);
    return result;
  }
  const timing::EstimateRecord& record = timing::kEstimateRecord;
  estimate.title = shape.title;
  estimate.baseline = *baseline;
  estimate.submission = *submission;
  estimate.speedup = baseline->seconds / submission->seconds;
  estimate.checked_on = record.card;
  estimate.held_here = estimate.card == record.card;
  estimate.mean_error = record.mean_error;
  estimate.checked_kernels = record.cases;
  result.estimate = estimate;
  return result;
}

}  // namespace warplings
