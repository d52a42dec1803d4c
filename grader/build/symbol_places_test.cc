// SPDX-License-Identifier: Apache-2.0
#include "grader/build/symbol_places.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

TEST(SymbolPlaces, ACallIsFoundBeforeAMention) {
  const SymbolPlaces places(
      "#include <thread>  // system()\n"
      "extern \"C\" int system(const char*);\n"
      "int (*f)(const char*) = system;\n"
      "void g() { puts(\"system(0)\"); }\n"
      "void h() { int x = system(\"ls\"); }\n");
  EXPECT_EQ(places.LineOfUse("system"), 5);
  EXPECT_EQ(places.LineOfUse("fork"), 0);
  EXPECT_EQ(places.LineOfUse("std::thread::join()"), 0);
  EXPECT_EQ(SymbolPlaces("\n\nauto p = &fork;\n").LineOfUse("fork"), 3);
}

TEST(SymbolPlaces, AMemberIsNoFunctionOfThatName) {
  const SymbolPlaces places(
      "void f(std::istringstream& in, char* p) {\n  in.read(p, 3);\n  read(0, p, 3);\n}\n");
  EXPECT_EQ(places.LineOfUse("read"), 3);
}

TEST(SymbolPlaces, PartsOfTheLibraryHaveTheNamesThatOneWrites) {
  struct Example {
    const char *source, *symbol;
  };
  for (const Example& each : {
           Example{"\nvoid f() { std::ofstream out(name); }\n",
                   "std::basic_ofstream<char, std::char_traits<char> >::basic_ofstream(char const*, int)"},
           Example{"\nvoid f() { std::ofstream out(name); }\n",
                   "vtable for std::basic_ofstream<char, std::char_traits<char> >"},
           Example{"\nvoid f() { std::ifstream in(name); }\n",
                   "std::basic_filebuf<char, std::char_traits<char> >::~basic_filebuf()"},
           Example{"\nstd::thread t(work);\nvoid g() { t.join(); }\n",
                   "std::thread::_M_start_thread(std::unique_ptr<std::thread::_State>, void (*)())"},
           Example{"\nauto x = std::async(work);\n", "std::thread::hardware_concurrency()"},
           Example{"\nauto s = [] { std::this_thread::sleep_for(1s); };\n", "nanosleep"},
           Example{"\nauto n = scanf(\"%d\", &i);\n", "__isoc99_scanf"},
           Example{"\n#define RUN(c) system(c)\nvoid f() { RUN(0); }\n", "system"},
           Example{"\n  std::random_device device;\n", "std::random_device::_M_getval()"},
       }) {
    EXPECT_EQ(SymbolPlaces(each.source).LineOfUse(each.symbol), 2) << each.source << each.symbol;
  }
}

TEST(SymbolPlaces, ADefinitionHasABody) {
  const SymbolPlaces places(
      "void f(float*, int);\nvoid g() {\n  f(p, 2);\n}\nstatic void f(float* p, int n)\n{\n}\n");
  EXPECT_EQ(places.LineOfDefinition("f"), 5);
  EXPECT_EQ(places.LineOfDefinition("g"), 2);
  EXPECT_EQ(places.LineOfDefinition("main"), 0);
  EXPECT_EQ(SymbolPlaces("").LineOfDefinition("main"), 0);
}

}  // namespace
}  // namespace warplings
