// SPDX-License-Identifier: Apache-2.0
//
// Kernels as courses have them, for the estimate without a GPU (grader/timing/README.md): the same program
// gives their counts on the virtual GPU and their times on a card. tests/benchmarks/estimate runs it.
//
//   estimate_kernels list          each case with its role, a line each
//   estimate_kernels run CASE      one launch of it, for warplings run --profile; "all": of each, for ncu
//   estimate_kernels times N       each case with the median of N timed runs in microseconds, and their noise

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/benchmarks/estimate_exercises.cuh"
#include "tests/benchmarks/estimate_fit_kernels.cuh"
#include "tests/benchmarks/estimate_held_out_kernels.cuh"

namespace warplings::benchmarks {
namespace {

EstimateCases AllCases() {
  EstimateCases all;
  for (auto part : {fit::MemoryCases(), fit::ComputeCases(), held_out::MatrixCases(), held_out::ArrayCases(),
                    ExerciseMatmuls(), ExerciseArrays()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

void PrintTimes(int runs) {
  PrintDevice();
  ColdTimer timer;
  for (const EstimateCase& each : AllCases()) {
    const std::function<void()> run = each.prepare();
    for (int i = 0; i < 3; ++i) timer.Microseconds(run);
    std::vector<double> times;
    for (int i = 0; i < runs; ++i) times.push_back(timer.Microseconds(run));
    CHECK(cudaGetLastError());
    std::sort(times.begin(), times.end());
    const double median = times[times.size() / 2];
    // The middle half of the runs lies within this share of the median.
    const double spread = (times[times.size() * 3 / 4] - times[times.size() / 4]) / median;
    std::printf("time %s %.3f %.4f\n", each.name.c_str(), median, spread);
    std::fflush(stdout);
  }
}

int Run(const std::string& name) {
  bool found = false;
  for (const EstimateCase& each : AllCases()) {
    if (each.name != name && name != "all") continue;
    each.prepare()();
    CHECK(cudaDeviceSynchronize());
    found = true;
  }
  if (!found) std::fprintf(stderr, "no case %s\n", name.c_str());
  return found ? 0 : 2;
}

}  // namespace
}  // namespace warplings::benchmarks

int main(int count, char** words) {
  using namespace warplings::benchmarks;
  const std::string what = count > 1 ? words[1] : "";
  if (what == "run" && count > 2) return Run(words[2]);
  if (what == "times" && count > 2) {
    PrintTimes(std::max(1, std::atoi(words[2])));
    return 0;
  }
  for (const EstimateCase& each : AllCases())
    std::printf("case %s %s\n", each.name.c_str(), each.role == Role::kFit ? "fit" : "held-out");
  return what == "list" ? 0 : 2;
}
