#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles resources.cu to the cubins that cubin_test reads, and prints what ptxas says of them (nvcc on
PATH). The expectations in cubin_test.cc are these lines. 24 registers make one of the kernels spill."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    for sm in (75, 80, 90):
        command = ["nvcc", f"-arch=sm_{sm}", "-maxrregcount=24", "-cubin", "-Xptxas=-v",
                   "-o", str(HERE / f"resources.sm_{sm}.cubin"), "resources.cu"]
        said = subprocess.run(command, check=True, cwd=HERE, capture_output=True, text=True).stderr
        print(f"sm_{sm}\n{said}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
