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
    case Asker::kPrinter: return "judge, and the program whose kernels print";
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
      "The *device process* owns the device's memory and runs the kernels. These are the requests that it\n"
      "answers. They come from the *judge*, which tests a submission, and from every program that is linked\n"
      "with our CUDA runtime, submissions included. The table calls all of these \"everyone\".\n"
      "\n"
      "If a submission makes a call that only the judge may make, its connection ends. If any other call of\n"
      "a submission is refused, the refusal is reported as a finding, under the name in the table. If the\n"
      "table has no name for the call, its refusal is not reported.\n"
      "\n"
      "`write_calls_document` writes this page from the rows of `grader/device/calls.h`. That file also has\n"
      "the fields of each request; `grader/device/protocol.h` explains the protocol.\n"
      "\n"
      "| opcode | request | reply | who may ask | name in findings | what it does |\n"
      "|---|---|---|---|---|---|\n";
  for (const CallRow& call : protocol::kCalls) text += Line(call);
  return text;
}

}  // namespace warplings
