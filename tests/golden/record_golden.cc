// SPDX-License-Identifier: Apache-2.0
// Runs every instruction case on the first real GPU and keeps the results: record_golden FILE. The driver is
// loaded at run time. Opcodes that the card's driver refuses are listed and left out.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "tests/golden/golden_file.h"
#include "tests/golden/instruction_cases.h"

namespace {

using namespace warplings;
using namespace warplings::vgpu;

/// The few calls of the CUDA driver API that are needed; signatures as in NVIDIA's cuda.h.
struct Driver {
  int (*init)(unsigned);
  int (*device_get)(int*, int);
  int (*device_name)(char*, int, int);
  int (*driver_version)(int*);
  int (*context_retain)(void**, int);
  int (*context_set)(void*);
  int (*module_load)(void**, const void*);
  int (*module_unload)(void*);
  int (*module_function)(void**, void*, const char*);
  int (*alloc)(std::uint64_t*, std::size_t);
  int (*copy_in)(std::uint64_t, const void*, std::size_t);
  int (*copy_out)(void*, std::uint64_t, std::size_t);
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                void**);
  int (*synchronize)();
};

template <class F>
void Load(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (!function) {
    std::fprintf(stderr, "the driver has no %s\n", name);
    std::exit(3);
  }
}

Driver LoadDriver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) {
    std::fprintf(stderr, "no NVIDIA driver here: %s\n", dlerror());
    std::exit(3);
  }
  Driver d;
  Load(library, "cuInit", d.init);
  Load(library, "cuDeviceGet", d.device_get);
  Load(library, "cuDeviceGetName", d.device_name);
  Load(library, "cuDriverGetVersion", d.driver_version);
  Load(library, "cuDevicePrimaryCtxRetain", d.context_retain);
  Load(library, "cuCtxSetCurrent", d.context_set);
  Load(library, "cuModuleLoadData", d.module_load);
  Load(library, "cuModuleUnload", d.module_unload);
  Load(library, "cuModuleGetFunction", d.module_function);
  Load(library, "cuMemAlloc_v2", d.alloc);
  Load(library, "cuMemcpyHtoD_v2", d.copy_in);
  Load(library, "cuMemcpyDtoH_v2", d.copy_out);
  Load(library, "cuLaunchKernel", d.launch);
  Load(library, "cuCtxSynchronize", d.synchronize);
  return d;
}

void Require(int status, const char* what) {
  if (status == 0) return;
  std::fprintf(stderr, "%s failed: %d\n", what, status);
  std::exit(3);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: record_golden FILE\n");
    return 2;
  }
  const Driver d = LoadDriver();
  int device = 0, version = 0;
  void* context = nullptr;
  char name[256] = "";
  Require(d.init(0), "cuInit");
  Require(d.device_get(&device, 0), "cuDeviceGet");
  Require(d.device_name(name, sizeof name, device), "cuDeviceGetName");
  Require(d.driver_version(&version), "cuDriverGetVersion");
  Require(d.context_retain(&context, device), "cuDevicePrimaryCtxRetain");
  Require(d.context_set(context), "cuCtxSetCurrent");
  std::uint64_t operands = 0, results = 0;
  Require(d.alloc(&operands, kCaseThreads * kCaseOperands * 8), "cuMemAlloc");
  Require(d.alloc(&results, kCaseThreads * kCaseResults * 8), "cuMemAlloc");

  GoldenResults golden;
  golden.device = std::string(name) + ", CUDA driver API " + std::to_string(version);
  int refused = 0;
  for (const InstructionCase& one : MakeInstructionCases(BestEngine().rows)) {
    void *module = nullptr, *function = nullptr;
    if (d.module_load(&module, one.kernel_text.c_str()) != 0) {
      std::printf("refused: %s\n", one.name.c_str());
      ++refused;
      continue;
    }
    Require(d.module_function(&function, module, "k"), "cuModuleGetFunction");
    const auto in = CaseOperands(one.opcode);
    std::vector<std::uint64_t> out(kCaseThreads * kCaseResults, kUnwritten);
    Require(d.copy_in(operands, in.data(), in.size() * 8), "cuMemcpyHtoD");
    Require(d.copy_in(results, out.data(), out.size() * 8), "cuMemcpyHtoD");
    void* arguments[] = {&operands, &results};
    Require(d.launch(function, 1, 1, 1, kCaseThreads, 1, 1, 0, nullptr, arguments, nullptr),
            "cuLaunchKernel");
    Require(d.synchronize(), one.opcode.c_str());
    Require(d.copy_out(out.data(), results, out.size() * 8), "cuMemcpyDtoH");
    golden.results[one.name] = std::move(out);
    Require(d.module_unload(module), "cuModuleUnload");
  }
  if (auto written = WriteGolden(argv[1], golden); !written) {
    std::fprintf(stderr, "%s\n", English(written.error().message).c_str());
    return 3;
  }
  std::printf("%s: %zu opcodes recorded, %d refused\n", golden.device.c_str(), golden.results.size(),
              refused);
  return 0;
}
