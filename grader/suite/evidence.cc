// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/evidence.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "grader/messages/calls.h"
#include "grader/messages/findings.h"
#include "grader/messages/refusals.h"

namespace warplings {
namespace {

/// Arrivals of warps at the barriers of a source line, in all launches.
std::map<int, std::uint64_t> ArrivalsByLine(std::span<const LaunchRecord> launches) {
  std::map<int, std::uint64_t> arrivals;
  for (const LaunchRecord& launch : launches) {
    for (const LineCounts& line : launch.lines) {
      if (line.counts.barriers > 0) arrivals[line.where.line] += line.counts.barriers;
    }
  }
  return arrivals;
}

/// How often warps arrive at the barrier that runs most often: of those between two lines, and of all.
struct MostArrivals {
  std::uint64_t between = 0, anywhere = 0;
};

MostArrivals ArrivalsBetween(int first, int last, std::span<const LaunchRecord> launches) {
  MostArrivals most;
  for (const auto& [line, arrivals] : ArrivalsByLine(launches)) {
    most.anywhere = std::max(most.anywhere, arrivals);
    if (line > first && line < last) most.between = std::max(most.between, arrivals);
  }
  return most;
}

RaceBarrier BarrierOfRace(const Finding& finding, std::span<const LaunchRecord> launches) {
  const auto [store, read] = LinesOfRace(finding);
  if (store == read) return RaceBarrier::kUnknown;
  if (store > read) return RaceBarrier::kStoreComesLast;
  const auto [between, most] = ArrivalsBetween(store, read, launches);
  return between == 0 ? RaceBarrier::kNone : between == most ? RaceBarrier::kAlways : RaceBarrier::kSometimes;
}

std::uint64_t WarpsOf(const LaunchRecord& launch) {
  constexpr std::uint64_t kLanes = 32;
  return launch.grid.Volume() * ((launch.block.Volume() + kLanes - 1) / kLanes);
}

/// Whether a barrier stands between the lines that runs as often as any other, and more than once.
bool HasBarrierOfEachPass(int first, int last, std::span<const LaunchRecord> launches) {
  std::uint64_t warps = 0;
  for (const LaunchRecord& launch : launches) warps += WarpsOf(launch);
  const auto [between, most] = ArrivalsBetween(first, last, launches);
  return between == most && between > warps;
}

/// What was observed, in "TEST: MESSAGE" and its like: a row whose first argument is the test and whose last
/// one is the message.
const Message& Observation(const Message& message) {
  const std::vector<Argument>& arguments = message.arguments();
  const bool names_test = arguments.size() > 1 && arguments.front().kind == Argument::Kind::kTest &&
                          arguments.back().kind == Argument::Kind::kMessage;
  return names_test ? Observation(arguments.back().inner.front()) : message;
}

Message& Observation(Message& message) {
  return const_cast<Message&>(Observation(std::as_const(message)));
}

}  // namespace

bool Completed(const TestResult& test) {
  return !test.launches.empty() && std::ranges::all_of(test.launches, &LaunchRecord::completed);
}

bool Returned(const TestResult& test) {
  return test.verdict < Verdict::kTimeLimit;
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
    const RaceBarrier barrier = BarrierOfRace(finding, test.launches);
    if (of_all.value_or(barrier) != barrier) return RaceBarrier::kUnknown;
    of_all = barrier;
  }
  return of_all.value_or(RaceBarrier::kUnknown);
}

RacingLines LinesOfRace(const Finding& finding) {
  if (!finding.other || finding.where.line == 0 || finding.other->line == 0) return {};
  // An atomic operation stores for what reads, and reads what is stored.
  const bool is_store = finding.access == Access::kWrite || finding.other_access == Access::kRead;
  return is_store ? RacingLines{finding.where.line, finding.other->line}
                  : RacingLines{finding.other->line, finding.where.line};
}

Message RaceOfPasses(const Finding& finding, std::span<const LaunchRecord> launches,
                     std::span<const Finding> findings) {
  const auto [store, read] = LinesOfRace(finding);
  if (!NeedsABarrier(finding) || store == read || store == 0 || read == 0) return {};
  if (!HasBarrierOfEachPass(std::min(store, read), std::max(store, read), launches)) return {};
  if (read < store) return say::race_with_earlier_pass(read, store, say::some_loop());
  const bool reads_unwritten = std::ranges::any_of(findings, [&](const Finding& each) {
    return each.kind == FindingKind::kUninitialised && each.space == MemorySpace::kShared &&
           each.where.line == read && each.kernel == finding.kernel;
  });
  return reads_unwritten ? say::race_with_later_pass(read, store, say::some_loop())
                         : say::race_with_next_pass(store, read, say::some_loop());
}

void NameRaceOfPasses(Fact& fact, const TestResult& test) {
  if (!fact.finding) return;
  const Message race = RaceOfPasses(*fact.finding, test.launches, test.findings);
  if (!race.empty()) Observation(fact.message) = race;
}

bool Refused(const Finding& finding, std::string_view reason) {
  return say::refused.Made(finding.message) && finding.message.arguments().at(1).inner.at(0).Is(reason);
}

bool HasTooManyThreads(const Finding& finding) {
  return Refused(finding, say::too_many_threads.id) || Refused(finding, say::too_many_threads_in_a_row.id);
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

Counts TotalCounts(const TestResult& test) {
  return TotalCounts(test.launches);
}

Counts TotalCounts(std::span<const LaunchRecord> launches) {
  Counts total;
  for (const LaunchRecord& launch : launches) total += launch.totals;
  return total;
}

std::size_t StreamsOf(const TestResult& test) {
  std::set<std::uint64_t> streams;
  for (const LaunchRecord& launch : test.launches) streams.insert(launch.stream);
  return streams.size();
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

Fact& AddFact(std::vector<Fact>& found, const Message& message) {
  return AddFact(found, Observation(message).id(), message);
}

Fact& AddFact(std::vector<Fact>& found, std::string id, const Message& message) {
  const auto known = std::ranges::find(found, id, &Fact::id);
  if (known != found.end()) return *known;
  found.push_back({std::move(id), message});
  return found.back();
}

void ShowFinding(Fact& fact, const TestResult& test, const std::function<bool(const Finding&)>& is_it) {
  const auto finding = std::ranges::find_if(test.findings, is_it);
  if (!fact.finding && finding != test.findings.end()) fact.finding = *finding;
}

void ShowFinding(Fact& fact, const TestResult& test, FindingKind kind) {
  ShowFinding(fact, test, [kind](const Finding& finding) { return finding.kind == kind; });
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

Fact& AddFactOf(std::vector<Fact>& found, const Message& message, const std::string& test) {
  return AddFactOf(found, Observation(message).id(), message, test);
}

Fact& AddFactOf(std::vector<Fact>& found, std::string id, const Message& message, const std::string& test) {
  Fact& fact = AddFact(found, std::move(id), message);
  fact.tests.push_back(test);
  return fact;
}

}  // namespace warplings
