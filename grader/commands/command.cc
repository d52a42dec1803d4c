// SPDX-License-Identifier: Apache-2.0
#include "grader/commands/command.h"

#include <cstdio>
#include <memory>
#include <utility>

namespace warplings {

namespace {

class UsageFormatter : public CLI::Formatter {
 public:
  explicit UsageFormatter(std::string usage) : usage_(std::move(usage)) {}
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: warplings " + usage_ + "\n";
  }

 private:
  std::string usage_;
};

}  // namespace

void SetUsage(CLI::App& app, const std::string& usage) {
  app.formatter(std::make_shared<UsageFormatter>(usage));
}

int ExitStatusOf(Blame blame) {
  switch (blame) {
    case Blame::kUsage: return kExitUsage;
    case Blame::kSubmission: return kExitNotPassed;
    case Blame::kGrader: return kExitGraderFault;
  }
  return kExitGraderFault;
}

int ReportError(const Error& error) {
  std::fflush(stdout);
  std::fprintf(stderr, "warplings: %s\n", error.message.c_str());
  if (!error.next_step.empty()) std::fprintf(stderr, "  %s\n", error.next_step.c_str());
  return ExitStatusOf(error.blame);
}

}  // namespace warplings
