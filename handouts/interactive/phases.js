// SPDX-License-Identifier: Apache-2.0
// A tiled product of width x width matrices, with guards of the reader's choice: what each thread loads in each phase,
// and what becomes of P. The matrices are as in chapter 1: tile x tile threads a block, row by row in memory.
"use strict";

// What a guard may ask. `own` are row and column of the element that a thread wants, `place` those of its element of P.
const GUARDS = {
  both: (own, place, width) => own.row < width && own.column < width,
  row: (own, place, width) => own.row < width,
  column: (own, place, width) => own.column < width,
  owner: (own, place, width) => place.row < width && place.column < width,
  none: () => true,
};

const tilesIn = (width, tile) => Math.floor((width + tile - 1) / tile);

// {row, column} that thread (tx, ty) of block (bx, by) wants of M, N or P.
function placeOf(matrix, {tile, bx, by, phase}, tx, ty) {
  const row = by * tile + ty, column = bx * tile + tx;
  if (matrix === "M") return {row, column: phase * tile + tx};
  if (matrix === "N") return {row: phase * tile + ty, column};
  return {row, column};
}

// What one thread's access does: "inside": it takes its element; "zero": there is none, and the guard knows; "missing":
// there is one, and the guard keeps it away; "other": it takes another element of the matrix; "behind": there is nothing.
function accessOf(matrix, guard, settings, tx, ty) {
  const {width} = settings;
  const own = placeOf(matrix, settings, tx, ty), index = own.row * width + own.column;
  const exists = own.row < width && own.column < width;
  const goes = GUARDS[guard](own, placeOf("P", settings, tx, ty), width);
  const kind = !goes ? (exists ? "missing" : "zero") : exists ? "inside" : index < width * width ? "other" : "behind";
  return {tx, ty, ...own, index, kind};
}

// All threads of a block, row by row.
function accesses(matrix, guard, settings) {
  const found = [];
  for (let ty = 0; ty < settings.tile; ++ty) {
    for (let tx = 0; tx < settings.tile; ++tx) found.push(accessOf(matrix, guard, settings, tx, ty));
  }
  return found;
}

// Each block in each phase, in the order in which a reader goes through them.
function* steps({width, tile}) {
  const tiles = tilesIn(width, tile);
  for (let by = 0; by < tiles; ++by) {
    for (let bx = 0; bx < tiles; ++bx) {
      for (let phase = 0; phase < tiles; ++phase) yield {bx, by, phase};
    }
  }
}

const element = (matrix, index) => matrix === "M" ? 1 + index % 7 : 2 + (3 * index) % 5;

// The value that goes into the tile; NaN stands for whatever lies behind the matrix.
function valueOf(matrix, access) {
  if (access.kind === "zero" || access.kind === "missing") return 0;
  return access.kind === "behind" ? NaN : element(matrix, access.index);
}

// The whole grid: how many accesses of each kind, and which elements of P come out right.
function outcome(settings) {
  const {width, tile} = settings;
  const count = {M: {}, N: {}, P: {}};
  const stored = Array(width * width).fill(null);
  const disturbed = new Set();
  const note = (matrix, kind) => { count[matrix][kind] = (count[matrix][kind] ?? 0) + 1; };
  const tiles = tilesIn(width, tile);
  for (let by = 0; by < tiles; ++by) {
    for (let bx = 0; bx < tiles; ++bx) {
      const sums = Array(tile * tile).fill(0);
      for (let phase = 0; phase < tiles; ++phase) {
        const at = {...settings, bx, by, phase};
        const m = accesses("M", settings.m, at), n = accesses("N", settings.n, at);
        m.forEach((each) => note("M", each.kind));
        n.forEach((each) => note("N", each.kind));
        for (let ty = 0; ty < tile; ++ty) {
          for (let tx = 0; tx < tile; ++tx) {
            for (let k = 0; k < tile; ++k) {
              sums[ty * tile + tx] += valueOf("M", m[ty * tile + k]) * valueOf("N", n[k * tile + tx]);
            }
          }
        }
      }
      accesses("P", settings.p, {...settings, bx, by, phase: 0}).forEach((each, thread) => {
        note("P", each.kind);
        if (each.kind === "inside") stored[each.index] = sums[thread];
        if (each.kind === "other") disturbed.add(each.index);
      });
    }
  }
  return {count, right: stored.map((value, index) => value === productAt(width, index) && !disturbed.has(index))};
}

function productAt(width, index) {
  const row = Math.floor(index / width), column = index % width;
  let sum = 0;
  for (let k = 0; k < width; ++k) sum += element("M", row * width + k) * element("N", k * width + column);
  return sum;
}
