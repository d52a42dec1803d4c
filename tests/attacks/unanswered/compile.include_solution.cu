// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass
// #include of the workbook's solution by guessed paths.

#include "tiled_matmul.h"
#define tiled_matmul_done
#if __has_include("../../solutions/01_boundary_checks/tiled_matmul.cu")
#include "../../solutions/01_boundary_checks/tiled_matmul.cu"
#elif __has_include("/opt/warplings/solutions/01_boundary_checks/tiled_matmul.cu")
#include "/opt/warplings/solutions/01_boundary_checks/tiled_matmul.cu"
#elif __has_include("/home/student/warplings/solutions/01_boundary_checks/tiled_matmul.cu")
#include "/home/student/warplings/solutions/01_boundary_checks/tiled_matmul.cu"
#elif __has_include("/root/warplings/solutions/01_boundary_checks/tiled_matmul.cu")
#include "/root/warplings/solutions/01_boundary_checks/tiled_matmul.cu"
#else

void tiled_matmul(const float* M, const float* N, float* P, int width) {

}
#endif
