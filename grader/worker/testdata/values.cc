// SPDX-License-Identifier: Apache-2.0
// A submission for tests of the worker; the argument `count` selects what it does. It never uses a device.
#include "grader/worker/testdata/values.h"

#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <vector>

#include "grader/worker/protocol.h"

namespace {

using namespace warplings::worker;

void SendRaw(const void* data, std::size_t size) {
  send(kControlNumber, data, size, 0);
}

void Forge(std::uint64_t number, AnswerKind kind) {
  CallAnswer answer{.number = number, .kind = kind, .result = {}, .last_error = 0};
  std::vector<std::byte> packet = warplings::wire::Encode(answer);
  SendRaw(packet.data(), packet.size());
}

[[noreturn]] void Flood() {
  for (;;) std::puts("again and again and again");
}

void SendHugePacket() {
  static char block[100000];
  SendRaw(block, sizeof block);
}

/// Of processor time, which a busy machine does not spend for us.
void ComputeFor(double seconds) {
  const std::clock_t until = std::clock() + static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC);
  while (std::clock() < until) {
  }
}

void Hog() {
  std::vector<std::vector<char>> blocks;
  for (;;) blocks.emplace_back(std::size_t{16} << 20);
}

/// Where the compiler cannot see what is done there.
void StoreAt(std::uintptr_t address) {
  asm volatile("movb $1, (%0)" : : "r"(address) : "memory");
}

[[gnu::noinline]] int Descend(int depth) {
  volatile char frame[256] = {};
  frame[depth % 256] = 1;
  return depth < 0 ? 0 : Descend(depth + 1) + frame[0];
}

[[gnu::noinline]] void UseLargeArray() {
  volatile char array[32 << 20];
  for (std::size_t i = sizeof array; i > 0; i -= 4096) array[i - 1] = 1;
}

/// An address that was mapped and is not any more, as of a large block that was freed.
std::uintptr_t FreedAddress() {
  void* const block = std::malloc(std::size_t{64} << 20);
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  std::free(block);
  return address;
}

void Misbehave(int what) {
  switch (what) {
    case 1: std::printf("hello\n"); return;
    case 2: exit(0);
    case 3: _exit(3);
    case 4: raise(SIGSEGV); return;
    case 5: abort();
    case 6:
      for (;;) sleep(60);
    case 7: Flood();
    case 8:
      SendRaw("garbage", 7);
      for (;;) pause();
    case 9: Forge(1, AnswerKind::kReturned); return;  // And the true answer a second time.
    case 10: Forge(77, AnswerKind::kReturned); return;
    case 11: Forge(1, AnswerKind::kReady); return;
    case 12:
      SendHugePacket();
      for (;;) pause();
    case 13:
      SendRaw("", 0);
      for (;;) pause();
    case 14:
      close(kControlNumber);
      for (;;) pause();
    case 15: Hog(); return;
    case 16: throw std::runtime_error("nobody catches this");
    case 17:
      for (;;) asm volatile("");
    case 18: shutdown(kControlNumber, SHUT_RDWR); return;
    case 19: raise(SIGKILL); return;
    case 20:
      for (;;) Forge(1, AnswerKind::kOutOfMemory);
    case 21: ComputeFor(0.15); return;
    case 33: usleep(60'000); return;
    case 35: ComputeFor(1.3); return;
    case 22: StoreAt(0); return;
    case 23: StoreAt(0x190); return;
    case 24: StoreAt(0x300000000000); return;
    case 25: Descend(0); return;
    case 26: UseLargeArray(); return;
    case 27: StoreAt(reinterpret_cast<std::uintptr_t>("a literal")); return;
    case 28: StoreAt(0xdeadbeefdeadbeef); return;
    case 29: StoreAt(FreedAddress()); return;
    case 30: Forge(1, AnswerKind::kFault); return;
    case 31:
      for (;;) Forge(1, AnswerKind::kFault);
    case 32: Forge(1, AnswerKind::kFault); exit(0);
    case 34: raise(SIGFPE); return;
    default: return;
  }
}

}  // namespace

Shape combine(const float* data, int count, double factor, Shape shape, Order order, bool flag) {
  if (data == nullptr) Misbehave(count);
  if (order == Order::kColumns) return {shape.columns, shape.rows};
  return {static_cast<int>(reinterpret_cast<std::uintptr_t>(data) >> 32),
          static_cast<int>(factor) + (flag ? 1 : 0)};
}

#ifdef CRASH_BEFORE_MAIN
static const int kCrash = [] {
  raise(SIGSEGV);
  return 0;
}();
#endif
