// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/suite_messages.h"

#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "grader/core/json.h"
#include "grader/messages/suite_runs.h"

namespace warplings {
namespace {

using nlohmann::json;

json EndToJson(const SuiteEnd& end) {
  json out = {{"facts", end.facts}, {"resources", end.resources}, {"student_output", end.student_output}};
  if (end.speed) out["speed"] = *end.speed;
  out["card_kernels"] = json::array();
  for (const CardKernel& each : end.card_kernels) {
    out["card_kernels"].push_back({{"kernel", each.kernel}, {"totals", each.totals}});
  }
  out["explained"] = json::array();
  for (const Explained& each : end.explained) {
    out["explained"].push_back(
        {{"test", each.test}, {"explanation", each.explanation}, {"advice", MessageToJson(each.advice)}});
  }
  return out;
}

SuiteEnd EndFromJson(const json& in) {
  SuiteEnd end;
  in.at("facts").get_to(end.facts);
  in.at("resources").get_to(end.resources);
  in.at("student_output").get_to(end.student_output);
  if (in.contains("speed")) end.speed = in["speed"].get<SpeedResult>();
  for (const json& each : in.at("card_kernels")) {
    end.card_kernels.push_back({each.at("kernel").get<std::string>(), each.at("totals").get<Counts>()});
  }
  for (const json& each : in.at("explained")) {
    end.explained.push_back({each.at("test").get<std::string>(), each.at("explanation").get<Explanation>(),
                             MessageFromJson(each.at("advice"))});
  }
  return end;
}

constexpr const char* kSpeedModes[] = {"off", "measure", "rehearse", "estimate"};

SpeedMode SpeedModeOf(const std::string& name) {
  for (const SpeedMode mode :
       {SpeedMode::kOff, SpeedMode::kMeasure, SpeedMode::kRehearse, SpeedMode::kEstimate}) {
    if (name == kSpeedModes[static_cast<int>(mode)]) return mode;
  }
  throw std::runtime_error("speed: has no value '" + name + "'");
}

json WorkerToJson(const WorkerProgram& worker) {
  return {{"file", worker.file.string()}, {"image", worker.image}};
}

WorkerProgram WorkerFromJson(const json& in) {
  return {in.at("file").get<std::string>(), in.at("image").get<std::string>()};
}

SuiteOrder OrderFromJson(const json& in) {
  return {.exercise = in.at("exercise").get<std::string>(),
          .worker = WorkerFromJson(in.at("worker")),
          .device_program = in.at("device_program").get<std::string>(),
          .device = in.at("device").get<std::string>(),
          .card_program = in.at("card_program").get<std::string>(),
          .watcher = in.at("watcher").get<std::string>(),
          .card_decides = in.at("card_decides").get<bool>(),
          .seed = in.at("seed").get<std::uint64_t>(),
          .memory_bytes = in.at("memory_bytes").get<std::uint64_t>(),
          .answers = in.at("answers").get<std::string>(),
          .detailed = in.at("detailed").get<bool>(),
          .speed = SpeedModeOf(in.at("speed").get<std::string>()),
          .baseline = WorkerFromJson(in.at("baseline")),
          .reference = WorkerFromJson(in.at("reference"))};
}

SuiteLine LineFromJson(const json& in) {
  if (in.contains("start")) return SuiteStart{in["start"].get<std::string>()};
  if (in.contains("test")) return in["test"].get<TestResult>();
  return EndFromJson(in.at("end"));
}

/// nlohmann's readers throw; the stage does not.
template <class Reader>
auto Guarded(std::string_view text, Reader read) -> Result<decltype(read(json()))> {
  try {
    return read(json::parse(text.begin(), text.end()));
  } catch (const std::exception& fault) {
    return GraderError(say::no_message_of_suite(fault.what()));
  }
}

}  // namespace

std::string WriteOrder(const SuiteOrder& order) {
  return DumpJson({{"exercise", order.exercise},
                   {"worker", WorkerToJson(order.worker)},
                   {"device_program", order.device_program},
                   {"device", order.device},
                   {"card_program", order.card_program},
                   {"watcher", order.watcher},
                   {"card_decides", order.card_decides},
                   {"seed", order.seed},
                   {"memory_bytes", order.memory_bytes},
                   {"answers", order.answers},
                   {"detailed", order.detailed},
                   {"speed", kSpeedModes[static_cast<int>(order.speed)]},
                   {"baseline", WorkerToJson(order.baseline)},
                   {"reference", WorkerToJson(order.reference)}});
}

Result<SuiteOrder> ReadOrder(std::string_view text) {
  return Guarded(text, OrderFromJson);
}

std::string WriteLine(const SuiteLine& line) {
  json out;
  if (const auto* start = std::get_if<SuiteStart>(&line)) out["start"] = start->test;
  if (const auto* test = std::get_if<TestResult>(&line)) out["test"] = *test;
  if (const auto* end = std::get_if<SuiteEnd>(&line)) out["end"] = EndToJson(*end);
  return DumpJson(out) + "\n";
}

Result<SuiteLine> ReadLine(std::string_view line) {
  return Guarded(line, LineFromJson);
}

}  // namespace warplings
