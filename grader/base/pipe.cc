// SPDX-License-Identifier: Apache-2.0
#include "grader/base/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "grader/base/messages.h"

namespace warplings {

Result<Pipe> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) == 0) return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
  return GraderError(say::cannot_make_pipe(std::strerror(errno)), say::close_programs_for_descriptors());
}

}  // namespace warplings
