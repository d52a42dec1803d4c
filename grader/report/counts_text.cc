// SPDX-License-Identifier: Apache-2.0
#include "grader/report/counts_text.h"

#include <algorithm>
#include <cstdio>

#include "grader/base/text.h"

namespace warplings {
namespace {

std::uint64_t Work(const TestResult& test) {
  std::uint64_t instructions = 0;
  for (const LaunchRecord& launch : test.launches) instructions += launch.totals.thread_instructions;
  return instructions;
}

std::string Ratio(std::uint64_t part, std::uint64_t whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f",
                whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

std::string Extent(const Dim3& extent) {
  return std::to_string(extent.x) + " x " + std::to_string(extent.y) +
         (extent.z == 1 ? "" : " x " + std::to_string(extent.z));
}

std::string ResourceLine(const KernelResources& kernel) {
  std::string line = Printable(kernel.kernel) + ": " + Counted(kernel.registers, "register") + " a thread, " +
                     Counted(kernel.shared_bytes, "byte") + " of shared memory a block (ptxas)";
  if (kernel.local_bytes > 0)
    line += ", " + Counted(kernel.local_bytes, "byte") + " of local memory a thread";
  return line;
}

std::string LaunchLine(const LaunchRecord& launch) {
  std::string line =
      Printable(launch.kernel) + ": grid " + Extent(launch.grid) + ", block " + Extent(launch.block);
  if (launch.dynamic_shared_bytes > 0) {
    line += ", " + Counted(launch.dynamic_shared_bytes, "byte") + " of dynamic shared memory";
  }
  if (launch.blocks_per_sm > 0) {
    // Five blocks of eight warps are 62.5 % of an SM, and starters and handouts say so: three digits are
    // enough.
    char percent[16];
    std::snprintf(percent, sizeof percent, "%.3g", launch.occupancy * 100);
    line +=
        ", occupancy " + std::string(percent) + " % (" + Counted(launch.blocks_per_sm, "block") + " an SM)";
  }
  if (!launch.completed) line += ", stopped before its end";
  return line;
}

/// PTX-level counts; a request is one warp's execution of one memory instruction.
std::vector<std::string> CountLines(const Counts& counts) {
  std::vector<std::string> lines = {Counted(counts.thread_instructions, "instruction") + " of threads, " +
                                    WithThousands(counts.warp_instructions) + " of warps"};
  const auto add_global = [&](const char* what, std::uint64_t sectors, std::uint64_t requests) {
    if (requests == 0) return;
    lines.push_back(std::string("global ") + what + ": " + Counted(sectors, "sector") + " in " +
                    Counted(requests, "request") + ", " + Ratio(sectors, requests) + " a request");
  };
  const auto add_shared = [&](const char* what, std::uint64_t wavefronts, std::uint64_t conflicts,
                              std::uint64_t requests) {
    if (requests == 0) return;
    lines.push_back(std::string("shared ") + what + ": " + Ratio(wavefronts, requests) + " wavefronts and " +
                    Ratio(conflicts, requests) + " bank conflicts a request, " +
                    Counted(requests, "request"));
  };
  add_global("loads", counts.global_load_sectors, counts.global_load_requests);
  add_global("stores", counts.global_store_sectors, counts.global_store_requests);
  add_shared("loads", counts.shared_load_wavefronts, counts.shared_load_conflicts,
             counts.shared_load_requests);
  add_shared("stores", counts.shared_store_wavefronts, counts.shared_store_conflicts,
             counts.shared_store_requests);
  const auto add_atomics = [&](const char* where, std::uint64_t passes, std::uint64_t requests) {
    if (requests == 0) return;
    lines.push_back(std::string(where) + " atomics: " + Ratio(passes, requests) + " passes a request, " +
                    Counted(requests, "request"));
  };
  add_atomics("global", counts.global_atomic_passes, counts.global_atomic_requests);
  add_atomics("shared", counts.shared_atomic_passes, counts.shared_atomic_requests);
  return lines;
}

}  // namespace

const TestResult* TestWithMostWork(const std::vector<TestResult>& tests) {
  const TestResult* most = nullptr;
  for (const TestResult& test : tests) {
    if (!test.launches.empty() && (most == nullptr || Work(test) > Work(*most))) most = &test;
  }
  return most;
}

std::vector<std::string> KernelLines(const std::vector<KernelResources>& resources, const TestResult* test) {
  std::vector<std::string> lines;
  for (const KernelResources& kernel : resources) lines.push_back(ResourceLine(kernel));
  if (test == nullptr) return lines;
  for (const LaunchRecord& launch : test->launches) {
    lines.push_back(LaunchLine(launch));
    for (const std::string& line : CountLines(launch.totals)) lines.push_back(line);
  }
  return lines;
}

std::vector<std::vector<std::string>> LineCountRows(const TestResult& test, const SourceQuotes& quotes) {
  std::vector<std::vector<std::string>> rows = {
      {"line", "instructions", "sectors", "wavefronts", "conflicts", "source"}};
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
