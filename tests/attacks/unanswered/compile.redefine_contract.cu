// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; grader_fault
// Does not include the contract; declares an entry of the same name with other types and C linkage.

extern "C" int tiled_matmul(double* M, char* N, long P, short w) { return 1; }
void tiled_matmul(const float*, const float*, float*, long) {}
