// SPDX-License-Identifier: Apache-2.0
// For device_faults_test, check_faults_test and grade_faults_test: preloaded into a program's processes,
// makes the n-th request of one kind to the system fail, once. Which request, and the number of requests of
// each kind, are in memory shared with the test (fail_nth.h).
#undef _FILE_OFFSET_BITS  // With it, mmap would be another name for mmap64; both are defined here.
#include "tests/support/fail_nth.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <seccomp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {
// Of glibc: what malloc and its kin do, under names that nobody replaces.
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

using warplings::FailNth;
using warplings::FaultKind;

FailNth* page = nullptr;
/// libseccomp 2.5 does not end when it is refused memory at the wrong place (seccomp_export_bpf). What it
/// asks for while it makes a filter is not counted, and not refused.
bool is_in_libseccomp = false;

void* Map(void* address, size_t bytes, int protection, int flags, int fd, off_t offset) {
  return reinterpret_cast<void*>(syscall(SYS_mmap, address, bytes, protection, flags, fd, offset));
}

/// Whether the page is for this process, and not for another that is started with it. By the program's file:
/// a program may be started under another name.
bool IsMeant() {
  char path[4096] = {};
  if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) return false;
  const char* name = strrchr(path, '/');
  const char* meant = getenv(FailNth::kProgramVariable);
  return name && strstr(name, meant ? meant : "device");
}

__attribute__((constructor)) void FindPage() {
  const char* place = getenv(FailNth::kVariable);
  if (!place || !IsMeant()) return;
  const bool is_file = place[0] == '/';
  const int descriptor = is_file ? open(place, O_RDWR | O_CLOEXEC) : atoi(place);
  void* mapped = Map(nullptr, sizeof(FailNth), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (mapped != MAP_FAILED) page = static_cast<FailNth*>(mapped);
  if (is_file) close(descriptor);
}

/// `bytes` is that of an allocation.
bool Fails(FaultKind kind, size_t bytes = 0) {
  if (!page) return false;
  if (kind == FaultKind::kAllocation && (is_in_libseccomp || bytes < page->least_bytes)) return false;
  const unsigned long now = ++page->counts[static_cast<int>(kind)];
  if (kind != page->kind || now != page->n) return false;
  page->fired = true;
  return true;
}

void* OutOfMemory() {
  errno = ENOMEM;
  return nullptr;
}

}  // namespace

extern "C" {

void* malloc(size_t bytes) {
  return Fails(FaultKind::kAllocation, bytes) ? OutOfMemory() : __libc_malloc(bytes);
}

void* calloc(size_t count, size_t bytes) {
  return Fails(FaultKind::kAllocation, count * bytes) ? OutOfMemory() : __libc_calloc(count, bytes);
}

void* realloc(void* old, size_t bytes) {
  return Fails(FaultKind::kAllocation, bytes) ? OutOfMemory() : __libc_realloc(old, bytes);
}

void* aligned_alloc(size_t alignment, size_t bytes) {
  return Fails(FaultKind::kAllocation, bytes) ? OutOfMemory() : __libc_memalign(alignment, bytes);
}

void* mmap(void* address, size_t bytes, int protection, int flags, int fd, off_t offset) {
  if (!Fails(FaultKind::kMapping)) return Map(address, bytes, protection, flags, fd, offset);
  errno = ENOMEM;
  return MAP_FAILED;
}

void* mmap64(void* address, size_t bytes, int protection, int flags, int fd, off_t offset) {
  return mmap(address, bytes, protection, flags, fd, offset);
}

int memfd_create(const char* name, unsigned flags) {
  if (!Fails(FaultKind::kDescriptor)) return static_cast<int>(syscall(SYS_memfd_create, name, flags));
  errno = EMFILE;
  return -1;
}

scmp_filter_ctx seccomp_init(uint32_t action) {
  using Init = scmp_filter_ctx (*)(uint32_t);
  is_in_libseccomp = true;
  return reinterpret_cast<Init>(dlsym(RTLD_NEXT, "seccomp_init"))(action);
}

void seccomp_release(scmp_filter_ctx context) {
  using Release = void (*)(scmp_filter_ctx);
  reinterpret_cast<Release>(dlsym(RTLD_NEXT, "seccomp_release"))(context);
  is_in_libseccomp = false;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  if (Fails(FaultKind::kThread)) return EAGAIN;
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const Create create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return create(thread, attributes, start, argument);
}

}  // extern "C"
