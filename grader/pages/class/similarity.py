# SPDX-License-Identifier: Apache-2.0
"""How much of two submissions is the same, apart from what everybody was given: a hint where to look, no verdict.

Winnowing, as in S. Schleimer, D. Wilkerson, A. Aiken: "Winnowing: local algorithms for document fingerprinting",
SIGMOD 2003, https://doi.org/10.1145/872757.872770. A program is read as words: comments and blanks do not count,
a name of one's own is as good as another, and so is a number. Each run of RUN words has a hash; of every WINDOW hashes
in a row the least is kept, so that two programs that share RUN + WINDOW - 1 words in a row share a fingerprint. The
starter's fingerprints are no one's, nor are those of more than a quarter of a large class: there is often only one way
to write it. In a small class a quarter is no more than a few friends, and nothing is left out but what more than ten have.
"""
import collections
import itertools
import re
import zlib

RUN, WINDOW = 12, 6
LEAST = 8  # Fingerprints of one's own, below which a program is too short to be compared.
SHARE = 0.6  # Of the shorter program's, from which on two are named.
COMMON, FEW = 0.25, 10  # What more than this part of the files has, and more than FEW of them, is what the exercise asks for.

_WORD = re.compile(r"""//[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | [A-Za-z_]\w*
                       | \.?\d[\w.]* | <<<|>>> | [-+*/%&|^=<>!]=|&&|\|\||\+\+|--|<<|>>|->|:: | [^\s\w]""", re.VERBOSE | re.DOTALL)
_KEPT = frozenset("""if else for while do return break continue switch case const static void int unsigned float double bool char
                     auto template typename struct extern inline sizeof __global__ __device__ __host__ __shared__ __constant__
                     __restrict__ __syncthreads threadIdx blockIdx blockDim gridDim""".split())


def words(text):
    """The program without what costs nothing to change."""
    for match in _WORD.finditer(text):
        word = match[0]
        if word.startswith(("//", "/*")):
            continue
        if word[0].isalpha() or word[0] == "_":
            yield word if word in _KEPT else "name"
        elif word[0].isdigit() or (word[0] == "." and len(word) > 1):
            yield "0"
        else:
            yield '""' if word[0] in "\"'" and len(word) > 1 else word


def code(text):
    """The program without comments and blanks, as it is."""
    return tuple(match[0] for match in _WORD.finditer(text) if not match[0].startswith(("//", "/*")))


def shape(text):
    """The program without comments and blanks, each name replaced by the place in the order in which they appear: a name of one's
    own is as good as another, but `tx` in place of `ty` is another program. Members keep theirs: .x is not .y."""
    numbers, found = {}, []
    for word in code(text):
        is_name = (word[0].isalpha() or word[0] == "_") and word not in _KEPT and found[-1:] not in (["."], ["->"])
        found.append(f"name {numbers.setdefault(word, len(numbers))}" if is_name else word)
    return tuple(found)


def is_short(solution, starter):
    """Whether so little of a solution is not the starter's that others may well write the same."""
    return len(fingerprints(solution) - fingerprints(starter)) < LEAST


def fingerprints(text):
    found = list(words(text))
    # Not Python's hash(), which is another in each run: the pages would change.
    hashes = [zlib.crc32(" ".join(found[i:i + RUN]).encode()) for i in range(len(found) - RUN + 1)]
    return {min(hashes[i:i + WINDOW]) for i in range(max(len(hashes) - WINDOW + 1, min(len(hashes), 1)))}


def shares_with(model, texts, starter):
    """{key: what part of the shorter one a text and the model share}, of what is not the starter's."""
    given = fingerprints(starter)
    own = fingerprints(model) - given
    shares = {}
    for key, text in texts.items():
        marks = fingerprints(text) - given
        shares[key] = len(marks & own) / max(min(len(marks), len(own)), 1)
    return shares


def similar(texts, starter):
    """What is worth a look, of the keys of `texts`, {key: source}:

    ([[key]]: each the same program but for comments, blanks, names and numbers,
     [(share, key, key)]: pairs of the others, the most alike first; of a group's members the first one stands for all)
    """
    return compare(texts, starter)[:2]


def compare(texts, starter):
    """similar(), and [key]: too little of these is not everybody's for a comparison."""
    given = fingerprints(starter)
    own = {key: fingerprints(text) - given for key, text in texts.items()}
    holders = collections.defaultdict(list)
    for key, marks in own.items():
        for mark in marks:
            holders[mark].append(key)
    common = {mark for mark, keys in holders.items() if len(keys) > max(COMMON * len(own), FEW)}
    rare = {key: marks - common for key, marks in own.items() if len(marks - common) >= LEAST}
    groups = collections.defaultdict(list)
    for key in rare:
        groups[tuple(words(texts[key]))].append(key)
    first = {group[0] for group in groups.values()}
    shared = collections.Counter()
    for mark, keys in holders.items():
        if mark not in common:
            shared.update(itertools.combinations((key for key in keys if key in first), 2))
    pairs = [(count / min(len(rare[a]), len(rare[b])), a, b) for (a, b), count in shared.items()]
    return (sorted((group for group in groups.values() if len(group) > 1), key=len, reverse=True),
            sorted((pair for pair in pairs if pair[0] >= SHARE), key=lambda pair: (-pair[0], pair[1:])),
            sorted(key for key in own if key not in rare))
