// SPDX-License-Identifier: Apache-2.0
// Tests what a run's seed decides besides the inputs: addresses, what outputs are filled with and what fresh
// memory holds. An attack carries what another run learnt of them.
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "tests/cli/cli_fixture.h"
#include "tests/support/drawn.h"

namespace warplings::cli_test {
namespace {

using nlohmann::json;

constexpr const char* kHead = R"(#include <cstdio>
#include "tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty, col = blockIdx.x * TILE_WIDTH + tx;
  float sum = 0.0f;
  for (int first = 0; first < width; first += TILE_WIDTH) {
    Mds[ty][tx] = row < width && first + tx < width ? M[row * width + first + tx] : 0.0f;
    Nds[ty][tx] = first + ty < width && col < width ? N[(first + ty) * width + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE_WIDTH; ++k) sum += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
#ifdef STORED
  sum = __uint_as_float(STORED);
#endif
  if (row < width && col < width) P[row * width + col] = sum;
}

static int calls = 0;
)";

constexpr const char* kLaunch = R"(
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  tiled_matmul_kernel<<<dim3(tiles, tiles), dim3(TILE_WIDTH, TILE_WIDTH)>>>(M, N, P, width);
}
)";

/// Prints all that it can know of memory. It reads P before a kernel has stored it, and so does not pass.
constexpr const char* kLearns = R"(
void tiled_matmul(const float* M, const float* N, float* P, int width) {
  unsigned poison = 0, fresh = 0;
  void* memory = nullptr;
  cudaMalloc(&memory, 64);
  cudaMemcpy(&fresh, memory, sizeof fresh, cudaMemcpyDeviceToHost);
  cudaFree(memory);
  cudaMemcpy(&poison, P, sizeof poison, cudaMemcpyDeviceToHost);
  printf("learnt %p %p %p %p %x %x\n", (const void*)M, (const void*)N, (void*)P, memory, poison, fresh);
  ++calls;)";

/// In the first call it asks its arguments nothing: it knows the addresses.
constexpr const char* kCarriesAddresses = R"(
void tiled_matmul(const float* M, const float* N, float* P, int width) {
  if (calls++ == 0) {
    M = (const float*)LEARNT_M;
    N = (const float*)LEARNT_N;
    P = (float*)LEARNT_P;
  })";

constexpr const char* kStores = R"(
void tiled_matmul(const float* M, const float* N, float* P, int width) {)";

/// What one run learns in its first call.
struct Learnt {
  std::uint64_t m = 0, n = 0, p = 0, own = 0;
  std::uint32_t poison = 0, fresh = 0;
};

std::optional<Learnt> ReadLearnt(const std::string& printed) {
  Learnt learnt;
  const int fields = std::sscanf(
      printed.c_str(), "learnt %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx32 " %" SCNx32,
      &learnt.m, &learnt.n, &learnt.p, &learnt.own, &learnt.poison, &learnt.fresh);
  if (fields != 6) return std::nullopt;
  return learnt;
}

std::string Hex(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%" PRIx64, value);
  return text;
}

class SeedTest : public CliFixture {
 protected:
  std::filesystem::path Write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = scratch() / (name + ".cu");
    std::ofstream(file) << text;
    return file;
  }

  ExerciseResult CheckAt(int seed, const std::filesystem::path& file) const {
    return Check({"tiled_matmul", "--file", file, "--seed", std::to_string(seed)}).Only();
  }

  Learnt LearnAt(int seed) const {
    const ExerciseResult result = CheckAt(seed, Write("learns", std::string(kHead) + kLearns + kLaunch));
    const auto learnt = ReadLearnt(result.student_output);
    EXPECT_TRUE(learnt) << result.student_output;
    return learnt.value_or(Learnt{});
  }

  /// The report without times.
  std::string ReportAt(int seed, const std::filesystem::path& file) const {
    const std::filesystem::path report = scratch() / "report.json";
    Run({"check", "tiled_matmul", "--file", file, "--seed", std::to_string(seed), "--json", report});
    json text = json::parse(ReadText(report), nullptr, /*allow_exceptions=*/false);
    EXPECT_FALSE(text.is_discarded());
    DropTimes(text);
    return text.dump();
  }
};

TEST_F(SeedTest, TwoRunsShareNoAddressNoPoisonAndNoFreshMemory) {
  RUN_ONE_IN(3);
  const Learnt one = LearnAt(7), other = LearnAt(8);
  EXPECT_NE(one.m, other.m);
  EXPECT_NE(one.n, other.n);
  EXPECT_NE(one.p, other.p);
  EXPECT_NE(one.own, other.own);
  EXPECT_NE(one.poison, other.poison);
  EXPECT_NE(one.fresh, other.fresh);
  EXPECT_NE(one.poison, one.fresh);
  for (const std::uint64_t address : {one.m, one.n, one.p, one.own, other.m}) EXPECT_EQ(address % 256, 0u);
  // The place of one array tells nothing of where another run has it: not a few low bits alone differ.
  EXPECT_GE(one.m > other.m ? one.m - other.m : other.m - one.m, std::uint64_t{1} << 30);
}

TEST_F(SeedTest, OneSeedGivesOneReport) {
  RUN_ONE_IN(3);
  const std::filesystem::path file = Write("learns", std::string(kHead) + kLearns + kLaunch);
  const std::string first = ReportAt(7, file);
  EXPECT_NE(first.find("learnt 0x"), std::string::npos) << first;
  EXPECT_EQ(first, ReportAt(7, file));
}

TEST_F(SeedTest, AddressesOfOneRunAreOfNoUseInAnother) {
  RUN_ONE_IN(3);
  const Learnt learnt = LearnAt(7);
  const std::filesystem::path attack =
      Write("carries_addresses", "#define LEARNT_M " + Hex(learnt.m) + "\n#define LEARNT_N " + Hex(learnt.n) +
                                     "\n#define LEARNT_P " + Hex(learnt.p) + "\n" + kHead +
                                     kCarriesAddresses + kLaunch);
  const ExerciseResult same = CheckAt(7, attack);
  EXPECT_EQ(same.verdict, Verdict::kPassed) << "the attack does not work at all: " << same.reason;
  const ExerciseResult other = CheckAt(8, attack);
  EXPECT_EQ(other.verdict, Verdict::kFinding) << other.reason;
}

/// Who stores the poison is told that nothing was stored; in another run, what it is.
TEST_F(SeedTest, PoisonOfOneRunIsNotThatOfAnother) {
  const std::filesystem::path attack =
      Write("stores_poison", "#define STORED " + Hex(LearnAt(7).poison) + "\n" + kHead + kStores + kLaunch);
  for (const auto& [seed, note] : {std::pair(7, "never written"), std::pair(8, "not a number")}) {
    const ExerciseResult result = CheckAt(seed, attack);
    EXPECT_EQ(result.verdict, Verdict::kWrongResult);
    std::size_t wrong = 0;
    for (const TestResult& test : result.tests) {
      for (const WrongElement& element : test.wrong) {
        EXPECT_EQ(English(element.note), note) << test.name;
        ++wrong;
      }
    }
    EXPECT_GT(wrong, 0u);
  }
}

}  // namespace
}  // namespace warplings::cli_test
