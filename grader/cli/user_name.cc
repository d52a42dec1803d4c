// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/user_name.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

namespace warplings {

std::string NameOfUser() {
  for (const char* name : {"WARPLINGS_AUTHOR", "USER", "LOGNAME"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  const passwd* user = ::getpwuid(::getuid());
  return user == nullptr ? "user " + std::to_string(::getuid()) : user->pw_name;
}

}  // namespace warplings
