// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/ncu_log.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <vector>

#include "grader/messages/device.h"

namespace warplings::cuda_gpu {
namespace {

constexpr std::array kCounts = {
    NcuCount{"global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    NcuCount{"global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    NcuCount{"global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
    NcuCount{"global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    NcuCount{"shared_load_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    NcuCount{"shared_load_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
    NcuCount{"shared_store_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    NcuCount{"shared_store_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
};

/// The cells of one line: all of them stand in quotes, and a quote inside is doubled.
std::vector<std::string> Cells(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      const bool doubled = quoted && i + 1 < line.size() && line[i + 1] == '"';
      if (doubled) cells.back() += line[++i];
      if (!doubled) quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      cells.emplace_back();
    } else if (line[i] != '\r') {
      cells.back() += line[i];
    }
  }
  return cells;
}

/// "1,234" and "1234" alike.
std::optional<double> Number(std::string text) {
  std::erase(text, ',');
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return std::nullopt;
  return value;
}

}  // namespace

std::span<const NcuCount> NcuCounts() {
  return kCounts;
}

std::string NcuMetrics() {
  std::string all;
  for (const NcuCount& each : kCounts) all += (all.empty() ? "" : ",") + std::string(each.metrics);
  return all;
}

Status AddNcuLog(std::string_view log, NcuSums& sums) {
  std::vector<std::string> header;
  std::size_t name = 0;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    const std::string_view line = log.substr(0, end);
    log.remove_prefix(std::min(end + 1, log.size()));
    if (line.starts_with("==ERROR==")) {
      return GraderError(say::ncu_says(std::string(line.substr(std::min<std::size_t>(line.size(), 10)))),
                         say::see_page_on_counters());
    }
    if (!line.starts_with('"')) continue;
    const std::vector<std::string> cells = Cells(line);
    if (header.empty()) {
      header = cells;
      name = static_cast<std::size_t>(std::ranges::find(header, "Kernel Name") - header.begin());
      continue;
    }
    if (name >= cells.size() || cells.size() != header.size()) continue;
    for (std::size_t i = name + 1; i < cells.size(); ++i) {
      if (header[i].find("__") == std::string::npos) continue;
      // The line of units has none.
      if (const auto value = Number(cells[i]); value && !cells[name].empty())
        sums[cells[name]][header[i]] += *value;
    }
  }
  return Unit{};
}

}  // namespace warplings::cuda_gpu
