// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "grader/base/message.h"
#include "grader/base/result.h"
#include "grader/core/diagnostic.h"
#include "grader/core/fact.h"
#include "grader/core/kernel_resources.h"
#include "grader/core/misconception.h"
#include "grader/core/speed_result.h"
#include "grader/core/test_result.h"

namespace warplings {

// Declared rather than included: code that reads a suite's messages uses only the headers above.
struct ExerciseResult;
struct MeasuredCount;

/// JSON for the data that stages exchange. It is made from the structs' definitions (grader/base/reflect.h):
/// keys are the names of the members, enums are written by name ("wrong_result" for kWrongResult), and an
/// empty optional has no key; json.cc lists the few members that are left out. A message is its English text,
/// and beside it, under the member's name with _data behind it, its id, template and arguments. Gradebooks
/// keep this JSON: a member that older versions did not write is an optional, and no name changes.
///
/// These are the structs that others write and read, besides the structs within them. The functions are
/// called by nlohmann::json. from_json throws on a missing key, a wrong type or a number out of range, so
/// stages call FromJson below instead. Unknown keys are ignored.
// clang-format off
#define WARPLINGS_JSON_TYPES(TYPE) \
  TYPE(AccessSample) \
  TYPE(Counts) \
  TYPE(Diagnostic) \
  TYPE(Dim3) \
  TYPE(ExerciseResult) \
  TYPE(Explanation) \
  TYPE(Fact) \
  TYPE(Finding) \
  TYPE(KernelResources) \
  TYPE(LaunchRecord) \
  TYPE(MeasuredCount) \
  TYPE(Misconception) \
  TYPE(OutputMap) \
  TYPE(SourceLine) \
  TYPE(SpeedResult) \
  TYPE(TestResult)
// clang-format on

#define WARPLINGS_JSON(Type)                             \
  void to_json(nlohmann::json& json, const Type& value); \
  void from_json(const nlohmann::json& json, Type& value);
WARPLINGS_JSON_TYPES(WARPLINGS_JSON)
#undef WARPLINGS_JSON

nlohmann::json MessageToJson(const Message& message);
/// Throws, like from_json.
Message MessageFromJson(const nlohmann::json& json);

/// Counts that are 0 are left out.
void to_json(nlohmann::json& json, const InstructionCounts& value);
/// The members of `sum` are written at the same level as those of the profile itself.
void to_json(nlohmann::json& json, const KernelProfile& value);

/// Parses one value from untrusted text. The error names what is wrong ("findings: kind: …"). Never throws.
/// Instantiated for the structs above and for nlohmann::json itself.
template <class T>
Result<T> FromJson(std::string_view text);

/// Serialises `json`, on one line if `indent` is negative, else indented by that many spaces. Bytes that are
/// not UTF-8 (a student's program may print any) become U+FFFD; nlohmann's own dump() would throw.
std::string DumpJson(const nlohmann::json& json, int indent = -1);

}  // namespace warplings
