// SPDX-License-Identifier: Apache-2.0
#include "grader/source_notes/source_notes.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "grader/messages/build.h"
#include "grader/messages/calls.h"
#include "grader/messages/device_work.h"
#include "grader/messages/findings.h"
#include "grader/messages/host_code.h"
#include "grader/messages/joining.h"
#include "grader/messages/product_facts.h"
#include "grader/messages/refusals.h"

namespace warplings {
namespace {

ExerciseResult Of(const std::string& source, Verdict verdict, Finding finding = {}) {
  ExerciseResult result;
  result.source = source;
  result.file = "mine.cu";
  result.verdict = verdict;
  result.next_step = "look";
  TestResult test;
  test.name = "A.Test";
  test.verdict = verdict;
  test.findings = {std::move(finding)};
  result.tests = {test};
  return result;
}

constexpr const char* kSwapped = "void f() {\n  k<<<block, grid>>>(1);\n}\n";

TEST(SourceNotes, ASlipIsTheFirstAdviceOfWhatFails) {
  ExerciseResult result = Of(kSwapped, Verdict::kWrongResult);
  result.misconceptions = {{"grid", "The grid is too small", "Draw it.", "seen"}};
  result.advice = Advice{.misconception = "grid", .test = "A.Test", .finding = Finding{}, .later = {"other"}};
  result.diagnostics = {{Severity::kWarning, {"mine.cu", 2}, 0, "expression has no effect"},
                        {Severity::kWarning, {"mine.cu", 3}, 0, "something else"}};
  AddSourceNotes(result);
  EXPECT_TRUE(English(result.next_step).starts_with("Grid and block are swapped in the launch in line 2."));
  EXPECT_TRUE(result.misconceptions.empty());
  EXPECT_EQ(result.advice->misconception, "");
  EXPECT_EQ(result.advice->test, "A.Test");
  EXPECT_FALSE(result.advice->finding);
  EXPECT_TRUE(result.advice->later.empty());
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(English(result.diagnostics[0].message), "something else");
}

/// Whatever it happens to point to, and wherever that is noticed.
TEST(SourceNotes, APointerWithoutAValueIsTheFirstAdvice) {
  Finding refused;
  refused.kind = FindingKind::kInvalidCall;
  refused.severity = Severity::kError;
  refused.where.line = 4;
  refused.message = say::refused("cudaFree", say::callers_memory());
  ExerciseResult result =
      Of("void f(int* in) {\n  int* sums;\n  k<<<1, 2>>>(in, sums);\n  cudaFree(sums);\n}\n",
         Verdict::kLaunchFailed, refused);
  result.tests[0].reason = say::in_line(4, refused.message);
  result.tests[0].next_step = say::arguments_of_refused_call();
  result.misconceptions = {{"grid", "The grid is too small", "Draw it.", "seen"}};
  AddSourceNotes(result);
  EXPECT_EQ(
      English(result.next_step),
      "`sums` never gets a value: line 2 declares it, and no line sets it. Allocate its memory before line 3 "
      "uses it: cudaMalloc(&sums, bytes).");
  EXPECT_TRUE(result.misconceptions.empty());
  EXPECT_EQ(English(result.tests[0].reason), "line 4: cudaFree was refused: `sums` has no value");
  EXPECT_EQ(English(result.tests[0].findings[0].message), "cudaFree was refused: `sums` has no value");
}

TEST(SourceNotes, ASlipWarnsOfWhatPasses) {
  ExerciseResult result = Of("void f() {\n  __syncthreads;\n}\n", Verdict::kPassed);
  AddSourceNotes(result);
  EXPECT_EQ(English(result.next_step), "look");
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].where.line, 2);
  EXPECT_TRUE(
      English(result.diagnostics[0].message).starts_with("__syncthreads in line 2 has no parentheses"));
}

TEST(SourceNotes, AnUnsetVariableIsTheFirstAdviceOfWrongValuesWithoutAKnownCause) {
  const char* const source =
      "__global__ void f(int* out, int n) {\n  int low, high = n;\n  while (low < high) ++low;\n  out[0] = "
      "low;\n}\n";
  ExerciseResult unexplained = Of(source, Verdict::kWrongResult);
  unexplained.advice = Advice{.misconception = "", .test = "A.Test", .finding = Finding{}, .later = {}};
  AddSourceNotes(unexplained);
  EXPECT_TRUE(
      English(unexplained.next_step).starts_with("low is read before it has a value: line 2 declares it"));
  EXPECT_FALSE(unexplained.advice->finding);
  ASSERT_EQ(unexplained.diagnostics.size(), 1u);
  EXPECT_EQ(unexplained.diagnostics[0].where.line, 3);

  ExerciseResult explained = Of(source, Verdict::kWrongResult);
  explained.misconceptions = {{"grid", "The grid is too small", "Draw it.", "seen"}};
  AddSourceNotes(explained);
  EXPECT_EQ(English(explained.next_step), "look");
  ExerciseResult with_finding = Of(source, Verdict::kFinding);
  AddSourceNotes(with_finding);
  EXPECT_EQ(English(with_finding.next_step), "look");
}

TEST(SourceNotes, AnUnsetSumIsTheFirstAdviceOfWrongValuesWithoutAKnownCause) {
  for (const std::string declared : {"float sum", "float sum[4]"}) {
    const std::string name = declared == "float sum" ? "sum" : "sum[i]";
    ExerciseResult result = Of("void f(float* out, int i) {\n  " + declared + ";\n  " + name +
                                   " += out[1];\n  out[0] = " + name + ";\n}\n",
                               Verdict::kWrongResult);
    AddSourceNotes(result);
    EXPECT_TRUE(
        English(result.next_step).starts_with("sum is read before it has a value: line 2 declares it"))
        << result.next_step;
    EXPECT_EQ(result.diagnostics.size(), 1u);
  }
}

TEST(SourceNotes, ElementsOfTwoDimensionsHaveTwoSubscripts) {
  Finding finding;
  const Message place = say::numbered_element(say::shared_array("Nds"), 461);
  finding.message = say::read_unwritten_element(place);
  ExerciseResult result = Of("__shared__ float Nds[32][32];", Verdict::kFinding, finding);
  result.tests[0].reason = say::in_line(32, finding.message);
  AddSourceNotes(result);
  EXPECT_EQ(English(result.tests[0].findings[0].message),
            "reads `Nds[14][13]` before anything is written there");
  EXPECT_EQ(English(result.tests[0].reason), "line 32: reads `Nds[14][13]` before anything is written there");
  ExerciseResult other = Of("__shared__ float Mds[32][32];", Verdict::kFinding, finding);
  AddSourceNotes(other);
  EXPECT_EQ(other.tests[0].findings[0].message, finding.message);
}

TEST(SourceNotes, AReadOfPaddingIsAWrongIndex) {
  const auto told = [](const std::string& line, std::int64_t element) {
    ExerciseResult result =
        Of("__global__ void k() {\n__shared__ float tile[4][8 + 1];\n" + line + "\n}\n", Verdict::kFinding);
    result.next_step =
        say::nobody_stored_shared(say::numbered_element(say::shared_array("tile"), element), 3);
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(
      told("s += tile[y][i];", 17),
      "Shared memory is read before it is written: line 3 reads `tile[1][8]`, which is padding, where "
      "no thread writes. The last column of `tile` with a value is 7. Where should the column in this line "
      "end?");
  EXPECT_EQ(
      told("s += m[i];", 17),
      "Shared memory is read before it is written: line 3 reads `tile[1][8]`, which is padding, where "
      "no thread writes. With the padding, a row of `tile` is 9 elements long: how far apart are two rows "
      "for the pointer into `tile` that this line uses?");
  EXPECT_NE(told("s += m[i];", 16).find("Should this line read it?"), std::string::npos);
}

TEST(SourceNotes, WhyThreadsMissABarrier) {
  const auto told = [](const std::string& body) {
    Finding finding;
    finding.message = say::barrier_after_exit(255, 256);
    finding.where = {"mine.cu", 2};
    ExerciseResult result = Of("__global__ void k(int n) { " + body + "\n}\n", Verdict::kPassed, finding);
    result.advice = Advice{.misconception = "", .test = "A.Test", .finding = finding, .later = {}};
    AddSourceNotes(result);
    EXPECT_EQ(result.advice->finding->message, result.tests[0].findings[0].message);
    return English(result.tests[0].findings[0].message);
  };
  EXPECT_TRUE(told("if (threadIdx.x < n) {\n__syncthreads(); }")
                  .starts_with("255 of the block's 256 threads skip this barrier because of the condition in "
                               "line 1. They have "
                               "ended, so the barrier does not wait for them; if they waited elsewhere, this "
                               "would be an error."));
  EXPECT_TRUE(told("if (threadIdx.x >= n) return;\n__syncthreads();")
                  .starts_with("255 of the block's 256 threads return in line 1, before this barrier."));
  EXPECT_TRUE(told("work(n);\n__syncthreads();")
                  .starts_with("255 of the block's 256 threads ended without reaching this barrier, which"));
}

TEST(SourceNotes, TheJumpThatSkipsABarrierIsNamed) {
  const auto told = [](const std::string& body) {
    ExerciseResult result = Of("__global__ void k(int n) {\n" + body + "\n}\n", Verdict::kFinding);
    result.next_step = say::which_threads_skip(4);
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(
      told("for (;;) {\nif (col >= n) break;\n__syncthreads();\n}"),
      "Divergent barrier: the `break` in line 3 sends some threads of a block past the barrier in line 4. "
      "All threads of a block must reach it: put the other work under a condition instead.");
  EXPECT_TRUE(told("\nif (col >= n) return;\n__syncthreads();")
                  .starts_with("Divergent barrier: some threads of a block skip the barrier in line 4."));
}

TEST(SourceNotes, WhyAPartOfAWarpComesToABarrier) {
  const auto told = [](const std::string& body) {
    Finding finding;
    finding.kind = FindingKind::kDivergentBarrier;
    finding.message = say::part_of_warp_at_barrier(1, 32, 0);
    finding.where = {"mine.cu", 2};
    ExerciseResult result = Of("__global__ void k(int n) { " + body + "\n}\n", Verdict::kFinding, finding);
    AddSourceNotes(result);
    return English(result.tests[0].findings[0].message);
  };
  EXPECT_EQ(
      told("if (threadIdx.x < n) {\n__syncthreads(); }\n__syncthreads();"),
      "only 1 of the 32 threads of warp 0 reached this barrier: the condition in line 1 sends the others "
      "past it, and they wait elsewhere or still run");
  EXPECT_EQ(told("for (;;) { if (threadIdx.x >= n) break;\n__syncthreads(); }"),
            "only 1 of the 32 threads of warp 0 reached this barrier: the `break` in line 1 sends the others "
            "past it, and they wait elsewhere or still run");
  for (const char* const other :
       {"if (threadIdx.x >= n) return;\n__syncthreads();", "work(n);\n__syncthreads();"})
    EXPECT_EQ(
        told(other),
        "only 1 of the 32 threads of warp 0 reached this barrier: the others skip it and wait elsewhere or "
        "still run");
}

/// What an advice on an access outside an array says of its cause.
std::string WhyOutside(const Message& advice) {
  if (say::index_outside_by_that_condition.Made(advice))
    return English(advice.arguments().front().inner.at(0));
  if (say::index_outside_and_value.Made(advice) || say::index_outside_and_value_here.Made(advice))
    return English(advice.arguments().back().inner.at(0));
  const bool is_known = say::index_outside_because.Made(advice);
  EXPECT_TRUE(is_known || say::index_outside.Made(advice)) << advice;
  return English(advice.arguments().at(is_known ? 1 : 4).inner.at(0));
}

/// A line is not named twice.
TEST(SourceNotes, TheConditionIsInTheLineOfTheAccess) {
  const auto told = [](const std::string& body) {
    const Message access = say::element_past_end(say::reads(), "X", 12, say::Count(12, "element"));
    ExerciseResult result = Of("__global__ void k(int n) { int i;\n" + body + "\n}\n", Verdict::kFinding);
    result.next_step = say::index_outside(2, {1, 0, 0}, {0, 0, 0}, access, say::which_element_if_any("X"));
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(told("if (i < n) s = X[i + 8];"),
            "Out of bounds: the condition in line 2 leaves out `+ 8`, which the index uses. Check the whole "
            "index: in a matrix, both the row and the column. Example: thread (1, 0) of block (0, 0) reads "
            "`X[12]`, but "
            "`X` has 12 elements.");
  EXPECT_TRUE(told("s = X[i + 8];").starts_with("Out of bounds in line 2: ")) << "no condition";
}

TEST(SourceNotes, WhyAThreadLeavesAnArray) {
  const auto told = [](const std::string& body, int index = 12, const Message& verb = say::reads()) {
    const Message access = say::element_past_end(verb, "X", index, say::Count(12, "element"));
    ExerciseResult result = Of("__global__ void k(int n) { int i;\n" + body + "\n}\n", Verdict::kFinding);
    result.next_step = say::index_outside(3, {1, 0, 0}, {0, 0, 0}, access, say::which_element_if_any("X"));
    AddSourceNotes(result);
    const std::string why = WhyOutside(result.next_step);
    const std::string thread = "thread (1, 0) of block (0, 0) " + English(access) + ".";
    const std::string place = why.starts_with("the condition in line 3") ? "" : " in line 3";
    EXPECT_EQ(English(result.next_step), why.starts_with("Should this thread")
                                             ? "Out of bounds: in line 3, " + thread + ' ' + why
                                             : "Out of bounds" + place + ": " + why + " Example: " + thread);
    return why;
  };
  EXPECT_EQ(told("if (i < n)\n  s = X[i] + X[i + 8];"),
            "the condition in line 2 leaves out `+ 8`, which the index uses. Check the whole index: in a "
            "matrix, both the row and the column.");
  EXPECT_TRUE(told("if (i < n)\n  s = X[i + kHalf];")
                  .starts_with("the condition in line 2 leaves out `kHalf`, which the index uses."))
      << "a constant cannot be checked alone";
  EXPECT_TRUE(told("if (i < n)\n  s = X[i + a + b * c];")
                  .starts_with("the condition in line 2 leaves out `a`, `b` and `c`, which"));
  EXPECT_EQ(told("if (i < n)\n  s = X[i + a + b * c + d];"),
            "the condition in line 2 is true for a thread whose element of `X` does not exist. Which element "
            "does the condition check, and which one does this line use?");
  EXPECT_EQ(told("if (i < n)\n  s = X[i];"),
            "the conditions up to line 2 look at all that the index uses, and still let a thread through. "
            "Count from where the pointer points: which index do they allow that does not exist?");
  EXPECT_EQ(told("\ns = exists ? X[i + 8] : 0;"),
            "the condition in line 3 is true for a thread whose element of `X` does not exist. Which element "
            "does the condition check, and which one does this line use?");
  EXPECT_EQ(
      told("if (i > n) return;\ns = X[i];"),
      "the condition in line 2 lets one index too many through. Should it compare with >= instead of >?");
  EXPECT_EQ(told("\nT[i] = (r < n && i <= n) ? X[i] : 0;"),
            "the condition in line 3 lets one index too many through. Should `i <= n` be `i < n`?");
  EXPECT_TRUE(told("if (i > n) return;\ns = X[i];", 13)
                  .starts_with("the conditions up to line 2 look at all that the index uses"));
  EXPECT_TRUE(told("\nX[i] = s;", 12, say::writes()).starts_with("no condition comes before it"));
  EXPECT_EQ(told("\nload(X);"),
            "Should this thread access an element of `X` here at all? If so, correct its index; if not, "
            "correct the condition that lets it through, or add one.");
}

TEST(SourceNotes, AnAccessThatTheCompilerMovedIsOfTheLineThatHasIt) {
  const Message access = say::element_past_end(say::reads(), "x", 300, say::Count(300, "element"));
  Finding outside;
  outside.kind = FindingKind::kOutOfBounds;
  outside.where = {"mine.cu", 2};
  outside.object = "x";
  outside.message = access;
  const auto noted = [&](const std::string& second) {
    ExerciseResult result = Of("__global__ void k(const float* x, float* y, int n) {\n" + second +
                                   "\nfor (int k = 0; k < n; ++k)\ns += x[row];\n}\n",
                               Verdict::kFinding, outside);
    result.tests[0].reason = say::in_line(2, access);
    result.next_step = result.tests[0].next_step =
        say::index_outside(2, {1, 0, 0}, {0, 0, 0}, access, say::which_element_if_any("x"));
    result.advice = Advice{.misconception = "", .test = "A.Test", .finding = outside, .later = {}};
    AddSourceNotes(result);
    return result;
  };
  const ExerciseResult moved = noted("const int row = threadIdx.x;");
  EXPECT_TRUE(English(moved.next_step).starts_with("Out of bounds in line 4: ")) << moved.next_step;
  EXPECT_TRUE(
      English(moved.next_step)
          .ends_with(". The compiler moved this access up to line 2, which does not use `x`; line 4 is "
                     "the next line that does."))
      << moved.next_step;
  EXPECT_EQ(moved.tests[0].next_step, moved.next_step);
  EXPECT_EQ(moved.tests[0].reason, say::in_line(4, access));
  EXPECT_EQ(moved.tests[0].findings[0].where.line, 4);
  EXPECT_EQ(moved.advice->finding->where.line, 4);
  const ExerciseResult own = noted("const float first = x[row];");
  EXPECT_TRUE(English(own.next_step).starts_with("Out of bounds")) << own.next_step;
  EXPECT_EQ(English(own.next_step).find("moved"), std::string::npos) << own.next_step;
  EXPECT_EQ(own.advice->finding->where.line, 2);
}

TEST(SourceNotes, ThreadsThatChangeOneElementInOneLineNeedAnAtomicOperation) {
  const auto told = [](const std::string& line, bool is_of_warp) {
    ExerciseResult result = Of("__global__ void k(float* y) {\n" + line + "\n}\n", Verdict::kFinding);
    const Message race = say::racing_line({0, 0, 0}, say::writes(), say::element_of("y", 0), 2,
                                          say::other_thread({1, 0, 0}), say::reads());
    result.next_step = is_of_warp ? say::both(race, say::lanes_need_it_too()) : race;
    AddSourceNotes(result);
    return English(result.next_step);
  };
  const std::string atomic =
      "Race: thread (0, 0) and thread (1, 0) both change `y[0]` in line 2. Each loads it, computes and "
      "stores, "
      "so one change can be lost. Make it one atomic operation, such as atomicAdd().";
  EXPECT_EQ(told("y[lo] += v[k];", false), atomic);
  EXPECT_EQ(told("y[lo] += v[k];", true), atomic);
  EXPECT_NE(told("y[t] += y[t - 1];", false).find("let the block wait at a barrier"), std::string::npos);
  EXPECT_TRUE(told("y[t] += y[t - 1];", true).ends_with("they need the barrier, too."));
}

TEST(SourceNotes, ALineThatReadsNeighboursIsAskedForTheLast) {
  const Message access = say::element_past_end(say::reads(), "X", 12, say::Count(12, "element"));
  const Message asked = say::index_outside(3, {1, 0, 0}, {0, 0, 0}, access, say::which_element_if_any("X"));
  const auto told = [&](const std::string& line) {
    ExerciseResult result =
        Of("__global__ void k(const float* X, int n) {\n  const float* from = X + f(n); if (n < 4) s = 0; "
           "else\n" +
               line + "\n}\n",
           Verdict::kFinding);
    result.next_step = asked;
    AddSourceNotes(result);
    return result.next_step;
  };
  EXPECT_EQ(told("s = g(from[0], from[1]);"), say::elements_outside(3, {1, 0, 0}, {0, 0, 0}, access));
  EXPECT_NE(told("s = g(from[1]);"), say::elements_outside(3, {1, 0, 0}, {0, 0, 0}, access));
}

TEST(SourceNotes, WhatAConditionLeavesOutOfASum) {
  const auto told = [](const std::string& body) {
    const Message access = say::element_past_end(say::reads(), "X", 12, say::Count(12, "element"));
    ExerciseResult result =
        Of("__global__ void k(const float* X, int n, int w) {\n" + body + "\n}\n", Verdict::kFinding);
    result.next_step = say::index_outside(3, {1, 0, 0}, {0, 0, 0}, access, say::which_element_if_any("X"));
    AddSourceNotes(result);
    return WhyOutside(result.next_step);
  };
  EXPECT_EQ(told("if (row < n && c < w)\ns = X[row * w + c + 16];"),
            "the index uses `c + 16`, but the condition in line 2 checks `c`. Check `c + 16` instead.");
  EXPECT_EQ(told("if (row < n && c < w) { t = X[row * w + c];\ns = X[row * w + c + 16]; }"),
            "the index uses `c + 16`, but the condition in line 2 checks `c`. Give this line a check of its "
            "own: `c "
            "+ 16 < w`.");
  EXPECT_EQ(told("__shared__ float s[4][4]; if (row < n && c < w) { t = X[row * w + c];\ns[a][b] = X[row * w "
                 "+ c + 16]; }"),
            "the index uses `c + 16`, but the condition in line 2 checks `c`. Give this line a check of its "
            "own: `c "
            "+ 16 < w`. Which value should the tile get where it is false?");
  EXPECT_EQ(
      told("if (c < w)\ns = X[c] + X[c + 16];"),
      "the index uses `c + 16`, but the condition in line 2 checks `c`. Give `X[c + 16]` a check of its own: "
      "`c + 16 < w`.");
  EXPECT_EQ(told("if (c < T) { t = X[c];\ns = X[p * T + c]; }"),
            "the index uses `p * T + c`, but the condition in line 2 checks `c`. Give this line a check of "
            "its own, "
            "for `p * T + c`.");
  EXPECT_EQ(told("int m = a < w ? 4 : w % 4; if (c < m)\ns = X[a + c];"),
            "the condition in line 2 compares `c` with `m`, which line 2 computes. Which value does `m` have "
            "in that thread, and which should it have?");
  EXPECT_EQ(told("if (c < w)\ns = X[row * w + c];"),
            "the condition in line 2 does not check `row`, the row of `X`. Check it, too.");
  EXPECT_EQ(told("if (row < n)\ns = X[row * w + c];"),
            "the condition in line 2 does not check `c`, the column of `X`. Check it, too.");
  EXPECT_EQ(
      told("if (row < n)\nfor (int h = 0; h < 4; ++h) s = X[h + c];"),
      "the condition in line 2 is before the loop over `h`, so it cannot check `h`, which is a part of the "
      "index. Check the whole index inside the loop.");
  const std::string known = "const int row = threadIdx.y; const int c = threadIdx.x; ";
  EXPECT_EQ(
      told(known + "if (row < n)\ns = X[c];"),
      "the condition in line 2 checks `row`, which is not in the index, but not `c`, which is. Check `c` "
      "instead.");
  EXPECT_EQ(
      told(known + "const int r = blockIdx.y + 1; if (r < n && row < n)\ns = X[r * w + c];"),
      "the condition in line 2 checks `row`, which is not in the index, but not `c`, the column of `X`. "
      "Check `c` instead.");
  EXPECT_EQ(told("if (row < n)\ns = X[p + c];"),
            "the condition in line 2 does not check `p + c`, which is a part of the index. Check it, too.");
  EXPECT_EQ(told("if (row < n && c < w)\ns = X[row * w + c];"),
            "the conditions up to line 2 check each part of the index, so a limit in them is too large, or "
            "the index multiplies by a wrong length. Compare both with the size of `X`.");
}

/// A loop that counts a part of the index is what limits it, and no condition before.
TEST(SourceNotes, ALoopThatGoesTooFarInsideAnIndex) {
  const auto told = [](const std::string& loop, const std::string& index, int element = 32,
                       const std::string& guard = "if (i >= n) return;") {
    const Message access = say::element_past_end(say::reads(), "x", element, say::Count(32, "element"));
    ExerciseResult result = Of(
        "__global__ void k(const float* x, int n) {\n" + guard + "\n" + loop + "\nv = x[" + index + "];\n}\n",
        Verdict::kFinding);
    result.next_step = say::index_outside(4, {0, 0, 0}, {0, 0, 0}, access, say::which_element_if_any("x"));
    AddSourceNotes(result);
    return WhyOutside(result.next_step);
  };
  EXPECT_EQ(told("for (int f = 0; f <= kFeatures; ++f)", "f * n + i"),
            "the loop over `f` in line 3 goes too far. Should its condition compare with < instead of <=?");
  const std::string either =
      "either the index is wrong, or the loop over `f` in line 3 goes too far. Which is the last value that "
      "`f` should have?";
  EXPECT_EQ(told("for (int f = 0; f < kFeatures; ++f)", "f * n + i"), either);
  EXPECT_EQ(told("for (int f = 0; f <= kFeatures; ++f)", "f * n + i", 35), either);
  EXPECT_NE(
      told("for (int f = 0; f <= kFeatures; ++f) if (f < kFeatures)", "f * n + i").find("check each part"),
      std::string::npos)
      << "another condition limits it";
}

/// Values from memory may be in range by the contract, and what min and max keep in a range has its limit in
/// another line.
TEST(SourceNotes, AnIndexThatIsComputedInAnotherLine) {
  const auto told = [](const std::string& access_line, const Message& access) {
    ExerciseResult result =
        Of("__global__ void k(const float* X, const int* map, int n, int w) {\n"
           "if (i >= n) return; const int sy = map[i], low = min(sy + 1, w - 1), up = max(sy - 1, 0);\n" +
               access_line + "\n}\n",
           Verdict::kFinding);
    result.next_step = say::index_outside(3, {1, 0, 0}, {0, 0, 0}, access, say::which_element_if_any("X"));
    AddSourceNotes(result);
    return WhyOutside(result.next_step);
  };
  const Message past_end = say::element_past_end(say::reads(), "X", 12, say::Count(12, "element"));
  const std::string one =
      "the index uses `low`, which line 2 computes. Which value does `low` have in that thread, and which "
      "values does `X` allow?";
  EXPECT_EQ(told("s = X[low * w + sy];", past_end), one);
  EXPECT_EQ(told("s = X[low * w + sy];", say::element_before_start(say::reads(), "X", -3)), one);
  EXPECT_EQ(
      told("s = X[low * w + sy] + X[up * w + sy];", past_end),
      "the indices use `low` and `up`, which earlier lines compute. Which of them is wrong in that thread, "
      "and which values does `X` allow?");
  EXPECT_EQ(told("s = X[sy];", past_end),
            "Should this thread access an element of `X` here at all? If so, correct its index; if not, "
            "correct the condition that lets it through, or add one.");
}

TEST(SourceNotes, AnAllocationIsInBytes) {
  const auto told = [](const std::string& size) {
    ExerciseResult result =
        Of("void f(const float* M, int j, int k) {\n  float* dM;\n  cudaMalloc(&dM, " + size + ");\n}\n",
           Verdict::kFinding);
    result.next_step = say::own_allocation_outside(7, "M", {4, "byte"});
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(told("j * k"),
            "Out of bounds in line 7: cudaMalloc in line 3 allocates `j * k` bytes for `dM`, not `j * k` "
            "elements. Multiply by `sizeof(float)`.");
  EXPECT_TRUE(told("j * sizeof(float)").starts_with("Out of bounds: line 7 goes past the end of M,"));
}

TEST(SourceNotes, ARaceOfThreadsWithoutAnElement) {
  const auto told = [](const std::string& guard) {
    Finding outside, race;
    outside.kind = FindingKind::kOutOfBounds;
    outside.space = MemorySpace::kGlobal;
    outside.kernel = race.kernel = "k";
    outside.where = {"mine.cu", 3};
    race.kind = FindingKind::kRace;
    race.where = {"mine.cu", 4};
    ExerciseResult result = Of("__global__ void k(const float* x, float* y, int n) {\n" + guard +
                                   "\nfor (int f = 0; f < kFeatures; ++f) s += x[f * n + i];\ny[i] = s;\n}\n",
                               Verdict::kFinding, outside);
    result.tests[0].findings.push_back(race);
    result.next_step = say::storing_threads({0, 0, 0}, "thread (1, 0)", {0, 0, 0}, "`y[1]`", 4);
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(
      told(""),
      "Race: no condition comes before line 4, so threads without an element store, too. Thread (0, 0) and "
      "thread (1, 0) of block (0, 0) both store to `y[1]`. Which condition is true only for threads whose "
      "element exists?");
  EXPECT_TRUE(told("if (i > n) return;")
                  .starts_with("Race: thread (0, 0) and thread (1, 0) of block (0, 0) both store"))
      << "`y[i]` has one row";
  EXPECT_TRUE(told("if (i >= n) return;")
                  .starts_with("Race: thread (0, 0) and thread (1, 0) of block (0, 0) both store"));
}

TEST(SourceNotes, ARaceWithTheNextRowByAConditionThatLetsOneTooManyThrough) {
  const auto told = [](const std::string& guard, const std::string& index) {
    ExerciseResult result = Of("__global__ void k(const float* x, float* y, int n) {\n" + guard +
                                   "\nfor (int f = 0; f < kFeatures; ++f)\ny[" + index + "] = s;\n}\n",
                               Verdict::kFinding);
    result.next_step = say::storing_threads({0, 0, 0}, "thread (1, 0)", {0, 0, 0}, "`y[1]`", 4);
    AddSourceNotes(result);
    return English(result.next_step);
  };
  const std::string race =
      "Race: thread (0, 0) and thread (1, 0) of block (0, 0) both store to `y[1]` in line 4. ";
  EXPECT_EQ(told("if (i > n) return;", "f * n + i"),
            race +
                "The condition in line 2 lets one index too many through. Should it compare with >= instead "
                "of >?");
  EXPECT_EQ(told("if (i <= n)", "f * n + i"),
            race +
                "The condition in line 2 lets one index too many through. Should it compare with < instead "
                "of <=?");
  for (const auto& [guard, index] : {std::pair{"if (i >= n) return;", "f * n + i"},
                                     {"if (i > n) return;", "f * n + i - 1"},
                                     {"if (i > n) return;", "f * m + i"},
                                     {"if (i > m) return;", "f * n + i"},
                                     {"if (j > n) return;", "f * n + i"}})
    EXPECT_TRUE(told(guard, index).starts_with(race + "Work out that line's index")) << guard << index;
}

TEST(SourceNotes, ABlockThatIsLargerThanATileWithAFrameOrAnArray) {
  const auto told = [](const std::string& body, Dim3 block, Finding finding) {
    finding.kind = FindingKind::kOutOfBounds;
    finding.space = MemorySpace::kShared;
    finding.kernel = "k";
    finding.where = {"mine.cu", 3};
    ExerciseResult result =
        Of("__global__ void k(const float* x) { const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;\n"
           "const int t = threadIdx.x; __shared__ float tile[10][34], row[kSize / 2];\n" +
               body + "\n}\n",
           Verdict::kFinding, finding);
    LaunchRecord launch;
    launch.kernel = "k";
    launch.block = block;
    result.tests[0].launches = {launch};
    AddSourceNotes(result);
    return English(result.next_step);
  };
  Finding of_tile;
  of_tile.thread = {0, 9, 0};
  EXPECT_EQ(
      told("tile[ty][tx] = 0;", {32, 32, 1}, of_tile),
      "Your block has 32 x 32 threads, but `tile` has 34 x 10 elements, frame included, so `tile[ty][tx]` in "
      "line 3 goes past its edge for some threads. Make the block as large as the tile without its frame.");
  EXPECT_EQ(
      told("tile[ty][tx] = 0;", {34, 10, 1}, of_tile),
      "`tile` has 34 x 10 elements, too few for your block of 34 x 10 threads and a frame around them: "
      "`tile[ty][tx]` in line 3 goes past the edge for some threads. How many columns and rows does `tile` "
      "need with its frame?");
  of_tile.thread = {10, 0, 0};
  EXPECT_EQ(told("__shared__ float turned[34][10]; turned[ty][tx] = 0;", {32, 8, 1}, of_tile),
            "`turned` has 34 rows of 10 elements, because the first size in a declaration is the number of "
            "rows. For "
            "your block of 32 x 8 threads, `turned[ty][tx]` in line 3 needs it the other way round: exchange "
            "the two "
            "sizes.");
  Finding of_row;
  of_row.thread = {128, 0, 0};
  of_row.message = say::numbered_element_past_end(say::writes(), 128, say::shared_array("row"),
                                                  say::Count(128, "element"), 127);
  EXPECT_EQ(told("row[t] = 0;", {256, 1, 1}, of_row), "look") << "declared beside another array";
  EXPECT_EQ(told("__shared__ float row2[kSize]; row[t] = 0;", {64, 1, 1}, of_row), "look");
  of_row.message = say::numbered_element_past_end(say::writes(), 128, say::shared_array("own"),
                                                  say::Count(128, "element"), 127);
  EXPECT_EQ(told("__shared__ float own[kSize / 2]; own[t] = 0;", {256, 1, 1}, of_row),
            "Your block has 256 threads, but `own` has 128 elements, so `own[t]` in line 3 goes past its end "
            "for some "
            "threads. Make both equally large.");
  EXPECT_EQ(told("__shared__ float own[kSize / 2]; own[t] = 0;", {8, 32, 1}, of_row), "look");
  EXPECT_EQ(told("__shared__ float own[kSize / 2]; if (t < 200) own[t] = 0;", {256, 1, 1}, of_row), "look");
  EXPECT_EQ(told("__shared__ float own[kSize / 2]; own[t + 1] = 0;", {256, 1, 1}, of_row), "look");
}

TEST(SourceNotes, RegistersThatTheCompilerHasChosen) {
  const auto told = [](const std::string& body) {
    ExerciseResult result =
        Of("__global__ void k(float* P, int n) {\n" + body + "\n}\n", Verdict::kLaunchFailed);
    result.next_step = say::launch_too_large(say::too_many_registers(1024, 255, 65536));
    AddSourceNotes(result);
    return result.next_step;
  };
  const std::string reset =
      "float sum = 0;\nfor (int p = 0; p < n; ++p) {\nsum = 0;\nsum += P[p];\n}\nP[0] = sum;";
  EXPECT_EQ(told(reset), say::registers_of_reset_sum(say::too_many_registers(1024, 255, 65536), say::Line(4),
                                                     "sum", say::Line(3), "p"));
  EXPECT_TRUE(say::registers_are_chosen.Made(told("P[0] = 1;")));
  EXPECT_TRUE(say::launch_too_large.Made(told("__maxnreg__(255);"))) << "somebody chose it";
}

TEST(SourceNotes, KernelsInEachOthersPlace) {
  const auto told = [](std::uint32_t fixed_bytes, const char* beside) {
    ExerciseResult result = Of("", Verdict::kWrongResult);
    constexpr MessageRow<say::Name> kNeedsFixed{"reverse_needs_fixed_array", "{1} has no fixed array"};
    result.next_step = result.tests[0].next_step = kNeedsFixed("of_launch");
    LaunchRecord of_launch, fixed;
    of_launch.kernel = "of_launch";
    of_launch.dynamic_shared_bytes = 64;
    fixed.kernel = beside;
    fixed.static_shared_bytes = fixed_bytes;
    TestResult other;
    other.launches = {fixed};
    result.tests[0].launches = {of_launch};
    result.tests.push_back(other);
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(
      told(1024, "fixed"),
      "The kernels are exchanged. If `use_dynamic` is false, you launch of_launch, whose array gets its size "
      "from the launch; otherwise fixed, whose array has a fixed size. Exchange the two launches.");
  EXPECT_EQ(told(0, "fixed"), "of_launch has no fixed array");
  EXPECT_EQ(told(1024, "of_launch"), "of_launch has no fixed array");
}

TEST(SourceNotes, AnAllocationOfALaunchInElements) {
  ExerciseResult result =
      Of("__global__ void k(int n) { extern __shared__ int copy[];\ncopy[n] = 0; }\n"
         "void f(int bins) {\nk<<<1, 256, bins>>>(bins);\n}\n",
         Verdict::kFinding);
  result.next_step =
      say::dynamic_index_outside(2, say::shared_array("copy"), say::Count(4, "byte"), say::Count(4, "byte"));
  AddSourceNotes(result);
  EXPECT_EQ(English(result.next_step),
            "Out of bounds in line 2: the launch in line 4 passes `bins` as the bytes of shared memory for "
            "`copy`, not "
            "`bins` elements. Multiply by `sizeof(int)`.");
}

TEST(SourceNotes, AFunctionThatReturnsAnotherVariable) {
  const std::string source =
      "int pick(int n) {\nint best = 0;\nint most = 0;\nif (n > 3) {\nbest = n;\nmost = 2;\n}\nreturn "
      "most;\n}\n";
  ExerciseResult result = Of(source, Verdict::kWrongResult);
  result.exercise = "pick";
  AddSourceNotes(result);
  EXPECT_EQ(English(result.next_step),
            "`best` in line 5 gets a value that nothing reads: your function returns `most` in line 8. "
            "Should it return "
            "`best`?");
}

TEST(SourceNotes, ABlockThatIsLargerThanItsTile) {
  const auto told = [](Dim3 thread, const std::string& store, FindingKind kind = FindingKind::kRace) {
    Finding finding;
    finding.kind = kind;
    finding.space = MemorySpace::kShared;
    finding.kernel = "k";
    finding.where = {"mine.cu", 6};
    finding.thread = thread;
    ExerciseResult result =
        Of("#define TILE 16\n__global__ void k(const float* x) {\n"
           "__shared__ float Mds[TILE][TILE];\nconst int tx = threadIdx.x;\n"
           "const int ty = threadIdx.y;\n" +
               store + "\n}\n",
           Verdict::kFinding, finding);
    LaunchRecord launch;
    launch.kernel = "k";
    launch.block = {32, 32, 1};
    result.tests[0].launches = {launch};
    AddSourceNotes(result);
    return English(result.next_step);
  };
  const std::string words =
      "Your block has 32 x 32 threads, but `Mds` has 16 x 16 elements, so `Mds[ty][tx]` in line 6 goes past "
      "its edge for some threads. Make the block as large as the tile.";
  EXPECT_EQ(told({16, 31, 0}, "Mds[ty][tx] = 0;"), words);
  EXPECT_EQ(told({3, 16, 0}, "Mds[ty][tx] = 0;", FindingKind::kOutOfBounds), words);
  EXPECT_EQ(told({3, 5, 0}, "Mds[ty][tx] = 0;"), "look") << "inside the tile";
  EXPECT_EQ(told({16, 31, 0}, "Mds[tx][ty] = 0;"), "look");
  EXPECT_EQ(told({16, 31, 0}, "Mds[ty][tx + 1] = 0;"), "look");
  EXPECT_EQ(told({16, 31, 0}, "Mds[ty][tx] = 0; tx = 0;"), "look");
  EXPECT_EQ(told({16, 31, 0}, "Mds[ty][tx] = 0;", FindingKind::kUninitialised), "look");
}

TEST(SourceNotes, WhetherBothTilesBeginAtTheFirstByte) {
  const auto told = [](const std::string& arrays) {
    ExerciseResult result = Of("__global__ void k() {\n" + arrays + "\n}\n", Verdict::kFinding);
    result.next_step = Message("dynamic_tiles_overlap_in_first", "{1} {2} {3} {4} {5}",
                               {AsArgument(say::Line(3)), AsArgument(say::Line(4)), AsArgument(say::Index(2)),
                                AsArgument(say::Number(4)), AsArgument(say::Count(16, "element"))});
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(
      told("extern __shared__ float a[]; extern __shared__ float b[];"),
      "Race: line 3 and line 4 both store to element 2 of the dynamic shared memory: both tiles begin at "
      "its first byte, as all extern __shared__ arrays do. Declare one array, and let the second tile "
      "begin where the first ends.");
  EXPECT_TRUE(told("extern __shared__ float a[]; float* b = a + tile;").starts_with("line 3 line 4"));
}

TEST(SourceNotes, ARaceOfElementsPastTheEndOfARow) {
  const auto told = [](const Message& step) {
    ExerciseResult result =
        Of("#define TILE 32\n__global__ void k(const float* x) {\n__shared__ float tile[TILE][TILE];\n"
           "for (int c = 0; c < TILE + 2 * kRadius; ++c)\n  tile[r][c] = x[c];\n}\n",
           Verdict::kFinding);
    result.next_step = step;
    AddSourceNotes(result);
    return English(result.next_step);
  };
  const std::string words =
      "Race: shared array `tile` has rows of TILE elements, but in line 5 its column `c` goes up to TILE + 2 "
      "* kRadius - "
      "1: an element past the end of one row is one of the next row. Declare the rows as long as the line "
      "needs them.";
  const Message element = say::one_element_of(say::shared_array("tile"));
  EXPECT_EQ(told(say::storing_threads({2, 2, 0}, "thread (2, 1)", {0, 0, 0}, element, 5)), words);
  EXPECT_EQ(told(say::both(say::two_stores_of_one_line(say::shared_array("tile"), 5),
                           say::barrier_decides_which_stays())),
            words)
      << "a barrier would not help";
  EXPECT_TRUE(
      told(say::two_stores_of_one_line(say::shared_array("tile"), 4)).starts_with("Race: two threads"));
  EXPECT_TRUE(told(say::two_stores_of_one_line(Message("P"), 5)).starts_with("Race: two threads"));
}

TEST(SourceNotes, ArgumentsInEachOthersPlaceAreTheFirstAdviceOfWrongValuesWithoutAKnownCause) {
  const std::string source =
      "__global__ void k(float* Y, int rows, int columns) {}\nvoid f(float* Y, int rows, int columns) {\n"
      "  k<<<1, 2>>>(Y, columns, rows);\n}\n";
  const auto told = [&](Verdict verdict, bool is_known) {
    ExerciseResult result = Of(source, verdict);
    if (is_known) result.misconceptions = {{"known", "Known", "Known.", "seen"}};
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(told(Verdict::kWrongResult, false),
            "In line 3, `columns` is passed for the parameter `rows` of k, and `rows` for `columns`. "
            "Exchange the two, unless you did that on purpose.");
  EXPECT_EQ(told(Verdict::kWrongResult, true), "look");
  EXPECT_EQ(told(Verdict::kPassed, false), "look");
}

TEST(SourceNotes, AFactorFromATileIsAskedOfTheTile) {
  const auto told = [](const std::string& body) {
    ExerciseResult result = Of("__global__ void k() {\n" + body + "\n}\n", Verdict::kWrongResult);
    result.next_step =
        say::element_has_other_factor("P[0][0]", "M[0][1]·N[0][1]", "M[0][1]·N[1][0]", "N[0][1]", "N[1][0]");
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(
      told("__shared__ float Nds[16][16];"),
      "The sum in P[0][0] has the product M[0][1]·N[0][1] instead of M[0][1]·N[1][0]. Follow N[1][0] through "
      "its tile, and check three indices: of its load, of its store to the tile, and of the read "
      "from the tile.");
  EXPECT_TRUE(told("float s;")
                  .ends_with("Where is the index of N[0][1] computed, for the thread that stores "
                             "P[0][0], and why is it not that of N[1][0]?"));
}

TEST(SourceNotes, AProductOfOtherElementsIsFollowedThroughTheTiles) {
  const auto told = [](const std::string& body) {
    ExerciseResult result = Of("__global__ void k() {\n" + body + "\n}\n", Verdict::kWrongResult);
    result.next_step = say::element_has_instead("P[0][0]", "M[0][1]·N[1][0]", "M[1][0]·N[0][1]");
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(
      told("__shared__ float Nds[16][16];"),
      "P[0][0] adds M[1][0]·N[0][1]; it should add M[0][1]·N[1][0]. Follow the first product through the "
      "tiles, and check three indices: of the load from M or N, of the store to the tile, and of the "
      "load from the tile.");
  EXPECT_TRUE(told("float s;").ends_with("is wrong in the index of M or N, and where is it computed?"));
}

TEST(SourceNotes, WholeNumbersWhereFractionsAreAddedUp) {
  const auto told = [](const std::string& type, const Message& expected) {
    ExerciseResult result = Of("__global__ void k(const float* X, float* out) {\n  __shared__ " + type +
                                   " partial[256];\n  partial[t] = X[t];\n}\n",
                               Verdict::kWrongResult);
    result.tests[0].wrong = {{"*output", expected, "25", ""}};
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(told("int", "31.56139"),
            "`partial` in line 2 is declared as int, so it loses the fractions of the floats that are stored "
            "in it. "
            "Declare it as float.");
  EXPECT_EQ(told("int", "31"), "look") << "the right value is whole, too";
  EXPECT_EQ(told("float", "31.56139"), "look");
}

TEST(SourceNotes, HowALineComesToWhatNoConditionChecks) {
  const auto told = [](const std::string& body, const Message& verb = say::reads()) {
    const Message access = say::element_past_end(verb, "X", 12, say::Count(12, "element"));
    ExerciseResult result =
        Of("#define AT(r, c) X[r * w + c]\n__global__ void k(float* X, int n, int w) { " + body + "\n}\n",
           Verdict::kFinding);
    result.next_step = say::index_outside(3, {1, 0, 0}, {0, 0, 0}, access, say::which_element_if_any("X"));
    AddSourceNotes(result);
    return WhyOutside(result.next_step);
  };
  const std::string pointer = "if (r < n && c < w) { float* y = X + r * w + c;\n";
  EXPECT_EQ(told(pointer + "s = y[32]; }"),
            "`y[32]` is in column `c + 32` of `X`, but the condition in line 2 checks `c`. Give this line a "
            "check of its own: `c + 32 < w`.");
  EXPECT_EQ(told(pointer + "for (int q = 0; q < 4; ++q) y[q * w] = s; }", say::writes()),
            "`y[q * w]` is in row `r + q` of `X`, but the condition in line 2, before the loop, checks `r`. "
            "Check in the loop, too: `r + q < n`.");
  EXPECT_EQ(
      told("if (c < n) { float* y = X + c;\ns = y[32]; }"),
      "`y[32]` is element `c + 32` of `X`, but the condition in line 2 checks `c`. Give this line a check "
      "of its own: `c + 32 < n`.");
  EXPECT_EQ(told("const int row = r + 16; if (r < n && c < w)\ns = X[row * w + c];"),
            "the index uses `row`, which is `r + 16`, but the condition in line 2 checks `r`. Check `row` "
            "instead.");
  EXPECT_EQ(told("const int row = t + a, m = t + b; if (m < n && c < w)\nAT(row, c) = s;", say::writes()),
            "the index uses `row`, but the condition in line 2 checks `m`. Check `row` instead.");
  EXPECT_EQ(told("if (r < n)\ns = X[r * w + min(c, w)];"),
            "`min(c, w)` can be `w`, but the last index is `w - 1`. Limit it to `w - 1`.");
}

TEST(SourceNotes, AnIndexThatIsLimitedToALengthComesFirst) {
  const auto told = [](const std::string& index, FindingKind kind = FindingKind::kOutOfBounds) {
    ExerciseResult result =
        Of("__global__ void k(float* X, int w) {\ns = X[" + index + "];\n}\n", Verdict::kFinding);
    result.misconceptions = {{"loads_outside", "A load reads outside", "Which?", Message()}};
    result.tests.emplace_back();
    Finding& finding = result.tests.back().findings.emplace_back();
    finding.kind = kind;
    finding.severity = Severity::kError;
    finding.where = {"k.cu", 2};
    AddSourceNotes(result);
    return result.misconceptions.empty() ? English(result.next_step) : "";
  };
  EXPECT_EQ(told("min(c, w)"),
            "Out of bounds in line 2: `min(c, w)` can be `w`, but the last index is `w - 1`. Limit it "
            "to `w - 1`.");
  EXPECT_EQ(told("min(c, w - 1)"), "");
  EXPECT_EQ(told("min(c, w)", FindingKind::kRace), "");
}

TEST(SourceNotes, ProductsPastTheLastByALoadThatIsNotChecked) {
  const auto told = [](const std::string& checked) {
    ExerciseResult result =
        Of("__global__ void k(float* N, int n) {\n"
           "const bool ok = " +
               checked +
               " < n; for (int r = 0; r < 4; ++r) { const int i = i0 + r * 8;\n"
               "tile[r] = ok ? N[i] : 0; }\n}\n",
           Verdict::kFinding);
    result.next_step = say::product_beyond_last(say::one_position(8), 0);
    result.advice.emplace();
    result.tests.emplace_back();
    Finding& finding = result.tests.back().findings.emplace_back();
    finding.kind = FindingKind::kOutOfBounds;
    finding.where = {"k.cu", 3};
    finding.message = say::element_past_end(say::reads(), "N", 8, say::Count(1, "element"));
    AddSourceNotes(result);
    EXPECT_EQ(result.advice->finding.has_value(), result.tests.back().advised.has_value());
    return English(result.next_step) + (result.advice->finding ? " !" : "");
  };
  EXPECT_EQ(told("i0"),
            "Out of bounds in line 3: the index uses `i`, which is `i0 + 8 * r`, but the condition in line "
            "2, before "
            "the loop, checks `i0`. Check in the loop, too: `i < n`. Example: thread (0, 0) of block (0, 0) "
            "reads `N[8]`, but `N` has 1 element. !");
  EXPECT_TRUE(told("z").starts_with("Sums include products"));
}

TEST(SourceNotes, AStepOfATreeThatEveryThreadTakes) {
  const auto told = [](const std::string& step) {
    ExerciseResult result =
        Of("__global__ void k() {\nfor (int s = 64; s > 0; s /= 2) {\n" + step + "\n__syncthreads(); }\n}\n",
           Verdict::kFinding);
    Finding race;
    race.kind = FindingKind::kRace;
    race.space = MemorySpace::kShared;
    race.where = {"k.cu", 3};
    race.other = race.where;
    result.misconceptions = {{"barrier_missing", "No barrier", "Wait.", Message()}};
    result.misconceptions[0].finding = race;
    AddSourceNotes(result);
    const Misconception& first = result.misconceptions[0];
    return English(first.evidence) + " " + English(first.message);
  };
  EXPECT_EQ(
      told("a[t] += a[t + s];"),
      "Race in line 3: every thread of the block adds here, even one whose element another thread reads "
      "in the same step. In each step, only the threads whose sums are still needed should add. Which "
      "are they? Put the line under a condition, and leave the barrier outside.");
  EXPECT_EQ(told("if (t < s) a[t] += a[t + s];"), " Wait.");
}

TEST(SourceNotes, AllThreadsAddToOneElement) {
  const auto told = [](const std::string& step) {
    Finding race;
    race.kind = FindingKind::kRace;
    race.space = MemorySpace::kShared;
    race.where = {"mine.cu", 3};
    race.other = race.where;
    race.object = say::shared_array("sum");
    ExerciseResult result = Of("__global__ void k(const int* in) {\nint t = threadIdx.x;\n" + step + "\n}\n",
                               Verdict::kFinding, race);
    result.misconceptions = {{"in_place", "A race", "Split the line.", "seen"}};
    result.misconceptions[0].finding = race;
    AddSourceNotes(result);
    return English(result.misconceptions[0].evidence) + " " + English(result.misconceptions[0].message);
  };
  EXPECT_EQ(told("sum += mine;"),
            "Race in line 3: several threads add to `sum`, which is one element for the whole block. Each "
            "loads it, adds and stores, so additions are lost. A barrier cannot repair that. Add with "
            "atomicAdd(&sum, ...), or give each thread an element of its own, wait, and add these up in a "
            "tree.");
  EXPECT_TRUE(told("sum[0] += mine;").find("atomicAdd(&sum[0], ...)") != std::string::npos);
  EXPECT_EQ(told("sum[t] += sum[t - d];"), "seen Split the line.");
  EXPECT_EQ(told("sum[t] += mine;"), "seen Split the line.");
}

TEST(SourceNotes, AnElementThatOnlyOneThreadChangesNeedsNoAtomicOperation) {
  const auto told = [](const std::string& step, const Message& object) {
    Finding race;
    race.kind = FindingKind::kRace;
    race.where = {"mine.cu", 3};
    race.other = race.where;
    race.object = object;
    ExerciseResult result = Of("__global__ void k(const int* in) {\nint t = threadIdx.x;\n" + step + "\n}\n",
                               Verdict::kFinding, race);
    result.next_step = say::racing_line({1, 0, 0}, say::reads(), say::one_element_of(object), 3,
                                        say::another_thread(), say::writes());
    AddSourceNotes(result);
    return English(result.next_step).find("atomicAdd") != std::string::npos;
  };
  EXPECT_TRUE(told("sum += in[t];", say::shared_array("sum")));
  EXPECT_TRUE(told("sum[in[t]] += 1;", say::shared_array("sum")));
  EXPECT_TRUE(told("sum[in[t]] += 1;", "sum"));
  EXPECT_FALSE(told("sum[t] += v;", say::shared_array("sum")));
  EXPECT_FALSE(told("sum[t] += sum[t - 1];", say::shared_array("sum")));
}

TEST(SourceNotes, RightValuesThatDoNotComeFromSharedMemory) {
  const auto told = [](const std::string& from) {
    ExerciseResult result =
        Of("__global__ void k(const int* in, int* out) { __shared__ int tile[4];\n"
           "tile[t] = in[t]; out[t] = " +
               from + "[t]; }\n",
           Verdict::kWrongResult);
    constexpr MessageRow<> kUnshared{"reverse_unshared", "the kernel loads nothing from shared memory"};
    result.misconceptions = {{"no_shared_memory", "No load", "Load.", kUnshared()}};
    AddSourceNotes(result);
    return English(result.misconceptions[0].message);
  };
  EXPECT_TRUE(told("tile").starts_with("Your values are right, but each thread reads back only the element"));
  EXPECT_TRUE(told("in").starts_with("Your values are right, but no line of your code loads from a shared"));
}

TEST(SourceNotes, ARowThatADivisionGives) {
  const auto told = [](const std::string& side) {
    ExerciseResult result =
        Of("__global__ void k() {\nint row = e / " + side + ", col = e % " + side + ";\n}\n",
           Verdict::kWrongResult);
    const Message fact = say::product_stored_with_rows(say::row_of_side(say::Count(5, "element"), "j"),
                                                       say::length_of_side(7, "l"));
    result.misconceptions = {{"wrong_row_length", "Another length", "Draw.", fact}};
    AddSourceNotes(result);
    return English(result.misconceptions[0].evidence) + " " + English(result.misconceptions[0].message);
  };
  EXPECT_EQ(
      told("j"),
      "P is computed as if its rows had 5 elements (j); they have l = 7. In line 2, your code divides by "
      "`j` to get the row. Divide the element's number by the length of a row of P: the quotient is its "
      "row, the remainder is its column.");
  EXPECT_TRUE(told("l").ends_with("for a row of P? Draw."));
}

/// The advice of a wrong result with this source, where the suite says this of a call.
std::string AdviceOf(const std::string& source, const Message& what) {
  ExerciseResult result = Of(source, Verdict::kWrongResult);
  result.next_step = say::with_call(say::product_call(18, 4, 4, 3), what);
  AddSourceNotes(result);
  return English(result.next_step);
}

TEST(SourceNotes, ADivisionThatGivesAWrongRow) {
  const Message rows =
      say::both(say::product_rows_not_stored(16),
                say::product_enough_threads(say::extent_in_one({2, "block"}),
                                            say::extent_in_one({256, "thread"}), "P[16][0]"));
  const std::string stores = "P[row * l + col] = 0;\n";
  EXPECT_EQ(AdviceOf("int down = (j + 15) / 16;\nint row = blockIdx.x / down * 16 + ty;\n"
                     "int col = blockIdx.x % down * 16 + tx;\n" +
                         stores,
                     rows),
            "`blockIdx.x / down` in line 2 is taken as the row of tiles, but `down` is computed from j, the "
            "number of "
            "P's rows. With 18 x 4 times 4 x 3, no thread stores P from row 16 on. Divide by the number of "
            "tiles from "
            "left to right, which follows from l.");
  EXPECT_EQ(
      AdviceOf("int row = e / j;\nint col = e % j;\n" + stores,
               say::values_sum_of_other("P[0][5]", "P[1][0]")),
      "`e / j` in line 1 is taken as the row, but a row of P has l elements, not j. With 18 x 4 times 4 x 3, "
      "P[0][5] holds the sum that belongs to P[1][0]. Divide by `l`, and take the remainder by `l` as the "
      "column.");
  EXPECT_EQ(AdviceOf("int y = block / tiles;\nint x = block - y * TILE;\n", rows),
            "Subtracting `y * TILE` in line 2 leaves no remainder, because line 1 divides by `tiles`. With "
            "18 x 4 times "
            "4 x 3, no thread stores P from row 16 on. Subtract the quotient times `tiles`.");
  EXPECT_TRUE(AdviceOf("int row = e / l;\nint col = e % l;\n" + stores, rows).starts_with("With 18 x 4"));
}

TEST(SourceNotes, ALoopOfSeveralProductsAndItsRest) {
  const auto advice = [](const std::string& source, const Message& what) {
    ExerciseResult result = Of(source, Verdict::kWrongResult);
    result.next_step = say::with_call(say::product_call(3, 40, 40, 4), what);
    AddSourceNotes(result);
    return English(result.next_step);
  };
  const std::string loop = "for (int i = 0; i + 4 < k; i += 4) {}\n";
  EXPECT_EQ(
      advice(loop, say::product_ends_early(say::positions({36, 39}), 36)),
      "`i + 4 < k` in line 1 leaves out the last pass of the loop if k is a multiple of 4. With 3 x 40 times "
      "40 x 4, each sum lacks its last products, M[r][i]·N[i][c] with i = 36 to 39. Write `i + 4 <= k`.");
  EXPECT_TRUE(advice(loop, say::product_ends_early(say::positions({38, 39}), 38)).starts_with("With 3 x 40"));
  const std::string rest = "int fours = k / 4;\nfor (int i = fours; i < k; ++i) {}\n";
  EXPECT_EQ(advice(rest, say::product_repeated(say::positions({10, 39}), say::added_twice(), 10)),
            "The loop in line 2 begins at `fours`, which is only the number of passes before it, not of "
            "products. With "
            "3 x 40 times 40 x 4, the products M[r][i]·N[i][c] with i = 10 to 39 are added twice to each "
            "sum. Begin at "
            "`4 * fours`.");
  EXPECT_TRUE(advice(rest, say::product_repeated(say::positions({8, 39}), say::added_twice(), 8))
                  .starts_with("With"));
}

TEST(SourceNotes, LoadsOfFoursAskForTheArraysOwnSide) {
  const auto advice = [](const std::string& condition, const std::string& array) {
    ExerciseResult result = Of("bool fours = " + condition + ";\n", Verdict::kFinding);
    result.next_step = say::which_byte_begins(array, say::Line(16), 16, 16);
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(
      advice("k % 4 == 0", "N"),
      "Misaligned access to N in line 16: line 1 checks whether k is a multiple of 4, but a row of N has l "
      "elements. Check l for N: only then does each of its rows begin at a multiple of 16 bytes.");
  EXPECT_NE(advice("(j & 3) == 0", "M").find("a row of M has k elements"), std::string::npos);
  EXPECT_NE(advice("l % 4 == 0", "N").find("Write down, as a sum, at which byte"), std::string::npos);
  EXPECT_NE(advice("k % 4 == 0 && l % 4 == 0", "N").find("Write down, as a sum, at which byte"),
            std::string::npos);
  EXPECT_NE(advice("k % 4 == 0", "Nds").find("Write down, as a sum, at which byte"), std::string::npos);
}

TEST(SourceNotes, APointerThatIsOutside) {
  const auto told = [](const std::string& body, const std::string& host = "",
                       const say::Thread& thread = {0, 0, 0}) {
    const Message access = say::element_past_end(say::writes(), "P", 20, say::Count(12, "element"));
    ExerciseResult result =
        Of("__global__ void k(float* P, int n, int l) {\n" + body + "\n}\n" + host, Verdict::kFinding);
    result.next_step = say::index_outside(3, thread, {0, 0, 0}, access, say::which_element_if_any("P"));
    AddSourceNotes(result);
    return WhyOutside(result.next_step);
  };
  const std::string kernel = "int c = threadIdx.x; if (c < l)\nP[c] = s;";
  const std::string host = "void f(float* P, int n, int l) { k<<<1, 16>>>(P + n * 4, n, l); }";
  EXPECT_EQ(told(kernel, host),
            "the address `P + n * 4` that line 5 passes to the kernel already lies outside `P`. How many "
            "elements of "
            "`P` should it skip?");
  EXPECT_FALSE(told(kernel, host, {1, 0, 0}).starts_with("line 5 passes"));
  EXPECT_FALSE(told(kernel, "void f(float* P) { k<<<1, 16>>>(P, 1, 2); }").starts_with("line 5 passes"));

  const std::string set = "float* p = P + r * l + c; ";
  EXPECT_EQ(told(set + "for (int i = 0; i < n; ++i) {\nif (c < l) *p = s; p += T * n; }"),
            "`p` moves by `T * n` in line 3, but in line 2, a row has `l` elements. How long is a row "
            "of `P`?");
  EXPECT_EQ(told("if (r < n && c < l) { " + set + "for (int i = 0; i < 4; ++i) {\n*p = s; p += l; } }"),
            "the condition in line 2 checks only the first element, but line 3 moves `p` by `l` in each "
            "pass. Check in the loop, too, that the element exists.");
}

TEST(SourceNotes, AWarpsBarrierIsNoneOfTheBlock) {
  const auto told = [](const std::string& between, bool in_warp = false, const std::string& loop = "",
                       const std::string& behind = "") {
    Finding race;
    race.kind = FindingKind::kRace;
    race.space = MemorySpace::kShared;
    race.where = {"mine.cu", 4};
    race.other = SourceLine{"mine.cu", 2};
    const auto& row = in_warp          ? say::race_in_warp
                      : behind.empty() ? say::race_in_block
                                       : say::race_before_next_write;
    race.message = row(say::reads(), say::shared_array("s"), say::another_thread(), say::writes());
    ExerciseResult result = Of(
        "__global__ void k() {" + loop + "{\ns[t] = x;\n" + between + "\ny = s[t + 32];\n" + behind + "}}\n",
        Verdict::kFinding, race);
    result.misconceptions = {{"early", "Race", "Which line must come between?", "seen"}};
    result.misconceptions[0].finding = race;
    AddSourceNotes(result);
    return English(result.misconceptions[0].message);
  };
  EXPECT_EQ(told("__syncwarp();"),
            "Only a __syncwarp() comes between the store and the read. It makes the 32 threads of one warp "
            "wait, but the thread that stores and the one that reads are in different warps. Which barrier "
            "makes the whole block wait?");
  EXPECT_EQ(told(""), "Which line must come between?");
  EXPECT_EQ(told("__syncthreads(); __syncwarp();"), "Which line must come between?");
  const std::string loop = "for (int p = 0; p < n; ++p) ";
  const auto behind = [&](const std::string& last) { return told("__syncthreads();", false, loop, last); };
  EXPECT_EQ(
      behind("__threadfence_block();"),
      "`__threadfence_block()` in line 5 makes no thread wait: it only orders the accesses of the thread "
      "that calls it. Which barrier makes the whole block wait there?");
  EXPECT_EQ(behind("__threadfence_block(); block.sync();"), "Which line must come between?");
  EXPECT_EQ(behind(""), "Which line must come between?");
  EXPECT_EQ(told("__syncwarp();", true), "Which line must come between?");
  EXPECT_EQ(told("if (blockDim.x > 32) __syncthreads();", true),
            "In line 3, the __syncthreads() is under a condition, and blocks for which it is false race. Let "
            "every thread of every block reach it: a single warp needs a barrier, too.");
  EXPECT_EQ(told("if (blockDim.x > 32) __syncthreads();"), "Which line must come between?");
  EXPECT_EQ(told("__syncthreads();", true), "Which line must come between?") << "of another pass";
  EXPECT_EQ(told("if (d > 32) __syncthreads();", true, "for (int d = 64; d > 0; d /= 2) "),
            "Which line must come between?");
}

TEST(SourceNotes, ARaceWithAnAtomicOperationNamesTheLineThatHasToWait) {
  const auto told = [](const std::string& between, bool is_read = false,
                       const char* fact = "scan_read_early") {
    Finding race;
    race.kind = FindingKind::kRace;
    race.space = MemorySpace::kShared;
    race.object = say::shared_array("sum");
    race.where = {"mine.cu", 4};
    race.other = SourceLine{"mine.cu", 2};
    race.access = is_read ? Access::kRead : Access::kAtomic;
    race.other_access = is_read ? Access::kAtomic : Access::kWrite;
    race.message =
        say::race_in_block(say::reads(), say::ElementOf(race.object), say::another_thread(), say::writes());
    const std::string add = "atomicAdd(&sum, mine);";
    ExerciseResult result = Of("__global__ void k() {\n" + (is_read ? add : "if (t == 0) sum = 0;") + "\n" +
                                   between + "\n" + (is_read ? "y = sum;" : add) + "\n}\n",
                               Verdict::kFinding, race);
    result.misconceptions = {{"early", "Race", "Which line?", Message(fact, "seen", {})}};
    result.misconceptions[0].finding = race;
    AddSourceNotes(result);
    return English(result.misconceptions[0].evidence) + " " + English(result.misconceptions[0].message);
  };
  const std::string wait =
      " Put a __syncthreads() between the two lines, where every thread of the block reaches it.";
  EXPECT_EQ(told(""),
            "Race: line 2 stores to `sum`, and nothing makes the other threads wait before line 4 "
            "updates it with `atomicAdd`." +
                wait);
  EXPECT_EQ(told("", true),
            "Race: line 2 updates `sum` with `atomicAdd`, and nothing makes line 4 wait until "
            "all threads have done so." +
                wait);
  EXPECT_EQ(told("__syncthreads();"), "seen Which line?");
  EXPECT_EQ(told("block.sync();"), "seen Which line?");
  EXPECT_EQ(told("}\n__device__ void f() {"), "seen Which line?");
  EXPECT_TRUE(told("__threadfence_block();")
                  .ends_with("`atomicAdd`. `__threadfence_block()` in line 3 makes no thread wait: it only "
                             "orders the accesses of the thread that calls it. Which barrier makes the whole "
                             "block wait there?"));
  EXPECT_EQ(told("", false, "hist_counted_before_cleared"), "seen Which line?");
  EXPECT_TRUE(told("__threadfence();", false, "hist_counted_before_cleared")
                  .starts_with("seen `__threadfence()` in line 3 makes no thread wait"));
  EXPECT_EQ(told("__threadfence();", true, "hist_stored_after_atomic"), "seen Which line?");
}

TEST(SourceNotes, ARaceOfAnAccessThatLeftItsSharedArray) {
  Finding race;
  race.kind = FindingKind::kRace;
  race.space = MemorySpace::kShared;
  race.object = say::shared_array("Nds");
  race.where = {"mine.cu", 3};
  race.other = SourceLine{"mine.cu", 4};
  race.access = Access::kWrite;
  race.other_access = Access::kWrite;
  std::string arrays = "__shared__ float Mds[16], Nds[16];";
  const auto result_of = [&](const Finding& finding) {
    ExerciseResult result = Of("__global__ void k(float* M) {\n" + arrays + "\nMds[t] = 1;\nNds[t] = 2;\n}\n",
                               Verdict::kFinding, finding);
    result.misconceptions = {{"early", "Race", "Put a barrier there.", "seen"}};
    result.misconceptions[0].finding = finding;
    result.tests[0].next_step =
        say::both(say::storing_threads_and_lines({16, 0, 0}, say::element_of(finding.object, 0), {0, 0, 0},
                                                 say::other_thread({0, 0, 0}), say::Line(3), say::Line(4)),
                  say::barrier_decides_which_stays());
    AddSourceNotes(result);
    return result;
  };
  race.message = say::race_in_block(say::writes(), say::ElementOf(race.object), say::other_thread({0, 0, 0}),
                                    say::writes());
  const std::string fact =
      "Out of bounds: the index of `Mds` in line 3 leaves `Mds` and reaches shared array `Nds`.";
  const std::string step =
      "Compare the values that the index can have in that line with the number of elements that `Mds` has.";
  ExerciseResult result = result_of(race);
  EXPECT_EQ(
      English(result.tests[0].findings[0].message),
      "writes outside `Mds`: the index reaches an element of shared array `Nds` that thread (0, 0) writes");
  EXPECT_EQ(English(result.misconceptions[0].evidence), fact);
  EXPECT_EQ(English(result.misconceptions[0].message), step);
  EXPECT_EQ(English(result.tests[0].next_step), fact + " " + step);
  arrays = "extern __shared__ float Mds[]; extern __shared__ float Nds[];";
  EXPECT_EQ(English(result_of(race).tests[0].findings[0].message), English(race.message))
      << "both begin at the same byte";
  arrays = "__shared__ float Mds[16], Nds[16];";
  Finding of_variable = race;
  of_variable.object = say::shared_variable("Nds");
  of_variable.message.arguments().at(1).inner = {say::ElementOf(of_variable.object)};
  EXPECT_EQ(English(result_of(of_variable).tests[0].findings[0].message),
            "writes outside `Mds`: the index reaches shared variable `Nds` that thread (0, 0) writes");
  std::swap(race.where, *race.other);
  EXPECT_EQ(English(result_of(race).tests[0].findings[0].message),
            "writes an element of shared array `Nds` that thread (0, 0) writes: the index of `Mds` in line 3 "
            "leaves "
            "`Mds`");
  race.other = race.where;
  EXPECT_EQ(English(result_of(race).misconceptions[0].evidence), "seen") << "that line names Nds";
  Finding unwritten = race;
  unwritten.kind = FindingKind::kUninitialised;
  unwritten.where = {"mine.cu", 3};
  unwritten.other.reset();
  unwritten.message = say::read_unwritten_element(say::numbered_element(race.object, 4));
  EXPECT_EQ(
      English(result_of(unwritten).tests[0].findings[0].message),
      "reads outside `Mds`: the index reaches element 4 of shared array `Nds`, where nothing is written yet");
}

TEST(SourceNotes, FactorsThatDoNotMatchWithoutTiles) {
  const auto told = [](const std::string& body) {
    ExerciseResult result = Of("__global__ void k() {\n" + body + "\n}\n", Verdict::kWrongResult);
    result.next_step = say::product_unlike_ranges(say::one_position(1), say::one_position(2));
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_TRUE(
      told("__shared__ float s[16];").ends_with("how far does each of your tiles move from phase to phase?"));
  EXPECT_TRUE(told("float s;")
                  .ends_with("with i = 2. Both need the same i, the index along the side that M and N "
                             "share: at which line of your code do the two begin to differ?"));
}

TEST(SourceNotes, ASumOverTheLanesLacksItsLastRound) {
  const auto told = [](const std::string& last) {
    ExerciseResult result = Of("__global__ void k(float s) {\nfor (int d = 16; d > " + last +
                                   "; d >>= 1) s += __shfl_down_sync(m, s, d);\n}\n",
                               Verdict::kWrongResult);
    result.next_step = say::product_lacks_one(say::one_position(1));
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(
      told("1"),
      "The loop in line 2 ends before `d` is 1, so no lane adds the sum of the lane next to it: each sum "
      "lacks the product M[r][i]·N[i][c] with i = 1. Which value should `d` have in the last round?");
  EXPECT_TRUE(told("0").find("Which pass of your loops") != std::string::npos);
}

TEST(SourceNotes, ReadsThatStrayIntoAnotherArray) {
  const auto told = [](const Message& array, const std::string& reading) {
    Finding race;
    race.kind = FindingKind::kRace;
    race.where = {"mine.cu", 3};
    race.other = SourceLine{"mine.cu", 2};
    race.object = array;
    race.message = say::race_with_reading_blocks(array);
    ExerciseResult result =
        Of("__global__ void k(const int* in, int* totals) {\n" + reading + "\ntotals[blockIdx.x] = sum;\n}\n",
           Verdict::kFinding, race);
    AddSourceNotes(result);
    return English(result.tests[0].findings[0].message);
  };
  const std::string strayed = "reads without using";
  EXPECT_TRUE(told("totals", "int sum = in[i * 4];").find(strayed) != std::string::npos);
  EXPECT_TRUE(told(say::name_in_code("totals"), "int sum = in[i * 4];").find(strayed) != std::string::npos)
      << "memory of the submission's own";
  EXPECT_TRUE(told("totals", "int sum = totals[i];").find(strayed) == std::string::npos);
}

TEST(SourceNotes, ARowThatHasAnotherLength) {
  const auto told = [](const std::string& length) {
    const Message access = say::element_past_end(say::reads(), "X", 12, say::Count(12, "element"));
    ExerciseResult result = Of("__global__ void k(int n) { int i;\nif (r < rows && c < columns)\ns = X[r * " +
                                   length + " + c];\n}\n",
                               Verdict::kFinding);
    result.next_step = say::index_outside(3, {1, 0, 0}, {0, 0, 0}, access, say::which_element_if_any("X"));
    AddSourceNotes(result);
    return WhyOutside(result.next_step);
  };
  EXPECT_EQ(
      told("rows"),
      "the index of `X` multiplies `r` by `rows`, but `r` itself runs up to `rows`. If a row has `rows` "
      "elements, write `c * rows + r`; if it has `columns`, write `r * columns + c`.");
  EXPECT_TRUE(told("columns").starts_with("the condition"));
}

TEST(SourceNotes, MemoryThatIsNotTheCallersComesFirst) {
  const auto told = [](const std::string& body, Verdict verdict, const Message& message) {
    Finding finding;
    finding.kind = FindingKind::kOutOfBounds;
    finding.where = {"mine.cu", 7};
    finding.kernel = "k";
    finding.message = message;
    ExerciseResult result = Of("void f(float* P) {\n" + body + "\n}\n", verdict, finding);
    result.tests[0].findings[0].severity = message.empty() ? Severity::kWarning : Severity::kError;
    result.tests[0].wrong_count = 1;
    result.misconceptions = {{"zeros", "No products", "Draw it.", "seen"}};
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(
      told("k<<<1, 1>>>(h);", Verdict::kFinding,
           say::argument_outside_memory(say::writes(), say::Count(4, "byte"), 3)),
      "The kernel writes in line 7 through its argument 3, which does not point to device memory. Memory "
      "from "
      "malloc, new or a host array cannot be used there: pass your function's own argument, or memory from "
      "cudaMalloc.");
  EXPECT_TRUE(
      told("k<<<1, 1>>>(h);\n}\n__global__ void k(int a, int b, float* P) {", Verdict::kFinding,
           say::argument_outside_memory(say::writes(), say::Count(4, "byte"), 3))
          .starts_with("The kernel writes in line 7 through its parameter `P`, which does not point"));
  EXPECT_TRUE(
      told("cudaMalloc(&P, 4);", Verdict::kWrongResult, {}).starts_with("cudaMalloc in line 2 replaces `P`"));
  EXPECT_EQ(told("k<<<1, 1>>>(P);", Verdict::kWrongResult, {}), "look");
}

TEST(SourceNotes, AnIndexThatLeadsIntoAnotherArrayIsNoMatterOfOrder) {
  const auto told = [](const std::string& reading) {
    Finding race;
    race.kind = FindingKind::kRace;
    race.where = {"mine.cu", 3};
    race.other = {"mine.cu", 2};
    race.object = "P";
    race.message = say::race_with_reading_blocks(race.object);
    ExerciseResult result = Of("__global__ void k(float* N, float* P) {\n" + reading + "\nP[i] = sum;\n}\n",
                               Verdict::kFinding, race);
    result.tests[0].reason = say::in_line(3, race.message);
    result.tests[0].next_step =
        say::racing_blocks(say::writes(), say::element_of("P", 4), 3, say::reads(), 2);
    AddSourceNotes(result);
    EXPECT_TRUE(Contains(result.tests[0].reason, result.tests[0].findings[0].message));
    return English(result.tests[0].findings[0].message) + " | " + English(result.tests[0].next_step);
  };
  EXPECT_EQ(told("sum += N[i * k];"),
            "writes an element of P that line 2 reads without using P: an index there leaves its own array | "
            "Out of bounds: an index in line 2 leaves its own array and gets to elements of P, which line 3 "
            "stores. Compare row length and limits in line 2 with the array that it should read.");
  EXPECT_EQ(told("sum += P[i - 1];").find("leaves"), std::string::npos);
}

TEST(SourceNotes, LinesOfADivisionByZero) {
  const auto told = [](const std::string& code) {
    ExerciseResult result = Of("int f(int n, int unit) {\n" + code + "\n}\n", Verdict::kCrashed);
    const Message step = say::both(say::look_for_division_by_zero(), "Try t4.");
    result.next_step = result.tests[0].next_step = step;
    AddSourceNotes(result);
    EXPECT_EQ(result.tests[0].next_step, result.next_step);
    return English(result.next_step);
  };
  EXPECT_EQ(told("return n / unit;"),
            "In line 2, a whole number is divided by `unit`, which is 0 there. When is it 0, and what should "
            "your code do then? Try t4.");
  EXPECT_EQ(told("return n / (unit - n);"),
            "In line 2, a whole number is divided by 0. When is the divisor 0, and what should your code do "
            "then? Try t4.");
  EXPECT_EQ(
      told("n %= unit;\nn /= n + n % unit;\nreturn n / unit;"),
      "A whole number is divided by 0, with / or %, in one of the lines 2, 3, 4. In which of them can the "
      "divisor be 0? Try t4.");
  EXPECT_EQ(told("return n;"),
            "Look for a whole number that is divided by 0, with / or %: which size is 0? Try t4.");
}

TEST(SourceNotes, LinesOfHostCode) {
  Finding refused;
  refused.kind = FindingKind::kInvalidCall;
  refused.message = say::refused("cudaFree", say::wrong_free());
  ExerciseResult result = Of("void f(float* P) {\n  cudaFree(P);\n}\n", Verdict::kLaunchFailed, refused);
  result.tests[0].reason = refused.message;
  AddSourceNotes(result);
  EXPECT_EQ(result.tests[0].findings[0].where, (SourceLine{"mine.cu", 2}));
  EXPECT_TRUE(English(result.tests[0].reason).starts_with("line 2: cudaFree was refused: "))
      << result.tests[0].reason;

  ExerciseResult crashed = Of("void f(float* P) {\n  P[0] = 0;\n}\n", Verdict::kCrashed);
  crashed.exercise = "f";
  crashed.next_step = say::find_null_pointer();
  AddSourceNotes(crashed);
  EXPECT_EQ(crashed.next_step, say::find_null_pointer());
  crashed.tests[0].next_step = say::device_memory_on_host();
  AddSourceNotes(crashed);
  EXPECT_EQ(crashed.tests[0].next_step, crashed.next_step);
  EXPECT_EQ(crashed.next_step, say::device_memory_for_kernels_in(say::Line(2), "P"));
}

TEST(SourceNotes, ARefusedCopySaysWhichDirectionFits) {
  Finding refused;
  refused.kind = FindingKind::kInvalidCall;
  refused.message = say::refused("cudaMemcpy", say::wrong_direction());
  ExerciseResult result =
      Of("void sum(const float* in, float* out) {\n  float z = 0;\n"
         "  cudaMemcpy(out, &z, 4, cudaMemcpyDeviceToHost);\n}\n",
         Verdict::kLaunchFailed, refused);
  result.exercise = "sum";
  result.next_step = result.tests[0].next_step = say::arguments_of_refused_call();
  AddSourceNotes(result);
  EXPECT_EQ(result.tests[0].next_step, result.next_step);
  EXPECT_EQ(
      English(result.next_step),
      "cudaMemcpy in line 3 is refused. The direction says device to host, but the destination `out` is "
      "device memory and the source `&z` is host memory. The destination comes first: are the two swapped? "
      "If not, the direction must be cudaMemcpyHostToDevice.");
}

TEST(SourceNotes, ARefusedCopyToAVariableSaysWhichCallToWrite) {
  Finding refused;
  refused.kind = FindingKind::kInvalidCall;
  refused.message =
      say::refused("cudaMemcpy", say::variable_is_no_pointer("F", "__constant__", "cudaMemcpy"));
  ExerciseResult result =
      Of("__constant__ float F[25];\nvoid convolution(const float* filter) {\n"
         "  cudaMemcpy(F, filter, sizeof(F), cudaMemcpyDeviceToDevice);\n}\n",
         Verdict::kLaunchFailed, refused);
  result.exercise = "convolution";
  result.next_step = result.tests[0].next_step = say::arguments_of_refused_call();
  AddSourceNotes(result);
  EXPECT_EQ(
      English(result.next_step),
      "cudaMemcpy in line 3 is refused. `F` is a __constant__ variable, and its name is no pointer that "
      "cudaMemcpy can use. Write cudaMemcpyToSymbol(F, filter, sizeof(F), 0, cudaMemcpyDeviceToDevice).");
}

TEST(SourceNotes, ARefusedMemsetSaysHowManyBytesThereAre) {
  Finding refused;
  refused.kind = FindingKind::kInvalidCall;
  refused.message =
      say::refused("cudaMemset", say::larger_than_allocation(say::Count(124, "byte"), say::Count(4, "byte")));
  ExerciseResult result = Of("void sum(float* output, int n) {\n  cudaMemset(output, 0, 4 * n);\n}\n",
                             Verdict::kLaunchFailed, refused);
  result.next_step = result.tests[0].next_step = say::arguments_of_refused_call();
  AddSourceNotes(result);
  EXPECT_EQ(
      English(result.next_step),
      "cudaMemset in line 2 sets 124 bytes, but `output` has only 4. Correct the size, which is in bytes.");
}

TEST(SourceNotes, ACallAfterTheLaunchThatWipesTheResultsComesFirst) {
  const auto told = [](const std::string& call, std::uint64_t wrong, bool is_known) {
    ExerciseResult result =
        Of("__constant__ float c[4];\n__global__ void k(float* P) { P[0] = c[0]; }\n"
           "void f(const float* M, float* P, int n) {\n  k<<<1, n>>>(P);\n  " +
               call + ";\n}\n",
           Verdict::kWrongResult);
    result.exercise = "f";
    result.tests[0].wrong_count = wrong;
    if (is_known) result.misconceptions = {{"one", "Its own words", "Look.", "seen"}};
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(told("cudaMemset(P, 0, 4 * n)", 1, false),
            "cudaMemset in line 5 overwrites `P` after the kernel, launched in line 4, has stored its "
            "results there. "
            "Move line 5 before the launch, or remove it.");
  EXPECT_EQ(told("cudaMemset(P, 0, 4 * n)", 1, true), "look") << "the exercise has words of its own";
  EXPECT_EQ(told("cudaMemset(P, 0, 4 * n)", 0, false), "look");
  EXPECT_EQ(told("cudaMemcpyToSymbol(c, M, 16)", 1, true),
            "The kernel launched in line 4 reads `c` before cudaMemcpyToSymbol in line 5 fills it, so each "
            "call uses "
            "what the call before left there. Move line 5 before the launch.");
}

TEST(SourceNotes, ABarrierThatMostThreadsSkipComesBeforeTheRaceThatFollows) {
  const auto told = [](std::int64_t skipping) {
    Finding race;
    race.kind = FindingKind::kRace;
    race.space = MemorySpace::kShared;
    Finding skipped;
    skipped.kind = FindingKind::kBarrierAfterExit;
    skipped.severity = Severity::kWarning;
    skipped.where = {"mine.cu", 5};
    skipped.message = say::barrier_after_exit(skipping, 1024);
    ExerciseResult result =
        Of("__global__ void k(int n) {\n  __shared__ int t[4];\n  if (threadIdx.x == n) {\n    t[0] = 1;\n"
           "    __syncthreads();\n  }\n}\n",
           Verdict::kFinding, race);
    result.tests[0].findings.push_back(skipped);
    result.misconceptions = {{"barrier_missing", "Race", "Draw it.", "seen"}};
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(
      told(1023),
      "Only some threads of the block reach the barrier in line 5: 1023 of 1024 threads skip it because of "
      "the condition in line 3. Put the barrier outside the if statement, so that every thread of the block "
      "reaches it.");
  EXPECT_EQ(told(100), "look") << "few of them: that may be a guard";
}

TEST(SourceNotes, WhatIsZeroInTheFirstThreadIsNotNamed) {
  const auto told = [](std::uint32_t thread) {
    const Message access = say::element_past_end(say::writes(), "P", 12, say::Count(12, "element"));
    ExerciseResult result =
        Of("__global__ void k(float* P, int n) {\nint row = blockIdx.y, col = threadIdx.x;\nif (col < n)\n"
           "P[row * n + col] = 0;\n}\n",
           Verdict::kFinding);
    result.next_step =
        say::index_outside(4, {thread, 0, 0}, {0, 0, 0}, access, say::which_element_of_first("P"));
    AddSourceNotes(result);
    return WhyOutside(result.next_step);
  };
  EXPECT_TRUE(told(0).starts_with("the conditions up to line 3 look at all that the index uses"));
  EXPECT_TRUE(told(1).starts_with("the condition in line 3 does not check `row`,"));
}

/// PTX has no names of parameters.
TEST(SourceNotes, AnArgumentHasTheNameOfItsParameter) {
  const std::string source = "__global__ void k(const int* in, int* out) {\n  out[1] = in[0];\n}\n";
  Finding finding;
  finding.kernel = "k";
  finding.where = {"mine.cu", 2};
  finding.object = say::argument(2);
  finding.message =
      say::right_past_end(say::writes(), {4, "byte"}, say::of_size(say::argument(2), {4, "byte"}));
  const auto told = [&](const Finding& other) {
    ExerciseResult result = Of(source, Verdict::kFinding, finding);
    result.tests[0].findings.push_back(other);
    result.tests[0].reason = say::in_line(2, finding.message);
    result.next_step = say::own_allocation_before(2, {0, 0, 0}, {1, 0, 0}, finding.message);
    AddSourceNotes(result);
    EXPECT_EQ(English(result.tests[0].findings[0].object), "`out`");
    EXPECT_NE(English(result.next_step).find(English(result.tests[0].findings[0].message)),
              std::string::npos);
    return English(result.tests[0].reason);
  };
  EXPECT_EQ(told(finding), "line 2: writes 4 bytes right past the end of `out`, which has 4 bytes");
  Finding other = finding;
  other.kernel = "elsewhere";
  EXPECT_EQ(told(other), "line 2: writes 4 bytes right past the end of `out`, which has 4 bytes");
}

TEST(SourceNotes, ARaceOfPassesNamesTheLoop) {
  const auto told = [](const std::string& loop) {
    ExerciseResult result =
        Of("void f() {\n" + loop + "\ntile[t] = a;\nb = tile[0]; }\n}", Verdict::kFinding);
    result.misconceptions = {
        {"race", "A race", "Draw it.",
         say::of_test(std::string("T"), say::race_with_next_pass(3, 4, say::some_loop()))}};
    AddSourceNotes(result);
    return English(result.misconceptions[0].evidence);
  };
  EXPECT_EQ(told("for (int p = 0; p < n; ++p) {"),
            "T: Race: a fast thread starts the next pass of the loop over `p` (line 2), where line 3 "
            "overwrites what slower threads still have to read in line 4.");
  EXPECT_EQ(told("while (left > 0) {"),
            "T: Race: a fast thread starts the next pass of the loop in line 2, where line 3 overwrites what "
            "slower threads still have to read in line 4.");
  EXPECT_EQ(told("{"),
            "T: Race: a fast thread starts the next pass of a loop, where line 3 overwrites what slower "
            "threads still have to read in line 4.");
}

TEST(SourceNotes, ARaceOfPassesNamesTheLoopThatHasNoBarrierOnItsWayRound) {
  ExerciseResult result =
      Of("__global__ void k() {\n  auto fetch = [&](int b) {\n    tile[b][t] = 1;\n  };\n"
         "  for (int s = 0; s < 4; ++s) {\n    fetch(0);\n    for (int p = 0; p < n; ++p) {\n"
         "      __syncthreads();\n      fetch(p + 1);\n      sum += tile[p & 1][0];\n    }\n  }\n}\n",
         Verdict::kFinding);
  result.next_step = say::race_with_next_pass(3, 10, say::some_loop());
  AddSourceNotes(result);
  EXPECT_TRUE(English(result.next_step)
                  .starts_with("Race: a fast thread starts the next pass of the loop over `s` (line 5), "));
}

TEST(SourceNotes, ALoopOverTheGridWithAShortStep) {
  const auto advice = [](const std::string& step) {
    ExerciseResult result =
        Of("__global__ void f(float* P, int n) {\n  int t = blockIdx.x * blockDim.x + threadIdx.x;\n  "
           "for (int e = t; e < n; e += " +
               step + ") P[e] = 0;\n}\n",
           Verdict::kWrongResult);
    result.next_step = say::stored_over_and_over(131584, "P", 1024);
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(advice("gridDim.x"),
            "In line 3, `e` grows by gridDim.x, but the grid has blockDim.x * gridDim.x threads. So several "
            "threads store "
            "the same elements: 131584 stores to P, which has 1024 elements. By how much should `e` grow?");
  EXPECT_EQ(advice("blockDim.x * gridDim.x"), English(say::stored_over_and_over(131584, "P", 1024)));
}

TEST(SourceNotes, ALaunchWithTooFewThreadsForOneElementEach) {
  const auto advice = [](const std::string& stores) {
    ExerciseResult result =
        Of("__global__ void f(float* P, int l) {\n  " + stores + "\n}\n", Verdict::kWrongResult);
    result.next_step = say::product_launch_has_columns("1 block", "8 threads", 8, 12);
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(advice("P[c] = sum;"),
            "No thread stores column 8 of P or any after it, because the launch has 8 threads from left to "
            "right (1 "
            "block of 8 threads), P has 12 columns, and each thread stores only one element. Which line "
            "computes the "
            "number of blocks from left to right?");
  EXPECT_EQ(
      advice("for (; c < l; c += 8) P[c] = sum[c];"),
      "No thread stores column 8 of P or any after it. The launch has 8 threads from left to right (1 block "
      "of 8 "
      "threads), and P has 12 columns. The loop in line 2 lets a thread store several elements: which thread "
      "should store P[0][8], and does it run that loop?");
  EXPECT_EQ(advice("*P = sum;"), English(say::product_launch_has_columns("1 block", "8 threads", 8, 12)));
}

TEST(SourceNotes, ALoopThatStoresAFixedNumberOfElements) {
  const auto advice = [](const Message& call, const std::string& bound) {
    ExerciseResult result =
        Of("__global__ void f(float* C, int n, int coarse_factor) {\n  for (int c = 0; c < " + bound +
               "; ++c)\n    C[i + c] = sum;\n}\n",
           Verdict::kWrongResult);
    result.next_step =
        say::with_call(call, say::values_some_hold_among_right(8, "C", say::held_nothing(), 9, "C[1]"));
    AddSourceNotes(result);
    return result.next_step;
  };
  const auto call = [](std::int64_t factor) {
    return Message("when_not_to_call", "{1} and coarse_factor {2}",
                   {AsArgument(say::Count(2049, "element")), AsArgument(say::Number(factor))});
  };
  EXPECT_EQ(English(advice(call(8), "4")),
            "The loop over `c` in line 2 always runs 4 times, whatever `coarse_factor` is: with 2049 "
            "elements and coarse_factor 8, a thread stores at most 4 elements of `C`. How often should the "
            "loop run?");
  EXPECT_TRUE(say::with_call.Made(advice(call(4), "4"))) << "so many are right";
  EXPECT_TRUE(say::with_call.Made(advice(call(8), "coarse_factor")));
  EXPECT_TRUE(say::with_call.Made(advice("length 9", "4"))) << "another exercise's call";
}

TEST(SourceNotes, ACopyThatWritesTheOutput) {
  const auto advice = [](const std::string& body) {
    ExerciseResult result = Of("__global__ void k(float* P) {}\nvoid f(float* P, int n) {\n" + body + "\n}\n",
                               Verdict::kWrongResult);
    result.exercise = "f";
    result.next_step = say::let_kernel_store_at_address("P");
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(advice("k<<<1, n>>>(P);\ncudaMemcpy(P, P, n, cudaMemcpyDeviceToHost);"),
            "The cudaMemcpy in line 4 writes `P`, but a kernel should. A launch gets `P` already: let that "
            "kernel store all results, and delete the cudaMemcpy.");
  EXPECT_EQ(
      advice("float* d; cudaMalloc(&d, n);\nk<<<1, n>>>(d);\ncudaMemcpy(P, d, n, cudaMemcpyDeviceToHost);"),
      "The cudaMemcpy in line 5 writes `P`, but a kernel should. `P` is in device memory already: pass it to "
      "the kernel in place of `d`, and delete the cudaMemcpy.");
  EXPECT_EQ(advice("cudaMemcpy(P, h, n, cudaMemcpyHostToDevice);"),
            English(say::let_kernel_store_at_address("P")));
}

TEST(SourceNotes, AFullLastPhaseThatAddsNothing) {
  ExerciseResult result =
      Of("void f(int width) {\n  const int last = width % 16;\n}\n", Verdict::kWrongResult);
  result.next_step = say::values_products_up_to(47, 64, 48);
  AddSourceNotes(result);
  EXPECT_EQ(
      English(result.next_step),
      "The last phase adds nothing, because `width % 16` in line 2 is 0: only 48 of 64 products are added "
      "to each sum in P. How many should a full last phase add?");
  result.next_step = say::values_products_up_to(47, 49, 48);
  AddSourceNotes(result);
  EXPECT_EQ(result.next_step, say::values_products_up_to(47, 49, 48))
      << "another number of products is missing";
}

TEST(SourceNotes, AnOnlyPhaseThatAddsNothing) {
  const auto advice = [](const std::string& source, int width) {
    ExerciseResult result = Of(source, Verdict::kWrongResult);
    result.next_step =
        say::with_call(say::width(width),
                       say::both(say::product_all_zero(), say::product_follow("M[0][0]·N[0][0]", "P[0][0]")));
    AddSourceNotes(result);
    return English(result.next_step);
  };
  const std::string tile = "#define TILE 16\n", rest = "int rest = width % TILE;\n";
  EXPECT_EQ(advice(tile + rest, 16),
            "The only phase adds nothing, because `width % TILE` in line 2 is 0: every sum in P stays 0, "
            "where 16 products "
            "should be added. How many products should a full last phase add?");
  EXPECT_TRUE(advice(tile + rest, 32).starts_with("With width 32"));
  EXPECT_TRUE(advice(tile + rest + "if (rest == 0) rest = TILE;\n", 16).starts_with("With width 16"));
}

TEST(SourceNotes, ALoopThatAddsSeveralProductsInEachPass) {
  const auto advice = [](const Message& seen) {
    ExerciseResult result =
        Of("void f(int n) {\n  for (int k = 0; k + 1 < n; k += 2)\n    s += m[k] + m[k + 1];\n}\n",
           Verdict::kWrongResult);
    result.next_step = seen;
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(advice(say::product_lacks_last("M[r][2]·N[2][c]", 3)),
            "Each sum lacks the last of its 3 products, M[r][2]·N[2][c]: the loop in line 2 adds 2 in each "
            "pass, and 3 "
            "is not a multiple of 2. Which line should add the last one?");
  EXPECT_EQ(advice(say::product_lacks_last("M[r][3]·N[3][c]", 4)),
            English(say::product_lacks_last("M[r][3]·N[3][c]", 4)));
  const Message outside("dynamic_tiles_load_outside", "{1} {2} {3} {4}",
                        {AsArgument(say::Line(3)), AsArgument(say::Index(2)),
                         AsArgument(say::Count(2, "element")), AsArgument(say::Number(1))});
  EXPECT_EQ(advice(outside),
            "Out of bounds: line 3 reads past the end of the dynamic array, because the loop in line 2 adds "
            "2 products "
            "in each pass, and `tile`, here 1, is not a multiple of 2. Let the last pass add only what the "
            "tile has.");
  const Message lost("dynamic_tiles_no_product", "{1} {2}",
                     {AsArgument(say::Number(5)), AsArgument(say::Number(1))});
  EXPECT_EQ(advice(lost),
            "No product is added with width 5 and tile 1, so every sum in P is 0: the loop in line 2 adds 2 "
            "products "
            "in each pass, and a tile 1 wide has fewer. Which line should add those that are left?");
}

TEST(SourceNotes, ASumThatOnlyTheFirstLaneHas) {
  constexpr MessageRow<say::Index> kUnlike{"cliff_not_alike", "Sample {1} is not normalised."};
  const auto advice = [&](const std::string& shuffles) {
    ExerciseResult result = Of("__device__ float sum(float v) {\n  for (int d = 16; d > 0; d /= 2)\n    " +
                                   shuffles + "\n  return v;\n}\n",
                               Verdict::kWrongResult);
    result.next_step = say::both(kUnlike(7), "Really.");
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(
      advice("v += __shfl_down_sync(~0u, v, d);"),
      "Only the first lane holds the whole sum: `__shfl_down_sync` in line 3 leaves parts of it in the other "
      "lanes. The 32 values of sample 7 are not normalised with the same mean and variance: which lanes use "
      "the "
      "sums? Really.");
  const std::string other = "Sample 7 is not normalised. Really.";
  EXPECT_EQ(advice("v += __shfl_xor_sync(~0u, v, d);"), other);
  EXPECT_EQ(advice("v += __shfl_down_sync(~0u, v, d); v = __shfl_sync(~0u, v, 0);"), other);
  EXPECT_EQ(advice("v += __shfl_down_sync(~0u, v, d); __shared__ float whole;"), other);
}

TEST(SourceNotes, AShuffleThatReturnsTheLanesOwnValue) {
  const auto advice = [](const std::string& shuffle, const Message& step) {
    ExerciseResult result =
        Of("__device__ int sum(int v) {\n  for (int d = 16; d > 0; d /= 2)\n    v += " + shuffle +
               ";\n  return v;\n}\n",
           Verdict::kWrongResult);
    result.next_step = step;
    AddSourceNotes(result);
    return English(result.next_step);
  };
  const auto times = [](std::int64_t count) {
    return say::linear_has_times("output[0]", say::one_element("input[0]"), count, "input[0]");
  };
  EXPECT_EQ(
      advice("__shfl_up_sync(~0u, v, d)", times(32)),
      "output[0] contains input[0] 32 times. In line 3, __shfl_up_sync returns a lane's own value if "
      "no lane is `d` places below it, so that lane doubles its sum. Which lanes should add in this step?");
  EXPECT_EQ(advice("__shfl_up_sync(~0u, v, d)", times(31)), English(times(31)));
  // In the advice, the cause comes before what it does in a call.
  EXPECT_EQ(advice("__shfl_up_sync(~0u, v, d)", say::with_call("length = 5", times(32))),
            "In line 3, __shfl_up_sync returns a lane's own value if no lane is `d` places below it, so that "
            "lane doubles its sum. With length = 5, output[0] contains input[0] 32 times. Which lanes should "
            "add in this step?");
  EXPECT_EQ(
      advice("__shfl_down_sync(~0u, v, d, 16)",
             say::with_call("width 1", say::product_repeated_all(say::added_twice()))),
      "In line 3, the largest distance is 16, but the last argument makes groups of 16 lanes. A shuffle "
      "past the group's end returns the lane's own value, so that step doubles the sum. With width 1, "
      "each sum contains all of its products twice. How many lanes should a group have?");
  const Message other = say::with_call("length = 5", times(31));
  EXPECT_EQ(advice("__shfl_up_sync(~0u, v, d)", other), English(other));
  EXPECT_EQ(
      advice("__shfl_down_sync(~0u, v, d, 16)", say::product_repeated_all(say::added_twice())),
      "Each sum contains all of its products twice. In line 3, the largest distance is 16, but the last "
      "argument makes groups of 16 lanes. A shuffle past the group's end returns the lane's own value, so "
      "that step doubles the sum. How many lanes should a group have?");
  const Message thrice = say::product_repeated_all(say::added_times(3));
  EXPECT_EQ(advice("__shfl_down_sync(~0u, v, d, 16)", thrice), English(thrice));
}

TEST(SourceNotes, TheArrayThatIsInLocalMemory) {
  const auto told = [](const std::string& index) {
    ExerciseResult result =
        Of("__global__ void k(int n) {\n  float sum[4];\n  for (int i = 0; i < n; ++i)\n    sum[" + index +
               "] += 1;\n}\n",
           Verdict::kWrongResult);
    result.misconceptions = {{"spilled", "Values lie in local memory", "Which index?",
                              say::of_test(std::string("T"), say::local_memory_of_kernel("k", 16))}};
    AddSourceNotes(result);
    const Misconception& first = result.misconceptions[0];
    return English(first.evidence) + " " + English(first.message) +
           (first.fact_first.value_or(false) ? " !" : "");
  };
  const std::string keeps =
      "The compiler keeps an array in registers only if it knows each index when it compiles. ";
  EXPECT_EQ(told("i"),
            "T: `sum` is in slow local memory, not in registers: in line 4, its index `i` comes from a loop "
            "without constant bounds (line 3). " +
                keeps +
                "Give that loop constant bounds, unroll it, and test inside it which elements exist. !");
  EXPECT_EQ(
      told("i & 1"),
      "T: `sum` is in slow local memory, not in registers: in line 4, its index `i & 1` is known only at "
      "run time. " +
          keeps +
          "Look at each array with such an index: is one set of values enough? If not, unroll the loop by "
          "hand, so that each index is a constant. !");
  EXPECT_EQ(told("0"), "T: k has 16 bytes of local memory per thread Which index?");
}

TEST(SourceNotes, ANonBlockingStreamBelongsToNoOther) {
  const auto advice = [](const std::string& flag) {
    ExerciseResult result =
        Of("void f() { cudaStreamCreateWithFlags(&s, " + flag + "); }\n", Verdict::kFinding);
    result.next_step = say::wait_for_your_stream();
    AddSourceNotes(result);
    return result.next_step;
  };
  EXPECT_EQ(advice("cudaStreamNonBlocking"), say::non_blocking_stream());
  EXPECT_EQ(advice("cudaStreamDefault"), say::wait_for_your_stream());
}

constexpr const char* kFlat =
    "__global__ void k(float* p, int n) {\n  int ty = threadIdx.y;\n  p[(blockIdx.y * 16 + ty) * n] = 1;\n}\n"
    "void f(float* p, int n) {\n  dim3 block(16);\n  k<<<1, block>>>(p, n);\n}\n";

TEST(SourceNotes, BlocksOfOneRow) {
  const auto advice = [](Dim3 block, std::uint64_t wrong) {
    ExerciseResult result = Of(kFlat, Verdict::kWrongResult);
    result.tests[0].findings.clear();
    result.tests[0].wrong_count = wrong;
    LaunchRecord launch;
    launch.kernel = "k";
    launch.block = block;
    result.tests[0].launches = {launch};
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(
      advice({16, 1, 1}, 3),
      "The kernel uses threadIdx.y in line 3, but the block in line 6 has 16 x 1 threads: threadIdx.y is "
      "always 0. Give the block its second dimension, too, as in dim3 block(columns, rows).");
  EXPECT_EQ(advice({16, 16, 1}, 3), "look");
  EXPECT_EQ(advice({16, 1, 1}, 0), "look") << "nothing is wrong but a limit";
}

TEST(SourceNotes, BlocksThatAllDoTheSame) {
  const auto advice = [](const std::string& index, Dim3 grid, std::size_t wrong, bool is_known = false) {
    ExerciseResult result =
        Of("__global__ void k(float* p, int n) {\n  int row = threadIdx.y, col = " + index +
               ";\n  if (row < n && col < n) p[row * n + col] = 1;\n}\n",
           Verdict::kWrongResult);
    if (is_known) result.misconceptions = {{"known", "A known cause", "Draw it.", "seen"}};
    result.tests[0].findings.clear();
    result.tests[0].wrong_count = wrong;
    LaunchRecord launch;
    launch.kernel = "k";
    launch.grid = grid;
    launch.block = {16, 16, 1};
    result.tests[0].launches = {launch};
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(advice("threadIdx.x", {2, 3, 1}, 4),
            "The kernel k never uses blockIdx, so all 6 blocks of its launch do the same work. Add each "
            "block's own "
            "offset to col (line 2) and row (line 2).");
  EXPECT_EQ(advice("blockIdx.x * 16 + threadIdx.x", {2, 3, 1}, 4),
            "The kernel k never uses blockIdx.y, so the 3 blocks along y all do the same work. Add each "
            "block's own "
            "offset to row (line 2).");
  EXPECT_EQ(
      advice("blockDim.x * 16 + threadIdx.x", {2, 1, 1}, 4),
      "The kernel k never uses blockIdx.x, so all 2 blocks of its launch do the same work. In line 2, "
      "`blockDim.x * 16 + threadIdx.x` has blockDim.x, the size of a block: write blockIdx.x, the number of "
      "this block.");
  EXPECT_EQ(advice("threadIdx.x", {1, 1, 1}, 4), "look");
  EXPECT_EQ(advice("threadIdx.x", {2, 3, 1}, 0), "look") << "the values are right";
  EXPECT_EQ(advice("threadIdx.x", {2, 3, 1}, 4, true), "look") << "a known cause says more";
}

TEST(SourceNotes, BlocksThatStoreToOneElement) {
  const auto advice = [](const std::string& store, const Message& message) {
    Finding race;
    race.kind = FindingKind::kRace;
    race.message = message;
    race.where.line = 3;
    ExerciseResult result =
        Of("__global__ void k(float* sums) {\n  int tx = threadIdx.x, b = blockIdx.x;\n  if (tx "
           "== 0) " +
               store + "\n}\n",
           Verdict::kFinding, race);
    result.tests[0].wrong_count = 2;
    AddSourceNotes(result);
    return English(result.next_step);
  };
  const Message many = say::race_of_many_blocks(say::shown_whole("sums"));
  EXPECT_EQ(advice("sums[tx] = 1;", many),
            "All blocks store to `sums[tx]` in line 3: its index does not depend on blockIdx, so they "
            "overwrite each "
            "other's results. Which element belongs to this block?");
  EXPECT_EQ(advice("sums[b] = 1;", many), "look");
  EXPECT_EQ(advice("sums[tx] += 1;", many), "look") << "a sum of all blocks";
}

TEST(SourceNotes, AnIndexWhoseSidesAreExchanged) {
  Finding outside;
  outside.kind = FindingKind::kOutOfBounds;
  outside.where.line = 2;
  ExerciseResult result =
      Of("__global__ void k(float* a) {\n  t = r < rows && c < columns ? a[c * columns + r] : "
         "0;\n  b[row * columns + column] = t;\n}\n",
         Verdict::kFinding, outside);
  result.misconceptions = {{"known", "A known cause", "Draw it.", "seen"}};
  AddSourceNotes(result);
  EXPECT_EQ(
      English(result.next_step),
      "In line 2, the index `c * columns + r` multiplies c by columns, but the condition there limits c to "
      "columns: c is the column. Write `r * columns + c`.");
}

TEST(SourceNotes, AConditionAboutOtherIndices) {
  ExerciseResult result =
      Of("__global__ void k(float* a) {\n  t = row < n && m_col < n ? a[n_row * n + col] : "
         "0;\n}\n",
         Verdict::kWrongResult);
  result.tests[0].findings.clear();
  result.tests[0].wrong_count = 1;
  AddSourceNotes(result);
  EXPECT_EQ(
      English(result.next_step),
      "The condition in line 2 tests row and m_col, but the index `n_row * n + col` there uses neither. Test "
      "n_row and col.");
}

TEST(SourceNotes, TheLineThatReadsBothTilesAtOneIndex) {
  const auto advice = [](const std::string& product, const Message& step, const std::string& call = "") {
    ExerciseResult result =
        Of("__global__ void k() {\n  int tx = threadIdx.x, ty = threadIdx.y;\n  sum += " + product + ";\n}\n",
           Verdict::kWrongResult);
    result.next_step =
        say::both(call.empty() ? "Some sums are of another row." : "some sums are of another row.", step);
    if (!call.empty()) result.next_step = say::with_call(call, result.next_step);
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(
      advice("a[tx][k] * b[k][tx]", say::product_whose_row()),
      "The fault is in line 3: it reads both tiles at tx, the thread's column. Read the tile of M at ty, the "
      "thread's row. Some sums are of another row.");
  EXPECT_EQ(
      advice("a[ty][k] * b[k][ty]", say::product_whose_column()),
      "The fault is in line 3: it reads both tiles at ty, the thread's row. Read the tile of N at tx, the "
      "thread's column. Some sums are of another row.");
  EXPECT_EQ(
      advice("a[tx][k] * b[k][tx]", say::product_whose_row(), "width 3"),
      "The fault is in line 3: it reads both tiles at tx, the thread's column. Read the tile of M at ty, "
      "the thread's row. With width 3, some sums are of another row.");
  const std::string whose_row = "Some sums are of another row. " + English(say::product_whose_row());
  EXPECT_EQ(advice("a[ty][k] * b[k][tx]", say::product_whose_row()), whose_row);
  EXPECT_EQ(advice("a[ty][k] * b[k][ty]", say::product_whose_row()), whose_row);
}

TEST(SourceNotes, AnArrayWithoutShared) {
  const auto advice = [](const std::string& attribute, MemorySpace space) {
    Finding finding;
    finding.kind = FindingKind::kUninitialised;
    finding.space = space;
    finding.where = {"mine.cu", 4};
    ExerciseResult result = Of("__global__ void k(float* p) {\n  " + attribute +
                                   "float a[64];\n  a[threadIdx.x] = p[threadIdx.x];\n"
                                   "  p[threadIdx.x] = a[63 - threadIdx.x];\n}\n",
                               Verdict::kFinding, finding);
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(
      advice("", MemorySpace::kLocal),
      "`a` lacks `__shared__` in line 2, so each thread has an array of its own, and reads elements there "
      "that only other threads store, in their arrays. Write `__shared__` before its type.");
  EXPECT_EQ(advice("", MemorySpace::kShared), "look");
  EXPECT_EQ(advice("__shared__ ", MemorySpace::kLocal), "look");
}

/// The compiler need not load what nobody has stored: then no finding tells of it.
TEST(SourceNotes, AnArrayWithoutSharedThatNoFindingTellsOf) {
  const auto told = [](const std::string& declared, const std::string& step) {
    ExerciseResult result =
        Of("__global__ void k(float* p) {\n  " + declared +
               " a[64];\n  const int t = threadIdx.x;\n  a[t] = p[t];\n  for (int s = 32; s "
               "> 0; s /= 2) {\n    __syncthreads();\n    " +
               step + "\n  }\n  if (t == 0) p[0] = a[0];\n}\n",
           Verdict::kWrongResult);
    result.tests[0].wrong_count = 1;
    AddSourceNotes(result);
    return English(result.next_step);
  };
  const std::string adds = "if (t < s) a[t] += a[t + s];";
  EXPECT_TRUE(told("float", adds).starts_with("`a` lacks `__shared__` in line 2, so each thread"))
      << told("float", adds);
  EXPECT_EQ(told("__shared__ float", adds), "look");
  EXPECT_EQ(told("float", "a[t] += p[t + s];"), "look") << "its own element";
  EXPECT_EQ(told("float", "a[s] = 0; a[t] += a[t + s];"), "look") << "it stores others, too";
}

TEST(SourceNotes, AnAtomicFunctionOnAnArrayWithoutShared) {
  const auto told = [](const std::string& declared, const std::string& call) {
    Finding barrier;
    barrier.kind = FindingKind::kDivergentBarrier;
    ExerciseResult result = Of("__global__ void k(int* p) {\n  " + declared + "\n  " + call + "\n}\n",
                               Verdict::kLaunchFailed, barrier);
    result.misconceptions = {{"barrier", "Some threads skip it", "Draw it.", "seen"}};
    Diagnostic of_header;
    of_header.severity = Severity::kWarning;
    of_header.where = {"/usr/include/device_atomic_functions.hpp", 107};
    result.diagnostics = {of_header};
    AddSourceNotes(result);
    return std::to_string(result.diagnostics.size()) + " " +
           (result.diagnostics.empty() ? "" : result.diagnostics[0].where.file + " ") +
           English(result.next_step);
  };
  const std::string lacks =
      "lacks `__shared__` in line 2, so each thread has its own, and atomicAdd in line 3 works on global and "
      "shared memory only. Write `__shared__` before its type.";
  EXPECT_EQ(told("int copy[16];", "atomicAdd(&copy[p[0]], 1);"), "0 `copy` " + lacks);
  EXPECT_EQ(told("int copy[16];", "atomicAdd(copy, 1);"), "0 `copy` " + lacks);
  EXPECT_EQ(told("int count = 0;", "atomicAdd(&count, 1);"), "0 `count` " + lacks);
  const std::string other = "1 device_atomic_functions.hpp look";
  EXPECT_EQ(told("__shared__ int copy[16];", "atomicAdd(&copy[p[0]], 1);"), other);
  EXPECT_EQ(told("int i = 3;", "atomicAdd(&p[i], i);"), other);
  EXPECT_EQ(told("int at = 3;", "atomicAdd(p + at, 1);"), other);
}

/// `told` is what the report begins with, of a test in which an element should be `expected` and is `actual`.
std::string ToldOfFill(const std::string& call, const std::string& type, const Message& expected,
                       const Message& actual, Verdict verdict = Verdict::kWrongResult) {
  ExerciseResult result =
      Of("void f(const " + type + "* in, " + type + "* out, int n) {\n  " + call + "\n}\n", verdict);
  result.exercise = "f";
  result.tests[0].findings.clear();
  result.tests[0].wrong_count = 1;
  result.tests[0].wrong = {{"out[0]", expected, actual, ""}};
  result.misconceptions = {{"known", "A known cause", "Draw it.", "seen"}};
  AddSourceNotes(result);
  return English(result.next_step);
}

TEST(SourceNotes, AMemsetOfEachByteToOne) {
  const std::string memset = "cudaMemset(out, 1, n * 4);";
  EXPECT_EQ(
      ToldOfFill(memset, "int", "0", "16843009"),
      "cudaMemset in line 2 sets each byte of `out` to 1, so its elements start at 0x01010101, which is "
      "16843009. They should start at 0: write 0 in place of 1.");
  EXPECT_EQ(ToldOfFill("cudaMemset(out, '0', n * 4);", "int", "3", "808464435").substr(0, 53),
            "cudaMemset in line 2 sets each byte of `out` to '0', ");
  EXPECT_NE(ToldOfFill(memset, "float", "0", "2.369428e-38").find("which is 2.369428e-38."),
            std::string::npos);
  EXPECT_NE(ToldOfFill("cudaMemset(out, -1, n * 4);", "int", "0", "-1").find("0xffffffff, which is -1."),
            std::string::npos);
  EXPECT_EQ(ToldOfFill(memset, "int", "0", "7"), "look") << "something else overwrote it";
  EXPECT_EQ(ToldOfFill("cudaMemset(out, 0, n * 4);", "int", "0", "16843009"), "look");
}

TEST(SourceNotes, AMemsetOfLessThanAnElement) {
  EXPECT_EQ(
      ToldOfFill("cudaMemset(out, 0, 1);", "float", "0", "nan"),
      "cudaMemset in line 2 sets only 1 byte of `out`, but each element has 4 bytes. Its third argument "
      "counts bytes: multiply the number of elements by sizeof(*out).");
  EXPECT_EQ(
      ToldOfFill("cudaMemset(out, 4, 0);", "float", "0", "nan"),
      "cudaMemset in line 2 sets 0 bytes of `out`: the second argument is the value of each byte, the third "
      "the number of bytes. Exchange the two.");
  EXPECT_NE(ToldOfFill("cudaMemset(out, sizeof(float), 0);", "float", "0", "nan"), "look");
  EXPECT_EQ(ToldOfFill("cudaMemset(out, 0, 0);", "float", "0", "nan"), "look");
  EXPECT_EQ(ToldOfFill("cudaMemset(out, 0, 4);", "float", "0", "nan"), "look");
  EXPECT_EQ(ToldOfFill("cudaMemset(out, 0, 1);", "char", "0", "nan"), "look");
  EXPECT_EQ(ToldOfFill("cudaMemset(out, 0, n);", "float", "0", "nan"), "look");
}

TEST(SourceNotes, ACallThatWritesToAnInput) {
  const std::string names =
      "cudaMemset in line 2 writes to `in`, an input, which must not change. Should it write to `out` "
      "instead?";
  for (const char* const in : {"(void*)in", "const_cast<float*>(in)", "(float*)(void*)in"}) {
    const std::string call = std::string("cudaMemset(") + in + ", 0, sizeof(float));";
    const bool is_plain = std::string(in) != "(float*)(void*)in";
    EXPECT_EQ(ToldOfFill(call, "float", "0", "nan", Verdict::kInputModified), is_plain ? names : "look")
        << in;
    EXPECT_EQ(ToldOfFill(call, "float", "0", "nan"), "look") << in;
  }
  EXPECT_EQ(ToldOfFill("cudaMemset(out, 0, n * 4);", "float", "0", "nan", Verdict::kInputModified), "look");
}

/// Of a result whose report begins with a misconception: what was seen; "!" if it is the first sentence, "!!"
/// if what to do has changed, too.
std::string FirstSeen(ExerciseResult result, const std::string& fact) {
  const Message seen = say::of_test({"Test"}, "seen");
  result.facts = std::vector<Fact>{{fact, seen}};
  result.misconceptions = {{"known", "A known cause", "Draw it.", seen}};
  result.advice = Advice{.misconception = "known", .test = "A.Test", .finding = {}, .later = {}};
  if (!result.tests.front().findings.front().message.empty())
    result.advice->finding = result.tests.front().findings.front();
  AddSourceNotes(result);
  const Misconception& first = result.misconceptions.at(0);
  EXPECT_EQ(first.title, "A known cause");
  return English(first.evidence) + (first.message != "Draw it."        ? "!!"
                                    : first.fact_first.value_or(false) ? "!"
                                                                       : "");
}

TEST(SourceNotes, TheMissingCheckIsTheFirstSentence) {
  const auto first = [](const std::string& condition) {
    Finding finding;
    finding.kind = FindingKind::kOutOfBounds;
    finding.where = {"mine.cu", 4};
    finding.object = "out";
    finding.thread = {1, 0, 0};
    finding.message = say::element_past_end(say::writes(), "out", 1, say::Count(1, "element"));
    return FirstSeen(Of("__global__ void k(float* out, int rows, int columns) {\n"
                        "  int row = blockIdx.y * 16 + threadIdx.y;\n"
                        "  int column = blockIdx.x * 16 + threadIdx.x;\n"
                        "  if (" +
                            condition + ") out[row * columns + column] = 1;\n}\n",
                        Verdict::kFinding, finding),
                     "stores_outside");
  };
  EXPECT_EQ(
      first("row < rows"),
      "Test: Out of bounds: the condition in line 4 does not check `column`, the column of `out`. Check it, "
      "too.!!");
  EXPECT_EQ(first("row < rows && column < columns"), "Test: seen") << "a limit is wrong, perhaps";
  EXPECT_EQ(
      first("row < rows || column < columns"),
      "Test: Out of bounds: `row < rows || column < columns` in line 4 lets a thread through if only one "
      "of its comparisons holds. Write `&&` in place of `||`.!!");
}

/// A 0 in a tile is where the condition of its load is wrong, and so are the loads outside by the same line.
TEST(SourceNotes, AZeroForAnElementIsOfTheLoadThatChecksAnotherIndex) {
  const auto told = [](const std::string& condition, bool is_idle = false) {
    Finding finding;
    finding.kind = FindingKind::kOutOfBounds;
    finding.where = {"mine.cu", 4};
    finding.object = "N";
    finding.thread = {0, 12, 0};
    finding.message = say::element_past_end(say::reads(), "N", 476, say::Count(289, "element"));
    ExerciseResult result =
        Of("__global__ void k(const float* N, int width) {\n"
           "  int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;\n"
           "  int n_row = phase * T + threadIdx.y;\n  if (" +
               condition + ") s = N[n_row * width + col];\n}\n",
           Verdict::kFinding, finding);
    result.next_step = is_idle ? say::zero_of_idle_threads("P[16][0]", "M[16][2]", "N[2][0]")
                               : say::zero_in_tile("P[16][0]", "M[16][2]", "N[2][0]");
    result.advice.emplace();
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(told("row < width && col < width"),
            "Out of bounds in line 4: the index uses `n_row`, but the condition there checks `row`. Check "
            "`n_row` instead. "
            "Example: thread (0, 12) of block (0, 0) reads `N[476]`, but `N` has 289 elements.");
  EXPECT_TRUE(told("n_row < width && col < width").starts_with("A tile seems to hold 0 where N[2][0]"));
  EXPECT_TRUE(told("row < width && col < width", true)
                  .starts_with("Out of bounds in line 4: the index uses `n_row`"));
}

TEST(SourceNotes, ExchangedArgumentsAreTheCauseOfReadsOutside) {
  const auto told = [](const std::string& arguments, bool is_known) {
    Finding finding;
    finding.kind = FindingKind::kOutOfBounds;
    finding.where = {"mine.cu", 1};
    finding.message = say::element_past_end(say::reads(), "M", 6, say::Count(6, "element"));
    ExerciseResult result =
        Of("__global__ void k(const float* M, const float* N, int j, int k, int l) {}\n"
           "void f(const float* M, const float* N, int j, int k, int l) { k<<<1, 2>>>(" +
               arguments + "); }\n",
           Verdict::kFinding, finding);
    result.misconceptions = {{"zeros", "No products", "Draw it.", "seen"}};
    result.advice.emplace();
    if (is_known) result.advice->misconception = "zeros";
    result.advice->later = {"zeros"};
    AddSourceNotes(result);
    EXPECT_EQ(result.advice->later.empty(), !is_known) << "what else goes wrong may come from it";
    return English(result.next_step);
  };
  EXPECT_EQ(told("M, N, j, l, k", false),
            "In line 2, `l` is passed for the parameter `k` of k, and `k` for `l`. Exchange the two, unless "
            "you did that on purpose.");
  EXPECT_EQ(told("M, N, k, l, j", false),
            "In line 2, `k, l, j` are passed for the parameters `j, k, l` of k. Pass them in the order of "
            "the parameters, unless you did that on purpose.");
  EXPECT_EQ(told("M, N, j, l, k", true), "look") << "the report begins with it";
}

TEST(SourceNotes, TheVariableThatOutlivesACallIsTheFirstSentence) {
  const auto first = [](const std::string& source, const std::string& fact = "depends_on_earlier_calls") {
    return FirstSeen(Of(source, Verdict::kWrongResult), fact);
  };
  const std::string counter = "__device__ int done = 0;\n", sums = "__device__ float sums[64];\n",
                    kernel = "__global__ void k() { sums[atomicAdd(&done, 1)] = 1; }\n";
  EXPECT_EQ(first(sums + counter + kernel),
            "Test: no line resets `done` (line 2), so each call starts with the value that the previous one "
            "left!!");
  EXPECT_EQ(first(sums + counter + kernel + "__global__ void l() { done = 0; }"),
            "Test: `sums` and `done` keep their values from one call to the next!");
  EXPECT_EQ(first(sums), "Test: `sums` (line 1) keeps its elements from one call to the next!!");
  EXPECT_EQ(first("void f() { static const float* last = nullptr; }"),
            "Test: `last` (line 1) keeps its value from one call to the next!");
  EXPECT_EQ(first(sums + counter + "__global__ void k() { sums[atomicInc(&done, gridDim.x)] = 1; }"),
            "Test: `done` (line 2) keeps its value from one call to the next!!")
      << "the array is set before it is read";
  EXPECT_EQ(first("static float* pad = nullptr;\nstatic int room = 0;\n"),
            "Test: when a call begins, the elements of `pad` are still those of the previous call!!");
  const std::string two = "void f() {\n  static int *ticket = nullptr, *ready = nullptr;\n";
  EXPECT_EQ(
      first(two +
            "  if (ready == nullptr) {\n    cudaMemset(ready, 0, 4);\n  }\n  cudaMemset(ticket, 0, 4);\n}"),
      "Test: when a call begins, the elements of `ready` are still those of the previous call!!");
  EXPECT_EQ(first("static float* pad = nullptr;\n" + sums),
            "Test: `pad` and `sums` keep their values from one call to the next!");
  EXPECT_EQ(first("void f(const float* x) {\n static const float* last; if (x != last) copy(); }"),
            "Test: `last` (line 2) keeps an address, but in the next call, the same address may hold other "
            "elements!!");
  EXPECT_EQ(first("void f() {}"), "Test: seen");
  EXPECT_EQ(first(sums, "another_fact"), "Test: seen");
}

TEST(SourceNotes, AConditionOnTheColumnThatAsksForTheInnerSide) {
  const auto first = [](const std::string& side) {
    return FirstSeen(Of("__global__ void f(float* P, int j, int k, int l) {\n  if (row < j && col < " + side +
                            ") P[row * l + col] = sum;\n}\n",
                        Verdict::kWrongResult),
                     "rect_no_zeros_written");
  };
  EXPECT_EQ(first("k"),
            "Test: the condition in line 2 compares `col`, the column of `P`, with `k`, but `P` has `l` "
            "columns!!");
  EXPECT_EQ(first("l"), "Test: seen");
}

TEST(SourceNotes, ATypeThatHoldsFewNumbersIsTheFirstSentence) {
  const auto first = [](const std::string& source, const std::string& fact) {
    return FirstSeen(Of(source, Verdict::kWrongResult), fact);
  };
  const std::string plan = "struct Plan {\n  unsigned short bins, per_block;\n};\n";
  EXPECT_EQ(first(plan, "hist_only_many_bins"),
            "Test: the type of `bins` and `per_block`, unsigned short, holds at most 65535!!");
  EXPECT_EQ(first(plan, "hist_last_missing"), "Test: seen");
  EXPECT_EQ(first("struct Plan { int bins; };", "hist_only_many_bins"), "Test: seen");
}

TEST(SourceNotes, AMarkThatIsAnElementIsTheFirstSentence) {
  const auto first = [](const std::string& statement, const std::string& fact) {
    return FirstSeen(
        Of("__global__ void k(int* a, int n) {\n  " + statement + "\n}\n", Verdict::kWrongResult), fact);
  };
  EXPECT_EQ(first("a[n] = INT_MAX;", "merge_only_greatest"),
            "Test: line 2 stores INT_MAX to mark an end, but an element may be INT_MAX, too!!");
  EXPECT_EQ(first("int least = INT_MAX;", "merge_only_greatest"), "Test: seen");
  EXPECT_EQ(first("a[n] = INT_MAX;", "merge_only_extreme"), "Test: seen");
}

TEST(SourceNotes, ALoadOutsideASharedArrayNamesWhatLetsItThrough) {
  const auto told = [](const std::string& body, int line) {
    ExerciseResult result = Of("__global__ void k() {\n" + body + "\n}\n", Verdict::kFinding);
    result.tests[0].next_step =
        say::shared_load_outside(line, say::Thread(5, 0, 0), say::Thread(0, 0, 0), say::reads());
    AddSourceNotes(result);
    return English(result.tests[0].next_step);
  };
  const std::string begin =
      "Out of bounds: in line 3, thread (5, 0) of block (0, 0) reads. Either the index is wrong, or ";
  EXPECT_EQ(
      told("if (t <= s)\nsum += a[t + s];", 3),
      begin +
          "the condition in line 2 lets too many threads through. Which element should this thread load, if "
          "any?");
  EXPECT_EQ(
      told("for (int i = 0; i <= n; ++i)\nsum += a[i];", 3),
      begin + "the loop over `i` in line 2 goes too far. Which is the last value that `i` should have?");
  EXPECT_EQ(told("\nsum += a[t + s];", 3),
            begin + "this thread should load nothing here. Which element should it load, if any?");
}

TEST(SourceNotes, ALoadBeforeASharedArrayIsNoLoopsFault) {
  ExerciseResult result =
      Of("__global__ void k() {\nfor (int c = 0; c < 8; ++c) sum += p[t + c - 1];\n}\n", Verdict::kFinding);
  const Message access = say::of_size(
      say::before_start(say::reads(), say::Count(4, "byte"), say::Count(4, "byte"), say::shared_array("p")),
      say::Count(64, "byte"));
  result.tests[0].next_step = say::shared_load_outside(2, say::Thread(0, 0, 0), say::Thread(0, 0, 0), access);
  AddSourceNotes(result);
  EXPECT_TRUE(say::shared_load_outside.Made(result.tests[0].next_step)) << result.tests[0].next_step;
}

TEST(SourceNotes, ASumThatTheBlockSharesIsToldBeforeItsRace) {
  const auto told = [](const std::string& body, int other) {
    Finding race;
    race.kind = FindingKind::kRace;
    race.space = MemorySpace::kShared;
    race.severity = Severity::kError;
    race.object = say::shared_array("sum");
    race.where.line = 3;
    race.other = SourceLine{"mine.cu", other};
    ExerciseResult result =
        Of("__global__ void k() { int t = threadIdx.x; __shared__ int sum;\n" + body + "\n}\n",
           Verdict::kFinding, race);
    AddSourceNotes(result);
    return English(result.next_step);
  };
  EXPECT_EQ(
      told("for (int i = 0; i < n; ++i)\nsum += a[i];\nP[t] = sum;", 2),
      "All threads of a block share one `sum`: line 1 declares it as `__shared__`, and every thread adds to "
      "it in line 3. Each thread needs a sum of its own: drop `__shared__`.");
  EXPECT_EQ(
      told("\nsum += a[t];", 3),
      "All threads of a block share one `sum`: line 1 declares it as `__shared__`, and threads add to it in "
      "line 3 at the same time, so additions get lost. Give each thread a sum of its own, or add with "
      "atomicAdd.");
  EXPECT_EQ(told("\nsum += a[t];\nb[t] = sum;", 4), "look") << "a read races with the addition";
}

TEST(SourceNotes, ALoadRightPastASharedArrayByAConditionThatLetsOneTooManyThrough) {
  const auto told = [](const std::string& condition, int element) {
    ExerciseResult result =
        Of("__global__ void k() {\nif (" + condition + ")\np[t] += p[t + s];\n}\n", Verdict::kFinding);
    const Message access = say::numbered_element_past_end(say::reads(), element, say::shared_array("p"),
                                                          say::Count(256, "element"), 255);
    result.tests[0].next_step =
        say::shared_load_outside(3, say::Thread(128, 0, 0), say::Thread(0, 0, 0), access);
    AddSourceNotes(result);
    const std::string text = English(result.tests[0].next_step);
    return text.substr(text.find("255). ") + 6);
  };
  EXPECT_EQ(
      told("t <= s", 256),
      "The condition in line 2 lets one index too many through. Should it compare with < instead of <=?");
  EXPECT_TRUE(told("t <= s", 257).starts_with("Either the index is wrong"));
  EXPECT_TRUE(told("t < s", 256).starts_with("Either the index is wrong"));
}

TEST(SourceNotes, AStepOfATreeWaitsAtTheEndOfTheLoop) {
  const auto told = [](const std::string& step) {
    Finding race;
    race.kind = FindingKind::kRace;
    race.space = MemorySpace::kShared;
    race.access = Access::kRead;
    race.other_access = Access::kWrite;
    race.where = {"mine.cu", 3};
    race.other = race.where;
    race.message = say::race_in_block(say::reads(), say::ElementOf(say::shared_array("a")),
                                      say::another_thread(), say::writes());
    ExerciseResult result = Of("__global__ void k() {\nfor (int s = 8; s > 0; s /= 2) {\n" + step + "\n} }\n",
                               Verdict::kFinding, race);
    result.misconceptions = {{"barrier_missing", "Race", "Put a barrier between the two.", "seen"}};
    result.misconceptions[0].finding = race;
    AddSourceNotes(result);
    return English(result.misconceptions[0].message) + " " + English(result.tests[0].findings[0].message);
  };
  EXPECT_EQ(
      told("if (t < s) a[t] += a[t + s];"),
      "A fast thread starts the next step of the loop in line 2 and overwrites an element that another "
      "thread "
      "still has to read. Put a __syncthreads() at the end of the loop's body, outside the condition. reads "
      "an "
      "element of shared array `a` that another thread writes, with no barrier between the read and the next "
      "pass's write");
  EXPECT_TRUE(told("if (t >= s) a[t] += a[t - s];").starts_with("Put a barrier between the two."));
}

TEST(SourceNotes, ALocalArrayIsNamed) {
  Finding finding;
  finding.kind = FindingKind::kOutOfBounds;
  finding.space = MemorySpace::kLocal;
  finding.access = Access::kWrite;
  finding.access_bytes = 4;
  finding.where = {"mine.cu", 3};
  finding.object = say::local_variable();
  finding.object_bytes = 16;
  finding.offset_bytes = 16;
  finding.message = say::right_past_end(say::writes(), say::Count(4, "byte"), finding.object);
  ExerciseResult result =
      Of("__global__ void k() {\nint mine[4];\nmine[t] = 1;\n}\n", Verdict::kFinding, finding);
  result.tests[0].next_step =
      say::local_index_outside(3, say::Thread(0, 0, 0), say::Thread(0, 0, 0), finding.message);
  AddSourceNotes(result);
  EXPECT_EQ(
      English(result.tests[0].next_step),
      "Out of bounds: in line 3, thread (0, 0) of block (0, 0) writes `mine[4]`, but `mine` has 4 elements. "
      "Each "
      "thread has this array for itself. Which index does this line compute, and how many elements does a "
      "thread need?");
}

TEST(SourceNotes, AWrongRowLengthShowsItsLine) {
  Finding finding;
  finding.kind = FindingKind::kOutOfBounds;
  finding.space = MemorySpace::kGlobal;
  finding.where = {"mine.cu", 3};
  finding.message = say::element_past_end(say::reads(), "N", 100, say::Count(100, "element"));
  const auto shown = [&](int other_line) {
    ExerciseResult result = Of("void f() {}\n", Verdict::kFinding, finding);
    result.tests[0].findings.push_back(finding);
    result.tests[0].findings[1].where.line = other_line;
    Fact fact;
    fact.id = "wrong_row_length";
    fact.message = "seen";
    result.facts = std::vector<Fact>{fact};
    result.misconceptions = {{"row_length", "N is read with rows of k", "Look at it.", "seen"}};
    result.advice = Advice{.misconception = "row_length", .test = "A.Test"};
    AddSourceNotes(result);
    return result.misconceptions[0].finding ? result.misconceptions[0].finding->where.line : 0;
  };
  EXPECT_EQ(shown(3), 3);
  EXPECT_EQ(shown(4), 0) << "either may be the one";
}

}  // namespace
}  // namespace warplings
