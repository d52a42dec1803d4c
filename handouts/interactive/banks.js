// SPDX-License-Identifier: Apache-2.0
// What one request of a warp asks of the banks of shared memory: the arithmetic of reference/banks.cc. tests/browser holds
// the two to the same results.
"use strict";

const BANKS = 32, BANK_BYTES = 4, LANES = 32;

const bankOf = (address) => Math.floor(address / BANK_BYTES) % BANKS;
const banksCovered = (bytes) => Math.max(Math.floor(bytes / BANK_BYTES), 1);
// A pass moves 128 bytes, so wide elements are served for half a warp or a quarter at a time.
const lanesAtOnce = (bytes) => LANES / banksCovered(bytes);

// For the lanes first .. first + count - 1: by bank, the words that are wanted from it, each with its lanes, in the
// order in which the lanes ask.
function wordsWanted(addresses, first, count, bytes) {
  const banks = Array.from({length: BANKS}, () => new Map());
  for (let lane = first; lane < first + count; ++lane) {
    for (let k = 0; k < banksCovered(bytes); ++k) {
      const word = Math.floor(addresses[lane] / BANK_BYTES) + k;
      const words = banks[word % BANKS];
      if (!words.has(word)) words.set(word, []);
      words.get(word).push(lane);
    }
  }
  return banks;
}

// {degree, wavefronts, conflicts, busiest: banks, groups: what each group of lanes wants}.
function useOfBanks(addresses, bytes) {
  const use = {degree: 1, wavefronts: 0, conflicts: 0, busiest: [], groups: []};
  const atOnce = lanesAtOnce(bytes);
  for (let first = 0; first < LANES; first += atOnce) {
    const banks = wordsWanted(addresses, first, atOnce, bytes);
    const wanted = banks.map((words) => words.size);
    const worst = Math.max(...wanted);
    if (worst > use.degree) use.busiest = [];
    use.degree = Math.max(use.degree, worst);
    wanted.forEach((count, bank) => {
      if (count === use.degree && !use.busiest.includes(bank)) use.busiest.push(bank);
    });
    use.wavefronts += worst;
    use.conflicts += worst - 1;
    use.groups.push({first, banks, wavefronts: worst});
  }
  use.busiest.sort((a, b) => a - b);
  return use;
}

// Where a row of a tile keeps its element `column`.
const ARRANGEMENTS = {
  plain: (row, column) => column,
  xor: (row, column, columns) => column ^ (row % columns),
  rotate: (row, column, columns) => (row + column) % columns,
};

// The byte addresses of 32 lanes. `access` is {bytes, pattern, ...}: "stride" with {stride, offset} in elements; "column"
// and "row" of a tile with {columns, padding, arrangement, line}: lane i reads element i of column or row `line`, and a row
// that is too short for 32 lanes goes on in the next.
function addressesOf(access) {
  const pitch = access.columns + access.padding;
  const element = (row, column) => row * pitch + ARRANGEMENTS[access.arrangement](row, column, access.columns);
  const index = {
    stride: (lane) => access.offset + lane * access.stride,
    column: (lane) => element(lane, access.line % access.columns),
    row: (lane) => element(access.line + Math.floor(lane / access.columns), lane % access.columns),
  }[access.pattern];
  return Array.from({length: LANES}, (_, lane) => index(lane) * access.bytes);
}
