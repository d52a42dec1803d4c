// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 6's when_not_to: a vector addition coarsened by any factor, and the answers to three
// questions about it. Each test's name says what a student may have misunderstood, its title says it in
// words.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "grader/messages/calls.h"
#include "grader/messages/device_work.h"
#include "grader/messages/joining.h"
#include "grader/suite/device_work.h"
#include "grader/suite/judge.h"
#include "grader/suite/product_values.h"
#include "tests/suites/06_coarsening/messages.h"
#include "tests/suites/06_coarsening/when_not_to_evidence.h"
#include "tests/suites/common/explain_linear.h"
#include "tests/suites/common/messages.h"

namespace warplings::when_not_to {
namespace {

/// What all calls saw, for FactsOf.
std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

/// One kernel has fewer blocks than the elements need: where some are missing, or a thread has too many, that
/// is why. Nothing otherwise.
Message FewBlocks(const Evidence& e) {
  const std::uint64_t blocks = Blocks(e.result), needed = BlocksNeeded(e.length, e.coarse_factor);
  const bool is_one = e.result.launches.size() == 1 && Threads(e.result) == blocks * kBlockSize;
  if (!is_one || blocks >= needed) return {};
  return say::when_not_to_few_blocks_step({blocks, "block"}, e.length, e.coarse_factor, needed,
                                          kBlockSize * e.coarse_factor);
}

/// Enough for one thread that adds everything alone.
constexpr std::uint64_t kBudget = 10'000'000;

class WhenNotTo : public testing::Test {
 protected:
  static Evidence Call(const Message& title, int length, int coarse_factor, RandomValues& random) {
    const auto count = static_cast<std::size_t>(length);
    const std::vector<float> a = SignedValues(random, count), b = SignedValues(random, count);
    const CallReport report =
        Session().Call({InputArray("A", a, OtherElements::AnyValue()),
                        InputArray("B", b, OtherElements::AnyValue()), OutputArray<float>("C", count)},
                       kBudget, [=](Worker& worker, std::span<const DevicePointer> p) {
                         return worker.Call(p[0], p[1], p[2], length, coarse_factor);
                       });
    Evidence evidence;
    evidence.test = testing::UnitTest::GetInstance()->current_test_info()->name();
    evidence.length = length;
    evidence.coarse_factor = coarse_factor;
    evidence.result = ResultOf(title, report);
    if (say::grid_of_zero.Made(evidence.result.next_step))
      evidence.result.next_step = say::when_not_to_no_blocks_step(
          {count, "element"}, coarse_factor, {BlocksNeeded(length, coarse_factor), "block"});
    if (report.contents.size() != 3) return evidence;
    evidence.c = ValuesOf<float>(report.contents[2]);
    // One addition, rounded once: there is one right float.
    std::vector<double> expected(count);
    for (std::size_t i = 0; i < count; ++i) expected[i] = static_cast<double>(a[i] + b[i]);
    for (std::size_t i = 0; i < count; ++i)
      evidence.is_wrong.push_back(IsWrong(evidence.c[i], expected[i], 0));
    AddComparison(evidence.result,
                  CompareFloats(evidence.c, expected, std::vector<double>(count, 0.0),
                                [](std::size_t i) { return "C[" + std::to_string(i) + "]"; }),
                  "C");
    DeviceWork work;
    work.output = "C";
    work.least_flops = count;
    work.least_bytes = 2 * count * sizeof(float);
    work.most_words_by_a_thread = static_cast<std::uint64_t>(coarse_factor);
    const bool was_right = evidence.result.verdict == Verdict::kPassed;
    RequireDeviceWork(evidence.result, report, work);
    if (was_right) NameSeveralLaunches(evidence);
    if (was_right) AskAboutElements(evidence);
    const Message few = FewBlocks(evidence);
    if (evidence.result.verdict == Verdict::kWrongResult && !few.empty()) evidence.result.next_step = few;
    for (const auto& [limit, grade] : kLimits) {
      TestResult graded = evidence.result;
      grade(evidence, graded);
      BrokenLimits().Note(limit, evidence.result, graded,
                          say::when_not_to_call({count, "element"}, coarse_factor));
    }
    return evidence;
  }

  static void Check(const Message& title, int length, int coarse_factor) {
    RandomValues random = TestRandom();
    Record(Call(title, length, coarse_factor, random));
  }

  /// A thread that stores too much may do so for a second kernel, which adds the same elements once more.
  static void NameSeveralLaunches(Evidence& e) {
    const std::uint64_t bytes = static_cast<std::uint64_t>(e.length) * sizeof(float);
    const std::uint64_t stored = TrafficOf(e.result, "C").store_bytes, launches = e.result.launches.size();
    if (e.result.verdict == Verdict::kPassed || launches < 2 || stored <= bytes) return;
    e.result.reason = say::when_not_to_launches(launches, stored, bytes);
    e.result.next_step = say::when_not_to_launches_step(e.coarse_factor, launches);
  }

  /// Where the launch has as many threads as the elements need, none of its lines makes a thread store too
  /// many.
  static void AskAboutElements(Evidence& e) {
    const bool has_enough = e.result.launches.size() == 1 &&
                            e.result.launches.front().block.Volume() == kBlockSize &&
                            Blocks(e.result) == BlocksNeeded(e.length, e.coarse_factor);
    const bool may_be_more = say::one_thread_of_the_launch_at_least.Made(e.result.next_step);
    if (!has_enough || !(may_be_more || say::one_thread_of_the_launch.Made(e.result.next_step))) return;
    const auto& step = may_be_more ? say::when_not_to_elements_at_least_step : say::when_not_to_elements_step;
    e.result.next_step = step(e.coarse_factor, e.result.next_step.arguments().at(0).number);
  }

  static void GradeBlocks(const Evidence& e, TestResult& result) {
    for (const LaunchRecord& launch : e.result.launches) {
      const std::uint64_t threads = launch.block.Volume();
      if (threads == kBlockSize) continue;
      AddVerdict(result, Verdict::kWrongResult, say::when_not_to_block({threads, "thread"}),
                 say::when_not_to_block_step());
      return;
    }
    if (Blocks(e.result) <= BlocksAllowed(e.length, e.coarse_factor)) return;
    AddVerdict(result, Verdict::kWrongResult,
               say::when_not_to_blocks(e.length, e.coarse_factor, BlocksNeeded(e.length, e.coarse_factor),
                                       Blocks(e.result)),
               say::when_not_to_blocks_step());
  }

  static void GradeSectors(const Evidence& e, TestResult& result) {
    if (Sectors(e.result) <= SectorsAllowed(e.length)) return;
    AddVerdict(result, Verdict::kWrongResult,
               say::when_not_to_sectors(e.coarse_factor, Sectors(e.result), SectorsNeeded(e.length)),
               NextStepOfSectors(e.result, e.length));
  }

  struct Limit {
    const char* name;
    void (*grade)(const Evidence& e, TestResult& result);
  };
  /// They hold in every call.
  static constexpr Limit kLimits[] = {{"blocks", GradeBlocks}, {"sectors", GradeSectors}};

  /// An array that is touched more than once, or else loads that lie apart.
  static Message NextStepOfSectors(const TestResult& result, int length) {
    const std::uint64_t bytes = static_cast<std::uint64_t>(length) * sizeof(float);
    for (const std::string array : {"A", "B", "C"}) {
      const ArrayTraffic traffic = TrafficOf(result, array);
      const bool is_input = array != "C";
      const std::uint64_t loads = is_input ? bytes : 0, stores = is_input ? 0 : bytes;
      if (traffic.load_bytes > loads) return say::when_not_to_loads_step(array, traffic.load_bytes, loads);
      if (traffic.store_bytes > stores)
        return say::when_not_to_stores_step(array, traffic.store_bytes, stores);
    }
    for (const std::string array : {"A", "B", "C"}) {
      const ArrayTraffic traffic = TrafficOf(result, array);
      const std::uint64_t sectors = traffic.load_sectors + traffic.store_sectors;
      if (32 * sectors > bytes + 31) {
        return say::both(say::when_not_to_bytes_right(),
                         say::when_not_to_sectors_step(array, sectors, (bytes + 31) / 32));
      }
    }
    return say::when_not_to_other_memory_step();
  }

  static void Record(Evidence evidence) {
    RecordResult(evidence.result);
    AllEvidence().push_back(std::move(evidence));
  }
};

TEST_F(WhenNotTo, OneElement) {
  Check(say::when_not_to_one_element(), 1, 8);
}

TEST_F(WhenNotTo, NotCoarsened) {
  Check(say::when_not_to_uncoarsened(1000), 1000, 1);
}

TEST_F(WhenNotTo, SecondElementOfOneThread) {
  Check(say::when_not_to_one_has_two(), 257, 2);
}

TEST_F(WhenNotTo, LastElementIsMissing) {
  Check(say::when_not_to_last_missing(1023), 1023, 4);
}

TEST_F(WhenNotTo, SecondBlockHasOneElement) {
  Check(say::when_not_to_second_block(2049), 2049, 8);
}

/// Whole rows of 256, and no whole number of blocks.
TEST_F(WhenNotTo, LastBlockHasTwoOfFourRows) {
  Check(say::when_not_to_two_rows(2560), 2560, 4);
}

TEST_F(WhenNotTo, AnyLength) {
  RandomValues random(SeedOfTest(Session().seed(), "WhenNotTo.AnyLength.length"));
  const int length = 2 + static_cast<int>(random.Below(9000)), factor = 1 << random.Below(4);
  Check(say::when_not_to_any_length(length, factor), length, factor);
}

/// The point of the exercise: fewer threads, and not one sector less. Each element of A, B and C is touched
/// once, 4 bytes of 32 in a sector: 3 x length / 8 sectors, whatever the factor, if each warp's 32 elements
/// are neighbours in each step.
TEST_F(WhenNotTo, CoarseningSavesNoSector) {
  RandomValues shape(SeedOfTest(Session().seed(), "WhenNotTo.CoarseningSavesNoSector.length"));
  const int length = kCountedLength + 1024 * static_cast<int>(shape.Below(33));
  RandomValues random = TestRandom();
  Evidence fine = Call("", length, 1, random);
  Evidence coarse = Call("", length, kCountedFactor, random);
  coarse.result.title = say::when_not_to_counts(length, Sectors(fine.result), Threads(fine.result),
                                                Sectors(coarse.result), Threads(coarse.result));
  if (fine.result.verdict != Verdict::kPassed) {
    AddVerdict(coarse.result, fine.result.verdict, say::when_not_to_with_factor_1(fine.result.reason),
               fine.result.next_step);
  } else {
    for (const Limit& limit : kLimits) limit.grade(coarse, coarse.result);
    for (const Limit& limit : kLimits) BrokenLimits().Tell(limit.name, coarse.result);
  }
  AllEvidence().push_back(std::move(fine));
  Record(std::move(coarse));
}

// --- The questions. --------------------------------------------------------------------------------------

const Answers& Given() {
  static const Answers answers = ParseAnswers(Session().answers());
  return answers;
}

/// What a number that no misconception has would mean; "": it cannot be one.
Message MeaningOfSectors(double sectors) {
  if (!(sectors >= 1 && sectors <= 1e6)) return "";
  return say::when_not_to_sectors_mean(static_cast<int>(sectors * 32), 1024);
}

Message MeaningOfIdle(double idle) {
  if (!(idle >= 0 && idle <= 108)) return "";
  return say::when_not_to_idle_means(static_cast<int>(108 - idle));
}

void RecordAnswer(const Message& title, const std::string& key, bool given, bool right,
                  const Message& meaning = "") {
  TestResult result;
  result.title = title;
  result.verdict = Verdict::kPassed;
  if (Session().answers().empty()) {
    AddVerdict(result, Verdict::kWrongResult, say::when_not_to_no_answers(),
               say::when_not_to_no_answers_step());
  } else if (!Given().fault.empty()) {
    AddVerdict(result, Verdict::kWrongResult, say::when_not_to_unreadable(Given().fault), Given().step);
  } else if (std::ranges::count(Given().texts, key) > 0) {
    AddVerdict(result, Verdict::kWrongResult, say::when_not_to_text(key), say::when_not_to_text_step(key));
  } else if (!given) {
    AddVerdict(result, Verdict::kWrongResult, say::when_not_to_no_answer(key),
               say::when_not_to_no_answer_step(key));
  } else if (!right) {
    AddVerdict(result, Verdict::kWrongResult, say::when_not_to_wrong_answer(key),
               meaning.empty() ? say::when_not_to_wrong_answer_step() : meaning);
  }
  RecordResult(result);
}

TEST_F(WhenNotTo, QuestionOfSectors) {
  const auto& answer = Given().sectors_per_1024_elements;
  RecordAnswer(say::when_not_to_question_1(1024), "sectors_per_1024_elements", answer.has_value(),
               answer == kSectorsPer1024, MeaningOfSectors(answer.value_or(0)));
}

TEST_F(WhenNotTo, QuestionOfIdleMultiprocessors) {
  const auto& answer = Given().idle_multiprocessors;
  RecordAnswer(say::when_not_to_question_2(), "idle_multiprocessors", answer.has_value(),
               answer == kIdleMultiprocessors, MeaningOfIdle(answer.value_or(-1)));
}

TEST_F(WhenNotTo, QuestionOfThePrice) {
  const auto& answer = Given().price;
  RecordAnswer(say::when_not_to_question_3(), "price", answer.has_value(), answer == kPrice);
}

const bool graded = GradedBy(
    {.shared = KernelGrading(),
     .header = {"C is right for every length and every coarse_factor.",
                "Each block has " + std::to_string(kBlockSize) + " threads.",
                "There are at most ceil(length / (256 x coarse_factor)) + 4 blocks. (The 4 is slack.)",
                "In each step, neighbouring threads work on neighbouring elements: at most 3 x "
                "ceil(length / 8) + 32 sectors of 32 bytes are loaded and stored in all.",
                "Your answers to the three questions in when_not_to.toml are right."},
     .page = {"The kernel loads each element of A and B at least once.",
              "The kernel does at least length operations.",
              "No thread stores more than coarse_factor elements of C.",
              "The contract's limit on blocks applies to all launches of a call together."}});

/// Where the wrong elements lie, told of the first test: of the next one if that has a single element, where
/// there is nothing to be seen.
std::vector<Explained> Explain() {
  const Evidence* first = nullptr;
  const Evidence* told = nullptr;
  for (const Evidence& e : AllEvidence()) {
    if (!HasWrongValues(e.result) || e.is_wrong.empty() || e.test.empty()) continue;
    if (first == nullptr) first = &e;
    if (told == nullptr || told->length == 1) told = &e;
  }
  if (first == nullptr) return {};
  Explanation explanation;
  const Message call = say::when_not_to_call({told->length, "element"}, told->coarse_factor);
  explanation.call = call;
  if (const Message few = FewBlocks(*told); !few.empty()) explanation.facts.push_back(few);
  explanation.facts.push_back(PlacesFact("C", 1, told->length, told->c, told->is_wrong));
  // Which call it is, the number of blocks says itself.
  Message advice = explanation.facts.size() > 1 ? explanation.facts.front()
                                                : say::with_call(call, explanation.facts.front());
  if (const Message left_out = ElementsLeftOut(AllEvidence()); !left_out.empty()) {
    explanation.facts.insert(explanation.facts.begin(), left_out);
    advice = left_out;
  }
  // Where a thread leaves an array, its index says more.
  const bool is_worse = first->result.verdict != Verdict::kWrongResult;
  return {{FullNameOf(first->test), std::move(explanation), is_worse ? Message() : advice}};
}

const bool explains = ExplainWith(Explain);

const bool states_facts = StateFactsWith([] { return FactsOf(AllEvidence(), Given()); });

}  // namespace
}  // namespace warplings::when_not_to
