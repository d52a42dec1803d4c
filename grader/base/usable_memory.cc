// SPDX-License-Identifier: Apache-2.0
#include "grader/base/usable_memory.h"

#include <unistd.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace warplings {
namespace {

namespace fs = std::filesystem;

/// Where a hierarchy of control groups is mounted, and which of its groups is seen there: of a container the
/// container's own (proc_pid_mountinfo(5)).
struct Mount {
  fs::path seen, place;
};

std::vector<std::string> SplitAt(const std::string& text, char mark) {
  std::istringstream stream(text);
  std::vector<std::string> parts;
  for (std::string part; std::getline(stream, part, mark);) parts.push_back(part);
  return parts;
}

bool Lists(const std::string& list, std::string_view name) {
  for (const std::string& each : SplitAt(list, ',')) {
    if (each == name) return true;
  }
  return false;
}

/// `controller` of v1; empty: the one hierarchy of v2.
std::optional<Mount> FindMount(const fs::path& root, std::string_view controller) {
  std::ifstream file(root / "proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    // ID, parent, device, what is seen, where, options, optional fields, "-", type, source, options.
    const std::vector<std::string> words = SplitAt(line, ' ');
    std::size_t dash = 6;
    while (dash < words.size() && words[dash] != "-") ++dash;
    if (dash + 3 >= words.size()) continue;
    const bool is_it = controller.empty() ? words[dash + 1] == "cgroup2"
                                          : words[dash + 1] == "cgroup" && Lists(words[dash + 3], controller);
    if (is_it) return Mount{words[3], words[4]};
  }
  return std::nullopt;
}

/// This process's group in that hierarchy (cgroups(7), /proc/pid/cgroup): "4:memory:/path" in v1, "0::/path"
/// in v2.
std::optional<fs::path> FindGroup(const fs::path& root, std::string_view controller) {
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? line.starts_with("0::") : Lists(controllers, controller))
      return line.substr(second + 1);
  }
  return std::nullopt;
}

/// The least limit in the files of this name, from the outermost group that is seen here down to this
/// process's own: a group within another has no more than that.
void TakeLeast(const fs::path& root, std::string_view controller, const char* name, UsableMemory& usable) {
  const auto mount = FindMount(root, controller);
  const auto group = FindGroup(root, controller);
  if (!mount || !group) return;
  fs::path folder = root / mount->place.relative_path();
  const auto look = [&] {
    std::ifstream file(folder / name);
    // "max" is no number, and what v1 says for none is more than any machine has.
    if (std::uint64_t bytes = 0; file >> bytes && bytes > 0 && bytes < usable.bytes)
      usable = {bytes, folder / name};
  };
  look();
  const fs::path below = group->lexically_relative(mount->seen);
  // Of a group that is not seen here nothing more is known.
  if (below.empty() || *below.begin() == "..") return;
  for (const fs::path& part : below) {
    if (part == ".") continue;
    folder /= part;
    look();
  }
}

}  // namespace

UsableMemory FindUsableMemory(const fs::path& root) {
  UsableMemory usable;
  usable.bytes =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  TakeLeast(root, "", "memory.max", usable);
  TakeLeast(root, "memory", "memory.limit_in_bytes", usable);
  return usable;
}

}  // namespace warplings
