# SPDX-License-Identifier: Apache-2.0
"""What the page of a profile says of a run beside others, before anybody draws it."""
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[2] / "grader" / "pages" / "profile"), str(HERE.parents[2] / "grader" / "pages"), str(HERE.parent)]

import comparison  # noqa: E402
import kernels  # noqa: E402
import made_up_profile  # noqa: E402
import profile_page  # noqa: E402
import roofline  # noqa: E402


def histogram(**more):
    """Copies in shared memory, beside an atomic in global memory for each element."""
    data = made_up_profile.timed_call()
    parts = made_up_profile.parts
    data["test"]["title"] = "4,194,304 elements in 256 bins"
    yours = {"wavefronts": 55296, "conflicts": 0, "sectors": 556416, "global_atomic_passes": 864, "shared_atomic_passes": 138240,
             "warp_instructions": 2359296, "dram_bytes": 16778240} | more
    data["test"]["figures"] = made_up_profile.figures(seconds=2.6e-5, bound_words="latency", **yours,
                                                      parts=parts(atomics=2e-6, latency=2.2e-5, l2=3e-6))
    baseline = yours | {"wavefronts": 0, "sectors": 3141632, "global_atomic_passes": 131072, "shared_atomic_passes": 0}
    data["beside"] = [{"name": "baseline", "figures": made_up_profile.figures(
        seconds=1.5e-3, **baseline, parts=parts(atomics=1.5e-3, latency=1e-5, l2=1.7e-5))}]
    return data


def cell(data, name):
    return next(row["cells"][0] for row in comparison.rows(data) if row["name"] == name)


class Tiles(unittest.TestCase):
    def test_conflicts_are_those_of_the_worst_line(self):
        """The report says 31 of the loads; with the stores, which have none, the average is 15.5."""
        data = made_up_profile.profile()
        worst = profile_page.worst_conflicts(data["test"])
        self.assertEqual((worst["line"], worst["conflicts_per_request"]), (15, 31.0))
        self.assertEqual(data["test"]["figures"]["conflicts_per_request"], 15.5)

    def test_nothing_is_worst_where_nothing_conflicts(self):
        self.assertIsNone(profile_page.worst_conflicts({"lines": [made_up_profile.line(3, 1)]}))


class Page(unittest.TestCase):
    def test_the_map_of_wrong_values_comes_right_after_what_to_do_first(self):
        page = profile_page.draw(made_up_profile.wrong_values())
        places = [page.index(part) for part in ('class="box first"', 'id="output"', 'id="source"')]
        self.assertEqual(places, sorted(places))
        self.assertNotIn('id="output"', profile_page.draw(made_up_profile.profile()))
        beside = made_up_profile.wrong_values()
        beside["beside"] = made_up_profile.profile()["beside"]
        page = profile_page.draw(beside)
        places = [page.index(part) for part in ('id="output"', 'id="source"', 'id="compare"', 'id="occupancy"')]
        self.assertEqual(places, sorted(places), "who has not passed mends the source first")
        page = profile_page.draw(made_up_profile.timed_call())
        self.assertLess(page.index('id="compare"'), page.index('id="source"'))

    def test_the_first_advice_names_its_line_and_test(self):
        page = " ".join(profile_page.draw(made_up_profile.advised()).split())
        self.assertIn("<strong>Lanes read one bank of <code>tile</code></strong>", page)
        self.assertIn("Which words does the first warp use in the line named below?", page)
        self.assertIn("Seen in 1 of 2 tests: 15,872 bank conflicts in line 15", page)
        self.assertIn('<a href="#L10">Line 10</a>, <a href="#L15">Line 15</a>: error: race on <code>tile</code>, 4 times', page)
        self.assertIn("saw the error in another test, 3 x 5: race on <code>tile</code>, 4 times. To see that one: <code>--test</code> "
                      "<code>T.Small</code>", page)
        self.assertNotIn("in another test", profile_page.draw(made_up_profile.wrong_values()))

    def test_nobody_can_have_more_blocks_than_one_block_of_work(self):
        data = made_up_profile.profile()
        words = "more blocks would help more"
        self.assertIn(words, profile_page.draw(data))
        data["test"]["launches"][0]["grid"] = {"x": 1, "y": 1, "z": 1}
        self.assertNotIn(words, profile_page.draw(data))

    def test_occupancies_are_named_by_what_limits_them(self):
        page = " ".join(profile_page.draw(made_up_profile.scan()).split())
        self.assertIn("<dt>Possible occupancy</dt><dd>50 %<small> of scan_sums</small><small> (2 % reached)</small>", page)
        self.assertIn("possible and reached: 64 of 64 warps", page)
        self.assertNotIn(" reached)", profile_page.draw(made_up_profile.profile()))

    def test_shared_memory_has_what_the_driver_reserves(self):
        data = made_up_profile.profile()
        page = profile_page.draw(data)
        self.assertIn("5 KiB of 164 KiB", page)
        self.assertIn("A block takes 5 KiB of shared memory; 1 KiB of it the driver reserves.", page)
        data["card"]["reserved_shared_bytes"] = 0
        self.assertNotIn("the driver reserves", profile_page.draw(data))

    def test_a_previous_version_that_was_not_counted_is_left_out(self):
        said, why = "it was run again for this page", "Your previous version is not compared"
        data = made_up_profile.profile()
        page = profile_page.draw(data)
        self.assertIn(said, page)
        self.assertNotIn(why, page)
        data |= {"previous_left_out": True, "beside": data["beside"][1:]}
        self.assertNotIn(said, profile_page.draw(data))
        self.assertEqual(profile_page.draw(data).count(why), 1)
        data["beside"] = []
        self.assertEqual(profile_page.draw(data).count(why), 1, "there is no table to say it below")

    def test_how_close_two_times_are_that_count_as_equal_is_said(self):
        self.assertIn("the times differ by at most 20", profile_page.draw(made_up_profile.profile()))


class SeveralKernels(unittest.TestCase):
    """A scan whose sums of tiles one thread scans: most of the instructions are elsewhere, most of the time is there."""

    def test_the_headline_names_the_kernel_that_costs_most_and_why(self):
        said = comparison.headline(made_up_profile.scan())[-1]
        self.assertEqual(said, "scan_sums (line 9, 1 block of 1 thread) takes 45 µs of the estimated 110 µs, most of it waiting for "
                               "global memory. It keeps only 1 of the card’s 108 multiprocessors busy.")
        data = made_up_profile.scan()
        for launch in data["test"]["launches"]:
            launch["kernel"] = "scan_tiles"
        self.assertNotIn("takes", " ".join(comparison.headline(data)), "one kernel needs no name")
        data = made_up_profile.scan()
        data["test"]["launches"][0]["seconds"] = None
        self.assertNotIn("takes", " ".join(comparison.headline(data)), "which one is longest is not known")

    def test_a_bound_that_is_no_wait_is_named(self):
        data = made_up_profile.scan()
        data["test"]["launches"][2] |= {"seconds": 9e-5, "bound": "DRAM bandwidth"}
        self.assertEqual(comparison.headline(data)[-1], "add_sums (line 15, 1,024 blocks of 256 threads) takes 90 µs of the estimated "
                                                        "170 µs, most of it for DRAM bandwidth.")

    def test_a_definition_is_found_and_a_declaration_is_not(self):
        source = ("__global__ void k(int* a);\ntemplate <int N>\n__global__ __launch_bounds__(256)\nvoid k(int* a) {\n}\n"
                  "void f() { k(0); }\n")
        self.assertEqual(kernels.line_of("k<4>", source), 4)
        self.assertIsNone(kernels.line_of("f", source))
        self.assertIsNone(kernels.line_of("kk", source))

    def test_cards_and_limits_say_of_which_kernel(self):
        page = " ".join(profile_page.draw(made_up_profile.scan()).split())
        self.assertIn("50 %<small> of scan_sums</small>", page)
        self.assertIn("<small> of 32, all kernels</small>", page)
        self.assertIn("<p><code>scan_sums</code>: <strong>Latency-bound</strong>", page)
        self.assertIn("global memory (91 % of the waiting)", page)
        self.assertIn("would take alone, for all kernels together.", page)
        self.assertIn("The grid of scan_sums has too few blocks to fill the card.", page)
        self.assertNotIn(" all kernels<", profile_page.draw(made_up_profile.profile()))

    def test_one_block_is_drawn_as_one(self):
        data = made_up_profile.scan()
        small = next(each for each in profile_page.occupancies(data, comparison.ENGLISH) if each["launch"]["kernel"] == "scan_sums")
        self.assertEqual((small["resident"], small["blocks"], small["share"]), (1, 1, 1 / 64))
        self.assertEqual(sum(slot is not None for slot in small["slots"]), 1)
        self.assertEqual((small["changes"], small["limits"]), ([], ""))
        page = " ".join(profile_page.draw(data).split())
        self.assertIn("reached, 50 % possible: 1 of 64 warps are resident. The launch has 1 block of 1 warp for 108 multiprocessors; "
                      "32 would fit on each.", page)
        self.assertIn("1 block of 1 thread<", page)
        whole = next(each for each in profile_page.occupancies(data, comparison.ENGLISH) if each["launch"]["kernel"] == "add_sums")
        self.assertEqual((whole["resident"], whole["share"]), (64, 1.0))


class Limits(unittest.TestCase):
    def limits_of(self, **counts):
        data = histogram(**counts)
        data["test"]["figures"]["bound"] = "atomics"
        return roofline.limits(data)["meaning"]

    def test_who_combines_in_shared_memory_is_not_told_to(self):
        self.assertIn("launch fewer blocks", self.limits_of())
        self.assertIn("Combine values in a block first", self.limits_of(shared_atomic_passes=0))


class Headline(unittest.TestCase):
    def test_the_count_that_changes_the_time_most_comes_first(self):
        self.assertEqual(
            comparison.headline(histogram()),
            ["Your kernel needs 152 times fewer passes of atomics in global memory than the baseline at 4,194,304 elements in 256 "
             "bins.", "It is estimated to be 58 times as fast as the baseline.", "Most of the estimated time goes to latency."])
        self.assertEqual(cell(histogram(), "Passes of global atomics")["kind"], "good")

    def test_a_count_that_is_worse_explains_no_gain(self):
        data = histogram(global_atomic_passes=137626)
        data["beside"][0]["figures"]["global_atomic_passes"] = 131072
        self.assertIn("moves 5.6 times fewer sectors of global memory than the baseline", comparison.headline(data)[0])
        self.assertEqual(cell(data, "Passes of global atomics")["words"], "yours 1.05× more")
        self.assertEqual(cell(data, "Passes of global atomics")["kind"], "")

    def test_where_no_count_explains_it_only_the_time_is_said(self):
        data = histogram(sectors=3141632, global_atomic_passes=137626)
        data["beside"][0]["figures"]["global_atomic_passes"] = 131072
        self.assertEqual(comparison.headline(data)[0], "Your kernel is estimated to be 58 times as fast as the baseline at "
                                                       "4,194,304 elements in 256 bins.")

    def test_a_slower_run_is_explained_by_what_it_has_more_of(self):
        data = histogram()
        yours, baseline = data["test"]["figures"], data["beside"][0]["figures"]
        data["test"]["figures"], data["beside"][0]["figures"] = baseline, yours
        self.assertIn("needs 152 times more passes of atomics in global memory", comparison.headline(data)[0])
        self.assertEqual(cell(data, "Passes of global atomics")["kind"], "bad")


if __name__ == "__main__":
    unittest.main()
