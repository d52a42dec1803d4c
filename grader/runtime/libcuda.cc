// SPDX-License-Identifier: Apache-2.0
// All of libcuda.so.1: it needs our libcudart, which has the driver API (driver.h). So a program that is
// linked with libcuda, or that opens it at run time, finds the functions there.
extern "C" int cuInit(unsigned);

/// Without a reference, the linker would leave the needed library out.
[[gnu::used]] static int (*const needed)(unsigned) = cuInit;
