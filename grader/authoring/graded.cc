// SPDX-License-Identifier: Apache-2.0
#include "grader/authoring/graded.h"

#include <algorithm>
#include <sstream>

#include "grader/base/program_output.h"
#include "grader/messages/authoring.h"

namespace warplings {
namespace {

constexpr std::string_view kHeading = "// Graded besides the values:";

}  // namespace

std::vector<std::string> GradedInHeader(const std::string& header) {
  std::vector<std::string> sentences;
  std::istringstream lines(header);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (!inside) {
      inside = line == kHeading;
    } else if (line.starts_with("//   - ")) {
      sentences.push_back(line.substr(7));
    } else if (line.starts_with("//     ") && !sentences.empty()) {
      sentences.back() += " " + line.substr(7);
    } else {
      break;
    }
  }
  return sentences;
}

Result<std::vector<std::string>> GradedInSuite(const std::filesystem::path& suite_program) {
  const std::string program = suite_program.string();
  const auto output = CaptureOutput({program, "--graded"});
  if (!output) return output.error();
  if (output->status != 0) return GraderError(say::graded_failed(program));
  std::istringstream lines(output->text);
  std::vector<std::string> sentences;
  for (std::string line; std::getline(lines, line);) sentences.push_back(line);
  return sentences;
}

std::vector<std::string> DifferencesInGrading(const std::vector<std::string>& header,
                                              const std::vector<std::string>& suite) {
  std::vector<std::string> differences;
  for (const std::string& sentence : suite) {
    if (std::ranges::count(header, sentence) == 0) {
      differences.push_back("the suite grades what the header does not say: \"" + sentence + "\"");
    }
  }
  for (const std::string& sentence : header) {
    if (std::ranges::count(suite, sentence) == 0) {
      differences.push_back("the header says what the suite does not grade: \"" + sentence + "\"");
    }
  }
  return differences;
}

}  // namespace warplings
