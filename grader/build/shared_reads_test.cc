// SPDX-License-Identifier: Apache-2.0
#include "grader/build/shared_reads.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

TEST(SharedReads, WhatLoadsFromASharedArray) {
  EXPECT_EQ(FindSharedReads("__shared__ int s[4]; s[t] = in[t]; out[t] = s[t];"), SharedReads::kByName);
  EXPECT_EQ(FindSharedReads("extern __shared__ int s[]; s[t] = in[t]; out[t] = s[n - t];"),
            SharedReads::kByName);
  EXPECT_EQ(FindSharedReads("__shared__ int s[4][4]; s[a][b] += 1;"), SharedReads::kByName);
  EXPECT_EQ(FindSharedReads("__shared__ int s[4], u[4]; s[t] = 1; u[s[t]] = 2;"), SharedReads::kByName);
  EXPECT_EQ(FindSharedReads("__shared__ int s[4]; s[t] = in[t]; out[t] = in[n - t];"), SharedReads::kNone);
  EXPECT_EQ(FindSharedReads("out[t] = in[n - t];"), SharedReads::kNone);
  EXPECT_EQ(FindSharedReads("__shared__ int s[4]; move(s, in, out);"), SharedReads::kUnknown);
  EXPECT_EQ(FindSharedReads("__shared__ int s[4]; int* p = &s[t];"), SharedReads::kUnknown);
  EXPECT_EQ(FindSharedReads("__shared__ int s[4]; s[t"), SharedReads::kByName) << "any text is read";
}

/// What one kernel loads says nothing of another one.
TEST(SharedReads, FunctionsThatDiffer) {
  const std::string stores = "void a() { __shared__ int s[4]; s[t] = in[t]; out[t] = in[n - t]; }",
                    loads = "void b() { __shared__ int s[4]; s[t] = in[t]; out[t] = s[t]; }";
  EXPECT_EQ(FindSharedReads(stores + loads), SharedReads::kUnknown);
  EXPECT_EQ(FindSharedReads(loads + stores), SharedReads::kUnknown);
  EXPECT_EQ(FindSharedReads(stores + "void c() { out[t] = 1; }"), SharedReads::kNone);
  EXPECT_EQ(FindSharedReads(loads + "void c() { out[t] = 1; }"), SharedReads::kByName);
  const std::string kernels = "__global__ " + loads + "__global__ void c() { out[t] = 1; }";
  EXPECT_EQ(FindSharedReads(kernels), SharedReads::kByName);
  EXPECT_EQ(FindSharedReads(kernels, "b"), SharedReads::kByName);
  EXPECT_EQ(FindSharedReads(kernels, "c"), SharedReads::kNone);
  EXPECT_EQ(FindSharedReads("__device__ " + loads + kernels, "c"), SharedReads::kByName) << "a helper's";
}

}  // namespace
}  // namespace warplings
