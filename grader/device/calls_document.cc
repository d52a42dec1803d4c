// SPDX-License-Identifier: Apache-2.0
#include "grader/device/calls_document.h"

#include "grader/device/calls.h"

namespace warplings {
namespace {

using protocol::Asker;
using protocol::CallRow;

const char* Words(Asker asker) {
  switch (asker) {
    case Asker::kEveryone: return "everyone";
    case Asker::kPrinter: return "judge, and who prints";
    case Asker::kJudge: return "judge";
  }
  return "";
}

std::string Line(const CallRow& call) {
  const std::string reply = call.reply == "Unit" ? "" : "`" + std::string(call.reply) + "`";
  const std::string name = call.name.empty() ? "" : "`" + std::string(call.name) + "`";
  return "| " + std::to_string(call.opcode) + " | `" + std::string(call.request) + "` | " + reply + " | " +
         Words(call.asker) + " | " + name + " | " + std::string(call.does) + " |\n";
}

}  // namespace

std::string CallsDocument() {
  std::string text =
      "# Calls to the device process\n\n"
      "Written by `write_calls_document` from the rows of `grader/device/calls.h`, where the fields of each\n"
      "request are; `grader/device/protocol.h` has the theory of operation. \"Everyone\" is the judge and "
      "every\n"
      "program that is linked with the runtime, submissions included; a call that is reserved to the judge "
      "ends "
      "a\n"
      "submission's connection. A submission's call that is refused becomes a finding under the name given "
      "here;\n"
      "a call without a name gives none.\n\n"
      "| opcode | request | reply | who may ask | name in findings | what it does |\n"
      "|---|---|---|---|---|---|\n";
  for (const CallRow& call : protocol::kCalls) text += Line(call);
  return text;
}

}  // namespace warplings
