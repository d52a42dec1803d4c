// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/run_summary.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "grader/base/catalogue.h"
#include "grader/base/text.h"
#include "grader/messages/command_line.h"
#include "grader/timing/estimate.h"

namespace warplings {
namespace {

constexpr std::size_t kSummaryIndent = 4;

using SummaryRows = std::vector<std::vector<std::string>>;

/// AlignColumns with all columns but the first aligned at their right: they are figures.
std::string AlignFigures(SummaryRows rows) {
  for (std::size_t column = 1; column < rows.front().size(); ++column) {
    std::size_t width = 0;
    for (const auto& row : rows) width = std::max(width, DisplayWidth(row[column]));
    for (auto& row : rows) row[column].insert(0, width - DisplayWidth(row[column]), ' ');
  }
  return AlignColumns(rows, kSummaryIndent);
}

std::string FormatSeconds(double seconds) {
  const auto [factor, unit] = seconds < 1e-3 ? std::pair{1e6, " us"}
                              : seconds < 1  ? std::pair{1e3, " ms"}
                                             : std::pair{1.0, " s"};
  return say::Decimal(seconds * factor, 2).text + unit;
}

/// All launches of a kernel, whatever their dimensions.
struct KernelSum {
  std::string name;
  std::uint64_t launches = 0;
  double seconds = 0;
  bool is_estimated = true;  ///< All of them are.
};

std::vector<KernelSum> SumByKernel(std::span<const KernelProfile> kernels, std::size_t device,
                                   const DeviceProfile& card) {
  std::vector<KernelSum> sums;
  for (const KernelProfile& kernel : kernels) {
    if (kernel.device != device) continue;
    auto sum = std::ranges::find(sums, kernel.sum.kernel, &KernelSum::name);
    if (sum == sums.end()) sum = sums.insert(sums.end(), {.name = kernel.sum.kernel});
    sum->launches += kernel.launches;
    const auto estimate = timing::EstimateKernel(kernel, card);
    if (estimate) sum->seconds += estimate->seconds;
    sum->is_estimated = sum->is_estimated && estimate.has_value();
  }
  std::ranges::stable_sort(sums, std::greater(), &KernelSum::seconds);
  return sums;
}

std::string FormatKernels(const std::vector<KernelSum>& kernels, const DeviceProfile& card) {
  double all_seconds = 0;
  bool is_complete = true;
  for (const KernelSum& kernel : kernels) {
    all_seconds += kernel.seconds;
    is_complete = is_complete && kernel.is_estimated;
  }
  SummaryRows rows = {{Words(say::summary_kernel()), Words(say::summary_launches()),
                       Words(say::summary_total()), Words(say::summary_mean()), Words(say::summary_share())}};
  for (const KernelSum& kernel : kernels) {
    std::vector<std::string> times(3, "-");
    if (kernel.is_estimated) {
      times[0] = FormatSeconds(kernel.seconds);
      times[1] = FormatSeconds(kernel.seconds / static_cast<double>(kernel.launches));
      // A share of what is not known is none.
      if (is_complete) times[2] = say::Decimal(100 * kernel.seconds / all_seconds, 1).text + " %";
    }
    rows.push_back({kernel.name, WithThousands(kernel.launches), times[0], times[1], times[2]});
  }
  std::string text = Words(say::summary_kernels(card.name)) + "\n" + AlignFigures(std::move(rows));
  if (!is_complete) text += std::string(kSummaryIndent, ' ') + Words(say::summary_lacks_estimate()) + "\n";
  return text;
}

std::string FormatCopies(const protocol::DeviceUse& use) {
  SummaryRows rows = {
      {Words(say::summary_copies()), Words(say::summary_number()), Words(say::summary_bytes())}};
  const auto add = [&](const Message& name, const protocol::Amount& amount) {
    if (amount.count > 0)
      rows.push_back({Words(name), WithThousands(amount.count), WithThousands(amount.bytes)});
  };
  add(say::summary_to_device(), use.to_device);
  add(say::summary_to_host(), use.to_host);
  add(say::summary_within_device(), use.within);
  add(say::summary_fills(), use.fills);
  return rows.size() == 1 ? "" : AlignFigures(std::move(rows));
}

std::string FormatMemory(const protocol::DeviceUse& use) {
  if (use.allocations == 0) return "";
  const auto made = say::Count(use.allocations, "allocation"), most = say::Count(use.most_bytes, "byte");
  if (use.never_freed.count == 0) return Words(say::summary_memory_freed(made, most)) + "\n";
  return Words(say::summary_memory(made, most, say::Number(use.never_freed.count),
                                   say::Count(use.never_freed.bytes, "byte"))) +
         "\n";
}

}  // namespace

std::string FormatRunSummary(std::span<const KernelProfile> kernels,
                             std::span<const protocol::DeviceUse> uses,
                             std::span<const DeviceProfile> cards) {
  std::string text;
  for (std::size_t device = 0; device < cards.size(); ++device) {
    const auto sums = SumByKernel(kernels, device, cards[device]);
    std::vector<std::string> parts;
    if (!sums.empty()) parts.push_back(FormatKernels(sums, cards[device]));
    if (device < uses.size()) {
      parts.push_back(FormatCopies(uses[device]));
      parts.push_back(FormatMemory(uses[device]));
    }
    for (const std::string& part : parts) {
      if (!part.empty()) text += "\n" + part;
    }
  }
  return text;
}

}  // namespace warplings
