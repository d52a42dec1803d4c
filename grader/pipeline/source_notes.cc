// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/source_notes.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

#include "grader/build/idioms.h"
#include "grader/build/source_places.h"
#include "grader/build/unset_variables.h"
#include "grader/messages/findings.h"

namespace warplings {
namespace {

/// nvcc's own words about that line ("expression has no effect") go: what follows from the slip is no second
/// mistake, and nor is what the tests saw.
void AddSlip(ExerciseResult& result) {
  const std::optional<Slip> slip = FindSlip(result.source);
  if (!slip) return;
  std::erase_if(result.diagnostics, [&](const Diagnostic& each) {
    return each.severity == Severity::kWarning && each.where.line == slip->line;
  });
  if (result.verdict == Verdict::kPassed) {
    Diagnostic warning;
    warning.severity = Severity::kWarning;
    warning.where = {result.file, slip->line};
    warning.message = slip->what;
    result.diagnostics.insert(result.diagnostics.begin(), std::move(warning));
    return;
  }
  result.next_step = slip->what;
  result.misconceptions.clear();
  if (!result.advice) return;
  result.advice->misconception.clear();
  result.advice->finding.reset();
  result.advice->later.clear();
}

using Visitor = std::function<void(Message&)>;

/// The message, and then those within it.
void Visit(Message& message, const Visitor& visitor) {
  visitor(message);
  for (Argument& argument : message.arguments()) {
    for (Message& inner : argument.inner) Visit(inner, visitor);
  }
}

void Visit(Finding& finding, const Visitor& visitor) {
  Visit(finding.message, visitor);
}

/// Whatever a report says of the run. A message that stands in two places stays the same in both.
void Visit(ExerciseResult& result, const Visitor& visitor) {
  Visit(result.next_step, visitor);
  for (TestResult& test : result.tests) {
    Visit(test.reason, visitor);
    Visit(test.next_step, visitor);
    for (Finding& finding : test.findings) Visit(finding, visitor);
  }
  if (result.facts) {
    for (Fact& fact : *result.facts) {
      Visit(fact.message, visitor);
      if (fact.finding) Visit(*fact.finding, visitor);
    }
  }
  for (Misconception& each : result.misconceptions) {
    Visit(each.evidence, visitor);
    if (each.finding) Visit(*each.finding, visitor);
  }
  if (result.advice && result.advice->finding) Visit(*result.advice->finding, visitor);
}

/// "`Nds[1][0]`" for "element 16 of shared array Nds".
void NameElements(ExerciseResult& result) {
  const auto extents = SharedExtents(result.source);
  if (extents.empty()) return;
  Visit(result, [&](Message& message) {
    if (!say::numbered_element.Made(message)) return;
    const std::vector<Argument>& arguments = message.arguments();
    if (arguments.front().inner.empty() || !say::shared_array.Made(arguments.front().inner.front())) return;
    const std::string name = arguments.front().inner.front().arguments().front().text;
    const auto array = extents.find(name);
    if (array == extents.end()) return;
    const auto subscripts = Subscripts(arguments.back().number, array->second);
    if (subscripts) message = say::element_with_subscripts(name, *subscripts);
  });
}

void ExplainMissedBarriers(ExerciseResult& result) {
  for (TestResult& test : result.tests) {
    for (Finding& finding : test.findings) {
      if (!say::barrier_after_exit.Made(finding.message)) continue;
      const auto missed = WhyMissed(result.source, finding.where.line);
      if (!missed) continue;
      const auto& numbers = finding.message.arguments();
      const auto& row =
          missed->why == MissedBarrier::Why::kCondition ? say::barrier_skipped : say::barrier_after_return;
      finding.message = row(numbers.at(0).number, numbers.at(1).number, say::Line(missed->line));
    }
  }
}

}  // namespace

void AddSourceNotes(ExerciseResult& result) {
  NameElements(result);
  ExplainMissedBarriers(result);
  AddUnsetVariables(result.source, result.file, result.diagnostics);
  AddSlip(result);
  if (result.verdict == Verdict::kPassed) return;
  std::ranges::move(FindRoundedQuotients(result.source, result.file), std::back_inserter(result.diagnostics));
}

}  // namespace warplings
