// SPDX-License-Identifier: Apache-2.0
// A hostile program for tests of the sandbox: each verb of its command line attempts one forbidden thing.
// Exit status 0: the attempt was refused. 42: it worked, which is a hole in the sandbox.
//
// With WARPLINGS_CONFINES_ITSELF it is a program with shared libraries, which confines itself first.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <string>

#ifdef WARPLINGS_CONFINES_ITSELF
#include "grader/sandbox/confine.h"
#endif

namespace {

constexpr int kRefused = 0, kHole = 42, kUnknownVerb = 99, kUnconfined = 98;

int Check(bool worked) {
  std::printf(worked ? "worked\n" : "refused: %s\n", std::strerror(errno));
  return worked ? kHole : kRefused;
}

int Fork() {
  long pid = syscall(SYS_fork);
  if (pid == 0) _exit(0);
  if (pid > 0) return Check(true);
  struct {
    std::uint64_t flags = 0, rest[10] = {};
  } clone3_arguments;
  pid = syscall(SYS_clone3, &clone3_arguments, sizeof clone3_arguments);
  if (pid == 0) _exit(0);
  if (pid > 0) return Check(true);
  pid = fork();  // The C library's own way, which is clone.
  if (pid == 0) _exit(0);
  return Check(pid > 0);
}

int WriteAnywhere() {
  for (const char* path :
       {"/x", "/tmp/x", "/dev/x", "/var/tmp/x", "/dev/shm/x", "/worker", "/submission/x"}) {
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    if (fd >= 0 && write(fd, "x", 1) == 1) {
      std::printf("%s is writable\n", path);
      return kHole;
    }
  }
  return kRefused;
}

int KillOthers() {
  // Everybody but oneself; the parent; the first process of the namespace, which must survive.
  bool reached = kill(getppid(), SIGKILL) == 0 || kill(-1, SIGKILL) == 0;
  syscall(SYS_tgkill, 1, 1, SIGKILL);
  syscall(SYS_tgkill, 1, 1, SIGSTOP);
  return Check(reached);
}

int Hog() {
  for (int i = 0; i < 256; ++i) {
    void* block = std::malloc(std::size_t{64} << 20);
    if (!block) {
      std::printf("no memory after %d blocks\n", i);
      return kRefused;
    }
    std::memset(block, 1, 4096);
  }
  return kHole;
}

int HugeFile() {
  int fd = open("/tmp/huge", O_WRONLY | O_CREAT, 0600);
  if (fd < 0) return Check(false);
  static char block[1 << 20];
  for (int i = 0; i < 4096; ++i) {
    if (write(fd, block, sizeof block) < 0) return Check(false);
  }
  return kHole;
}

int ListDescriptors() {
  for (int fd = 0; fd < 4096; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) std::printf("%d ", fd);
  }
  return kRefused;
}

int ListEnvironment() {
  for (char** entry = environ; *entry; ++entry) std::printf("%s\n", *entry);
  return kRefused;
}

int Flood() {
  static char block[65536];
  std::memset(block, 'a', sizeof block);
  for (;;) std::fwrite(block, 1, sizeof block, stdout);
}

int RaiseLimits() {
  rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
  return Check(setrlimit(RLIMIT_AS, &limit) == 0);
}

int Spin() {
  for (;;) asm volatile("");
}

[[noreturn]] void SpinFor(double seconds) {
  const std::clock_t until = std::clock() + static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC);
  while (std::clock() < until) asm volatile("");
  _exit(0);
}

const std::map<std::string, std::function<int(const char*)>> kVerbs = {
    {"fork", [](const char*) { return Fork(); }},
    {"socket", [](const char*) { return Check(socket(AF_INET, SOCK_STREAM, 0) >= 0); }},
    {"socketpair",
     [](const char*) {
       int ends[2];
       return Check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
     }},
    {"open", [](const char* path) { return Check(open(path, O_RDONLY) >= 0); }},
    {"list", [](const char* path) { return Check(open(path, O_RDONLY | O_DIRECTORY) >= 0); }},
    {"ptrace", [](const char*) { return Check(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0); }},
    {"attach", [](const char*) { return Check(ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0); }},
    {"kill", [](const char*) { return KillOthers(); }},
    {"write", [](const char*) { return WriteAnywhere(); }},
    {"unshare", [](const char*) { return Check(unshare(CLONE_NEWUSER) == 0); }},
    {"mount", [](const char*) { return Check(mount("none", "/tmp", "tmpfs", 0, nullptr) == 0); }},
    {"mkdir", [](const char*) { return Check(mkdir("/x", 0700) == 0); }},
    {"hog", [](const char*) { return Hog(); }},
    {"huge-file", [](const char*) { return HugeFile(); }},
    {"limits", [](const char*) { return RaiseLimits(); }},
    {"descriptors", [](const char*) { return ListDescriptors(); }},
    {"environment", [](const char*) { return ListEnvironment(); }},
    {"flood", [](const char*) { return Flood(); }},
    {"spin", [](const char*) { return Spin(); }},
    {"spin-in-turn",
     [](const char*) -> int {
       // Each child alone stays below the limit of a process.
       for (;;) {
         if (const pid_t child = fork(); child == 0) SpinFor(0.3);
         wait(nullptr);
       }
     }},
    {"spin-at-once",
     [](const char*) {
       for (int i = 0; i < 4; ++i) {
         if (fork() == 0) SpinFor(1.5);
       }
       while (wait(nullptr) > 0) continue;
       return 0;
     }},
    {"sleep", [](const char*) { return static_cast<int>(sleep(3600)); }},
    {"print", [](const char* text) { return std::puts(text) < 0; }},
    {"exit", [](const char* status) -> int { _exit(std::atoi(status)); }},
    {"raise", [](const char* number) { return raise(std::atoi(number)); }},
    {"read3",
     [](const char*) {
       char text[64] = {};
       return read(3, text, sizeof text - 1) < 0 || std::puts(text) < 0;
     }},
    {"background",
     [](const char*) {
       // A grandchild that would outlive its parent.
       if (fork() == 0) sleep(3600);
       return 0;
     }},
};

}  // namespace

int main(int argc, char** argv) {
  auto verb = argc > 1 ? kVerbs.find(argv[1]) : kVerbs.end();
  if (verb == kVerbs.end()) return kUnknownVerb;
#ifdef WARPLINGS_CONFINES_ITSELF
  using warplings::sandbox::SeccompProfile;
  if (auto confined = warplings::sandbox::ConfineThisProcess(SeccompProfile::kWorker, 0); !confined) {
    std::printf("%s\n", English(confined.error().message).c_str());
    return kUnconfined;
  }
#endif
  int status = verb->second(argc > 2 ? argv[2] : "");
  std::fflush(stdout);
  return status;
}
