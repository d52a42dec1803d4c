// SPDX-License-Identifier: Apache-2.0
#include "grader/build/whole_variables.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

/// "LINE type name"; "" if there is none.
std::string WholeIn(const std::string& body) {
  const auto found = FindWholeVariable(
      "__global__ void k(const float* X, const int* at, float* out, int n) {\n" + body + "\n}");
  return found ? std::to_string(found->line) + " " + found->type + " " + found->name : "";
}

TEST(WholeVariables, FloatsAreStoredAsWholeNumbers) {
  EXPECT_EQ(WholeIn("__shared__ int partial[256];\npartial[t] = X[i];"), "2 int partial");
  EXPECT_EQ(WholeIn("__shared__ int partial[256];\npartial[t] = i < n ? X[i] : 0;"), "2 int partial");
  EXPECT_EQ(WholeIn("__shared__ int partial[256]; float sum = 0; sum += X[i];\npartial[t] = sum;"),
            "2 int partial");
  EXPECT_EQ(WholeIn("int sum = 0;\nfor (int i = 0; i < n; ++i) sum += X[i];"), "2 int sum");
  EXPECT_EQ(WholeIn("unsigned int i = t, s[2][3];\ns[0][1] += X[i * n + t];"), "2 unsigned int s");
}

TEST(WholeVariables, ASumOfProducts) {
  EXPECT_EQ(WholeIn("__shared__ float a[4][4], b[4][4];\nint sum = 0;\nsum += a[ty][k] * b[k][tx];"),
            "3 int sum");
  EXPECT_EQ(WholeIn("int sum = 0;\nsum += X[i * n + k] * X[k];"), "2 int sum");
  EXPECT_EQ(WholeIn("float x = X[i]; int sum = 0;\nsum += x * x;"), "2 int sum");
  EXPECT_EQ(WholeIn("int sum = 0;\nsum += X[i] * 100;"), "") << "meant to be rounded";
  EXPECT_EQ(WholeIn("int sum = 0;\nsum += at[i] * at[k];"), "");
}

TEST(WholeVariables, WhatHasToBeWhole) {
  EXPECT_EQ(WholeIn("__shared__ float partial[256];\npartial[t] = X[i];"), "");
  EXPECT_EQ(WholeIn("__shared__ int bins[256];\nbins[t] = at[i];"), "") << "at has whole numbers";
  EXPECT_EQ(WholeIn("int bin = X[i];\nout[bin] = 1;"), "") << "an index";
  EXPECT_EQ(WholeIn("int bins[4];\nbins[t] = X[i] * 10;"), "") << "it is scaled, and rounded on purpose";
  EXPECT_EQ(WholeIn("int sum = 0;\nsum += at[i];\nfloat f = X[i];"), "");
  EXPECT_EQ(WholeIn("int sum = 0;\nsum += out == X;"), "");
}

}  // namespace
}  // namespace warplings
