// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "grader/base/message.h"
#include "grader/base/result.h"
#include "grader/core/diagnostic.h"
#include "grader/core/kernel_resources.h"
#include "grader/core/misconception.h"
#include "grader/core/speed_result.h"
#include "grader/core/test_result.h"

namespace warplings {

// Declared rather than included: code that reads a suite's messages uses only the headers above.
struct ExerciseResult;
struct MeasuredCount;
struct ToolReport;

/// JSON for the data that stages exchange. Keys are the names of the struct members, enums are written by
/// name ("wrong_result"), and an empty optional has no key. ExerciseResult::source is left out. A message is
/// its English text, and beside it, under the member's name with _data behind it, its id, template and
/// arguments.
///
/// These functions are called by nlohmann::json. from_json throws on a missing key, a wrong type or a number
/// out of range, so stages call FromJson below instead. Unknown keys are ignored.
nlohmann::json MessageToJson(const Message& message);
/// Throws, like from_json.
Message MessageFromJson(const nlohmann::json& json);

void to_json(nlohmann::json& json, const Dim3& value);
void to_json(nlohmann::json& json, const SourceLine& value);
void to_json(nlohmann::json& json, const Finding& value);
void to_json(nlohmann::json& json, const Counts& value);
void to_json(nlohmann::json& json, const LineCounts& value);
void to_json(nlohmann::json& json, const LaunchWork& value);
void to_json(nlohmann::json& json, const AccessSample& value);
void to_json(nlohmann::json& json, const LaunchRecord& value);
/// Counts that are 0 are left out.
void to_json(nlohmann::json& json, const InstructionCounts& value);
/// The members of `sum` are written at the same level as those of the profile itself.
void to_json(nlohmann::json& json, const KernelProfile& value);
void to_json(nlohmann::json& json, const WrongElement& value);
void to_json(nlohmann::json& json, const Term& value);
void to_json(nlohmann::json& json, const ElementFormula& value);
void to_json(nlohmann::json& json, const Explanation& value);
void to_json(nlohmann::json& json, const OutputMap& value);
void to_json(nlohmann::json& json, const PrintedText& value);
void to_json(nlohmann::json& json, const TestResult& value);
void to_json(nlohmann::json& json, const Misconception& value);
void to_json(nlohmann::json& json, const Diagnostic& value);
void to_json(nlohmann::json& json, const KernelResources& value);
void to_json(nlohmann::json& json, const Interval& value);
void to_json(nlohmann::json& json, const ProgramTime& value);
void to_json(nlohmann::json& json, const ShapeSpeed& value);
void to_json(nlohmann::json& json, const SpeedResult& value);
void to_json(nlohmann::json& json, const EstimatedTime& value);
void to_json(nlohmann::json& json, const SpeedEstimate& value);
void to_json(nlohmann::json& json, const ToolReport& value);
void to_json(nlohmann::json& json, const MeasuredCount& value);
void to_json(nlohmann::json& json, const ExerciseResult& value);

void from_json(const nlohmann::json& json, Dim3& value);
void from_json(const nlohmann::json& json, SourceLine& value);
void from_json(const nlohmann::json& json, Finding& value);
void from_json(const nlohmann::json& json, Counts& value);
void from_json(const nlohmann::json& json, LineCounts& value);
void from_json(const nlohmann::json& json, LaunchRecord& value);
void from_json(const nlohmann::json& json, WrongElement& value);
void from_json(const nlohmann::json& json, Explanation& value);
void from_json(const nlohmann::json& json, TestResult& value);
void from_json(const nlohmann::json& json, Misconception& value);
void from_json(const nlohmann::json& json, Diagnostic& value);
void from_json(const nlohmann::json& json, KernelResources& value);
void from_json(const nlohmann::json& json, SpeedResult& value);
void from_json(const nlohmann::json& json, ExerciseResult& value);

/// Parses one value from untrusted text. The error names what is wrong ("findings: kind: …"). Never throws.
/// Instantiated for the structs above and for nlohmann::json itself.
template <class T>
Result<T> FromJson(std::string_view text);

/// Serialises `json`, on one line if `indent` is negative, else indented by that many spaces. Bytes that are
/// not UTF-8 (a student's program may print any) become U+FFFD; nlohmann's own dump() would throw.
std::string DumpJson(const nlohmann::json& json, int indent = -1);

}  // namespace warplings
