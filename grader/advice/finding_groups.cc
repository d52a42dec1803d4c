// SPDX-License-Identifier: Apache-2.0
#include "grader/advice/finding_groups.h"

#include <algorithm>
#include <tuple>

namespace warplings {
namespace {

/// The key by which findings are merged: what a student would fix in one place. Sizes and offsets are not
/// part of it, because they differ from test to test.
bool Same(const Finding& a, const Finding& b) {
  return std::tie(a.kind, a.severity, a.kernel, a.where, a.other, a.space, a.access, a.object) ==
         std::tie(b.kind, b.severity, b.kernel, b.where, b.other, b.space, b.access, b.object);
}

FindingGroup& GroupOf(std::vector<FindingGroup>& groups, const SourceLine& where) {
  for (FindingGroup& group : groups) {
    if (group.where == where) return group;
  }
  return groups.emplace_back(FindingGroup{where, {}});
}

bool HasError(const FindingGroup& group) {
  return group.findings.front().finding.severity == Severity::kError;
}

}  // namespace

std::vector<FindingGroup> GroupFindings(const std::vector<TestResult>& tests) {
  std::vector<FindingGroup> groups;
  for (const TestResult& test : tests) {
    for (const Finding& finding : test.findings) {
      std::vector<MergedFinding>& merged = GroupOf(groups, finding.where).findings;
      const auto known = std::find_if(merged.begin(), merged.end(),
                                      [&](const MergedFinding& m) { return Same(m.finding, finding); });
      if (known == merged.end()) {
        merged.push_back({finding, 1});
      } else {
        known->finding.count += finding.count;
        ++known->tests;
      }
    }
  }
  for (FindingGroup& group : groups) {
    std::stable_sort(group.findings.begin(), group.findings.end(),
                     [](const MergedFinding& a, const MergedFinding& b) {
                       return a.finding.severity > b.finding.severity;
                     });
  }
  std::stable_sort(groups.begin(), groups.end(), [](const FindingGroup& a, const FindingGroup& b) {
    return std::forward_as_tuple(!HasError(a), a.where.file, a.where.line) <
           std::forward_as_tuple(!HasError(b), b.where.file, b.where.line);
  });
  return groups;
}

std::vector<FindingGroup> FindingsIn(const std::vector<const TestResult*>& seen_in,
                                     const std::vector<TestResult>& tests) {
  const auto is_elsewhere = [&](const MergedFinding& merged) {
    return std::ranges::none_of(seen_in, [&](const TestResult* test) {
      return std::ranges::any_of(test->findings,
                                 [&](const Finding& finding) { return Same(finding, merged.finding); });
    });
  };
  std::vector<FindingGroup> groups = GroupFindings(tests);
  for (FindingGroup& group : groups) std::erase_if(group.findings, is_elsewhere);
  std::erase_if(groups, [](const FindingGroup& group) { return group.findings.empty(); });
  return groups;
}

std::vector<FindingGroup> GroupsOf(const Finding& finding, const std::vector<TestResult>& tests) {
  std::vector<FindingGroup> groups = GroupFindings(tests);
  for (FindingGroup& group : groups) {
    std::erase_if(group.findings,
                  [&](const MergedFinding& merged) { return !Same(merged.finding, finding); });
  }
  std::erase_if(groups, [](const FindingGroup& group) { return group.findings.empty(); });
  return groups;
}

}  // namespace warplings
