// SPDX-License-Identifier: Apache-2.0
// Asks for more threads a block than there can be, and looks at no error.
__global__ void nothing() {}

int main() {
  nothing<<<1, 2048>>>();
  return 0;
}
