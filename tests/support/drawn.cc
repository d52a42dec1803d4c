// SPDX-License-Identifier: Apache-2.0
#include "tests/support/drawn.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "grader/base/sha256.h"
#include "grader/base/shell.h"
#include "grader/core/layout.h"

namespace warplings {

const std::string& Commit() {
  static const std::string kCommit = [] {
    const std::string command =
        "git -C " + ShellWord(ThisLayout().root.string()) + " rev-parse HEAD 2>/dev/null";
    const std::unique_ptr<FILE, int (*)(FILE*)> git(popen(command.c_str(), "r"), pclose);
    std::array<char, 64> hash{};
    if (!git || !std::fgets(hash.data(), hash.size(), git.get())) return std::string("no commit");
    return std::string(hash.data(), std::string(hash.data()).find('\n'));
  }();
  return kCommit;
}

unsigned OneIn(unsigned usual, unsigned of_all) {
  return std::getenv("WARPLINGS_ALL_TESTS") ? of_all : usual;
}

bool IsDrawn(const std::string& name, unsigned one_in) {
  Sha256 hash;
  hash.AddField(Commit());
  hash.AddField(name);
  return std::stoul(hash.Finish().substr(0, 6), nullptr, 16) % one_in == 0;
}

std::vector<std::string> DrawnByTheCommit(std::vector<std::string> names, unsigned one_in) {
  std::erase_if(names, [&](const std::string& name) { return !IsDrawn(name, one_in); });
  return names;
}

}  // namespace warplings
