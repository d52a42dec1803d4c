// SPDX-License-Identifier: Apache-2.0
//
// fit_estimate COUNTS.json TIMES.txt [--fit]
//
// The estimate (grader/timing/estimate.h) of each case that tests/benchmarks/estimate counted, beside the
// time that it measured on a card. With --fit the model's numbers are first fitted to the cases that are for
// that, by the search of Nelder and Mead for the least mean error; the others only judge.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "grader/core/json.h"
#include "grader/timing/estimate.h"

namespace warplings::benchmarks {
namespace {

using timing::Estimate;
using timing::EstimateModel;

struct Case {
  std::string name;
  bool is_held_out = false;
  std::vector<LaunchRecord> launches;
  double measured = 0;  ///< Seconds.
  double spread = 0;    ///< The middle half of the runs, over the median.

  std::string Family() const { return name.substr(0, name.find('/')); }
};

struct NamedNumber {
  const char* name;
  double EstimateModel::*member;
  double begin;  ///< What the fit begins with.
};
constexpr NamedNumber kNumbers[] = {
    {"launch_seconds", &EstimateModel::launch_seconds, 3e-6},
    {"dram_share", &EstimateModel::dram_share, 0.85},
    {"l2_bytes_per_cycle", &EstimateModel::l2_bytes_per_cycle, 40},
    {"instructions", &EstimateModel::instructions, 0.9},
    {"line_cycles", &EstimateModel::line_cycles, 1},
    {"l1_cycles", &EstimateModel::l1_cycles, 40},
    {"l2_cycles", &EstimateModel::l2_cycles, 270},
    {"dram_cycles", &EstimateModel::dram_cycles, 800},
    {"shared_cycles", &EstimateModel::shared_cycles, 30},
    {"barrier_cycles", &EstimateModel::barrier_cycles, 20},
    {"block_cycles", &EstimateModel::block_cycles, 160},
    {"atomic_cycles", &EstimateModel::atomic_cycles, 2},
    {"overlap", &EstimateModel::overlap, 3},
};
constexpr std::size_t kNumberCount = std::size(kNumbers);
/// Logarithms: all numbers are positive, and differ by what factor they are wrong.
using Point = std::array<double, kNumberCount>;

Point Beginning() {
  Point point;
  for (std::size_t i = 0; i < kNumberCount; ++i) point[i] = std::log(kNumbers[i].begin);
  return point;
}

EstimateModel ModelAt(const Point& point) {
  EstimateModel model;
  for (std::size_t i = 0; i < kNumberCount; ++i) model.*kNumbers[i].member = std::exp(point[i]);
  return model;
}

/// Launches follow each other without a pause.
Estimate EstimateOf(const Case& each, const DeviceProfile& card, const EstimateModel& model) {
  Estimate all;
  for (const LaunchRecord& launch : each.launches) {
    const Estimate one = timing::EstimateLaunch(launch, *launch.work, card, model);
    if (one.seconds > all.seconds) all.bound = one.bound;
    all.seconds += one.seconds;
  }
  return all;
}

/// Numbers that few cases depend on stay near what manuals and others' measurements say, which is what the
/// fit begins with: a factor of e away costs this much.
constexpr double kPull = 0.005;

/// Mean over the families of the mean size of the logarithm of estimate over time. Held-out cases do not
/// count.
double Misfit(const std::vector<Case>& cases, const DeviceProfile& card, const EstimateModel& model) {
  std::map<std::string, std::pair<double, int>> families;
  for (const Case& each : cases) {
    if (each.is_held_out) continue;
    auto& [sum, count] = families[each.Family()];
    sum += std::abs(std::log(EstimateOf(each, card, model).seconds / each.measured));
    ++count;
  }
  double sum = 0;
  for (const auto& [name, family] : families) sum += family.first / family.second;
  return sum / static_cast<double>(families.size());
}

/// J. Nelder, R. Mead: "A simplex method for function minimization", 1965.
template <class Function>
Point Minimise(Point start, const Function& f, int steps, double size) {
  std::vector<std::pair<double, Point>> simplex{{f(start), start}};
  for (std::size_t i = 0; i < kNumberCount; ++i) {
    Point corner = start;
    corner[i] += size;
    simplex.emplace_back(f(corner), corner);
  }
  const auto by_value = [](const auto& a, const auto& b) { return a.first < b.first; };
  for (int step = 0; step < steps; ++step) {
    std::sort(simplex.begin(), simplex.end(), by_value);
    Point centre{};
    for (std::size_t k = 0; k + 1 < simplex.size(); ++k) {
      for (std::size_t i = 0; i < kNumberCount; ++i) centre[i] += simplex[k].second[i] / kNumberCount;
    }
    const auto at = [&](double distance) {
      Point point;
      for (std::size_t i = 0; i < kNumberCount; ++i)
        point[i] = centre[i] + distance * (simplex.back().second[i] - centre[i]);
      return std::make_pair(f(point), point);
    };
    auto next = at(-1);
    if (next.first < simplex.front().first) {
      if (auto further = at(-2); further.first < next.first) next = further;
    } else if (next.first >= simplex[kNumberCount - 1].first) {
      next = at(0.5);
      if (next.first >= simplex.back().first) {
        for (std::size_t k = 1; k < simplex.size(); ++k) {
          for (std::size_t i = 0; i < kNumberCount; ++i)
            simplex[k].second[i] = (simplex[k].second[i] + simplex[0].second[i]) / 2;
          simplex[k].first = f(simplex[k].second);
        }
        continue;
      }
    }
    simplex.back() = next;
  }
  return std::min_element(simplex.begin(), simplex.end(), by_value)->second;
}

EstimateModel Fit(const std::vector<Case>& cases, const DeviceProfile& card) {
  const Point begin = Beginning();
  const auto misfit = [&](const Point& at) {
    double distance = 0;
    for (std::size_t i = 0; i < kNumberCount; ++i) distance += std::pow(at[i] - begin[i], 2);
    return Misfit(cases, card, ModelAt(at)) + kPull * distance;
  };
  Point point = begin;
  for (const double size : {0.3, -0.3, 0.2, -0.2, 0.1, -0.1, 0.05})
    point = Minimise(point, misfit, 2000, size);
  return ModelAt(point);
}

std::vector<double> Ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<double>(i);
  return ranks;
}

/// Spearman's; no two of our times are equal.
double RankCorrelation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> ranks_a = Ranks(a), ranks_b = Ranks(b);
  const auto n = static_cast<double>(a.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(ranks_a[i] - ranks_b[i], 2);
  return 1 - 6 * sum / (n * (n * n - 1));
}

void PrintGroup(const std::vector<Case>& cases, bool held_out, const DeviceProfile& card,
                const EstimateModel& model) {
  std::printf("\n%-46s %10s %10s %8s  %s\n", held_out ? "held out" : "fitted on", "measured", "estimated",
              "error", "bound by");
  std::vector<double> measured, estimated, errors;
  for (const Case& each : cases) {
    if (each.is_held_out != held_out) continue;
    const Estimate estimate = EstimateOf(each, card, model);
    measured.push_back(each.measured);
    estimated.push_back(estimate.seconds);
    errors.push_back(std::abs(estimate.seconds / each.measured - 1));
    std::printf("%-46s %7.1f us %7.1f us %+7.0f %%  %s\n", each.name.c_str(), each.measured * 1e6,
                estimate.seconds * 1e6, 100 * (estimate.seconds / each.measured - 1),
                English(timing::NameOf(estimate.bound)).c_str());
  }
  const double mean = std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
  std::sort(errors.begin(), errors.end());
  std::printf(
      "%zu cases: mean absolute error %.1f %%, median %.1f %%, nine of ten below %.0f %%; rank correlation "
      "%.3f\n",
      errors.size(), 100 * mean, 100 * errors[errors.size() / 2], 100 * errors[errors.size() * 9 / 10],
      RankCorrelation(measured, estimated));
}

/// Whose speedup over whom; the exercises'.
struct Pair {
  const char *slow, *fast;
};
constexpr Pair kPairs[] = {
    {"exercise_naive_matmul/1024", "exercise_tiled_matmul/1024"},
    {"exercise_naive_transposed/1024", "exercise_rect_tiled_transposed/1024"},
    {"exercise_naive_matmul/1024", "exercise_dynamic_tiled_16/1024"},
    {"exercise_not_coarsened_matmul/1024", "exercise_coarsened_matmul/1024"},
    {"exercise_slow_fast_matmul/2048", "exercise_fast_matmul/2048"},
    {"exercise_conflicted_transpose/2048x4096", "exercise_transpose_padded/2048x4096"},
    {"exercise_conflicted_transpose/2048x4096", "exercise_transpose_swizzled/2048x4096"},
    {"exercise_conflicted_transpose/2000x3000", "exercise_transpose_padded/2000x3000"},
    {"exercise_interleaved/4194304", "exercise_reduce_sequential/4194304"},
    {"exercise_interleaved/8388608", "exercise_reduce_sequential/8388608"},
    {"exercise_uncoarsened_reduction/4194304", "exercise_coarsened_reduction/4194304"},
    {"exercise_uncoarsened_reduction/8388608", "exercise_coarsened_reduction/8388608"},
};

void PrintSpeedups(const std::vector<Case>& cases, const DeviceProfile& card, const EstimateModel& model) {
  const auto find = [&](const char* name) { return std::ranges::find(cases, name, &Case::name); };
  std::printf("\n%-46s %10s %10s\n", "speedup over the baseline (held out)", "measured", "estimated");
  double sum = 0;
  int count = 0;
  for (const Pair& pair : kPairs) {
    const auto slow = find(pair.slow), fast = find(pair.fast);
    if (slow == cases.end() || fast == cases.end()) continue;
    const double measured = slow->measured / fast->measured;
    const double estimated = EstimateOf(*slow, card, model).seconds / EstimateOf(*fast, card, model).seconds;
    std::printf("%-46s %10.2f %10.2f\n", pair.fast, measured, estimated);
    sum += std::abs(estimated / measured - 1);
    ++count;
  }
  if (count > 0) std::printf("%d speedups: mean absolute error %.1f %%\n", count, 100 * sum / count);
}

std::string ReadFile(const char* path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<Case> ReadCases(const char* counts, const char* times) {
  std::map<std::string, std::pair<double, double>> measured;
  std::istringstream lines(ReadFile(times));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word, name;
    double microseconds = 0, spread = 0;
    if (words >> word >> name >> microseconds >> spread && word == "time")
      measured[name] = {microseconds * 1e-6, spread};
  }
  std::vector<Case> cases;
  const auto json = FromJson<nlohmann::json>(ReadFile(counts));
  if (!json) return cases;
  for (const nlohmann::json& each : *json) {
    Case next;
    next.name = each.at("name");
    next.is_held_out = each.at("role") == "held-out";
    const auto time = measured.find(next.name);
    if (time == measured.end()) continue;
    next.measured = time->second.first, next.spread = time->second.second;
    for (const nlohmann::json& kernel : each.at("kernels"))
      next.launches.push_back(kernel.get<LaunchRecord>());
    cases.push_back(std::move(next));
  }
  return cases;
}

int Main(int count, char** words) {
  const bool fit = count == 4 && std::strcmp(words[3], "--fit") == 0;
  if (count < 3 || (count > 3 && !fit)) {
    std::fprintf(stderr, "fit_estimate COUNTS.json TIMES.txt [--fit]\n");
    return 2;
  }
  const std::vector<Case> cases = ReadCases(words[1], words[2]);
  const DeviceProfile& card = *FindDeviceProfile("h200");
  const EstimateModel model = fit ? Fit(cases, card) : EstimateModel();
  for (const NamedNumber& number : kNumbers) std::printf("%-20s %.4g\n", number.name, model.*number.member);
  std::printf("mean error over the families that were fitted on: %.1f %%\n",
              100 * Misfit(cases, card, model));
  PrintGroup(cases, false, card, model);
  PrintGroup(cases, true, card, model);
  PrintSpeedups(cases, card, model);
  return 0;
}

}  // namespace
}  // namespace warplings::benchmarks

int main(int count, char** words) {
  return warplings::benchmarks::Main(count, words);
}
