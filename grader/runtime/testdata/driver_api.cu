// SPDX-License-Identifier: Apache-2.0
// Every function of the driver API, used rightly and wrongly: driver_api FOLDER, which holds driver_kernels.ptx,
// .fatbin and .cubin. With `devices` behind it, two devices; with `overrun`, a kernel that writes past the end. The
// errors are those of an H200 (driver 580).
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <cuda.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "driver_context.h"
#include "expect.h"

#undef OK
#undef FAILS
#define OK(call) Expect((call) == CUDA_SUCCESS, #call, __LINE__)
#define FAILS(call, error) Expect((call) == (error), #call, __LINE__)

namespace {

std::string folder;

std::string Read(const std::string& name) {
  std::ifstream file(folder + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void BeforeInit() {
  int count = 0;
  CUdeviceptr p = 0;
  CUcontext context = nullptr;
  OK(cuDriverGetVersion(&count));
  EXPECT(count >= 12000);
  FAILS(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  FAILS(cuMemAlloc(&p, 4), CUDA_ERROR_NOT_INITIALIZED);
  FAILS(cuCtxGetCurrent(&context), CUDA_ERROR_NOT_INITIALIZED);
  FAILS(cuInit(1), CUDA_ERROR_INVALID_VALUE);
  OK(cuInit(0));
}

void WithoutContext() {
  CUdeviceptr p = 0;
  CUcontext context = nullptr;
  CUstream stream = nullptr;
  CUmodule module = nullptr;
  std::size_t bytes = 0;
  FAILS(cuMemAlloc(&p, 4), CUDA_ERROR_INVALID_CONTEXT);
  OK(cuCtxGetCurrent(&context));
  EXPECT(context == nullptr);
  FAILS(cuMemGetInfo(&bytes, &bytes), CUDA_ERROR_INVALID_CONTEXT);
  FAILS(cuModuleLoadData(&module, Read("driver_kernels.ptx").c_str()), CUDA_ERROR_INVALID_CONTEXT);
  FAILS(cuCtxPopCurrent(&context), CUDA_ERROR_INVALID_CONTEXT);
  OK(cuCtxSetCurrent(nullptr));
  FAILS(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
  FAILS(cuStreamCreate(&stream, 0), CUDA_ERROR_INVALID_CONTEXT);
}

void Devices() {
  int value = 0, minor = 0;
  CUdevice device = 7;
  char name[100] = "", beginning[5] = "";
  std::size_t bytes = 0;
  CUuuid uuid{}, same{};
  OK(cuDeviceGetCount(&value));
  EXPECT(value == 1);
  OK(cuDeviceGet(&device, 0));
  EXPECT(device == 0);
  FAILS(cuDeviceGet(&device, 99), CUDA_ERROR_INVALID_DEVICE);
  FAILS(cuDeviceGet(&device, -1), CUDA_ERROR_INVALID_DEVICE);
  OK(cuDeviceGetName(name, sizeof name, device));
  EXPECT(std::string(name) == "NVIDIA A100-SXM4-40GB");
  OK(cuDeviceGetName(beginning, sizeof beginning, device));
  EXPECT(std::string(beginning) == "NVID");
  FAILS(cuDeviceGetName(name, 0, device), CUDA_ERROR_INVALID_VALUE);
  OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  EXPECT(value == 8);
  FAILS(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(9999), device), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 7), CUDA_ERROR_INVALID_DEVICE);
  OK(cuDeviceTotalMem(&bytes, device));
  EXPECT(bytes > std::size_t{30} << 30);
  OK(cuDeviceComputeCapability(&value, &minor, device));
  EXPECT(value == 8 && minor == 0);
  OK(cuDeviceGetUuid(&uuid, device));
  OK(cuDeviceGetUuid(&same, device));
  EXPECT(std::memcmp(&uuid, &same, sizeof uuid) == 0);
  FAILS(cuDeviceGetUuid(&uuid, 3), CUDA_ERROR_INVALID_DEVICE);
}

void PrimaryContext() {
  CUcontext primary = nullptr, current = nullptr;
  CUdeviceptr p = 0;
  unsigned flags = 0;
  int is_active = 9;
  FAILS(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
  OK(cuDevicePrimaryCtxGetState(0, &flags, &is_active));
  EXPECT(is_active == 0);
  OK(cuDevicePrimaryCtxRetain(&primary, 0));
  FAILS(cuMemAlloc(&p, 4), CUDA_ERROR_INVALID_CONTEXT);
  OK(cuCtxSetCurrent(primary));
  OK(cuCtxGetCurrent(&current));
  EXPECT(current == primary);
  OK(cuMemAlloc(&p, 4));
  FAILS(cuCtxDestroy(primary), CUDA_ERROR_INVALID_CONTEXT);
  OK(cuDevicePrimaryCtxRelease(0));
  FAILS(cuMemAlloc(&p, 4), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  OK(cuCtxSetCurrent(nullptr));
}

void Contexts() {
  CUcontext first = nullptr, second = nullptr, context = nullptr;
  CUdevice device = 9;
  CUdeviceptr p = 0;
  FAILS(CREATE_CONTEXT(&first, 0, 9), CUDA_ERROR_INVALID_DEVICE);
  FAILS(CREATE_CONTEXT(&first, 4096, 0), CUDA_ERROR_INVALID_VALUE);
  FAILS(CREATE_CONTEXT(nullptr, 0, 0), CUDA_ERROR_INVALID_VALUE);
  OK(CREATE_CONTEXT(&first, CU_CTX_SCHED_YIELD, 0));
  OK(CREATE_CONTEXT(&second, 0, 0));
#if CUDA_VERSION >= 13000
  CUctxCreateParams parameters = {};
  OK(cuCtxCreate(&context, &parameters, 0, 0));
  OK(cuCtxDestroy(context));
  parameters.numExecAffinityParams = 1;
  FAILS(cuCtxCreate(&context, &parameters, 0, 0), CUDA_ERROR_INVALID_VALUE);
#endif
  OK(cuMemAlloc(&p, 100));
  OK(cuCtxGetCurrent(&context));
  EXPECT(context == second);
  OK(cuCtxPopCurrent(&context));
  EXPECT(context == second);
  OK(cuCtxGetCurrent(&context));
  EXPECT(context == first);
  OK(cuCtxGetDevice(&device));
  EXPECT(device == 0);
  unsigned flags = 0;
  OK(cuCtxGetFlags(&flags));
  EXPECT(flags == CU_CTX_SCHED_YIELD);
  OK(cuCtxPushCurrent(second));
  OK(cuCtxPopCurrent(nullptr));
  FAILS(cuCtxPushCurrent(nullptr), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuCtxSetCurrent(reinterpret_cast<CUcontext>(&p)), CUDA_ERROR_INVALID_CONTEXT);
  std::thread([&] {
    FAILS(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
    OK(cuCtxSetCurrent(first));
    OK(cuCtxSynchronize());
  }).join();
  OK(cuCtxDestroy(second));  // And p with it.
  FAILS(cuMemFree(p), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuCtxDestroy(second), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  FAILS(cuCtxPushCurrent(second), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  OK(cuCtxDestroy(first));
  FAILS(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
}

void Memory() {
  CUdeviceptr p = 0, q = 0, start = 0;
  std::size_t bytes = 0, total = 0;
  void* host = nullptr;
  FAILS(cuMemAlloc(&p, 0), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemAlloc(&p, std::size_t{1} << 60), CUDA_ERROR_OUT_OF_MEMORY);
  FAILS(cuMemAlloc(nullptr, 4), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemAlloc(&p, 100));
  OK(cuMemGetInfo(&bytes, &total));
  EXPECT(bytes < total);
  OK(cuMemGetAddressRange(&start, &bytes, p + 50));
  EXPECT(start == p && bytes == 100);
  FAILS(cuMemGetAddressRange(&start, &bytes, 64), CUDA_ERROR_NOT_FOUND);
  OK(cuMemFree(0));
  FAILS(cuMemFree(p + 16), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemFreeHost(reinterpret_cast<void*>(p)), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFree(p));
  FAILS(cuMemFree(p), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemAllocHost(&host, 0));
  EXPECT(host == nullptr);
  FAILS(cuMemHostAlloc(&host, 4, 77), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemHostAlloc(&host, 4, CU_MEMHOSTALLOC_DEVICEMAP));
  OK(cuMemHostGetDevicePointer(&q, host, 0));
  EXPECT(q == reinterpret_cast<CUdeviceptr>(host));
  FAILS(cuMemFree(reinterpret_cast<CUdeviceptr>(host)), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFreeHost(host));
  FAILS(cuMemFreeHost(host), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFreeHost(nullptr));
  OK(cuMemAllocHost(&host, 4));
  OK(cuMemFreeHost(host));
  FAILS(cuMemAllocManaged(&p, 4, 0), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemAllocManaged(&p, 0, CU_MEM_ATTACH_GLOBAL), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemAllocManaged(&p, 4, CU_MEM_ATTACH_GLOBAL));
  *reinterpret_cast<int*>(p) = 3;
  OK(cuMemFree(p));
  OK(cuMemAllocPitch(&p, &bytes, 10, 10, 4));
  EXPECT(bytes == 512);
  OK(cuMemsetD2D32(p, bytes, 7, 2, 10));
  OK(cuMemsetD2D32Async(p, bytes, 7, 2, 10, nullptr));
  OK(cuMemFree(p));
  FAILS(cuMemAllocPitch(&p, &bytes, 10, 10, 3), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemAllocAsync(&p, 100, nullptr));
  OK(cuMemFreeAsync(p, nullptr));
}

void CopiesAndFills() {
  CUdeviceptr p = 0, q = 0;
  char host[100] = "abc", back[100] = "";
  const auto on_host = reinterpret_cast<CUdeviceptr>(host);
  CUstream stream = nullptr;
  OK(cuMemAlloc(&p, 100));
  OK(cuMemAlloc(&q, 100));
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OK(cuMemcpyHtoD(p, host, 100));
  OK(cuMemcpyDtoD(q, p, 100));
  OK(cuMemcpyDtoH(back, q, 100));
  EXPECT(std::string(back) == "abc");
  OK(cuMemsetD8Async(p, 'x', 100, stream));
  OK(cuMemcpyDtoDAsync(q, p, 100, stream));
  OK(cuMemcpyDtoHAsync(back, q, 100, stream));
  OK(cuStreamSynchronize(stream));
  EXPECT(back[0] == 'x' && back[99] == 'x');
  OK(cuMemcpyHtoDAsync(p, host, 100, stream));
  OK(cuMemcpyAsync(on_host, p, 100, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpy(p, on_host, 100));
  OK(cuMemcpyHtoD(p, nullptr, 0));
  FAILS(cuMemcpyHtoD(p, host, 200), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpyHtoD(p, host, std::size_t{1} << 60), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpyHtoD(0, host, 4), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpyHtoD(p, nullptr, 4), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpyDtoH(host, 0, 4), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpyHtoD(on_host, host, 4), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpyDtoH(host, on_host, 4), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpyDtoD(p, on_host, 4), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemsetD32(p, 0x01020304, 25));
  OK(cuMemsetD16(p, 0x0506, 1));
  OK(cuMemcpyDtoH(back, p, 100));
  EXPECT(back[0] == 6 && back[1] == 5 && back[2] == 2 && back[99] == 1);
  FAILS(cuMemsetD32(p + 2, 5, 1), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemsetD16(p + 1, 5, 1), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemsetD32(p, 5, 200), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemsetD32(p, 5, std::size_t{1} << 61), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemsetD32(p, 5, std::size_t{1} << 62), CUDA_ERROR_INVALID_VALUE);  // An H200 computes with 64 bits: 0.
  FAILS(cuMemsetD8(0, 5, 1), CUDA_ERROR_INVALID_VALUE);
  OK(cuMemsetD32(p, 5, 0));
  OK(cuStreamDestroy(stream));
  OK(cuMemFree(p));
  OK(cuMemFree(q));
}

/// Copies of 4 rows of 16 bytes, in one slice or two, with one thing changed. The device has room for 16 rows of 64.
CUdeviceptr rows;
char rows_of_host[4096];
template <class Copy>
Copy FourRows() {
  Copy copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = rows_of_host;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = rows;
  copy.srcPitch = copy.dstPitch = 64;
  copy.WidthInBytes = 16;
  copy.Height = 4;
  return copy;
}
template <class Change>
CUresult Copy2D(Change&& change) {
  auto copy = FourRows<CUDA_MEMCPY2D>();
  change(copy);
  const CUresult result = cuMemcpy2D(&copy);
  EXPECT(cuMemcpy2DAsync(&copy, nullptr) == result && cuMemcpy2DUnaligned(&copy) == result);
  return result;
}
template <class Change>
CUresult Copy3D(Change&& change) {
  auto copy = FourRows<CUDA_MEMCPY3D>();
  copy.srcHeight = copy.dstHeight = 4;
  copy.Depth = 2;
  change(copy);
  const CUresult result = cuMemcpy3D(&copy);
  EXPECT(cuMemcpy3DAsync(&copy, nullptr) == result);
  return result;
}

void CopiesOfRows() {
  using Two = CUDA_MEMCPY2D&;
  using Three = CUDA_MEMCPY3D&;
  const auto nothing = [](auto&) {};
  for (std::size_t i = 0; i < sizeof rows_of_host; ++i) rows_of_host[i] = static_cast<char>(i * 7 % 101);
  OK(cuMemAlloc(&rows, 1024));
  OK(cuMemsetD8(rows, 0, 1024));
  FAILS(cuMemcpy2D(nullptr), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuMemcpy3D(nullptr), CUDA_ERROR_INVALID_VALUE);
  OK(Copy2D([](Two c) { c.srcXInBytes = 3, c.srcY = 2, c.dstXInBytes = 5, c.dstY = 1; }));
  char back[1024] = "";
  OK(cuMemcpyDtoH(back, rows, sizeof back));
  EXPECT(std::memcmp(back + 64 + 5, rows_of_host + 2 * 64 + 3, 16) == 0 && back[64 + 4] == 0 && back[64 + 21] == 0);
  EXPECT(std::memcmp(back + 4 * 64 + 5, rows_of_host + 5 * 64 + 3, 16) == 0 && back[5 * 64 + 5] == 0);
  OK(Copy3D([](Three c) { c.srcZ = 1, c.dstZ = 2, c.dstXInBytes = 1; }));
  OK(cuMemcpyDtoH(back, rows, sizeof back));
  EXPECT(std::memcmp(back + 15 * 64 + 1, rows_of_host + 11 * 64, 16) == 0);
  // A pitch of 0 is that of rows without gaps.
  OK(Copy2D([](Two c) { c.dstPitch = 0; }));
  OK(cuMemcpyDtoH(back, rows, sizeof back));
  EXPECT(std::memcmp(back + 16, rows_of_host + 64, 16) == 0);
  OK(Copy2D([&](Two c) {
    c.srcMemoryType = CU_MEMORYTYPE_DEVICE, c.srcDevice = rows;
    c.dstMemoryType = CU_MEMORYTYPE_HOST, c.dstHost = back + 512;
  }));
  EXPECT(std::memcmp(back + 512, back, 16) == 0);
  OK(Copy2D([](Two c) { c.srcMemoryType = CU_MEMORYTYPE_UNIFIED, c.srcDevice = reinterpret_cast<CUdeviceptr>(c.srcHost); }));
  OK(Copy2D([](Two c) { c.dstMemoryType = CU_MEMORYTYPE_UNIFIED; }));
  OK(Copy2D([](Two c) { c.WidthInBytes = 0; }));
  OK(Copy2D([](Two c) { c.Height = 0, c.srcHost = nullptr; }));
  OK(Copy2D([](Two c) { c.dstY = 12; }));
  for (const CUresult result :
       {Copy2D([](Two c) { c.srcPitch = 8; }), Copy2D([](Two c) { c.dstXInBytes = 60; }),
        Copy2D([](Two c) { c.dstY = 13; }), Copy2D([](Two c) { c.srcHost = nullptr; }),
        Copy2D([](Two c) { c.dstDevice = 0; }),
        Copy2D([](Two c) { c.dstDevice = reinterpret_cast<CUdeviceptr>(rows_of_host); }),
        Copy2D([](Two c) { c.srcMemoryType = static_cast<CUmemorytype>(0); }),
        Copy2D([](Two c) { c.dstMemoryType = static_cast<CUmemorytype>(7); }),
        Copy3D([](Three c) { c.Depth = 5; }), Copy3D([](Three c) { c.srcHeight = 3; }),
        Copy3D([](Three c) { c.dstY = 1; }), Copy3D([](Three c) { c.dstZ = 3; }),
        Copy3D([](Three c) { c.srcXInBytes = 49; })})
    EXPECT(result == CUDA_ERROR_INVALID_VALUE);
  OK(Copy3D(nothing));
  OK(Copy3D([](Three c) { c.Depth = 4; }));
  OK(Copy3D([](Three c) { c.Depth = 0; }));
  OK(Copy3D([](Three c) { c.srcHeight = c.dstHeight = 0; }));
  OK(Copy3D([](Three c) { c.srcPitch = 0; }));
  FAILS(Copy2D([](Two c) { c.srcMemoryType = CU_MEMORYTYPE_ARRAY; }), CUDA_ERROR_NOT_SUPPORTED);
  OK(cuMemFree(rows));
}

void Modules() {
  const std::string ptx = Read("driver_kernels.ptx"), fatbin = Read("driver_kernels.fatbin"),
                    cubin = Read("driver_kernels.cubin");
  CUmodule module = nullptr;
  CUfunction function = nullptr, again = nullptr;
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  FAILS(cuModuleLoadData(&module, nullptr), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuModuleLoadData(&module, "garbage"), CUDA_ERROR_INVALID_IMAGE);
  FAILS(cuModuleLoadData(&module, ""), CUDA_ERROR_INVALID_IMAGE);
  FAILS(cuModuleLoadData(&module, ".version 7.0\n.target sm_100\n.address_size 64\n"), CUDA_ERROR_INVALID_PTX);
  FAILS(cuModuleLoadData(&module, cubin.data()), CUDA_ERROR_NO_BINARY_FOR_GPU);
  FAILS(cuModuleLoad(&module, "/nonexistent"), CUDA_ERROR_FILE_NOT_FOUND);
  FAILS(cuModuleLoad(&module, (folder + "/driver_kernels.cubin").c_str()), CUDA_ERROR_NO_BINARY_FOR_GPU);

  char log[200] = "untouched";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  FAILS(cuModuleLoadDataEx(&module, ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() { nonsense }\n", 2,
                           options, values),
        CUDA_ERROR_INVALID_PTX);
  EXPECT(reinterpret_cast<std::size_t>(values[1]) == std::strlen(log) && std::strlen(log) > 10);

  OK(cuModuleLoadFatBinary(&module, fatbin.data()));
  OK(cuModuleUnload(module));
  OK(cuModuleLoad(&module, (folder + "/driver_kernels.fatbin").c_str()));
  OK(cuModuleUnload(module));
  OK(cuModuleLoadData(&module, ptx.c_str()));
  OK(cuModuleGetFunction(&function, module, "fill"));
  OK(cuModuleGetFunction(&again, module, "fill"));
  EXPECT(function == again);
  FAILS(cuModuleGetFunction(&again, module, "missing"), CUDA_ERROR_NOT_FOUND);
  FAILS(cuModuleGetFunction(&again, module, nullptr), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuModuleGetFunction(&again, nullptr, "fill"), CUDA_ERROR_INVALID_HANDLE);
  OK(cuModuleGetGlobal(&address, &bytes, module, "offset"));
  EXPECT(bytes == sizeof(int));
  OK(cuModuleGetGlobal(&address, nullptr, module, "offset"));
  FAILS(cuModuleGetGlobal(&address, &bytes, module, "missing"), CUDA_ERROR_NOT_FOUND);
  int offset = 0;
  OK(cuMemcpyDtoH(&offset, address, sizeof offset));
  EXPECT(offset == 5);
  OK(cuModuleGetGlobal(&address, &bytes, module, "managed"));
  EXPECT(*reinterpret_cast<int*>(address) == 6);
  OK(cuModuleUnload(module));
  FAILS(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
  FAILS(cuModuleGetFunction(&again, module, "fill"), CUDA_ERROR_INVALID_HANDLE);
  int value = 4;
  void* parameters[] = {&address, &value};
  FAILS(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr), CUDA_ERROR_INVALID_HANDLE);

  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  OK(cuLibraryLoadData(&library, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  OK(cuLibraryGetKernel(&kernel, library, "nothing"));
  OK(cuKernelGetFunction(&function, kernel));
  OK(cuLibraryGetGlobal(&address, &bytes, library, "offset"));
  OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  OK(cuLibraryUnload(library));
  FAILS(cuKernelGetFunction(&function, kernel), CUDA_ERROR_INVALID_HANDLE);
}

constexpr char kCaller[] = R"(.version 7.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) add_two(.param .b32 a);
.visible .entry store(.param .u64 p)
{
  .reg .b32 %r<2>;
  .reg .b64 %d<2>;
  ld.param.u64 %d1, [p];
  {
    .param .b32 a;
    .param .b32 b;
    st.param.b32 [a], 5;
    call.uni (b), add_two, (a);
    ld.param.b32 %r1, [b];
  }
  st.global.u32 [%d1], %r1;
  ret;
}
)";
constexpr char kCallee[] = R"(.version 7.0
.target sm_80
.address_size 64
.visible .func (.param .b32 r) add_two(.param .b32 a)
{
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [a];
  add.s32 %r2, %r1, 2;
  st.param.b32 [r], %r2;
  ret;
}
)";
CUresult AddPtx(CUlinkState state, const char* ptx, std::size_t bytes) {
  return cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(ptx), bytes, "ptx", 0, nullptr, nullptr);
}

void Linker() {
  CUlinkState state = nullptr;
  CUmodule module = nullptr;
  CUfunction store = nullptr;
  CUdeviceptr number = 0;
  int result = 0;
  void* image = nullptr;
  std::size_t bytes = 0;
  char log[200] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  FAILS(cuLinkCreate(0, nullptr, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  OK(cuLinkCreate(2, options, values, &state));
  OK(AddPtx(state, kCaller, sizeof kCaller));
  constexpr char kBroken[] = ".version 7.0\n.target sm_80\n.visible .entry k() { foo }";
  FAILS(AddPtx(state, kBroken, sizeof kBroken), CUDA_ERROR_INVALID_PTX);
  EXPECT(log[0] != '\0' && values[1] == reinterpret_cast<void*>(std::strlen(log)));
  FAILS(AddPtx(state, "hello", 6), CUDA_ERROR_INVALID_IMAGE);
  FAILS(AddPtx(state, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuLinkAddData(state, static_cast<CUjitInputType>(9), log, 9, "", 0, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuLinkAddFile(state, CU_JIT_INPUT_PTX, "/no", 0, nullptr, nullptr), CUDA_ERROR_FILE_NOT_FOUND);
  OK(AddPtx(state, kCallee, sizeof kCallee - 1));
  OK(cuLinkAddFile(state, CU_JIT_INPUT_PTX, (folder + "/driver_kernels.ptx").c_str(), 0, nullptr, nullptr));
  OK(cuLinkComplete(state, &image, &bytes));
  const std::vector<char> copy(static_cast<char*>(image), static_cast<char*>(image) + bytes);
  FAILS(AddPtx(state, kCallee, sizeof kCallee), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuLinkComplete(state, &image, &bytes), CUDA_ERROR_INVALID_HANDLE);
  OK(cuModuleLoadData(&module, image));
  OK(cuModuleUnload(module));
  OK(cuLinkDestroy(state));
  OK(cuModuleLoadData(&module, copy.data()));
  OK(cuModuleGetFunction(&store, module, "nothing"));
  OK(cuModuleGetFunction(&store, module, "store"));
  OK(cuMemAlloc(&number, sizeof result));
  void* parameters[] = {&number};
  OK(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  OK(cuMemcpyDtoH(&result, number, sizeof result));
  EXPECT(result == 7);
  OK(cuMemFree(number));
  OK(cuModuleUnload(module));
  OK(cuLinkCreate(0, nullptr, nullptr, &state));
  OK(cuLinkComplete(state, &image, &bytes));
  OK(cuLinkDestroy(state));
}

void Launches() {
  CUmodule module = nullptr;
  CUfunction fill = nullptr, share = nullptr;
  CUdeviceptr out = 0;
  int value = 4, host[64] = {}, blocks = 0, grid = 0;
  OK(cuModuleLoad(&module, (folder + "/driver_kernels.ptx").c_str()));
  OK(cuModuleGetFunction(&fill, module, "fill"));
  OK(cuModuleGetFunction(&share, module, "share"));
  OK(cuMemAlloc(&out, sizeof host));
  void* parameters[] = {&out, &value};
  OK(cuLaunchKernel(fill, 1, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  OK(cuMemcpyDtoH(host, out, sizeof host));
  EXPECT(host[0] == 9 && host[63] == 9);

  struct {
    CUdeviceptr out;
    int value;
  } packed{out, 5};
  std::size_t size = 12;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  const auto launch = [&](void** given, void** more) {
    return cuLaunchKernel(fill, 1, 1, 1, 64, 1, 1, 0, nullptr, given, more);
  };
  OK(launch(nullptr, extra));
  OK(cuMemcpyDtoH(host, out, sizeof host));
  EXPECT(host[0] == 10);
  size = 16;
  FAILS(launch(nullptr, extra), CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  size = 11;  // An H200 reads what is behind.
  FAILS(launch(nullptr, extra), CUDA_ERROR_INVALID_VALUE);
  size = std::size_t{1} << 60;
  FAILS(launch(nullptr, extra), CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  size = 12;
  FAILS(launch(parameters, extra), CUDA_ERROR_INVALID_VALUE);
  void* no_size[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_END};
  FAILS(launch(nullptr, no_size), CUDA_ERROR_INVALID_VALUE);
  void* nothing[] = {CU_LAUNCH_PARAM_END};
  OK(launch(parameters, nothing));
  FAILS(launch(nullptr, nothing), CUDA_ERROR_INVALID_VALUE);
  FAILS(launch(nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  void* half[] = {&out, nullptr};
  FAILS(launch(half, nullptr), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuLaunchKernel(fill, 1, 1, 1, 2048, 1, 1, 0, nullptr, parameters, nullptr), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuLaunchKernel(fill, 0, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 300000, nullptr, parameters, nullptr), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr), CUDA_ERROR_INVALID_HANDLE);

  void* shared_parameters[] = {&out};
  OK(cuFuncSetAttribute(share, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
  OK(cuLaunchKernel(share, 1, 1, 1, 64, 1, 1, 100000, nullptr, shared_parameters, nullptr));
  OK(cuMemcpyDtoH(host, out, sizeof host));
  EXPECT(host[0] == 63 && host[63] == 0);
  OK(cuLaunchCooperativeKernel(share, 1, 1, 1, 64, 1, 1, 256, nullptr, shared_parameters));
  CUlaunchConfig config{};
  config.gridDimX = config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.blockDimX = 64;
  OK(cuLaunchKernelEx(&config, fill, parameters, nullptr));
  OK(cuCtxSynchronize());

  OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PTX_VERSION, fill));
  EXPECT(value == 80);
  OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, fill));
  EXPECT(value == 49152);
  OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, fill));
  EXPECT(value == 0);
  FAILS(cuFuncGetAttribute(&value, static_cast<CUfunction_attribute>(99), fill), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr), CUDA_ERROR_INVALID_HANDLE);
  FAILS(cuFuncSetAttribute(fill, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 999999), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuFuncSetAttribute(fill, CU_FUNC_ATTRIBUTE_PTX_VERSION, 9), CUDA_ERROR_INVALID_VALUE);
  OK(cuFuncSetCacheConfig(fill, CU_FUNC_CACHE_PREFER_L1));
  OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 256, 0));
  EXPECT(blocks == 8);
  FAILS(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 0, 0), CUDA_ERROR_INVALID_VALUE);
  OK(cuOccupancyMaxPotentialBlockSize(&grid, &blocks, fill, nullptr, 0, 0));
  EXPECT(grid == 216 && blocks == 1024);
  OK(cuMemFree(out));
  OK(cuModuleUnload(module));
}

void StreamsAndEvents() {
  CUstream stream = nullptr;
  CUevent start = nullptr, stop = nullptr, untimed = nullptr;
  float milliseconds = -1;
  unsigned flags = 0;
  int priority = 9;
  FAILS(cuStreamCreate(&stream, 5), CUDA_ERROR_INVALID_VALUE);
  OK(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -1));
  OK(cuStreamGetFlags(stream, &flags));
  EXPECT(flags == CU_STREAM_NON_BLOCKING);
  OK(cuStreamGetPriority(stream, &priority));
  EXPECT(priority == -1);
  FAILS(cuEventCreate(&start, 77), CUDA_ERROR_INVALID_VALUE);
  OK(cuEventCreate(&start, CU_EVENT_DEFAULT));
  OK(cuEventCreate(&stop, CU_EVENT_BLOCKING_SYNC));
  OK(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
  OK(cuEventQuery(start));
  FAILS(cuEventElapsedTime(&milliseconds, start, start), CUDA_ERROR_INVALID_HANDLE);
  OK(cuEventRecord(untimed, nullptr));
  FAILS(cuEventElapsedTime(&milliseconds, untimed, untimed), CUDA_ERROR_INVALID_HANDLE);
  FAILS(cuEventSynchronize(nullptr), CUDA_ERROR_INVALID_HANDLE);
  OK(cuEventRecord(start, stream));
  OK(cuEventRecord(stop, stream));
  OK(cuStreamWaitEvent(nullptr, stop, 0));
  OK(cuEventSynchronize(stop));
  OK(cuEventElapsedTime(&milliseconds, start, stop));
  EXPECT(milliseconds >= 0);
  bool has_run = false;
  OK(cuLaunchHostFunc(stream, [](void* flag) { *static_cast<bool*>(flag) = true; }, &has_run));
  OK(cuStreamSynchronize(stream));
  EXPECT(has_run);
  OK(cuStreamQuery(stream));
  OK(cuEventDestroy(start));
  FAILS(cuEventDestroy(start), CUDA_ERROR_INVALID_HANDLE);
  OK(cuEventDestroy(stop));
  OK(cuEventDestroy(untimed));
  OK(cuStreamDestroy(stream));
  FAILS(cuStreamDestroy(nullptr), CUDA_ERROR_INVALID_HANDLE);
}

__global__ void Double(int* number) {
  *number *= 2;
}

/// Both APIs have one state.
void MixedWithTheRuntime() {
  int* number = nullptr;
  int host = 21;
  CUstream stream = nullptr;
  CUfunction function = nullptr;
  CUmodule module = nullptr;
  cudaFunction_t of_runtime = nullptr;
  EXPECT(cudaMalloc(&number, 64 * sizeof *number) == cudaSuccess);
  const auto address = reinterpret_cast<CUdeviceptr>(number);
  OK(cuMemcpyHtoD(address, &host, sizeof host));
  OK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  Double<<<1, 1, 0, stream>>>(number);
  EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
  OK(cuMemcpyDtoH(&host, address, sizeof host));
  EXPECT(host == 42);
  EXPECT(cudaGetFuncBySymbol(&of_runtime, reinterpret_cast<const void*>(Double)) == cudaSuccess);
  void* parameters[] = {&number};
  OK(cuLaunchKernel(of_runtime, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  OK(cuModuleLoad(&module, (folder + "/driver_kernels.ptx").c_str()));
  OK(cuModuleGetFunction(&function, module, "fill"));
  int value = 1;
  void* more[] = {&number, &value};
  EXPECT(cudaLaunchKernel(reinterpret_cast<const void*>(function), dim3(1), dim3(64), more, 0, nullptr) ==
         cudaSuccess);
  EXPECT(cudaMemcpy(&host, number, sizeof host, cudaMemcpyDefault) == cudaSuccess);
  EXPECT(host == 6);
  FAILS(cuMemFree(address + 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT(cudaGetLastError() == cudaSuccess);  // The driver API's errors are not the runtime's.
  EXPECT(cudaStreamDestroy(stream) == cudaSuccess);
  EXPECT(cudaFree(number) == cudaSuccess);
}

void Errors() {
  const char* text = nullptr;
  OK(cuGetErrorName(CUDA_ERROR_INVALID_CONTEXT, &text));
  EXPECT(std::string(text) == "CUDA_ERROR_INVALID_CONTEXT");
  OK(cuGetErrorString(CUDA_ERROR_INVALID_CONTEXT, &text));
  EXPECT(std::string(text) == "invalid device context");
  FAILS(cuGetErrorString(static_cast<CUresult>(12345), &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT(text == nullptr);
  CUarray array = nullptr;
  CUDA_ARRAY_DESCRIPTOR description{};
  FAILS(cuArrayCreate(&array, &description), CUDA_ERROR_NOT_SUPPORTED);
}

/// A module is its context's, a library is every device's.
void TwoDevices() {
  CUcontext contexts[2] = {};
  CUmodule module = nullptr;
  CUlibrary library = nullptr;
  CUfunction of_first = nullptr, of_all = nullptr;
  CUdevice device = 9;
  CUdeviceptr p = 0;
  int major = 0;
  OK(cuInit(0));
  OK(CREATE_CONTEXT(&contexts[0], 0, 0));
  OK(cuModuleLoad(&module, (folder + "/driver_kernels.ptx").c_str()));
  OK(cuModuleGetFunction(&of_first, module, "nothing"));
  OK(cuLibraryLoadFromFile(&library, (folder + "/driver_kernels.ptx").c_str(), nullptr, nullptr, 0, nullptr, nullptr,
                           0));
  OK(cuLibraryGetKernel(reinterpret_cast<CUkernel*>(&of_all), library, "nothing"));
  OK(CREATE_CONTEXT(&contexts[1], 0, 1));
  OK(cuCtxGetDevice(&device));
  EXPECT(device == 1);
  OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  EXPECT(major == 9);
  int is_supported = 0;
  OK(cuDeviceGetP2PAttribute(&is_supported, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 1, 0));
  EXPECT(is_supported == 1);
  FAILS(cuCtxEnablePeerAccess(contexts[0], 1), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuCtxEnablePeerAccess(contexts[1], 0), CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
  OK(cuCtxEnablePeerAccess(contexts[0], 0));
  FAILS(cuCtxEnablePeerAccess(contexts[0], 0), CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  OK(cuCtxDisablePeerAccess(contexts[0]));
  FAILS(cuCtxDisablePeerAccess(contexts[0]), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
  const auto launch = [](CUfunction function) {
    return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
  };
  FAILS(launch(of_first), CUDA_ERROR_INVALID_HANDLE);
  OK(launch(of_all));
  OK(cuMemAlloc(&p, 4));
  EXPECT(cudaSetDevice(0) == cudaSuccess);  // Which makes its primary context current.
  OK(cuCtxGetDevice(&device));
  EXPECT(device == 0);
  OK(launch(of_first));
  OK(cuCtxSetCurrent(contexts[1]));
  OK(launch(of_all));
  OK(cuCtxDestroy(contexts[1]));
  OK(cuCtxGetDevice(&device));
  EXPECT(device == 0);
  OK(launch(of_first));
  OK(cuModuleUnload(module));
  OK(cuLibraryUnload(library));
  FAILS(launch(of_all), CUDA_ERROR_INVALID_HANDLE);
}

/// Between two allocations, a kernel leaves the first.
void Overrun() {
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction count_up = nullptr;
  CUdeviceptr first = 0, second = 0;
  int count = 32;
  OK(cuInit(0));
  OK(CREATE_CONTEXT(&context, 0, 0));
  OK(cuModuleLoad(&module, (folder + "/driver_kernels.fatbin").c_str()));
  OK(cuModuleGetFunction(&count_up, module, "count_up"));
  OK(cuMemAlloc(&first, 32 * sizeof count));
  OK(cuMemAlloc(&second, 32 * sizeof count));
  OK(cuMemsetD8(first, 0, 32 * sizeof count));
  void* parameters[] = {&first, &count};
  OK(cuLaunchKernel(count_up, 1, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  FAILS(cuMemcpyDtoD(first, second, 64 * sizeof count), CUDA_ERROR_INVALID_VALUE);
  OK(cuCtxDestroy(context));
}

void OneDevice() {
  BeforeInit();
  WithoutContext();
  Devices();
  PrimaryContext();
  Contexts();
  CUcontext context = nullptr;
  OK(CREATE_CONTEXT(&context, 0, 0));
  Memory();
  CopiesAndFills();
  CopiesOfRows();
  Modules();
  Linker();
  Launches();
  StreamsAndEvents();
  Errors();
  MixedWithTheRuntime();
  OK(cuCtxDestroy(context));
}

}  // namespace

int main(int argc, char** arguments) {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  folder = arguments[1];
  const std::string what = argc > 2 ? arguments[2] : "";
  what == "devices" ? TwoDevices() : what == "overrun" ? Overrun() : OneDevice();
  std::printf("%s\n", failed == 0 ? "right" : "wrong");
  return failed != 0;
}
