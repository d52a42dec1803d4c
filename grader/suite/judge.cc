// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/judge.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include "grader/core/limit_facts.h"
#include "grader/messages/device_work.h"
#include "grader/messages/joining.h"
#include "grader/messages/judging.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/run_memory.h"
#include "grader/suite/speed_estimate.h"
#include "grader/suite/speed_measurement.h"
#include "grader/suite/suite_messages.h"

namespace warplings {
namespace {

/// The state that tests reach through the free functions of judge.h.
struct Run {
  explicit Run(const SuiteOrder& order) : session(order) {}
  JudgeSession session;
  std::optional<TestResult> recorded;
  bool all_passed = true;
  Message left_behind;  ///< The first test in which a call depended on those before, and what it showed.
};
Run* current_run = nullptr;

std::string FullName(const testing::TestInfo& info) {
  return std::string(info.test_suite_name()) + "." + info.name();
}

/// The results go to a descriptor of their own; whoever does not read them wants nothing more of us.
class ResultWriter {
 public:
  explicit ResultWriter(int fd) : fd_(fd) {}
  void Write(const SuiteLine& line) const {
    const std::string text = WriteLine(line);
    for (std::size_t written = 0; written < text.size();) {
      const ssize_t n = ::write(fd_, text.data() + written, text.size() - written);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) ::_exit(1);
      written += static_cast<std::size_t>(n);
    }
  }

 private:
  int fd_;
};

class Listener final : public testing::EmptyTestEventListener {
 public:
  Listener(Run& run, const ResultWriter& writer) : run_(run), writer_(writer) {}

  void OnTestStart(const testing::TestInfo& info) override {
    run_.recorded.reset();
    run_.session.UseDevices("");
    run_.session.TakePrinted();
    writer_.Write(SuiteStart{FullName(info)});
  }

  void OnTestEnd(const testing::TestInfo& info) override {
    TestResult result = run_.recorded.value_or(TestResult{});
    result.name = FullName(info);
    result.printed = run_.session.TakePrinted();
    result.seconds = static_cast<double>(info.result()->elapsed_time()) / 1000;
    if (const Message fault = SuiteFault(info); !fault.empty()) {
      result.verdict = Verdict::kGraderFault;
      result.reason = fault;
      result.next_step = say::fault_of_suite();
    }
    if (run_.left_behind.empty() && run_.session.depends_on_earlier_calls()) {
      // That values are wrong says nothing about earlier calls.
      const bool was_called_anew = say::depends_on_earlier_calls.Made(result.next_step);
      const bool is_endless = result.verdict == Verdict::kTimeLimit;
      run_.left_behind =
          say::of_test(std::string(info.name()),
                       was_called_anew ? say::other_as_first_call(result.next_step.arguments().front().text)
                       : is_endless    ? say::ends_only_once()
                                       : result.reason);
    }
    run_.all_passed = run_.all_passed && result.verdict == Verdict::kPassed;
    writer_.Write(std::move(result));
  }

 private:
  Message SuiteFault(const testing::TestInfo& info) const {
    for (int i = 0; i < info.result()->total_part_count(); ++i) {
      const testing::TestPartResult& part = info.result()->GetTestPartResult(i);
      if (part.failed()) return say::test_failed_itself(part.message());
    }
    return run_.recorded ? Message() : say::test_recorded_nothing();
  }

  Run& run_;
  const ResultWriter& writer_;
};

struct Arguments {
  int order_fd = -1, result_fd = -1;
};

std::optional<int> ParseFd(const char* text) {
  int fd = -1;
  const auto [end, fault] = std::from_chars(text, text + std::strlen(text), fd);
  if (fault != std::errc() || *end != '\0' || fd < 3) return std::nullopt;
  return fd;
}

std::optional<Arguments> ParseArguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option(argv[i]);
    const auto fd = ParseFd(argv[i + 1]);
    if (!fd) return std::nullopt;
    if (option == "--order-fd") arguments.order_fd = *fd;
    if (option == "--result-fd") arguments.result_fd = *fd;
  }
  if (argc != 5 || arguments.order_fd < 0 || arguments.result_fd < 0) return std::nullopt;
  return arguments;
}

std::string ReadAll(int fd) {
  std::string text;
  std::array<char, 4096> bytes;
  for (ssize_t n; (n = ::read(fd, bytes.data(), bytes.size())) > 0;) {
    text.append(bytes.data(), static_cast<std::size_t>(n));
  }
  return text;
}

int Fail(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  return 3;
}

Observer& TheObserver() {
  static Observer observer;
  return observer;
}

Explainer& TheExplainer() {
  static Explainer explainer;
  return explainer;
}

Grading& TheGrading() {
  static Grading grading;
  return grading;
}

TimedShapes& TheTimedShapes() {
  static TimedShapes shapes;
  return shapes;
}

/// What the suite registered, and speed if it registered shapes.
Grading WholeGrading() {
  Grading grading = TheGrading();
  if (TheTimedShapes()) grading.header.emplace_back(kOfSpeed);
  return grading;
}

void SetUpGoogleTest(testing::TestEventListener* listener) {
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(listener);
}

SuiteEnd EndOf(Run& run) {
  SuiteEnd end;
  // Explainer and observer, below, make calls of their own, which may print and load kernels: everything
  // else is recorded before.
  end.resources = run.session.resources();
  end.student_output = run.session.student_output();
  end.card_kernels = run.session.card_kernels();
  // Explainer and observer infer from single calls how the function computes. Where a result depends on
  // earlier calls, one call shows nothing about others of the same sizes: that is the only fact.
  if (run.session.depends_on_earlier_calls()) {
    AddFact(end.facts, "depends_on_earlier_calls", run.left_behind);
    return end;
  }
  if (TheExplainer() && !run.all_passed) end.explained = TheExplainer()();
  if (TheObserver()) end.facts = TheObserver()();
  return end;
}

/// Of a submission that is right: what does not compute the product has no speed.
std::optional<SpeedResult> TimeSubmission(const SuiteOrder& order, const Run& run,
                                          const ResultWriter& writer) {
  if (order.speed == SpeedMode::kOff) return std::nullopt;
  if (!run.all_passed) {
    SpeedResult none;
    none.reason = order.speed == SpeedMode::kEstimate ? say::estimated_once_tests_pass()
                                                      : say::measured_once_tests_pass();
    return none;
  }
  const bool rehearsal = order.speed == SpeedMode::kRehearse;
  const SpeedOrder speed{.device_program = order.device_program,
                         .device = order.device,
                         .baseline = order.baseline,
                         .submission = order.worker,
                         .reference = order.reference,
                         .rehearsal = rehearsal,
                         .seed = SeedOfTest(order.seed, kTimedRuns),
                         .memory = MemoryOf(order),
                         .detailed = order.detailed};
  std::vector<TimedShape> shapes;
  if (TheTimedShapes()) shapes = TheTimedShapes()(rehearsal);
  if (order.speed == SpeedMode::kEstimate) return EstimateSpeed(speed, shapes);
  writer.Write(SuiteStart{kTimedRuns});
  SpeedOutcome outcome = MeasureSpeed(speed, shapes);
  writer.Write(std::move(outcome.test));
  return std::move(outcome.speed);
}

/// Facts of the suite's limits, if they are asked for.
void AddLimits(std::vector<Fact>& facts) {
  if (std::getenv(kStateLimits) == nullptr) return;
  for (const auto& [limit, is_broken_alone] : BrokenLimits().noted())
    facts.push_back({(is_broken_alone ? kLimitBrokenAlone : kLimitNoted) + limit, limit});
}

int Judge(const SuiteOrder& order, int result_fd) {
  SetPoison(PoisonOf(order.seed));
  Run run(order);
  KeepOutputMaps(order.detailed);
  const ResultWriter writer(result_fd);
  SetUpGoogleTest(new Listener(run, writer));
  current_run = &run;
  // Its status adds nothing: a failed assertion is in the results already, as a grader fault of its test.
  [[maybe_unused]] const int status = RUN_ALL_TESTS();
  std::optional<SpeedResult> speed = TimeSubmission(order, run, writer);
  SuiteEnd end = EndOf(run);
  AddLimits(end.facts);
  end.speed = std::move(speed);
  writer.Write(std::move(end));
  current_run = nullptr;
  return 0;
}

/// Goes through the tests without a submission. Prints a line for each input: its label, a tab, whether it
/// may have other elements, and what else is to be noted (grading.h). Then one for each output.
int PrintInputs() {
  Run run{SuiteOrder{}};
  run.session.OnlyListInputs();
  SetUpGoogleTest(new testing::EmptyTestEventListener);
  current_run = &run;
  // Without results, a test may complain; it is no matter of its inputs.
  [[maybe_unused]] const int status = RUN_ALL_TESTS();
  current_run = nullptr;
  for (const auto& [label, use] : run.session.inputs()) {
    std::string line = label + "\t" + (use.has_other() ? kHasOther : kStaysAsItIs);
    if (use.never_falls()) line += std::string("\t") + kNeverFalls;
    if (use.never_varies()) line += std::string("\t") + kNeverVaries;
    if (const std::string range = use.narrow_range(); !range.empty())
      line += std::string("\t") + kOnlyFrom + range;
    line += std::string("\t") + kChecksum + std::to_string(use.checksum());
    std::printf("%s\n", line.c_str());
  }
  for (const std::string& label : run.session.outputs()) std::printf("%s\t%s\n", label.c_str(), kIsOutput);
  return 0;
}

std::string NameOfThisTest() {
  return FullName(*testing::UnitTest::GetInstance()->current_test_info());
}

/// What to ask of the first wrong element, by what it holds.
Message NextStepOfWrong(const Comparison& comparison) {
  const WrongElement& first = comparison.wrong.front();
  if (say::never_written.Made(first.note)) return say::who_stores_element(first.where);
  if (first.actual == Message("0")) return say::why_element_is_zero(first.where);
  return say::follow_first_wrong_element(first.where, first.actual, first.expected);
}

}  // namespace

JudgeSession& Session() {
  return current_run->session;
}

RandomValues TestRandom() {
  return RandomValues(SeedOfTest(Session().seed(), NameOfThisTest()));
}

void RecordResult(TestResult result) {
  current_run->recorded = std::move(result);
}

namespace {

/// What crashed or was stopped had no chance to free anything.
void RemoveLeaks(TestResult& result) {
  for (std::size_t i = result.findings.size(); i-- > 0;) {
    if (result.findings[i].kind != FindingKind::kLeak || result.advised == i) continue;
    result.findings.erase(result.findings.begin() + static_cast<std::ptrdiff_t>(i));
    if (result.advised && *result.advised > i) --*result.advised;
  }
}

}  // namespace

TestResult ResultOf(const Message& title, const CallReport& report) {
  TestResult result;
  result.title = title;
  result.verdict = report.verdict;
  result.reason = report.reason;
  result.next_step = report.next_step;
  result.findings = report.findings;
  result.advised = report.advised;
  result.launches = report.launches;
  if (!Returned(result)) RemoveLeaks(result);
  return result;
}

void AddComparison(TestResult& result, const Comparison& comparison, const std::string& array) {
  result.wrong_count += comparison.wrong_count;
  result.element_count += comparison.element_count;
  result.wrong.insert(result.wrong.end(), comparison.wrong.begin(), comparison.wrong.end());
  if (comparison.wrong_count == 0) return;
  if (comparison.map && !result.output_map) {
    result.output_map = comparison.map;
    result.output_map->array = array;
  }
  const bool launched = !result.launches.empty();
  const Message wrong = DescribeWrong(comparison, array);
  AddVerdict(result, Verdict::kWrongResult, launched ? wrong : say::none_launched_and_wrong(wrong),
             launched ? NextStepOfWrong(comparison) : say::follow_host_code(NameOfThisTest()));
}

void AddReturned(TestResult& result, std::int64_t expected, const std::optional<std::int64_t>& got) {
  // A call with a finding has returned, too.
  const bool returned = result.verdict == Verdict::kPassed || result.verdict == Verdict::kWrongResult ||
                        result.verdict == Verdict::kFinding;
  if (!returned) return;
  if (!got) {
    AddVerdict(result, Verdict::kProtocolViolation, say::returned_another_type(),
               say::return_what_is_declared());
    return;
  }
  ++result.element_count;
  if (*got == expected) return;
  ++result.wrong_count;
  const std::string right = std::to_string(expected), yours = std::to_string(*got);
  result.wrong.push_back({say::the_returned_value(), right, yours, {}});
  const bool launched = !result.launches.empty();
  const Message wrong = say::returned_wrong(yours, right);
  AddVerdict(result, Verdict::kWrongResult, launched ? wrong : say::none_launched_and_wrong(wrong),
             launched ? say::follow_returned_value(yours, right) : say::follow_host_code(NameOfThisTest()));
}

void AddVerdict(TestResult& result, Verdict verdict, const Message& reason, const Message& next_step) {
  if (verdict == result.verdict || Worse(result.verdict, verdict) != verdict) return;
  result.verdict = verdict;
  result.reason = reason;
  result.next_step = next_step;
  result.advised.reset();
}

bool ExplainWith(Explainer explainer) {
  TheExplainer() = std::move(explainer);
  return true;
}

bool StateFactsWith(Observer observer) {
  TheObserver() = std::move(observer);
  return true;
}

bool TimeWith(TimedShapes shapes) {
  TheTimedShapes() = std::move(shapes);
  return true;
}

bool GradedBy(Grading grading) {
  TheGrading() = std::move(grading);
  return true;
}

int RunJudge(int argc, char** argv) {
  ::signal(SIGPIPE, SIG_IGN);
  testing::InitGoogleTest(&argc, argv);
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();
  if (argc == 2 && std::string_view(argv[1]) == "--graded") {
    for (const std::string& line : GradingLines(WholeGrading())) std::printf("%s\n", line.c_str());
    return 0;
  }
  if (argc == 2 && std::string_view(argv[1]) == "--inputs") return PrintInputs();
  const auto arguments = ParseArguments(argc, argv);
  if (!arguments) return Fail("usage: SUITE --order-fd N --result-fd M (`warplings check` starts it)");
  // The processes that the session starts shall not hold the results open.
  ::fcntl(arguments->order_fd, F_SETFD, FD_CLOEXEC);
  ::fcntl(arguments->result_fd, F_SETFD, FD_CLOEXEC);
  const auto order = ReadOrder(ReadAll(arguments->order_fd));
  if (!order) return Fail(English(order.error().message));
  return Judge(*order, arguments->result_fd);
}

}  // namespace warplings
