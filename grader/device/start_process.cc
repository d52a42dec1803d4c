// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>

#include <cerrno>
#include <cstring>

#include "grader/base/messages.h"
#include "grader/device/client.h"
#include "grader/device/device_spec.h"
#include "grader/messages/device.h"

namespace warplings {
namespace {

/// What the child does between fork and exec: async-signal-safe calls only. Returns only on failure.
/// Standard output may be a pipe that the judge writes results to; the device process gets none of it.
void ExecDevice(const char* program, char* const* arguments, int socket, int control_fd, int progress_fd,
                pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) return;  // The parent ended before the line above.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0) return;
  // dup2 onto itself would keep close-on-exec.
  if (socket == control_fd ? fcntl(socket, F_SETFD, 0) != 0 : dup2(socket, control_fd) < 0) return;
  if (progress_fd >= 0 && fcntl(progress_fd, F_SETFD, 0) != 0) return;
  execv(program, arguments);
}

}  // namespace

Result<std::unique_ptr<DeviceClient>> DeviceClient::StartProcess(const std::filesystem::path& program,
                                                                 const std::string& device_spec,
                                                                 std::uint64_t memory_bytes,
                                                                 std::uint64_t memory_seed, int progress_fd) {
  auto spec = ParseDeviceSpec(device_spec);
  if (!spec) return spec.error();
  if (access(program.c_str(), X_OK) != 0) {
    return GraderError(say::device_program_missing(program.string()), say::build_warplings_again());
  }
  ChannelPair pair = MakeChannelPair();
  if (!pair.first.valid())
    return GraderError(say::no_socket_pair(std::strerror(errno)), say::close_programs_for_descriptors());

  constexpr int kControlFd = 3;
  // Beyond those numbers that the process gets other descriptors under. Without it, there is no progress.
  const UniqueFd progress(progress_fd < 0 ? -1 : fcntl(progress_fd, F_DUPFD_CLOEXEC, kControlFd + 1));
  std::string path = program.string();
  std::string words[] = {path,
                         "--device",
                         device_spec,
                         "--memory",
                         std::to_string(memory_bytes),
                         "--memory-seed",
                         std::to_string(memory_seed),
                         "--progress-fd",
                         std::to_string(progress.get()),
                         "--control-fd",
                         std::to_string(kControlFd)};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t parent = getpid();
  pid_t child = fork();
  if (child < 0)
    return GraderError(say::device_cannot_start(std::strerror(errno)), say::close_programs_for_processes());
  if (child == 0) {
    ExecDevice(path.c_str(), arguments.data(), pair.second.get(), kControlFd, progress.get(), parent);
    _exit(127);
  }
  pair.second.reset();
  std::unique_ptr<DeviceClient> client(new DeviceClient(std::move(pair.first)));
  client->process_ = child;
  CudaStatus greeted = client->Greet();
  if (!greeted) return GraderError(say::device_did_not_start(greeted.error().message));
  return client;
}

}  // namespace warplings
