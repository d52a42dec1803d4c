// SPDX-License-Identifier: Apache-2.0
#include "grader/build/call_mistakes.h"

#include <cstddef>
#include <string>

#include "grader/build/calls.h"
#include "grader/messages/build.h"
#include "grader/messages/joining.h"

namespace warplings {

std::optional<KnownMistake> FindCallMistake(const std::vector<CodeToken>& tokens, int line,
                                            std::string_view words) {
  const bool is_plain =
      words == "too few arguments in function call" || words == "too many arguments in function call" ||
      // Of an argument that is left out, the compiler sees first that the next ones have other types.
      (words.starts_with("argument of type ") && words.find(" is incompatible with ") != words.npos) ||
      words.starts_with("no suitable conversion function from ");
  const bool is_of_several = words.starts_with("no instance of ") &&
                             words.find("matches the argument list") != std::string_view::npos;
  if (!is_plain && !is_of_several) return std::nullopt;
  for (const WrittenCall& call : CallsIn(tokens, line)) {
    if (is_of_several && words.find("\"" + call.name + "\"") == std::string_view::npos) continue;
    const std::size_t given = call.arguments.size(), most = call.takes.parameters.size();
    if (given >= call.takes.fewest && given <= most) continue;
    const std::size_t takes = given < call.takes.fewest ? call.takes.fewest : most;
    return KnownMistake{say::in_line(line, say::other_number_of_arguments_here(
                                               call.name, say::Count(takes, "argument"), given)),
                        most == 0 ? say::write_no_arguments() : say::write_arguments(call.takes.Names())};
  }
  return std::nullopt;
}

}  // namespace warplings
