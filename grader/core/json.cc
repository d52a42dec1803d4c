// SPDX-License-Identifier: Apache-2.0
#include "grader/core/json.h"

#include <array>
#include <concepts>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "grader/base/characters.h"
#include "grader/core/exercise_result.h"

namespace warplings {
namespace {

using nlohmann::json;

// --- Enums, written by name. -----------------------------------------------------------------------

std::string_view NameOf(Verdict value) {
  return VerdictName(value);
}
std::string_view NameOf(FindingKind value) {
  return FindingKindName(value);
}
std::string_view NameOf(MemorySpace value) {
  return MemorySpaceName(value);
}
std::string_view NameOf(SpeedStatus value) {
  switch (value) {
    case SpeedStatus::kNotMeasured: return "not_measured";
    case SpeedStatus::kMeasured: return "measured";
    case SpeedStatus::kRehearsed: return "rehearsed";
    case SpeedStatus::kRefused: return "refused";
  }
  return "not_measured";
}
std::string_view NameOf(Severity value) {
  return value == Severity::kWarning ? "warning" : "error";
}
std::string_view NameOf(Access value) {
  switch (value) {
    case Access::kNone: return "none";
    case Access::kRead: return "read";
    case Access::kWrite: return "write";
    case Access::kAtomic: return "atomic";
  }
  return "none";
}

/// Number of values of each enum; its values count up from 0.
template <class Enum>
constexpr int kValueCount = 0;
template <>
constexpr int kValueCount<Verdict> = static_cast<int>(Verdict::kGraderFault) + 1;
template <>
constexpr int kValueCount<FindingKind> = static_cast<int>(FindingKind::kUnsupported) + 1;
template <>
constexpr int kValueCount<MemorySpace> = static_cast<int>(MemorySpace::kParameter) + 1;
template <>
constexpr int kValueCount<Severity> = static_cast<int>(Severity::kError) + 1;
template <>
constexpr int kValueCount<SpeedStatus> = static_cast<int>(SpeedStatus::kRefused) + 1;
template <>
constexpr int kValueCount<Access> = static_cast<int>(Access::kAtomic) + 1;

// --- The members of each struct: the one list that writing and reading walk. ---------------------

template <class S, class T>
concept Is = std::same_as<std::remove_const_t<S>, T>;

void VisitMembers(Is<Dim3> auto& s, auto&& visit) {
  visit("x", s.x);
  visit("y", s.y);
  visit("z", s.z);
}

void VisitMembers(Is<SourceLine> auto& s, auto&& visit) {
  visit("file", s.file);
  visit("line", s.line);
}

void VisitMembers(Is<Finding> auto& s, auto&& visit) {
  visit("kind", s.kind);
  visit("severity", s.severity);
  visit("kernel", s.kernel);
  visit("block", s.block);
  visit("thread", s.thread);
  visit("where", s.where);
  visit("other", s.other);
  visit("space", s.space);
  visit("access", s.access);
  visit("other_access", s.other_access);
  visit("object", s.object);
  visit("object_bytes", s.object_bytes);
  visit("offset_bytes", s.offset_bytes);
  visit("access_bytes", s.access_bytes);
  visit("message", s.message);
  visit("count", s.count);
}

void VisitMembers(Is<Counts> auto& s, auto&& visit) {
  VisitCounts(s, visit);
}

void VisitMembers(Is<LineCounts> auto& s, auto&& visit) {
  visit("where", s.where);
  visit("counts", s.counts);
}

void VisitMembers(Is<LaunchWork> auto& s, auto&& visit) {
  VisitWork(s, visit);
  visit("has_matrix_operations", s.has_matrix_operations);
}

void VisitMembers(Is<AccessSample> auto& s, auto&& visit) {
  visit("where", s.where);
  visit("opcode", s.opcode);
  visit("space", s.space);
  visit("access", s.access);
  visit("block", s.block);
  visit("warp", s.warp);
  visit("phase", s.phase);
  visit("visit", s.visit);
  visit("lanes", s.lanes);
  visit("bytes", s.bytes);
  visit("object", s.object);
  visit("object_bytes", s.object_bytes);
  visit("start", s.start);
  visit("offsets", s.offsets);
  visit("sectors", s.sectors);
  visit("wavefronts", s.wavefronts);
  visit("conflicts", s.conflicts);
  visit("passes", s.passes);
}

void VisitMembers(Is<LaunchRecord> auto& s, auto&& visit) {
  visit("kernel", s.kernel);
  visit("grid", s.grid);
  visit("block", s.block);
  visit("static_shared_bytes", s.static_shared_bytes);
  visit("dynamic_shared_bytes", s.dynamic_shared_bytes);
  visit("registers", s.registers);
  visit("local_bytes", s.local_bytes);
  visit("blocks_per_sm", s.blocks_per_sm);
  visit("occupancy", s.occupancy);
  visit("completed", s.completed);
  visit("totals", s.totals);
  visit("lines", s.lines);
  visit("sampled_blocks", s.sampled_blocks);
  visit("work", s.work);
  visit("accesses", s.accesses);
}

void VisitMembers(Is<WrongElement> auto& s, auto&& visit) {
  visit("where", s.where);
  visit("expected", s.expected);
  visit("actual", s.actual);
  visit("note", s.note);
}

void VisitMembers(Is<Term> auto& s, auto&& visit) {
  visit("times", s.times);
  visit("factors", s.factors);
}

void VisitMembers(Is<ElementFormula> auto& s, auto&& visit) {
  visit("element", s.element);
  visit("stored", s.stored);
  visit("yours", s.yours);
  visit("right", s.right);
}

void VisitMembers(Is<Explanation> auto& s, auto&& visit) {
  visit("call", s.call);
  visit("elements", s.elements);
  visit("facts", s.facts);
  visit("every", s.every);
}

void VisitMembers(Is<OutputMap> auto& s, auto&& visit) {
  visit("array", s.array);
  visit("elements", s.elements);
  visit("columns", s.columns);
  visit("states", s.states);
  visit("expected", s.expected);
  visit("actual", s.actual);
}

void VisitMembers(Is<PrintedText> auto& s, auto&& visit) {
  visit("text", s.text);
  visit("more_lines", s.more_lines);
  visit("more_bytes", s.more_bytes);
}

void VisitMembers(Is<TestResult> auto& s, auto&& visit) {
  visit("name", s.name);
  visit("title", s.title);
  visit("verdict", s.verdict);
  visit("reason", s.reason);
  visit("next_step", s.next_step);
  visit("wrong_count", s.wrong_count);
  visit("element_count", s.element_count);
  visit("wrong", s.wrong);
  visit("findings", s.findings);
  visit("advised", s.advised);
  visit("launches", s.launches);
  visit("output_map", s.output_map);
  visit("explanation", s.explanation);
  visit("printed", s.printed);
  visit("seconds", s.seconds);
}

void VisitMembers(Is<Misconception> auto& s, auto&& visit) {
  visit("id", s.id);
  visit("title", s.title);
  visit("message", s.message);
  visit("evidence", s.evidence);
  visit("tests", s.tests);
  visit("finding", s.finding);
}

void VisitMembers(Is<Diagnostic> auto& s, auto&& visit) {
  visit("severity", s.severity);
  visit("where", s.where);
  visit("column", s.column);
  visit("message", s.message);
}

void VisitMembers(Is<KernelResources> auto& s, auto&& visit) {
  visit("kernel", s.kernel);
  visit("registers", s.registers);
  visit("shared_bytes", s.shared_bytes);
  visit("local_bytes", s.local_bytes);
  visit("constant_bytes", s.constant_bytes);
}

void VisitMembers(Is<Interval> auto& s, auto&& visit) {
  visit("value", s.value);
  visit("low", s.low);
  visit("high", s.high);
}

void VisitMembers(Is<ProgramTime> auto& s, auto&& visit) {
  visit("seconds", s.seconds);
  visit("standard_error", s.standard_error);
  visit("samples", s.samples);
  visit("discarded", s.discarded);
  visit("clock_mhz", s.clock_mhz);
}

void VisitMembers(Is<ShapeSpeed> auto& s, auto&& visit) {
  visit("title", s.title);
  visit("flops", s.flops);
  visit("bytes", s.bytes);
  visit("limit_seconds", s.limit_seconds);
  visit("baseline", s.baseline);
  visit("submission", s.submission);
  visit("reference", s.reference);
  visit("speedup", s.speedup);
  visit("reference_speedup", s.reference_speedup);
  visit("over_reference", s.over_reference);
}

void VisitMembers(Is<EstimatedTime> auto& s, auto&& visit) {
  visit("seconds", s.seconds);
  visit("bound", s.bound);
  visit("dram_bytes", s.dram_bytes);
  visit("sectors", s.sectors);
  visit("wavefronts", s.wavefronts);
  visit("instructions", s.instructions);
}

void VisitMembers(Is<SpeedEstimate> auto& s, auto&& visit) {
  visit("title", s.title);
  visit("card", s.card);
  visit("baseline", s.baseline);
  visit("submission", s.submission);
  visit("speedup", s.speedup);
  visit("checked_on", s.checked_on);
  visit("held_here", s.held_here);
  visit("mean_error", s.mean_error);
  visit("checked_kernels", s.checked_kernels);
}

void VisitMembers(Is<SpeedResult> auto& s, auto&& visit) {
  visit("status", s.status);
  visit("reason", s.reason);
  visit("baseline", s.baseline);
  visit("live_reason", s.live_reason);
  visit("shapes", s.shapes);
  visit("speedup", s.speedup);
  visit("reference_speedup", s.reference_speedup);
  visit("over_reference", s.over_reference);
  visit("graded", s.graded);
  visit("share", s.share);
  visit("max_points", s.max_points);
  visit("seconds", s.seconds);
  visit("estimate", s.estimate);
}

void VisitMembers(Is<ToolReport> auto& s, auto&& visit) {
  visit("tool", s.tool);
  visit("problem", s.problem);
  visit("findings", s.findings);
}

void VisitMembers(Is<MeasuredCount> auto& s, auto&& visit) {
  visit("kernel", s.kernel);
  visit("count", s.count);
  visit("ours", s.ours);
  visit("measured", s.measured);
}

void VisitMembers(Is<ExerciseResult> auto& s, auto&& visit) {
  visit("chapter", s.chapter);
  visit("exercise", s.exercise);
  visit("title", s.title);
  visit("file", s.file);
  visit("device", s.device);
  visit("seed", s.seed);
  visit("verdict", s.verdict);
  visit("reason", s.reason);
  visit("next_step", s.next_step);
  visit("diagnostics", s.diagnostics);
  visit("tests", s.tests);
  visit("misconceptions", s.misconceptions);
  visit("resources", s.resources);
  visit("compiler_output", s.compiler_output);
  visit("student_output", s.student_output);
  visit("speed", s.speed);
  visit("tools", s.tools);
  visit("measured_counts", s.measured_counts);
  visit("points", s.points);
  visit("max_points", s.max_points);
  visit("build_seconds", s.build_seconds);
  visit("run_seconds", s.run_seconds);
}

// --- Messages: the English text under the member's name, the data beside it. ------------------------

std::string DataKey(const char* key) {
  return std::string(key) + "_data";
}

constexpr const char* kArgumentKinds[] = {"text", "name",   "number", "index", "count",
                                          "line", "thread", "test",   "range", "message"};

json ToData(const Message& message);

json ToData(const Argument& argument) {
  const char* kind = kArgumentKinds[static_cast<int>(argument.kind)];
  switch (argument.kind) {
    case Argument::Kind::kText:
    case Argument::Kind::kName:
    case Argument::Kind::kThread: return {{kind, argument.text}};
    case Argument::Kind::kTest: {
      json test = {{kind, argument.text}};
      if (!argument.inner.empty()) test["title"] = ToData(argument.inner.front());
      return test;
    }
    case Argument::Kind::kNumber:
    case Argument::Kind::kIndex:
    case Argument::Kind::kLine: return {{kind, argument.number}};
    case Argument::Kind::kCount: return {{kind, argument.number}, {"of", argument.text}};
    case Argument::Kind::kRange: return {{kind, {argument.number, argument.last}}};
    case Argument::Kind::kMessage: return {{kind, ToData(argument.inner.at(0))}};
  }
  return nullptr;
}

/// Of words only: null.
json ToData(const Message& message) {
  if (!message.IsData()) return message.empty() ? json(nullptr) : json({{"words", message.english()}});
  json arguments = json::array();
  for (const Argument& each : message.arguments()) arguments.push_back(ToData(each));
  return {{"id", message.id()}, {"template", message.english()}, {"arguments", std::move(arguments)}};
}

Message MessageOf(const json& data, int depth);

Argument ArgumentOf(const json& data, int depth) {
  for (int i = 0; i < static_cast<int>(std::size(kArgumentKinds)); ++i) {
    const auto found = data.find(kArgumentKinds[i]);
    if (found == data.end()) continue;
    Argument argument{static_cast<Argument::Kind>(i), {}, 0, 0, {}};
    switch (argument.kind) {
      case Argument::Kind::kText:
      case Argument::Kind::kName:
      case Argument::Kind::kThread: argument.text = found->get<std::string>(); break;
      case Argument::Kind::kTest:
        argument.text = found->get<std::string>();
        if (const auto title = data.find("title"); title != data.end())
          argument.inner.push_back(MessageOf(*title, depth + 1));
        break;
      case Argument::Kind::kCount: argument.text = data.at("of").get<std::string>(); [[fallthrough]];
      case Argument::Kind::kNumber:
      case Argument::Kind::kIndex:
      case Argument::Kind::kLine: argument.number = found->get<std::int64_t>(); break;
      case Argument::Kind::kRange:
        argument.number = found->at(0).get<std::int64_t>();
        argument.last = found->at(1).get<std::int64_t>();
        break;
      case Argument::Kind::kMessage: argument.inner.push_back(MessageOf(*found, depth + 1)); break;
    }
    return argument;
  }
  throw std::runtime_error("an argument of no known kind");
}

Message MessageOf(const json& data, int depth) {
  if (depth > kDeepestMessage) throw std::runtime_error("messages within messages without end");
  if (data.is_null()) return {};
  if (const auto words = data.find("words"); words != data.end()) return words->get<std::string>();
  std::vector<Argument> arguments;
  for (const json& each : data.at("arguments")) arguments.push_back(ArgumentOf(each, depth));
  return {data.at("id").get<std::string>(), data.at("template").get<std::string>(), std::move(arguments)};
}

// --- Writing. ------------------------------------------------------------------------------------

template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

template <class S>
void WriteMembers(json& out, const S& value) {
  out = json::object();
  VisitMembers(value, [&out]<class M>(const char* key, const M& member) {
    if constexpr (std::is_enum_v<M>) {
      out[key] = NameOf(member);
    } else if constexpr (kIsOptional<M>) {
      if constexpr (std::is_enum_v<typename M::value_type>) {
        if (member) out[key] = NameOf(*member);
      } else if (member) {
        out[key] = *member;
      }
    } else if constexpr (std::same_as<M, Message>) {
      out[key] = English(member);
      if (member.IsData()) out[DataKey(key)] = ToData(member);
    } else if constexpr (std::same_as<M, std::vector<Message>>) {
      out[key] = json::array();
      for (const Message& each : member) out[key].push_back(English(each));
      out[DataKey(key)] = json::array();
      for (const Message& each : member) out[DataKey(key)].push_back(ToData(each));
    } else {
      out[key] = member;
    }
  });
}

// --- Reading. Each Read throws std::runtime_error with the reason, without the key. --------------

template <class S>
void ReadMembers(const json& in, S& value);

void Read(const json& in, std::string& value) {
  if (!in.is_string()) throw std::runtime_error("must be a string");
  value = in.get<std::string>();
}

void Read(const json& in, bool& value) {
  if (!in.is_boolean()) throw std::runtime_error("must be true or false");
  value = in.get<bool>();
}

void Read(const json& in, double& value) {
  if (!in.is_number()) throw std::runtime_error("must be a number");
  value = in.get<double>();
}

/// nlohmann's get<> wraps a number that does not fit; here it is an error.
template <std::integral Integer>
void Read(const json& in, Integer& value) {
  if (!in.is_number_integer()) throw std::runtime_error("must be a whole number");
  const bool fits = in.is_number_unsigned() ? std::in_range<Integer>(in.get<std::uint64_t>())
                                            : std::in_range<Integer>(in.get<std::int64_t>());
  if (!fits) throw std::runtime_error("is out of range");
  value = in.get<Integer>();
}

template <class Enum>
requires std::is_enum_v<Enum>
void Read(const json& in, Enum& value) {
  std::string name;
  Read(in, name);
  for (int i = 0; i < kValueCount<Enum>; ++i) {
    value = static_cast<Enum>(i);
    if (NameOf(value) == name) return;
  }
  throw std::runtime_error("has no value '" + name + "'");
}

/// Results of versions that stored words only have no data beside them.
void ReadMessage(const json& in, const char* key, Message& value) {
  std::string words;
  Read(in.at(key), words);
  const auto data = in.find(DataKey(key));
  value = data == in.end() ? Message(std::move(words)) : MessageOf(*data, 0);
}

void ReadMessage(const json& in, const char* key, std::vector<Message>& value) {
  value.clear();
  const auto data = in.find(DataKey(key));
  if (!in.at(key).is_array()) throw std::runtime_error("must be a list");
  for (std::size_t i = 0; i < in.at(key).size(); ++i) {
    std::string words;
    Read(in.at(key)[i], words);
    value.push_back(data == in.end() ? Message(std::move(words)) : MessageOf(data->at(i), 0));
  }
}

template <class S>
requires std::is_class_v<S>
void Read(const json& in, S& value) {
  ReadMembers(in, value);
}

template <class S>
void Read(const json& in, std::vector<S>& value) {
  if (!in.is_array()) throw std::runtime_error("must be a list");
  value.clear();
  for (const json& element : in) Read(element, value.emplace_back());
}

template <class S>
void Read(const json& in, std::optional<S>& value) {
  Read(in, value.emplace());
}

template <class S>
void ReadMembers(const json& in, S& value) {
  if (!in.is_object()) throw std::runtime_error("must be an object");
  VisitMembers(value, [&in]<class M>(const char* key, M& member) {
    const auto found = in.find(key);
    try {
      if constexpr (std::same_as<M, Message> || std::same_as<M, std::vector<Message>>) {
        if (found == in.end()) throw std::runtime_error("is missing");
        ReadMessage(in, key, member);
      } else if (found != in.end()) {
        Read(*found, member);
      } else if constexpr (kIsOptional<M>) {
        member.reset();
      } else {
        throw std::runtime_error("is missing");
      }
    } catch (const std::exception& fault) {
      throw std::runtime_error(std::string(key) + ": " + fault.what());
    }
  });
}

}  // namespace

json MessageToJson(const Message& message) {
  return ToData(message);
}

Message MessageFromJson(const json& in) {
  return MessageOf(in, 0);
}

void to_json(json& out, const Dim3& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const SourceLine& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const Finding& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const Counts& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const LineCounts& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const LaunchWork& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const AccessSample& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const LaunchRecord& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const InstructionCounts& value) {
  out = {{"opcode", value.opcode}, {"where", value.where}, {"counts", json::object()}};
  VisitCounts(value.counts, [&](const char* name, std::uint64_t count) {
    if (count != 0) out["counts"][name] = count;
  });
}
void to_json(json& out, const KernelProfile& value) {
  out = value.sum;
  out["device"] = value.device;
  out["launches"] = value.launches;
  out["instructions"] = value.instructions;
}
void to_json(json& out, const WrongElement& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const Term& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const ElementFormula& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const Explanation& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const OutputMap& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const PrintedText& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const TestResult& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const Misconception& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const Diagnostic& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const KernelResources& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const Interval& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const ProgramTime& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const ShapeSpeed& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const EstimatedTime& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const SpeedEstimate& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const ToolReport& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const MeasuredCount& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const SpeedResult& value) {
  WriteMembers(out, value);
}
void to_json(json& out, const ExerciseResult& value) {
  WriteMembers(out, value);
}

void from_json(const json& in, Dim3& value) {
  ReadMembers(in, value);
}
void from_json(const json& in, SourceLine& value) {
  ReadMembers(in, value);
}
void from_json(const json& in, Finding& value) {
  ReadMembers(in, value);
}
void from_json(const json& in, Counts& value) {
  ReadMembers(in, value);
}
void from_json(const json& in, LineCounts& value) {
  ReadMembers(in, value);
}
void from_json(const json& in, LaunchRecord& value) {
  ReadMembers(in, value);
}
void from_json(const json& in, WrongElement& value) {
  ReadMembers(in, value);
}
void from_json(const json& in, Explanation& value) {
  ReadMembers(in, value);
}
void from_json(const json& in, TestResult& value) {
  ReadMembers(in, value);
}
void from_json(const json& in, Misconception& value) {
  ReadMembers(in, value);
}
void from_json(const json& in, Diagnostic& value) {
  ReadMembers(in, value);
}
void from_json(const json& in, KernelResources& value) {
  ReadMembers(in, value);
}
void from_json(const json& in, SpeedResult& value) {
  ReadMembers(in, value);
}
void from_json(const json& in, ExerciseResult& value) {
  ReadMembers(in, value);
}

template <class T>
Result<T> FromJson(std::string_view text) {
  try {
    T value{};
    json::parse(text.begin(), text.end()).get_to(value);
    return value;
  } catch (const std::exception& fault) {
    return GraderError(std::string("not the JSON that was expected: ") + fault.what());
  }
}

template Result<json> FromJson(std::string_view);
template Result<Finding> FromJson(std::string_view);
template Result<Counts> FromJson(std::string_view);
template Result<LaunchRecord> FromJson(std::string_view);
template Result<WrongElement> FromJson(std::string_view);
template Result<TestResult> FromJson(std::string_view);
template Result<Misconception> FromJson(std::string_view);
template Result<Diagnostic> FromJson(std::string_view);
template Result<KernelResources> FromJson(std::string_view);
template Result<SpeedResult> FromJson(std::string_view);
template Result<ExerciseResult> FromJson(std::string_view);

/// As JSON has it: in UTF-16, "\u202e".
static void AppendEscape(std::string& out, char32_t code) {
  char text[16];
  const auto number = static_cast<unsigned>(code);
  if (number < 0x10000) {
    std::snprintf(text, sizeof text, "\\u%04x", number);
  } else {
    const unsigned above = number - 0x10000;
    std::snprintf(text, sizeof text, "\\u%04x\\u%04x", 0xD800 + (above >> 10), 0xDC00 + (above & 0x3FF));
  }
  out += text;
}

std::string DumpJson(const json& value, int indent) {
  const std::string text = value.dump(indent, ' ', false, json::error_handler_t::replace);
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    const Character next = FirstCharacter(rest);
    // Such characters stand in strings only. A person who reads the file sees them, and a program reads the
    // same.
    if ((next.code >= 0x7F && next.code < 0xA0) || IsUnseen(next.code) || IsJoiner(next.code) ||
        IsOddSpace(next.code)) {
      AppendEscape(out, next.code);
    } else {
      out += rest.substr(0, next.bytes);
    }
    rest.remove_prefix(next.bytes);
  }
  return out;
}

}  // namespace warplings
