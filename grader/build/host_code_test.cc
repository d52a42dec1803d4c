// SPDX-License-Identifier: Apache-2.0
#include "grader/build/host_code.h"

#include <gtest/gtest.h>

#include "grader/messages/findings.h"
#include "grader/messages/host_code.h"
#include "grader/messages/refusals.h"

namespace warplings {
namespace {

std::optional<int> LineOfCall(const std::string& source, const std::string& function) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  finding.message = say::refused(function, say::wrong_direction());
  return LineOfRefused(source, finding);
}

TEST(HostCode, ACallThatIsTheOnlyOneOfItsName) {
  EXPECT_EQ(LineOfCall("\n  CHECK(cudaMemcpy(a, b, 4, cudaMemcpyHostToDevice));\n  cudaMemset(a, 0, 4);\n}",
                       "cudaMemcpy"),
            2);
  EXPECT_EQ(LineOfCall("// cudaFree(a);\ncudaFree(b);", "cudaFree"), 2);
  EXPECT_EQ(LineOfCall("cudaMemcpyAsync(a, b, 4, d, s);", "cudaMemcpy"), 1);
  for (const char* source :
       {"cudaFree(a);\ncudaFree(b);", "", "// cudaFree(a);", "cudaFree(a);\ncudaFreeHost(b);",
        "auto release = cudaFree; release(a); cudaFree(b);"}) {
    EXPECT_FALSE(LineOfCall(source, "cudaFree")) << source;
  }
}

TEST(HostCode, ACopyWhoseDirectionNeedsDeviceMemory) {
  const std::string begin =
      "int main() { float *h, *d, *e; cudaMalloc(&d, 4); cudaMalloc(&e, 4);\n"
      "cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice);\n";
  EXPECT_EQ(LineOfCall(begin + "cudaMemcpy(h, e, 4, cudaMemcpyHostToDevice); }", "cudaMemcpy"), 3);
  EXPECT_EQ(LineOfCall(begin + "\ncudaMemcpy(e, h, 4, cudaMemcpyDeviceToHost); }", "cudaMemcpy"), 4);
  EXPECT_EQ(LineOfCall(begin + "cudaMemcpy(h, e, 4, cudaMemcpyDeviceToHost); }", "cudaMemcpy"), std::nullopt);
  EXPECT_EQ(LineOfCall(begin + "cudaMemcpy(h, e, 4, how); }", "cudaMemcpy"), std::nullopt);
  EXPECT_EQ(LineOfCall(begin + "cudaMemcpy(h + 1, e, 4, cudaMemcpyHostToDevice); }", "cudaMemcpy"),
            std::nullopt);
  EXPECT_EQ(LineOfCall(begin + "cudaMemcpyAsync(h, e, 4, cudaMemcpyHostToDevice); }", "cudaMemcpy"),
            std::nullopt);
  EXPECT_EQ(LineOfCall(begin + "cudaMemcpy(", "cudaMemcpy"), std::nullopt);
}

TEST(HostCode, ThePointerWhoseOwnAddressIsPassed) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  finding.where.line = 2;
  finding.message = say::refused("cudaMemset", say::not_live_memory());
  const std::string begin = "void f(float* output, int n) {\n";
  EXPECT_EQ(
      English(WhyRefused(begin + "cudaMemset(&output, 0, 4); }", finding)),
      "`&output` is the address of the variable `output`, in host memory. Write `output`, the address in "
      "device memory.");
  EXPECT_EQ(English(WhyRefused(begin + "cudaMemset(output, 0, 4); }", finding)), "");
  EXPECT_EQ(English(WhyRefused(begin + "cudaMemset(&n, 0, 4); }", finding)), "") << "no pointer";
}

TEST(HostCode, TheAllocationThatIsNeverFreed) {
  Finding finding;
  finding.kind = FindingKind::kLeak;
  finding.message = say::leak_of_one(say::Count(1, "allocation"), say::Count(4, "byte"), "cudaMalloc");
  const std::string two = "cudaMalloc(&a, 4);\ncudaMalloc((void**)&b, 4);\n";
  EXPECT_EQ(LineOfRefused(two + "cudaFree(a);", finding), 2);
  EXPECT_EQ(LineOfRefused("cudaMalloc(&a, 4);", finding), 1);
  EXPECT_EQ(LineOfRefused(two, finding), std::nullopt) << "either";
  EXPECT_EQ(LineOfRefused(two + "cudaFree(c);", finding), std::nullopt) << "another name for one of them";
  EXPECT_EQ(LineOfRefused(two + "cudaFree(a[1]);", finding), std::nullopt);
  EXPECT_EQ(LineOfRefused(two + "cudaMalloc(&a, 8);\ncudaFree(a);", finding), std::nullopt);
  finding.message = say::leak_of_several(say::Count(2, "allocation"), say::Count(8, "byte"), "cudaMalloc");
  EXPECT_EQ(LineOfRefused(two + "cudaFree(a);", finding), std::nullopt);
}

TEST(HostCode, AllPointersThatAreNeverFreed) {
  const auto unfreed = [](const std::string& source) {
    std::string all;
    for (const UnfreedPointer& each : FindUnfreed(source)) all += each.pointer + std::to_string(each.line);
    return all;
  };
  const std::string three = "cudaMalloc(&c, 4);\ncudaMalloc(&a, 4); cudaMallocManaged(&b, 4);\n";
  EXPECT_EQ(unfreed(three), "c1a2b2");
  EXPECT_EQ(unfreed(three + "cudaFree(a);"), "c1b2");
  EXPECT_EQ(unfreed(three + "CHECK(cudaFree(a)); cudaFree(b); cudaFree(c);"), "");
  EXPECT_EQ(unfreed(three + "free_all(cudaFree);"), "") << "it may free any of them";
  EXPECT_EQ(unfreed(three + "for (float* p : all) cudaFree(p);"), "");
}

TEST(HostCode, ACopyThatIsTheOnlyOneOfItsDirection) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  const auto line = [&](const std::string& source, const std::string& call) {
    finding.message = say::refused(call, say::unknown_kernel());
    return LineOfRefused(source, finding);
  };
  const std::string there = "cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice);\n",
                    back = "cudaMemcpy(h, d, 4 * 1000, cudaMemcpyDeviceToHost);\n";
  EXPECT_EQ(line(there + back, "cudaMemcpy to the host"), 2);
  EXPECT_EQ(line(there + back, "cudaMemcpy to the device"), 1);
  for (const std::string& more : {back, std::string("cudaMemcpy(h, e, 4, kind);"),
                                  std::string("cudaMemcpy(h, e, 4, cudaMemcpyDefault);"),
                                  std::string("cudaMemcpyAsync(h, e, 4, cudaMemcpyDeviceToHost, s);")})
    EXPECT_EQ(line(there + back + more, "cudaMemcpy to the host"), std::nullopt) << more;
}

TEST(HostCode, ACopyOfAVectorHasTheDirectionThatFits) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  finding.message = say::refused("cudaMemcpy", say::wrong_direction());
  const std::string begin =
      "int main() { std::vector<float> a(n), c(n); float *da, *dc; cudaMalloc(&da, n * 4); cudaMalloc(&dc, n "
      "* 4);\n"
      "cudaMemcpy(da, a.data(), n * 4, cudaMemcpyHostToDevice);\n";
  const std::string wrong = begin + "cudaMemcpy(c.data(), dc, n * 4, cudaMemcpyHostToDevice); }";
  EXPECT_EQ(LineOfRefused(wrong, finding), 3);
  finding.where.line = 3;
  EXPECT_EQ(
      English(WhyRefused(wrong, finding)),
      "The direction says host to device, but the destination `c.data()` is host memory and the source "
      "`dc` is device memory. The destination comes first: are the two swapped? If not, the direction must "
      "be cudaMemcpyDeviceToHost.");
  const std::string swapped = begin + "cudaMemcpy(dc, c.data(), n * 4, cudaMemcpyDeviceToHost); }";
  EXPECT_EQ(
      English(WhyRefused(swapped, finding)),
      "The direction says device to host, but the destination `dc` is device memory and the source "
      "`c.data()` is host memory. The destination comes first: are the two swapped? If not, the direction "
      "must be cudaMemcpyHostToDevice.");
  const std::string within = begin + "cudaMemcpy(dc, c.data(), n * 4, cudaMemcpyDeviceToDevice); }";
  EXPECT_EQ(English(WhyRefused(within, finding)),
            "The destination `dc` is device memory, and the source `c.data()` is host memory, so the "
            "direction must be "
            "cudaMemcpyHostToDevice.")
      << "no order of the two fits";
  finding.where.line = 0;
  for (const char* const other :
       {"cudaMemcpy(c.data() + 1, dc, 4, cudaMemcpyHostToDevice); }", "cudaMemcpy(c.data(), dc, 4, how); }",
        "cudaMemcpy(c.data(), dc, n * 4, cudaMemcpyDeviceToHost); }"})
    EXPECT_EQ(LineOfRefused(begin + other, finding), std::nullopt) << other;
  EXPECT_TRUE(WhyRefused(begin, finding).empty());
}

TEST(HostCode, ACopyThatIsDoneAllTheSameIsFoundByItsPointers) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  finding.severity = Severity::kWarning;
  finding.message = say::other_direction_in_device("cudaMemcpy");
  const std::string source =
      "float *a, *b, h[4]; cudaMalloc(&a, 16); cudaMalloc(&b, 16);\n"
      "cudaMemcpy(a, h, 16, cudaMemcpyHostToDevice);\n"
      "cudaMemcpy(b, a, 16, cudaMemcpyHostToDevice);\n"
      "cudaMemcpy(h, b, 16, cudaMemcpyHostToDevice);\n";
  EXPECT_EQ(LineOfRefused(source, finding), 3) << "line 4 is refused";
  EXPECT_EQ(LineOfRefused(source + "cudaMemcpy(b, a, 16, cudaMemcpyDeviceToHost);\n", finding), std::nullopt);
}

TEST(HostCode, AMallocThatGetsThePointerInPlaceOfItsAddress) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  finding.message = say::refused("cudaMalloc", say::null_pointer_passed());
  const std::string source =
      "float *a, *d = nullptr;\ncudaMalloc((void**)&a, 4);\ncudaMalloc((void**)d, 400);\n";
  EXPECT_EQ(LineOfRefused(source, finding), 3);
  EXPECT_EQ(English(WhyRefused(source, finding)),
            "cudaMalloc wants the address of your pointer: write cudaMalloc(&d, bytes).");
  EXPECT_EQ(LineOfRefused(source + "cudaMalloc((void**)a, 4);\n", finding), std::nullopt) << "one of two";
  EXPECT_EQ(English(WhyRefused("", finding)),
            "cudaMalloc wants the address of your pointer: write cudaMalloc(&pointer, bytes).");
  finding.message = say::refused("cudaMemset", say::null_pointer_passed());
  EXPECT_TRUE(WhyRefused(source, finding).empty());
}

TEST(HostCode, APointerThatNothingSets) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  const auto told = [&](const std::string& declaration, const std::string& more = "") {
    const std::string source = "__global__ void k(float* A, int n) { A[n] = 1; }\nint main() { " +
                               declaration + " float *B; cudaMalloc(&B, 4);" + more +
                               "\ncudaMemcpy(B, h, 4, cudaMemcpyHostToDevice);\n"
                               "cudaMemcpy(A, h, 4, cudaMemcpyHostToDevice);\nk<<<1, 1>>>(A, 0); }";
    finding.message = say::refused("cudaMemcpy", say::null_pointer_passed());
    finding.where.line = 0;
    const auto line = LineOfRefused(source, finding);
    if (!line) return std::string();
    finding.where.line = *line;
    return std::to_string(*line) + ": " + English(WhyRefused(source, finding));
  };
  const std::string words =
      "4: No line sets `A`, so it points nowhere. Allocate its memory before this call: cudaMalloc(&A, "
      "bytes).";
  EXPECT_EQ(told("float* A;"), words);
  EXPECT_EQ(told("float* A = nullptr;"), words);
  EXPECT_EQ(told("float* A = NULL;", " CHECK(cudaFree(A));"), words);
  for (const char* const set :
       {" A = B;", " cudaMalloc((void**)&A, 4);", " allocate(A);", " allocate(4, A);"})
    EXPECT_EQ(told("float* A = nullptr;", set), "") << set;
  EXPECT_EQ(LinesOfCalls("f(1);\n\nf(2); f(3); // f(4)\ng(f);\n", "f"), (std::vector<int>{1, 3}));
}

TEST(HostCode, AFreeOfWhatIsFreedAlready) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  finding.message = say::refused("cudaFree", say::null_pointer_passed());
  const auto line = [&](const std::string& source) {
    finding.where.line = 0;
    const auto found = LineOfRefused(source, finding);
    if (found) finding.where.line = *found;
    return found;
  };
  const std::string begin = "float *a, *b; cudaMalloc(&a, 4); cudaMalloc(&b, 4);\ncudaFree(a);\n";
  const std::string twice = begin + "cudaFree(b);\ncudaFree(a);\n";
  EXPECT_EQ(line(twice), 4);
  EXPECT_EQ(English(WhyRefused(twice, finding)), "`a` is already freed in line 2. Free each pointer once.");
  EXPECT_EQ(line(begin + "cudaMalloc(&a, 8);\ncudaFree(a);\n"), std::nullopt);
  EXPECT_EQ(line(begin + "a = b;\ncudaFree(a);\n"), std::nullopt);
  EXPECT_EQ(line(twice + "cudaFree(a);\n"), std::nullopt);
  const std::string of_host =
      "float* h = (float*)malloc(4); cudaMalloc(&d, 4);\ncudaFree(h);\ncudaFree(d);\n";
  EXPECT_EQ(line(of_host), 2);
  EXPECT_TRUE(English(WhyRefused(of_host, finding)).starts_with("cudaMalloc never set `h`."));
}

TEST(HostCode, AFreeOfTheCallersMemory) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  finding.message = say::refused("cudaFree", say::callers_memory());
  finding.where.line = 2;
  EXPECT_EQ(English(WhyRefused("void sum(float* P) {\n  cudaFree(P);\n}\n", finding, "sum")),
            "`P` belongs to the caller of this function, which still needs it: remove this call.");
  EXPECT_EQ(English(WhyRefused("void sum(float* P) {\n  cudaFree(P + 1);\n}\n", finding, "sum")),
            "The memory belongs to the caller of this function, which still needs it: remove this call.");
}

/// It may hold any address, even one of the caller's memory.
TEST(HostCode, APointerThatNeverGotAValueIsNobodysMemory) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  finding.message = say::refused("cudaFree", say::callers_memory());
  const auto told = [&](const std::string& begin, const std::string& end = "") {
    finding.where.line = 4;
    return English(
        WhyRefused("__global__ void k(int* sums) { sums[0] = 1; }\nvoid scan(int* in, int n) {\n  " + begin +
                       "\n  cudaFree(sums);\n" + end + "}\n",
                   finding, "scan"));
  };
  const std::string never =
      "`sums` never gets a value: no line sets it. Allocate its memory before its first use: "
      "cudaMalloc(&sums, bytes).";
  EXPECT_EQ(told("int* sums; k<<<1, n>>>(sums); scan(sums, n);"), never);
  EXPECT_EQ(told("int *other, *sums;"), never);
  EXPECT_TRUE(told("int* sums; if (n > 9) cudaMalloc(&sums, n);").starts_with("`sums` has no value here: "));
  const std::string callers =
      "`sums` belongs to the caller of this function, which still needs it: remove this call.";
  for (const char* const set : {"int* sums = in;", "int* sums; sums = in;", "int* sums; find(&sums, in);"})
    EXPECT_EQ(told(set), callers) << set;
  EXPECT_EQ(told("int* sums; set(sums, in);"), callers) << "perhaps by a reference";
  EXPECT_EQ(told("static int* sums;"), callers) << "null in the first call, and perhaps set elsewhere";
}

TEST(HostCode, AnUnsetPointerIsFoundByItsFirstUse) {
  const auto found = [](const std::string& body) {
    const auto unset = FindUnsetPointer("void f(int* in, int n) {\n" + body + "\n}\n");
    return unset ? unset->name + " " + std::to_string(unset->line) + " " + std::to_string(unset->use_line)
                 : "";
  };
  EXPECT_EQ(found("int* p;\nk<<<1, 2>>>(in, p, n);\ncudaFree(p);"), "p 2 3");
  EXPECT_EQ(found("int* p;\nif (n > 0) {\ncudaMemset(p, 0, 4);\n}"), "p 2 4");
  for (const std::string body :
       {"int* p = nullptr;\nk<<<1, 2>>>(p);", "int* p;\ncudaMalloc(&p, 4);\nk<<<1, 2>>>(p);",
        "int* p;\nALLOCATE(p, 4);\nk<<<1, 2>>>(p);", "int* p;\np = in;\nk<<<1, 2>>>(p);",
        "int* p;\nint*& r = p;\nr = in;\nk<<<1, 2>>>(p);", "int b = n * p;\nk<<<1, 2>>>(p);",
        "{\nint* p;\n}\nk<<<1, 2>>>(p);", "static int* p;\nk<<<1, 2>>>(p);"})
    EXPECT_EQ(found(body), "") << body;
  EXPECT_FALSE(FindUnsetPointer("struct S {\n  int* p;\n  void f() { k<<<1, 2>>>(p); }\n};\n"));
}

TEST(HostCode, ACallThatTakesMoreBytesThanThereAre) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  finding.where.line = 2;
  const auto told = [&](const std::string& name, const std::string& call) {
    finding.message =
        say::refused(name, say::larger_than_allocation(say::Count(124, "byte"), say::Count(4, "byte")));
    return English(WhyTooLarge("float* d;\n" + call + "\n", finding));
  };
  EXPECT_EQ(
      told("cudaMemset", "CHECK(cudaMemset(output, 0, n));"),
      "cudaMemset in line 2 sets 124 bytes, but `output` has only 4. Correct the size, which is in bytes.");
  EXPECT_EQ(
      told("cudaMemcpy to the host", "cudaMemcpy(h, d, n, cudaMemcpyDeviceToHost);"),
      "cudaMemcpy in line 2 copies 124 bytes, but `d` has only 4. Correct the size, which is in bytes.");
  EXPECT_EQ(
      told("cudaMemcpy to the device", "cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);"),
      "cudaMemcpy in line 2 copies 124 bytes, but `d` has only 4. Correct the size, which is in bytes.");
  EXPECT_EQ(told("cudaMemset", "cudaMemset(output + 1, 0, n);"), "");
  EXPECT_EQ(told("cudaMemcpy", "cudaMemcpy(d, e, n, cudaMemcpyDeviceToDevice);"), "");
}

/// "2 after 1: cudaMemset of P".
std::string Told(const std::optional<LateCall>& late) {
  if (!late) return "";
  return std::to_string(late->line) + " after " + std::to_string(late->launch_line) + ": " + late->call +
         " of " + late->target;
}

TEST(HostCode, TheCopyThatWritesTheOutput) {
  const auto told = [](const std::string& body) {
    const auto copy = FindOutputCopy("void f(const float* M, float* P, int n) {" + body + "}", "f", "P");
    return copy ? std::to_string(copy->line) + " " + copy->call + " from " + copy->from +
                      (copy->is_used ? ", used" : "")
                : "";
  };
  const std::string own = "float* d; cudaMalloc(&d, n);\n";
  EXPECT_EQ(told("k<<<1, n>>>(M, P);\ncudaMemcpy(P, P, n, cudaMemcpyDeviceToHost);"),
            "2 cudaMemcpy from , used");
  EXPECT_EQ(told(own + "k<<<1, n>>>(M, d);\ncudaMemcpy(P, d, n, cudaMemcpyDeviceToHost);"),
            "3 cudaMemcpy from d");
  EXPECT_EQ(told(own + "k<<<1, n>>>(M, d, P);\ncudaMemcpyAsync(P, d, n, cudaMemcpyDeviceToDevice);"),
            "3 cudaMemcpyAsync from d, used");
  EXPECT_EQ(told("k<<<1, n>>>(M);\ncudaMemcpy(P, h, n, cudaMemcpyHostToDevice);"), "");
  EXPECT_EQ(told("cudaMemcpy(P, M, n, cudaMemcpyDeviceToDevice);\nk<<<1, n>>>(M, P);"), "") << "before it";
  EXPECT_EQ(told("k<<<1, n>>>(M, P);\ncudaMemcpy(P, P, n, kind); cudaMemcpy(P, M, n, kind);"), "") << "two";
}

TEST(HostCode, ResultsThatAreOverwrittenAfterTheLaunch) {
  const auto told = [](const std::string& body) {
    return Told(FindOverwrittenResults(
        "__global__ void k(const float* M, float* P) {}\nvoid f(const float* M, float* P, int n) {" + body +
            "}",
        "f"));
  };
  const std::string launch = "\n  k<<<1, n>>>(M, P);\n";
  EXPECT_EQ(told(launch + "cudaMemset(P, 0, n);"), "4 after 3: cudaMemset of P");
  EXPECT_EQ(told("if (n > 0) {" + launch + "}\nCHECK(cudaMemset(P, 0, n * sizeof(float)));"),
            "5 after 3: cudaMemset of P");
  EXPECT_EQ(told(launch + "cudaMemcpy(P, M, n, cudaMemcpyDeviceToDevice);"), "4 after 3: cudaMemcpy of P");
  for (const std::string& fine :
       {"cudaMemset(P, 0, n);" + launch, launch + "if (n == 0) cudaMemset(P, 0, n);",
        "if (n > 0) {" + launch + "return; }\ncudaMemset(P, 0, n);",
        launch + "if (n < 1) { cudaMemset(P, 0, n); }",
        "if (n > 0) {" + launch + "} else cudaMemset(P, 0, n);", launch + "cudaMemset(P, 0, n);" + launch,
        launch + "cudaMemcpy(P, mine, n, cudaMemcpyDeviceToDevice);", launch + "cudaMemset(mine, 0, n);",
        std::string("k<<<1, n>>>(M, mine);\ncudaMemset(P, 0, n);"), std::string("cudaMemset(P, 0, n);")}) {
    EXPECT_EQ(told(fine), "") << fine;
  }
}

TEST(HostCode, ASymbolThatIsFilledAfterTheLaunch) {
  const auto told = [](const std::string& body) {
    return Told(
        FindLateSymbol("__constant__ float c[9];\n__global__ void k(float* P) { P[0] = c[1]; }\n"
                       "void f(const float* M, float* P, int n) {" +
                           body + "}",
                       "f"));
  };
  const std::string launch = "\n  k<<<1, n>>>(P);\n", fill = "cudaMemcpyToSymbol(c, M, 36);";
  EXPECT_EQ(told(launch + fill), "5 after 4: cudaMemcpyToSymbol of c");
  for (const std::string& fine :
       {fill + launch, fill + launch + fill, launch + "cudaMemcpyToSymbol(d, M, 36);",
        launch + "if (n > 1) " + fill, "cudaGetSymbolAddress((void**)&M, c);" + launch + fill}) {
    EXPECT_EQ(told(fine), "") << fine;
  }
}

TEST(HostCode, ACopyOrMemsetOfFreedMemory) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  const auto told = [&](const std::string& source, const std::string& call) {
    finding.message = say::refused(call, say::not_live_memory());
    finding.where.line = 0;
    const auto line = LineOfRefused(source, finding);
    if (!line) return std::string();
    finding.where.line = *line;
    return std::to_string(*line) + ": " + English(WhyRefused(source, finding));
  };
  const std::string begin =
      "int main() { float *h, *a, *b; cudaMalloc(&a, 4); cudaMalloc(&b, 4);\n"
      "cudaMemcpy(a, h, 4, cudaMemcpyHostToDevice);\n cudaMemcpy(h, b, 4, cudaMemcpyDeviceToHost);\n";
  EXPECT_EQ(told(begin + "cudaFree(a);\ncudaMemcpy(h, a, 4, cudaMemcpyDeviceToHost); }", "cudaMemcpy"),
            "5: `a` is freed in line 4, before this call uses it. Free it after the call.");
  EXPECT_EQ(
      told(begin + "CHECK(cudaFree(a));\ncudaMemset(a + 1, 0, 4);\ncudaMemset(b, 0, 4); }", "cudaMemset"),
      "5: `a` is freed in line 4, before this call uses it. Free it after the call.");
  const std::string copies = "cudaMemcpy(h, a, 4, d);\ncudaMemcpy(h, b, 4, d); }";
  for (const char* const other :
       {"if (n) cudaFree(a);\n", "if (n) { cudaFree(a); return 1; }\n", "cudaFree(a);\ncudaMalloc(&a, 8);\n",
        "cudaFree(a); cudaFree(b);\n", "cudaFree(a); a = b;\n"})
    EXPECT_EQ(told(begin + other + copies, "cudaMemcpy"), "") << other;
  EXPECT_EQ(told("void f(float* a) {\n cudaFree(a); }\nvoid g(float* a) { cudaMemset(a, 0, "
                 "4);\ncudaMemset(a, 1, 4); }",
                 "cudaMemset"),
            "");
}

TEST(HostCode, ACopyWithinTheFunctionThatIsGraded) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  finding.message = say::refused("cudaMemcpy", say::wrong_direction());
  const std::string source =
      "void sum(const float* in, float* output, int n) {\n  float z = 0;\n"
      "  cudaMemcpy(output, &z, 4, cudaMemcpyDeviceToHost);\n}\n";
  finding.where.line = 3;
  EXPECT_EQ(English(WhyRefused(source, finding, "sum")),
            "The direction says device to host, but the destination `output` is device memory and the "
            "source `&z` is host memory. The destination comes first: are the two swapped? If not, the "
            "direction must be cudaMemcpyHostToDevice.");
  EXPECT_TRUE(WhyRefused(source, finding).empty()) << "nothing says that output is device memory";
}

TEST(HostCode, ACopyThatNothingWaitsFor) {
  Finding finding;
  finding.kind = FindingKind::kMissingWait;
  finding.message = say::no_wait_before_end(say::copy_from_device());
  const std::string there = "cudaMemcpyAsync(d, h, 4, cudaMemcpyHostToDevice, s);\n";
  const std::string back = "cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s);\n";
  EXPECT_EQ(LineOfRefused(there + back, finding), 2);
  EXPECT_EQ(LineOfRefused(there + back + back, finding), std::nullopt);
  EXPECT_EQ(LineOfRefused(back + "cudaMemcpyAsync(h, d, 4, cudaMemcpyDefault, s);", finding), std::nullopt);
  EXPECT_EQ(LineOfRefused(there, finding), std::nullopt);
}

TEST(HostCode, TheOnlyCopyFromTheHostAfterALaunch) {
  const std::string there = "cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice);\n",
                    back = "cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost);\n", launch = "k<<<1, 1>>>(d);\n";
  const auto line = [](const std::string& body) {
    const auto copy = OnlyCopyAfterLaunch("__global__ void k(int* a) { if (a) { *a = 1; } }\n" + body, "k");
    return copy ? copy->line : 0;
  };
  const std::string main = "int main() {\n";
  EXPECT_EQ(line(main + there + launch + there + back + "}"), 5);
  EXPECT_EQ(line(main + there + launch + there + there + "}"), 0) << "two";
  EXPECT_EQ(line(main + there + launch + back + "}"), 0) << "to the host";
  EXPECT_EQ(line(main + launch + "} void g() {\n" + there + "}"), 0) << "in another function";
  EXPECT_EQ(line(main + launch + there + launch + "}"), 0) << "launched twice";
}

TEST(HostCode, TheOnlyCopyToTheHostBeforeALaunch) {
  const std::string there = "cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice);\n",
                    back = "cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost);\n", launch = "k<<<1, 1>>>(d);\n";
  const auto found = [](const std::string& body) {
    const auto copy = OnlyCopyBeforeLaunch("int main() {\n" + body + "}", "k");
    return copy ? std::to_string(copy->line) + " " + copy->pointer + " " + std::to_string(copy->launch) : "";
  };
  EXPECT_EQ(found(there + back + launch), "3 d 4");
  EXPECT_EQ(found(there + back + launch + back), "3 d 4") << "the second one is right";
  EXPECT_EQ(found(there + back + back + launch), "") << "two";
  EXPECT_EQ(found(there + launch + back), "");
  EXPECT_EQ(found(back + "}\nvoid g() {\n" + launch), "") << "in another function";
}

TEST(HostCode, TheOnlyCopyToTheHostAndItsElements) {
  const std::string begin =
      "const int n = 9; double h[n]; float *a, *b = nullptr;\ncudaMemcpy(a, h, 4, cudaMemcpyHostToDevice);\n";
  const std::string back = "cudaMemcpy(h, b, n * sizeof(float), cudaMemcpyDeviceToHost);\n";
  const auto copy = OnlyCopyToHost(begin + back);
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->line, 3);
  EXPECT_EQ(copy->pointer, "b");
  EXPECT_EQ(copy->element_bytes, 4);
  EXPECT_FALSE(OnlyCopyToHost(begin + back + back));
  EXPECT_FALSE(OnlyCopyToHost(begin));
  const auto part = OnlyCopyToHost(begin + "cudaMemcpy(h, b + 1, 4, cudaMemcpyDeviceToHost);");
  ASSERT_TRUE(part);
  EXPECT_EQ(part->pointer, "");
}

TEST(HostCode, ACopyWhoseSizeIsANumberOfElements) {
  const std::string begin =
      "const int n = 9; float h[n]; float *b;\nconst size_t bytes = n * sizeof(float);\n"
      "cudaMemcpy(h, b, sizeof(h), cudaMemcpyDeviceToHost);\ncudaMemcpy(h, b, bytes, "
      "cudaMemcpyDeviceToHost);\n"
      "cudaMemcpy(b, h, n, cudaMemcpyHostToDevice);\n";
  EXPECT_FALSE(OnlyCopyOfElements(begin));
  const std::string copy = "cudaMemcpy(h, b, n, cudaMemcpyDeviceToHost);\n";
  const auto found = OnlyCopyOfElements(begin + copy);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->line, 6);
  EXPECT_EQ(found->pointer, "b");
  EXPECT_EQ(found->element_bytes, 4);
  EXPECT_FALSE(OnlyCopyOfElements(begin + copy + copy));
}

TEST(HostCode, ASymbolIsNoText) {
  const auto why = [](const std::string& symbol) {
    Finding refused;
    refused.kind = FindingKind::kInvalidCall;
    refused.message = say::refused("cudaMemcpyToSymbol", say::unknown_symbol());
    refused.where.line = 3;
    return WhyRefused("__constant__ float coef[5];\nvoid f(const float* filter) {\n  cudaMemcpyToSymbol(" +
                          symbol + ", filter, 20);  // not \"coef\"\n}\n",
                      refused);
  };
  EXPECT_EQ(why("\"coef\""), say::symbol_in_quotes("coef"));
  EXPECT_EQ(why("\"a coef\""), Message());
  EXPECT_EQ(why("other"), Message());
}

std::optional<int> LineOfLaunch(const std::string& source, const std::string& kernel) {
  Finding finding;
  finding.kind = FindingKind::kInvalidLaunch;
  finding.kernel = kernel;
  return LineOfRefused(source, finding);
}

TEST(HostCode, ALaunchThatIsTheOnlyOneOfItsKernel) {
  const std::string kernel = "__global__ void k(int* p) {}\n";
  EXPECT_EQ(LineOfLaunch(kernel + "void f() {\n  k<<<1, 2000>>>(p);\n  other<<<1, 1>>>(p); }", "k"), 3);
  EXPECT_EQ(LineOfLaunch(kernel + "void f() { if (a < 1)\n  k<int, 4><<<1, 2000>>>(p); }", "a::k<int, 4>"),
            3);
  EXPECT_FALSE(LineOfLaunch(kernel + "void f() { k<<<1, 1>>>(p);\n k<<<1, 2000>>>(p); }", "k"));
  EXPECT_FALSE(LineOfLaunch(kernel + "void f() { cudaLaunchKernel(k, 1, 1, a); }", "k"));
  EXPECT_FALSE(LineOfLaunch("k<", "k"));
  EXPECT_FALSE(LineOfRefused("k<<<1, 1>>>(p);", Finding{})) << "nothing was refused";
}

std::string Used(const std::string& body, const std::string& before = "") {
  const auto use = FindHostUse(
      before + "__global__ void k(float* P) {\n P[0] = 1; }\nvoid f(const float* M, float* P, int n) {\n" +
          body + "\n}\n",
      "f");
  return use ? use->pointer + " " + std::to_string(use->line) : "";
}

TEST(HostCode, DeviceMemoryThatTheHostUses) {
  EXPECT_EQ(Used("k<<<1, 1>>>(P);\nP[0] = 0;"), "P 5");
  EXPECT_EQ(Used("float s = 0;\nfor (int i = 0; i < n; ++i) s += M[i];"), "M 5");
  EXPECT_EQ(Used("*P = 0;"), "P 4");
  EXPECT_EQ(Used("float* sums;\ncudaMalloc((void**)&sums, 4);\nreturn sums[0];"), "sums 6");
  EXPECT_EQ(Used("", "int main() { float* p; cudaMalloc(&p, 4);\n p[0] = 1; }\n"), "p 2");
  EXPECT_EQ(Used("n = 1;\nprintf(\"%g\", *P);"), "P 5");
  EXPECT_EQ(Used("n = 1;\nfloat s = *M;"), "M 5");
}

TEST(HostCode, DeviceMemoryThatAHostFunctionGets) {
  const auto told = [](const std::string& body) {
    const auto use = FindHostUse("void f(float* P) {\n" + body + "}\n", "f");
    return use ? English(DescribeHostUse(*use)) : "";
  };
  const std::string begin = "float *d, *h; cudaMalloc(&d, 4); h = (float*)malloc(4);\n";
  EXPECT_EQ(told(begin + "free(h);\nfree(d);\n"),
            "free() in line 4 gets `d`, which points to device memory. Use cudaFree instead.");
  EXPECT_EQ(told(begin + "delete[] d;\n"),
            "delete[] in line 3 gets `d`, which points to device memory. Use cudaFree instead.");
  EXPECT_EQ(told("std::memset(P, 0, 4);\n"),
            "memset() in line 2 gets `P`, which points to device memory. Use cudaMemset instead.");
  EXPECT_EQ(told(begin + "memcpy(h, d, 4);\n"),
            "memcpy() in line 3 gets `d`, which points to device memory. Use cudaMemcpy instead.");
  EXPECT_EQ(told("free(P);\n"), "") << "it belongs to the caller: cudaFree would be wrong, too";
  EXPECT_EQ(told(begin + "d = h;\nfree(d);\n"), "");
  EXPECT_EQ(told(begin + "free(h);\ncudaMemcpy(h, d, 4, k);\n"), "");
}

TEST(HostCode, AFreeOfDeviceMemoryThatIsTheOnlyOneLeft) {
  const auto told = [](const std::string& body) {
    const auto use = FindFreeOfDeviceMemory("void f(Buffers b, float* x) {\n" + body + "\n}\n");
    return use ? English(DescribeHostUse(*use)) : "";
  };
  EXPECT_EQ(told("std::free(b.d);"),
            "free() in line 2 gets `b.d`, which points to device memory. Use cudaFree instead.");
  EXPECT_EQ(told("float* h = (float*)malloc(4);\nfree(h); free(x);"),
            "free() in line 3 gets `x`, which points to device memory. Use cudaFree instead.");
  EXPECT_EQ(told("h = new float[3];\ndelete[] h;\ndelete[] x;"),
            "delete[] in line 4 gets `x`, which points to device memory. Use cudaFree instead.");
  EXPECT_EQ(told("free(b.d); free(x);"), "") << "one of two";
  EXPECT_EQ(told("pool.free(x); cudaFree(x);"), "");
  EXPECT_EQ(told("x = malloc(4); free(x);"), "");
}

TEST(HostCode, ACopyThatRaces) {
  Finding finding;
  finding.kind = FindingKind::kRaceBetweenStreams;
  finding.message =
      say::race_of_streams_write(say::copy_from_device(), say::numbered_stream(2), say::one_byte(0),
                                 Message("a"), say::copy_to_device(), say::numbered_stream(1));
  const std::string there = "cudaMemcpyAsync(d, h, 4, cudaMemcpyHostToDevice, s);\n";
  const std::string back = "cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s);\n";
  EXPECT_EQ(LineOfRefused(there + back, finding), 2);
  EXPECT_EQ(LineOfRefused(there + back + back, finding), std::nullopt);
  finding.kernel = "k";
  EXPECT_EQ(LineOfRefused(there + back, finding), std::nullopt) << "the kernel has lines of its own";
}

TEST(HostCode, WhatMayBeMemoryOfTheHost) {
  EXPECT_EQ(Used("k<<<1, 1>>>(P);"), "");
  EXPECT_EQ(Used("cudaMemcpy(&P[1], M, 4, d);"), "") << "an address";
  EXPECT_EQ(Used("float h[4];\nh[0] = n * M;"), "");
  EXPECT_EQ(Used("float* p; cudaMallocManaged(&p, 4);\np[0] = 1;"), "");
  EXPECT_EQ(Used("int bytes = sizeof(P[0]);"), "");
  EXPECT_EQ(Used("", "void fill(float* host) { host[0] = 1; }\n"), "") << "a helper's";
  EXPECT_EQ(Used("", "__device__ void help(float* f) { f[0] = 1; }\n"), "");
  EXPECT_EQ(Used("n = n * P"), "");
  EXPECT_EQ(Used("n = f(n * P)"), "");
  EXPECT_EQ(Used("float *h, *P;"), "") << "a declaration";
  EXPECT_EQ(Used("float x = sizeof(*P);"), "");
  EXPECT_FALSE(FindHostUse("void f(float* P) { P[", "g"));
  EXPECT_FALSE(FindHostUse("(", "f"));
}

TEST(CallsOfAlgorithms, AreThoseThatAreWritten) {
  const auto calls = CallsOfAlgorithms(
      "#include <thrust/transform.h>\n"
      "int main() {\n"
      "  thrust::device_vector<int> a(9), b = thrust::device_vector<int>(9);\n"
      "  thrust::transform(thrust::device, a.begin(), a.end(), b.begin(), thrust::negate<int>());\n"
      "  auto first = thrust::make_counting_iterator(0);\n"
      "  k<<<1, 9>>>(thrust::raw_pointer_cast(a.data()));\n"
      "  cub::DeviceReduce::Sum(nullptr, bytes, in, out, 9);\n"
      "  cub::CountingInputIterator<int> it(0);\n"
      "}\n");
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].name, "thrust::transform");
  EXPECT_EQ(calls[0].line, 4);
  EXPECT_EQ(calls[1].name, "cub::DeviceReduce::Sum");
  EXPECT_EQ(calls[1].line, 7);
}

}  // namespace
}  // namespace warplings
