// SPDX-License-Identifier: Apache-2.0
#include "grader/build/race_loops.h"

#include <gtest/gtest.h>

#include <string>

#include "grader/messages/findings.h"

namespace warplings {
namespace {

std::string LoopWithRace(const std::string& source, int store, int read) {
  const auto loop = LoopOfNextPass(source, store, read);
  return loop ? std::to_string(loop->line) + " " + loop->variable : "";
}

/// One tile of the result after the other, each in phases; a lambda fetches.
constexpr const char* kStrip =
    "__global__ void k() {\n"                                         // 1
    "  auto fetch = [&](int row, int phase) {\n"                      // 2
    "    tile[phase & 1][t] = a[row];\n"                              // 3
    "  };\n"                                                          // 4
    "  for (int s = 0; s < 4; ++s) {\n"                               // 5
    "    fetch(s, 0);\n"                                              // 6
    "    for (int phase = 0; phase < n; ++phase) {\n"                 // 7
    "      __syncthreads();\n"                                        // 8
    "      if (phase + 1 < n) fetch(s, phase + 1);\n"                 // 9
    "      for (int k = 0; k < 9; ++k) sum += tile[phase & 1][k];\n"  // 10
    "    }\n"                                                         // 11
    "  }\n"
    "}\n";

TEST(RaceLoops, TheCallThatNoBarrierSeparatesFromTheRead) {
  EXPECT_EQ(LoopWithRace(kStrip, 3, 10), "5 s");
}

TEST(RaceLoops, ALineThatOneWarpAloneComesTo) {
  const auto is_one = [](const std::string& condition, const std::string& block) {
    const std::string source = "#define LANES 32\n__global__ void k(int n) {\nint t = threadIdx.x;\n" +
                               condition + " {\ns[t] += s[t - d];\n}\n}\nvoid f(int n) { k<<<dim3(1, 2), " +
                               block + ">>>(n); }\n";
    return RunsInOneWarp(source, 5, "k");
  };
  EXPECT_TRUE(is_one("if (t >= d)", "32"));
  EXPECT_TRUE(is_one("if (t >= d)", "LANES"));
  EXPECT_TRUE(is_one("if (t >= d)", "16, 0, 0"));
  for (const char* const block : {"256", "n", "dim3(8, 8)", "LANES * 2", "32 * 8"})
    EXPECT_FALSE(is_one("if (t >= d)", block)) << block;
  for (const char* const condition :
       {"if (t < 32)", "if (t >= d && t < LANES)", "if (threadIdx.x < 32)", "if (t < warpSize)"})
    EXPECT_TRUE(is_one(condition, "256")) << condition;
  for (const char* const condition : {"if (d < 32)", "if (t < 64)", "if (t < 32 || n)", "if (!(t < 32))",
                                      "if (t < n)", "if (t % 64 < 32)", "if (threadIdx.x / 2 < 32)"})
    EXPECT_FALSE(is_one(condition, "256")) << condition;
  EXPECT_FALSE(RunsInOneWarp("void f() {", 1, "k"));
  EXPECT_FALSE(RunsInOneWarp("", 9, "k"));
}

TEST(RaceLoops, AGridOfOneBlock) {
  EXPECT_TRUE(HasOneBlock("k<<<1, n>>>(p); k<<<1, 64>>>(p);", "k"));
  for (const char* const launch : {"k<<<n, 64>>>(p);", "k<<<1, 64>>>(p); k<<<2, 64>>>(p);",
                                   "k<<<1 + n, 64>>>(p);", "k<4><<<1, 64>>>(p);", "k(p);", "k<<<", ""})
    EXPECT_FALSE(HasOneBlock(launch, "k")) << launch;
}

TEST(RaceLoops, TheInnermostLoopWithoutABarrierOnTheWayRound) {
  const std::string phases =
      "void f() {\nfor (int p = 0; p < n; ++p) {\nt[i] = a;\n__syncthreads();\nfor (int k = 0; k < 9; ++k)\n"
      "s += t[k];\n";
  EXPECT_EQ(LoopWithRace(phases + "}\n}", 3, 6), "2 p");
  EXPECT_EQ(LoopWithRace(phases + "__syncthreads();\n}\n}", 3, 6), "");
}

TEST(RaceLoops, AFunctionThatIsCalledTwice) {
  const std::string store = "__device__ void store(float* t) {\nt[0] = 1;\n}\n__global__ void k() {\n";
  EXPECT_EQ(LoopWithRace(
                store + "for (int p = 0; p < n; ++p) {\nstore(t);\n__syncthreads();\ns += t[1];\n}\n}", 2, 8),
            "5 p");
  EXPECT_EQ(LoopWithRace(
                store + "for (int q = 0; q < n; ++q) {\nstore(t);\nfor (int p = 0; p < n; ++p) {\nstore(t);\n"
                        "s += t[1];\n}\n}\n}",
                2, 9),
            "")
      << "either call may be the one";
}

TEST(RaceLoops, ALineInWhichAllThreadsAdd) {
  const auto adds = [](const std::string& body, const std::string& head = "__global__ void k()") {
    return AddsInAllThreads(head + " {\n" + body + "\n}", 3);
  };
  const std::string loop = "for (int s = 64; s > 0; s /= 2) {\n";
  EXPECT_TRUE(adds(loop + "a[t] += a[t + s];\n__syncthreads(); }"));
  EXPECT_TRUE(adds(loop + "a[t] = a[t] + a[t + s];\n__syncthreads(); }"));
  EXPECT_FALSE(adds(loop + "if (t < s) a[t] += a[t + s];\n__syncthreads(); }"));
  EXPECT_FALSE(adds(loop + "a[t] += t < s ? a[t + s] : 0;\n__syncthreads(); }"));
  EXPECT_FALSE(adds("if (t >= 64) return; " + loop + "a[t] += a[t + s]; }")) << "some leave";
  EXPECT_FALSE(adds(loop + "a[t] += b[t]; }")) << "of another array";
  EXPECT_FALSE(adds(loop + "a[t] = a[t + s]; }")) << "it is moved";
  EXPECT_FALSE(adds("\na[t] += a[t + 1];")) << "in no loop";
  EXPECT_FALSE(adds(loop + "a[t] += a[t + s]; }", "__device__ void d()")) << "who calls it may check";
}

TEST(RaceLoops, AStepOfATreeThatNoBarrierEnds) {
  const auto loop_of = [](const std::string& body) {
    return FindStepWithoutBarrier("__global__ void k() {\n" + body + "\n}", 4).value_or(0);
  };
  const std::string loop = "\nfor (int s = 64; s > 0; s /= 2) {\n";
  EXPECT_EQ(loop_of(loop + "if (t < s) a[t] += a[t + s]; }"), 3);
  EXPECT_EQ(loop_of(loop + "if (t % (2 * s) == 0) { a[t] = a[t] + a[t + s]; } }"), 3);
  EXPECT_EQ(loop_of(loop + "if (t < s) a[t] += a[s + t]; }"), 3);
  EXPECT_EQ(loop_of(loop + "if (t < s) a[t] += a[t + s];\n__syncthreads(); }"), 0);
  EXPECT_EQ(loop_of(loop + "a[t] += a[t + s]; }"), 0) << "all threads add";
  EXPECT_EQ(loop_of(loop + "if (t >= s) a[t] += a[t - s]; }"), 0) << "a scan: within one step";
  EXPECT_EQ(loop_of(loop + "if (t + s < n) a[t] += a[t + s]; }"), 0) << "within one step";
  EXPECT_EQ(loop_of(loop + "if (t < s) a[t] += b[t + s]; }"), 0) << "of another array";
  EXPECT_EQ(loop_of("\n\nif (t < s) a[t] += a[t + s];"), 0) << "in no loop";
}

TEST(RaceLoops, ARaceBetweenTwoPassesIsSaidToBeOne) {
  const auto said = [](const std::string& body, int store, int read, bool reads_first = true) {
    Finding finding;
    finding.kind = FindingKind::kRace;
    finding.space = MemorySpace::kShared;
    finding.where.line = reads_first ? read : store;
    finding.other = SourceLine{"", reads_first ? store : read};
    finding.access = reads_first ? Access::kRead : Access::kWrite;
    finding.other_access = reads_first ? Access::kWrite : Access::kRead;
    finding.message = say::race_in_warp(say::reads(), say::ElementOf(say::shared_array("s")),
                                        say::other_thread_of_warp({3, 0, 0}), say::writes());
    NamePassesOfRace(finding, "__global__ void k() {\n" + body + "\n}");
    return English(finding.message);
  };
  const std::string loop = "for (int p = 0; p < n; ++p) {\n";
  EXPECT_EQ(
      said(loop + "s[t] = a;\n__syncthreads();\nsum += s[1]; }", 3, 5),
      "reads an element of shared array `s` that thread (3, 0) writes, with no barrier between the read "
      "and the next pass's write");
  EXPECT_TRUE(said(loop + "s[t] = a;\n__syncthreads();\nsum += s[1]; }", 3, 5, false)
                  .ends_with("between the read and the next pass's write"));
  EXPECT_TRUE(said(loop + "sum += s[1];\n__syncthreads();\ns[t] = a; }", 5, 3)
                  .ends_with("between the write and the next pass's read"));
  EXPECT_TRUE(said(loop + "if (t < p) s[t] += s[t + p]; }", 3, 3)
                  .ends_with("between the read and the next pass's write"));
  // No barrier parts the two lines, or one that comes later does for passes; and no loop.
  for (const char* body :
       {"s[t] = a;\n\nsum += s[1]; }", "s[t] = a;\n__syncthreads();\nsum += s[1];\n__syncthreads(); }"})
    EXPECT_NE(said(loop + body, 3, 5).find("with no barrier in between"), std::string::npos) << body;
  EXPECT_NE(said("\ns[t] = a;\n__syncthreads();\nsum += s[1];", 3, 5).find("in between"), std::string::npos);
}

TEST(RaceLoops, HalfASource) {
  for (const char* source : {"", "}", "void f() {\nfor (", "f() {\n[", "){\n){\n"})
    EXPECT_EQ(LoopWithRace(source, 1, 2), "") << source;
}

}  // namespace
}  // namespace warplings
