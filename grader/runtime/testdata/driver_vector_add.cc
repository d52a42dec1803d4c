// SPDX-License-Identifier: Apache-2.0
// Adds vectors as a program of the driver API alone does: driver_vector_add MODULE COUNT.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "driver_context.h"

namespace {

void Check(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  const char* name = nullptr;
  const char* text = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  std::printf("%s: %s (%s)\n", call, name, text);
  std::exit(1);
}

}  // namespace

#define CHECK(call) Check((call), #call)

int main(int, char** arguments) {
  int count = std::atoi(arguments[2]);
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(float);
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction add;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(CREATE_CONTEXT(&context, 0, device));
  CHECK(cuModuleLoad(&module, arguments[1]));
  CHECK(cuModuleGetFunction(&add, module, "add"));

  std::vector<float> a(count), b(count), c(count);
  for (int i = 0; i < count; ++i) a[i] = 1.0f * i, b[i] = 2.0f * i;
  CUdeviceptr on_device[3];
  for (CUdeviceptr& each : on_device) CHECK(cuMemAlloc(&each, bytes));
  CHECK(cuMemcpyHtoD(on_device[0], a.data(), bytes));
  CHECK(cuMemcpyHtoD(on_device[1], b.data(), bytes));
  void* parameters[] = {&on_device[0], &on_device[1], &on_device[2], &count};
  CHECK(cuLaunchKernel(add, (count + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH(c.data(), on_device[2], bytes));
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += c[i] != 3.0f * i;
  std::printf("%d wrong\n", wrong);
  for (CUdeviceptr each : on_device) CHECK(cuMemFree(each));
  CHECK(cuModuleUnload(module));
  CHECK(cuCtxDestroy(context));
}
