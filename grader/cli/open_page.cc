// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/open_page.h"

#include "grader/cli/command.h"
#include "grader/messages/command_line.h"
#include "grader/pipeline/run_program.h"

namespace warplings {

void OpenPage(const std::string& page) {
  // Without its errors, one for each browser that is not installed. A browser for terminals draws on standard
  // output, which stays.
  const auto opened = RunProgram({"sh", "-c", "exec xdg-open \"$0\" 2> /dev/null", page});
  if (!opened || *opened != 0) PrintLine(say::no_browser(page));
}

}  // namespace warplings
