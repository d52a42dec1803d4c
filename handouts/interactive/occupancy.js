// SPDX-License-Identifier: Apache-2.0
// How many blocks of a kernel are resident on a multiprocessor: the arithmetic of NVIDIA's cuda_occupancy.h for compute
// capability 7.0 and later, as grader/device/occupancy.cc asks it. tests/browser holds the two to the same results.
"use strict";

const WARP = 32;

const roundUp = (value, unit) => Math.ceil(value / unit) * unit;

// `profile` is a card as handouts/facts.cc writes it, `shape` {threads, registers, shared}: of a block, of a thread, of
// a block in bytes (static and dynamic together; all that is asked for has been opted in for).
// What each resource takes for one block, and how many blocks it has room for (Infinity: it is not used).
function blocksByResource(profile, shape) {
  const warps = Math.ceil(shape.threads / WARP);
  return {
    threads: byThreads(profile, shape, warps),
    registers: byRegisters(profile, shape, warps),
    shared: byShared(profile, shape),
    blocks: {taken: 1, of: profile.blocks, blocks: profile.blocks},
  };
}

function byThreads(profile, shape, warps) {
  const fits = shape.threads <= profile.threads_per_block;
  return {taken: warps * WARP, of: profile.threads, blocks: fits ? Math.floor(profile.warps / warps) : 0};
}

// A multiprocessor's registers lie in partitions, and a warp's registers in one of them.
function byRegisters(profile, shape, warps) {
  const warpTakes = roundUp(shape.registers * WARP, profile.register_unit);
  const taken = warpTakes * warps;
  const result = {taken, warpTakes, of: profile.registers, blocks: 0};
  // What a launch checks: as if the block's warps were dealt to all partitions alike.
  const assumed = warpTakes * roundUp(warps, profile.register_partitions);
  if (assumed > profile.registers_block || shape.registers > profile.registers_thread) return result;
  if (warpTakes === 0) return {...result, blocks: Infinity};
  const warpsOfPartition = Math.floor(Math.floor(profile.registers / profile.register_partitions) / warpTakes);
  return {...result, blocks: Math.floor(warpsOfPartition * profile.register_partitions / warps)};
}

function byShared(profile, shape) {
  const asked = shape.shared + profile.shared_reserved;
  const taken = roundUp(asked, profile.shared_unit);
  const most = (asked > profile.shared_block ? profile.shared_optin : profile.shared_block) + profile.shared_reserved;
  const result = {taken, of: profile.shared, blocks: 0};
  if (taken > most) return result;
  return {...result, blocks: taken > 0 ? Math.floor(profile.shared / taken) : Infinity};
}

// {blocks, limits: names of the resources that allow no more, occupancy: 0 to 1, resources}.
function residency(profile, shape) {
  const resources = blocksByResource(profile, shape);
  const blocks = Math.min(...Object.values(resources).map((each) => each.blocks));
  const limits = Object.keys(resources).filter((name) => resources[name].blocks === blocks);
  const threads = blocks * Math.ceil(shape.threads / WARP) * WARP;
  return {blocks, limits, threads, occupancy: threads / profile.threads, resources};
}

// The next value of one of shape's numbers, going from its own by `step` up to `last`, for which `differs(residency)`.
function nextValue(profile, shape, name, step, last, differs) {
  for (let value = shape[name] + step; step > 0 ? value <= last : value >= last; value += step) {
    const other = residency(profile, {...shape, [name]: value});
    if (differs(other)) return {value, ...other};
  }
  return null;
}

// Occupancy along one of the numbers, the others as they are: [[value, occupancy]] for `first` and all values that are one
// more than a multiple of `step`.
function curve(profile, shape, name, first, last, step) {
  const points = [];
  for (let value = first; value <= last; value = Math.floor((value + step - 1) / step) * step + 1) {
    points.push([value, residency(profile, {...shape, [name]: value}).occupancy]);
  }
  return points;
}

// Where a curve falls: [[value, occupancy from there on, occupancy before]].
function cliffs(points) {
  const found = [];
  for (let i = 1; i < points.length; ++i) {
    if (points[i][1] < points[i - 1][1]) found.push([points[i][0], points[i][1], points[i - 1][1]]);
  }
  return found;
}
