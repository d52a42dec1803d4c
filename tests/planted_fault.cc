// SPDX-License-Identifier: Apache-2.0
// planted_fault FAULT: makes a fault of the kind that a sanitizer is for. tests/sanitize runs it to see that
// its build notices one: a build that has lost its sanitizers would pass everything.
#include <climits>
#include <cstring>
#include <thread>
#include <vector>

namespace {

int WriteBehindAnArray(std::size_t size) {
  std::vector<int> array(size);
  int* const elements = array.data();
  elements[size] = 1;
  return elements[0];
}

int AddBeyondTheLargest(int by) {
  volatile int largest = INT_MAX;
  return largest + by;
}

int AddFromTwoThreads() {
  int sum = 0;
  const auto add = [&sum] {
    for (int i = 0; i < 1000; ++i) ++sum;
  };
  std::thread other(add);
  add();
  other.join();
  return sum;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  volatile int kept = 0;  // What nobody reads would not be computed.
  if (std::strcmp(arguments[1], "heap") == 0) kept = WriteBehindAnArray(static_cast<std::size_t>(count));
  if (std::strcmp(arguments[1], "overflow") == 0) kept = AddBeyondTheLargest(count);
  if (std::strcmp(arguments[1], "race") == 0) kept = AddFromTwoThreads();
  return kept == -1 ? 2 : 0;
}
