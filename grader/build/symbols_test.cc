// SPDX-License-Identifier: Apache-2.0
#include "grader/build/symbols.h"

#include <gtest/gtest.h>

#include "grader/base/sha256.h"

namespace warplings {
namespace {

TEST(Symbols, ReadsNm) {
  auto symbols =
      ParseNm("entry.a[x.o]:\n_Z1fv T 82 ab\n_Unwind_Resume U         \n_ZL1g t 0 3\n\nDW.ref V 0 8\nw w\n");
  ASSERT_EQ(symbols.size(), 5u);
  EXPECT_TRUE(symbols[0].global());
  EXPECT_TRUE(symbols[1].undefined());
  EXPECT_FALSE(symbols[1].global());
  EXPECT_FALSE(symbols[2].global());
  EXPECT_TRUE(symbols[3].global());
  EXPECT_TRUE(symbols[4].undefined());
}

TEST(Symbols, DemanglesWhatIsReasonable) {
  Demangler demangle;
  EXPECT_EQ(Demangled("_Z12tiled_matmulPKfi", demangle), "tiled_matmul(float const*, int)");
  EXPECT_EQ(Demangled("main", demangle), "main");
  EXPECT_EQ(Demangled("_Zgarbage", demangle), "_Zgarbage");
  std::string bomb = "_Z1f" + std::string(100000, 'i');
  EXPECT_EQ(Demangled(bomb, demangle), bomb);
  EXPECT_EQ(DemangledText("in '_Z1kPf' and x", demangle), "in 'k(float*)' and x");
}

TEST(Symbols, FindsTheBaseName) {
  EXPECT_EQ(BaseName("tiled_matmul(float const*, int)"), "tiled_matmul");
  EXPECT_EQ(BaseName("mine::tiled_matmul(int)"), "tiled_matmul");
  EXPECT_EQ(BaseName("void ns::f<int, std::vector<int> >(float*)"), "f");
  EXPECT_EQ(BaseName("main"), "main");
  EXPECT_EQ(BaseName("(anonymous namespace)::f(int)"), "f");
  EXPECT_EQ(BaseName(""), "");
}

TEST(Symbols, AllowsWhatExercisesNeed) {
  Demangler demangle;
  for (const char* name : {"malloc",
                           "memcpy",
                           "printf",
                           "sqrtf",
                           "pow",
                           "fmaxl",
                           "cudaMalloc",
                           "__cudaRegisterFatBinary",
                           "_Znwm",
                           "_ZdlPvm",
                           "__cxa_throw",
                           "_ZSt4cout",
                           "_ZNSolsEi",
                           "_ZTVN10__cxxabiv117__class_type_infoE",
                           "_ZTISt13runtime_error",
                           "_ZNSt6chrono3_V212steady_clock3nowEv",
                           "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
                           "_ZSt17__throw_bad_allocv",
                           "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4sizeEv",
                           "exit",
                           "stdout"}) {
    EXPECT_TRUE(IsAllowedSymbol(name, demangle)) << name << ' ' << Demangled(name, demangle);
  }
}

TEST(Symbols, RefusesWhatReachesTheSystem) {
  Demangler demangle;
  for (const char* name :
       {"fork",
        "system",
        "socket",
        "open",
        "fopen",
        "dlopen",
        "mmap",
        "syscall",
        "ptrace",
        "kill",
        "pthread_create",
        "getenv",
        "popen",
        "_ZNSt6thread4joinEv",
        "_ZNSt10filesystem6removeERKNS_7__cxx114pathE",
        "_ZNSt14basic_ifstreamIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode",
        "_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
        "_ZN9warplings6worker9CallEntryEv",
        "_Z6helperi",
        "cuInit",
        ""}) {
    EXPECT_FALSE(IsAllowedSymbol(name, demangle)) << name << ' ' << Demangled(name, demangle);
  }
}

// FIPS 180-4's examples.
TEST(Sha256, KnownValues) {
  auto hash = [](std::string_view text) {
    Sha256 sum;
    sum.Add(text);
    return sum.Finish();
  };
  EXPECT_EQ(hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, FieldsDoNotRunTogether) {
  Sha256 a, b;
  a.AddField("ab"), a.AddField("c");
  b.AddField("a"), b.AddField("bc");
  EXPECT_NE(a.Finish(), b.Finish());
}

}  // namespace
}  // namespace warplings
