// SPDX-License-Identifier: Apache-2.0
// The allow-list of a submission's undefined symbols, as data.
#include <algorithm>
#include <array>
#include <string_view>

#include "grader/build/symbols.h"

namespace warplings {

namespace {

/// C names, grouped for readers. Searched linearly: a submission has only a few dozen symbols.
constexpr std::string_view kNames[] = {
    // Memory.
    "malloc", "calloc", "realloc", "free", "aligned_alloc", "posix_memalign", "memcpy", "memmove", "memset",
    "memcmp", "memchr", "bcmp", "__memcpy_chk", "__memmove_chk", "__memset_chk",
    // Strings and numbers as text.
    "strlen", "strnlen", "strcmp", "strncmp", "strcpy", "strncpy", "strcat", "strncat", "strchr", "strrchr",
    "strstr", "strtol", "strtoul", "strtoll", "strtoull", "strtod", "strtof", "strdup", "atoi", "atol",
    "atof", "strerror", "__isoc99_sscanf", "__isoc23_strtol", "__isoc23_strtoul", "__isoc23_strtoll",
    "__isoc23_strtoull", "toupper", "tolower", "isdigit", "isspace", "isalpha", "__ctype_b_loc",
    // Printing. The sandbox has a pipe for it, and nothing else to open.
    "printf", "fprintf", "vprintf", "vfprintf", "sprintf", "snprintf", "vsprintf", "vsnprintf", "puts",
    "putchar", "putc", "fputs", "fputc", "fwrite", "fflush", "perror", "stdout", "stderr", "setvbuf",
    "setbuf", "__printf_chk", "__fprintf_chk", "__sprintf_chk", "__snprintf_chk", "__vfprintf_chk",
    // Its own end, numbers, time. That exit() ends the worker is seen and said when it happens.
    "exit", "abort", "_Exit", "atexit", "__assert_fail", "qsort", "bsearch", "abs", "labs", "llabs", "div",
    "ldiv", "lldiv", "imaxabs", "imaxdiv", "ffs", "ffsl", "ffsll", "rand", "srand", "rand_r", "random",
    "srandom", "drand48", "time", "clock", "clock_gettime", "gettimeofday", "difftime", "__errno_location",
    // What compilers refer to by themselves.
    "_GLOBAL_OFFSET_TABLE_", "__dso_handle", "__stack_chk_fail", "__tls_get_addr", "_Unwind_Resume",
    "__gxx_personality_v0", "__TMC_END__", "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable",
    "__gmon_start__", "_DYNAMIC", "__popcountdi2", "__udivti3", "__umodti3", "__divti3", "__modti3",
    "__extendhfsf2", "__truncsfhf2", "__truncdfhf2", "__mulsc3", "__muldc3", "__divsc3", "__divdc3",
    "__libc_single_threaded", "__cpu_model", "__cpu_indicator_init"};

/// Functions of <cmath>; each also with an f or an l behind it.
constexpr std::string_view kMath[] = {
    "acos",      "acosh",    "asin",    "asinh",    "atan",        "atan2",     "atanh",  "cbrt",
    "ceil",      "copysign", "cos",     "cosh",     "erf",         "erfc",      "exp",    "exp2",
    "exp10",     "expm1",    "fabs",    "fdim",     "floor",       "fma",       "fmax",   "fmin",
    "fmod",      "frexp",    "hypot",   "ilogb",    "j0",          "j1",        "jn",     "ldexp",
    "lgamma",    "llrint",   "llround", "log",      "log10",       "log1p",     "log2",   "logb",
    "lrint",     "lround",   "modf",    "nan",      "nearbyint",   "nextafter", "pow",    "remainder",
    "remquo",    "rint",     "round",   "scalbln",  "scalbn",      "sin",       "sincos", "sinh",
    "sqrt",      "tan",      "tanh",    "tgamma",   "trunc",       "y0",        "y1",     "yn",
    "__signbit", "__isinf",  "__isnan", "__finite", "__fpclassify"};

/// Families: the CUDA runtime (what of it exists, the link decides) and the C++ ABI.
constexpr std::string_view kPrefixes[] = {"cuda", "__cuda", "__cxa_"};

/// Parts of the C++ library that reach for threads, files or the machine.
constexpr std::string_view kDeniedStd[] = {"std::thread",
                                           "std::jthread",
                                           "std::this_thread",
                                           "std::async",
                                           "std::__future_base",
                                           "std::future",
                                           "std::promise",
                                           "std::filesystem",
                                           "std::experimental",
                                           "std::random_device",
                                           "std::condition_variable",
                                           "std::basic_filebuf",
                                           "std::basic_fstream",
                                           "std::basic_ifstream",
                                           "std::basic_ofstream",
                                           "std::__basic_file",
                                           "std::execution",
                                           "std::pmr::synchronized"};

bool IsMath(std::string_view name) {
  if (std::ranges::find(kMath, name) != std::end(kMath)) return true;
  if (name.empty() || (name.back() != 'f' && name.back() != 'l')) return false;
  name.remove_suffix(1);
  return std::ranges::find(kMath, name) != std::end(kMath);
}

/// "std::vector<int>::push_back(…)", "operator new(unsigned long)", "vtable for std::exception".
bool IsAllowedCpp(std::string_view text) {
  if (text.starts_with("operator new") || text.starts_with("operator delete")) return true;
  for (std::string_view prefix :
       {"vtable for ", "typeinfo for ", "typeinfo name for ", "VTT for ", "guard variable for "}) {
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  }
  if (text.starts_with("__cxxabiv1::")) return true;
  // A template's instance is written with its return type in front: "std::ostream& std::operator<< <…>".
  std::size_t name = text.substr(0, text.find_first_of("<(")).rfind(' ');
  std::string_view owner = name == std::string_view::npos ? text : text.substr(name + 1);
  if (!owner.starts_with("std::") && !owner.starts_with("__gnu_cxx::")) {
    if (!text.starts_with("std::") || text.find(" std::") == std::string_view::npos) return false;
  }
  return std::ranges::none_of(
      kDeniedStd, [&](std::string_view denied) { return text.find(denied) != std::string_view::npos; });
}

}  // namespace

bool IsAllowedSymbol(std::string_view name, Demangler& demangle) {
  if (std::ranges::find(kNames, name) != std::end(kNames) || IsMath(name)) return true;
  for (std::string_view prefix : kPrefixes) {
    if (name.starts_with(prefix)) return true;
  }
  return IsAllowedCpp(demangle(name));
}

}  // namespace warplings
