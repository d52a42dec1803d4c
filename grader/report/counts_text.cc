// SPDX-License-Identifier: Apache-2.0
#include "grader/report/counts_text.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <set>
#include <string_view>

#include "grader/base/catalogue.h"
#include "grader/base/text.h"
#include "grader/core/count_names.h"
#include "grader/messages/device_work.h"
#include "grader/messages/report.h"
#include "grader/report/result_words.h"

namespace warplings {
namespace {

std::uint64_t Work(const TestResult& test) {
  std::uint64_t instructions = 0;
  for (const LaunchRecord& launch : test.launches) instructions += launch.totals.thread_instructions;
  return instructions;
}

say::Decimal Ratio(std::uint64_t part, std::uint64_t whole) {
  return {whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole), 2};
}

std::string Extent(const Dim3& extent) {
  return std::to_string(extent.x) + " x " + std::to_string(extent.y) +
         (extent.z == 1 ? "" : " x " + std::to_string(extent.z));
}

Message ResourceLine(const KernelResources& kernel) {
  const say::Count registers(kernel.registers, "register"), shared(kernel.shared_bytes, "byte");
  if (kernel.local_bytes == 0) return say::kernel_resources(kernel.kernel, registers, shared);
  return say::kernel_resources_with_local(kernel.kernel, registers, shared,
                                          say::Count(kernel.local_bytes, "byte"));
}

Message LaunchLine(const LaunchRecord& launch, bool has_occupancy) {
  Message line = say::launch_shape(launch.kernel, Extent(launch.grid), Extent(launch.block));
  if (launch.dynamic_shared_bytes > 0)
    line = say::with_dynamic_shared(line, say::Count(launch.dynamic_shared_bytes, "byte"));
  if (has_occupancy && launch.blocks_per_sm > 0) {
    // Five blocks of eight warps are 62.5 % of an SM, and starters and handouts say so: three digits are
    // enough.
    char percent[16];
    std::snprintf(percent, sizeof percent, "%.3g", launch.occupancy * 100);
    line = say::with_occupancy(line, percent, say::Count(launch.blocks_per_sm, "block"));
  }
  return launch.completed ? line : say::stopped_before_end(line);
}

Message InstructionLine(const Counts& counts) {
  if (counts.thread_instructions == 1) return say::one_instruction(counts.warp_instructions);
  return say::instructions(counts.thread_instructions, counts.warp_instructions);
}

/// The names of the counts to show, in a form that is quick to ask.
class ShownCounts {
 public:
  explicit ShownCounts(std::span<const std::string> names) : names_(names.begin(), names.end()) {}
  static ShownCounts All() {
    ShownCounts all{{}};
    all.names_.insert(kCountNames.begin(), kCountNames.end());
    return all;
  }
  bool Has(std::string_view name) const { return names_.contains(name); }

 private:
  std::set<std::string, std::less<>> names_;
};

/// PTX-level counts; a request is one warp's execution of one memory instruction.
std::vector<Message> CountLines(const Counts& counts, const ShownCounts& shown) {
  std::vector<Message> lines;
  if (shown.Has("instructions")) lines.push_back(InstructionLine(counts));
  const auto requests_of = [](std::uint64_t requests) { return say::Count(requests, "request"); };
  const auto add_global = [&](const char* name, const auto& row, std::uint64_t sectors,
                              std::uint64_t requests) {
    if (requests == 0 || !shown.Has(name)) return;
    lines.push_back(row(say::Count(sectors, "sector"), requests_of(requests), Ratio(sectors, requests)));
  };
  const auto add_shared = [&](const char* name, const auto& row, std::uint64_t wavefronts,
                              std::uint64_t conflicts, std::uint64_t requests) {
    if (requests == 0 || !shown.Has(name)) return;
    lines.push_back(row(Ratio(wavefronts, requests), Ratio(conflicts, requests), requests_of(requests)));
  };
  add_global("global_loads", say::global_loads, counts.global_load_sectors, counts.global_load_requests);
  add_global("global_stores", say::global_stores, counts.global_store_sectors, counts.global_store_requests);
  add_shared("shared_loads", say::shared_loads, counts.shared_load_wavefronts, counts.shared_load_conflicts,
             counts.shared_load_requests);
  add_shared("shared_stores", say::shared_stores, counts.shared_store_wavefronts,
             counts.shared_store_conflicts, counts.shared_store_requests);
  const auto add_atomics = [&](const char* name, const auto& row, std::uint64_t passes,
                               std::uint64_t requests) {
    if (requests > 0 && shown.Has(name)) lines.push_back(row(Ratio(passes, requests), requests_of(requests)));
  };
  add_atomics("global_atomics", say::global_atomics, counts.global_atomic_passes,
              counts.global_atomic_requests);
  add_atomics("shared_atomics", say::shared_atomics, counts.shared_atomic_passes,
              counts.shared_atomic_requests);
  return lines;
}

std::vector<Message> LinesOfKernels(const std::vector<KernelResources>& resources, const TestResult* test,
                                    const ShownCounts& shown) {
  std::vector<Message> lines;
  if (shown.Has("registers")) {
    for (const KernelResources& kernel : resources) lines.push_back(ResourceLine(kernel));
  }
  if (test == nullptr) return lines;
  for (const LaunchRecord& launch : test->launches) {
    const std::vector<Message> counts = CountLines(launch.totals, shown);
    const bool has_occupancy = shown.Has("occupancy");
    if (shown.Has("launch") || has_occupancy || (test->launches.size() > 1 && !counts.empty()))
      lines.push_back(LaunchLine(launch, has_occupancy));
    lines.insert(lines.end(), counts.begin(), counts.end());
  }
  return lines;
}

}  // namespace

bool IsLaunchLine(const Message& line) {
  if (say::launch_shape.Made(line)) return true;
  return (say::with_dynamic_shared.Made(line) || say::with_occupancy.Made(line) ||
          say::stopped_before_end.Made(line)) &&
         IsLaunchLine(line.arguments().at(0).inner.at(0));
}

const TestResult& CallOfLimit(const std::vector<TestResult>& tests, const TestResult& test) {
  const Message* title = say::TestOfLimit(test.reason);
  if (title == nullptr) return test;
  const auto call = std::ranges::find_if(
      tests, [&](const TestResult& each) { return each.title == *title && !each.launches.empty(); });
  return call == tests.end() ? test : *call;
}

const TestResult* TestToCount(const std::vector<TestResult>& tests) {
  const auto failed = std::ranges::find_if(tests, MissesARequirement);
  if (failed != tests.end()) {
    const TestResult& call = CallOfLimit(tests, *failed);
    if (!call.launches.empty()) return &call;
  }
  const TestResult* most = nullptr;
  for (const TestResult& test : tests) {
    if (!test.launches.empty() && (most == nullptr || Work(test) > Work(*most))) most = &test;
  }
  return most;
}

std::vector<Message> KernelLines(const std::vector<KernelResources>& resources, const TestResult* test) {
  return LinesOfKernels(resources, test, ShownCounts::All());
}

std::vector<Message> KernelLines(const std::vector<KernelResources>& resources, const TestResult* test,
                                 std::span<const std::string> shown) {
  return LinesOfKernels(resources, test, ShownCounts(shown));
}

std::vector<std::vector<std::string>> LineCountRows(const TestResult& test, const SourceQuotes& quotes) {
  std::vector<std::vector<std::string>> rows(1);
  for (const char* header : {"line", "instructions", "sectors", "wavefronts", "conflicts", "source"})
    rows.front().push_back(Translated(header));
  for (const LaunchRecord& launch : test.launches) {
    for (const LineCounts& line : launch.lines) {
      const Counts& c = line.counts;
      rows.push_back({std::to_string(line.where.line), WithThousands(c.thread_instructions),
                      WithThousands(c.global_load_sectors + c.global_store_sectors + c.global_atomic_sectors),
                      WithThousands(c.shared_load_wavefronts + c.shared_store_wavefronts),
                      WithThousands(c.shared_load_conflicts + c.shared_store_conflicts),
                      quotes.Line(line.where)});
    }
  }
  return rows;
}

}  // namespace warplings
