// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/heap/heap_blocks.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

// This program's allocator is the one that the library has.

/// "bytes left of all", or "none".
std::string BlockAt(const void* address) {
  WarplingsHeapBlock block;
  if (!WarplingsFindHeapBlock(address, &block)) return "none";
  return std::to_string(block.left) + " of " + std::to_string(block.bytes);
}

TEST(HeapBlocks, AddressesWithinABlock) {
  for (const std::size_t bytes : {1u, 24u, 100u, 252u, 253u, 254u, 3960u, 400000u, 1u << 28}) {
    auto* const block = static_cast<char*>(std::malloc(bytes));
    ASSERT_NE(block, nullptr);
    const std::string all = " of " + std::to_string(bytes);
    EXPECT_EQ(BlockAt(block), std::to_string(bytes) + all);
    EXPECT_EQ(BlockAt(block + bytes / 2), std::to_string(bytes - bytes / 2) + all);
    EXPECT_EQ(BlockAt(block + bytes - 1), "1" + all);
    for (std::size_t at = 0; at < bytes && at < 400; ++at)
      EXPECT_EQ(BlockAt(block + at), std::to_string(bytes - at) + all);
    EXPECT_EQ(BlockAt(block + bytes), "none");
    std::free(block);
    EXPECT_EQ(BlockAt(block), "none");
  }
}

TEST(HeapBlocks, AllFunctionsThatAllocate) {
  auto* const zeros = static_cast<char*>(std::calloc(25, 4));
  EXPECT_EQ(BlockAt(zeros), "100 of 100");
  auto* const changed = static_cast<char*>(std::realloc(zeros, 5000));
  EXPECT_EQ(BlockAt(changed + 4000), "1000 of 5000");
  auto* const small = static_cast<char*>(std::realloc(changed, 80));
  EXPECT_EQ(BlockAt(small), "80 of 80");
  EXPECT_EQ(BlockAt(small + 80), "none");
  void* aligned = nullptr;
  ASSERT_EQ(posix_memalign(&aligned, 4096, 700), 0);
  EXPECT_EQ(BlockAt(aligned), "700 of 700");
  void* const other = std::aligned_alloc(64, 640);
  EXPECT_EQ(BlockAt(other), "640 of 640");
  const std::vector<float> vector(50);
  EXPECT_EQ(BlockAt(vector.data()), "200 of 200");
  const auto array = std::make_unique<double[]>(10);
  EXPECT_EQ(BlockAt(array.get()), "80 of 80");
  for (void* const each : {static_cast<void*>(small), aligned, other}) std::free(each);
  EXPECT_EQ(std::realloc(std::malloc(8), 0), nullptr);
}

TEST(HeapBlocks, OtherMemoryIsInNone) {
  static int global[4];
  int local[4] = {};
  EXPECT_EQ(BlockAt(global), "none");
  EXPECT_EQ(BlockAt(local), "none");
  EXPECT_EQ(BlockAt(nullptr), "none");
  EXPECT_EQ(BlockAt(reinterpret_cast<void*>(~std::uintptr_t{0})), "none");
}

TEST(HeapBlocks, ARandomSequenceOfThreads) {
  constexpr int kThreads = 4, kSteps = 20'000, kBlocks = 64;
  std::vector<std::thread> threads;
  std::vector<int> wrong(kThreads);
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      std::minstd_rand random(static_cast<unsigned>(thread + 1));
      std::vector<std::pair<char*, std::size_t>> blocks(kBlocks);
      for (int step = 0; step < kSteps; ++step) {
        auto& [block, bytes] = blocks[random() % kBlocks];
        bytes = 1 + random() % (step % 50 == 0 ? 300'000 : 600);
        if (random() % 3 == 0) {
          block = static_cast<char*>(std::realloc(block, bytes));
        } else {
          std::free(block);
          block = static_cast<char*>(std::malloc(bytes));
        }
        for (const auto& [each, its_bytes] : blocks) {
          if (each == nullptr || random() % 8 != 0) continue;
          WarplingsHeapBlock found;
          const std::size_t offset = random() % its_bytes;
          const bool is_right = WarplingsFindHeapBlock(each + offset, &found) && found.bytes == its_bytes &&
                                found.left == its_bytes - offset;
          wrong[static_cast<std::size_t>(thread)] += is_right ? 0 : 1;
        }
      }
      for (const auto& [block, bytes] : blocks) std::free(block);
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(wrong, std::vector<int>(kThreads));
}

TEST(HeapBlocks, AForkedProcessHasThem) {
  char* const block = static_cast<char*>(std::malloc(300));
  const pid_t child = fork();
  if (child == 0) {
    char* const other = static_cast<char*>(std::malloc(500));
    _exit(BlockAt(block) == "300 of 300" && BlockAt(other) == "500 of 500" ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  std::free(block);
}

}  // namespace
