// SPDX-License-Identifier: Apache-2.0
struct Mixed {
  int n;
  const char* s;
  double d;
  int* p;
  char tail[3];
};
__device__ int counter = 7;
__device__ int arr[2][3] = {{1, 2}, {3}};
__constant__ float coef[5] = {1, 2.5f, -3};
__device__ double big[1000];
__managed__ int m[4] = {1, 2, 3, 4};
__device__ Mixed mixed[2] = {{1, "hello", 2.5, &counter, "ab"}, {2, "x", 0, &arr[1][2], ""}};
static __device__ const char msg[] = "text\n";
__device__ unsigned char bytes[3] = {255, 0, 1};
__device__ long long ll = -5;
__device__ float* fp = coef;
__device__ bool flag = true;
__device__ void (*none)() = nullptr;
__device__ float4 f4 = {1, 2, 3, 4};
__global__ void k(int* o, int i) {
  o[0] = counter + arr[i][1] + (int)coef[i] + (int)big[i] + m[i] + mixed[i].n + mixed[i].s[i] +
         (int)mixed[i].d + *mixed[i].p + mixed[i].tail[i] + msg[i] + bytes[i] + (int)ll + flag + (int)f4.x +
         (int)fp[i];
  if (none) none();
  m[1] = 9;
  ll = i;
  flag = 0;
  f4.y = 1;
  bytes[1] = 2;
}
