// SPDX-License-Identifier: Apache-2.0
// Tests a student's way through the workbook from outside: what the commands print and store.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "grader/base/text.h"
#include "tests/cli/cli_fixture.h"
#include "tests/support/drawn.h"

namespace warplings::cli_test {
namespace {

/// Takes a hundred checks: a test of its own (meson.build).
class DeskSeeds : public CliFixture {};

class DeskTest : public CliFixture {
 protected:
  static bool Says(const ProgramRun& run, const std::string& words) {
    return (run.out + run.err).find(words) != std::string::npos;
  }
  void Solve(const std::filesystem::path& workbook, const std::string& exercise) const {
    std::filesystem::copy_file(layout_.root / "solutions" / (exercise + ".cu"),
                               workbook / "chapters" / (exercise + ".cu"),
                               std::filesystem::copy_options::overwrite_existing);
  }
};

TEST_F(DeskTest, AChaptersCheckEndsWithTheFirstExerciseThatDoesNotPass) {
  RUN_ONE_IN(3);
  const std::filesystem::path workbook = CopyWorkbook();
  const ProgramRun first = Run({"check", "1", "--workbook", workbook});
  EXPECT_EQ(first.status, 1);
  EXPECT_TRUE(Says(first, "out_of_range_loads: ")) << first.out;
  EXPECT_FALSE(Says(first, "tiled_matmul: ")) << first.out;
  EXPECT_TRUE(Says(first, "2 more in this chapter; --all")) << first.out;

  Solve(workbook, "01_boundary_checks/out_of_range_loads");
  const ProgramRun second = Run({"check", "1", "--workbook", workbook});
  EXPECT_EQ(second.status, 1);
  EXPECT_TRUE(
      second.out.starts_with("  pass  01_boundary_checks/out_of_range_loads  5 of 5 points\n\n"
                             "tiled_matmul: "))
      << second.out;
  EXPECT_TRUE(Says(second, "1 more in this chapter; --all")) << second.out;

  const ProgramRun all = Run({"check", "1", "--all", "--workbook", workbook});
  EXPECT_EQ(all.status, 1);
  EXPECT_TRUE(Says(all, "repair_tiled_matmul: ")) << all.out;
  EXPECT_FALSE(Says(all, "more in this chapter")) << all.out;
  EXPECT_TRUE(all.out.ends_with("\n1 of 3 exercises passed\n")) << all.out;
}

/// Prints of host code and of kernels stand under the test in which they were made.
TEST_F(DeskTest, APrintIsShownUnderItsTest) {
  RUN_ONE_IN(3);
  const std::string solution = ReadText(layout_.root / "solutions/01_boundary_checks/tiled_matmul.cu");
  std::string text = solution;
  const std::string kernel = "const int ty = threadIdx.y;", launch = "tiled_matmul_kernel<<<";
  ASSERT_NE(text.find(kernel), std::string::npos);
  ASSERT_NE(text.find(launch), std::string::npos);
  text.insert(text.find(kernel) + kernel.size(),
              "\n  if (width == 17 && threadIdx.x + threadIdx.y + blockIdx.x + blockIdx.y == 0)"
              " printf(\"kernel %d\\n\", width);\n");
  text.insert(text.find(launch), "printf(\"host %s\\n\", width < 16 ? \"small\" : \"large\");\n  ");
  WriteText(scratch() / "prints.cu", "#include <cstdio>\n" + text);
  const CheckRun run = Check({"tiled_matmul", "--file", scratch() / "prints.cu"});
  EXPECT_EQ(run.program.status, 0) << run.program.out << run.program.err;
  std::map<std::string, int> tests;
  for (const TestResult& test : run.Only().tests) {
    ASSERT_TRUE(test.printed) << test.name;
    ++tests[test.printed->text];
    const bool is_17 = English(test.title).starts_with("width 17:");
    EXPECT_EQ(test.printed->text.find("kernel 17\n") != std::string::npos, is_17) << test.printed->text;
  }
  EXPECT_GE(tests["host small\n"], 2);
  EXPECT_GE(tests["host large\n"], 2);
  const ProgramRun whole = Run({"check", "tiled_matmul", "--file", scratch() / "prints.cu"});
  EXPECT_TRUE(Says(whole, "printed in \"width ")) << whole.out;
  EXPECT_TRUE(Says(whole, " tests printed something else; --verbose shows it\n")) << whole.out;
  const ProgramRun all = Run({"check", "tiled_matmul", "--file", scratch() / "prints.cu", "--verbose"});
  EXPECT_TRUE(Says(all, "printed: kernel 17\n")) << all.out;
  EXPECT_EQ(all.out.find("printed: host small"), all.out.rfind("printed: host small")) << all.out;
}

/// A finding of another cause under the advice is read as what the advice means.
TEST_F(DeskTest, TheFindingUnderTheAdviceIsTheOneThatItWasMadeFrom) {
  RUN_ONE_IN(3);
  const auto report_of = [&](const std::string& exercise, const std::string& right,
                             const std::string& wrong) {
    const std::string id = exercise.substr(exercise.find('/') + 1);
    std::string text = ReadText(layout_.root / "solutions" / (exercise + ".cu"));
    EXPECT_NE(text.find(right), std::string::npos) << exercise;
    text.replace(text.find(right), right.size(), wrong);
    WriteText(scratch() / "wrong.cu", text);
    return Run({"check", id, "--file", scratch() / "wrong.cu", "--seed", "7"}).out;
  };
  const std::string add = "C[i] = A[i] + B[i];";
  // Reads past the end of A, and two stores into one element of C in the line below.
  const std::string stores = report_of("06_coarsening/when_not_to", add,
                                       "const float a = A[(i + 1) / 2 * 2];\n      C[i / 2 * 2] = a + B[i];");
  const std::size_t advice =
      stores.find("Race: thread (1, 0) and thread (0, 0) of block (0, 0) both store to `C[0]`");
  ASSERT_NE(advice, std::string::npos) << stores;
  EXPECT_NE(stores.find("| C[i / 2 * 2] = a + B[i];\n    error: race, ", advice), std::string::npos)
      << stores;
  EXPECT_EQ(stores.find("error: out of bounds"), std::string::npos) << stores;

  // The name is of an element that nobody wrote, and N is read past its end as well.
  const std::string no_zero = report_of("01_boundary_checks/tiled_matmul", R"(    } else {
      Mds[ty][tx] = 0.0f;
    }
    if (n_row < width && col < width) {
      Nds[ty][tx] = N[n_row * width + col];
    } else {
      Nds[ty][tx] = 0.0f;
    }
)",
                                        R"(    }
    Nds[ty][tx] = N[n_row * width + col];
)");
  EXPECT_NE(no_zero.find("| sum += Mds[ty][k] * Nds[k][tx];\n    error: uninitialised read, "),
            std::string::npos)
      << no_zero;
  EXPECT_EQ(no_zero.find("error: out of bounds"), std::string::npos) << no_zero;

  // One line stores and reads.
  const std::string one_line =
      report_of("06_coarsening/when_not_to", add, R"(__shared__ float sums[BLOCK_SIZE];
      sums[threadIdx.x] = A[i] + B[i];
      sums[threadIdx.x] = sums[(threadIdx.x + 33) % BLOCK_SIZE];
      C[i] = sums[threadIdx.x];)");
  EXPECT_NE(one_line.find("Race: thread (33, 0) writes"), std::string::npos) << one_line;
  EXPECT_EQ(one_line.find("both store"), std::string::npos) << one_line;
}

/// Mistakes whose consequences look like another one.
TEST_F(DeskTest, ASlipIsNamedFirst) {
  RUN_ONE_IN(3);
  const std::string solution = ReadText(layout_.root / "solutions/01_boundary_checks/tiled_matmul.cu");
  const auto advice_on = [&](const std::string& right, const std::string& wrong) {
    std::string text = solution;
    EXPECT_NE(text.find(right), std::string::npos) << right;
    text.replace(text.find(right), right.size(), wrong);
    WriteText(scratch() / "slip.cu", text);
    const std::string out = Run({"check", "tiled_matmul", "--file", scratch() / "slip.cu"}).out;
    const std::size_t begin = out.find("Do this first");
    return begin == std::string::npos ? out : out.substr(begin);
  };
  EXPECT_TRUE(advice_on("#define TILE_WIDTH 16", "#define TILE_WIDTH 64")
                  .starts_with("Do this first\n  The launch failed: the block has 64 x 64 = 4,096 threads; a "
                               "block can have at\n  most 1,024. "));
  EXPECT_TRUE(advice_on("<<<grid, block>>>", "<<<block, grid>>>")
                  .starts_with("Do this first\n  Grid and block are swapped in the launch in line "));
  EXPECT_TRUE(advice_on("__syncthreads();", "__syncthreads;")
                  .starts_with("Do this first\n  __syncthreads in line 42 has no parentheses"));
  EXPECT_TRUE(advice_on("n_row < width && col", "n_row <= width && col")
                  .starts_with("Do this first: A check accepts one row or column too many\n"));
}

/// A solution with one mistake, and what its report says first.
struct SlipInSolution {
  const char *exercise, *right, *wrong, *advice;
};
constexpr const char* kTiled = "01_boundary_checks/tiled_matmul";
constexpr const char* kReverse = "03_dynamic_shared_memory/reverse";
constexpr SlipInSolution kSlipsInSolutions[] = {
    // Memory of the host and of the device.
    {"07_where_it_recurs/histogram", "cudaMemsetAsync(counts, 0, bins * sizeof(int));",
     "for (int b = 0; b < bins; ++b) counts[b] = 0;", "Host code uses `counts` in line "},
    {"07_where_it_recurs/scan", "void scan(const int* input, int* output, int length) {",
     "void scan(const int* input, int* output, int length) { output[0] = 0;",
     "Host code uses `output` in line "},
    {"06_coarsening/coarsened_reduction",
     "void coarsened_reduction(const float* input, float* output, int length) {",
     "void coarsened_reduction(const float* input, float* output, int length) { *output = 0;",
     "Host code uses `output` in line "},
    {kTiled, "tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);",
     "float* h = new float[width * width];\n  tiled_matmul_kernel<<<grid, block>>>(M, N, h, width);\n"
     "  cudaMemcpy(P, h, width * width * sizeof(float), cudaMemcpyHostToDevice);",
     "The kernel writes in line 51 through its parameter `P`, which does not point to device memory. "},
    {kTiled, "  tiled_matmul_kernel<<<", "  cudaMalloc(&P, width * width * 4);\n  tiled_matmul_kernel<<<",
     "cudaMalloc in line 60 replaces `P`, so the kernel gets new memory "},
    // Launches and declarations.
    {kReverse, "<<<blocks, piece, bytes>>>", "<<<piece, blocks, bytes>>>",
     "Grid and block are swapped in the launch in line 52. "},
    {kReverse, "extern __shared__ int tile[];", "extern __shared__ int *tile;",
     "`tile` in line 33 is a pointer that points nowhere, not an array. "},
};

TEST_F(DeskTest, AMistakeInASolutionIsNamedFirst) {
  RUN_ONE_IN(3);
  for (const SlipInSolution& slip : kSlipsInSolutions) {
    const std::string exercise = slip.exercise, right = slip.right;
    std::string text = ReadText(layout_.root / "solutions" / (exercise + ".cu"));
    ASSERT_NE(text.find(right), std::string::npos) << right;
    text.replace(text.find(right), right.size(), slip.wrong);
    WriteText(scratch() / "slip.cu", text);
    const std::string id = exercise.substr(exercise.find('/') + 1);
    const CheckRun run = Check({id, "--file", scratch() / "slip.cu", "--speed", "off"});
    EXPECT_TRUE(English(run.Only().next_step).starts_with(slip.advice)) << slip.wrong << "\n"
                                                                        << run.program.out;
    EXPECT_TRUE(run.Only().misconceptions.empty()) << run.program.out;
  }
}

/// A refused launch has its line, and what is said of one call does not contradict what is shown of another.
TEST_F(DeskTest, AReportAgreesWithItself) {
  RUN_ONE_IN(3);
  const std::string solution = ReadText(layout_.root / "solutions" / (std::string(kTiled) + ".cu"));
  const auto report_of = [&](const std::string& right, const std::string& wrong) {
    std::string text = solution;
    EXPECT_NE(text.find(right), std::string::npos) << right;
    text.replace(text.find(right), right.size(), wrong);
    WriteText(scratch() / "slip.cu", text);
    return Run({"check", "tiled_matmul", "--file", scratch() / "slip.cu", "--seed", "7"});
  };
  const ProgramRun refused = report_of("block(TILE_WIDTH, TILE_WIDTH)", "block(64, 64)");
  EXPECT_TRUE(Says(refused, "slip.cu:60 | tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);\n    error:"))
      << refused.out;
  EXPECT_TRUE(Says(refused, "      line 60: kernel launch was refused: ")) << refused.out;
  // What was computed says only that a tile holds 0; the source says which check is wrong.
  const ProgramRun reads = report_of("if (n_row < width && col < width)", "if (row < width && col < width)");
  EXPECT_TRUE(Says(reads, "the index uses `n_row`, but the condition")) << reads.out;
  EXPECT_FALSE(Says(reads, "P is right up to")) << reads.out;
}

/// A beginner who passes sees the counts that the exercise is about, and no others.
TEST_F(DeskTest, CountsAreThoseThatTheExerciseTeaches) {
  RUN_ONE_IN(3);
  const ProgramRun tiles = Run({"check", "tiled_matmul", "--solution"});
  EXPECT_EQ(tiles.status, 0);
  EXPECT_FALSE(Says(tiles, "Counts in")) << tiles.out;
  EXPECT_TRUE(Says(Run({"check", "tiled_matmul", "--solution", "--verbose"}), "global loads: "));
  const ProgramRun padded = Run({"check", "transpose_padded", "--solution"});
  EXPECT_TRUE(Says(padded, "shared stores: 1.00 wavefronts, 0.00 bank conflicts per request")) << padded.out;
  EXPECT_FALSE(Says(padded, "thread instructions")) << padded.out;
}

/// What the first screen shows of an answer of 1.3 or `reverse`: the finding beside its advice.
struct Beside {
  const char* answer;  ///< Below tests/mutants, or a starter below chapters.
  const char* misconception;
  const char* kind;  ///< "-" for no finding.
  const char* line;  ///< A part of the source line that it names.
};
constexpr Beside kBeside[] = {
    {"01_boundary_checks/repair_tiled_matmul.barrier_inside_guard", "barrier_inside_guard",
     "divergent_barrier", "__syncthreads();"},
    {"01_boundary_checks/repair_tiled_matmul.early_return", "early_return", "barrier_after_exit",
     "__syncthreads();"},
    {"01_boundary_checks/repair_tiled_matmul.first_barrier_missing", "first_barrier_missing", "race", "ds["},
    {"01_boundary_checks/repair_tiled_matmul.infinity_of_another_row", "infinity_of_another_row", "-", ""},
    {"01_boundary_checks/repair_tiled_matmul.n_load_unguarded", "n_load_unguarded", "out_of_bounds",
     "N[n_row * width + col]"},
    {"01_boundary_checks/repair_tiled_matmul.second_barrier_missing", "second_barrier_missing", "race",
     "ds["},
    {"01_boundary_checks/repair_tiled_matmul.second_barrier_missing.left_out", "second_barrier_missing",
     "race", "ds["},
    {"01_boundary_checks/repair_tiled_matmul.stale_instead_of_zero", "stale_instead_of_zero", "uninitialised",
     "sum += Mds"},
    // Three bugs at once: what is below the advice is about the first one, too.
    {"01_boundary_checks/repair_tiled_matmul", "stale_instead_of_zero", "uninitialised", "sum += Mds"},
    {"03_dynamic_shared_memory/reverse.barrier_missing", "barrier_missing", "race", "tile["},
    {"03_dynamic_shared_memory/reverse.next_piece_not_awaited", "next_piece_not_awaited", "race", "tile["},
    {"03_dynamic_shared_memory/reverse.pairs_swapped_twice", "pairs_swapped_twice", "race", "tile["},
    {"03_dynamic_shared_memory/reverse.bytes_are_elements", "bytes_are_elements", "out_of_bounds",
     "tile[t] ="},
    {"03_dynamic_shared_memory/reverse.empty_grid_launched", "empty_grid_launched", "invalid_launch", ""},
    {"03_dynamic_shared_memory/reverse.last_piece_from_the_end_of_the_tile",
     "last_piece_from_the_end_of_the_tile", "uninitialised", "= tile["},
    {"03_dynamic_shared_memory/reverse.no_bytes_passed", "no_bytes_passed", "out_of_bounds", "tile[t] ="},
    {"03_dynamic_shared_memory/reverse.no_shared_memory", "no_shared_memory", "-", ""},
    {"03_dynamic_shared_memory/reverse.pieces_change_places", "pieces_change_places", "-", ""},
    {"03_dynamic_shared_memory/reverse.static_for_both", "static_for_both", "-", ""},
    {"03_dynamic_shared_memory/reverse.tile_of_floats", "tile_of_floats", "-", ""},
};

std::string LineOf(const std::string& text, int number) {
  std::istringstream stream(text);
  std::string line;
  for (int i = 0; i < number; ++i) std::getline(stream, line);
  return line;
}

TEST_F(DeskSeeds, TheFindingBesideTheAdviceIsTheOneThatItIsAbout) {
  for (const Beside& wanted : kBeside) {
    const std::string name = wanted.answer, stem = name.substr(name.find('/') + 1);
    const std::string exercise = stem.substr(0, stem.find('.'));
    const std::filesystem::path file =
        layout_.root / (exercise == stem ? "chapters" : "tests/mutants") / (name + ".cu");
    for (const char* const seed : {"1", "7", "42", "20240229", "3879216124"}) {
      const CheckRun run = Check({exercise, "--file", file, "--seed", seed, "--speed", "off"},
                                 {.environment = {{"COLUMNS", "120"}}});
      const std::string place = name + ", seed " + seed + "\n" + run.program.out;
      ASSERT_TRUE(run.Only().advice) << place;
      const Advice& advice = *run.Only().advice;
      EXPECT_EQ(advice.misconception, wanted.misconception) << place;
      EXPECT_EQ(advice.finding ? FindingKindName(advice.finding->kind) : "-", wanted.kind) << place;
      if (!advice.finding || advice.finding->where.line == 0) continue;
      EXPECT_NE(LineOf(ReadText(file), advice.finding->where.line).find(wanted.line), std::string::npos)
          << place;
      // The first screen's test, too, is about that line.
      const std::string line = "      line " + std::to_string(advice.finding->where.line) + ": ";
      const std::size_t reason = run.program.out.find("\n      line ");
      ASSERT_NE(reason, std::string::npos) << place;
      EXPECT_EQ(run.program.out.substr(reason + 1, line.size()), line) << place;
    }
  }
}

/// The compiler takes 0 for what a sum without a first value holds, so that no test sees it.
TEST_F(DeskTest, ASumWithoutAFirstValueIsToldThoughAllTestsPass) {
  RUN_ONE_IN(3);
  std::string text = ReadText(layout_.root / "solutions/01_boundary_checks/tiled_matmul.cu");
  const std::string right = "float sum = 0.0f;";
  ASSERT_NE(text.find(right), std::string::npos);
  text.replace(text.find(right), right.size(), "float sum;");
  WriteText(scratch() / "unset.cu", text);
  const CheckRun run = Check({"tiled_matmul", "--file", scratch() / "unset.cu"});
  ASSERT_FALSE(run.Only().diagnostics.empty());
  const Diagnostic& first = run.Only().diagnostics[0];
  EXPECT_EQ(first.severity, Severity::kWarning);
  EXPECT_TRUE(English(first.message).starts_with("sum is read before it has a value: line "))
      << first.message;
  EXPECT_EQ(run.Only().points, run.Only().max_points) << "a warning takes no points";
  const ProgramRun shown = Run({"check", "tiled_matmul", "--file", scratch() / "unset.cu"});
  EXPECT_EQ(shown.status, 0) << shown.out;
  EXPECT_TRUE(Says(shown, "PASSED, but only by luck: `sum` is used before it is set (line ")) << shown.out;
  EXPECT_TRUE(Says(shown, "warning: sum is read before it has a")) << shown.out;
  // It has passed all the same.
  const std::filesystem::path workbook = CopyWorkbook();
  WriteText(workbook / "chapters/01_boundary_checks/tiled_matmul.cu", text);
  const ProgramRun own = Run({"check", "tiled_matmul", "--workbook", workbook, "--lang", "zh_Hant"});
  EXPECT_EQ(own.status, 0) << own.out;
  EXPECT_TRUE(Says(own, "通過，但只是碰巧：`sum` 還沒設定就被使用（第 ")) << own.out;
  EXPECT_EQ(Run({"list", "tiled_matmul", "--workbook", workbook}).out.find("to do"), std::string::npos);
  EXPECT_TRUE(Says(Run({"next", "--workbook", workbook}), "Next: repair_tiled_matmul, "));
  const CheckRun solution = Check({"tiled_matmul", "--solution"});
  EXPECT_TRUE(solution.Only().diagnostics.empty());
}

TEST_F(DeskTest, WhatIsOpenBeforeTheNextExerciseIsNamed) {
  const std::filesystem::path workbook = CopyWorkbook();
  EXPECT_FALSE(Says(Run({"next", "--workbook", workbook}), "Still open before it"));
  EXPECT_EQ(Run({"check", "repair_tiled_matmul", "--workbook", workbook}).status, 1);
  const ProgramRun next = Run({"next", "--workbook", workbook});
  EXPECT_TRUE(Says(next, "Next: repair_tiled_matmul, ")) << next.out;
  EXPECT_TRUE(Says(next, "\nStill open before it: out_of_range_loads, tiled_matmul\n")) << next.out;
  EXPECT_EQ(Run({"check", "reverse", "--workbook", workbook}).status, 1);
  const ProgramRun later = Run({"next", "--workbook", workbook}, {.environment = {{"COLUMNS", "120"}}});
  EXPECT_TRUE(
      Says(later,
           "\nStill open before it: out_of_range_loads, tiled_matmul, repair_tiled_matmul, rect_matmul "
           "and 2 more\n"))
      << later.out;
}

TEST_F(DeskTest, OneTestAloneIsNoGradeAndNoProgress) {
  const std::filesystem::path workbook = CopyWorkbook();
  const ProgramRun one = Run({"check", "tiled_matmul", "--test", "widthofex", "--workbook", workbook});
  EXPECT_EQ(one.status, 0) << one.out << one.err;
  EXPECT_TRUE(Says(one, "PASSED: 1 of 1 test passed\n")) << one.out;
  EXPECT_TRUE(Says(one, "This ran one test only, and is not a grade. To run all: ")) << one.out;
  EXPECT_FALSE(Says(one, "points")) << one.out;
  EXPECT_FALSE(Says(one, "Next: ")) << one.out;
  EXPECT_EQ(Run({"check", "tiled_matmul", "--workbook", workbook}).status, 1);  // The starter has not passed.
  const ProgramRun several = Run({"check", "tiled_matmul", "--test", "Phase", "--workbook", workbook});
  EXPECT_EQ(several.status, 2);
  EXPECT_TRUE(Says(several, "LastPhaseIsAlmostEmpty, LastPhaseIsAlmostFull")) << several.err;
  EXPECT_EQ(Run({"check", "1", "--test", "AnyWidth", "--workbook", workbook}).status, 2);
  // Where no name fits, titles do, which only tests have that have run.
  const ProgramRun title = Run({"check", "tiled_matmul", "--test", "A PART OF ONE", "--workbook", workbook});
  EXPECT_EQ(title.status, 1) << title.out << title.err;
  EXPECT_TRUE(Says(title, "FAIL  width 100: several tiles and a part of one")) << title.out;
  EXPECT_TRUE(Says(title, "0 of 1 test")) << title.out;
  const ProgramRun titles = Run({"check", "tiled_matmul", "--test", "width 1", "--workbook", workbook});
  EXPECT_EQ(titles.status, 2);
  EXPECT_TRUE(Says(titles, "'width 1' matches several tests of tiled_matmul")) << titles.err;
  EXPECT_TRUE(Says(titles, ": width 17: with tiles of 16 columns, the second phase has only one column\n"))
      << titles.err;
}

/// A program that asked for a chapter gets the chapter.
TEST_F(DeskTest, TheJsonHoldsEveryExerciseThatWasNamed) {
  const CheckRun run = Check({"1"});
  EXPECT_EQ(run.program.status, 1);
  EXPECT_EQ(run.results.size(), 3u) << run.program.out;
}

TEST_F(DeskTest, HintsComeOneByOneAndAreOfferedAfterTheSecondFailure) {
  const std::filesystem::path workbook = CopyWorkbook();
  const std::vector<std::string> check = {"check", "tiled_matmul", "--workbook", workbook};
  EXPECT_FALSE(Says(Run(check), "Stuck?"));
  const ProgramRun second = Run(check);
  EXPECT_TRUE(Says(second, "warplings-cli hint tiled_matmul\n")) << second.out;
  EXPECT_LE(std::count(second.out.begin(), second.out.end(), '\n'), 25) << second.out;

  std::set<std::string> seen;
  for (int i = 0; i < 5; ++i) {
    const ProgramRun hint = Run({"hint", "--workbook", workbook});
    EXPECT_EQ(hint.status, 0) << hint.err;
    EXPECT_TRUE(hint.out.starts_with("tiled_matmul, hint ")) << hint.out;
    // Whoever sees the second hint first learns why.
    EXPECT_EQ(Says(hint, ", which fits what your last check found\n"),
              i == 0 && !hint.out.starts_with("tiled_matmul, hint 1 "))
        << hint.out;
    // "tiled_matmul, hint 1"
    const bool is_late = !seen.empty() && hint.out.substr(0, 20) < seen.rbegin()->substr(0, 20);
    EXPECT_EQ(Says(hint, ", which comes before one that you have seen\n"), is_late) << hint.out;
    EXPECT_TRUE(seen.insert(hint.out).second) << "the same hint again: " << hint.out;
  }
  EXPECT_TRUE(Says(Run({"hint", "--workbook", workbook}), "you have seen all 5 hints"));
  EXPECT_FALSE(Says(Run(check), "Stuck?")) << "there is none left";
  EXPECT_TRUE(Says(Run({"hint"}), "out_of_range_loads, hint 1")) << "another workbook, another desk";
}

TEST_F(DeskTest, APassSaysHowFarThatIsAndWhatComesNext) {
  const std::filesystem::path workbook = CopyWorkbook();
  Solve(workbook, "01_boundary_checks/out_of_range_loads");
  const ProgramRun run = Run({"check", "--workbook", workbook});
  EXPECT_EQ(run.status, 0) << run.out;
  EXPECT_TRUE(Says(run, "PASSED: 11 of 11 tests passed, 5 of 5 points")) << run.out;
  EXPECT_TRUE(Says(run,
                   "Chapter 1, Boundary checks: [###.......] 1 of 3 exercises, 5 of 25 points\n"
                   "Next: tiled_matmul, "))
      << run.out;
  EXPECT_TRUE(Says(Run({"next", "--workbook", workbook}), "Next: tiled_matmul, "));
  EXPECT_TRUE(Says(Run({"status", "--workbook", workbook}), "[###.......] 1 of 3 exercises, 5 of 25 points"));
}

/// Whoever keeps answers elsewhere makes progress, too, and a file that fails takes none away.
TEST_F(DeskTest, AFileOfOnesOwnCountsOnceItPasses) {
  RUN_ONE_IN(3);
  const std::filesystem::path workbook = CopyWorkbook(), mine = scratch() / "mine.cu";
  const auto check = [&] {
    return Run({"check", "out_of_range_loads", "--file", mine, "--workbook", workbook}).status;
  };
  const auto passed = [&] { return Says(Run({"next", "--workbook", workbook}), "Next: tiled_matmul, "); };
  std::filesystem::copy_file(layout_.root / "solutions/01_boundary_checks/out_of_range_loads.cu", mine);
  EXPECT_FALSE(passed());
  EXPECT_EQ(check(), 0);
  EXPECT_TRUE(passed());
  WriteText(mine, "broken");
  EXPECT_EQ(check(), 1);
  EXPECT_TRUE(passed()) << "a pass stays";

  Solve(workbook, "01_boundary_checks/out_of_range_loads");
  EXPECT_EQ(Run({"check", "out_of_range_loads", "--workbook", workbook}).status, 0);
  EXPECT_EQ(check(), 1);
  EXPECT_TRUE(passed()) << "the workbook's own file still passes";
}

TEST_F(DeskTest, BreakingWhatHasPassedTakesNothingAway) {
  const std::filesystem::path workbook = CopyWorkbook();
  const std::filesystem::path file = workbook / "chapters/01_boundary_checks/out_of_range_loads.cu";
  const std::string starter = ReadText(file);
  Solve(workbook, "01_boundary_checks/out_of_range_loads");
  const std::vector<std::string> check = {"check", "out_of_range_loads", "--workbook", workbook};
  EXPECT_EQ(Run(check).status, 0);
  WriteText(file, starter);
  EXPECT_TRUE(Says(Run({"list", "--workbook", workbook}), "passed before; edited since"));
  const ProgramRun broken = Run(check);
  EXPECT_EQ(broken.status, 1);
  EXPECT_TRUE(Says(broken, "Passed before; now it fails. Your progress keeps the pass.\n")) << broken.out;
  EXPECT_TRUE(Says(Run({"list", "--workbook", workbook}), "passed before; now it fails"));
  const ProgramRun status = Run({"status", "--workbook", workbook});
  EXPECT_TRUE(Says(status, "1 of 3 exercises, 5 of 25 points")) << status.out;
  EXPECT_TRUE(Says(status, "Next: tiled_matmul, ")) << status.out;
  EXPECT_TRUE(Says(Run({"hint", "--workbook", workbook}), "out_of_range_loads, hint 1"))
      << "it was checked last, and fails";
  Solve(workbook, "01_boundary_checks/out_of_range_loads");
  EXPECT_FALSE(Says(Run(check), "Passed before"));

  // In another workbook, nothing has passed yet.
  const std::filesystem::path other = scratch() / "other";
  std::filesystem::copy(workbook, other, std::filesystem::copy_options::recursive);
  WriteText(other / "chapters/01_boundary_checks/out_of_range_loads.cu", starter);
  EXPECT_TRUE(Says(Run({"next", "--workbook", other}), "Next: out_of_range_loads, "));
}

/// In this tree and in a workbook that `init` made; nothing is compiled for it.
TEST_F(DeskTest, AnUntouchedStarterIsToldWhereToBegin) {
  RUN_ONE_IN(3);
  const ProgramOptions no_compiler{
      .environment = {{"PATH", "/nowhere"}, {"XDG_CACHE_HOME", scratch() / "c"}}};
  const ProgramRun here = Run({"check", "tiled_matmul"}, no_compiler);
  EXPECT_EQ(here.status, 1) << here.err;
  EXPECT_TRUE(Says(here,
                   "\nNothing changed yet: begin at TODO 1, line 24\n"
                   "  // TODO 1: how many phases does a width of 17 need?\n"
                   "  handout  "))
      << here.out;
  EXPECT_FALSE(std::filesystem::exists(scratch() / "c" / "warplings")) << "something was compiled";
  EXPECT_TRUE(Says(Run({"hint"}), "tiled_matmul, hint 1")) << "it counts as the one checked last";
  ProgramOptions narrow = no_compiler;
  narrow.environment["COLUMNS"] = "60";
  const ProgramRun broken = Run({"check", "occupancy"}, narrow);
  EXPECT_TRUE(Says(broken,
                   "  // TODO 1: how many warps does a block have, and how many\n"
                   "  // warp slots does the SM have? When can the block not be\n"
                   "  // launched?\n"))
      << broken.out;
  const ProgramRun chapter = Run({"check", "1"}, no_compiler);
  EXPECT_EQ(chapter.status, 1);
  EXPECT_TRUE(Says(chapter, "TODO 1, line 13")) << chapter.out;
  EXPECT_TRUE(Says(chapter, "2 more in this chapter; --all checks them")) << chapter.out;

  const std::filesystem::path book = scratch() / "book";
  ASSERT_EQ(Run({"init", book}).status, 0);
  const ProgramOptions inside{.folder = book};
  EXPECT_TRUE(Says(Run({"check"}, inside), "TODO 1, line 13")) << Run({"check"}, inside).out;
  EXPECT_TRUE(Says(Run({"check", "--verbose"}, inside), "NOT PASSED")) << "who asks for more gets it";
  // Its report says where to look, so that this one is compiled.
  EXPECT_TRUE(Says(Run({"check", "repair_tiled_matmul"}, inside), "NOT PASSED"));
  const std::filesystem::path file = book / "chapters/01_boundary_checks/out_of_range_loads.cu";
  WriteText(file, ReadText(file) + "// mine\n");
  EXPECT_TRUE(Says(Run({"check"}, inside), "out_of_range_loads: ")) << "edited last, not checked last";
  EXPECT_TRUE(Says(Run({"check"}, inside), "NOT PASSED"));
  const ProgramRun all = Run({"check", "1", "--all"}, inside);
  EXPECT_TRUE(Says(all, "NOT PASSED") && Says(all, "begin at TODO 1, line 24")) << all.out;
  EXPECT_LT(all.out.find("\ntiled_matmul: "), all.out.find("\nrepair_tiled_matmul: ")) << "not in order";
}

/// What a student is to type is there.
TEST_F(DeskTest, AWorkbookNamesTheCommandThatIsThere) {
  const std::filesystem::path book = scratch() / "book";
  const ProgramRun made = Run({"init", book}, {.environment = {{"HOME", layout_.root.parent_path()}}});
  ASSERT_EQ(made.status, 0) << made.err;
  const std::string command = "~/" + layout_.root.filename().string() + "/warplings check ";
  EXPECT_TRUE(Says(made, command + "1\n")) << made.out;
  EXPECT_NE(ReadText(book / "README.md").find("\n" + command), std::string::npos);
  const std::string starter = ReadText(book / "chapters/01_boundary_checks/tiled_matmul.cu");
  EXPECT_NE(starter.find("//   " + command + "tiled_matmul\n"), std::string::npos) << starter;
  EXPECT_EQ(starter.find("./warplings"), std::string::npos) << starter;
  // Under another name of the program, what is edited is not offered again.
  WriteText(book / "chapters/01_boundary_checks/tiled_matmul.cu", starter + "// mine\n");
  const ProgramRun updated = Run({"update"}, {.environment = {{"HOME", "/nowhere"}}, .folder = book});
  EXPECT_EQ(updated.status, 0) << updated.err;
  EXPECT_TRUE(Says(updated, "updated  README.md")) << updated.out;
  EXPECT_FALSE(Says(updated, "yours ")) << updated.out;
  EXPECT_NE(ReadText(book / "README.md").find("\n" + (layout_.root / "warplings").string() + " check"),
            std::string::npos);
}

TEST_F(DeskTest, ResetNamesTheCommandThatInitNamedAndUpdateLeavesIt) {
  const std::filesystem::path book = scratch() / "book";
  ASSERT_EQ(Run({"init", book}).status, 0);
  const std::filesystem::path file = book / "chapters/01_boundary_checks/tiled_matmul.cu";
  const std::string starter = ReadText(file);
  const ProgramOptions inside{.folder = book};
  EXPECT_TRUE(Says(Run({"reset", "tiled_matmul"}, inside), "it is still as it was handed out\n"));
  WriteText(file, starter + "// mine\n");
  EXPECT_EQ(Run({"reset", "tiled_matmul"}, inside).status, 0);
  EXPECT_EQ(ReadText(file), starter);
  const ProgramRun update = Run({"update"}, inside);
  EXPECT_EQ(update.status, 0) << update.err;
  EXPECT_FALSE(Says(update, "updated ")) << update.out;
}

TEST_F(DeskTest, ListAndNextKeepToTheTerminalsWidth) {
  for (const char* const columns : {"40", "60", "80", "120"}) {
    for (const char* const language : {"en", "zh_Hant"}) {
      for (const char* const command : {"list", "status", "next"}) {
        const ProgramRun run =
            Run({command, "--lang", language},
                {.environment = {{"COLUMNS", columns}, {"LC_ALL", "C.UTF-8"}}, .folder = layout_.root});
        std::istringstream stream(run.out);
        for (std::string line; std::getline(stream, line);) {
          // A path or a command is to be copied, and stays whole in a line of its own.
          const bool is_whole = line.starts_with("    ") && line.find_first_of("./") != std::string::npos;
          EXPECT_TRUE(DisplayWidth(line) <= std::stoul(columns) || is_whole) << columns << ": " << line;
        }
        // What is to be typed is in one line.
        const std::string check =
            (layout_.build / "grader/cli/warplings-cli").string() + " check out_of_range_loads";
        if (DisplayWidth(check) <= std::stoul(columns) && command == std::string("list")) {
          EXPECT_TRUE(Says(run, check)) << run.out;
        }
      }
    }
  }
}

TEST_F(DeskTest, ListOfAChapterAnExerciseAndItsTests) {
  const ProgramRun chapter = Run({"list", "1"});
  EXPECT_EQ(chapter.status, 0) << chapter.err;
  EXPECT_TRUE(chapter.out.starts_with("1  Boundary checks")) << chapter.out;
  EXPECT_TRUE(Says(chapter, "repair_tiled_matmul"));
  EXPECT_FALSE(Says(chapter, "rect_matmul")) << "another chapter's";
  const ProgramRun one = Run({"list", "tiled_matmul"});
  EXPECT_TRUE(Says(one, " tiled_matmul"));
  EXPECT_FALSE(Says(one, "out_of_range_loads")) << one.out;
  EXPECT_EQ(Run({"list", "tiled_matmull"}).status, 2);
  EXPECT_EQ(Run({"list", "1", "--tests"}).status, 2) << "several exercises";

  const ProgramRun tests = Run({"list", "tiled_matmul", "--tests"});
  EXPECT_EQ(tests.status, 0) << tests.err;
  EXPECT_TRUE(Says(tests, "01_boundary_checks/tiled_matmul: 14 tests\n")) << tests.out;
  EXPECT_TRUE(Says(tests, "\n     width 16: one tile of 16\n")) << tests.out;
  std::istringstream lines(tests.out);
  std::size_t passing = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool passes = line.ends_with("passes as handed out");
    passing += passes;
    if (line.find("TiledMatmul.WidthOfExactlyOneTile ") == std::string::npos) continue;
    EXPECT_TRUE(passes) << line;
  }
  EXPECT_EQ(passing, 3u);
}

/// A chapter with short titles has no form of its own.
TEST_F(DeskTest, AllChaptersAreListedInTheSameForm) {
  const auto rows = [&](int columns) {
    const ProgramRun run =
        Run({"list"}, {.environment = {{"COLUMNS", std::to_string(columns)}, {"LC_ALL", "C.UTF-8"}},
                       .folder = layout_.root});
    std::istringstream stream(run.out);
    int count = 0;
    for (std::string line; std::getline(stream, line);) count += line.starts_with("   ");
    return count;
  };
  const int exercises = rows(300);
  for (int columns = 80; columns <= 140; columns += 5) {
    const int shown = rows(columns);
    EXPECT_TRUE(shown == exercises || shown == 2 * exercises) << columns << ": " << shown;
  }
}

TEST_F(DeskTest, ASolutionIsShownOnlyAfterAPassOrAPlainYes) {
  const ProgramRun refused = Run({"solution", "tiled_matmul"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_TRUE(Says(refused, "has not passed yet")) << refused.err;
  const std::string text = ReadText(layout_.root / "solutions/01_boundary_checks/tiled_matmul.cu");
  EXPECT_EQ(Run({"solution", "tiled_matmul", "--yes"}).out, text);
  EXPECT_TRUE(
      Says(Run({"solution", "tiled_matmul", "--yes", "--workbook", CopyWorkbook()}), "there is no solution"));
}

TEST_F(DeskTest, ResetKeepsWhatWasWritten) {
  const std::filesystem::path workbook = CopyWorkbook();
  const std::filesystem::path file = workbook / "chapters/01_boundary_checks/tiled_matmul.cu";
  EXPECT_EQ(Run({"reset", "tiled_matmul", "--workbook", workbook}).status, 2) << "no clone, no original";
  const std::string git = "git -C '" + workbook.string() + "' -c user.name=a -c user.email=a@b ";
  if (std::system((git + "init -q && " + git + "add . && " + git + "commit -qm starters").c_str()) != 0) {
    GTEST_SKIP() << "needs git";
  }
  const std::string starter = ReadText(file);
  EXPECT_TRUE(
      Says(Run({"reset", "tiled_matmul", "--workbook", workbook}), "it is still as it was handed out\n"));
  WriteText(file, "mine");
  const ProgramRun run = Run({"reset", "tiled_matmul", "--workbook", workbook});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(Says(run, "tiled_matmul.cu.bak")) << run.out;
  EXPECT_EQ(ReadText(file), starter);
  EXPECT_EQ(ReadText(file.string() + ".bak"), "mine");
}

TEST_F(DeskTest, APassThatWasResetIsNotCalledEditedAndCanBeProfiled) {
  RUN_ONE_IN(3);
  const std::filesystem::path workbook = CopyWorkbook();
  const std::string git = "git -C '" + workbook.string() + "' -c user.name=a -c user.email=a@b ";
  if (std::system((git + "init -q && " + git + "add . && " + git + "commit -qm starters").c_str()) != 0) {
    GTEST_SKIP() << "needs git";
  }
  Solve(workbook, "01_boundary_checks/tiled_matmul");
  EXPECT_EQ(Run({"check", "tiled_matmul", "--workbook", workbook}).status, 0);
  const ProgramRun profile = Run({"profile", "--workbook", workbook, "--html", scratch() / "page.html"});
  EXPECT_TRUE(Says(profile, "tiled_matmul")) << "it was checked last: " << profile.out;
  EXPECT_EQ(profile.status, 0) << profile.out << profile.err;
  EXPECT_EQ(Run({"reset", "tiled_matmul", "--workbook", workbook}).status, 0);
  EXPECT_TRUE(Says(Run({"list", "--workbook", workbook}), "passed before; reset since"));
}

TEST_F(DeskTest, WhatWasMeantIsSaid) {
  EXPECT_TRUE(Says(Run({"czeck"}), "did you mean check?"));
  EXPECT_TRUE(Says(Run({"check", "tiled_matmull"}), "did you mean tiled_matmul?"));
  EXPECT_TRUE(Says(Run({"check", "01_boundary_checks/tild_matmul"}), "did you mean tiled_matmul?"));
  EXPECT_TRUE(Says(Run({"check", "1", "--verbos"}), "check has no option --verbos; did you mean --verbose?"));
  EXPECT_TRUE(Says(Run({"check", "1", "--sed=7"}), "check has no option --sed; did you mean --seed?"));
  EXPECT_TRUE(Says(Run({"grade", "x", "--otu", "y"}), "grade has no option --otu; did you mean --out?"));
  EXPECT_TRUE(Says(Run({"package", "--student", "x"}), "did you mean --students?"));
  EXPECT_TRUE(Says(Run({"check", "1", "--xyzzy"}), "check has no option --xyzzy\n"));
  EXPECT_TRUE(Says(Run({"check", "./mine.cu"}), "there is no file './mine.cu'"));
  EXPECT_EQ(Run({"help", "hint"}).out, Run({"hint", "--help"}).out);
  EXPECT_EQ(Run({"help"}).out, Run({"--help"}).out);
  for (const char* verb : {"hint", "next", "status", "reset", "solution"}) {
    EXPECT_EQ(Run({"help", verb}).status, 0) << verb;
  }
}

}  // namespace
}  // namespace warplings::cli_test
