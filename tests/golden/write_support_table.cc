// SPDX-License-Identifier: Apache-2.0
// Brings a document's list of instructions up to date: write_support_table docs/virtual_gpu.md.
#include <cstdio>
#include <fstream>
#include <iterator>

#include "tests/golden/support_table.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_support_table DOCUMENT\n");
    return 2;
  }
  std::ifstream in(argv[1]);
  const std::string document{std::istreambuf_iterator<char>(in), {}};
  const std::string written = warplings::vgpu::WithSupportTable(document, warplings::vgpu::BestEngine());
  if (written.empty()) {
    std::fprintf(stderr, "%s has no heading \"## Instructions\"\n", argv[1]);
    return 1;
  }
  std::ofstream out(argv[1]);
  out << written;
  return out.flush() ? 0 : 1;
}
