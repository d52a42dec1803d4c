// SPDX-License-Identifier: Apache-2.0
// Functions of <math.h> in fp32, against the host's fp64 within the ulp that the CUDA programming guide
// gives in its appendix "Mathematical Functions"; expm1, given as 1, is a little over that on an H200 too.
#include "tests/kernels/expect.h"

enum {
  kSin,
  kCos,
  kTan,
  kExp,
  kExp2,
  kLog,
  kLog2,
  kLog10,
  kSqrt,
  kRsqrt,
  kCbrt,
  kTanh,
  kAtan,
  kAsin,
  kErf,
  kExpm1,
  kLog1p,
  kSinh,
  kFloor,
  kRound,
  kFunctions
};

__global__ void evaluate(const float* x, float* y, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float v = x[i], positive = fabsf(v);
  const float results[kFunctions] = {sinf(v),          cosf(v),           tanf(v),         expf(v),
                                     exp2f(v),         logf(positive),    log2f(positive), log10f(positive),
                                     sqrtf(positive),  rsqrtf(positive),  cbrtf(v),        tanhf(v),
                                     atanf(v),         asinf(v / 128.0f), erff(v),         expm1f(v),
                                     log1pf(positive), sinhf(v),          floorf(v),       roundf(v)};
  for (int k = 0; k < kFunctions; ++k) y[k * count + i] = results[k];
}

__global__ void evaluate_pairs(const float* x, const float* z, float* y, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  y[i] = powf(fabsf(x[i]), z[i] / 16.0f);
  y[count + i] = atan2f(x[i], z[i]);
  y[2 * count + i] = hypotf(x[i], z[i]);
  y[3 * count + i] = fmodf(x[i], z[i]);
  y[4 * count + i] = fmaf(x[i], z[i], x[i]);
  y[5 * count + i] = ldexpf(x[i], i % 60 - 30);
  int exponent;
  y[6 * count + i] = frexpf(x[i], &exponent) + exponent;
  y[7 * count + i] = x[i] / z[i];
}

int main() {
  const char* names[kFunctions] = {"sin",   "cos",   "tan",   "exp",  "exp2",  "log",  "log2",
                                   "log10", "sqrt",  "rsqrt", "cbrt", "tanh",  "atan", "asin",
                                   "erf",   "expm1", "log1p", "sinh", "floor", "round"};
  const double ulps[kFunctions] = {2, 2, 4, 2, 2, 1, 1, 2, 0.5, 2, 1, 2, 2, 2, 2, 2, 1, 3, 0, 0};
  std::vector<float> x = Eighths(500);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += 0.0123f * (i % 7);
  for (float special : {0.0f, -0.0f, 1.0f, -1.0f, 1e-30f, 1e5f, 3.14159274f, 88.0f, -100.0f})
    x.push_back(special);
  const int count = static_cast<int>(x.size());
  float *dx = OnDevice(x), *dy = OnDevice<float>(std::size_t(count) * kFunctions);
  evaluate<<<(count + 127) / 128, 128>>>(dx, dy, count);
  FINISH();
  auto y = FromDevice(dy, std::size_t(count) * kFunctions);
  for (int i = 0; i < count; ++i) {
    const double v = x[i], p = std::fabs(v);
    const double wanted[kFunctions] = {std::sin(v),   std::cos(v),
                                       std::tan(v),   std::exp(v),
                                       std::exp2(v),  std::log(p),
                                       std::log2(p),  std::log10(p),
                                       std::sqrt(p),  1 / std::sqrt(p),
                                       std::cbrt(v),  std::tanh(v),
                                       std::atan(v),  std::asin(double(x[i] / 128.0f)),
                                       std::erf(v),   std::expm1(v),
                                       std::log1p(p), std::sinh(v),
                                       std::floor(v), std::round(v)};
    for (int k = 0; k < kFunctions; ++k)
      ExpectUlps(names[k], i, y[std::size_t(k) * count + i], wanted[k], ulps[k]);
  }
  std::vector<float> z = Eighths(count, 77);
  float *dz = OnDevice(z), *dp = OnDevice<float>(count * 8);
  evaluate_pairs<<<(count + 127) / 128, 128>>>(dx, dz, dp, count);
  FINISH();
  auto pairs = FromDevice(dp, count * 8);
  for (int i = 0; i < count; ++i) {
    const double a = x[i], b = z[i];
    ExpectUlps("pow", i, pairs[i], std::pow(std::fabs(a), double(z[i] / 16.0f)), 4);
    ExpectUlps("atan2", i, pairs[count + i], std::atan2(a, b), 3);
    ExpectUlps("hypot", i, pairs[2 * count + i], std::hypot(a, b), 3);
    ExpectUlps("fmod", i, pairs[3 * count + i], std::fmod(a, b), 0);
    ExpectUlps("fma", i, pairs[4 * count + i], std::fma(x[i], z[i], x[i]), 0);
    ExpectUlps("ldexp", i, pairs[5 * count + i], std::ldexp(a, i % 60 - 30), 0);
    int exponent;
    const float fraction = std::frexp(x[i], &exponent);
    ExpectUlps("frexp", i, pairs[6 * count + i], fraction + exponent, 0);
    ExpectUlps("quotient", i, pairs[7 * count + i], x[i] / z[i], 0);
  }
  return Result();
}
