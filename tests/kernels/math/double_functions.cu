// SPDX-License-Identifier: Apache-2.0
// Functions of <math.h> in fp64, against the host's within the ulp that the CUDA programming guide gives
// plus one for the host's own (glibc's cbrt alone is worse than that).
#include "tests/kernels/expect.h"

enum {
  kSin,
  kCos,
  kTan,
  kExp,
  kLog,
  kLog2,
  kSqrt,
  kRsqrt,
  kCbrt,
  kTanh,
  kAtan,
  kErf,
  kExpm1,
  kLog1p,
  kTrunc,
  kRint,
  kFunctions
};

__global__ void evaluate(const double* x, double* y, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const double v = x[i], positive = fabs(v);
  const double results[kFunctions] = {
      sin(v),  cos(v),  tan(v),  exp(v), log(positive), log2(positive),  sqrt(positive), rsqrt(positive),
      cbrt(v), tanh(v), atan(v), erf(v), expm1(v),      log1p(positive), trunc(v),       rint(v)};
  for (int k = 0; k < kFunctions; ++k) y[k * count + i] = results[k];
}

__global__ void evaluate_pairs(const double* x, const double* z, double* y, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  y[i] = pow(fabs(x[i]), z[i] / 16);
  y[count + i] = x[i] / z[i];
  y[2 * count + i] = fma(x[i], z[i], x[i]);
  y[3 * count + i] = fmod(x[i], z[i]);
  y[4 * count + i] = copysign(x[i], z[i]);
}

int main() {
  const char* names[kFunctions] = {"sin",  "cos",  "tan",  "exp", "log",   "log2",  "sqrt",  "rsqrt",
                                   "cbrt", "tanh", "atan", "erf", "expm1", "log1p", "trunc", "rint"};
  const double ulps[kFunctions] = {3, 3, 3, 2, 2, 2, 0, 2, 2, 3, 3, 3, 2, 2, 0, 0};
  std::vector<double> x;
  for (float value : Eighths(400)) x.push_back(value + 0.000123 * x.size());
  for (double special : {0.0, -0.0, 1.0, -1.0, 1e-300, 1e6, 700.0, -800.0}) x.push_back(special);
  std::vector<double> z;
  for (float value : Eighths(x.size(), 99)) z.push_back(value + 0.01);
  const int count = static_cast<int>(x.size());
  double *dx = OnDevice(x), *dz = OnDevice(z), *dy = OnDevice<double>(std::size_t(count) * kFunctions);
  evaluate<<<(count + 127) / 128, 128>>>(dx, dy, count);
  FINISH();
  auto y = FromDevice(dy, std::size_t(count) * kFunctions);
  for (int i = 0; i < count; ++i) {
    const double v = x[i], p = std::fabs(v);
    const double wanted[kFunctions] = {
        std::sin(v),   std::cos(v),      std::tan(v),
        std::exp(v),   std::log(p),      std::log2(p),
        std::sqrt(p),  1 / std::sqrt(p), static_cast<double>(std::cbrt(static_cast<long double>(v))),
        std::tanh(v),  std::atan(v),     std::erf(v),
        std::expm1(v), std::log1p(p),    std::trunc(v),
        std::rint(v)};
    for (int k = 0; k < kFunctions; ++k)
      ExpectUlps(names[k], i, y[std::size_t(k) * count + i], wanted[k], ulps[k]);
  }
  evaluate_pairs<<<(count + 127) / 128, 128>>>(dx, dz, dy, count);
  FINISH();
  y = FromDevice(dy, count * 5);
  for (int i = 0; i < count; ++i) {
    ExpectUlps("pow", i, y[i], std::pow(std::fabs(x[i]), z[i] / 16), 3);
    ExpectUlps("quotient", i, y[count + i], x[i] / z[i], 0);
    ExpectUlps("fma", i, y[2 * count + i], std::fma(x[i], z[i], x[i]), 0);
    ExpectUlps("fmod", i, y[3 * count + i], std::fmod(x[i], z[i]), 0);
    ExpectUlps("copysign", i, y[4 * count + i], std::copysign(x[i], z[i]), 0);
  }
  return Result();
}
