// SPDX-License-Identifier: Apache-2.0
#include "grader/base/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace warplings {

Result<Pipe> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) == 0) return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
  return GraderError(std::string("Cannot make a pipe: ") + std::strerror(errno) + ".",
                     "Close other programs, or look at `ulimit -n`.");
}

}  // namespace warplings
