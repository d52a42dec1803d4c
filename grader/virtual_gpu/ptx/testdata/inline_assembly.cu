// SPDX-License-Identifier: Apache-2.0
__global__ void k(int* x, float* f) {
  int a;
  asm volatile(
      "{\n\t.reg .pred p;\n\t.reg .u32 t<3>;\n\tsetp.gt.s32 p, %1, 0;\n\t@p mov.u32 t0, 1; @!p mov.u32 t0, "
      "2;\n\tmov.u32 t2, %%laneid; add.u32 t1, t0, t2;\n\tmov.u32 %0, t1; }"
      : "=r"(a)
      : "r"(x[1]));
  x[0] = a;
  asm("{ .reg .pred p; .reg .u32 t<3>; setp.eq.u32 p, %1, 077; selp.u32 %0, 0b101, 0xFFU, p; }"
      : "=r"(a)
      : "r"(x[2]));
  x[3] = a;
  asm volatile("bar.sync 0;");
  asm volatile("{ .reg .pred q; L_again: add.s32 %0, %0, 1; setp.lt.s32 q, %0, WARP_SZ; @q bra L_again; }"
               : "+r"(a));
  asm volatile("{ .reg .pred q; L_again: add.s32 %0, %0, -1; setp.gt.s32 q, %0, 0; @q bra L_again; }"
               : "+r"(a));
  asm("add.f32 %0, %0, 1.5;" : "+f"(f[0]));
  x[4] = a;
}
