// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: grader_fault; hang longer than 60 s; grow
// Honest C++ with the same effect: T_n = pair<T_n-1, T_n-1>, 18 levels, as a kernel's template argument.

#include "tiled_matmul.h"
template <class A, class B> struct Q {};
using T0 = Q<int, float>;
using T1 = Q<T0, T0>;
using T2 = Q<T1, T1>;
using T3 = Q<T2, T2>;
using T4 = Q<T3, T3>;
using T5 = Q<T4, T4>;
using T6 = Q<T5, T5>;
using T7 = Q<T6, T6>;
using T8 = Q<T7, T7>;
using T9 = Q<T8, T8>;
using T10 = Q<T9, T9>;
using T11 = Q<T10, T10>;
using T12 = Q<T11, T11>;
using T13 = Q<T12, T12>;
using T14 = Q<T13, T13>;
using T15 = Q<T14, T14>;
using T16 = Q<T15, T15>;
using T17 = Q<T16, T16>;
using T18 = Q<T17, T17>;
template <class T> __global__ void k(float* p) { p[-4096] = 0; }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k<T18><<<1, 1>>>(P);
}
