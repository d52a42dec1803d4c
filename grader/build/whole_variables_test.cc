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

TEST(WholeVariables, AMeanOfFloats) {
  const auto found = [](const std::string& declared, const std::string& use) {
    const auto variable = FindRoundedVariable("void f(const float* x, float* y, int n) {\nfloat sum = 0;\n" +
                                              declared + "\n" + use + "\n}");
    return variable ? variable->name + ":" + std::to_string(variable->line) : "";
  };
  EXPECT_EQ(found("const int mean = sum / n;", "y[0] = (x[0] - mean) * 2;"), "mean:3");
  EXPECT_EQ(found("const float mean = sum / n;", "y[0] = (x[0] - mean) * 2;"), "");
  EXPECT_EQ(found("const int bin = sum / n;", "y[bin] = x[0];"), "") << "an index";
  EXPECT_EQ(found("const int whole = sum / n;", "y[0] = whole;"), "");
  EXPECT_EQ(found("const int count = n / 2;", "y[0] = x[0] * count;"), "");
}

TEST(WholeVariables, ASumThatIsReplaced) {
  const auto found = [](const std::string& loop, const std::string& declared = "float sum = 0.0f;") {
    const auto sum = FindReplacedSum("void f(const float* x, float* y, int n) {\n" + declared + "\n" + loop +
                                     "\ny[0] = sum;\n}");
    return sum ? std::to_string(sum->line) + ": " + sum->written : "";
  };
  EXPECT_EQ(found("for (int i = 0; i < n; ++i) if (i < 3) sum = x[i];"), "3: sum = x[i]");
  EXPECT_EQ(found("for (int i = 0; i < n; ++i) { sum = x[i]; }"), "3: sum = x[i]");
  EXPECT_EQ(found("for (int i = 0; i < n; ++i) sum += x[i];"), "");
  EXPECT_EQ(found("for (int i = 0; i < n; ++i) if (x[i] > sum) sum = x[i];"), "") << "the largest one";
  EXPECT_EQ(found("for (int i = 0; i < n; ++i) if (i == 2) sum = x[i];"), "") << "that one alone";
  EXPECT_EQ(found("for (int i = 0; i < n; ++i) { sum = x[i]; y[i] = sum; }"), "");
  EXPECT_EQ(found("for (int i = 0; i < n; ++i) sum = x[i];", "float sum = -1;"), "");
  EXPECT_EQ(found("sum = x[n];"), "");
}

}  // namespace
}  // namespace warplings
