// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/ptx/locations.h"

#include "grader/virtual_gpu/ptx/test_module.h"

namespace warplings::ptx {
namespace {

constexpr std::string_view kFiles =
    ".file 1 \"/submission/a.cu\"\n.file 2 "
    "\"/usr/local/cuda/targets/x86_64-linux/include/cooperative_groups.h\"\n"
    ".file 3 \"/submission/helper.h\"\n.section .debug_str { .b8 1 }\n";

Module WithLocs(const std::string& body) {
  return MustParse(ParseText(".visible .entry k() {\n" + body + "\n}\n" + std::string(kFiles)));
}

/// "file:line" that the i-th instruction of the first function stands for.
std::string Where(const Module& module, std::size_t i) {
  const std::int32_t location = module.functions[0].instructions[i].location;
  if (location < 0) return "none";
  const SourceLine where = module.Where(module.functions[0].locations[static_cast<std::size_t>(location)]);
  return where.file + ":" + std::to_string(where.line);
}

int CallerLine(const Module& module, std::size_t i) {
  const std::int32_t location = module.functions[0].instructions[i].location;
  return module.functions[0].locations[static_cast<std::size_t>(location)].caller_line;
}

TEST(Locations, LineZeroKeepsThePreviousOne) {
  const Module module = WithLocs("nop; .loc 1 0 3\nnop; .loc 1 7 3\nnop; .loc 1 0 9\nnop;");
  EXPECT_EQ(Where(module, 0), "none");
  EXPECT_EQ(Where(module, 1), "none");
  EXPECT_EQ(Where(module, 2), "/submission/a.cu:7");
  EXPECT_EQ(Where(module, 3), "/submission/a.cu:7");
}

TEST(Locations, AStudentsInlinedFunctionStandsForItself) {
  const Module module = WithLocs(
      ".loc 1 10 3\nnop;\n.loc 1 6 3, function_name $L__info_string0, inlined_at 1 10 3\nnop;\n"
      ".loc 3 4 3, function_name $L__info_string1+5, inlined_at 1 6 3\nnop;");
  EXPECT_EQ(Where(module, 0), "/submission/a.cu:10");
  EXPECT_EQ(Where(module, 1), "/submission/a.cu:6");
  EXPECT_EQ(Where(module, 2), "/submission/helper.h:4");
  EXPECT_EQ(CallerLine(module, 0), 0);
  EXPECT_EQ(CallerLine(module, 1), 10);
  EXPECT_EQ(CallerLine(module, 2), 0) << "in another file";
}

TEST(Locations, TheToolkitsInsidesStandForTheLineThatCallsThem) {
  const Module module = WithLocs(
      ".loc 1 6 3, function_name $L0, inlined_at 1 20 3\nnop;\n.loc 2 100 1, function_name $L1, inlined_at 1 "
      "6 3\nnop;\n"
      ".loc 2 50 1, function_name $L2, inlined_at 2 100 1\nnop;\n.loc 2 60 1, function_name $L2, inlined_at "
      "1 33 1\nnop;");
  EXPECT_EQ(Where(module, 1), "/submission/a.cu:6");
  EXPECT_EQ(Where(module, 2), "/submission/a.cu:6");
  EXPECT_EQ(module.functions[0].locations[2].innermost_line, 50);
  EXPECT_EQ(module.files[static_cast<std::size_t>(module.functions[0].locations[2].innermost_file)],
            "/usr/local/cuda/targets/x86_64-linux/include/cooperative_groups.h");
  EXPECT_EQ(CallerLine(module, 2), 20) << "of the student's function that calls the toolkit's";
  EXPECT_EQ(Where(module, 3), "/submission/a.cu:33");  // The call site has no .loc of its own.
}

TEST(Locations, AToolkitFunctionOfItsOwnKeepsItsLine) {
  const Module module = WithLocs(".loc 2 5 1\nnop;\n");
  EXPECT_EQ(Where(module, 0), "/usr/local/cuda/targets/x86_64-linux/include/cooperative_groups.h:5");
}

TEST(Locations, TheLatestCallSiteCounts) {
  const Module module = WithLocs(
      ".loc 2 9 1, function_name $L0, inlined_at 1 20 3\n.loc 2 9 1, function_name $L0, inlined_at 1 30 3\n"
      ".loc 2 7 1, function_name $L1, inlined_at 2 9 1\nnop;");
  EXPECT_EQ(Where(module, 0), "/submission/a.cu:30");
}

TEST(Locations, ToolkitPaths) {
  for (const char* path :
       {"/usr/local/cuda-13.0/include/cccl/cuda/std/array",
        "/home/u/w/.venv/lib/python3/site-packages/nvidia/cu13/include/sm_30_intrinsics.hpp",
        "/opt/toolkits/12/targets/x86_64-linux/include/cuda_fp16.hpp", "/usr/include/c++/12/new"}) {
    EXPECT_TRUE(IsToolkitPath(path)) << path;
  }
  for (const char* path : {"/submission/tiled_matmul.cu", "/home/u/project/include/helper.cuh", "a.cu",
                           "/usr/local/home/u/a.cu", "/home/u/cuda/a.cu"}) {
    EXPECT_FALSE(IsToolkitPath(path)) << path;
  }
}

TEST(LocationErrors, AreNamed) {
  EXPECT_EQ(ErrorOf(ParseBody(".loc 9 1 1\nret;")), "PTX line 6: .loc names file 9, which no .file declares");
  EXPECT_EQ(ErrorOf(ParseBody(".loc 1 1 1, where 3")),
            "PTX line 6: function_name or inlined_at expected, but found 'where'");
  EXPECT_EQ(ErrorOf(ParseBody(".loc 1 x 1")), "PTX line 6: the line of .loc expected, but found 'x'");
  EXPECT_EQ(ErrorOf(ParseText(".file 1 \"a\"\n.file 1 \"b\"\n.target sm_80")),
            "PTX line 6: .file 1 is declared twice");
}

}  // namespace
}  // namespace warplings::ptx
