// SPDX-License-Identifier: Apache-2.0
#include "tests/support/schema_check.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace warplings::report_test {
namespace {

using nlohmann::json;

bool HasType(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "integer") return value.is_number_integer();
  return type == "number" && value.is_number();
}

/// `types`: a name, or a list of names of which one has to fit.
bool HasOneType(const json& value, const json& types) {
  if (types.is_string()) return HasType(value, types);
  return std::ranges::any_of(types, [&](const json& type) { return HasType(value, type); });
}

class SchemaCheck {
 public:
  explicit SchemaCheck(const json& schema) : root_(schema) {}

  std::string Faults(const json& value) {
    Visit(root_, value, "");
    return faults_;
  }

 private:
  void Fault(const std::string& path, const std::string& what) { faults_ += path + ": " + what + "\n"; }

  void Visit(const json& schema, const json& value, const std::string& path) {
    for (const auto& [key, rule] : schema.items()) {
      if (key == "$ref") {
        Visit(root_.at(json::json_pointer(rule.get<std::string>().substr(1))), value, path);
      } else if (key == "type") {
        if (!HasOneType(value, rule))
          return Fault(path, "is no " + (rule.is_string() ? rule.get<std::string>() : rule.dump()));
      } else if (key == "anyOf") {
        VisitOneOf(rule, value, path);
      } else if (key == "enum") {
        if (std::find(rule.begin(), rule.end(), value) == rule.end()) Fault(path, "is none of the names");
      } else if (key == "const") {
        if (value != rule) Fault(path, "is not " + rule.dump());
      } else if (key == "minimum") {
        if (value.is_number() && value < rule) Fault(path, "is too small");
      } else if (key == "maximum") {
        if (value.is_number() && value > rule) Fault(path, "is too large");
      } else if (key == "items") {
        for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
          Visit(rule, value[i], path + "/" + std::to_string(i));
        }
      } else if (key == "properties") {
        VisitProperties(schema, value, path);
      } else if (key != "required" && key != "description" && key != "title" && key != "$schema" &&
                 key != "$defs") {
        Fault(path, "the schema has a key that this check does not know: " + key);
      }
    }
  }

  /// Null where a rule allows it; else what the first rule, which describes the value, says.
  void VisitOneOf(const json& rules, const json& value, const std::string& path) {
    const auto allows_null = [](const json& rule) { return rule.value("type", json()) == "null"; };
    if (value.is_null() && std::ranges::any_of(rules, allows_null)) return;
    Visit(rules.front(), value, path);
  }

  void VisitProperties(const json& schema, const json& value, const std::string& path) {
    if (!value.is_object()) return;
    for (const json& name : schema.at("required")) {
      if (!value.contains(name)) Fault(path, "lacks " + name.get<std::string>());
    }
    for (const auto& [name, member] : value.items()) {
      const auto rule = schema.at("properties").find(name);
      if (rule == schema.at("properties").end()) {
        Fault(path, "has a key that the schema does not describe: " + name);
      } else {
        Visit(*rule, member, path + "/" + name);
      }
    }
  }

  const json& root_;
  std::string faults_;
};

}  // namespace

std::string SchemaFaults(const json& schema, const json& value) {
  return SchemaCheck(schema).Faults(value);
}

}  // namespace warplings::report_test
