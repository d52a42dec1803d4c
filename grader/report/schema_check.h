// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace warplings::report_test {

/// One line for each way in which `value` is not as `schema` says. Knows what of JSON Schema
/// docs/result.schema.json uses; a key that it does not know is a fault too, so that the schema cannot
/// outgrow the check. Stricter than JSON Schema: what is there must also be described.
std::string SchemaFaults(const nlohmann::json& schema, const nlohmann::json& value);

}  // namespace warplings::report_test
