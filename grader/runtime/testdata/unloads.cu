// SPDX-License-Identifier: Apache-2.0
// Loads and unloads a module with a __managed__ variable, as a library does that is opened and closed. The device gives
// the variable's addresses out again; memory that gets them is the program's as any other is.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

extern "C" {
void** __cudaRegisterFatBinary(void* fatbin);
void __cudaRegisterManagedVar(void** handle, void** host_pointer, char* device_address, const char* device_name, int is_extern,
                              std::size_t bytes, int is_constant, int is_global);
char __cudaInitModule(void** handle);
void __cudaUnregisterFatBinary(void** handle);
}

namespace {

constexpr char kPtx[] = R"(.version 8.0
.target sm_80
.address_size 64
.visible .global .attribute(.managed) .align 4 .b8 shared[4096];
)";

/// A fatbin container with one uncompressed PTX entry, and what nvcc puts around it.
struct Fatbin {
  struct Wrapper {
    std::uint32_t magic = 0x466243b1, version = 1;
    const void* data = nullptr;
    void* filename = nullptr;
  };
  Fatbin() : bytes(16 + 64 + (sizeof kPtx + 7) / 8 * 8) {
    const std::uint64_t payload = bytes.size() - 16 - 64;
    Put(0, std::uint32_t{0xBA55ED50});
    Put(4, std::uint16_t{1});
    Put(6, std::uint16_t{16});
    Put(8, std::uint64_t{64} + payload);
    Put(16, std::uint16_t{1});
    Put(18, std::uint16_t{0x101});
    Put(20, std::uint32_t{64});
    Put(24, payload);
    Put(44, std::uint32_t{80});
    std::memcpy(bytes.data() + 80, kPtx, sizeof kPtx);
    wrapper.data = bytes.data();
  }
  template <class T>
  void Put(std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
  std::vector<unsigned char> bytes;
  Wrapper wrapper;
};

Fatbin fatbin;
void* shared = nullptr;

}  // namespace

int main() {
  void** handle = __cudaRegisterFatBinary(&fatbin.wrapper);
  __cudaRegisterManagedVar(handle, &shared, nullptr, "shared", 0, 4096, 0, 1);
  if (!__cudaInitModule(handle) || shared == nullptr) return 1;
  std::memset(shared, 1, 4096);
  __cudaUnregisterFatBinary(handle);

  bool had_again = false;
  for (int turn = 0; turn < 3000; ++turn) {
    int* memory = nullptr;
    const cudaError_t status = cudaMallocManaged(&memory, 4096);
    if (status != cudaSuccess) {
      std::printf("turn %d: %s\n", turn, cudaGetErrorName(status));
      return 1;
    }
    had_again = had_again || memory == shared;
    if (memory[0] != 0) std::printf("turn %d: not the device's memory\n", turn);
    memory[0] = 1;
    cudaFree(memory);
  }
  std::printf("%s\n", had_again ? "had again" : "never given out again");
}
