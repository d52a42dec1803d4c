// SPDX-License-Identifier: Apache-2.0
__global__ void __launch_bounds__(256) a(int* x) {
  x[0] = 1;
}
__global__ void __launch_bounds__(128, 4) b(int* x) {
  x[0] = 1;
}
__global__ void __maxnreg__(32) c(int* x) {
  x[0] = 1;
}
