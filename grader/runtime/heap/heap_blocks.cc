// SPDX-License-Identifier: Apache-2.0
// Notes where each block of the heap begins and how many bytes were asked for, so that a copy can be told
// from one that passes its block's end. It stands in front of the program's allocator and changes nothing of
// what that one does.
//
// The table is a byte for each 16 bytes of address space, in leaves that are mapped when a block first begins
// there: at most 1/16 of the heap. A block's first byte has its size, or says that the seven bits each of the
// next eight bytes have it: those are of the same block, which is large enough. No lock is needed, because a
// block's bytes change only while the calling thread owns the block, and a process that forks keeps a table
// that is whole.
#include "grader/runtime/heap/heap_blocks.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace {

using Byte = unsigned char;

// An address has 47 bits: 13 of the top, 14 of a middle table, 16 of a leaf, 4 within 16 bytes.
constexpr unsigned kGranuleBits = 4, kLeafBits = 16, kMiddleBits = 14, kTopBits = 13;
constexpr std::uintptr_t kLeafSize = 1u << kLeafBits, kMiddleSize = 1u << kMiddleBits,
                         kTopSize = 1u << kTopBits;

struct Leaf {
  Byte of[kLeafSize];
};
struct Middle {
  Leaf* of[kMiddleSize];
};
Middle* top[kTopSize];

// What a block's first byte says. Else it is the size, plus 1.
constexpr Byte kNone = 0, kUnknownSize = 254, kSizeFollows = 255;
constexpr std::size_t kMostInByte = 252, kFollowing = 8, kBitsOfEach = 7;

template <class Table>
Table* MadeAt(Table** slot) {
  Table* table = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  if (table != nullptr) return table;
  const int before = errno;
  void* const mapped = mmap(nullptr, sizeof(Table), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  errno = before;
  if (mapped == MAP_FAILED) return nullptr;
  if (__atomic_compare_exchange_n(slot, &table, static_cast<Table*>(mapped), false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE))
    return static_cast<Table*>(mapped);
  munmap(mapped, sizeof(Table));
  return table;
}

/// A number for each 16 bytes of address space.
struct Granule {
  std::uintptr_t number;

  std::uintptr_t InLeaf() const { return number & (kLeafSize - 1); }
  std::uintptr_t InMiddle() const { return (number >> kLeafBits) & (kMiddleSize - 1); }
  std::uintptr_t InTop() const { return number >> (kLeafBits + kMiddleBits); }
  bool IsKnown() const { return InTop() < kTopSize; }
  Leaf* Found() const {
    Middle* const middle = __atomic_load_n(&top[InTop()], __ATOMIC_ACQUIRE);
    return middle == nullptr ? nullptr : __atomic_load_n(&middle->of[InMiddle()], __ATOMIC_ACQUIRE);
  }
};

Granule GranuleOf(const void* pointer) {
  return {reinterpret_cast<std::uintptr_t>(pointer) >> kGranuleBits};
}

/// Two blocks may begin in 16 bytes where an allocator aligns small ones less; these are not noted.
bool IsAligned(const void* pointer) {
  return (reinterpret_cast<std::uintptr_t>(pointer) & ((1u << kGranuleBits) - 1)) == 0;
}

Byte Load(const Byte& byte) {
  return __atomic_load_n(&byte, __ATOMIC_RELAXED);
}
void Store(Byte& byte, Byte value) {
  __atomic_store_n(&byte, value, __ATOMIC_RELAXED);
}

void* Noted(void* pointer, std::size_t bytes) {
  const Granule granule = GranuleOf(pointer);
  if (pointer == nullptr || !IsAligned(pointer) || !granule.IsKnown()) return pointer;
  Middle* const middle = MadeAt(&top[granule.InTop()]);
  Leaf* const leaf = middle == nullptr ? nullptr : MadeAt(&middle->of[granule.InMiddle()]);
  if (leaf == nullptr) return pointer;
  Byte* const at = &leaf->of[granule.InLeaf()];
  if (bytes <= kMostInByte) {
    Store(*at, static_cast<Byte>(bytes + 1));
  } else if (granule.InLeaf() + kFollowing >= kLeafSize) {
    Store(*at, kUnknownSize);
  } else {
    for (std::size_t i = 0; i < kFollowing; ++i)
      Store(at[1 + i], static_cast<Byte>((bytes >> (kBitsOfEach * i)) & ((1u << kBitsOfEach) - 1)));
    Store(*at, kSizeFollows);
  }
  return pointer;
}

/// Before the block is freed: then it may be another thread's at once. Returns whether it was noted.
bool Forget(const void* pointer) {
  const Granule granule = GranuleOf(pointer);
  if (pointer == nullptr || !IsAligned(pointer) || !granule.IsKnown()) return false;
  Leaf* const leaf = granule.Found();
  if (leaf == nullptr) return false;
  Byte* const at = &leaf->of[granule.InLeaf()];
  const Byte was = Load(*at);
  if (was == kNone) return false;
  Store(*at, kNone);
  for (std::size_t i = 0; was == kSizeFollows && i < kFollowing; ++i) Store(at[1 + i], kNone);
  return true;
}

/// Of the block that begins there. False: none does, or its size is not known.
bool SizeAt(const Byte* at, std::size_t& bytes) {
  const Byte first = Load(*at);
  if (first == kNone || first == kUnknownSize) return false;
  bytes = first - 1u;
  if (first != kSizeFollows) return true;
  bytes = 0;
  for (std::size_t i = 0; i < kFollowing; ++i) bytes |= std::size_t{Load(at[1 + i])} << (kBitsOfEach * i);
  return true;
}

bool SizeOf(const void* pointer, std::size_t& bytes) {
  const Granule granule = GranuleOf(pointer);
  const Leaf* const leaf = IsAligned(pointer) && granule.IsKnown() ? granule.Found() : nullptr;
  return leaf != nullptr && SizeAt(&leaf->of[granule.InLeaf()], bytes);
}

/// The last granule up to this one where a block begins; false if there is none not too far below.
bool FindStart(Granule from, Granule& found) {
  constexpr std::uintptr_t kFurthest = std::uintptr_t{1} << 36;  // 1 TiB.
  const std::uintptr_t last = from.number > kFurthest ? from.number - kFurthest : 0;
  for (Granule at = from; at.number >= last && at.number > 0; --at.number) {
    if (__atomic_load_n(&top[at.InTop()], __ATOMIC_ACQUIRE) == nullptr) {
      at.number &= ~((std::uintptr_t{1} << (kLeafBits + kMiddleBits)) - 1);
      if (at.number == 0) return false;
      continue;
    }
    const Leaf* const leaf = at.Found();
    if (leaf == nullptr) {
      at.number &= ~(kLeafSize - 1);
      if (at.number == 0) return false;
      continue;
    }
    if (Load(leaf->of[at.InLeaf()]) == kNone) continue;
    found = at;
    // It may be one of those that have the size.
    for (std::uintptr_t i = 1; i <= kFollowing && i <= at.InLeaf(); ++i) {
      if (Load(leaf->of[at.InLeaf() - i]) == kSizeFollows) found = {at.number - i};
    }
    return true;
  }
  return false;
}

// --- The allocator behind this one.
// --------------------------------------------------------------------------

struct Allocator {
  void* (*allocate)(std::size_t);
  void* (*allocate_zeros)(std::size_t, std::size_t);
  void* (*change)(void*, std::size_t);
  void (*release)(void*);
  int (*allocate_posix)(void**, std::size_t, std::size_t);
  void* (*allocate_aligned)(std::size_t, std::size_t);
  void* (*allocate_memalign)(std::size_t, std::size_t);
};
Allocator next;
bool is_found = false;
[[gnu::tls_model("initial-exec")]] thread_local bool is_finding = false;

/// What the search itself allocates: it is never freed.
alignas(16) Byte first_blocks[16 * 1024];
std::size_t first_used = 0;

bool IsFirst(const void* pointer) {
  const auto at = reinterpret_cast<std::uintptr_t>(pointer),
             begin = reinterpret_cast<std::uintptr_t>(first_blocks);
  return at >= begin && at < begin + sizeof first_blocks;
}

void* AllocateFirst(std::size_t bytes) {
  constexpr std::size_t kRoundUp = 15;
  if (bytes > sizeof first_blocks) return nullptr;
  const std::size_t all = (bytes + kRoundUp) & ~kRoundUp;
  const std::size_t at = __atomic_fetch_add(&first_used, all, __ATOMIC_RELAXED);
  return at + all <= sizeof first_blocks ? first_blocks + at : nullptr;
}

template <class Function>
void Find(Function*& function, const char* name) {
  void* const address = dlsym(RTLD_NEXT, name);
  static_assert(sizeof function == sizeof address);
  std::memcpy(&function, &address, sizeof function);
}

/// False while this thread looks for it.
[[gnu::noinline]] bool FindNext() {
  if (is_finding) return false;
  is_finding = true;
  Allocator all;
  Find(all.allocate, "malloc");
  Find(all.allocate_zeros, "calloc");
  Find(all.change, "realloc");
  Find(all.release, "free");
  Find(all.allocate_posix, "posix_memalign");
  Find(all.allocate_aligned, "aligned_alloc");
  Find(all.allocate_memalign, "memalign");
  next = all;  // Any thread that comes here at the same time stores the same.
  __atomic_store_n(&is_found, true, __ATOMIC_RELEASE);
  is_finding = false;
  return true;
}

bool HasNext() {
  return __builtin_expect(__atomic_load_n(&is_found, __ATOMIC_ACQUIRE), 1) != 0 || FindNext();
}

}  // namespace

#define WARPLINGS_IN_FRONT extern "C" [[gnu::visibility("default")]]

WARPLINGS_IN_FRONT void* malloc(std::size_t bytes) noexcept {
  if (!HasNext()) return AllocateFirst(bytes);
  return Noted(next.allocate(bytes), bytes);
}

WARPLINGS_IN_FRONT void* calloc(std::size_t count, std::size_t bytes) noexcept {
  if (!HasNext()) return AllocateFirst(count * bytes);  // Zeros, since none is used twice.
  return Noted(next.allocate_zeros(count, bytes), count * bytes);
}

WARPLINGS_IN_FRONT void free(void* pointer) noexcept {
  if (pointer == nullptr || IsFirst(pointer) || !HasNext()) return;
  Forget(pointer);
  next.release(pointer);
}

WARPLINGS_IN_FRONT void* realloc(void* pointer, std::size_t bytes) noexcept {
  if (!HasNext()) return pointer == nullptr ? AllocateFirst(bytes) : nullptr;
  if (IsFirst(pointer)) {
    void* const moved = malloc(bytes);
    const std::size_t there =
        static_cast<std::size_t>(first_blocks + sizeof first_blocks - static_cast<Byte*>(pointer));
    if (moved != nullptr) std::memcpy(moved, pointer, bytes < there ? bytes : there);
    return moved;
  }
  std::size_t before = 0;
  const bool is_known = pointer != nullptr && SizeOf(pointer, before);
  Forget(pointer);
  void* const changed = next.change(pointer, bytes);
  if (changed == nullptr && bytes != 0 && is_known) Noted(pointer, before);  // It is as it was.
  return Noted(changed, bytes);
}

WARPLINGS_IN_FRONT int posix_memalign(void** pointer, std::size_t alignment, std::size_t bytes) noexcept {
  if (!HasNext() || next.allocate_posix == nullptr) return ENOMEM;
  const int error = next.allocate_posix(pointer, alignment, bytes);
  if (error == 0) Noted(*pointer, bytes);
  return error;
}

WARPLINGS_IN_FRONT void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  if (!HasNext() || next.allocate_aligned == nullptr) return nullptr;
  return Noted(next.allocate_aligned(alignment, bytes), bytes);
}

WARPLINGS_IN_FRONT void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  if (!HasNext() || next.allocate_memalign == nullptr) return nullptr;
  return Noted(next.allocate_memalign(alignment, bytes), bytes);
}

bool WarplingsFindHeapBlock(const void* address, WarplingsHeapBlock* found) {
  const Granule granule = GranuleOf(address);
  Granule start{};
  if (!granule.IsKnown() || !FindStart(granule, start)) return false;
  std::size_t bytes = 0;
  if (!SizeAt(&start.Found()->of[start.InLeaf()], bytes)) return false;
  const std::uintptr_t begin = start.number << kGranuleBits;
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - begin;
  if (offset >= bytes) return false;
  *found = {bytes, bytes - offset};
  return true;
}
