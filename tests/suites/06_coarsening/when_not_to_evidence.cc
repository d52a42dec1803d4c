// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/06_coarsening/when_not_to_evidence.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/suite/comparison.h"
#include "grader/suite/evidence.h"
#include "tests/suites/06_coarsening/messages.h"
#include "tests/suites/common/element_groups.h"

namespace warplings::when_not_to {
namespace {

using All = std::span<const Evidence>;
using Found = std::vector<Fact>;

Message In(const Evidence& e, const Message& what) {
  return say::when_not_to_evidence(e.test, e.length, e.coarse_factor, what);
}

/// Threads' elements behind the end when only the first one of each thread is checked.
std::uint64_t UnguardedReads(const Evidence& e) {
  const int threads = static_cast<int>(e.result.launches.front().block.x);
  std::uint64_t count = 0;
  for (int first = 0; first < e.length; ++first) {
    if (first % (threads * e.coarse_factor) >= threads) continue;
    for (int c = 0; c < e.coarse_factor; ++c) count += first + c * threads >= e.length;
  }
  return count;
}

void FindUnguarded(All all, Found& found) {
  const Evidence* seen = nullptr;
  for (const Evidence& e : all) {
    if (!Completed(e.result)) continue;
    const std::uint64_t outside = CountOutside(e.result, "A", Access::kRead);
    if (outside != UnguardedReads(e)) return;
    if (seen == nullptr && outside > 0) seen = &e;
  }
  if (seen == nullptr) return;
  Fact& fact = AddFact(
      found, In(*seen, say::when_not_to_reads_behind(CountOutside(seen->result, "A", Access::kRead))));
  ShowFinding(fact, seen->result, Outside("A", Access::kRead));
}

bool LacksTail(const Evidence& e) {
  const int segment = static_cast<int>(e.result.launches.front().block.x) * e.coarse_factor;
  const int covered = e.length / segment * segment;
  for (int i = 0; i < e.length; ++i) {
    if (IsPoison(e.c[static_cast<std::size_t>(i)]) != (i >= covered)) return false;
  }
  return true;
}

void FindDroppedTail(All all, Found& found) {
  const Evidence* seen = nullptr;
  for (const Evidence& e : all) {
    if (!Completed(e.result) || e.c.empty()) continue;
    if (!LacksTail(e)) return;
    if (seen == nullptr && std::ranges::any_of(e.c, IsPoison)) seen = &e;
  }
  if (seen == nullptr) return;
  AddFact(found, In(*seen, say::when_not_to_tail_dropped()));
}

void FindByCounts(All all, Found& found) {
  for (const Evidence& e : all) {
    if (e.length < kCountedLength || e.coarse_factor != kCountedFactor) continue;
    const std::uint64_t threads = Threads(e.result), sectors = Sectors(e.result);
    const Counts counts = TotalCounts(e.result);
    // What lies side by side and is loaded by two kernels is another mistake.
    const bool lie_apart = 32 * sectors >= 2 * (counts.global_load_bytes + counts.global_store_bytes);
    if (threads >= static_cast<std::uint64_t>(e.length)) {
      AddFact(found, In(e, say::when_not_to_many_threads(threads)));
    } else if (sectors >= 2 * SectorsNeeded(e.length) && lie_apart) {
      AddFact(found, In(e, say::when_not_to_many_sectors(sectors)));
    }
  }
}

/// The test of a question.
std::string TestOf(std::string_view question) {
  return question == "sectors_per_1024_elements" ? "QuestionOfSectors" : "QuestionOfIdleMultiprocessors";
}

void FindInAnswers(const Answers& answers, Found& found) {
  const auto name = [&](const std::optional<double>& answer, double value, const char* id,
                        const char* question) {
    if (answer == value)
      AddFactOf(found, id, say::when_not_to_number(question, static_cast<int>(value)), TestOf(question));
  };
  constexpr const char *kSectors = "sectors_per_1024_elements", *kIdle = "idle_multiprocessors";
  name(answers.sectors_per_1024_elements, kSectorsPer1024 / 3 * 2, "stores_forgotten", kSectors);
  name(answers.sectors_per_1024_elements, 3 * 1024, "sector_for_each_element", kSectors);
  // Nobody can tell these two apart by the number.
  constexpr double kQuarter = kSectorsPer1024 / kCountedFactor;
  if (answers.sectors_per_1024_elements == kQuarter) {
    AddFactOf(found, say::when_not_to_quarter(kSectors, static_cast<int>(kQuarter)), TestOf(kSectors));
  }
  name(answers.idle_multiprocessors, 32, "busy_for_idle", kIdle);
  name(answers.idle_multiprocessors, 0, "blocks_without_factor", kIdle);
  // What else a number is the count of.
  const auto counts = [&](const std::optional<double>& answer, double value, const char* question,
                          const Message& what) {
    if (answer != value) return;
    AddFactOf(found, say::when_not_to_number_counts(question, static_cast<int>(value), what),
              TestOf(question));
  };
  constexpr double kBytes = 3 * 1024 * 4, kMultiprocessors = 108, kBlocks = 65536 / 256 / 8;
  counts(answers.sectors_per_1024_elements, kBytes, kSectors, say::when_not_to_counts_bytes());
  counts(answers.sectors_per_1024_elements, kSectorsPer1024 / 3, kSectors,
         say::when_not_to_counts_one_array());
  counts(answers.sectors_per_1024_elements, kSectorsPer1024 * kCountedFactor, kSectors,
         say::when_not_to_counts_own_neighbours());
  counts(answers.sectors_per_1024_elements, kSectorsPer1024 * 64, kSectors,
         say::when_not_to_counts_all_elements(65536));
  counts(answers.sectors_per_1024_elements, 12, kSectors, say::when_not_to_counts_one_warp());
  counts(answers.sectors_per_1024_elements, kSectorsPer1024 / 3 * 4, kSectors,
         say::when_not_to_counts_c_twice());
  counts(answers.idle_multiprocessors, kMultiprocessors - kBlocks / 2, kIdle,
         say::when_not_to_counts_two_blocks());
  counts(answers.idle_multiprocessors, kMultiprocessors - kBlocks - 1, kIdle,
         say::when_not_to_counts_one_block_more());
  counts(answers.idle_multiprocessors, kMultiprocessors - kBlocks / 8, kIdle,
         say::when_not_to_counts_filled());
  counts(answers.idle_multiprocessors, kMultiprocessors - 1, kIdle,
         say::when_not_to_counts_one_multiprocessor());
  counts(answers.idle_multiprocessors, kMultiprocessors - 2 * kBlocks, kIdle,
         say::when_not_to_counts_factor_4());
  for (const char* price : {"redundant_loads", "barriers", "divergence"}) {
    if (answers.price == price) {
      AddFactOf(found, say::when_not_to_word("price", price), "QuestionOfThePrice");
    }
  }
}

/// How elements are taken together with this coarse_factor.
using GroupsOfFactor = std::function<ElementGroups(std::size_t factor)>;

/// The shortest test with an element that is left out, where all tests leave out just these.
const Evidence* AllLeaveOut(All all, const GroupsOfFactor& groups_of) {
  const Evidence* shortest = nullptr;
  for (const Evidence& e : all) {
    if (!Completed(e.result) || e.c.empty()) continue;
    const ElementGroups groups = groups_of(static_cast<std::size_t>(e.coarse_factor));
    for (std::size_t i = 0; i < e.c.size(); ++i) {
      const bool is_left_out = groups.LeavesOut(i, e.c.size());
      if (IsPoison(e.c[i]) != is_left_out || e.is_wrong[i] != is_left_out) return nullptr;
    }
    const bool is_shorter = shortest == nullptr || e.length < shortest->length;
    if (std::ranges::count(e.is_wrong, true) > 0 && is_shorter) shortest = &e;
  }
  return shortest;
}

/// What is said where elements are left out so; empty where they are not.
Message LeftOutSo(All all, const GroupsOfFactor& groups_of) {
  const Evidence* e = AllLeaveOut(all, groups_of);
  if (e == nullptr) return {};
  const ElementGroups groups = groups_of(static_cast<std::size_t>(e->coarse_factor));
  const auto first = static_cast<std::size_t>(std::ranges::find(e->is_wrong, true) - e->is_wrong.begin());
  const auto name = [](std::size_t i) { return "C[" + std::to_string(i) + "]"; };
  const std::string left_out = name(first), absent = name(groups.LastOf(first));
  const Message call = say::when_not_to_call({e->length, "element"}, e->coarse_factor);
  if (groups.stride == 1) return say::elements_left_out_neighbours(groups.size, call, left_out, absent);
  const auto& row = groups.keeps_first ? say::elements_left_out_but_first : say::elements_left_out_apart;
  return row(groups.size, groups.stride, call, left_out, absent);
}

}  // namespace

Message ElementsLeftOut(All all) {
  constexpr std::size_t kLanes = 32, kVector = 4;
  std::vector<GroupsOfFactor> ways = {
      [](std::size_t factor) { return ElementGroups{.size = factor}; },
      [](std::size_t factor) { return ElementGroups{.size = kLanes * factor}; },
      [](std::size_t) { return ElementGroups{.size = kVector}; },
      [](std::size_t factor) { return ElementGroups{.size = factor % kVector == 0 ? kVector : 1}; }};
  for (const std::size_t stride : {kLanes, std::size_t{kBlockSize}}) {
    for (const bool keeps_first : {false, true})
      ways.emplace_back([=](std::size_t factor) { return ElementGroups{factor, stride, keeps_first}; });
  }
  std::vector<Message> found;
  for (const GroupsOfFactor& way : ways) {
    if (Message left_out = LeftOutSo(all, way); !left_out.empty()) found.push_back(std::move(left_out));
  }
  return found.size() == 1 ? found.front() : Message();
}

std::uint64_t Sectors(const TestResult& result) {
  const Counts counts = TotalCounts(result);
  return counts.global_load_sectors + counts.global_store_sectors;
}

std::uint64_t Threads(const TestResult& result) {
  std::uint64_t threads = 0;
  for (const LaunchRecord& launch : result.launches) threads += launch.grid.Volume() * launch.block.Volume();
  return threads;
}

std::uint64_t Blocks(const TestResult& result) {
  std::uint64_t blocks = 0;
  for (const LaunchRecord& launch : result.launches) blocks += launch.grid.Volume();
  return blocks;
}

std::uint64_t SectorsNeeded(int length) {
  return 3 * ((static_cast<std::uint64_t>(length) + 7) / 8);
}

std::uint64_t SectorsAllowed(int length) {
  return SectorsNeeded(length) + 32;
}

std::uint64_t BlocksNeeded(int length, int coarse_factor) {
  const auto segment = static_cast<std::uint64_t>(kBlockSize * coarse_factor);
  return (static_cast<std::uint64_t>(length) + segment - 1) / segment;
}

std::uint64_t BlocksAllowed(int length, int coarse_factor) {
  return BlocksNeeded(length, coarse_factor) + 4;
}

std::vector<Fact> FactsOf(All all, const Answers& answers) {
  Found found;
  FindUnguarded(all, found);
  if (found.empty()) FindDroppedTail(all, found);
  const bool right = std::ranges::all_of(all, [](const Evidence& e) {
    return Completed(e.result) && e.result.wrong_count == 0 && !HasError(e.result);
  });
  if (right) FindByCounts(all, found);
  // The questions are about code that is right: where nobody knows what is wrong with it, its tests' own
  // advice comes first, and the questions have a line each.
  const bool all_passed =
      std::ranges::all_of(all, [](const Evidence& e) { return e.result.verdict == Verdict::kPassed; });
  if (all_passed || !found.empty()) FindInAnswers(answers, found);
  return found;
}

}  // namespace warplings::when_not_to
