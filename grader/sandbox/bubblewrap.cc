// SPDX-License-Identifier: Apache-2.0
#include "grader/sandbox/bubblewrap.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include "grader/messages/sandbox.h"

namespace warplings::sandbox {

namespace fs = std::filesystem;

namespace {

/// Reads a number from a file of /proc/sys; -1 if there is no such file.
long ReadKernelSetting(const char* path) {
  std::ifstream file(path);
  long value = -1;
  return file >> value ? value : -1;
}

/// Why a user namespace was refused. Ubuntu 24.04: apparmor_restrict_unprivileged_userns lets only
/// programs with an AppArmor profile that grants `userns` have one; its bubblewrap package brings none
/// active, the profile is in apparmor-profiles (bwrap-userns-restrict). Older Debian:
/// unprivileged_userns_clone. Containers: the runtime's own seccomp profile refuses.
Message UserNamespaceNextStep() {
  if (ReadKernelSetting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1) {
    return say::apparmor_restricts();
  }
  if (ReadKernelSetting("/proc/sys/kernel/unprivileged_userns_clone") == 0) {
    return say::namespaces_off_for_users();
  }
  if (ReadKernelSetting("/proc/sys/user/max_user_namespaces") == 0) {
    return say::namespaces_off();
  }
  return say::allow_namespaces_in_container();
}

std::string FirstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace

std::vector<std::string> BubblewrapArguments(const fs::path& bwrap, const Policy& policy,
                                             const std::vector<std::string>& data_targets,
                                             const std::vector<std::string>& program) {
  std::vector<std::string> arguments = {bwrap.string(),  "--unshare-all", "--die-with-parent",
                                        "--new-session", "--clearenv",    "--cap-drop",
                                        "ALL",           "--hostname",    "sandbox"};
  auto add = [&](auto&&... words) { (arguments.emplace_back(words), ...); };
  for (const auto& [name, value] : policy.environment) add("--setenv", name, value);
  // Before the binds: a folder of the host's /tmp may be among them.
  if (policy.limits.scratch_bytes != 0) {
    add("--size", std::to_string(policy.limits.scratch_bytes), "--tmpfs", "/tmp");
  }
  for (const ReadOnlyBind& bind : policy.binds) add("--ro-bind", bind.source.string(), bind.target.string());
  for (const auto& [text, path] : policy.links) add("--symlink", text, path);
  if (policy.null_device) add("--dev-bind", "/dev/null", "/dev/null");
  int number = kFirstDataNumber;
  for (const std::string& target : data_targets) add("--ro-bind-data", std::to_string(number++), target);
  add("--remount-ro", "/", "--chdir", policy.working_directory);
  add("--json-status-fd", std::to_string(kStatusNumber), "--seccomp", std::to_string(kSeccompNumber), "--");
  arguments.insert(arguments.end(), program.begin(), program.end());
  return arguments;
}

Result<fs::path> FindBubblewrap() {
  const char* variable = std::getenv("PATH");
  std::istringstream folders(std::string(variable ? variable : "") + ":/usr/bin:/usr/local/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    fs::path candidate = fs::path(folder) / "bwrap";
    if (candidate.is_absolute() && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return GraderError(say::no_bubblewrap(), say::install_bubblewrap());
}

Error ExplainSetupFailure(const std::string& bwrap_output) {
  const std::string reason = FirstLine(bwrap_output);
  const Message message = reason.empty() ? say::bwrap_failed() : say::bwrap_says(reason);
  auto said = [&](std::string_view text) { return bwrap_output.find(text) != std::string::npos; };
  // bwrap.c: "No permissions to create new namespace …", "Creating new namespace failed: …", "setting up
  // uid map: Permission denied"; with AppArmor's unprivileged profile, "loopback: Failed RTM_NEWADDR".
  if (said("namespace") || said("uid map") || said("loopback"))
    return GraderError(message, UserNamespaceNextStep());
  // Ubuntu 22.04 has 0.6.1, which knows no --size.
  if (said("Unknown option")) return GraderError(message, say::bubblewrap_too_old());
  return GraderError(message, say::doctor_checks_sandbox());
}

}  // namespace warplings::sandbox
