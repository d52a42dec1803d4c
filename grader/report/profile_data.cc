// SPDX-License-Identifier: Apache-2.0
#include "grader/report/profile_data.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "grader/advice/finding_groups.h"
#include "grader/base/catalogue.h"
#include "grader/base/language.h"
#include "grader/base/reflect.h"
#include "grader/base/text.h"
#include "grader/core/json.h"
#include "grader/device/occupancy.h"
#include "grader/report/counts_text.h"
#include "grader/report/finding_text.h"
#include "grader/report/first_failure.h"
#include "grader/report/result_words.h"
#include "grader/report/source_quotes.h"
#include "grader/timing/estimate.h"
#include "grader/timing/roofline.h"

namespace warplings {
namespace {

using nlohmann::json;

std::uint64_t SectorsOf(const Counts& counts) {
  return counts.global_load_sectors + counts.global_store_sectors + counts.global_atomic_sectors;
}
std::uint64_t GlobalRequestsOf(const Counts& counts) {
  return counts.global_load_requests + counts.global_store_requests + counts.global_atomic_requests;
}
std::uint64_t SharedRequestsOf(const Counts& counts) {
  return counts.shared_load_requests + counts.shared_store_requests + counts.shared_atomic_requests;
}
std::uint64_t WavefrontsOf(const Counts& counts) {
  return counts.shared_load_wavefronts + counts.shared_store_wavefronts;
}
std::uint64_t ConflictsOf(const Counts& counts) {
  return counts.shared_load_conflicts + counts.shared_store_conflicts + counts.shared_atomic_conflicts;
}

/// Null where there is nothing to divide by.
json RatioOf(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? json() : json(static_cast<double>(part) / static_cast<double>(whole));
}

Counts TotalsOf(const TestResult& test) {
  Counts totals;
  for (const LaunchRecord& launch : test.launches) totals += launch.totals;
  return totals;
}

std::uint64_t DramBytesOf(const LaunchWork& work) {
  return work.read_bytes + work.written_bytes + work.atomic_bytes;
}

std::optional<timing::Estimate> EstimateOf(const LaunchRecord& launch, const DeviceProfile& card) {
  if (!launch.work || !launch.completed || launch.work->has_matrix_operations) return std::nullopt;
  return timing::EstimateLaunch(launch, *launch.work, card);
}

void AddWaits(const timing::Waits& more, timing::Waits& sum) {
  for (const auto wait :
       {&timing::Waits::arithmetic, &timing::Waits::shared, &timing::Waits::global, &timing::Waits::barriers})
    sum.*wait += more.*wait;
}

/// The sum of all launches' estimates, with the bound of the longest, as an estimate of speed has it
/// (suite/speed_estimate.cc). Nothing where one of them has no estimate.
std::optional<timing::Estimate> EstimateOf(const TestResult& test, const DeviceProfile& card) {
  if (test.launches.empty()) return std::nullopt;
  timing::Estimate sum;
  double longest = 0;
  for (const LaunchRecord& launch : test.launches) {
    const auto one = EstimateOf(launch, card);
    if (!one) return std::nullopt;
    if (one->seconds > longest) sum.bound = one->bound;
    longest = std::max(longest, one->seconds);
    for (const auto part : {&timing::Estimate::seconds, &timing::Estimate::dram, &timing::Estimate::l2,
                            &timing::Estimate::load_store, &timing::Estimate::lines, &timing::Estimate::issue,
                            &timing::Estimate::units, &timing::Estimate::atomics, &timing::Estimate::blocks,
                            &timing::Estimate::latency})
      sum.*part += (*one).*part;
    AddWaits(one->waits, sum.waits);
  }
  return sum;
}

/// How long each part of the card would take alone, in seconds.
json PartsOf(const timing::Estimate& estimate, std::size_t launches) {
  return {{"launch", static_cast<double>(launches) * timing::EstimateModel().launch_seconds},
          {"dram", estimate.dram},
          {"l2", estimate.l2},
          {"lines", estimate.lines},
          {"shared", estimate.load_store - estimate.lines},
          {"issue", estimate.issue},
          {"units", estimate.units},
          {"atomics", estimate.atomics},
          {"blocks", estimate.blocks},
          {"latency", estimate.latency}};
}

json WaitsOf(const timing::Waits& waits) {
  return {{"arithmetic", waits.arithmetic},
          {"shared", waits.shared},
          {"global", waits.global},
          {"barriers", waits.barriers}};
}

json DramOf(const TestResult& test) {
  std::uint64_t bytes = 0;
  for (const LaunchRecord& launch : test.launches) {
    if (!launch.work) return {};
    bytes += DramBytesOf(*launch.work);
  }
  return bytes;
}

/// The one that takes the longest; where a time is unknown, the one that executes most.
const LaunchRecord& LongestLaunch(const TestResult& test, const DeviceProfile& card) {
  const bool is_timed = EstimateOf(test, card).has_value();
  return *std::ranges::max_element(test.launches, {}, [&](const LaunchRecord& launch) {
    return is_timed ? EstimateOf(launch, card)->seconds
                    : static_cast<double>(launch.totals.warp_instructions);
  });
}

/// Lanes of a warp that execute an instruction, on average. Conditional branches are left out: all lanes
/// decide where to go, but only those that jump are counted. Null where nothing else was executed.
json ActiveLanesOf(const Counts& counts) {
  return RatioOf(counts.thread_instructions - counts.lanes_that_branch,
                 counts.warp_instructions - counts.conditional_branches);
}

/// What a test's figures and a line's have in common.
json FiguresOf(const Counts& counts) {
  return {{"active_lanes", ActiveLanesOf(counts)},
          {"global_requests", GlobalRequestsOf(counts)},
          {"sectors", SectorsOf(counts)},
          {"sectors_per_request", RatioOf(SectorsOf(counts), GlobalRequestsOf(counts))},
          {"shared_requests", SharedRequestsOf(counts)},
          {"wavefronts", WavefrontsOf(counts)},
          {"conflicts", ConflictsOf(counts)},
          {"conflicts_per_request", RatioOf(ConflictsOf(counts), SharedRequestsOf(counts))},
          {"global_atomic_passes", counts.global_atomic_passes},
          {"shared_atomic_passes", counts.shared_atomic_passes},
          {"barriers", counts.barriers},
          {"divergent_branches", counts.divergent_branches},
          {"flops", counts.flops}};
}

json FiguresOf(const TestResult& test, const DeviceProfile& card) {
  const Counts counts = TotalsOf(test);
  json figures = FiguresOf(counts);
  figures["verdict"] = VerdictName(test.verdict);
  figures["launches"] = test.launches.size();
  const auto estimate = EstimateOf(test, card);
  figures["seconds"] = estimate ? json(estimate->seconds) : json();
  figures["bound"] = estimate ? json(reflect::NameOf(estimate->bound)) : json();
  figures["bound_words"] = estimate ? English(timing::NameOf(estimate->bound)) : std::string();
  figures["parts"] = estimate ? PartsOf(*estimate, test.launches.size()) : json();
  figures["waits"] = estimate ? WaitsOf(estimate->waits) : json();
  figures["dram_bytes"] = DramOf(test);
  figures["warp_instructions"] = counts.warp_instructions;
  if (test.launches.empty()) return figures;
  const LaunchRecord& longest = LongestLaunch(test, card);
  figures["kernel"] = Printable(longest.kernel);
  figures["registers"] = longest.registers;
  figures["occupancy"] = longest.blocks_per_sm == 0 ? json() : json(longest.occupancy);
  return figures;
}

// --- Occupancy. ----------------------------------------------------------------------------------

BlockShape ShapeOf(const LaunchRecord& launch) {
  return {static_cast<std::uint32_t>(launch.block.Volume()), launch.registers, launch.static_shared_bytes,
          launch.dynamic_shared_bytes};
}

json LimitsOf(std::uint32_t limits) {
  json names = json::array();
  for (const auto& [bit, name] :
       {std::pair(kLimitThreads, "threads"), std::pair(kLimitRegisters, "registers"),
        std::pair(kLimitSharedMemory, "shared"), std::pair(kLimitBlocks, "blocks")}) {
    if (limits & bit) names.push_back(name);
  }
  return names;
}

/// One thing changed, all else as it is.
json Change(const std::string& what, std::uint64_t from, std::uint64_t to, const BlockShape& shape,
            const DeviceProfile& card) {
  return {{"what", what},
          {"from", from},
          {"to", to},
          {"blocks", BlocksPerMultiprocessor(card, shape)},
          {"occupancy", Occupancy(card, shape)}};
}

/// The least change of each kind that lets more warps be resident.
json ChangesFor(const BlockShape& now, const DeviceProfile& card) {
  json changes = json::array();
  const double before = Occupancy(card, now);
  const auto gains = [&](const BlockShape& shape) { return Occupancy(card, shape) > before + 1e-9; };
  constexpr std::uint32_t kFewestRegisters = 16;
  for (BlockShape shape = now; shape.registers > kFewestRegisters;) {
    --shape.registers;
    if (!gains(shape)) continue;
    changes.push_back(Change("registers", now.registers, shape.registers, shape, card));
    break;
  }
  const std::uint32_t shared = now.static_shared_bytes + now.dynamic_shared_bytes;
  constexpr std::uint32_t kStep = 128;
  for (std::uint32_t less = kStep; less <= shared; less += kStep) {
    BlockShape shape = now;
    shape.static_shared_bytes = 0;
    shape.dynamic_shared_bytes = shared - less;
    if (!gains(shape)) continue;
    changes.push_back(Change("shared", shared, shared - less, shape, card));
    break;
  }
  std::optional<BlockShape> best;
  for (const std::uint32_t threads : {32u, 64u, 96u, 128u, 192u, 256u, 384u, 512u, 768u, 1024u}) {
    BlockShape shape = now;
    shape.threads = threads;
    if (gains(shape) && (!best || Occupancy(card, shape) > Occupancy(card, *best))) best = shape;
  }
  if (best) changes.push_back(Change("threads", now.threads, best->threads, *best, card));
  return changes;
}

json OccupancyData(const LaunchRecord& launch, const DeviceProfile& card) {
  if (launch.blocks_per_sm == 0) return {};
  const BlockShape shape = ShapeOf(launch);
  const Residency residency = ResidencyOn(card, shape);
  const auto blocks = static_cast<std::uint64_t>(card.multiprocessors) * residency.blocks;
  const std::uint32_t unit = std::max(AllocationUnitsOf(card).shared_bytes, 1u);
  const std::uint32_t shared =
      shape.static_shared_bytes + shape.dynamic_shared_bytes + card.reserved_shared_bytes_per_block;
  return {
      {"blocks", residency.blocks},
      {"share", Occupancy(card, shape)},
      {"shared_bytes", (shared + unit - 1) / unit * unit},
      {"limits", LimitsOf(residency.limits)},
      {"changes", ChangesFor(shape, card)},
      {"waves",
       blocks == 0 ? json() : json(static_cast<double>(launch.grid.Volume()) / static_cast<double>(blocks))}};
}

// --- The test that is shown in full. -------------------------------------------------------------

/// Launches of one kernel in one shape.
struct LaunchKind {
  LaunchRecord sum;
  std::uint64_t times = 0;
  std::optional<double> seconds = 0;  ///< Nothing where one of them has no estimate.
  std::string bound;                  ///< Of the first.
  timing::Waits waits;
};

json LaunchData(const LaunchKind& kind, const DeviceProfile& card) {
  const LaunchRecord& launch = kind.sum;
  json data = {{"kernel", Printable(launch.kernel)},
               {"times", kind.times},
               {"grid", launch.grid},
               {"block", launch.block},
               {"registers", launch.registers},
               {"local_bytes", launch.local_bytes},
               {"shared_bytes", launch.static_shared_bytes + launch.dynamic_shared_bytes},
               {"warps", (launch.block.Volume() + 31) / 32},
               {"completed", launch.completed},
               {"occupancy", OccupancyData(launch, card)},
               {"totals", launch.totals},
               {"seconds", kind.seconds ? json(*kind.seconds) : json()},
               {"bound", kind.bound},
               {"waits", kind.seconds ? WaitsOf(kind.waits) : json()},
               {"dram_bytes", nullptr}};
  if (launch.work) data["dram_bytes"] = DramBytesOf(*launch.work);
  return data;
}

LaunchKind& KindOf(const LaunchRecord& launch, std::vector<LaunchKind>& kinds) {
  const auto same = std::ranges::find_if(kinds, [&](const LaunchKind& kind) {
    const LaunchRecord& known = kind.sum;
    return known.kernel == launch.kernel && known.grid == launch.grid && known.block == launch.block &&
           known.dynamic_shared_bytes == launch.dynamic_shared_bytes;
  });
  if (same != kinds.end()) return *same;
  LaunchKind& kind = kinds.emplace_back();
  kind.sum = launch;
  kind.sum.totals = {};
  if (kind.sum.work) kind.sum.work = LaunchWork{};
  return kind;
}

json LaunchesData(const std::vector<LaunchRecord>& launches, const DeviceProfile& card) {
  std::vector<LaunchKind> kinds;
  for (const LaunchRecord& launch : launches) {
    LaunchKind& kind = KindOf(launch, kinds);
    ++kind.times;
    kind.sum.totals += launch.totals;
    kind.sum.completed = kind.sum.completed && launch.completed;
    if (kind.sum.work && launch.work) *kind.sum.work += *launch.work;
    const auto estimate = EstimateOf(launch, card);
    if (!estimate) kind.seconds.reset();
    if (!estimate || !kind.seconds) continue;
    *kind.seconds += estimate->seconds;
    AddWaits(estimate->waits, kind.waits);
    if (kind.bound.empty()) kind.bound = English(timing::NameOf(estimate->bound));
  }
  constexpr std::size_t kMostKinds = 32;
  json data = json::array();
  for (const LaunchKind& kind : kinds) {
    if (data.size() < kMostKinds) data.push_back(LaunchData(kind, card));
  }
  return data;
}

bool IsOfSubmission(const SourceLine& where) {
  return where.line > 0 && where.file.starts_with(kSubmissionFolder);
}

/// What lines of the student's file did, over all launches; what headers and lines without a number did is
/// under line 0.
json LinesData(const std::vector<LaunchRecord>& launches) {
  std::map<int, Counts> lines;
  for (const LaunchRecord& launch : launches) {
    for (const LineCounts& each : launch.lines) {
      lines[IsOfSubmission(each.where) ? each.where.line : 0] += each.counts;
    }
  }
  json data = json::array();
  for (const auto& [line, counts] : lines) {
    json figures = FiguresOf(counts);
    figures["line"] = line;
    figures["executed"] = counts.warp_instructions;
    data.push_back(std::move(figures));
  }
  return data;
}

/// `launch`: which launch of the test it was, from 0.
json AccessesData(const std::vector<LaunchRecord>& launches) {
  json data = json::array();
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (!launches[i].accesses) continue;
    for (const AccessSample& sample : *launches[i].accesses) {
      if (!IsOfSubmission(sample.where)) continue;
      json entry = sample;
      entry.erase("where");
      entry["object"] = Printable(sample.object);
      entry["line"] = sample.where.line;
      entry["launch"] = i;
      entry["kernel"] = Printable(launches[i].kernel);
      data.push_back(std::move(entry));
    }
  }
  return data;
}

json FindingData(const Finding& finding, const SourceQuotes& quotes, std::size_t tests = 1) {
  json lines = json::array();
  for (const SourceLine& where : {finding.where, finding.other.value_or(SourceLine{})}) {
    if (IsOfSubmission(where)) lines.push_back(where.line);
  }
  json details = json::array();
  for (const Message& detail : FindingDetails(finding, quotes)) details.push_back(PrintableWords(detail));
  return {{"severity", finding.severity == Severity::kError ? "error" : "warning"},
          {"heading", PrintableWords(FindingHeading(finding, tests))},
          {"details", std::move(details)},
          {"lines", std::move(lines)}};
}

json FindingsData(const std::vector<Finding>& findings, const SourceQuotes& quotes) {
  json data = json::array();
  for (const Finding& finding : findings) data.push_back(FindingData(finding, quotes));
  return data;
}

/// The finding that the first advice is about, of all tests together, as a terminal shows it; or null.
json AdvisedFinding(const ExerciseResult& result, const SourceQuotes& quotes) {
  if (!result.advice || !result.advice->finding) return {};
  const auto groups = GroupsOf(*result.advice->finding, result.tests);
  if (groups.empty()) return {};
  const MergedFinding& merged = groups.front().findings.front();
  Finding finding = *result.advice->finding;
  finding.count = merged.finding.count;
  return FindingData(finding, quotes, merged.tests);
}

const Finding* ErrorOf(const TestResult& test) {
  const auto error = std::ranges::find(test.findings, Severity::kError, &Finding::severity);
  return error == test.findings.end() ? nullptr : &*error;
}

/// The first test with an error, where the one that is shown has none; or null.
json ErrorElsewhere(const ExerciseResult& result, const TestResult* shown) {
  if (shown == nullptr || ErrorOf(*shown) != nullptr) return {};
  for (const TestResult& test : result.tests) {
    const Finding* error = ErrorOf(test);
    if (error == nullptr) continue;
    return {
        {"name", test.name}, {"title", TitleOf(test)}, {"finding", PrintableWords(FindingSubject(*error))}};
  }
  return {};
}

json TestData(const TestResult& test, const DeviceProfile& card, const SourceQuotes& quotes) {
  const bool is_sample = std::ranges::any_of(
      test.launches, [](const LaunchRecord& launch) { return launch.sampled_blocks.has_value(); });
  json data = {{"name", test.name},
               {"is_timed_call", test.name == kTimedCall},
               {"is_sample", is_sample},
               {"title", TitleOf(test)},
               {"verdict", VerdictName(test.verdict)},
               {"reason", PrintableWords(test.reason)},
               {"next_step", PrintableWords(test.next_step)},
               {"wrong_count", test.wrong_count},
               {"element_count", test.element_count},
               {"figures", FiguresOf(test, card)},
               {"launches", LaunchesData(test.launches, card)},
               {"lines", LinesData(test.launches)},
               {"accesses", AccessesData(test.launches)},
               {"findings", FindingsData(test.findings, quotes)},
               {"output_map", nullptr}};
  if (test.output_map) data["output_map"] = *test.output_map;
  return data;
}

json WordsOf(const std::vector<Message>& messages) {
  json words = json::array();
  for (const Message& message : messages) words.push_back(PrintableWords(message));
  return words;
}

/// Of whichever test has one.
json ExplanationData(const std::vector<TestResult>& tests) {
  for (const TestResult& test : tests) {
    if (!test.explanation) continue;
    json data = *test.explanation;
    for (const char* key : {"call_data", "facts_data"}) data.erase(key);  // The page shows words.
    data["call"] = PrintableWords(test.explanation->call);
    data["facts"] = WordsOf(test.explanation->facts);
    data["test"] = TitleOf(test);
    return data;
  }
  return {};
}

json TestsData(const std::vector<TestResult>& tests) {
  json data = json::array();
  for (const TestResult& test : tests) {
    data.push_back({{"name", test.name},
                    {"title", TitleOf(test)},
                    {"verdict", VerdictName(test.verdict)},
                    {"launches", test.launches.size()}});
  }
  return data;
}

json CardData(const DeviceProfile& card) {
  return {{"id", card.id},
          {"name", card.name},
          {"multiprocessors", card.multiprocessors},
          {"max_threads", card.max_threads_per_multiprocessor},
          {"max_blocks", card.max_blocks_per_multiprocessor},
          {"registers", card.registers_per_multiprocessor},
          {"shared_bytes", card.shared_bytes_per_multiprocessor},
          {"reserved_shared_bytes", card.reserved_shared_bytes_per_block},
          {"peak_flops", timing::PeakFlopsPerSecond(card)},
          {"peak_bytes", timing::PeakBytesPerSecond(card)}};
}

json BesideData(const std::vector<ProfiledRun>& runs, const std::string& test) {
  json data = json::array();
  for (const ProfiledRun& run : runs) {
    const auto figures = FromJson<json>(run.figures);
    if (!figures || !figures->is_object()) continue;
    const auto of_test = figures->find(test);
    if (of_test != figures->end()) data.push_back({{"name", run.name}, {"figures", *of_test}});
  }
  return data;
}

/// As in the result, but without what the page shows of the call, and with titles in the reader's language.
json SpeedData(const SpeedResult& speed) {
  json data = speed;
  for (std::size_t i = 0; i < speed.shapes.size(); ++i)
    data["shapes"][i]["title"] = PrintableWords(speed.shapes[i].title);
  if (!data.contains("estimate")) return data;
  data["estimate"]["title"] = PrintableWords(speed.estimate->title);
  for (const char* program : {"baseline", "submission"}) data["estimate"][program].erase("launches");
  return data;
}

/// In the words of a terminal. None where the tests' own advice comes first: the page shows that, or the
/// first misconception.
json MisconceptionsData(const ExerciseResult& result) {
  json data = json::array();
  if (!NameComesFirst(result)) return data;
  for (const Misconception& each : result.misconceptions) {
    // Where the fact is the title, the evidence has the same words.
    const Message seen = each.fact_first.value_or(false) ? Message() : SeenInBriefly(each, result);
    data.push_back({{"title", FirstWordsOf(each)},
                    {"message", PrintableWords(StepOf(each))},
                    {"evidence", PrintableWords(each.evidence)},
                    {"seen", PrintableWords(seen)}});
  }
  return data;
}

json DiagnosticsData(const ExerciseResult& result) {
  json data = json::array();
  for (const Diagnostic& each : result.diagnostics) {
    data.push_back(
        {{"line", each.where.file == result.file || IsOfSubmission(each.where) ? each.where.line : 0},
         {"severity", each.severity == Severity::kError ? "error" : "warning"},
         {"message", PrintableWords(each.message)}});
  }
  return data;
}

}  // namespace

std::optional<std::size_t> TestToProfile(const std::vector<TestResult>& tests) {
  std::optional<std::size_t> chosen;
  bool chosen_exceeds = false;
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const bool exceeds = MissesARequirement(tests[i]);
    const TestResult& call = exceeds ? CallOfLimit(tests, tests[i]) : tests[i];
    if (call.launches.empty()) continue;
    if (call.verdict != Verdict::kPassed && !exceeds) return i;
    const std::uint64_t executed = TotalsOf(call).warp_instructions;
    if (chosen && (chosen_exceeds != exceeds ? chosen_exceeds : executed <= most)) continue;
    chosen = static_cast<std::size_t>(&call - tests.data());
    chosen_exceeds = exceeds;
    most = executed;
  }
  return chosen;
}

std::optional<TestResult> TimedCallOf(const std::optional<SpeedResult>& speed,
                                      EstimatedTime SpeedEstimate::*program) {
  if (!speed || !speed->estimate) return std::nullopt;
  const auto& launches = ((*speed->estimate).*program).launches;
  if (!launches || launches->empty()) return std::nullopt;
  TestResult call;
  call.name = kTimedCall;
  call.title = speed->estimate->title;
  call.verdict = Verdict::kPassed;
  call.launches = *launches;
  return call;
}

std::string ProfileFigures(const std::vector<TestResult>& tests, const DeviceProfile& card) {
  json all = json::object();
  for (const TestResult& test : tests) {
    if (!test.launches.empty()) all[test.name] = FiguresOf(test, card);
  }
  return DumpJson(all);
}

std::string ProfileData(const ProfileSource& source) {
  const ExerciseResult& result = *source.result;
  const SourceQuotes quotes = SourceQuotes::OfSubmission(result.file, result.source);
  json data = {{"schema_version", 1},
               {"language", ChosenLanguage()},
               {"chapter", result.chapter},
               {"exercise", result.exercise},
               {"title", result.title},
               {"file", Printable(result.file)},
               {"device", result.device},
               {"seed", std::to_string(result.seed)},
               {"verdict", VerdictName(result.verdict)},
               {"verdict_words", Translated(VerdictWords(result))},
               {"luck", WordsOfLuck(result)},
               {"reason", PrintableWords(result.reason)},
               {"next_step", PrintableWords(result.next_step)},
               {"points", result.points},
               {"max_points", result.max_points},
               {"source", result.source},
               {"card", CardData(*source.card)},
               {"tests", TestsData(result.tests)},
               {"test", nullptr},
               {"explanation", ExplanationData(result.tests)},
               {"misconceptions", MisconceptionsData(result)},
               {"advised", AdvisedFinding(result, quotes)},
               {"error_elsewhere", nullptr},
               {"diagnostics", DiagnosticsData(result)},
               {"beside", json::array()},
               {"previous_left_out", false},
               {"speed", nullptr},
               {"estimate_error", timing::kEstimateRecord.mean_error},
               {"estimate_overlap", timing::EstimateModel().overlap},
               {"measured_counts", result.measured_counts}};
  const TestResult* shown = source.timed_call                   ? &*source.timed_call
                            : source.test < result.tests.size() ? &result.tests[source.test]
                                                                : nullptr;
  if (shown) {
    data["test"] = TestData(*shown, *source.card, quotes);
    data["beside"] = BesideData(source.beside, shown->name);
    data["previous_left_out"] =
        source.has_previous &&
        std::ranges::none_of(data["beside"], [](const json& run) { return run["name"] == "previous"; });
    data["error_elsewhere"] = ErrorElsewhere(result, shown);
  }
  if (result.speed) data["speed"] = SpeedData(*result.speed);
  return DumpJson(data);
}

}  // namespace warplings
