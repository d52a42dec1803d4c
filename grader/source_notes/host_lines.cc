// SPDX-License-Identifier: Apache-2.0
#include "grader/source_notes/host_lines.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/build/host_code.h"
#include "grader/build/host_divisions.h"
#include "grader/build/plain_code.h"
#include "grader/build/reset_sums.h"
#include "grader/build/variable_calls.h"
#include "grader/messages/calls.h"
#include "grader/messages/device_work.h"
#include "grader/messages/host_code.h"
#include "grader/messages/joining.h"
#include "grader/messages/refusals.h"
#include "grader/source_notes/visit.h"

namespace warplings {

void ExplainRefusedCalls(ExerciseResult& result) {
  Message explained;
  for (TestResult& test : result.tests) {
    if (!say::arguments_of_refused_call.Made(test.next_step)) continue;
    for (const Finding& finding : test.findings) {
      Message why = finding.where.line != 0 && finding.severity == Severity::kError
                        ? WhyRefused(result.source, finding, result.exercise)
                        : Message();
      const Message too_large =
          finding.severity == Severity::kError ? WhyTooLarge(result.source, finding) : Message();
      if (why.empty() && too_large.empty()) continue;
      const std::string& call = finding.message.arguments().at(0).text;
      if (UsesVariableAsPointer(finding)) why = say::both(finding.message.arguments().at(1).inner.at(0), why);
      test.next_step = why.empty() ? too_large
                                   : say::call_refused_because(call.substr(0, call.find(' ')),
                                                               say::Line(finding.where.line), why);
      if (explained.empty()) explained = test.next_step;
      break;
    }
  }
  if (say::arguments_of_refused_call.Made(result.next_step) && !explained.empty())
    result.next_step = explained;
}

namespace {

/// What a pointer without a value happens to point to is not why the call is refused.
void NameUnsetPointer(const std::string& source, Finding& finding) {
  const std::string pointer = PointerWithoutValue(source, finding);
  if (pointer.empty()) return;
  finding.message = say::refused(finding.message.arguments().at(0).text, say::unset_pointer(pointer));
}

}  // namespace

void NameHostLines(ExerciseResult& result) {
  const auto name = [&](Finding& finding) {
    if (finding.where.line != 0) return false;
    const auto line = LineOfRefused(result.source, finding, result.exercise);
    // As the compiler names it.
    if (line) finding.where = {std::filesystem::path(result.file).filename(), *line};
    return line.has_value();
  };
  for (TestResult& test : result.tests) {
    for (Finding& finding : test.findings) {
      if (name(finding) && test.reason == finding.message)
        test.reason = say::in_line(finding.where.line, finding.message);
      const bool is_reason = test.reason == say::in_line(finding.where.line, finding.message);
      NameUnsetPointer(result.source, finding);
      if (is_reason) test.reason = say::in_line(finding.where.line, finding.message);
    }
  }
  const auto name_both = [&](Finding& finding) {
    name(finding);
    NameUnsetPointer(result.source, finding);
  };
  for (Misconception& each : result.misconceptions) {
    if (each.finding) name_both(*each.finding);
  }
  if (result.advice && result.advice->finding) name_both(*result.advice->finding);
  const auto uses_device_memory = [](const TestResult& test) {
    return say::device_memory_on_host.Made(test.next_step);
  };
  if (std::ranges::none_of(result.tests, uses_device_memory)) return;
  const auto use = FindHostUse(result.source, result.exercise);
  // Of an array without elements the pointer is null.
  const auto describe = [](const HostUse& found) {
    return found.function.empty() ? say::device_memory_for_kernels_in(say::Line(found.line), found.pointer)
                                  : DescribeHostUse(found);
  };
  Visit(result, [&](Message& message) {
    if (!say::device_memory_on_host.Made(message) && !say::find_null_pointer.Made(message)) return;
    message = use ? describe(*use) : say::device_memory_on_host();
  });
}

void NameOutputCopies(ExerciseResult& result) {
  Visit(result, [&](Message& message) {
    if (!say::let_kernel_store_at_address.Made(message)) return;
    const std::string output = message.arguments().at(0).text;
    const auto copy = FindOutputCopy(result.source, result.exercise, output);
    if (!copy) return;
    const say::Line line(copy->line);
    message = copy->from.empty() ? say::output_is_copied_again(copy->call, line, output)
              : copy->is_used    ? say::output_is_copied_from_beside(copy->call, line, copy->from, output)
                                 : say::output_is_copied_from(copy->call, line, copy->from, output);
  });
}

void NameHostDivisions(ExerciseResult& result) {
  std::optional<Message> named;
  Visit(result, [&](Message& message) {
    if (!say::look_for_division_by_zero.Made(message)) return;
    if (!named) named = AdviceOnDivisionByZero(result.source);
    message = *named;
  });
}

void NameNonBlockingStreams(ExerciseResult& result) {
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(result.source));
  if (std::ranges::find(tokens, "cudaStreamNonBlocking", &CodeToken::text) == tokens.end()) return;
  Visit(result, [](Message& message) {
    if (say::wait_for_your_stream.Made(message)) message = say::non_blocking_stream();
  });
}

void NameChosenRegisters(ExerciseResult& result) {
  if (result.source.find("__maxnreg__") != std::string::npos) return;
  std::optional<ResetSum> reset;
  bool has_looked = false;
  Visit(result, [&](Message& message) {
    if (!say::launch_too_large.Made(message)) return;
    const Message reason = message.arguments().at(0).inner.at(0);
    if (!say::too_many_registers.Made(reason)) return;
    if (!has_looked) reset = FindResetSum(result.source);
    has_looked = true;
    message = reset ? say::registers_of_reset_sum(reason, say::Line(reset->line), reset->name,
                                                  say::Line(reset->loop_line), reset->loop_variable)
                    : say::registers_are_chosen(reason);
  });
}

void NameExchangedKernels(ExerciseResult& result) {
  std::string with_dynamic;
  Visit(result, [&](Message& message) {
    // A row of the suite's.
    if (message.Is("reverse_needs_fixed_array")) with_dynamic = message.arguments().at(0).text;
  });
  if (with_dynamic.empty()) return;
  std::set<std::string> beside, with_fixed;
  for (const TestResult& test : result.tests) {
    for (const LaunchRecord& launch : test.launches) {
      if (test.next_step.Is("reverse_needs_fixed_array")) beside.insert(launch.kernel);
      if (launch.static_shared_bytes > 0 && launch.dynamic_shared_bytes == 0)
        with_fixed.insert(launch.kernel);
    }
  }
  // The static version launches the one alone, and the other version launches the other.
  if (with_fixed.size() != 1 || with_fixed.contains(with_dynamic) || beside.contains(*with_fixed.begin()))
    return;
  Visit(result, [&](Message& message) {
    if (message.Is("reverse_needs_fixed_array"))
      message = say::kernels_exchanged("use_dynamic", with_dynamic, *with_fixed.begin());
  });
}

}  // namespace warplings
