// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace warplings::report_test {

/// Validates `value` against a JSON schema; returns one line per violation. Supports only the keywords that
/// docs/result.schema.json uses and reports any other keyword as an error, so that the schema cannot outgrow
/// this check. Stricter than JSON Schema: every member of `value` must be described.
std::string SchemaFaults(const nlohmann::json& schema, const nlohmann::json& value);

}  // namespace warplings::report_test
