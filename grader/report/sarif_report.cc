// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/core/json.h"
#include "grader/report/editor_report.h"

namespace warplings {
namespace {

using nlohmann::json;

/// Characters that a path may contain unencoded (RFC 3986).
bool IsPlainInPath(unsigned char c) {
  const bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return is_word ||
         std::string_view("-._~/!$&'()*+,;=@").find(static_cast<char>(c)) != std::string_view::npos;
}

/// "file:///home/me/my%20answer.cu"; "chapters/..." as a relative reference, in which a colon must not look
/// like the end of a scheme.
std::string UriOf(const std::string& path) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string uri = path.starts_with("/") ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (IsPlainInPath(byte)) {
      uri += c;
    } else {
      uri += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return uri;
}

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
               {{"artifactLocation", {{"uri", UriOf(each.file)}}},
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
