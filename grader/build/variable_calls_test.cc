// SPDX-License-Identifier: Apache-2.0
#include "grader/build/variable_calls.h"

#include <gtest/gtest.h>

#include "grader/build/host_code.h"
#include "grader/messages/findings.h"
#include "grader/messages/host_code.h"

namespace warplings {
namespace {

const std::string kBegin =
    "__constant__ float F[25], G[5] = {1};\n__device__ int total;\n"
    "__device__ float twice(float x) { return 2 * x; }\n"
    "void f(const float* filter, float* P) {\nfloat* d; cudaMalloc(&d, 100); std::vector<float> h(25);\n"
    "cudaMemcpy(d, filter, 100, cudaMemcpyDeviceToDevice);\n";

/// "7: Write …" for the source whose 7th line is the call.
std::string ToldOfVariable(const std::string& call, const std::string& function = "cudaMemcpy",
                           const std::string& variable = "F") {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  finding.message = say::refused(function, say::variable_is_no_pointer(variable, "__constant__", function));
  const std::string source = kBegin + call + "\n}";
  const auto line = LineOfRefused(source, finding, "f");
  if (!line) return "no line";
  finding.where.line = *line;
  return std::to_string(*line) + ": " + English(WhyRefused(source, finding, "f"));
}

TEST(VariableCalls, TheCopyToAVariableIsWrittenAnew) {
  EXPECT_EQ(ToldOfVariable("cudaMemcpy(F, filter, sizeof(F), cudaMemcpyDeviceToDevice);"),
            "7: Write cudaMemcpyToSymbol(F, filter, sizeof(F), 0, cudaMemcpyDeviceToDevice).");
  EXPECT_EQ(ToldOfVariable("CHECK(cudaMemcpy(&F, h.data(), 25 * sizeof(float), cudaMemcpyHostToDevice));"),
            "7: Write cudaMemcpyToSymbol(F, h.data(), 25 * sizeof(float)).");
  EXPECT_EQ(ToldOfVariable("cudaMemcpy((void*)F, h.data(), 100, cudaMemcpyDefault);"),
            "7: Write cudaMemcpyToSymbol(F, h.data(), 100).");
  EXPECT_EQ(ToldOfVariable("cudaMemcpy(F, d, 100, cudaMemcpyHostToDevice);"),
            "7: Write cudaMemcpyToSymbol(F, d, 100, 0, cudaMemcpyDeviceToDevice).")
      << "by the pointer, not by the word";
  EXPECT_EQ(ToldOfVariable("cudaMemcpy(F + 1, h.data(), 4, cudaMemcpyHostToDevice);"),
            "7: Write cudaMemcpyToSymbol(F, h.data(), 4, 1 * sizeof(F[0])).");
  EXPECT_EQ(ToldOfVariable("cudaMemcpy(&F[i + 1], h.data(), 4, cudaMemcpyHostToDevice);"),
            "7: Write cudaMemcpyToSymbol(F, h.data(), 4, (i + 1) * sizeof(F[0])).");
  EXPECT_EQ(ToldOfVariable("cudaMemcpyAsync(F, h.data(), 4, cudaMemcpyHostToDevice, s);", "cudaMemcpyAsync"),
            "7: Write cudaMemcpyToSymbolAsync(F, h.data(), 4, 0, cudaMemcpyHostToDevice, s).");
}

TEST(VariableCalls, TheCopyFromAVariableIsWrittenAnew) {
  EXPECT_EQ(ToldOfVariable("cudaMemcpy(h.data(), &ns::total, 4, cudaMemcpyDeviceToHost);", "cudaMemcpy",
                           "ns::total"),
            "7: Write cudaMemcpyFromSymbol(h.data(), total, 4).");
  EXPECT_EQ(ToldOfVariable("cudaMemcpy(P, F, 100, cudaMemcpyDeviceToDevice);"),
            "7: Write cudaMemcpyFromSymbol(P, F, 100, 0, cudaMemcpyDeviceToDevice).");
  EXPECT_EQ(ToldOfVariable("cudaMemcpyAsync(h.data(), F, 4, cudaMemcpyDeviceToHost);", "cudaMemcpyAsync"),
            "7: Write cudaMemcpyFromSymbolAsync(h.data(), F, 4, 0, cudaMemcpyDeviceToHost).");
}

TEST(VariableCalls, OfOtherCallsTheAddressIsTaken) {
  const std::string address =
      "7: Get its address with `void* p; cudaGetSymbolAddress(&p, F);`, and pass `p` to this call.";
  EXPECT_EQ(ToldOfVariable("cudaMemset(&F, 0, sizeof(F));", "cudaMemset"), address);
  EXPECT_EQ(ToldOfVariable("cudaMemcpy2D(F, 4, d, 4, 4, 2, kind);", "cudaMemcpy2D"), address);
  EXPECT_EQ(ToldOfVariable("cudaMemcpyToSymbol(G, F, 20);", "cudaMemcpyToSymbol"), address);
  EXPECT_EQ(ToldOfVariable("cudaMemcpy(F, G, 20, cudaMemcpyDeviceToDevice);"),
            "7: Fill it with cudaMemcpyToSymbol(F, source, bytes).")
      << "G is no pointer either";
  EXPECT_EQ(ToldOfVariable("copy(F, 20);"), "no line");
}

TEST(VariableCalls, NoDirectionIsAdvised) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  finding.message = say::refused("cudaMemcpy", say::wrong_direction());
  const std::string source = kBegin + "cudaMemcpy(F, d, 100, cudaMemcpyDeviceToDevice);\n";
  EXPECT_EQ(LineOfRefused(source + "}", finding, "f"), std::nullopt);
  const std::string two = source + "cudaMemcpy(h.data(), d, 100, cudaMemcpyHostToDevice);\n}";
  EXPECT_EQ(LineOfRefused(two, finding, "f"), 8) << "the other copy has a wrong direction";
}

TEST(VariableCalls, ASymbolThatIsPassedByItsAddress) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  finding.message = say::refused("cudaMemcpyToSymbol", say::unknown_symbol());
  const auto told = [&](const std::string& call) {
    const std::string source = kBegin + call + "\n}";
    finding.where.line = 7;
    return English(WhyRefused(source, finding, "f"));
  };
  EXPECT_EQ(told("cudaMemcpyToSymbol(&F, h.data(), sizeof(F));"),
            "It takes the variable itself, not its address: write `F`, not `&F`.");
  EXPECT_EQ(told("cudaMemcpyToSymbol(&h, &x, 4);"), "");
  EXPECT_EQ(told("cudaMemcpyToSymbol(&twice, &x, 4);"), "");
}

TEST(VariableCalls, WhatIsAVariableOfTheDevice) {
  for (const char* const is : {"F", "&F", "F+1", "&F[2]", "G", "&total", "(float*)G"})
    EXPECT_TRUE(IsDeviceVariable(kBegin, is)) << is;
  for (const char* const is_not : {"d", "filter", "twice", "F2", "sizeof(F)", "x", "h.data()"})
    EXPECT_FALSE(IsDeviceVariable(kBegin, is_not)) << is_not;
}

}  // namespace
}  // namespace warplings
