// SPDX-License-Identifier: Apache-2.0
#include "grader/timing/schedule.h"

#include <algorithm>

#include "grader/messages/host_code.h"
#include "grader/timing/statistics.h"

namespace warplings::timing {
namespace {

void AddRound(const std::vector<Sample>& samples, double clock_floor, std::vector<Samples>& programs) {
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (samples[i].clock_share < clock_floor) {
      ++programs[i].discarded;
    } else {
      programs[i].seconds.push_back(samples[i].seconds);
    }
  }
}

bool AllArePrecise(const std::vector<Samples>& programs, const ScheduleOptions& options) {
  return std::ranges::all_of(programs, [&](const Samples& each) {
    return each.seconds.size() >= options.least_samples &&
           RelativeStandardError(each.seconds) < options.standard_error;
  });
}

}  // namespace

std::vector<std::size_t> OrderOfRound(std::size_t round, std::size_t programs) {
  std::vector<std::size_t> order(programs);
  for (std::size_t i = 0; i < programs; ++i) order[i] = (i + round / 2) % programs;
  if (round % 2 == 1) std::ranges::reverse(order);
  return order;
}

Result<ScheduleOutcome> RunSchedule(std::size_t programs, const ScheduleOptions& options,
                                    const RoundFunction& take_round, const std::function<double()>& now) {
  ScheduleOutcome outcome;
  outcome.programs.resize(programs);
  const double start = now();
  for (std::size_t round = 0; round < options.most_rounds; ++round) {
    const auto samples = take_round(OrderOfRound(round, programs));
    if (!samples) return samples.error();
    if (samples->size() != programs) return GraderError(say::round_incomplete());
    AddRound(*samples, options.clock_floor, outcome.programs);
    if (AllArePrecise(outcome.programs, options)) {
      outcome.end = ScheduleEnd::kPrecise;
      return outcome;
    }
    if (round + 1 >= options.least_rounds && now() - start >= options.time_limit) break;
  }
  return outcome;
}

}  // namespace warplings::timing
