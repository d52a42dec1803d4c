// SPDX-License-Identifier: Apache-2.0
// The part that libFuzzer calls; compiled once for each target, with the name of its entry.
#include <cstdint>

#include "tests/fuzz/entries.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warplings::fuzz::WARPLINGS_FUZZ_ENTRY(std::as_bytes(std::span(data, size)));
  return 0;
}
