// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/evidence.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <utility>

#include "grader/messages/findings.h"

namespace warplings {
namespace {

/// Arrivals of warps at the barriers of a source line, in all launches.
std::map<int, std::uint64_t> ArrivalsByLine(const TestResult& test) {
  std::map<int, std::uint64_t> arrivals;
  for (const LaunchRecord& launch : test.launches) {
    for (const LineCounts& line : launch.lines) {
      if (line.counts.barriers > 0) arrivals[line.where.line] += line.counts.barriers;
    }
  }
  return arrivals;
}

RaceBarrier BarrierOfRace(const Finding& finding, const TestResult& test) {
  if (!finding.other || finding.where.line == 0 || finding.other->line == 0) return RaceBarrier::kUnknown;
  const bool stores_here = finding.access == Access::kWrite;
  const int store = stores_here ? finding.where.line : finding.other->line;
  const int read = stores_here ? finding.other->line : finding.where.line;
  if (store == read) return RaceBarrier::kUnknown;
  if (store > read) return RaceBarrier::kStoreComesLast;
  std::uint64_t between = 0, most = 0;
  for (const auto& [line, arrivals] : ArrivalsByLine(test)) {
    most = std::max(most, arrivals);
    if (line > store && line < read) between = std::max(between, arrivals);
  }
  return between == 0 ? RaceBarrier::kNone : between == most ? RaceBarrier::kAlways : RaceBarrier::kSometimes;
}

}  // namespace

bool Completed(const TestResult& test) {
  return !test.launches.empty() && std::ranges::all_of(test.launches, &LaunchRecord::completed);
}

bool HasFinding(const TestResult& test, FindingKind kind) {
  return std::ranges::count(test.findings, kind, &Finding::kind) > 0;
}

bool HasFinding(const TestResult& test, FindingKind kind, MemorySpace space) {
  return std::ranges::any_of(
      test.findings, [&](const Finding& finding) { return finding.kind == kind && finding.space == space; });
}

bool BothStore(const Finding& finding) {
  return finding.kind == FindingKind::kRace && finding.access == Access::kWrite &&
         finding.other_access == Access::kWrite;
}

bool IsOfAsyncCopy(const Finding& finding) {
  return say::race_with_copy.Made(finding.message) || say::race_with_own_copy.Made(finding.message);
}

bool NeedsABarrier(const Finding& finding) {
  return finding.kind == FindingKind::kRace && finding.space == MemorySpace::kShared && !BothStore(finding) &&
         !IsOfAsyncCopy(finding);
}

bool ReadsTooEarlyOrStoresOver(const TestResult& test) {
  return std::ranges::any_of(test.findings, NeedsABarrier);
}

RaceBarrier BarrierOfRaces(const TestResult& test) {
  std::optional<RaceBarrier> of_all;
  for (const Finding& finding : test.findings) {
    if (!NeedsABarrier(finding)) continue;
    const RaceBarrier barrier = BarrierOfRace(finding, test);
    if (of_all.value_or(barrier) != barrier) return RaceBarrier::kUnknown;
    of_all = barrier;
  }
  return of_all.value_or(RaceBarrier::kUnknown);
}

bool Refused(const Finding& finding, std::string_view reason) {
  return say::refused.Made(finding.message) && finding.message.arguments().at(1).inner.at(0).Is(reason);
}

bool HasError(const TestResult& test) {
  return std::ranges::count(test.findings, Severity::kError, &Finding::severity) > 0;
}

std::uint64_t CountOutside(const TestResult& test, std::string_view label, Access access) {
  std::uint64_t count = 0;
  for (const Finding& finding : test.findings) {
    const bool outside = finding.kind == FindingKind::kOutOfBounds;
    if (outside && finding.object == std::string(label) && finding.access == access) count += finding.count;
  }
  return count;
}

std::string LineWithMost(const TestResult& test, std::uint64_t Counts::*count) {
  const LineCounts* most = nullptr;
  for (const LaunchRecord& launch : test.launches) {
    for (const LineCounts& line : launch.lines) {
      if (line.counts.*count > (most == nullptr ? 0 : most->counts.*count)) most = &line;
    }
  }
  return most == nullptr || most->where.line == 0 ? "" : "line " + std::to_string(most->where.line);
}

Counts TotalCounts(const TestResult& test) {
  return TotalCounts(test.launches);
}

Counts TotalCounts(std::span<const LaunchRecord> launches) {
  Counts total;
  for (const LaunchRecord& launch : launches) total += launch.totals;
  return total;
}

double ConflictsPerRequest(const Counts& counts) {
  const std::uint64_t requests = counts.shared_load_requests + counts.shared_store_requests;
  const std::uint64_t conflicts = counts.shared_load_conflicts + counts.shared_store_conflicts;
  return requests == 0 ? 0 : static_cast<double>(conflicts) / static_cast<double>(requests);
}

std::string OneDecimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

void AddRecognised(std::vector<Recognised>& found, std::string id, Message evidence) {
  if (std::ranges::count(found, id, &Recognised::id) > 0) return;
  found.push_back({std::move(id), std::move(evidence)});
}

void ShowFinding(std::vector<Recognised>& found, std::string_view id, const TestResult& test,
                 const std::function<bool(const Finding&)>& is_it) {
  const auto recognised = std::ranges::find(found, id, &Recognised::id);
  const auto finding = std::ranges::find_if(test.findings, is_it);
  if (recognised == found.end() || recognised->finding || finding == test.findings.end()) return;
  recognised->finding = *finding;
}

void ShowFinding(std::vector<Recognised>& found, std::string_view id, const TestResult& test,
                 FindingKind kind) {
  ShowFinding(found, id, test, [kind](const Finding& finding) { return finding.kind == kind; });
}

std::function<bool(const Finding&)> Outside(std::string label, Access access) {
  return [label = std::move(label), access](const Finding& finding) {
    return finding.kind == FindingKind::kOutOfBounds && finding.object == label && finding.access == access;
  };
}

std::function<bool(const Finding&)> InShared(FindingKind kind) {
  return [kind](const Finding& finding) {
    return finding.kind == kind && finding.space == MemorySpace::kShared;
  };
}

void AddRecognisedIn(std::vector<Recognised>& found, const std::string& id, const Message& evidence,
                     const std::string& test) {
  AddRecognised(found, id, evidence);
  std::ranges::find(found, id, &Recognised::id)->tests.push_back(test);
}

void KeepRecognised(std::vector<Recognised>& found, std::span<const std::string_view> ids) {
  std::erase_if(found, [ids](const Recognised& each) { return std::ranges::count(ids, each.id) == 0; });
}

}  // namespace warplings
