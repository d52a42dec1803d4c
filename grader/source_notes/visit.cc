// SPDX-License-Identifier: Apache-2.0
#include "grader/source_notes/visit.h"

#include <algorithm>

namespace warplings {

void Visit(Message& message, const Visitor& visitor) {
  visitor(message);
  for (Argument& argument : message.arguments()) {
    for (Message& inner : argument.inner) Visit(inner, visitor);
  }
}

void VisitFindings(ExerciseResult& result, const std::function<void(Finding&)>& visitor) {
  for (TestResult& test : result.tests) std::ranges::for_each(test.findings, visitor);
  if (result.facts) {
    for (Fact& fact : *result.facts) {
      if (fact.finding) visitor(*fact.finding);
    }
  }
  for (Misconception& each : result.misconceptions) {
    if (each.finding) visitor(*each.finding);
  }
  if (result.advice && result.advice->finding) visitor(*result.advice->finding);
}

void Visit(ExerciseResult& result, const Visitor& visitor) {
  Visit(result.next_step, visitor);
  for (TestResult& test : result.tests) {
    Visit(test.reason, visitor);
    Visit(test.next_step, visitor);
  }
  if (result.facts) {
    for (Fact& fact : *result.facts) Visit(fact.message, visitor);
  }
  for (Misconception& each : result.misconceptions) Visit(each.evidence, visitor);
  VisitFindings(result, [&](Finding& finding) { Visit(finding.message, visitor); });
}

void VisitWithExplanations(ExerciseResult& result, const Visitor& visitor) {
  Visit(result, visitor);
  for (TestResult& test : result.tests) {
    if (!test.explanation) continue;
    for (Message& fact : test.explanation->facts) Visit(fact, visitor);
  }
}

void Remember(const Message& before, const Message& after, std::vector<Renamed>& renamed) {
  if (before == after) return;
  const auto known = std::ranges::find(renamed, before, &Renamed::before);
  if (known == renamed.end()) {
    renamed.push_back({before, after});
  } else if (!(known->after == after)) {
    known->is_ambiguous = true;
  }
}

void Rename(Message& message, const std::vector<Renamed>& renamed) {
  const auto known = std::ranges::find(renamed, message, &Renamed::before);
  if (known != renamed.end() && !known->is_ambiguous) message = known->after;
}

void Rename(ExerciseResult& result, const std::vector<Renamed>& renamed) {
  if (renamed.empty()) return;
  Visit(result, [&](Message& message) { Rename(message, renamed); });
}

}  // namespace warplings
