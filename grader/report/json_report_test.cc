// SPDX-License-Identifier: Apache-2.0
#include "grader/report/json_report.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "grader/core/layout.h"
#include "grader/report/made_up_result.h"

namespace warplings {
namespace {

using nlohmann::json;

bool HasType(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  return type == "number" && value.is_number();
}

/// What of JSON Schema docs/result.schema.json uses; a key that it does not know is a failed test, so that
/// the schema cannot outgrow the check. Appends one line for each fault.
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
        if (!HasType(value, rule)) return Fault(path, "is no " + rule.get<std::string>());
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

  /// Stricter than JSON Schema: what we write must also be described.
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

json Schema() {
  std::ifstream stream(ThisLayout().root / "docs" / "result.schema.json");
  return json::parse(stream);
}

TEST(JsonReport, IsAsTheSchemaSays) {
  const json schema = Schema();
  const json report = json::parse(JsonReport({report_test::MadeUpResult(), ExerciseResult{}}));
  EXPECT_EQ(report.at("results").size(), 2u);
  EXPECT_EQ(SchemaCheck(schema).Faults(report), "");
}

TEST(JsonReport, TheSchemaRefusesSomething) {
  const json schema = Schema();
  json report = json::parse(JsonReport({report_test::MadeUpResult()}));
  json& result = report["results"][0];
  result["verdict"] = "splendid";
  result["tests"][1]["findings"][0]["where"]["line"] = -1;
  result.erase("seed");
  result["extra"] = 1;
  EXPECT_EQ(SchemaCheck(schema).Faults(report),
            "/results/0: lacks seed\n"
            "/results/0: has a key that the schema does not describe: extra\n"
            "/results/0/tests/1/findings/0/where/line: is too small\n"
            "/results/0/verdict: is none of the names\n");
}

TEST(JsonReport, NamesEveryVerdictAndFindingKind) {
  const json schema = Schema();
  const json& verdicts = schema.at("$defs").at("verdict").at("enum");
  ASSERT_EQ(verdicts.size(), static_cast<std::size_t>(Verdict::kGraderFault) + 1);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    EXPECT_EQ(verdicts[i], VerdictName(static_cast<Verdict>(i)));
  }
  const json& kinds = schema.at("$defs").at("finding").at("properties").at("kind").at("enum");
  ASSERT_EQ(kinds.size(), static_cast<std::size_t>(FindingKind::kUnsupported) + 1);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    EXPECT_EQ(kinds[i], FindingKindName(static_cast<FindingKind>(i)));
  }
}

TEST(JsonReport, LeavesTheSourceOut) {
  EXPECT_EQ(JsonReport({report_test::MadeUpResult()}).find("line one"), std::string::npos);
}

}  // namespace
}  // namespace warplings
