// SPDX-License-Identifier: Apache-2.0
// Copies between all kinds of memory, in each direction that a program can name. Prints which are done (+), which are
// refused, with the error's number, and which succeed without copying (?). directions.expected is what an H200 with
// CUDA 13.0 printed.
#include <cstdio>
#include <vector>

namespace {

constexpr int kElements = 32;
constexpr size_t kBytes = kElements * sizeof(int);

__device__ int variable[kElements];

void Fill(void* where, int first) {
  std::vector<int> values(kElements);
  for (int i = 0; i < kElements; ++i) values[i] = first + i;
  cudaMemcpy(where, values.data(), kBytes, cudaMemcpyDefault);
}

bool Holds(const void* where, int first) {
  std::vector<int> values(kElements);
  cudaMemcpy(values.data(), where, kBytes, cudaMemcpyDefault);
  for (int i = 0; i < kElements; ++i)
    if (values[i] != first + i) return false;
  return true;
}

template <class Copy>
void Show(const char* what, const void* from, void* to, Copy copy) {
  std::printf("%s:", what);
  for (int kind = cudaMemcpyHostToHost; kind <= cudaMemcpyDefault; ++kind) {
    Fill(const_cast<void*>(from), 100);
    Fill(to, 0);
    const cudaError_t error = copy(static_cast<cudaMemcpyKind>(kind));
    if (error != cudaSuccess) {
      std::printf(" %d", error);
    } else {
      std::printf(Holds(to, 100) ? " +" : " ?");
    }
    cudaGetLastError();
  }
  std::printf("\n");
}

}  // namespace

int main() {
  struct Memory {
    const char* name;
    void *one = nullptr, *other = nullptr;
  } memories[] = {{"device"}, {"managed"}, {"pinned"}, {"pageable"}};
  std::vector<int> pageable[2] = {std::vector<int>(kElements), std::vector<int>(kElements)};
  for (void* Memory::* side : {&Memory::one, &Memory::other}) {
    cudaMalloc(&(memories[0].*side), kBytes);
    cudaMallocManaged(&(memories[1].*side), kBytes);
    cudaMallocHost(&(memories[2].*side), kBytes);
    memories[3].*side = pageable[side == &Memory::one].data();
  }
  void* symbol;
  cudaGetSymbolAddress(&symbol, variable);
  char what[80];
  for (const Memory& from : memories) {
    for (const Memory& to : memories) {
      std::snprintf(what, sizeof what, "%s to %s", from.name, to.name);
      Show(what, from.one, to.other, [&](cudaMemcpyKind kind) { return cudaMemcpy(to.other, from.one, kBytes, kind); });
    }
    std::snprintf(what, sizeof what, "%s to variable", from.name);
    Show(what, from.one, symbol,
         [&](cudaMemcpyKind kind) { return cudaMemcpyToSymbol(variable, from.one, kBytes, 0, kind); });
    std::snprintf(what, sizeof what, "variable to %s", from.name);
    Show(what, symbol, from.one,
         [&](cudaMemcpyKind kind) { return cudaMemcpyFromSymbol(from.one, variable, kBytes, 0, kind); });
  }
}
