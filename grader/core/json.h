// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "grader/base/result.h"
#include "grader/core/exercise_result.h"

namespace warplings {

/// JSON of the data that travels the line. Keys are the structs' members, enums go by their names
/// ("wrong_result"), an absent optional has no key. ExerciseResult::source is not part of it.
///
/// These are the hooks of nlohmann::json; from_json throws on a missing key, a wrong type and a number
/// out of range, so stages call FromJson below instead. Unknown keys are passed over.
void to_json(nlohmann::json& json, const Dim3& value);
void to_json(nlohmann::json& json, const SourceLine& value);
void to_json(nlohmann::json& json, const Finding& value);
void to_json(nlohmann::json& json, const Counts& value);
void to_json(nlohmann::json& json, const LineCounts& value);
void to_json(nlohmann::json& json, const LaunchWork& value);
void to_json(nlohmann::json& json, const AccessSample& value);
void to_json(nlohmann::json& json, const LaunchRecord& value);
/// A count that is 0 has no key.
void to_json(nlohmann::json& json, const InstructionCounts& value);
/// The sum's members stand beside the profile's own.
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

/// One value out of text that may hold anything. The error names what is wrong ("findings: kind: …").
/// Never throws. Made for the structs above and for nlohmann::json itself.
template <class T>
Result<T> FromJson(std::string_view text);

/// As text, in one line or indented. Bytes that are not UTF-8 (a student's program may print any)
/// become U+FFFD; nlohmann's own dump() would throw.
std::string DumpJson(const nlohmann::json& json, int indent = -1);

}  // namespace warplings
