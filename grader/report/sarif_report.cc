// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/base/file_uri.h"
#include "grader/core/json.h"
#include "grader/report/editor_report.h"

namespace warplings {
namespace {

using nlohmann::json;

/// "out of bounds" of out_of_bounds.
std::string InWords(std::string rule) {
  std::ranges::replace(rule, '_', ' ');
  return rule;
}

}  // namespace

std::string SarifReport(const std::vector<ExerciseResult>& results, const std::string& version) {
  std::vector<std::string> rules;
  json found = json::array();
  for (const ExerciseResult& result : results) {
    for (const EditorMessage& each : EditorMessages(result)) {
      const auto rule = std::ranges::find(rules, each.rule);
      const auto index = rule - rules.begin();
      if (rule == rules.end()) rules.push_back(each.rule);
      found.push_back(
          {{"ruleId", each.rule},
           {"ruleIndex", index},
           {"level", each.severity == Severity::kError ? "error" : "warning"},
           {"message", {{"text", each.text}}},
           {"locations",
            {{{"physicalLocation",
               {{"artifactLocation", {{"uri", FileUri(each.file)}}},
                {"region", {{"startLine", each.line}, {"startColumn", each.column}}}}},
              {"logicalLocations", {{{"fullyQualifiedName", result.chapter + "/" + result.exercise}}}}}}}});
    }
  }
  json described = json::array();
  for (const std::string& rule : rules)
    described.push_back({{"id", rule}, {"shortDescription", {{"text", InWords(rule)}}}});
  const json document = {
      {"$schema",
       "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       {{{"tool", {{"driver", {{"name", "warplings"}, {"version", version}, {"rules", described}}}}},
         {"results", found}}}}};
  return DumpJson(document, 2) + "\n";
}

}  // namespace warplings
