// SPDX-License-Identifier: Apache-2.0
#include "grader/build/known_mistakes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "grader/build/calls.h"
#include "grader/messages/build.h"
#include "grader/messages/joining.h"

namespace warplings::known_mistakes_test {
namespace {

// build_submission_test.cc has the same mistakes with a compiler. Here is what that one does not say.

bool Holds(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

Diagnostic ErrorIn(int line, const std::string& words) {
  return {Severity::kError, {"mine.cu", line}, 0, words};
}

std::string ReasonFor(const std::string& words, const std::string& source) {
  const auto found = RecogniseMistake({ErrorIn(1, words)}, source);
  return found ? English(found->reason) : "";
}

std::string AdviceOn(const std::string& words) {
  const auto found = RecogniseMistake({ErrorIn(1, words)}, "");
  return found ? English(found->next_step) : "";
}

TEST(KnownMistakes, HostFunctionsByTheirNames) {
  const auto message = [](const std::string& function) {
    return "calling a constexpr __host__ function(\"" + function +
           "\") from a __global__ function(\"kernel\") is not allowed. The experimental flag "
           "'--expt-relaxed-constexpr' can be used to allow this.";
  };
  EXPECT_TRUE(Holds(AdviceOn(message("ceil")), "17 / 16 is 1"));
  EXPECT_TRUE(Holds(AdviceOn(message("std::max<int>(const int &, const int &)")), "Device code has max"));
  EXPECT_TRUE(Holds(AdviceOn(message("std::pow")), "1 << n"));
  EXPECT_TRUE(Holds(AdviceOn(message("tiles_of(int)")), "Write __device__ before tiles_of"));
  EXPECT_TRUE(Holds(AdviceOn("identifier \"kWidth\" is undefined in device code"), "argument of the kernel"));
  EXPECT_EQ(AdviceOn("identifier \"kWidth\" is undefined"), "");
}

TEST(KnownMistakes, MarksOfAMergeComeFirst) {
  const std::string words = "expected a declaration",
                    mark = "this is a mark that git left where it could not merge";
  EXPECT_TRUE(ReasonFor(words, "<<<<<<< HEAD\nint a;\n").starts_with("line 1: " + mark));
  const auto below = [&](const std::string& source) {
    const auto found = RecogniseMistake({ErrorIn(4, words)}, source);
    return found ? English(found->reason) : "";
  };
  EXPECT_TRUE(below("int a;\n=======\r\nint b;\n>>>>>>> mine\n").starts_with("line 2: " + mark));
  for (const char* source : {"int a;\n  // =======\n\nx\n<<<<<<< HEAD\n", "int a;\n/*\n=======\n*/ x\n",
                             "int a = 1\n  <<<<<<< 2;\n"})
    EXPECT_FALSE(Holds(below(source), mark)) << source;
}

TEST(KnownMistakes, NamesOfCudaThatAreMisspelled) {
  const auto reason = [](const std::string& name) {
    return AdviceOn("identifier \"" + name + "\" is undefined");
  };
  EXPECT_EQ(ReasonFor("identifier \"__syncthread\" is undefined", ""),
            "line 1: __syncthread is not declared.");
  for (const char* name : {"__synchthreads", "_syncthreads", "syncthreads", "__syncThreads"})
    EXPECT_TRUE(reason(name).starts_with("Did you mean __syncthreads?")) << name << ": " << reason(name);
  EXPECT_TRUE(Holds(reason("threadidx"), "threadIdx"));
  EXPECT_TRUE(Holds(reason("blockidx"), "blockIdx"));
  EXPECT_TRUE(Holds(reason("blockdim"), "blockDim"));
  EXPECT_TRUE(Holds(reason("cudamalloc"), "cudaMalloc?"));
  EXPECT_TRUE(Holds(reason("cudaMemCpy"), "cudaMemcpy?"));
  EXPECT_TRUE(Holds(reason("atomicadd"), "atomicAdd"));
  EXPECT_TRUE(Holds(AdviceOn("identifier \"atomicadd\" is undefined"), "Did you mean atomicAdd?"));
  EXPECT_TRUE(Holds(AdviceOn("identifier \"_syncthreads\" is undefined"), "capital letters and underscores"));
  // Neither is what is wrong.
  EXPECT_EQ(AdviceOn("identifier \"__syncthread\" is undefined"),
            "Did you mean __syncthreads? Write it exactly so.");
  for (const char* name : {"grid", "block", "thread", "row", "tile", "width", "cuda"})
    EXPECT_EQ(reason(name), "") << name << " may be a variable";
}

TEST(KnownMistakes, LaterErrorsOfNamesAreExplainedToo) {
  const std::string source =
      "int n;\nint main() {\n  int lenght = 3\n  cudaMemCpy(0);\n  n = length;\n  n = length;\n}\n";
  const auto told = [&](const std::vector<Diagnostic>& errors, const std::string& code) {
    std::string lines;
    for (const KnownMistake& each : RecogniseMistakes(errors, code, "mine.cu"))
      lines += English(each.reason) + " " + English(each.next_step) + "\n";
    return lines;
  };
  Diagnostic semicolon = ErrorIn(3, "");
  semicolon.message = say::semicolon_missing(Message("expected a \";\""));
  const Diagnostic length = ErrorIn(5, "identifier \"length\" is undefined");
  Diagnostic in_header = ErrorIn(4, "identifier \"cudaMaloc\" is undefined");
  in_header.where.file = "other.h";
  const std::string all = told({semicolon, in_header, ErrorIn(4, "identifier \"cudaMemCpy\" is undefined"),
                                length, ErrorIn(5, "expected a declaration"), length},
                               source);
  EXPECT_EQ(std::ranges::count(all, '\n'), 3) << all;
  for (const char* const words : {"line 3: a semicolon is missing", "line 4: cudaMemCpy is not declared",
                                  "line 5: length is not declared. Did you mean lenght?"})
    EXPECT_TRUE(Holds(all, words)) << words << "\n" << all;
  EXPECT_EQ(told({in_header}, source), "");
  const std::string once = told({semicolon, length}, source + "}\n");
  EXPECT_EQ(std::ranges::count(once, '\n'), 1) << "a brace may have ended the block\n" << once;
}

TEST(KnownMistakes, SharedArraysInTheWordsOfOtherHostCompilers) {
  const std::string words = "expression must have a constant value";
  EXPECT_TRUE(Holds(ReasonFor(words, "__shared__ float tile[n];"), "line 1: the shared array tile"));
  EXPECT_TRUE(Holds(ReasonFor(words, "float sums[n];"), "the array sums"));
  EXPECT_EQ(ReasonFor(words, "case n: x[i] = 3;"), "");
}

std::string ReasonAt(int line, const std::string& words, const std::string& source) {
  const auto found = RecogniseMistake({ErrorIn(line, words)}, source);
  return found ? English(found->reason) + " " + English(found->next_step) : "";
}

constexpr const char* kNoSuchShift =
    "no operator \">>\" matches these operands; operand types are: dim3 >> int";

constexpr const char* kNotModifiable = "expression must be a modifiable lvalue";

TEST(KnownMistakes, AnAssignmentWhereAComparisonWasMeant) {
  for (const char* line : {"if (row < height && col = width) P[i] = 0;", "if (n = 3) { }",
                           "while (kN = n) { }", "const bool in = row < height && col = width;",
                           "float x = a == 1 || b = 2 ? 0 : 1;", "if (f(a, b) && M[i] = 3) { }"}) {
    EXPECT_EQ(ReasonAt(1, kNotModifiable, line),
              "line 1: the = in this condition assigns; it does not compare. To compare, write ==, or < for "
              "a bound.")
        << line;
  }
  for (const char* line : {"f(x) = 3;", "if (n == 3) 3 = n;", "for (int i = 0; i < n; ++i) f() = 2;",
                           "if (a && b) { f() = 1; }", "g(a && b, c = 3);", "x && y; f() = 3;"}) {
    EXPECT_EQ(ReasonAt(1, kNotModifiable, line), "") << line;
  }
}

TEST(KnownMistakes, AStoreToWhatIsConst) {
  const std::string kernel =
      "__global__ void k(const float* M, float const* __restrict__ N, float* const P, const int phases) {\n";
  const auto of = [&](const std::string& line) { return ReasonAt(2, kNotModifiable, kernel + line); };
  const std::string elements =
      "line 2: M is const here: its elements can only be read. Store to the output instead of M: the array "
      "that is "
      "not const.";
  EXPECT_EQ(of("M[row * width + col] = sum;"), elements);
  EXPECT_EQ(ReasonAt(2, kNotModifiable,
                     "__global__ void k(const float* M, const float* P, int width) {\nP[i] = sum;"),
            "line 2: P is const here: its elements can only be read. All arrays of this kernel are const, so "
            "it has no "
            "output. If P is the output, drop its const in line 1.");
  EXPECT_EQ(of("M[ids[i]] += sum;"), elements);
  EXPECT_EQ(of("*M = sum;"), elements);
  EXPECT_EQ(of("++M[i];"), elements);
  EXPECT_EQ(of("P[0] = 1; M[i]++;"), elements);
  EXPECT_TRUE(Holds(of("N[0] = 1;"), "N is const here"));
  const std::string variable =
      "line 2: phases is const, and this line changes it. Change another variable here, or declare phases in "
      "line 1 "
      "without const.";
  for (const char* line : {"++phases;", "phases--;", "phases -= 1;", "phases = 3;", "x = 3, ++phases;"})
    EXPECT_EQ(of(line), variable) << line;
  EXPECT_TRUE(Holds(of("P = M;"), "P is const"));
  // A pointer that may move, elements that may change, members and calls.
  for (const char* line :
       {"M = N;", "P[0] = 1;", "s.phases = 3;", "phases() = 3;", "unknown = 1;", "const int phases = 2;"})
    EXPECT_EQ(of(line), "") << line;
  EXPECT_EQ(ReasonAt(3, kNotModifiable, kernel + "int* M = q;\nM[0] = f;"), "") << "another M is nearer";
}

TEST(KnownMistakes, ATypeThatIsMisspelled) {
  const auto of = [](const std::string& name, const std::string& line) {
    return ReasonAt(1, "identifier \"" + name + "\" is undefined", line);
  };
  EXPECT_EQ(of("floot", "floot sum = 0;"),
            "line 1: floot is not declared. Did you mean float? Write it exactly so.");
  EXPECT_TRUE(Holds(of("unsigne", "unsigne int n = 3;"), "unsigned?"));
  EXPECT_TRUE(Holds(of("itn", "for (itn i = 0; i < n; ++i) {"), "int?"));
  EXPECT_TRUE(Holds(of("floot", "__global__ void k(const floot* __restrict__ p) {"), "float?"));
  // In a list of parameters the compiler has other words first.
  const auto found = RecogniseMistake({ErrorIn(1, "incomplete type \"void\" is not allowed"),
                                       ErrorIn(1, "identifier \"floot\" is undefined")},
                                      "__global__ void k(floot* p, int n) {}");
  EXPECT_TRUE(found && Holds(English(found->next_step), "Did you mean float?"));
  // Products, and names that are no type's.
  for (const char* line : {"x = flat * y;", "sum += flat * y;", "return flat * y;", "f(flat);", "flat = 3;"})
    EXPECT_EQ(of("flat", line), "") << line;
  EXPECT_EQ(of("Matrix", "Matrix m;"), "");
}

TEST(KnownMistakes, ACallWithAnArgumentTooFewOrTooMany) {
  const std::string file =
      "__global__ void k(const float* M, float* P, int width) {}\n"
      "template <int N> __global__ void t(float (*p)[N], int n[], float f = 1) {}\n"
      "float twice(float x);\n";
  const auto of = [&](const std::string& words, const std::string& line) {
    return ReasonAt(4, words, file + line);
  };
  const std::string few = "too few arguments in function call", many = "too many arguments in function call";
  EXPECT_EQ(
      of(few, "k<<<grid, block>>>(M, P);"),
      "line 4: k takes 3 arguments, and this call passes 2. Write the arguments in this order: M, P, width.");
  EXPECT_TRUE(Holds(of(many, "k<<<dim3(2, 3), f(1, 2)>>>(M, P, g(1, 2), 3);"),
                    "k takes 3 arguments, and this call passes 4"));
  EXPECT_TRUE(Holds(of(few, "y = twice();"), "twice takes 1 argument, and this call passes 0"));
  EXPECT_TRUE(
      Holds(of(few, "k<<<1, 1>>>(M, P, 3); cudaMemcpy(a, b, 4);"),
            "cudaMemcpy takes 4 arguments, and this call passes 3. Write the arguments in this order: "
            "destination, source, bytes, kind."));
  EXPECT_TRUE(Holds(
      of("no instance of overloaded function \"cudaMalloc\" matches the argument list", "cudaMalloc(&p);"),
      "&pointer, bytes"));
  // Nothing is wrong with the number here, or nothing is known of it.
  EXPECT_EQ(of(few, "k<<<grid, block>>>(M, P, 3);"), "");
  EXPECT_EQ(of(few, "other(1);"), "");
  EXPECT_EQ(of("no instance of overloaded function \"f\" matches the argument list", "f(1); twice();"), "");
  EXPECT_EQ(of("expression must be a pointer", "k<<<grid, block>>>(M, P);"), "");
}

TEST(KnownMistakes, ALaunchWithABracketLess) {
  const std::string kernel = "__global__ void k(int* p);\ntemplate <int N> __global__ void t(int* p);\n";
  for (const char* launch : {"k<<<grid, block>>(p);", "k<<grid, block>>(p);", "k<<grid, block>>>(p);",
                             "k<<<dim3(2, 3), 1 << 3>>(p);", "k<<<\n  grid, block>>(p);"}) {
    EXPECT_TRUE(
        Holds(ReasonAt(3, kNoSuchShift, kernel + launch),
              "line 3: a bracket is missing in the launch of k: it is written k<<<...>>>(...). Write three"))
        << launch;
  }
  EXPECT_TRUE(Holds(ReasonAt(3, kNoSuchShift, kernel + "t<16><<<grid, block>>(p);"), "launch of t"));
  // Launches that are in order, and shifts.
  for (const char* line : {"k<<<grid, block>>>(p);", "k<<<n >> (1), block>>>(p);", "k<<<(n >> (1)), n>>>(p);",
                           "std::cout << a, b >> (c);", "x = n << 3, m >> (2);", "k<<<grid, block",
                           "f(a << b, c >> (d));", "out << k, n >> (1);", "k<<<1, 1>>>(p); x = a >> (b);"}) {
    EXPECT_EQ(ReasonAt(3, kNoSuchShift, kernel + line), "") << line;
  }
  EXPECT_EQ(ReasonAt(4, kNoSuchShift, kernel + "k<<<grid, block>>(p);\nx = a >> b;"), "") << "another line";
}

TEST(KnownMistakes, ALaunchWithoutArguments) {
  const char* words = "expected a \"(\"";
  EXPECT_TRUE(
      Holds(ReasonAt(1, words, "k<<<grid, block>>>;"), "line 1: the launch of k has no argument list"));
  EXPECT_TRUE(
      Holds(ReasonAt(2, words, "k<<<grid, block>>>\nf();"), "line 1: the launch of k has no argument"));
  EXPECT_TRUE(
      Holds(ReasonAt(1, words, "k(p)<<<grid, block>>>;"), "line 1: <<<...>>> comes after the arguments"));
  EXPECT_EQ(ReasonAt(1, words, "k<<<grid, block>>>(p); if"), "");
  EXPECT_EQ(ReasonAt(1, words, "(*chosen)<<<grid, block>>>(p); if"), "") << "a pointer to a kernel";
  EXPECT_EQ(ReasonAt(3, words, "k<<<grid, block>>>;\nf();\nint x = sizeof 3;"), "");
}

TEST(KnownMistakes, BytesInThePlaceOfTheBlock) {
  const char* words =
      "no suitable conversion function from \"dim3\" to \"size_t\" (aka \"unsigned long\") exists";
  EXPECT_TRUE(Holds(ReasonAt(1, words, "k<<<grid, bytes, block>>>(p);"),
                    "line 1: the third value in <<<...>>> is a number of bytes, but this one is a dim3."));
  EXPECT_EQ(ReasonAt(1, words, "k<<<grid, block>>>(n, block);"), "") << "an argument of the kernel";
  EXPECT_EQ(ReasonAt(1, words, "size_t n = block;"), "");
}

TEST(KnownMistakes, TheWholeOrderOfALaunchTurned) {
  const char* words =
      "no suitable conversion function from \"const dim3\" to \"size_t\" (aka \"unsigned long\") exists";
  EXPECT_TRUE(
      Holds(ReasonAt(1, words, "k<<<bytes, grid, block>>>(p);"), "but this one is a dim3. The order"));
}

TEST(KnownMistakes, AKernelThatLaunchesAKernel) {
  const auto of = [](const std::string& words, const std::string& output) {
    const auto found = FindLaunchFromKernel({ErrorIn(7, words)}, output);
    return found ? English(found->reason) : "";
  };
  EXPECT_TRUE(Holds(of("kernel launch from __device__ or __global__ functions requires separate compilation "
                       "mode",
                       ""),
                    "line 7: a kernel launches a kernel."));
  EXPECT_TRUE(Holds(of("", "nvlink error   : Undefined reference to '__cudaCDP2LaunchDeviceV2' in 'x.o'"),
                    "a kernel launches a kernel."));
  EXPECT_EQ(of("expected a \";\"", "nvlink error   : Undefined reference to 'f' in 'x.o'"), "");
}

TEST(KnownMistakes, SpecifiersThatAreMisspelled) {
  const auto of = [](const std::string& source) {
    return ReasonAt(1, "this declaration has no storage class or type specifier", source);
  };
  EXPECT_EQ(of("__globl__ void k(float* x) {}"),
            "line 1: __globl__ is not declared. Did you mean __global__? Write it exactly so.");
  EXPECT_EQ(of("_global_ void k(float* x) {}"),
            "line 1: _global_ is not declared. Did you mean __global__? Write it exactly so: capital letters "
            "and underscores count.");
  EXPECT_TRUE(Holds(of("global void k() {}"), "Did you mean __global__?"));
  EXPECT_TRUE(Holds(of("template <typename T> __devise__ T k() {}"), "Did you mean __device__?"));
  for (const char* const other : {"globals;", "x = 3;", "mine void k() {}", "f(global);"})
    EXPECT_EQ(of(other), "") << other;
}

TEST(KnownMistakes, Dim3InSquareBrackets) {
  const auto of = [](const std::string& type, const std::string& source) {
    return ReasonAt(3, "no suitable constructor exists to convert from \"" + type + "\" to \"dim3\"",
                    "void f(float* x, int n) {\n" + source + "\nk<<<grid, block>>>(x);\n}\n");
  };
  EXPECT_EQ(
      of("const dim3 [<expression>]", "const dim3 grid[n, n + 1];"),
      "line 3: `grid` is an array of dim3, because of the square brackets in line 2. A launch takes one "
      "dim3. Write `dim3 grid(n, n + 1)`, in parentheses.");
  EXPECT_TRUE(Holds(of("dim3 [16]", "dim3 grid(n), block[16];"), "Write `dim3 block(16)`"));
  // Arrays that are meant.
  EXPECT_EQ(of("dim3 [2]", "dim3 grid[2]; grid[0] = n;"), "");
  EXPECT_EQ(of("dim3 [2]", "dim3 grid[] = {n, n};"), "");
  EXPECT_EQ(of("dim3 [2]", "int grid[2];"), "");
}

TEST(KnownMistakes, ALaunchWithoutItsComma) {
  const char* words = "expected a \">>>\"";
  EXPECT_TRUE(Holds(ReasonAt(1, words, "k<<<grid block>>>(p);"),
                    "line 1: a comma is missing in <<<...>>> between `grid` and `block`. The order is"));
  EXPECT_TRUE(Holds(ReasonAt(1, words, "k<<<f(n, 2) 256>>>(p);"), "between `f(n, 2)` and `256`"));
  EXPECT_TRUE(Holds(ReasonAt(1, words, "k<<<grid, block bytes>>>(p);"), "between `block` and `bytes`"));
  EXPECT_TRUE(Holds(ReasonAt(1, words, "k<<<(n + 255) / 256 256>>>(p);"), "and `256`"));
  EXPECT_EQ(ReasonAt(1, words, "k<<<(int) n, sizeof n>>>(p);"), "");
  EXPECT_EQ(ReasonAt(1, words, "k<<<grid, block>>>(n m);"), "");
}

TEST(KnownMistakes, ACommaInASubscript) {
  const char* words = "expression must be a modifiable lvalue";
  EXPECT_TRUE(
      Holds(ReasonAt(2, words, "__shared__ float Mds[16][16];\nMds[ty,tx] = 0;"),
            "line 2: Mds[ty, tx] has a comma inside one pair of brackets, so only the part after it counts. "
            "Each dimension has brackets of its own: write Mds[ty][tx]."));
  EXPECT_TRUE(Holds(ReasonAt(1, words, "M[(row + 1) * 2, f(a, b)] = 0;"),
                    "write one index: `M[((row + 1) * 2) * (elements in a row) + f(a, b)]`"));
  EXPECT_TRUE(Holds(ReasonAt(2, "expression must have pointer-to-object type but it has type \"float\"",
                             "__shared__ float Mds[16,16];\nMds[ty][tx] = 0;"),
                    "line 1: Mds[16, 16] has a comma"));
  for (const char* source :
       {"M[f(a, b)] = 1;", "auto g = [a, b] { return a; };", "auto [a, b] = pair;", "M[index<3, 4>(i)] = 1;",
        "[[nodiscard, deprecated]] int f();", "return [a, b] { return 1; }();", "M[i++, j] = 1;",
        "int a[] = {1, 2};", "M[(i, j)] = 1;", "M[i] = N[j], 3;", "M[, 3]", "M[3,", "delete[] a, b;"}) {
    EXPECT_EQ(ReasonAt(1, words, source), "") << source;
  }
}

TEST(KnownMistakes, AParenthesisThatIsNotClosed) {
  const char* words = "expected a \")\"";
  const auto reason = [&](int line, const std::string& source) { return ReasonAt(line, words, source); };
  EXPECT_EQ(
      reason(1, "for (int k = 0; k < 16; ++k {\n}\n"),
      "line 1: the ( after for is not closed before the {. Each ( needs its ): count both, from line 1 on.");
  EXPECT_TRUE(Holds(reason(1, "if (tx < n && (ty < n) {\n"), "the ( after if is not closed before the {"));
  EXPECT_TRUE(
      Holds(reason(2, "if (x < 3\n  P[0] = 1;"), "line 1: the ( after if is not closed before the ;"));
  EXPECT_TRUE(
      Holds(reason(2, "for (int i = 0; i < n; ++i\n  x = i;"), "the ( after for is not closed before the ;"));
  EXPECT_TRUE(Holds(reason(1, "k<<<grid, block>>>(M, width;"), "the ( after > is not closed before the ;"));
  EXPECT_TRUE(Holds(reason(1, "x = M[(ty * n + tx];"), "the ( after [ is not closed before the ]"));
  EXPECT_TRUE(Holds(reason(1, "dim3 grid((n + 15) / 16, (n + 15 / 16), block(16, 16);"), "the ( after grid"));
  EXPECT_TRUE(
      Holds(reason(1, "__global__ void k(int* p, int n {\n"), "the ( after k is not closed before the {"));
  EXPECT_TRUE(Holds(reason(2, "run([&] {\n  g(a;\n});"), "line 2: the ( after g"));
  EXPECT_TRUE(Holds(ReasonAt(1, "expected a \"]\"", "sum += Mds[ty][k;"), "the [ after ] is not closed"));
  for (const char* source :
       {"f(a b);", "run([&] {\n  g(a);\n});", "f(std::vector<int>{1, 2} 3);", "for (int i = 0; i < n; ++i) {",
        "run(a, [=](int i) {\n", "// f(a\n", "f(", "", "if (T{1} == x y) {\n", ")", "f(')');"}) {
    EXPECT_EQ(reason(1, source), "") << source;
  }
  EXPECT_EQ(reason(2, "f(a;\ng(b c);"), "") << "of another line";
}

TEST(KnownMistakes, AConditionWithoutParentheses) {
  const char* words = "expected a \"(\"";
  EXPECT_TRUE(Holds(ReasonAt(1, words, "if x < 3 {"), "line 1: the condition after if needs parentheses"));
  EXPECT_EQ(ReasonAt(1, words, "if constexpr (x) {"), "");
  EXPECT_EQ(ReasonAt(1, words, "if (x) sizeof 3;"), "");
}

TEST(KnownMistakes, ABraceThatIsNotClosed) {
  Diagnostic at_end = ErrorIn(3, "");
  at_end.message = say::opening_brace_not_closed(Message("expected a \"}\""));
  const auto reason = [&](const Diagnostic& first) {
    const auto found = RecogniseMistake({first, at_end}, "");
    return found ? English(found->reason) + " " + English(found->next_step) : "";
  };
  EXPECT_EQ(
      reason(ErrorIn(17, "expected a \";\"")),
      "line 3: the opening brace in this line is not closed; the compiler says: expected a \"}\" Add the "
      "closing brace that belongs to line 3. The compiler notices only later in the file, or at its end.");
  EXPECT_EQ(reason(ErrorIn(17, "identifier \"x\" is undefined")), "") << "another mistake comes first";
  EXPECT_EQ(reason(ErrorIn(2, "expected a \";\"")), "");
}

std::string AfterErrors(const std::vector<Diagnostic>& errors, const std::string& source) {
  const auto found = RecogniseMistake(errors, source);
  return found ? English(found->reason) + " " + English(found->next_step) : "";
}

TEST(KnownMistakes, ABraceTooMany) {
  const auto reason = [](int first, const std::string& words, int left_over, const std::string& source) {
    return AfterErrors({ErrorIn(first, words), ErrorIn(left_over, "expected a declaration")}, source);
  };
  const char *unknown = "identifier \"M\" is undefined", *left_over = "expected a declaration";
  const std::string early = "void k(int* M) {\n  if (M)\n    M[1] = 2;\n  }\n  M[2] = 4;\n}\n";
  EXPECT_EQ(reason(5, unknown, 6, early),
            "line 4: a closing brace is too many here, or its opening brace is missing above. Remove the "
            "closing brace in "
            "line 4, or write the opening brace that belongs to it.");
  EXPECT_TRUE(
      Holds(reason(4, left_over, 4, "void k() {\n  int x;\n}\n}\n"), "line 4: a closing brace is too many"));
  EXPECT_TRUE(Holds(reason(6, left_over, 6, "void k() {\n  if (x) {\n  }\n  }\n  f();\n}\n"), "line 4:"));
  // Braces in lines of their own, as deep as what they close.
  EXPECT_TRUE(Holds(reason(7, left_over, 7, "void k()\n  {\n  f();\n  }\nvoid g()\n  {}\n}\n"), "line 7:"));
  EXPECT_EQ(reason(2, unknown, 6, early), "") << "another mistake comes first";
  EXPECT_EQ(reason(5, unknown, 5, early), "") << "the compiler is content with the last brace";
  EXPECT_EQ(reason(2, left_over, 2, "void k() {}\n+ 3;\n"), "");
  EXPECT_EQ(reason(5, left_over, 5, "#ifdef A\nvoid k() {\n#else\n#endif\n}\n"), "");
}

TEST(KnownMistakes, AMacroThatEndsWithASemicolon) {
  const char* words = "expected a \"]\"";
  EXPECT_EQ(ReasonAt(2, words, "#define TILE_WIDTH 16;\n__shared__ float t[TILE_WIDTH];\n"),
            "line 1: the macro TILE_WIDTH ends with a semicolon, which the compiler also inserts in line 2. "
            "Remove the semicolon at the end of line 1: a #define has none.");
  EXPECT_TRUE(Holds(ReasonAt(2, words, "# define N (4 * 2) ; // elements\nfloat t[N];\n"), "the macro N"));
  for (const char* source : {"#define N 16\nfloat t[N;\n", "#define END return;\nfloat t[END];\n",
                             "#define P(x) 3;\nt[P(2)];\n", "#define M 16;\nfloat t[N];\n",
                             "#define N\nfloat t[N 3];\n", "#define\nN\n", "// #define N 16;\nt[N 2]\n"}) {
    EXPECT_FALSE(Holds(ReasonAt(2, words, source), "macro")) << source;
  }
}

TEST(KnownMistakes, AFunctionThatEndsWithoutItsValue) {
  EXPECT_EQ(
      ReasonAt(3, "missing return statement at end of non-void function \"warps(int)\"",
               "int warps(int n) {\n  n = 2;\n}\n"),
      "line 3: warps can reach its end without returning a value. End warps with a return statement. Without "
      "one the caller gets an undefined value, which is right only by luck.");
}

TEST(KnownMistakes, AVariableWithTheNameOfALibraryFunction) {
  const auto reason = [](const std::string& name, const std::string& source) {
    return ReasonAt(1, "cannot determine which instance of overloaded function \"" + name + "\" is intended",
                    source);
  };
  EXPECT_EQ(reason("index", "index = row * width + col;"),
            "line 1: index is not declared here as a variable. The compiler knows a library function of that "
            "name. Write its type where index gets its first value, for example: int index = ...;");
  EXPECT_TRUE(Holds(reason("y1", "p[y1] = 2;"), "y1 is not declared here"));
  EXPECT_TRUE(Holds(
      ReasonFor("no instance of overloaded function \"index\" matches the required type", "return index;"),
      "index is not declared here"));
  EXPECT_EQ(reason("index", "p[index] = 2;\nint index(int row) { return row; }"), "") << "the file's own";
  EXPECT_EQ(ReasonFor("no instance of overloaded function \"max\" matches the argument list", "max(a);"), "");
}

TEST(KnownMistakes, AVariableWhoseScopeHasEnded) {
  const auto reason = [](const std::string& name, int line, const std::string& body) {
    return ReasonAt(line, "identifier \"" + name + "\" is undefined",
                    "__global__ void k(int* M, int n) {\n" + body + "}\n");
  };
  EXPECT_EQ(
      reason("sum", 6,
             "  for (int i = 0; i < n; ++i) {\n    int sum = 0;\n    sum += M[i];\n  }\n"
             "  M[0] = sum;\n"),
      "line 6: sum is unknown here: it is declared in line 3, inside braces that end in line 5. Declare "
      "sum before the opening brace in line 2: a variable ends with the braces around it.");
  EXPECT_EQ(reason("i", 3, "  for (int i = 0; i < n; ++i);\n    M[i] = 0;\n"),
            "line 2: the for ends at the semicolon right after its parentheses, so it repeats nothing, and i "
            "is unknown in line 3. Remove that semicolon in line 2.");
  EXPECT_EQ(reason("i", 4, "  for (int i = 0; i < n; ++i)\n    M[i] = 0;\n    M[i] += 2;\n"),
            "line 4: i is unknown here: the for in line 2 declares it, and that loop has ended. If this line "
            "belongs to the loop, put braces around the loop's body. Otherwise declare i above line 2.");
  EXPECT_TRUE(
      Holds(reason("b", 5, "  {\n    float a = 1, b = f(1, 2);\n  }\n  M[0] = b;\n"), "b is unknown"));
  EXPECT_TRUE(Holds(reason("i", 2, "  M[i] = 0;\n  for (int i = 0; i < n; ++i) {\n    M[i] = 1;\n  }\n"),
                    "`i` is not declared in `k`"));
  EXPECT_TRUE(Holds(reason("x", 4, "  {\n    f(a, x, 2);\n  M[x] = 1; }\n"), "`x` is not declared in `k`"))
      << "only used above";
}

TEST(KnownMistakes, ANameOfAnotherFunction) {
  const auto reason = [](int line, const std::string& name, const std::string& source) {
    return ReasonAt(line, "identifier \"" + name + "\" is undefined", source);
  };
  EXPECT_EQ(reason(2, "width",
                   "__global__ void k(const float* M, int n) {\n  if (n < width) M[0];\n}\n"
                   "void f(const float* M,\n       int width) {\n  k<<<1, width>>>(M, width);\n}\n"),
            "line 2: width is unknown in k: it is a parameter of f, in line 5. A function knows only its own "
            "parameters and variables. Use one of those, or give k a parameter width and pass the value.");
  EXPECT_TRUE(Holds(reason(4, "sum", "void f() {\n  { int sum = 2; }\n}\nvoid g() { sum = 3; }"),
                    "sum is unknown in g: it is a variable of f, declared in line 2."));
  EXPECT_TRUE(
      Holds(reason(2, "row", "void f() { for (int row = 0; row < 3; ++row); }\nvoid g() { row = 3; }"),
            "`row` is not declared in `g`. Declare `row` above this line"))
      << "a loop's own";
  EXPECT_EQ(reason(2, "n", "void f(int n) {\n  n = 3; }\n"), "") << "the function's own parameter";
  EXPECT_EQ(reason(1, "n", "int m = n;\n"), "") << "outside of functions";
}

TEST(KnownMistakes, ANameThatIsDeclaredNowhere) {
  const auto reason = [](int line, const std::string& name, const std::string& source) {
    return ReasonAt(line, "identifier \"" + name + "\" is undefined", source);
  };
  EXPECT_EQ(
      reason(2, "width",
             "__global__ void k(const float* M, float* P, int j, int k, int l) {\n  P[j * width] = 2;\n}\n"),
      "line 2: `width` is not declared in `k`. The numbers among the parameters of `k` are j, k, l. Write "
      "the one "
      "that you mean, or declare `width` above this line.");
  EXPECT_TRUE(Holds(reason(2, "twice",
                           "__global__ void k(int* p) {\n  *p = twice(2);\n}\n"
                           "__device__ int twice(int n) { return 2 * n; }\n"),
                    "line 2: twice is called here, but defined only below, in line 4. Move twice above"));
  EXPECT_TRUE(Holds(reason(2, "thrice", "__global__ void k(int* p) {\n  *p = thrice(2);\n}\n"),
                    "line 2: there is no function thrice here."));
  EXPECT_EQ(
      reason(2, "__shfl_down", "__global__ void k(float* p) {\n  p[0] += __shfl_down(p[0], 16);\n}\n"),
      "line 2: __shfl_down is no longer there: since CUDA 9, __shfl_down_sync takes its place, with a mask "
      "of the lanes as its first argument. Write __shfl_down_sync(0xffffffff, p[0], 16); 0xffffffff is the "
      "mask of all 32 lanes.");
  EXPECT_TRUE(Holds(reason(2, "__ballot", "__global__ void k(int* p) {\n  p[0] = __ballot(p[0] > 0);\n}\n"),
                    "Write __ballot_sync(0xffffffff, p[0] > 0);"));
  EXPECT_EQ(reason(2, "Matrix", "void f() {\n  Matrix m;\n}\n"), "") << "a type";
  // The compiler dropped its declaration, for another mistake.
  EXPECT_EQ(reason(3, "d", "void f() {\n  float* d = g;\n  h(d);\n}\n"), "");
  EXPECT_EQ(reason(2, "f", "int main() {\n  std::function<int()> f;\n}\n"), "");
  EXPECT_TRUE(Holds(reason(1, "m", "__global__ void k(float* P, int n, m) {\n}\n"),
                    "line 1: the parameter m has no type."));
  EXPECT_FALSE(Holds(reason(1, "m", "void f() { g(n, m); }\n"), "has no type"));
}

TEST(KnownMistakes, NamesOfTheFileThatAreMisspelled) {
  const auto reason = [](const std::string& name, const std::string& source) {
    return ReasonAt(3, "identifier \"" + name + "\" is undefined", source + "  int n = " + name + ";\n}\n");
  };
  EXPECT_EQ(reason("TILE_WIDHT", "#define TILE_WIDTH 16\nvoid f() {\n"),
            "line 3: TILE_WIDHT is not declared. Did you mean TILE_WIDTH? Write it exactly so.");
  EXPECT_TRUE(Holds(reason("widht", "void f(int width,\nint height) {\n"), "Did you mean width?"));
  EXPECT_TRUE(Holds(reason("Row", "void f(int row,\nint col) {\n"), "Did you mean row?"));
  EXPECT_TRUE(Holds(reason("lenght", "void f(int length,\nint col) {\n"), "Did you mean length?"));
  for (const char* name : {"tileN", "j", "rows2d", "height"})
    EXPECT_TRUE(Holds(reason(name, "void f(int tileM,\nint i, int rows) {\n"), "` is not declared in `f`."))
        << name;
}

TEST(KnownMistakes, AHeaderThatIsNotIncluded) {
  EXPECT_EQ(
      ReasonAt(1, "identifier \"printf\" is undefined", "printf(0);"),
      "line 1: printf is declared in <cstdio>, which the file does not include. Write #include <cstdio> "
      "at the top of the file.");
  EXPECT_TRUE(Holds(ReasonFor("namespace \"std\" has no member \"vector\"", ""), "<vector>"));
  for (const char* name : {"print", "vector", "Printf", "index"})
    EXPECT_EQ(ReasonFor("identifier \"" + std::string(name) + "\" is undefined", ""), "") << name;
}

TEST(KnownMistakes, NamesOfTheLibraryWithoutStd) {
  const auto of = [](const std::string& name, const std::string& line) {
    return ReasonAt(1, "identifier \"" + name + "\" is undefined", line);
  };
  EXPECT_EQ(
      of("cout", "void f() { cout << 1; }"),
      "line 1: cout is in the namespace std. Write std::cout, and #include <iostream> at the top of the "
      "file.");
  EXPECT_TRUE(Holds(of("vector", "void f() { vector<int> v; }"), "Write std::vector"));
  EXPECT_EQ(of("__half", "__half h;"),
            "line 1: __half is declared in <cuda_fp16.h>, which the file does not include. Write #include "
            "<cuda_fp16.h> at the top of the file.")
      << "not half, misspelled";
  // No header brings it into a kernel.
  const std::string told =
      " is on the host. Print with printf, for example: printf(\"%f\\n\", value); and write #include "
      "<cstdio> at the top of the file.";
  EXPECT_TRUE(Holds(of("cout", "__global__ void f() { cout << 1; }"), "<cstdio>"));
  const std::string lacks = "namespace \"std\" has no member \"cout\"";
  EXPECT_EQ(ReasonAt(1, lacks, "__global__ void f(int* p) { if (p) { std::cout << 1; } }"),
            "line 1: device code uses std::cout, which" + told);
  EXPECT_TRUE(Holds(ReasonAt(1, lacks, "__device__ int f() { std::cout << 1; }"), "device code uses"));
  EXPECT_TRUE(Holds(ReasonAt(1, lacks, "void f() { std::cout << 1; }"), "<iostream>"));
  EXPECT_TRUE(Holds(ReasonAt(1, lacks, "__host__ __device__ void f() { std::cout << 1; }"), "<iostream>"));
  EXPECT_TRUE(Holds(ReasonAt(1, "name followed by \"::\" must be a class or namespace name",
                             "auto b = cooperative_groups::this_thread_block();"),
                    "<cooperative_groups.h>"));
}

TEST(KnownMistakes, TheSmallerOfSeveral) {
  const std::string of_min = "no instance of overloaded function \"std::min\" matches the argument list; ";
  EXPECT_TRUE(Holds(ReasonAt(1, of_min + "argument types are: ({...})", "int a = std::min({3, b, 2});"),
                    "line 1: std::min of a list in braces is declared in <algorithm>"));
  EXPECT_TRUE(Holds(ReasonAt(2, of_min + "argument types are: ({...})",
                             "#include <algorithm>\nint a = std::min({3, b, 2u});"),
                    "have different types. Write the type that all shall have, for example: std::min<int>"));
  EXPECT_TRUE(
      Holds(ReasonAt(1, of_min + "argument types are: (int, unsigned int)", "int a = std::min(b, 2u);"),
            "std::min takes two values of one type, but gets the types int and unsigned int here."));
}

TEST(KnownMistakes, AnArgumentOfAnotherType) {
  const std::string file =
      "__global__ void k(const float* __restrict__ M, float* P, int n) {}\n__global__ void r(float** P) {}\n";
  const auto of = [&](const std::string& given, const std::string& wanted, const std::string& line) {
    return ReasonAt(
        3, "argument of type \"" + given + "\" is incompatible with parameter of type \"" + wanted + "\"",
        file + line);
  };
  EXPECT_EQ(
      of("int", "float *", "void f(float* a, int n) { k<<<1, 3>>>(a, n); }"),
      "line 3: k takes 3 arguments, and this call passes 2. Write the arguments in this order: M, P, n.");
  EXPECT_EQ(
      of("const float *", "float *", "void f(const float* a, float* b) { k<<<1, 3>>>(b, a, 4); }"),
      "line 3: a points to const elements, but k may store to its parameter P. If k only reads P, declare "
      "its parameter as const float* P. Otherwise pass the output there.");
  EXPECT_EQ(of("float **", "float *", "void f(float* a) { k<<<1, 3>>>(a, &a, 4); }"),
            "line 3: &a is the address of the pointer a, and k takes the pointer itself (float*). Write a in "
            "place of &a. Only cudaMalloc, which sets the pointer, takes its address.");
  EXPECT_EQ(
      of("float", "float *", "void f(float* a) { k<<<1, 3>>>(a, a[0], 4); }"),
      "line 3: a[0] is one element, but k takes a pointer to the array for its parameter P. Pass the array "
      "itself: a.");
  EXPECT_TRUE(
      Holds(of("float", "float *", "void f(float* a) { k<<<1, 3>>>(a, *a, 4); }"), "*a is one element"));
  EXPECT_EQ(
      of("float *", "float **", "void f(float* a) { r<<<1, 3>>>(a); }"),
      "line 3: a is one array, but the parameter P of r is a pointer to pointers (float**). A matrix is one "
      "array: declare the parameter as float* P, and write `P[(its row) * (elements in a row) + (its "
      "column)]`.");
  EXPECT_EQ(
      of("double *", "const float *", "void f(double* a, float* b) { k<<<1, 3>>>(a, b, 4); }"),
      "line 3: a has the type double*, but the parameter M of k has the type const float*. Pointers are not "
      "converted: declare a and M with the same type.");
  EXPECT_EQ(of("int", "const float *", "void f(float* a, int n) { k<<<1, 3>>>(n, a, a); }"),
            "line 3: n has the type int, but the parameter M of k has the type const float*. Write the "
            "arguments in "
            "this order: M, P, n.");
  // Nothing is known of the function, or no argument is of that type.
  EXPECT_EQ(of("int", "float *", "void f(int n) { other(n); }"), "");
  EXPECT_EQ(of("char", "float *", "void f(float* a, float* b) { k<<<1, 3>>>(a, b, 4); }"), "");
}

TEST(ExchangedArguments, AreSeenByTheirNames) {
  const auto found = [](const std::string& call) {
    const auto one = FindExchangedArguments(
        "__global__ void k(const float* X, float* Y, int rows, int columns, float* Z) {}\n"
        "void f(const float* X, float* Y, float* Z, int rows, int columns) {\n  " +
        call + "\n}\n");
    return one ? one->function + " " + one->first + " " + one->second + " " + std::to_string(one->line) : "";
  };
  EXPECT_EQ(found("k<<<1, 2>>>(X, Y, columns, rows, Z);"), "k columns rows 3");
  EXPECT_EQ(found("k<<<1, 2>>>(X, Z, rows, columns, Y);"), "k Z Y 3");
  EXPECT_EQ(found("k<<<1, 2>>>(X, Y, rows, columns, Z);"), "");
  EXPECT_EQ(found("k<<<1, 2>>>(X, Z, columns, rows, Y);"), "") << "two pairs are meant";
  EXPECT_EQ(found("k<<<1, 2>>>(X, Y, columns, rows + 1, Z);"), "");
  EXPECT_EQ(found("k<<<1, 2>>>(Y, X, rows, columns, Z);"), "") << "the compiler refuses it";
  const auto rotated = [](const std::string& arguments) {
    const auto one = FindExchangedArguments(
        "__global__ void k(float* P, int j, int k, int l) {}\n"
        "void f(float* P, int j, int k, int l) { k<<<1, 2>>>(" +
        arguments + "); }\n");
    return one ? one->passed + " for " + one->taken : "";
  };
  EXPECT_EQ(rotated("P, k, l, j"), "k, l, j for j, k, l");
  EXPECT_EQ(rotated("P, j, k, l"), "");
  EXPECT_EQ(rotated("P, k, l, l"), "");
}

TEST(KnownMistakes, AVectorForAPointer) {
  const std::string words =
      "no suitable conversion function from \"std::vector<float, std::allocator<float>>\" to \"const float "
      "*\" exists";
  EXPECT_EQ(
      ReasonAt(
          2, words,
          "__global__ void k(const float* M, int n) {}\nvoid f(std::vector<float> a) { k<<<1, 3>>>(a, 3); }"),
      "line 2: a is a std::vector, in host memory; k takes a pointer to device memory. Allocate device "
      "memory "
      "with cudaMalloc, copy a.data() there with cudaMemcpy, and pass that pointer.");
  EXPECT_EQ(
      ReasonAt(
          1,
          "no suitable conversion function from \"std::vector<float, std::allocator<float>>\" to \"const "
          "void *\" exists",
          "void f(float* d, std::vector<float> a) { cudaMemcpy(d, a, 12, cudaMemcpyHostToDevice); }"),
      "line 1: a is a std::vector, and cudaMemcpy takes a pointer. Write a.data().");
}

TEST(KnownMistakes, AnAddressThatIsMissing) {
  const auto of = [](const std::string& name, const std::string& types, const std::string& line) {
    return ReasonAt(1,
                    "no instance of overloaded function \"" + name +
                        "\" matches the argument list; argument types are: (" + types + ")",
                    line);
  };
  EXPECT_EQ(
      of("cudaMalloc", "float *, unsigned long", "void f(float* d) { cudaMalloc(d, 4); }"),
      "line 1: cudaMalloc sets the pointer d, so it takes the pointer's address. Write &d in place of d.");
  EXPECT_EQ(of("atomicAdd", "float, float", "void f(float* P, int i) { atomicAdd(P[i], 2.0f); }"),
            "line 1: atomicAdd takes the address of an element, and P[i] is its value. Write &P[i] in place "
            "of P[i].");
  EXPECT_EQ(
      of("atomicAdd", "float, float", "void f(float* P) { atomicAdd(*P, 2.0f); }"),
      "line 1: atomicAdd takes the address of an element, and *P is its value. Write P in place of *P.");
  EXPECT_TRUE(Holds(of("atomicAdd", "float, float", "void f(float* P, int i) { atomicAdd(*(P + i), 2.0f); }"),
                    "Write P + i in place of"));
  EXPECT_TRUE(
      Holds(of("atomicAdd", "const float *, float", "void f(const float* P) { atomicAdd(&P[2], 2.0f); }"),
            "P is const here"));
  EXPECT_EQ(of("cudaEventCreate", "cudaEvent_t", "void f() { cudaEvent_t e; cudaEventCreate(e); }"),
            "line 1: `cudaEventCreate` stores its result in `e`, so it takes the address of `e`. Write &e in "
            "place of e.");
  EXPECT_EQ(of("atomicAdd", "float *, float2", "void f(float* P) { atomicAdd(P, x); }"), "");
  EXPECT_EQ(of("g", "float, float", "void f(float* P) { g(P[0], 2.0f); }"), "");
}

TEST(KnownMistakes, AValueOfAnotherType) {
  const auto of = [](const std::string& given, const std::string& wanted, const std::string& line) {
    return ReasonAt(
        1, "a value of type \"" + given + "\" cannot be assigned to an entity of type \"" + wanted + "\"",
        line);
  };
  const auto first = [](const std::string& given, const std::string& wanted, const std::string& line) {
    return ReasonAt(
        1,
        "a value of type \"" + given + "\" cannot be used to initialize an entity of type \"" + wanted + "\"",
        line);
  };
  EXPECT_EQ(of("float", "float *", "void f(float* A, float* C, int i) { C = A[i] + 1; }"),
            "line 1: C is the whole array, and this line assigns one value to it. Write the element's index: "
            "C[...] = "
            "...");
  EXPECT_EQ(first("float *", "float", "void f(float* A, int i) { float x = A; }"),
            "line 1: A is the whole array, and this line needs one of its elements. Write the element's "
            "index: A[...].");
  EXPECT_EQ(first("cudaError_t", "float *", "void f() { float* d = cudaMalloc(&d, 12); }"),
            "line 1: cudaMalloc returns an error code. cudaMalloc stores the address of the new memory "
            "itself: write "
            "cudaMalloc(&d, bytes).");
  EXPECT_TRUE(
      Holds(ReasonAt(1,
                     "a value of type \"cudaError_t\" (aka \"cudaError\") cannot be assigned to an entity of "
                     "type \"float *\"",
                     "void f(float* d) { d = cudaMalloc(&d, 12); }"),
            "cudaMalloc(&d, bytes)"))
      << "with another name of the type";
  EXPECT_EQ(first("void *", "float *", "void f() { float* h = malloc(12); }"),
            "line 1: malloc returns a void*, which C++ does not convert to float* by itself. Write the type "
            "before it: "
            "(float*)malloc(...). Or use a std::vector.");
  EXPECT_TRUE(Holds(first("void", "float", "void f(float* d) { float s = k<<<1, 1>>>(d); }"),
                    "a kernel cannot return a value. Let it store the result through a pointer"));
  EXPECT_EQ(first("const float *", "float *", "void f(const float* P, int n) { float* q = P + n; }"),
            "line 1: q may store to elements that are const. Declare q as const float*, if it only reads.");
  for (const char* line : {"void f() { g(); }", "void f(float* C) { *C = x; }"})
    EXPECT_EQ(of("Matrix", "float", line), "") << line;
  EXPECT_EQ(first("void", "float", "void f() { float s = g(); }"), "");
}

TEST(KnownMistakes, OperandsThatAreNoNumbers) {
  const char *integral = "expression must have integral or unscoped enum type",
             *arithmetic = "expression must have arithmetic or unscoped enum type";
  const auto of = [](const char* words, const std::string& body) {
    return ReasonAt(1, words, "void f(float* A, float* B, float* C, float x, int n) { " + body + " }");
  };
  EXPECT_TRUE(Holds(of(integral, "C[0] = A + B;"), "line 1: A is the whole array, and this line needs one"));
  EXPECT_TRUE(Holds(of(arithmetic, "C[0] = A * B;"), "is the whole array"));
  EXPECT_TRUE(Holds(of(arithmetic, "C[n] = C[n] + 2 * B;"), "B is the whole array"));
  EXPECT_TRUE(
      Holds(of(integral, "C[0] = A[0] % 3;"), "% takes integers, and one side of it is a float here."));
  EXPECT_TRUE(Holds(of(integral, "C[x] = 3;"), "the index x is a float"));
  EXPECT_EQ(of(integral, "C[n] = *(A + n) + (x << 3);"), "") << "a pointer and a number have a sum";
}

TEST(KnownMistakes, AReturnWithAValue) {
  const char* words = "return value type does not match the function type";
  EXPECT_EQ(ReasonAt(2, words, "__global__ void k(float* P) {\n  return P[0];\n}\n"),
            "line 2: a kernel cannot return a value. Store the result through a pointer. To end the kernel "
            "early, write "
            "return; without a value.");
  EXPECT_TRUE(Holds(ReasonAt(2, words, "void f(float* P) {\n  return P[0];\n}\n"),
                    "line 2: f is void, but returns a value here."));
  EXPECT_EQ(ReasonAt(2, words, "int f(float* P) {\n  return P;\n}\n"), "");
}

TEST(KnownMistakes, AResultWithoutItsAddress) {
  const auto of = [](const std::string& type, const std::string& wanted, const std::string& line) {
    return ReasonAt(
        1, "argument of type \"" + type + "\" is incompatible with parameter of type \"" + wanted + "\"",
        line);
  };
  EXPECT_EQ(of("int", "int *", "int main() { int count; cudaGetDeviceCount(count); }"),
            "line 1: `cudaGetDeviceCount` stores its result in `count`, so it takes the address of `count`. "
            "Write &count in place of count.");
  EXPECT_TRUE(Holds(of("int", "int *", "int main() { int m; cudaDeviceGetAttribute(m, a, 0); }"), "&m"));
  EXPECT_TRUE(Holds(
      of("cudaStream_t", "cudaStream_t *", "int main() { cudaStream_t s; cudaStreamCreate(s); }"), "&s"));
  EXPECT_TRUE(
      Holds(ReasonAt(1,
                     "no suitable conversion function from \"cudaDeviceProp\" to \"cudaDeviceProp *\" "
                     "exists",
                     "int main() { cudaDeviceProp p; cudaGetDeviceProperties(p, 0); }"),
            "&p"));
  EXPECT_EQ(of("int", "int *", "int main() { int n; mine(n); cudaGetDeviceCount(&n); }"), "");
  EXPECT_EQ(of("float", "int *", "int main() { float n; cudaGetDeviceCount(n); }"), "");
}

TEST(KnownMistakes, AtomicFunctionsOfUnsignedNumbers) {
  const auto of = [](const std::string& line) {
    return ReasonAt(1, "argument of type \"int *\" is incompatible with parameter of type \"unsigned int *\"",
                    line);
  };
  EXPECT_EQ(of("__global__ void k(int* p) { atomicInc(&p[i], 1); }"),
            "line 1: `atomicInc` works only on unsigned int, not on int. To add 1, write `atomicAdd(&p[i], "
            "1)`. The second argument of `atomicInc` is a limit, not what it adds.");
  EXPECT_TRUE(
      Holds(of("__global__ void k(int* p) { atomicDec(p, 1); }"), "To add -1, write `atomicAdd(p, -1)`"));
  EXPECT_FALSE(Holds(of("__global__ void k(int* p) { f(p); }"), "atomic"));
}

TEST(KnownMistakes, DeclarationsThatLackAPart) {
  const std::string many = "too many initializer values",
                    typeless = "explicit type is missing (\"int\" assumed)";
  EXPECT_EQ(
      ReasonAt(1, many, "const int grid((l + 15) / 16, j);\nk<<<grid, 256>>>(p);"),
      "line 1: `grid` has the type int, which holds one number, but gets several here. The launch takes "
      "`grid` as a size: write `dim3 grid(...)`.");
  EXPECT_EQ(ReasonAt(1, many, "const int grid(2, j);\nk<<<blocks, 256>>>(grid);"), "");
  EXPECT_EQ(ReasonAt(1, many, "int a[2] = {1, 2, 3};\nk<<<2, 256>>>(p);"), "");
  EXPECT_EQ(ReasonAt(2, typeless, "\n__global__ scale(float* x) {"),
            "line 2: the kernel `scale` lacks its return type, which is void. Write `__global__ void "
            "scale(...)`.");
  EXPECT_EQ(ReasonAt(1, typeless, "const n = 3;"), "");
}

TEST(KnownMistakes, DeclarationsThatAreRefused) {
  EXPECT_EQ(ReasonAt(3, "\"i\" has already been declared in the current scope",
                     "void f() {\n  int i = 0;\n  int i = 1;\n}\n"),
            "line 3: i is declared a second time; the first time is in line 2. If both are one variable, "
            "leave out the "
            "type here. Otherwise give one another name.");
  EXPECT_TRUE(
      Holds(ReasonAt(1, "initializer not allowed for __shared__ variable ", "__shared__ float sum = 0;"),
            "line 1: the shared variable sum is given a value"));
  EXPECT_TRUE(
      Holds(ReasonAt(1, "initializer not allowed for __shared__ variable ", "__shared__ float t[4] = {0};"),
            "each thread store its elements of t"));
  EXPECT_TRUE(
      Holds(ReasonAt(2, "expected a \";\"", "int main() {\n  __global__ void k(float* P) { P[0] = 3; }\n}\n"),
            "line 2: the function k is defined inside of main. Move k out of main"));
  EXPECT_EQ(ReasonAt(2, "expected a \";\"", "int main() {\n  if (x) { y = 2 }\n}\n"), "");
  EXPECT_TRUE(Holds(ReasonAt(1, "missing closing quote", "int main() { printf(\"hallo); }\n"),
                    "line 1: the closing quote is missing"));
}

TEST(KnownMistakes, WhatOnlyTheHostHas) {
  const auto message = [](const std::string& function) {
    return "calling a __host__ function(\"" + function +
           "\") from a __global__ function(\"k\") is not allowed";
  };
  EXPECT_EQ(ReasonFor(message("std::vector<float, ::std::allocator<float> > ::operator [](unsigned long)"),
                      "P[0];"),
            "line 1: device code uses std::vector, which is on the host.");
  EXPECT_EQ(ReasonAt(1, message("std::basic_ostream<char, std::char_traits<char> > ::operator <<(float)"),
                     "std::cerr << P[0];"),
            "line 1: device code uses std::cerr, which is on the host. Print with printf, for example: "
            "printf(\"%f\\n\", value);");
  EXPECT_TRUE(Holds(AdviceOn(message("cudaDeviceSynchronize")), "__syncthreads()"));
  EXPECT_TRUE(Holds(AdviceOn(message("cudaMemcpy(void *, const void *)")), "Call cudaMemcpy in host code"));
  const auto once = RecogniseMistakes(
      {ErrorIn(1, message("add(int, int)")), ErrorIn(1, "identifier \"add\" is undefined in device code")},
      "*P = add(2, 3);\n", "mine.cu");
  EXPECT_EQ(once.size(), 1u);
}

TEST(KnownMistakes, ASubscriptOfANumber) {
  const char* words = "expression must have pointer-to-object type but it has type \"float\"";
  const auto told = [&](const std::string& source) {
    const auto found = RecogniseMistake({ErrorIn(2, words)}, source);
    return found ? English(found->reason) + " " + English(found->next_step) : "";
  };
  EXPECT_EQ(
      told("void k() { float sum = 0.0f;\nsum[c] += 1; }"),
      "line 2: `sum` is one float (line 1), not an array. If it should be an array, write `float "
      "sum[...]` in line 1, with the number of elements in brackets. If not, leave out its subscript here.");
  for (const char* const declared : {"unsigned int sum;", "const unsigned int a = 0, sum = 1;"})
    EXPECT_TRUE(Holds(told("void k() { " + std::string(declared) + "\nout[0] = sum[c]; }"),
                      "`sum` is one unsigned int (line 1)"))
        << declared;
  EXPECT_TRUE(Holds(told("void k(const float* M, float P, int n) {\nP[n] = M[n]; }"),
                    "If it should be an array, write `float* P` in line 1."));
  EXPECT_EQ(told("__global__ void k() { extern __shared__ int tile;\ntile[threadIdx.x] = 1; }"),
            "line 2: `tile` is declared without [] in line 1, so it is no array. In line 1, write `extern "
            "__shared__ int tile[];`.");
  for (const char* const other :
       {"void k(float* sum) {\nsum[0][1] = 2; }", "void k() { float sum[4];\nsum[0] = row.sum[1]; }",
        "void k() { float sum = 1; { float sum[3];\nsum[1] = 2; } }",
        "void k() { auto sum = f();\nsum[1] = 2; }", "void k() { float x = 2 * sum;\nsum[1] = 2; }"})
    EXPECT_FALSE(Holds(told(other), "is one ")) << other;
}

TEST(KnownMistakes, AnArrayThatLacksItsSecondDimension) {
  const char* words = "expression must have pointer-to-object type but it has type \"float\"";
  const auto told = [&](const std::string& declaration) {
    const auto found = RecogniseMistake(
        {ErrorIn(2, words)}, "void k() { " + declaration + "\nMds[ty][tx] = M[row * width + tx]; }");
    return found ? English(found->next_step) : "";
  };
  EXPECT_EQ(told("__shared__ float Mds[TILE_WIDTH];"),
            "The declaration in line 1 is `Mds[TILE_WIDTH]`: add the second dimension there, "
            "`Mds[TILE_WIDTH][...]`, or use "
            "one index here.");
  for (const char* const one : {"__shared__ float Mds[TILE * TILE];", "extern __shared__ float Mds[];"})
    EXPECT_TRUE(told(one).starts_with("Write one index")) << one;
}

TEST(KnownMistakes, MoreSubscriptsThanDimensions) {
  const char* words = "expression must have pointer-to-object type but it has type \"float\"";
  const auto reason = [&](const std::string& source) { return ReasonAt(2, words, source); };
  EXPECT_EQ(reason("void k(const float* __restrict__ M, int n) {\n  float s = M[row + 1][i];\n}"),
            "line 2: M has one dimension, but two subscripts here. Write one index: "
            "`M[(row + 1) * (elements in a row) + i]`.");
  EXPECT_TRUE(Holds(reason("__shared__ float t[16];\nt[ty][tx] = 2 * n;"), "t has one dimension"));
  for (const char* source :
       {"__shared__ float t[16][4];\nt[ty][tx][0] = 2;", "float x = 2 * t[2];\nt[3][4] = 2;",
        "float* t;\nfloat u[4]; t[3] = s[2];", "void f(float* t) {} float t[2][3];\nt[2][3][4] = 2;",
        "float* p[3];\np[1][2][3] = 1;"}) {
    EXPECT_EQ(reason(source), "") << source;
  }
}

TEST(KnownMistakes, AnIndexWithoutItsPart) {
  const char* words =
      "no operator \"*\" matches these operands; operand types are: const uint3 * const unsigned int";
  EXPECT_EQ(ReasonAt(1, words, "int i = blockIdx * blockDim.x + threadIdx.x;"),
            "line 1: blockIdx has the parts x, y and z, and this line names none of them. Write blockIdx.x, "
            "blockIdx.y or blockIdx.z.");
  EXPECT_TRUE(
      Holds(ReasonFor("no operator \"[]\" matches these operands; operand types are: int * [ const uint3 ]",
                      "M[threadIdx] = 2;"),
            "threadIdx has the parts"));
  EXPECT_EQ(ReasonAt(1, words, "f(blockIdx); g(a * b);"), "");
  EXPECT_EQ(ReasonAt(1, words, "int i = blockIdx.x * grid;"), "");
  EXPECT_EQ(ReasonFor("expected an expression", "int i = blockIdx * 3;"), "");
}

TEST(KnownMistakes, ASharedArrayWithoutASize) {
  const char* words = "incomplete type \"int []\" is not allowed";
  EXPECT_EQ(
      ReasonAt(1, words, "__shared__ int tile[];"),
      "line 1: the shared array tile has no size, and extern is missing, too. Use a constant size, or a "
      "dynamic array: declare extern __shared__ with tile[] and pass its bytes as the third value in "
      "<<<...>>>.");
  EXPECT_EQ(ReasonFor(words, "extern __shared__ int tile[]; int other[];"), "");
  EXPECT_EQ(ReasonFor(words, "int tile[];"), "");
}

TEST(KnownMistakes, MoreSharedMemoryThanAKernelMayDeclare) {
  const std::string words =
      "ptxas says: Entry function 'void k<4>(float*)' uses too much shared data (0x28000 bytes, ";
  const std::string source =
      "\ntemplate <int N>\n__global__ void k(float* M) { __shared__ float t[160][256]; }\n";
  const auto found = RecogniseMistake({ErrorIn(0, words + "0xc000 max)")}, source);
  ASSERT_TRUE(found);
  EXPECT_EQ(
      English(found->reason),
      "line 3: the arrays of k take 163840 bytes of shared memory, but those of a constant size may take "
      "49,152 at most.");
  EXPECT_TRUE(Holds(English(found->next_step), "extern __shared__, and cudaFuncSetAttribute"));
  EXPECT_EQ(ReasonFor(words, "void g() {}"), "");
}

TEST(KnownMistakes, WordsThatNobodyKnowsStandAlone) {
  for (const char* words :
       {"", "something new", "calling a __host__ function", "identifier \"",
        "class \"std::", "from a __host__ function(\"", ": No such file", "no such file"}) {
    EXPECT_EQ(ReasonFor(words, "k<<<1, 1>>>();"), "") << words;
    EXPECT_EQ(ReasonFor(words, ""), "") << words;
  }
  EXPECT_FALSE(RecogniseMistake({}, ""));
}

TEST(KnownMistakes, OnlyWhatIsNewInTheStandardIsCalledNew) {
  EXPECT_TRUE(Holds(ReasonFor("namespace \"std\" has no member \"span\"", ""), "std::span needs C++20"));
  EXPECT_EQ(ReasonFor("namespace \"std\" has no member \"vectr\"", ""), "");
  EXPECT_TRUE(Holds(ReasonFor("format: No such file or directory", ""), "<format> needs C++20"));
  EXPECT_FALSE(Holds(ReasonFor("mine.h: No such file or directory", ""), "C++20"));
}

TEST(KnownMistakes, AHeaderThatIsNotFound) {
  EXPECT_EQ(ReasonAt(1, "rect_matmul.hh: No such file or directory", "#include \"rect_matmul.hh\""),
            "line 1: the compiler finds no file rect_matmul.hh. Check its spelling, also its ending, such as "
            ".h or .cuh.");
  EXPECT_EQ(ReasonAt(1, "cstdoi: No such file or directory", "#include <cstdoi>"),
            "line 1: the compiler finds no file cstdoi. Did you mean cstdio? Write it exactly so.");
}

TEST(KnownMistakes, PropertiesOfADevice) {
  const auto of = [](const std::string& name) {
    return ReasonAt(1, "class \"cudaDeviceProp\" has no member \"" + name + "\"", "x = p." + name + ";");
  };
  EXPECT_EQ(
      of("clockRate"),
      "line 1: `cudaDeviceProp` has no `clockRate` since CUDA 13. Write `cudaDeviceGetAttribute(&value, "
      "cudaDevAttrClockRate, device)` with an int `value`.");
  EXPECT_TRUE(Holds(of("memoryClockRate"), "cudaDevAttrMemoryClockRate"));
  EXPECT_TRUE(Holds(of("deviceOverlap"), "cudaDevAttrGpuOverlap"));
  EXPECT_TRUE(Holds(of("computeMode"), "cudaDevAttrComputeMode"));
  EXPECT_TRUE(Holds(of("kernelExecTimeoutEnabled"), "cudaDevAttrKernelExecTimeout"));
  EXPECT_EQ(of("sharedMemPerMultiProcessor"),
            "line 1: `cudaDeviceProp` has no `sharedMemPerMultiProcessor`. Did you mean "
            "sharedMemPerMultiprocessor? Write it exactly so: capital letters and underscores count.");
  EXPECT_EQ(of("nothingOfTheKind"), "");
  EXPECT_EQ(ReasonAt(1, "class \"Mine\" has no member \"clockRate\"", "x = p.clockRate;"), "");
}

TEST(KnownMistakes, LibrariesAreFoundByTheirIncludes) {
  const auto reason = [](const char* source) {
    const auto found = FindKernelLibrary(source);
    return found ? English(found->reason) : "";
  };
  EXPECT_TRUE(Holds(reason("\n#include <cub/cub.cuh>\n"), "line 2: the file includes CUB"));
  EXPECT_TRUE(Holds(reason("# include \"thrust/sort.h\""), "Thrust"));
  for (const char* source : {"// #include <cub/cub.cuh>", "#include <cuda_runtime.h>", "#include", "cub::Sum",
                             "#include <cubic.h>"}) {
    EXPECT_EQ(reason(source), "") << source;
  }
}

}  // namespace
TEST(KnownMistakes, AWholeArrayWhereAnElementIsNeeded) {
  const std::string lvalue = "expression must be a modifiable lvalue";
  const std::string assigned =
      "a value of type \"float *\" cannot be assigned to an entity of type \"float\"";
  const std::string told =
      "line 2: `sum` is a whole array (`sum[4]` in line 1), and this line needs one of its "
      "elements. Say which element: `sum[...]`.";
  EXPECT_EQ(ReasonAt(2, lvalue, "void f() { float sum[4] = {};\nsum += 2 * x; }"), told);
  EXPECT_EQ(ReasonAt(2, assigned, "void f() { float sum[4] = {};\nP[row * n] = sum; }"), told);
  EXPECT_FALSE(Holds(ReasonAt(2, lvalue, "void f() { const float sum = 1;\nsum += 2; }"), "whole array"));
  EXPECT_EQ(
      ReasonAt(1, "initialization with \"{...}\" expected for aggregate object", "float sum[N] = 0.0f;"),
      "line 1: `sum` is an array, and one number cannot initialise it. Write `sum[N] = {}`, which sets all "
      "elements to 0. Set other values in a loop.");
}

TEST(KnownMistakes, AnArrayWithParentheses) {
  const std::string words =
      "expression preceding parentheses of apparent call must have (pointer-to-) function type";
  EXPECT_EQ(
      ReasonAt(2, words, "__shared__ float Nds[4][4];\nsum += 2 * Nds(k + 1, tx);"),
      "line 2: `Nds` is an array, but it has parentheses behind it like a function. Write the subscripts in "
      "brackets: `Nds[k + 1][tx]`.");
  EXPECT_EQ(ReasonAt(2, words, "void f(int n) {\nint i = n(2); }"), "");
}

TEST(KnownMistakes, PartsInCapitalLetters) {
  EXPECT_EQ(ReasonAt(1, "class \"uint3\" has no member \"Y\"", "int row = blockIdx.Y * threadIdx.x;"),
            "line 1: `blockIdx` has no part `Y`. Write `blockIdx.y`, with a small letter.");
  EXPECT_EQ(ReasonAt(1, "class \"dim3\" has no member \"w\"", "int row = grid.w;"),
            "line 1: `grid` has no part `w`. Its parts are x, y and z.");
}

TEST(KnownMistakes, ACommaInTheHeadOfALoop) {
  const std::string told =
      "line 1: the head of this `for` needs two semicolons, and one of them is a comma. Write a "
      "semicolon before and after the condition.";
  EXPECT_EQ(ReasonAt(1, "expected a \";\"", "for (int i = 0; i < f(a, n), ++i) {"), told);
  const std::string twice = "\"k\" has already been declared in the current scope";
  EXPECT_TRUE(Holds(ReasonAt(1, twice, "for (int k = 0, k < n, ++k) {"),
                    "needs two semicolons, and it has commas there. Write a semicolon before"));
  EXPECT_TRUE(Holds(ReasonAt(1, twice, "int k = 0; int k = 1; for (int i = 0, j = 1; i < n; ++i) {"),
                    "declared a second time"));
  EXPECT_EQ(ReasonAt(1, "expected a \";\"", "for (int i = 0, j = 1; i < n; ++i) int k = 2 int m;"), "");
}

TEST(KnownMistakes, AMacroThatBeginsWithEquals) {
  EXPECT_EQ(ReasonAt(3, "expected an expression", "#define TILE = 32\n#define K 2\nfloat t[TILE];"),
            "line 1: the text of the macro `TILE` begins with =, which gets into line 3, too. Write `#define "
            "TILE 32`, "
            "without the =.");
  EXPECT_EQ(ReasonAt(2, "expected an expression", "#define TILE = 32\nfloat t[K];"), "");
}

TEST(KnownMistakes, ALambdaForTheDevice) {
  EXPECT_EQ(
      ReasonAt(2, "__host__ or __device__ annotation on lambda requires --extended-lambda nvcc flag",
               "int k = 3;\napply<<<1, 128>>>(a, [=] __device__(int x) { return x + k; });"),
      "line 2: a lambda with `__device__` needs nvcc's option --extended-lambda. Write a struct with "
      "`__device__` on its operator() instead. In a program of your own you can add the option: warplings "
      "cc --nvcc-options \"--extended-lambda\" FILE.cu");
}

TEST(KnownMistakes, AnExternArrayWithoutShared) {
  EXPECT_EQ(
      ReasonAt(2, "identifier \"tile\" is undefined in device code", "extern int tile[];\ntile[t] = 1;"),
      "line 1: the array tile is declared extern, but not __shared__, so it lies on the host. Write `extern "
      "__shared__ int tile[];`");
  EXPECT_TRUE(
      Holds(ReasonAt(2, "identifier \"tile\" is undefined in device code", "int tile[4];\ntile[t] = 1;"),
            "Pass the value as an argument"));
}

}  // namespace warplings::known_mistakes_test
