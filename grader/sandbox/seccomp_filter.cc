// SPDX-License-Identifier: Apache-2.0
#include "grader/sandbox/seccomp_filter.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <span>
#include <string>

#include "grader/messages/sandbox.h"

namespace warplings::sandbox {

namespace {

/// For one thread that computes, prints, and uses the sockets it was given. execve and wait4 are needed by
/// bwrap, whose pid 1 runs under the filter, too; in a worker's root there is nothing to execute but the
/// worker. abort() needs tgkill, which reaches no process outside the pid namespace.
constexpr const char* kWorkerCalls[] = {
    // Memory.
    "brk", "mmap", "munmap", "mremap", "mprotect", "madvise",
    // The inherited descriptors.
    "read", "write", "readv", "writev", "pread64", "pwrite64", "lseek", "close", "fstat", "newfstatat", "dup",
    "dup2", "dup3", "fcntl", "ioctl", "poll", "ppoll", "select", "pselect6", "recvmsg", "sendmsg", "recvfrom",
    "sendto", "shutdown",
    // Time.
    "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time",
    // Start and end of a static program, and of bwrap.
    "arch_prctl", "set_tid_address", "set_robust_list", "rseq", "futex", "getrandom", "readlink",
    "readlinkat", "getrlimit", "uname", "execve", "wait4", "exit", "exit_group", "restart_syscall",
    // Signals to itself.
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "tgkill", "getpid", "gettid",
    // Harmless questions.
    "getppid", "getuid", "geteuid", "getgid", "getegid", "sched_yield", "sched_getaffinity", "getcpu",
    "getrusage", "times", "sysinfo", "getcwd"};

/// The loader opens libraries; ConfineThisProcess makes a filter in a memory file and installs it.
constexpr const char* kReaderCalls[] = {"open",  "openat", "access", "faccessat",   "faccessat2",
                                        "statx", "stat",   "lstat",  "memfd_create"};

/// What neither a compiler nor a card's driver needs, and what has led out of sandboxes: other processes,
/// namespaces and mounts, keys, and the kernel's large and young interfaces.
constexpr const char* kDeniedToBoth[] = {"ptrace",
                                         "process_vm_readv",
                                         "process_vm_writev",
                                         "pidfd_getfd",
                                         "kcmp",
                                         "unshare",
                                         "setns",
                                         "mount",
                                         "umount2",
                                         "pivot_root",
                                         "chroot",
                                         "open_tree",
                                         "move_mount",
                                         "fsopen",
                                         "fsconfig",
                                         "fsmount",
                                         "fspick",
                                         "mount_setattr",
                                         "open_by_handle_at",
                                         "mknod",
                                         "mknodat",
                                         "add_key",
                                         "request_key",
                                         "keyctl",
                                         "bpf",
                                         "perf_event_open",
                                         "userfaultfd",
                                         "io_uring_setup",
                                         "fanotify_init",
                                         "quotactl",
                                         "acct",
                                         "swapon",
                                         "swapoff",
                                         "reboot",
                                         "syslog",
                                         "kexec_load",
                                         "kexec_file_load",
                                         "init_module",
                                         "finit_module",
                                         "delete_module",
                                         "iopl",
                                         "ioperm",
                                         "modify_ldt",
                                         "settimeofday",
                                         "clock_settime",
                                         "clock_adjtime",
                                         "adjtimex",
                                         "sethostname",
                                         "setdomainname",
                                         "nfsservctl",
                                         "vhangup"};

/// What a compiler never needs, besides: the network, memory that is shared, and its own surroundings.
constexpr const char* kCompilerDenied[] = {"socket",
                                           "socketpair",
                                           "connect",
                                           "bind",
                                           "listen",
                                           "accept",
                                           "accept4",
                                           "pidfd_open",
                                           "pidfd_send_signal",
                                           "process_madvise",
                                           "name_to_handle_at",
                                           "io_uring_enter",
                                           "io_uring_register",
                                           "inotify_init",
                                           "inotify_init1",
                                           "memfd_create",
                                           "memfd_secret",
                                           "personality",
                                           "lookup_dcookie",
                                           "shmget",
                                           "shmat",
                                           "semget",
                                           "msgget",
                                           "mq_open",
                                           "move_pages",
                                           "migrate_pages",
                                           "mbind",
                                           "set_mempolicy"};

/// The virtual GPU: threads that compute, and memory that they share with clients over sockets which stand.
/// There is no open, no socket and no execve among them: what a hostile PTX text might make of the process
/// finds nothing to reach. mmap and mprotect have rules of their own (AddDeviceRules).
constexpr const char* kDeviceCalls[] = {
    // Memory.
    "brk", "munmap", "mremap", "madvise", "memfd_create", "ftruncate",
    // The descriptors that it has, and that it is sent.
    "read", "write", "readv", "writev", "close", "fstat", "newfstatat", "lseek", "dup", "fcntl", "poll",
    "ppoll", "recvmsg", "sendmsg", "getsockopt", "shutdown",
    // Threads.
    "futex", "set_robust_list", "rseq", "sched_yield", "sched_getaffinity", "getcpu", "exit", "exit_group",
    // Time.
    "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "getrusage", "times",
    "restart_syscall",
    // Signals to itself; tgkill is how abort() ends.
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "tgkill", "getpid", "gettid",
    // Harmless questions.
    "getrandom", "getrlimit", "uname", "sysinfo"};

/// A driver opens device files, starts threads and maps memory as it likes, and differs from version to
/// version: besides kDeniedToBoth only other programs are taken away.
constexpr const char* kCardDenied[] = {"execve", "execveat"};

struct ReleaseFilter {
  void operator()(void* context) const { seccomp_release(context); }
};
using Filter = std::unique_ptr<void, ReleaseFilter>;

/// A call unknown to libseccomp or absent on this architecture needs no rule.
bool AddRules(scmp_filter_ctx filter, std::uint32_t action, std::span<const char* const> names) {
  for (const char* name : names) {
    int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR || number < 0) continue;
    if (seccomp_rule_add(filter, action, number, 0) != 0) return false;
  }
  return true;
}

bool AddWorkerRules(scmp_filter_ctx filter) {
  if (!AddRules(filter, SCMP_ACT_ALLOW, kWorkerCalls)) return false;
  // Its own limits only, not another process'.
  if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A0(SCMP_CMP_EQ, 0)) != 0) {
    return false;
  }
  // worker_main forbids that it be traced or dumped; nothing else of prctl is needed.
  return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1,
                          SCMP_A0(SCMP_CMP_EQ, PR_SET_DUMPABLE)) == 0;
}

bool AddReaderRules(scmp_filter_ctx filter) {
  if (!AddWorkerRules(filter) || !AddRules(filter, SCMP_ACT_ALLOW, kReaderCalls)) return false;
  for (const scmp_datum_t option : {PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP}) {
    if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, option)) != 0)
      return false;
  }
  return true;
}

bool AddCompilerRules(scmp_filter_ctx filter) {
  constexpr std::uint32_t kDeny = SCMP_ACT_ERRNO(EPERM);
  if (!AddRules(filter, kDeny, kDeniedToBoth) || !AddRules(filter, kDeny, kCompilerDenied)) return false;
  // A new user namespace is where most escapes begin. clone3 hides its flags in memory, where a filter
  // cannot look: as if the kernel did not have it, so that the C library falls back to clone.
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0 &&
         seccomp_rule_add(filter, kDeny, SCMP_SYS(clone), 1,
                          SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER)) == 0;
}

/// Memory that is never code, and threads but no processes.
bool AddDeviceRules(scmp_filter_ctx filter) {
  if (!AddRules(filter, SCMP_ACT_ALLOW, kDeviceCalls)) return false;
  for (const int call : {SCMP_SYS(mmap), SCMP_SYS(mprotect)}) {
    if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) != 0)
      return false;
  }
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0 &&
         seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                          SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD | CLONE_NEWUSER, CLONE_THREAD)) == 0;
}

bool AddCardRules(scmp_filter_ctx filter) {
  constexpr std::uint32_t kDeny = SCMP_ACT_ERRNO(EPERM);
  return AddRules(filter, kDeny, kDeniedToBoth) && AddRules(filter, kDeny, kCardDenied);
}

struct Profile {
  std::uint32_t otherwise;  ///< What becomes of a call without a rule.
  bool (*add_rules)(scmp_filter_ctx);
};

/// A refused call fails with EPERM rather than killing: the C library copes, and a program that does not is
/// seen to abort.
Profile ProfileOf(SeccompProfile profile) {
  constexpr std::uint32_t kRefuse = SCMP_ACT_ERRNO(EPERM);
  switch (profile) {
    case SeccompProfile::kCompiler: return {SCMP_ACT_ALLOW, AddCompilerRules};
    case SeccompProfile::kWorker: return {kRefuse, AddWorkerRules};
    case SeccompProfile::kReader: return {kRefuse, AddReaderRules};
    case SeccompProfile::kDevice: return {kRefuse, AddDeviceRules};
    case SeccompProfile::kCard: return {SCMP_ACT_ALLOW, AddCardRules};
  }
  return {kRefuse, AddWorkerRules};
}

Error FilterError(const char* step, int code) {
  return GraderError(say::no_system_call_filter(step, std::strerror(code)), say::kernel_needs_seccomp());
}

}  // namespace

Result<UniqueFd> MakeSeccompFilter(SeccompProfile profile) {
  const Profile made = ProfileOf(profile);
  Filter filter(seccomp_init(made.otherwise));
  if (!filter) return FilterError("seccomp_init", ENOMEM);
  if (!made.add_rules(filter.get())) return FilterError("seccomp_rule_add", EINVAL);
  UniqueFd file(memfd_create("seccomp", MFD_CLOEXEC));
  if (!file) return FilterError("memfd_create", errno);
  if (int fault = seccomp_export_bpf(filter.get(), file.get()); fault != 0) {
    return FilterError("seccomp_export_bpf", -fault);
  }
  if (lseek(file.get(), 0, SEEK_SET) != 0) return FilterError("lseek", errno);
  return file;
}

}  // namespace warplings::sandbox
