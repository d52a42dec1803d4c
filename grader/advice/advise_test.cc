// SPDX-License-Identifier: Apache-2.0
#include "grader/advice/advise.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "grader/advice/fact_kinds.h"
#include "grader/advice/shown.h"
#include "grader/advice/symptoms.h"
#include "grader/messages/calls.h"
#include "grader/messages/device_work.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/messages/refusals.h"

namespace warplings {
namespace {

Finding AFinding(FindingKind kind, const std::string& object = "") {
  Finding finding;
  finding.kind = kind;
  finding.object = object;
  finding.access = Access::kRead;
  return finding;
}

TestResult ATest(const std::string& name, Verdict verdict, std::uint64_t wrong = 0,
                 std::vector<Finding> findings = {}) {
  TestResult test;
  test.name = "Suite." + name;
  test.title = "title of " + name;
  test.verdict = verdict;
  test.wrong_count = wrong;
  test.findings = std::move(findings);
  test.next_step = "advice of " + name;
  return test;
}

TestResult Passed(const std::string& name) {
  return ATest(name, Verdict::kPassed);
}
TestResult Wrong(const std::string& name) {
  return ATest(name, Verdict::kWrongResult, 3);
}
TestResult Refused(const std::string& name) {
  return ATest(name, Verdict::kLaunchFailed, 0, {AFinding(FindingKind::kInvalidLaunch)});
}
TestResult Outside(const std::string& name, const std::string& object, std::uint64_t wrong = 0) {
  return ATest(name, Verdict::kFinding, wrong, {AFinding(FindingKind::kOutOfBounds, object)});
}
TestResult Racing(const std::string& name) {
  Finding race = AFinding(FindingKind::kRace);
  race.space = MemorySpace::kShared;
  return ATest(name, Verdict::kFinding, 5, {race});
}
TestResult Dear(const std::string& name, const std::string& reason) {
  TestResult test = ATest(name, Verdict::kWrongResult);
  test.reason = reason;
  return test;
}

/// A fact named like the misconception that it tells of. `named`: the test that its message names, if any.
Fact Seen(const std::string& id, const std::string& named, const std::string& words,
          std::vector<std::string> tests = {}) {
  const Message message = named.empty() ? Message(words) : say::of_test(named, words);
  return {id, message, std::move(tests)};
}

/// Each fact tells of a misconception of its own.
std::vector<MisconceptionText> KnownFor(const std::vector<Fact>& facts) {
  std::vector<MisconceptionText> known;
  for (const Fact& each : facts) known.push_back({each.id, "Title of " + each.id, "Message", "", {each.id}});
  return known;
}

ExerciseResult Result(std::vector<TestResult> tests, std::vector<Fact> facts = {}) {
  ExerciseResult result;
  result.tests = std::move(tests);
  const std::vector<MisconceptionText> known = KnownFor(facts);
  result.facts = std::move(facts);
  Advise(known, result);
  return result;
}

/// "rows 2, empty 1".
std::string Order(const ExerciseResult& result) {
  std::string text;
  for (const Misconception& each : result.misconceptions)
    text += (text.empty() ? "" : ", ") + each.id + " " + std::to_string(each.tests.value().size());
  return text;
}

using Names = std::vector<std::string>;

/// The empty grid fails first, and the length of rows fails most.
TEST(Advise, TheCauseOfMostFailingTestsComesFirst) {
  const ExerciseResult result = Result(
      {Passed("One"), Refused("Empty"), Wrong("Wide"), Wrong("Tall"), Outside("Any", "M", 4)},
      {Seen("empty_grid", "Empty", "a launch was refused"), Seen("rows", "Wide", "rows of k elements")});
  EXPECT_EQ(Order(result), "rows 3, empty_grid 1");
  EXPECT_EQ(result.misconceptions[0].tests, (Names{"Suite.Wide", "Suite.Tall", "Suite.Any"}));
  EXPECT_EQ(result.misconceptions[1].tests, Names{"Suite.Empty"});
  EXPECT_EQ(result.next_step, "") << "the name says it";
}

/// With k = 0 nothing is stored, because the function does not get that far.
TEST(Advise, WhatACrashLeftUndoneIsNoCause) {
  const auto crashed = [](const std::string& name) { return ATest(name, Verdict::kCrashed); };
  const Fact fact = Seen("no_zeros", "Empty", "nothing is stored", {"Empty"});
  const ExerciseResult all = Result({crashed("One"), crashed("Empty")}, {fact});
  EXPECT_EQ(Order(all), "");
  EXPECT_EQ(all.next_step, "advice of One");
  EXPECT_EQ(Order(Result({crashed("One"), Wrong("Empty")}, {fact})), "no_zeros 1");
}

TestResult WithRefusedMemset(const std::string& name) {
  Finding refused = AFinding(FindingKind::kInvalidCall);
  refused.message = say::refused("cudaMemset", say::null_pointer_passed());
  TestResult test = ATest(name, Verdict::kLaunchFailed, 1, {refused});
  test.next_step = say::arguments_of_refused_call();
  return test;
}

/// What a memset did not set is read, and makes wrong values: neither is a mistake of its own.
TEST(Advise, ARefusedMemsetComesBeforeWhatFollowsFromIt) {
  Fact unset = Seen("output_not_cleared", "", "the output is read", {"One", "Two"});
  unset.finding = AFinding(FindingKind::kUninitialised, "output");
  unset.finding->space = MemorySpace::kGlobal;
  Fact race = Seen("race", "", "two threads race", {"One", "Two"});
  race.finding = AFinding(FindingKind::kRace, "tile");
  const Fact values = Seen("values", "", "half of it", {"One", "Two"});
  TestResult explained = WithRefusedMemset("Two");
  explained.next_step = "what is stored instead";
  const ExerciseResult result =
      Result({WithRefusedMemset("One"), explained, Passed("Three")}, {unset, race, values});
  EXPECT_EQ(result.next_step, say::arguments_of_refused_call());
  EXPECT_EQ(Order(result), "race 2");
  // In one of three tests it explains nothing of the others.
  const ExerciseResult other =
      Result({WithRefusedMemset("One"), Wrong("Two"), Wrong("Three")}, {Seen("values", "", "half of it")});
  EXPECT_EQ(Order(other), "values 3");
  EXPECT_EQ(other.next_step, "");
}

/// The array is too small: the kernel that leaves it comes before the copy that is refused.
TEST(Advise, AnAccessOutsideLeadsWhereItCameBeforeARefusedCopy) {
  TestResult outside = WithRefusedMemset("Two");
  outside.findings.insert(outside.findings.begin(), AFinding(FindingKind::kOutOfBounds, "counts"));
  outside.advised = 0;
  outside.next_step = "which size";
  const ExerciseResult result = Result({WithRefusedMemset("One"), outside, WithRefusedMemset("Three")}, {});
  EXPECT_EQ(result.next_step, "which size");
  EXPECT_EQ(Result({WithRefusedMemset("One"), WithRefusedMemset("Three")}, {}).next_step,
            say::arguments_of_refused_call());
}

TestResult ReadBack(const std::string& name, const Message& reason) {
  TestResult test = ATest(name, Verdict::kWrongResult);
  test.reason = reason;
  return test;
}

/// The kernel only passes on what the host computed: what it does wrong is no misconception about kernels.
TEST(Advise, WhatTheHostComputesComesBeforeWhatTheKernelDoes) {
  const Message by_host = say::computed_by_host("P"), read = say::stored_after_host_read("P");
  const Fact price = Seen("no_shared", "", "the kernel reads nothing from shared memory", {"One", "Two"});
  const ExerciseResult cheat =
      Result({ReadBack("One", by_host), ReadBack("Two", by_host), Passed("Three")}, {price});
  EXPECT_EQ(cheat.next_step, "advice of One");
  EXPECT_EQ(Order(cheat), "");
  EXPECT_EQ(cheat.advice.value().misconception, "");
  for (const Message& none :
       {Message(say::no_kernel_launched("P")), Message(say::kernels_load_nothing("P"))}) {
    EXPECT_EQ(Order(Result({ReadBack("One", none), ReadBack("Two", none)}, {price})), "") << none;
    EXPECT_TRUE(ReadsBackFirst(ReadBack("One", none)));
  }
  // A kernel that computes can have misconceptions; they come later.
  const ExerciseResult early = Result({ReadBack("One", read), ReadBack("Two", read)}, {price});
  EXPECT_EQ(early.next_step, "advice of One");
  EXPECT_EQ(early.advice.value().later, Names{"no_shared"});
  const Message shown = say::stored_after_shared_write("P");
  EXPECT_EQ(Result({ReadBack("One", shown), ReadBack("Two", shown)}, {price}).next_step, "advice of One");
  // Most tests fail otherwise.
  EXPECT_EQ(Result({ReadBack("One", read), Wrong("Two")}, {price}).next_step, "");
  // What a copy stored is for people to look at.
  const Message copied = say::all_copied({64, "element"}, "P");
  const TestResult by_copy = ReadBack("One", say::copied_by_host(copied));
  EXPECT_TRUE(MayBeOfHost(by_copy));
  EXPECT_FALSE(ReadsBackFirst(by_copy));
  EXPECT_TRUE(MayBeOfHost(ReadBack("One", read)));
  EXPECT_FALSE(MayBeOfHost(ReadBack("One", copied)));
}

/// An exercise may have a misconception about just this, which says more.
TEST(Advise, TheMisconceptionAboutTheHostsReadStaysFirst) {
  const Message words = say::stored_after_host_read("P");
  const Fact read{"over_host", say::of_test(std::string("One"), words)};
  const ExerciseResult result = Result({ReadBack("One", say::stored_after_host_read("P"))}, {read});
  EXPECT_EQ(result.next_step, "");
  EXPECT_EQ(result.advice.value().misconception, "over_host");
}

/// Sums of wrong products where a kernel ran, and grids without blocks elsewhere, which leave P unwritten.
TEST(Advise, HowSumsWentWrongSaysNothingOfTestsWithoutAKernel) {
  const auto refused = [](const std::string& name) {
    TestResult test = Refused(name);
    test.wrong_count = 9;
    test.findings[0].message = say::refused("k<<<>>>", say::no_blocks("0 x 0"));
    test.next_step = "How many blocks?";
    test.advised = 0;
    return test;
  };
  TestResult wrong = Wrong("Square");
  wrong.launches.resize(1);
  wrong.explanation = Explanation{"16 x 16", {{"P[0][1]", true, {}, {}}}, {"N has rows of k elements."}};
  const Fact rows = Seen("rows", "", "N has rows of k elements.");
  const ExerciseResult result = Result({refused("One"), refused("Two"), wrong}, {rows});
  EXPECT_EQ(Order(result), "rows 1");
  EXPECT_EQ(result.next_step, "How many blocks?");
  ASSERT_TRUE(result.advice && result.advice->finding);
  EXPECT_EQ(FindingKindName(result.advice->finding->kind), "invalid_launch");
  EXPECT_EQ(result.advice->later, Names{"rows"});
  wrong.explanation->elements[0].stored = false;
  EXPECT_EQ(Order(Result({refused("One"), refused("Two"), wrong}, {rows})), "rows 3") << "nobody stores it";
}

TEST(Advise, OfEqualsTheEarliestInTheChainComesFirst) {
  const ExerciseResult result =
      Result({Dear("Dear", "9 sectors"), Wrong("Wide"), Racing("Race"), Outside("Edge", "M")},
             {Seen("price", "Dear", "9 sectors"), Seen("values", "Wide", "half a sum"),
              Seen("barrier", "Race", "a race"), Seen("unguarded", "Edge", "3 reads outside M")});
  EXPECT_EQ(Order(result), "unguarded 1, barrier 1, values 1, price 1");
}

TEST(Advise, OfEqualsInOneStageTheSuitesOrderStays) {
  const ExerciseResult result =
      Result({Wrong("Wide"), Wrong("Tall")}, {Seen("b", "Wide", "b"), Seen("a", "Tall", "a")});
  EXPECT_EQ(Order(result), "b 2, a 2");
}

/// The launch without blocks of an empty input says nothing about the reads that all other tests have.
TEST(Advise, AFindingOfMostTestsComesBeforeThatOfASpecialCase) {
  const auto unset = [](const std::string& name) {
    Finding finding = AFinding(FindingKind::kUninitialised);
    finding.space = MemorySpace::kGlobal;
    return ATest(name, Verdict::kFinding, 5, {finding});
  };
  TestResult empty = Refused("Empty");
  empty.wrong_count = 7;
  empty.findings[0].message = say::no_blocks("0");
  const ExerciseResult result = Result({empty, unset("One"), unset("Wide"), unset("Tall")});
  EXPECT_EQ(result.next_step, "advice of One");
  EXPECT_EQ(result.advice->test, "Suite.One");
  const ExerciseResult few = Result({empty, unset("One"), Wrong("Wide"), Wrong("Tall")});
  EXPECT_EQ(few.next_step, "advice of Empty") << "not even half of the tests have the other finding";
}

/// An empty input or a single element may fail because of the same mistake as all else.
TEST(Advise, ASpecialCaseThatFailsAsTheOthersDoIsOfTheSameCause) {
  const ExerciseResult same =
      Result({Refused("Nothing"), Refused("Some"), Refused("Many")}, {Seen("bytes", "Some", "100000 bytes")});
  EXPECT_EQ(Order(same), "bytes 3");
  const ExerciseResult other =
      Result({Refused("Nothing"), Wrong("One"), Wrong("Many")}, {Seen("rows", "Many", "rows of k elements")});
  EXPECT_EQ(other.misconceptions[0].tests, (Names{"Suite.One", "Suite.Many"}));
  EXPECT_EQ(other.next_step, "") << "one unexplained test of three is no majority";
}

TEST(Advise, WhatTheSuiteListsForOneCauseIsNotTheOthers) {
  const ExerciseResult result =
      Result({Wrong("NoProducts"), Wrong("Wide"), Wrong("Tall")},
             {Seen("empty_sums", "NoProducts", "nothing was written", {"NoProducts"}),
              Seen("rows", "", "every sum has k")});
  EXPECT_EQ(Order(result), "rows 2, empty_sums 1");
}

/// A race changes values, so that they are no sign of another mistake.
TEST(Advise, WrongValuesBesideARaceAreNotCounted) {
  const ExerciseResult result = Result({Wrong("Wide"), Racing("A"), Racing("B")},
                                       {Seen("rows", "Wide", "rows of k"), Seen("barrier", "A", "a race")});
  EXPECT_EQ(Order(result), "barrier 2, rows 1");
}

/// Two threads that store one element of the output have a wrong index: so have those whose stores do not
/// meet.
TEST(Advise, ARaceInGlobalMemoryMayFollowFromAWrongIndex) {
  TestResult meets = Wrong("Wide");
  meets.verdict = Verdict::kFinding;
  meets.findings = {AFinding(FindingKind::kRace)};
  meets.findings[0].space = MemorySpace::kGlobal;
  const ExerciseResult result = Result({meets, Wrong("Tall")}, {Seen("rows", "", "P has rows of j")});
  EXPECT_EQ(Order(result), "rows 2");
}

/// A line that leaves x reads y by that, in tests in which nothing lies between the two.
TEST(Advise, AnAccessOutsideComesBeforeTheRaceThatItLeadsTo) {
  Finding race = AFinding(FindingKind::kRace, "y"), outside = AFinding(FindingKind::kOutOfBounds, "x");
  race.space = outside.space = MemorySpace::kGlobal;
  race.where = outside.where = {"a.cu", 36};
  Fact blocks = Seen("race_of_blocks", "", "another block stores it", {"Suite.Small"});
  blocks.finding = race;
  const auto result = [&](const Finding& met) {
    return Result(
        {ATest("Small", Verdict::kFinding, 4, {met}), ATest("Large", Verdict::kFinding, 4, {outside})},
        {blocks});
  };
  EXPECT_EQ(Order(result(race)), "") << "it is no mistake of its own";
  EXPECT_EQ(result(race).next_step, "advice of Large");
  Finding elsewhere = race;
  elsewhere.where.line = 40;
  EXPECT_EQ(Order(result(elsewhere)), "race_of_blocks 1");
  Finding store = race;
  store.access = Access::kWrite;
  EXPECT_EQ(Order(result(store)), "race_of_blocks 1") << "the line's load leaves x, not its store";
}

/// What was found at 2 x 3 is not what is wrong with 4 x 4.
TEST(Advise, AFactIsSaidOfTheCallThatItWasFoundIn) {
  TestResult square = Wrong("Square"), wide = Wrong("Wide");
  square.title = "4 x 4: a square";
  const auto number = [](std::int64_t value) { return static_cast<Argument>(say::Number(value)); };
  const Message call("a_call", "{1} x {2}", {number(2), number(3)});
  wide.title = Message("a_title", "{1}: wide", {AsArgument(call)});
  square.explanation = {call, {}, {"Rows have 3 elements."}, {}};
  const auto evidence = [](const std::vector<TestResult>& tests) {
    return Result(tests, {Seen("rows", "", "Rows have 3 elements.")}).misconceptions[0].evidence;
  };
  EXPECT_EQ(English(evidence({square, wide})), "\"2 x 3: wide\": Rows have 3 elements.");
  EXPECT_EQ(English(evidence({square, Passed("Wide")})),
            "\"4 x 4: a square\"; with 2 x 3: Rows have 3 elements.");
}

TEST(Advise, ReadsOutsideOneArrayAreNotReadsOutsideAnother) {
  const ExerciseResult result =
      Result({Outside("A", "M"), Outside("B", "N"), Outside("C", "N")},
             {Seen("m", "A", "1 read outside M"), Seen("n", "B", "1 read outside N")});
  EXPECT_EQ(Order(result), "n 2, m 1");
}

/// A name for one test in five does not hide what is wrong with the other four.
TEST(Advise, WhereMostTestsHaveNoNameTheirFactsComeFirst) {
  const ExerciseResult result = Result({Refused("Empty"), Racing("A"), Wrong("B"), Wrong("C"), Wrong("D")},
                                       {Seen("empty_grid", "Empty", "a launch was refused")});
  EXPECT_EQ(result.next_step, "advice of B") << "most share wrong values";
  EXPECT_EQ(Order(result), "empty_grid 1") << "and the name follows";
}

/// Too many copies, and a grid without blocks where there are no elements: the launch is mended first.
TEST(Advise, AnErrorComesBeforeARequirement) {
  const ExerciseResult result =
      Result({Dear("Long", "many updates"), Dear("Wide", "many updates"), Refused("Empty")},
             {Seen("too_many_copies", "Long", "223,200 updates")});
  EXPECT_EQ(result.next_step, "advice of Empty");
  EXPECT_EQ(Order(result), "too_many_copies 2");
  EXPECT_EQ(result.advice->test, "Suite.Empty");
  // With a name, too, though it is of fewer tests.
  const ExerciseResult named =
      Result({Dear("Long", "many updates"), Dear("Wide", "many updates"), Refused("Empty")},
             {Seen("too_many_copies", "Long", "223,200 updates"),
              Seen("empty_grid", "Empty", "a launch was refused")});
  EXPECT_EQ(Order(named), "empty_grid 1, too_many_copies 2");
  // Alone, a price is what there is to say.
  EXPECT_EQ(
      Result({Dear("Long", "many updates"), Passed("Empty")}, {Seen("too_many_copies", "Long", "223,200")})
          .next_step,
      "");
}

TEST(Advise, HalfIsNotMost) {
  const ExerciseResult result =
      Result({Refused("Empty"), Wrong("A")}, {Seen("empty_grid", "Empty", "a launch was refused")});
  EXPECT_EQ(result.next_step, "");
}

/// One name stands for all that a way of writing costs.
TEST(Advise, LimitsThatAreExceededDoNotOutvoteAName) {
  const ExerciseResult result =
      Result({Dear("A", "9 sectors"), Dear("B", "7 barriers"), Dear("C", "8 conflicts")},
             {Seen("naive", "A", "9 sectors")});
  EXPECT_EQ(result.next_step, "");
  EXPECT_EQ(Order(result), "naive 1");
}

TEST(Advise, TheSameLimitExceededByAnotherNumberIsTheSame) {
  const ExerciseResult result =
      Result({Dear("A", "9 sectors"), Dear("B", "700 sectors"), Dear("C", "8 conflicts")},
             {Seen("naive", "A", "9 sectors")});
  EXPECT_EQ(result.misconceptions[0].tests, (Names{"Suite.A", "Suite.B"}));
}

TEST(Advise, WithoutANameTheFirstOfMostSpeaks) {
  EXPECT_EQ(Result({Refused("Empty"), Passed("P"), Wrong("Wide"), Wrong("Tall")}).next_step,
            "advice of Wide");
  EXPECT_EQ(Result({Wrong("Wide"), Outside("Edge", "M")}).next_step, "advice of Edge")
      << "earlier in the chain";
  EXPECT_EQ(Result({Wrong("Wide"), Wrong("Tall"), Outside("Edge", "M", 2)}).next_step, "advice of Edge")
      << "one mistake at three sizes: what it reads outside says more than what comes of it";
  EXPECT_EQ(Result({Passed("P")}).next_step, "");
}

TEST(Advise, ValuesThatNobodySetAndNobodyUsesComeLast) {
  Finding unset = AFinding(FindingKind::kUninitialised);
  unset.space = MemorySpace::kShared;
  const auto reading = [&](const std::string& name, std::uint64_t wrong) {
    return ATest(name, Verdict::kFinding, wrong, {unset});
  };
  EXPECT_EQ(Result({reading("a", 0), reading("b", 0), Dear("c", "3 loads")}).next_step, "advice of c");
  EXPECT_EQ(Result({reading("a", 1), reading("b", 1), Dear("c", "3 loads")}).next_step, "advice of a");
  EXPECT_EQ(Result({reading("a", 0), reading("b", 0)}).next_step, "advice of a")
      << "where it is all there is";
}

/// A question is about code that is right.
TEST(Advise, QuestionsComeAfterWhateverTheKernelDoesWrong) {
  const auto question = [](const std::string& name) {
    TestResult test = ATest(name, Verdict::kWrongResult);
    test.reason = Message("when_not_to_no_answer", "no answer for {1}", {AsArgument(say::Name(name))});
    return test;
  };
  EXPECT_EQ(Result({question("one"), question("two"), Wrong("Wide")}).next_step, "advice of Wide");
  EXPECT_EQ(Result({question("one"), question("two"), Dear("c", "3 loads")}).next_step, "advice of c");
  EXPECT_EQ(Result({question("one"), question("two")}).next_step, "advice of one");
}

TEST(Advise, ASkippedTestIsNoFailure) {
  const ExerciseResult result =
      Result({ATest("Skipped", Verdict::kNotRun), ATest("AlsoSkipped", Verdict::kNotRun), Wrong("Wide")},
             {Seen("rows", "Wide", "rows of k elements")});
  EXPECT_EQ(Order(result), "rows 1");
  EXPECT_EQ(result.next_step, "");
}

TEST(Advise, TheEvidenceNamesAFailingTest) {
  const ExerciseResult passed =
      Result({Passed("OneTile"), Dear("Banks", "31 conflicts")}, {Seen("column", "OneTile", "31 conflicts")});
  EXPECT_EQ(English(passed.misconceptions[0].evidence),
            "\"title of Banks\"; shown by \"title of OneTile\": 31 conflicts");
  const ExerciseResult none =
      Result({Passed("OneTile"), Wrong("Half")}, {Seen("step", "", "every sum is that of half a segment")});
  EXPECT_EQ(English(none.misconceptions[0].evidence),
            "\"title of Half\": every sum is that of half a segment");
  const ExerciseResult failing = Result({Wrong("Half")}, {Seen("step", "Half", "a sum")});
  EXPECT_EQ(English(failing.misconceptions[0].evidence), "\"title of Half\": a sum");
}

/// The limit's test fails for a call that passed.
TestResult OverLimit(const std::string& name, const TestResult& call) {
  TestResult test = ATest(name, Verdict::kWrongResult);
  test.reason = say::limit_of_every_call(call.title, "3 loads");
  return test;
}

/// Suites state the facts of limits so (BrokenLimits().Note): with the calls that exceed the limit and do
/// nothing else wrong.
TEST(Advise, AFactOfCallsThatPassedExplainsNoWrongValues) {
  const Fact loads = Seen("many_loads", "Small", "3 loads", {"Small"});
  const Fact sectors = Seen("many_sectors", "Wide", "9 sectors", {"Wide"});
  // Everything else has wrong values, the limits' tests, too.
  const ExerciseResult wrong = Result({Passed("Small"), Wrong("Large"), Wrong("Loads")}, {loads});
  EXPECT_EQ(Order(wrong), "many_loads 0");
  EXPECT_EQ(wrong.next_step, "advice of Large");
  EXPECT_EQ(wrong.advice->test, "Suite.Large");
  EXPECT_EQ(English(wrong.misconceptions[0].evidence), "\"title of Small\": 3 loads")
      << "it was not seen in a test with wrong values";
  // However many facts there are.
  const ExerciseResult both =
      Result({Passed("Small"), Passed("Wide"), Wrong("Large"), Wrong("Loads")}, {loads, sectors});
  EXPECT_EQ(both.next_step, "advice of Large");
  // The limit's own test is the limit's.
  const ExerciseResult limited =
      Result({Passed("Small"), Wrong("Large"), OverLimit("Loads", Passed("Small"))}, {loads});
  EXPECT_EQ(limited.misconceptions[0].tests, Names{"Suite.Loads"});
  EXPECT_EQ(limited.next_step, "advice of Large");
  // Two limits, and the test of each.
  const ExerciseResult alone = Result({Passed("Small"), Passed("Wide"), OverLimit("Loads", Passed("Small")),
                                       OverLimit("Sectors", Passed("Wide"))},
                                      {loads, sectors});
  EXPECT_EQ(alone.misconceptions[0].tests, Names{"Suite.Loads"});
  EXPECT_EQ(alone.misconceptions[1].tests, Names{"Suite.Sectors"});
  EXPECT_EQ(alone.next_step, "");
  // A fact that names the call and lists no test.
  EXPECT_EQ(Order(Result({Passed("Small"), Wrong("Large")}, {Seen("many_loads", "Small", "3 loads")})),
            "many_loads 0");
  // A suite that says of the limit's test in other words why it fails.
  EXPECT_EQ(Order(Result({Passed("Small"), Dear("Loads", "3 loads"), Outside("Large", "in")}, {loads})),
            "many_loads 1");
}

/// One thread that computes everything exceeds several limits; what exceeds one explains no other.
TEST(Advise, AFactOfALimitExplainsNoWarpThatExecutesTooMuch) {
  const Fact sectors = Seen("many_sectors", "Wide", "9 sectors", {"Wide"});
  TestResult busy = Dear("Large", "");
  busy.reason = say::warp_too_long(20300, 14000);
  const ExerciseResult result = Result({Passed("Wide"), busy}, {sectors});
  EXPECT_EQ(Order(result), "many_sectors 0");
  EXPECT_EQ(result.advice->test, "Suite.Large");
}

TEST(Advise, AFactThatNoMisconceptionListsIsNotNamed) {
  ExerciseResult result;
  result.tests = {Wrong("Wide")};
  result.facts = {Seen("other", "Wide", "another thing"), Seen("rows_of_k", "Wide", "rows of k elements"),
                  Seen("rows_of_j", "Wide", "rows of j elements")};
  Advise(std::vector<MisconceptionText>{{"rows", "Rows", "Draw them.", "", {"rows_of_j", "rows_of_k"}}},
         result);
  ASSERT_EQ(Order(result), "rows 1") << "two facts tell of one misconception";
  EXPECT_EQ(result.misconceptions[0].title, "Rows");
  EXPECT_EQ(result.misconceptions[0].message, "Draw them.");
  EXPECT_EQ(English(result.misconceptions[0].evidence), "\"title of Wide\": rows of k elements")
      << "the fact that is stated first";
}

TEST(Advise, AllFactsOfAMisconceptionListTheirTests) {
  ExerciseResult result;
  result.tests = {Wrong("A"), Wrong("B"), Wrong("C")};
  result.facts = {Seen("first", "A", "x", {"A"}), Seen("second", "C", "y", {"C"})};
  result.facts->back().finding = AFinding(FindingKind::kRace);
  Advise(std::vector<MisconceptionText>{{"rows", "", "", "", {"first", "second"}}}, result);
  EXPECT_EQ(result.misconceptions[0].tests, (Names{"Suite.A", "Suite.C"}));
  ASSERT_TRUE(result.misconceptions[0].finding);
  EXPECT_EQ(result.misconceptions[0].finding->kind, FindingKind::kRace);
}

TEST(Advise, WhatExplainsWrongValuesReplacesTheNextStepAndItsFinding) {
  TestResult test = Outside("Edge", "M", 2);
  test.next_step = "Check the index.";
  test.advised = 0;
  const auto advised = [&](const Message& step) {
    test.explained_step = step;
    return Result({test});
  };
  EXPECT_EQ(advised("").next_step, "Check the index.");
  EXPECT_TRUE(advised("").advice->finding);
  const ExerciseResult other = advised("Rows have k elements.");
  EXPECT_EQ(other.next_step, "Rows have k elements.");
  EXPECT_EQ(other.tests[0].next_step, "Rows have k elements.");
  EXPECT_FALSE(other.advice->finding) << "it is about something else";
  const ExerciseResult more = advised(say::both("Check the index.", "Rows have k elements."));
  EXPECT_TRUE(more.advice->finding) << "it begins with the step that is about the finding";
}

/// Of two mistakes that make values wrong, the first test may show the one that nothing explains.
TEST(Advise, OfTestsThatHangTogetherTheOneWithAnExplanationSpeaks) {
  TestResult explained = Wrong("Two");
  explained.explained_step = "Too few phases run.";
  const ExerciseResult result = Result({Wrong("One"), explained, Wrong("Three")});
  EXPECT_EQ(result.next_step, "Too few phases run.");
  EXPECT_EQ(result.advice->test, "Suite.Two");
  const ExerciseResult with_finding = Result({Outside("One", "M", 2), explained});
  EXPECT_EQ(with_finding.next_step, "advice of One") << "it is earlier in the chain";
  TestResult racing = Racing("Two");
  racing.explained_step = "Digits are lost.";
  EXPECT_EQ(Result({Racing("One"), racing}).next_step, "advice of One") << "the race is in both";
}

/// Sums that do not reach the output, where a store past the end of the submission's own array loses them.
TEST(Advise, AStorePastAnOwnArrayComesBeforeTheValuesThatItLoses) {
  const auto advised = [](const Message& verb) {
    TestResult test = Outside("Edge", "sums", 2);
    const say::Count elements(4, "element");
    test.next_step = say::own_array_outside(
        7, {0, 0, 0}, {4, 0, 0},
        say::numbered_element_past_end(verb, 4, say::name_in_code("sums"), elements, 3));
    test.advised = 0;
    test.explained_step = "Elements do not reach the sum.";
    return Result({test});
  };
  EXPECT_TRUE(say::own_array_outside.Made(advised(say::writes()).next_step));
  EXPECT_TRUE(advised(say::writes()).advice->finding);
  EXPECT_EQ(advised(say::reads()).next_step, "Elements do not reach the sum.");
}

TEST(Advise, WhatACrashedCallHasNotStoredExplainsNothing) {
  const auto advised = [](Verdict verdict) {
    TestResult test;
    test.name = "A.Test";
    test.verdict = verdict;
    test.next_step = "Host code uses device memory.";
    test.explained_step = "Which line keeps the launch from running?";
    return Result({test}).next_step;
  };
  EXPECT_EQ(advised(Verdict::kCrashed), "Host code uses device memory.");
  EXPECT_EQ(advised(Verdict::kWrongResult), "Which line keeps the launch from running?");
}

TEST(Advise, TheAdviceHoldsWhatIsSaidFirst) {
  const ExerciseResult named =
      Result({Passed("P"), Refused("Empty"), Wrong("Wide"), Wrong("Tall")},
             {Seen("empty_grid", "Empty", "a launch was refused"), Seen("rows", "Wide", "rows of k")});
  EXPECT_EQ(named.advice->misconception, "rows");
  EXPECT_EQ(named.advice->test, "Suite.Wide");
  EXPECT_FALSE(named.advice->finding) << "the test that the evidence names has none";
  EXPECT_EQ(named.advice->later, Names{"empty_grid"});
  const ExerciseResult refused =
      Result({Refused("Empty"), Refused("Some")}, {Seen("grid", "Some", "a launch was refused")});
  ASSERT_TRUE(refused.advice->finding);
  EXPECT_EQ(refused.advice->finding->count, 2u) << "in both tests";
  const ExerciseResult unnamed = Result({Wrong("Wide"), Wrong("Tall")});
  EXPECT_EQ(unnamed.advice->misconception, "");
  EXPECT_EQ(unnamed.advice->test, "Suite.Wide");
  EXPECT_EQ(Result({Passed("P")}).advice->test, "");
}

/// A grid that is too small is seen in the elements that it leaves out. Where it is large enough for any
/// block, its threads read outside, too.
/// "Only 8 of 1,200 bytes": the numbers are those of the test below.
TEST(Advise, AFactThatComesFirstIsShownInItsOwnTest) {
  ExerciseResult result;
  result.tests = {Wrong("a"), Wrong("b")};
  result.facts = std::vector{Seen("x", "b", "3 of 4 bytes", {"a", "b"})};
  MisconceptionText text{"cause", "title", "message", "", {"x"}};
  Advise(std::vector{text}, result);
  EXPECT_EQ(result.advice->test, "Suite.a");
  text.fact_first = true;
  result.advice.reset();
  Advise(std::vector{text}, result);
  EXPECT_EQ(result.advice->test, "Suite.b");
}

TEST(Advise, AnAccessOutsideInSomeTestsIsNoSignOfTheirCause) {
  const std::vector<Fact> grid = {
      Seen("grid", "Wide", "the last rows are not stored", {"Small", "Wide", "Tall"})};
  const ExerciseResult some = Result({Refused("Small"), Outside("Wide", "N", 3), Wrong("Tall")}, grid);
  EXPECT_EQ(some.advice->misconception, "grid");
  EXPECT_FALSE(some.advice->finding);
  const ExerciseResult all =
      Result({Outside("Small", "N", 3), Outside("Wide", "N", 3), Outside("Tall", "N", 3)}, grid);
  EXPECT_TRUE(all.advice->finding);
}

TEST(Advise, AnEndlessLoopComesBeforeTheBarrierThatItsThreadsMiss) {
  const Finding loop = AFinding(FindingKind::kEndlessLoop),
                barrier = AFinding(FindingKind::kDivergentBarrier);
  Fact fact = Seen("barrier", "Edge", "different barriers");
  fact.finding = barrier;
  const ExerciseResult both = Result(
      {ATest("All", Verdict::kTimeLimit, 0, {loop}), ATest("Edge", Verdict::kTimeLimit, 0, {barrier, loop})},
      {fact});
  EXPECT_EQ(Order(both), "");
  EXPECT_EQ(both.next_step, "advice of All");
  const ExerciseResult apart = Result(
      {ATest("All", Verdict::kTimeLimit, 0, {loop}), ATest("Edge", Verdict::kFinding, 0, {barrier})}, {fact});
  EXPECT_EQ(Order(apart), "barrier 1") << "another mistake";
}

TEST(Advise, ADivergentBarrierComesBeforeTheRacesThatFollowFromIt) {
  Finding race = AFinding(FindingKind::kRace);
  race.space = MemorySpace::kShared;
  const Finding barrier = AFinding(FindingKind::kDivergentBarrier);
  const Fact fact = Seen("race_in_shared", "Both", "a race");
  const TestResult both = ATest("Both", Verdict::kFinding, 0, {barrier, race});
  EXPECT_EQ(Order(Result({both}, {fact})), "");
  EXPECT_EQ(Result({both}, {fact}).next_step, "advice of Both");
  Fact shown = Seen("tile", "Both", "a tile is overwritten");
  shown.finding = race;
  EXPECT_EQ(Order(Result({both}, {shown})), "");
  EXPECT_EQ(Order(Result({both, ATest("Race", Verdict::kFinding, 0, {race})}, {fact})), "race_in_shared 2")
      << "a race of its own";
  Finding elsewhere = barrier;
  elsewhere.kernel = "another";
  EXPECT_EQ(Order(Result({ATest("Both", Verdict::kFinding, 0, {elsewhere, race})}, {fact})),
            "race_in_shared 1");
}

TEST(Advise, TheFindingBelowAMisconceptionIsOfTheKindThatItsFactIsAbout) {
  Finding race = AFinding(FindingKind::kRace), unset = AFinding(FindingKind::kUninitialised);
  race.where.line = 14;
  unset.where.line = 12;
  const std::vector<TestResult> tests = {ATest("Both", Verdict::kFinding, 0, {unset, race})};
  const auto line_of = [&](const std::string& fact) {
    return Result(tests, {Seen(fact, "Both", "seen")}).advice->finding->where.line;
  };
  EXPECT_EQ(line_of("race_in_shared"), 14);
  EXPECT_EQ(line_of("tile_uninitialised"), 12);
  EXPECT_EQ(line_of("deadlock"), 12) << "there is none of that kind";
  EXPECT_EQ(line_of("traces"), 12) << "that is another word";
}

TestResult WithMissingLanes(const std::string& name, std::uint64_t wrong) {
  Finding shuffle = AFinding(FindingKind::kShuffleAfterExit);
  shuffle.severity = Severity::kError;
  shuffle.where.line = 30;
  TestResult test = ATest(name, Verdict::kFinding, wrong, {shuffle});
  test.advised = 0;
  return test;
}

/// Lanes without an entry return before a shuffle, and rows without entries are not stored in two of the
/// tests.
TEST(Advise, ThreadsThatAreMissingInAllTestsComeBeforeAFactOfSome) {
  const std::vector<TestResult> all = {WithMissingLanes("Row", 0), WithMissingLanes("Gaps", 4),
                                       WithMissingLanes("Any", 2), WithMissingLanes("Wide", 0)};
  const Fact skipped = Seen("row_skipped", "", "nothing is stored", {"Gaps", "Any"});
  const ExerciseResult result = Result(all, {skipped});
  EXPECT_EQ(result.next_step, "advice of Row");
  ASSERT_TRUE(result.advice->finding);
  EXPECT_EQ(result.advice->finding->where.line, 30);
  EXPECT_EQ(result.advice->later, Names{"row_skipped"});
  EXPECT_EQ(
      Result(all, {Seen("row_skipped", "", "nothing is stored", {"Row", "Gaps", "Any", "Wide"})}).next_step,
      "")
      << "the fact holds in all of them, too";
  EXPECT_EQ(Result(all, {skipped, Seen("shuffle_after_exit", "", "seen", {"Row"})}).next_step, "")
      << "a misconception tells of it";
  EXPECT_EQ(Result({all[1], all[2], Wrong("One")}, {skipped}).next_step, "") << "one test fails without it";
}

/// It has a title and a sentence of its own, which are not the fact's.
TEST(Advise, ThreadsThatAreMissingElsewhereTooProveNoFactAboutValues) {
  const Fact skipped = Seen("row_skipped", "Gaps", "nothing is stored", {"Gaps", "Any"});
  const auto shown = [](const ExerciseResult& result) { return result.advice->finding.has_value(); };
  const TestResult gaps = WithMissingLanes("Gaps", 4), any = WithMissingLanes("Any", 2);
  EXPECT_TRUE(shown(Result({gaps, any, Wrong("One")}, {skipped})));
  EXPECT_FALSE(shown(Result({gaps, any, WithMissingLanes("Row", 0), Wrong("One")}, {skipped})));
}

TEST(KindOfFact, IsTheOneThatItsIdNames) {
  EXPECT_EQ(KindOfFact("race_in_shared"), FindingKind::kRace);
  EXPECT_EQ(KindOfFact("scan_race_between_streams"), FindingKind::kRaceBetweenStreams);
  EXPECT_EQ(KindOfFact("reads_outside"), FindingKind::kOutOfBounds);
  EXPECT_EQ(KindOfFact("leak"), FindingKind::kLeak);
  EXPECT_FALSE(KindOfFact("braces"));
}

/// A name for the finding that the advice is about would be the same mistake once more.
TEST(AdviceToShow, NamesNoFindingTwice) {
  ExerciseResult result;
  Finding unset = AFinding(FindingKind::kUninitialised);
  unset.where.line = 65;
  TestResult test = ATest("Equal", Verdict::kFinding, 3, {unset});
  test.advised = 0;
  result.tests = {test};
  result.next_step = test.next_step;
  result.misconceptions = {{"tile_not_filled", "Unset", "", "", Names{"Suite.Equal"}, unset},
                           {"another", "Another", "", "", Names{"Suite.Equal"}}};
  EXPECT_EQ(AdviceToShow(result).later, Names{"another"});
  result.misconceptions[0].finding->where.line = 66;
  EXPECT_EQ(AdviceToShow(result).later, (Names{"tile_not_filled", "another"}));
}

TEST(AdviseStored, GoesByWhatAnOlderVersionDecided) {
  ExerciseResult result;
  result.tests = {Refused("Empty"), Wrong("Wide")};
  result.misconceptions = {{"rows", "Rows", "", "\"title of Wide\": rows of k", Names{"Suite.Wide"}},
                           {"empty_grid", "Grid", "", "", Names{"Suite.Empty"}}};
  AdviseStored(result);
  EXPECT_EQ(result.advice->misconception, "rows");
  EXPECT_EQ(result.advice->test, "Suite.Wide");
  EXPECT_FALSE(result.advice->finding) << "that is of another test";
  EXPECT_EQ(result.advice->later, Names{"empty_grid"});

  result.advice->later.clear();
  AdviseStored(result);
  EXPECT_TRUE(result.advice->later.empty()) << "what was decided stays";

  ExerciseResult not_built;
  AdviseStored(not_built);
  EXPECT_FALSE(not_built.advice);
}

}  // namespace
}  // namespace warplings
