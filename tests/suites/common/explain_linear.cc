// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/common/explain_linear.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "grader/messages/joining.h"
#include "grader/messages/product_facts.h"
#include "grader/suite/evidence.h"
#include "grader/suite/product_formula.h"
#include "tests/suites/common/messages.h"

namespace warplings {
namespace {

constexpr std::uint64_t kLinearBudget = 2'000'000;
/// Inputs of a sum that are longer are halved, which tells ranges of them in few calls.
constexpr std::size_t kLong = 480;
/// Enough to look at some 2,800 elements one by one.
constexpr ProbeLimits kLinearLimits{.calls = 480};

class LinearCaller {
 public:
  explicit LinearCaller(const LinearProbe& probe) : probe_(probe) {}

  std::optional<ProbeAnswer> operator()(const ProbeMemory& a, const ProbeMemory&,
                                        std::span<const float> before) const {
    const std::vector<float> output(before.begin(), before.end());
    std::vector<CallArray> arrays = {Array(probe_.contract.input, a.values),
                                     Array(probe_.contract.output, output)};
    arrays.back().role = CallArray::Role::kInOut;
    arrays.insert(arrays.end(), probe_.kept.begin(), probe_.kept.end());
    const CallReport report = Session().Probe(
        std::move(arrays), kLinearBudget, [&](Worker& worker, std::span<const DevicePointer> at) {
          return probe_.entry(worker, at[0] + ProbeMemory::kFront * sizeof(float), at[1], at.subspan(2));
        });
    const bool broke_off = report.verdict == Verdict::kTimeLimit || report.unclean;
    if (broke_off || report.contents.size() != 2 + probe_.kept.size()) return std::nullopt;
    launches_ = report.launches;
    const bool holds_unwritten = std::ranges::find(a.values, kUnwritten) != a.values.end() ||
                                 std::ranges::find(before, kUnwritten) != before.end();
    return ProbeAnswer(Values(report.contents[1], holds_unwritten), TotalCounts(launches_).warp_instructions);
  }

  /// Of the last call that ran to its end.
  const std::vector<LaunchRecord>& launches() const { return launches_; }

 private:
  CallArray Array(const std::string& label, const std::vector<float>& values) const {
    if (!probe_.is_of_integers) return InputArray(label, values, OtherElements::AnyValue());
    std::vector<int> integers;
    for (const float value : values) integers.push_back(static_cast<int>(value));
    return InputArray(label, integers, OtherElements::AnyValue());
  }

  /// What an int in shared memory holds that no thread has written.
  static constexpr float kUnwritten = -1;

  /// `holds_unwritten`: the call was given this number, too.
  std::vector<float> Values(const std::vector<std::byte>& bytes, bool holds_unwritten) const {
    if (!probe_.is_of_integers) return ValuesOf<float>(bytes);
    std::vector<float> values;
    // As among floats, what is unwritten is no number that could be explained. The first call's numbers are
    // all above 0, so that it shows there.
    for (const int integer : ValuesOf<int>(bytes)) {
      const auto value = static_cast<float>(integer);
      values.push_back(value == kUnwritten && !holds_unwritten ? std::numeric_limits<float>::quiet_NaN()
                                                               : value);
    }
    return values;
  }

  const LinearProbe& probe_;
  mutable std::vector<LaunchRecord> launches_;
};

bool IsRightOnce(const LinearProbe& probe) {
  RandomValues random(11);
  ProbeMemory a(probe.contract.input_count, 0);
  for (std::size_t i = 0; i < a.count; ++i) {
    a.At(static_cast<ElementIndex>(i)) = static_cast<float>(1 + random.Below(50));
  }
  const auto output = LinearCaller(probe)(a, a, std::vector<float>(probe.output_count, -1));
  if (!output) return true;
  for (std::size_t e = 0; e < probe.output_count; ++e) {
    float sum = 0;
    for (const ElementIndex index : probe.contract.right(e)) sum += a.At(index);
    if (output->values[e] != sum) return false;
  }
  return true;
}

/// The advice is empty where there are no facts.
struct LinearAnswer {
  Explanation explanation;
  Message advice;
};

LinearAnswer Explain(const LinearProbe& probe) {
  const LinearCaller caller(probe);
  const std::size_t count = probe.contract.input_count;
  if (probe.output_count == 1 && count > kLong) {
    Explanation explanation;
    explanation.call = probe.contract.call;
    const std::vector<CountedRange> counts = ProbeCounts(std::ref(caller), count, kLinearLimits);
    const std::uint64_t bytes = TotalCounts(caller.launches()).global_load_bytes;
    const std::vector<LaunchRecord>& launches = caller.launches();
    const std::uint64_t blocks = launches.size() == 1 ? launches.front().grid.Volume() : 0;
    explanation.facts = FactsOfCounts(probe.contract.input, counts, bytes / sizeof(float), blocks);
    const std::vector<Message>& facts = explanation.facts;
    if (!facts.empty()) return {explanation, say::with_call(explanation.call, AdviceFrom(facts))};
  }
  const ProbeResult probed = ProbeLinear(std::ref(caller), count, probe.output_count, kLinearLimits);
  LinearContract contract = probe.contract;
  contract.loads_all = TotalCounts(caller.launches()).global_load_bytes >= count * sizeof(float);
  Explanation explanation = ExplainLinear(contract, probed, KeepsOutputMaps());
  if (explanation.facts.empty()) return {explanation, {}};
  std::vector<Message> own;
  if (caller.launches().empty())
    own = {say::nothing_launched_at_all()};
  else if (probe.own_facts)
    own = probe.own_facts(probed, caller.launches());
  if (own.empty() && caller.launches().size() == 1)
    own = LanesOfEarlierStep(contract, probed, caller.launches().front().block);
  const Message of_probe = AdviceFrom(explanation.facts);
  explanation.facts.insert(explanation.facts.begin(), own.begin(), own.end());
  const Message& call = explanation.call;
  if (own.empty()) return {explanation, say::with_call(call, of_probe)};
  if (caller.launches().empty()) return {explanation, say::with_call(call, own[0])};
  // What the suite says of its own accord need not say what to do.
  return {explanation, AdviceOfCall(call, own[0], own.size() > 1 ? own[1] : explanation.facts[1])};
}

/// The suite's own calls, the smallest first, and behind them those of failing tests: what needs more
/// elements than the suite's own have is wrong there at least.
std::vector<const LinearProbe*> CallsToLookAt(std::span<const LinearTest> tests,
                                              std::span<const LinearProbe> probes) {
  std::vector<const LinearProbe*> calls, of_tests;
  for (const LinearProbe& probe : probes) calls.push_back(&probe);
  for (const LinearTest& test : tests) {
    if (HasWrongValues(*test.result) && test.probe) of_tests.push_back(&*test.probe);
  }
  std::ranges::stable_sort(of_tests, {}, [](const LinearProbe* each) { return each->contract.input_count; });
  calls.insert(calls.end(), of_tests.begin(), of_tests.end());
  return calls;
}

}  // namespace

std::vector<Message> LanesOfEarlierStep(const LinearContract& contract, const ProbeResult& probed,
                                        const Dim3& block) {
  constexpr ElementIndex kLanes = 32;
  const auto warps = static_cast<ElementIndex>((block.Volume() + kLanes - 1) / kLanes);
  if (warps < 2 || warps >= kLanes || probed.formulas.empty()) return {};
  const FoundFormula& first = probed.formulas.front();
  const std::vector<ElementIndex> right = contract.right(first.element);
  const auto is_added = [&](const ProbeTerm& term) {
    const bool is_again = term.a >= warps && term.a < kLanes;
    return std::ranges::binary_search(right, term.a) && (is_again ? term.times > 1 : term.times == 1);
  };
  const bool is_it = first.known && first.before_times == 0 && first.constant == 0 &&
                     first.terms.size() == right.size() && std::ssize(right) >= kLanes &&
                     std::ranges::all_of(first.terms, is_added);
  if (!is_it) return {};
  const auto name = [&](ElementIndex index) {
    return contract.input + contract.input_place(static_cast<std::size_t>(index));
  };
  const std::string output = contract.output + contract.output_place(first.element);
  return {say::linear_repeated(output, say::elements_to(name(warps), name(kLanes - 1))),
          say::cause_and_remedy(say::lanes_of_earlier_step(warps), say::which_value_before_that())};
}

std::string FullNameOf(const std::string& test) {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      if (test == suite.GetTestInfo(t)->name()) return std::string(suite.name()) + "." + test;
    }
  }
  return test;
}

bool HasWrongValues(const TestResult& result) {
  const bool no_worse = result.verdict == Verdict::kWrongResult || result.verdict == Verdict::kFinding;
  return result.wrong_count > 0 && no_worse;
}

bool IsOutOfStep(const TestResult& result) {
  return std::ranges::any_of(result.findings, [](const Finding& finding) {
    switch (finding.kind) {
      // In global memory two threads that store one element race, too: that is an index, and no barrier.
      case FindingKind::kRace: return finding.space == MemorySpace::kShared;
      case FindingKind::kDivergentBarrier:
      case FindingKind::kDeadlock:
      case FindingKind::kEndlessLoop:
      case FindingKind::kTrap: return true;
      default: return false;
    }
  });
}

std::vector<Explained> ExplainLinearCalls(std::span<const LinearTest> tests,
                                          std::span<const LinearProbe> probes) {
  const auto out_of_step = [](const LinearTest& test) { return IsOutOfStep(*test.result); };
  const auto first =
      std::ranges::find_if(tests, [](const LinearTest& test) { return HasWrongValues(*test.result); });
  if (first == tests.end() || std::ranges::any_of(tests, out_of_step)) return {};
  std::optional<Explained> found;
  for (const LinearProbe* probe : CallsToLookAt(tests, probes)) {
    if (IsRightOnce(*probe)) continue;
    LinearAnswer looked = Explain(*probe);
    if (looked.explanation.facts.empty()) continue;
    Explained explained{FullNameOf(first->test), std::move(looked.explanation), looked.advice};
    const Explanation& about = explained.explanation;
    const bool only_lacks_stores =
        about.facts.size() == 1 && !about.elements.empty() && !about.elements.front().stored;
    if (only_lacks_stores) explained.advice = say::both(explained.advice, say::which_thread_stores_that());
    const bool says_little = say::nothing_launched_at_all.Made(explained.explanation.facts.front());
    if (found) {
      // What a larger call lacks is the task. The smaller one may lack the same, so it is no task of its own.
      if (!says_little) found->advice = say::and_nothing_launched(explained.advice, found->explanation.call);
      return {*found};
    }
    found = std::move(explained);
    if (!says_little) break;
  }
  if (!found) return {};
  // What a place holds that nobody wrote, or that is none, is no number to be explained: it is asked about
  // first; and so is an access that was refused, of which missing values are a consequence.
  const bool is_asked_first = HasFinding(*first->result, FindingKind::kMisaligned) ||
                              HasFinding(*first->result, FindingKind::kShuffleAfterExit) ||
                              HasFinding(*first->result, FindingKind::kUninitialised, MemorySpace::kShared) ||
                              HasFinding(*first->result, FindingKind::kOutOfBounds, MemorySpace::kShared);
  if (is_asked_first && !first->result->next_step.empty()) found->advice = first->result->next_step;
  return {*found};
}

}  // namespace warplings
