# SPDX-License-Identifier: Apache-2.0
"""Four answers to each kernel exercise whose values are right and that solve nothing; tests/unforeseen runs them.

Each exercise is given by what one thread, of the host or of the device, has to compute. From that come

    cpu       copies the inputs to the host, computes there, copies the result back: no kernel at all
    decoy     the same, but a kernel with a thread for each element stores the result
    memcpy    a kernel of one thread computes into scratch memory, and cudaMemcpy puts it where it belongs
    thread    one thread computes everything

An entry of a function that returns a value says so by "returns": "int", and its "compute" has a return statement. If only a
part of the output is written, "stored" is how many elements, in C++; `way_answer` is the returned value there. Outputs beside
"output" are listed in "further_outputs", each as (name, type, number of elements); in "stored", `way_first_NAME` is the first element
of one.
"""

MATMUL = """
  for (long r = 0; r < ROWS; ++r)
    for (long c = 0; c < COLUMNS; ++c) {
      float sum = 0;
      for (long i = 0; i < INNER; ++i) sum += M_OF(r, i) * N[i * COLUMNS + c];
      P[r * COLUMNS + c] = sum;
    }
"""


def matmul(name, parameters, rows, inner, columns, transposed=False):
    m = "Mt" if transposed else "M"
    m_of = f"Mt[i * ({rows}) + r]" if transposed else f"M[r * ({inner}) + i]"
    body = MATMUL.replace("M_OF(r, i)", m_of).replace("ROWS", f"({rows})").replace("COLUMNS", f"({columns})")
    return {
        "name": name, "entry": name, "parameters": f"const float* {m}, const float* N, float* P, {parameters}",
        "inputs": [(m, "float", f"(long){rows} * {inner}"), ("N", "float", f"(long){inner} * {columns}")],
        "output": ("P", "float", f"(long){rows} * {columns}"), "compute": body.replace("INNER", f"({inner})")}


def transpose(name):
    return {
        "name": name, "entry": name, "parameters": "const float* X, float* Y, int rows, int columns",
        "inputs": [("X", "float", "(long)rows * columns")], "output": ("Y", "float", "(long)rows * columns"),
        "compute": "for (long i = 0; i < (long)rows * columns; ++i) Y[i % columns * rows + i / columns] = X[i];"}


SQUARE = ("width", "width", "width")
EXERCISES = [
    matmul("tiled_matmul", "int width", *SQUARE),
    matmul("repair_tiled_matmul", "int width", *SQUARE),
    matmul("rect_matmul", "int j, int k, int l", "j", "k", "l"),
    matmul("rect_tiled_matmul", "int j, int k, int l", "j", "k", "l"),
    matmul("rect_tiled_transposed", "int j, int k, int l", "j", "k", "l", transposed=True),
    matmul("dynamic_tiled_matmul", "int width, int tile", *SQUARE),
    matmul("coarsened_matmul", "int width", *SQUARE),
    matmul("fast_matmul", "int width", *SQUARE),
    transpose("transpose_padded"),
    transpose("transpose_swizzled"),
    {"name": "reverse", "entry": "reverse",
     "parameters": "const int* in, int* out, int n, int piece, bool use_dynamic", "inputs": [("in", "int", "n")],
     "output": ("out", "int", "n"), "compute": "for (int i = 0; i < n; ++i) {\n"
                "    const int start = i / piece * piece, end = start + piece < n ? start + piece : n;\n"
                "    out[i] = in[start + end - 1 - i];\n  }"},
    {"name": "off_the_cliff", "entry": "normalise", "parameters": "const float* x, float* y, int n",
     "inputs": [("x", "float", "(long)kFeatures * n")], "output": ("y", "float", "(long)kFeatures * n"),
     "compute": "for (long i = 0; i < n; ++i) {\n"
                "    double mean = 0, variance = 0;\n"
                "    for (int f = 0; f < kFeatures; ++f) mean += x[f * (long)n + i] / (double)kFeatures;\n"
                "    for (int f = 0; f < kFeatures; ++f) {\n"
                "      const double d = x[f * (long)n + i] - mean;\n"
                "      variance += d * d / kFeatures;\n"
                "    }\n"
                "    for (int f = 0; f < kFeatures; ++f)\n"
                "      y[f * (long)n + i] = (float)((x[f * (long)n + i] - mean) / sqrt(variance + 1e-6));\n  }"},
    {"name": "reduce_sequential", "entry": "reduce_sequential", "parameters": "const float* X, float* sums, int n",
     "inputs": [("X", "float", "n")], "output": ("sums", "float", "(n + SEGMENT - 1) / SEGMENT"),
     "compute": "for (int b = 0; b * SEGMENT < n; ++b) {\n"
                "    float sum = 0;\n"
                "    for (int i = b * SEGMENT; i < n && i < (b + 1) * SEGMENT; ++i) sum += X[i];\n"
                "    sums[b] = sum;\n  }"},
    {"name": "coarsened_reduction", "entry": "coarsened_reduction",
     "parameters": "const float* input, float* output, int length", "inputs": [("input", "float", "length")],
     "output": ("output", "float", "1"),
     "compute": "float sum = 0;\n  for (int i = 0; i < length; ++i) sum += input[i];\n  output[0] = sum;"},
    {"name": "when_not_to", "entry": "when_not_to",
     "parameters": "const float* A, const float* B, float* C, int length, int coarse_factor",
     "inputs": [("A", "float", "length"), ("B", "float", "length")], "output": ("C", "float", "length"),
     "compute": "for (int i = 0; i < length; ++i) C[i] = A[i] + B[i];"},
    {"name": "histogram", "entry": "histogram", "parameters": "const int* input, int* counts, int length, int bins",
     "inputs": [("input", "int", "length")], "output": ("counts", "int", "bins"),
     "compute": "for (int b = 0; b < bins; ++b) counts[b] = 0;\n  for (int i = 0; i < length; ++i) ++counts[input[i]];"},
    {"name": "stencil", "entry": "stencil",
     "parameters": "const float* input, float* output, int width, int height, int depth",
     "inputs": [("input", "float", "(long)width * height * depth")],
     "output": ("output", "float", "(long)width * height * depth"), "compute": "for (long i = 0; i < (long)width * height * depth; ++i) {\n"
                "    const long row = width, plane = (long)width * height;\n"
                "    const int x = i % width, y = i / row % height, z = i / plane;\n"
                "    const bool inner = x > 0 && x < width - 1 && y > 0 && y < height - 1 && z > 0 && z < depth - 1;\n"
                "    output[i] = !inner ? input[i] : kCentre * input[i] + kNeighbour * (input[i - 1] + input[i + 1] +\n"
                "        input[i - row] + input[i + row] + input[i - plane] + input[i + plane]);\n  }"},
    {"name": "convolution", "entry": "convolution",
     "parameters": "const float* input, const float* filter, float* output, int rows, int columns",
     "inputs": [("input", "float", "(long)rows * columns"), ("filter", "float", "25")],
     "output": ("output", "float", "(long)rows * columns"), "compute": "for (long e = 0; e < (long)rows * columns; ++e) {\n"
                "    float sum = 0;\n"
                "    for (int k = 0; k < 25; ++k) {\n"
                "      const long r = e / columns + k / 5 - kRadius, c = e % columns + k % 5 - kRadius;\n"
                "      if (r >= 0 && r < rows && c >= 0 && c < columns) sum += filter[k] * input[r * columns + c];\n"
                "    }\n"
                "    output[e] = sum;\n  }"},
    {"name": "scan", "entry": "scan", "parameters": "const int* input, int* output, int length",
     "inputs": [("input", "int", "length")], "output": ("output", "int", "length"),
     "compute": "int sum = 0;\n  for (int i = 0; i < length; ++i) output[i] = sum += input[i];"},
    {"name": "merge_tiles", "entry": "merge_tiles",
     "parameters": "const int* a, int a_length, const int* b, int b_length, int* output",
     "inputs": [("a", "int", "a_length"), ("b", "int", "b_length")],
     "output": ("output", "int", "a_length + b_length"), "compute": "int i = 0, j = 0;\n  for (int k = 0; k < a_length + b_length; ++k)\n"
                "    output[k] = j == b_length || (i < a_length && a[i] <= b[j]) ? a[i++] : b[j++];"},
]

WAYS = ("cpu", "decoy", "memcpy", "thread")
# Of every name that is written here, so that an exercise's parameters may have any other.
PREFIX = "way_"


def parameter_names(exercise):
    return [parameter.split()[-1].lstrip("*") for parameter in exercise["parameters"].split(",")]


def arguments(exercise, **renamed):
    """The function's own arguments, in the order of its parameters; some by another name."""
    return ", ".join(renamed.get(name, name) for name in parameter_names(exercise))


def source(exercise, way):
    """The submission's text."""
    for name in parameter_names(exercise):
        if name.startswith(PREFIX):
            raise ValueError(f"{exercise['name']}: the parameter {name} begins with {PREFIX}, as what is written here does")
    inputs, (output, of, count) = exercise["inputs"], exercise["output"]
    further = exercise.get("further_outputs", [])
    returns = exercise.get("returns", "void")
    has_answer = returns != "void"
    stored = exercise.get("stored", "way_count")
    keep = f"const {returns} way_answer = " if has_answer else ""
    end = "  return way_answer;\n}\n" if has_answer else "}\n"
    # A kernel returns nothing: it stores the value.
    kernel_end, store_answer = (f", {returns}* way_answer", "*way_answer = ") if has_answer else ("", "")
    text = (f"// SPDX-License-Identifier: Apache-2.0\n// {exercise['name']}: {way}\n"
            f"#include <cmath>\n#include <vector>\n\n#include \"{exercise['name']}.h\"\n\n"
            f"__host__ __device__ static {returns} way_compute({exercise['parameters']}) {{\n"
            f"  {exercise['compute'].strip()}\n}}\n\n"
            f"__global__ void way_alone({exercise['parameters']}{kernel_end}) {{\n"
            f"  {store_answer}way_compute({arguments(exercise)});\n}}\n\n"
            f"template <class T>\n__global__ void way_store(const T* from, T* to, long count) {{\n"
            f"  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;\n  if (i < count) to[i] = from[i];\n}}\n\n"
            f"{returns} {exercise['entry']}({exercise['parameters']}) {{\n  const long way_count = {count};\n"
            f"  if (way_count == 0) return{' 0' if has_answer else ''};\n")
    # (name, type, room, elements that are stored)
    outputs = [(name, kind, size, size) for name, kind, size in further] + [(output, of, "way_count", stored)]

    def launch_alone(**renamed):
        if not has_answer:
            return f"  way_alone<<<1, 1>>>({arguments(exercise, **renamed)});\n"
        return (f"  {returns} way_answer, *way_stored_answer;\n  cudaMalloc(&way_stored_answer, sizeof({returns}));\n"
                f"  way_alone<<<1, 1>>>({arguments(exercise, **renamed)}, way_stored_answer);\n"
                f"  cudaMemcpy(&way_answer, way_stored_answer, sizeof({returns}), cudaMemcpyDeviceToHost);\n"
                f"  cudaFree(way_stored_answer);\n")

    if way == "thread":
        return text + launch_alone() + end
    scratch = "".join(f"  {kind}* way_scratch_{name};\n  cudaMalloc(&way_scratch_{name}, {size} * sizeof({kind}));\n"
                      for name, kind, size, _ in outputs)
    free_scratch = "".join(f"  cudaFree(way_scratch_{name});\n" for name, _, _, _ in outputs)
    if way == "memcpy":
        text += scratch + launch_alone(**{name: f"way_scratch_{name}" for name, _, _, _ in outputs})
        for name, kind, _ in further:
            text += (f"  {kind} way_first_{name};\n"
                     f"  cudaMemcpy(&way_first_{name}, way_scratch_{name}, sizeof({kind}), cudaMemcpyDeviceToHost);\n")
        for name, kind, _, elements in outputs:
            text += f"  cudaMemcpy({name}, way_scratch_{name}, {elements} * sizeof({kind}), cudaMemcpyDeviceToDevice);\n"
        return text + free_scratch + end
    for name, kind, elements in inputs:
        text += (f"  std::vector<{kind}> way_host_{name}({elements});\n"
                 f"  cudaMemcpy(way_host_{name}.data(), {name}, way_host_{name}.size() * sizeof({kind}), cudaMemcpyDeviceToHost);\n")
    for name, kind, size, _ in outputs:
        text += f"  std::vector<{kind}> way_result_{name}({size});\n"
    on_host = ({name: f"way_host_{name}.data()" for name, _, _ in inputs} |
               {name: f"way_result_{name}.data()" for name, _, _, _ in outputs})
    text += f"  {keep}way_compute({arguments(exercise, **on_host)});\n"
    for name, kind, _ in further:
        text += f"  const {kind} way_first_{name} = way_result_{name}[0];\n"
    if way == "cpu":
        for name, kind, _, elements in outputs:
            text += f"  cudaMemcpy({name}, way_result_{name}.data(), {elements} * sizeof({kind}), cudaMemcpyHostToDevice);\n"
        return text + end
    text += scratch
    for name, kind, size, elements in outputs:
        text += (f"  cudaMemcpy(way_scratch_{name}, way_result_{name}.data(), {size} * sizeof({kind}), cudaMemcpyHostToDevice);\n"
                 f"  way_store<<<({size} + 255) / 256, 256>>>(way_scratch_{name}, {name}, {elements});\n")
    return text + f"  cudaDeviceSynchronize();\n{free_scratch}{end}"


def write_all(folder):
    """[(file, exercise)] of all of them, written below `folder`."""
    written = []
    for exercise in EXERCISES:
        for way in WAYS:
            file = folder / f"{exercise['name']}.{way}.cu"
            file.write_text(source(exercise, way))
            written.append((file, exercise["name"]))
    return written
