// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "grader/base/write_all.h"
#include "grader/cli/command.h"
#include "grader/messages/command_line.h"

namespace warplings {
namespace {

int lost_error = 0;  ///< errno of the first output that was lost; 0: none was.

}  // namespace

void OccupyStandardDescriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) >= 0) continue;
    // The lowest number that is free is this one. Standard output is opened for reading only: writing fails.
    [[maybe_unused]] const int opened = ::open("/dev/null", number == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void NoteLostOutput(int error) {
  if (lost_error == 0) lost_error = error == 0 ? EIO : error;
}

int FinishOutput(int status) {
  if (std::fflush(stdout) != 0) NoteLostOutput(errno);
  // Lost before, and errno is long another one. The output is in pieces already: a line more tells why.
  if (std::ferror(stdout) != 0 && lost_error == 0) NoteLostOutput(WriteAll(STDOUT_FILENO, "\n") ? 0 : errno);
  if (lost_error == 0 || status > 128) return status;
  const Message why = lost_error == EBADF ? say::output_is_closed() : Message(std::strerror(lost_error));
  return ReportError(GraderError(say::output_lost(why), say::some_is_missing()));
}

}  // namespace warplings
