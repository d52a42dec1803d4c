#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Autograder bundles, called as Gradescope calls them: gradescope_test.py PROGRAM.

Gradescope unpacks the bundle into /autograder/source, copies run_autograder to /autograder, runs setup.sh as root, and for
each submission fills /autograder/submission, runs /autograder/run_autograder there and reads results/results.json
(gradescope-autograders.readthedocs.io/en/latest/specs/, looked up in November 2026). Here the root is a scratch folder.
"""
import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import unittest.mock
import zipfile

import graded

sys.path.insert(0, str(graded.ROOT / "packaging" / "gradescope"))
import make_bundle


class Container:
    """A scratch /autograder."""

    def __init__(self, folder, bundle):
        self.root = folder / "autograder"
        for name in ("submission", "results", "source"):
            (self.root / name).mkdir(parents=True)
        with zipfile.ZipFile(bundle) as packed:
            self.names = packed.namelist()
            for entry in packed.infolist():
                packed.extract(entry, self.root / "source")
                (self.root / "source" / entry.filename).chmod(entry.external_attr >> 16 & 0o777)
        shutil.copy(self.root / "source" / "run_autograder", self.root / "run_autograder")
        self.environment = {**os.environ, "AUTOGRADER_ROOT": str(self.root), "CUDA_VISIBLE_DEVICES": "",
                            "XDG_STATE_HOME": str(folder / "state"), "XDG_DATA_HOME": str(folder / "data")}

    def call(self, *command):
        return subprocess.run(command, cwd=self.root, env=self.environment, capture_output=True, text=True,
                              timeout=550, check=False)

    def set_up(self):
        return self.call("bash", self.root / "source" / "setup.sh")

    def grade(self, files, metadata=None):
        shutil.rmtree(self.root / "submission")
        (self.root / "submission").mkdir()
        for name, text in files.items():
            (self.root / "submission" / name).write_text(text, encoding="utf-8")
        (self.root / "submission_metadata.json").write_text(json.dumps(metadata or {}), encoding="utf-8")
        results = self.root / "results" / "results.json"
        results.unlink(missing_ok=True)
        done = self.call(self.root / "run_autograder")
        return done, json.loads(results.read_text(encoding="utf-8")) if results.exists() else None


class Bundles(graded.GradedClass):
    def tree(self):
        """A tree whose launcher has nothing to build: it runs the program that is tested."""
        folder = self.scratch / "tree"
        folder.mkdir()
        launcher = folder / "warplings"
        launcher.write_text(f"#!/bin/sh\n[ \"$1\" != grade ] || exec {graded.PROGRAM} \"$@\"\necho \"launcher: $1\"\n",
                            encoding="utf-8")
        launcher.chmod(0o755)
        (folder / "build").mkdir()
        (folder / "build" / "left_over").write_text("", encoding="utf-8")
        return folder

    def test_an_interruption_leaves_the_bundle_that_was_there(self):
        bundle = self.scratch / "kept.zip"
        bundle.write_bytes(b"whole")
        with self.assertRaises(KeyboardInterrupt), make_bundle.whole_file(bundle) as part:
            part.write_bytes(b"half")
            raise KeyboardInterrupt
        self.assertEqual((bundle.read_bytes(), part.exists()), (b"whole", False))

    def test_who_waits_is_told_how_far_it_is(self):
        for number in range(25):
            self.hand_in("tree", "x", f"{number:02}.txt")
        said, now = io.StringIO(), iter(range(1000))
        with zipfile.ZipFile(self.scratch / "a.zip", "w") as bundle, contextlib.redirect_stderr(said), \
                unittest.mock.patch("make_bundle.time.monotonic", lambda: next(now)):
            make_bundle.pack_tree(bundle, self.scratch / "class" / "tree", ["tiled_matmul"])
            self.assertEqual(len(bundle.namelist()), 27)  # With what, and programs.
        self.assertEqual(said.getvalue(), "packed 9 of 25 files\npacked 19 of 25 files\n")

    def test_a_bundle_grades_each_submission(self):
        bundle = self.scratch / "autograder.zip"
        subprocess.run([sys.executable, "-B", graded.ROOT / "packaging/gradescope/make_bundle.py", self.tree(), bundle,
                        "tiled_matmul"], check=True, capture_output=True)
        container = Container(self.scratch, bundle)
        self.assertNotIn("warplings/build/left_over", container.names)
        done = container.set_up()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("launcher: doctor", done.stdout)
        # Each set-up draws another seed, which no student is shown.
        seed = container.root / "source/seed"
        seeds = {seed.read_text(encoding="utf-8")}
        for _ in range(3):
            seed.unlink()
            container.set_up()
            seeds.add(seed.read_text(encoding="utf-8"))
        self.assertGreater(len(seeds), 1)
        container.set_up()
        self.assertIn(seed.read_text(encoding="utf-8"), seeds)
        seed.write_text("1987654321\n", encoding="utf-8")
        done, results = container.grade({"tiled_matmul.cu": graded.solution()})
        self.assertIsNotNone(results, done.stdout + done.stderr)
        self.assertEqual(results["extra_data"].pop("seed"), 1987654321)
        self.assertNotIn("1987654321", json.dumps(results))
        self.assertEqual((results["score"], len(results["tests"])), (10, 1))
        self.assertEqual(results["tests"][0]["max_score"], 10)
        wrong = graded.mutant("01_boundary_checks/tiled_matmul.m_load_unguarded")
        done, results = container.grade({"tiled_matmul.cu": wrong})
        self.assertEqual(results["score"], 0)
        self.assertIn("Do this first", results["tests"][0]["output"])
        done, results = container.grade({"other.txt": "nothing"})
        self.assertEqual(results["score"], 0)
        # A fault of the grader's is nobody's zero.
        (container.root / "source/warplings/warplings").write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
        done, results = container.grade({"tiled_matmul.cu": graded.solution()})
        self.assertIsNone(results)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("not graded, warplings ended with status 3", done.stdout)

    def test_a_bundle_of_results_hands_out_what_was_graded_elsewhere(self):
        self.hand_in("submission_4711", graded.solution())
        self.hand_in("submission_4712", "void broken( {\n")
        self.grade()
        self.run_program("override", "out", "submission_4712", "tiled_matmul", "--points", "3", "--reason", "oral")
        self.run_program("gradescope-bundle", "--graded", "out", "--out", "autograder.zip")
        container = Container(self.scratch, self.scratch / "autograder.zip")
        self.assertEqual(container.set_up().returncode, 0)
        for number, score in ((4711, 10), (4712, 3)):
            _, results = container.grade({}, {"id": number, "users": [{"email": "a@example.org"}]})
            self.assertEqual(results["score"], score)
        done, results = container.grade({}, {"id": 1, "users": []})
        self.assertIsNone(results)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("not among those graded", done.stdout)

    def test_who_has_no_address_gets_nobodys_results(self):
        (self.scratch / "roster.csv").write_text("name,id,email\nAda Lovelace,4711,ada@uni.example\nGrace Hopper,4712,\n"
                                                 "Alan Turing,4713,\n", encoding="utf-8")
        (self.scratch / "course.toml").write_text(
            '[course]\ntitle = "C"\nroster = "roster.csv"\n[[assignment]]\nid = "a"\nwhat = ["tiled_matmul"]\n',
            encoding="utf-8")
        self.hand_in("4711", graded.solution())
        self.hand_in("Grace Hopper", graded.solution())
        self.run_program("grade", "class", "--course", "course.toml", "--assignment", "a", "--out", "out", "--jobs", "2")
        said = self.run_program("export", "out", "--gradescope", "--dry-run", status=1)
        self.assertIn("gradescope.zip would be new. Dry run", said)
        self.run_program("export", "out", "--gradescope")
        container = Container(self.scratch, self.scratch / "out/gradescope.zip")
        self.assertNotIn("", json.loads((container.root / "source/graded.json").read_text(encoding="utf-8"))["members"])
        for users in ([{"name": "Alan Turing"}], [{"email": ""}], [{"email": None}]):
            # 4711 is Ada's number at the university, and here the number of a submission.
            for number in (9, 4711):
                self.assertIsNone(container.grade({}, {"id": number, "users": users})[1])
        _, results = container.grade({}, {"id": 9, "users": [{"email": "Ada@uni.example"}]})
        self.assertEqual(results["score"], 10)

    def test_a_group_with_different_points_is_told_and_shown_the_highest(self):
        """Gradescope has one score for a submission, and a reason may be about one member only."""
        (self.scratch / "roster.csv").write_text("name,email\nAda Lovelace,ada@uni.example\nGrace Hopper,grace@uni.example\n",
                                                 encoding="utf-8")
        (self.scratch / "course.toml").write_text(
            '[course]\ntitle = "C"\nroster = "roster.csv"\n[[assignment]]\nid = "a"\nwhat = ["tiled_matmul"]\n',
            encoding="utf-8")
        self.hand_in("submission_7", graded.solution())
        (self.scratch / "class/submission_metadata.yml").write_text(
            "---\nsubmission_7:\n  :submitters:\n  - :name: Ada Lovelace\n    :email: ada@uni.example\n"
            "  - :name: Grace Hopper\n    :email: grace@uni.example\n", encoding="utf-8")
        self.run_program("grade", "class", "--course", "course.toml", "--assignment", "a", "--out", "out", "--jobs", "2")
        self.run_program("export", "out", "--gradescope")
        told = "handed in together, with different points: Ada Lovelace <ada@uni.example> 2; Grace Hopper <grace@uni.example> 10"
        self.run_program("override", "out", "Ada Lovelace", "tiled_matmul", "--points", "2", "--reason", "could not explain it")
        said = self.run_program("export", "out", "--gradescope", "--dry-run", status=1)
        self.assertIn(told, said)
        self.assertIn("would stay as it is", said)
        self.assertIn(told, self.run_program("gradescope-bundle", "--graded", "out", "--out", "a.zip", status=1))
        self.assertIn(told, self.run_program("export", "out", "--gradescope", status=1))
        container = Container(self.scratch, self.scratch / "out/gradescope.zip")
        users = [{"email": "ada@uni.example"}, {"email": "Grace@uni.example"}]
        shown = [container.grade({}, {"id": number, "users": those})[1] for number in (7, 8) for those in (users, users[::-1])]
        for each in shown:
            self.assertEqual(each, shown[0])
            self.assertEqual(each["score"], 10)
            self.assertNotIn("could not explain", json.dumps(each))
            self.assertRegex(each["tests"][0]["output"], "(?s)^The members of this group .*PASS")
        # Who has handed in alone since is one person.
        alone = container.grade({}, {"id": 8, "users": users[:1]})[1]
        self.assertEqual(alone["score"], 2)
        self.assertIn("could not explain", alone["tests"][0]["output"])

    def installed_tree(self):
        """As `meson install` lays one out, as far as a bundle looks at it."""
        folder = self.scratch / "installed"
        for name in ("bin", "lib/warplings/grader/cli", "lib/warplings/grader/device/program"):
            (folder / name).mkdir(parents=True)
        (folder / "lib/warplings/installed").write_text("0\n", encoding="utf-8")
        (folder / "lib/warplings/grader/device/program/warplings-device").write_text("x86-64-v1", encoding="utf-8")
        shutil.copy(graded.PROGRAM, folder / "lib/warplings/grader/cli/warplings-teach")
        (folder / "bin/warplings").write_text("#!/bin/sh\necho \"launcher: $1\"\n", encoding="utf-8")
        (folder / "bin/warplings").chmod(0o755)
        return folder

    def test_a_bundle_of_an_installed_tree_brings_what_an_old_ubuntu_lacks(self):
        """Ubuntu 22.04 has no toml++, and a bubblewrap that knows no --size."""
        bundle = self.scratch / "autograder.zip"
        done = subprocess.run([sys.executable, "-B", graded.ROOT / "packaging/gradescope/make_bundle.py",
                               self.installed_tree(), bundle, "1"], check=True, capture_output=True, text=True)
        self.assertNotIn("some processors only", done.stdout)
        container = Container(self.scratch, bundle)
        self.assertLessEqual({"carried/bwrap", "carried/libtomlplusplus.so.3", "warplings/bin/warplings"}, set(container.names))
        local = self.scratch / "local"
        (local / "lib").mkdir(parents=True)
        (local / "bin").mkdir()
        container.environment["AUTOGRADER_LOCAL"] = str(local)
        teach = container.root / "source/warplings/lib/warplings/grader/cli/warplings-teach"
        teach.chmod(0o644)  # As a zip leaves it that went through Windows.
        # Where there is all, nothing is put anywhere.
        done = container.set_up()
        self.assertTrue(os.access(teach, os.X_OK))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("launcher: doctor", done.stdout)
        self.assertEqual([path for path in local.rglob("*") if path.is_file()], [])
        old = self.scratch / "old"
        old.mkdir()
        for name in ("ldconfig", "bwrap"):
            (old / name).write_text("#!/bin/sh\necho '--tmpfs DEST'\n", encoding="utf-8")
            (old / name).chmod(0o755)
        container.environment["PATH"] = f"{local}/bin:{old}:{container.environment['PATH']}"
        done = container.set_up()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue((local / "lib/libtomlplusplus.so.3").is_file())
        taken = subprocess.run([local / "bin/bwrap", "--help"], capture_output=True, text=True, check=False)
        self.assertIn("--size", taken.stdout + taken.stderr)

    def test_of_an_environment_only_our_files_are_packed(self):
        """pip puts a wheel's tree beside all other packages, and Debian's prefix is /usr/local."""
        tree = self.installed_tree()
        for name in ("bin/activate", "pyvenv.cfg", "lib/python3.11/site-packages/torch/torch.py", "lib/warplings-else/x",
                     "lib/python3.11/site-packages/warplings-0.1.0.dist-info/RECORD", "lib/warplings/setup/tools",
                     "share/man/man1/jinja.1"):
            file = tree / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("somebody's", encoding="utf-8")
        (tree / "share/warplings").mkdir(parents=True)
        (self.scratch / "cached.toml").write_text("ours", encoding="utf-8")
        (tree / "share/warplings/chapter.toml").symlink_to(self.scratch / "cached.toml")  # As uv's --link-mode=symlink.
        subprocess.run(["git", "-C", tree, "init", "-q"], check=True)  # An environment may be a checkout, too.
        bundle = self.scratch / "autograder.zip"
        done = subprocess.run([sys.executable, "-B", graded.ROOT / "packaging/gradescope/make_bundle.py", tree, bundle, "1"],
                              check=True, capture_output=True, text=True)
        self.assertEqual(done.stdout, "")
        with zipfile.ZipFile(bundle) as packed:
            names = {name.removeprefix("warplings/") for name in packed.namelist() if name.startswith("warplings/")}
            self.assertEqual(packed.read("warplings/share/warplings/chapter.toml"), b"ours")
        self.assertEqual(names, {"bin/warplings", "lib/warplings/installed", "lib/warplings/grader/cli/warplings-teach",
                                 "lib/warplings/grader/device/program/warplings-device", "share/warplings/chapter.toml"})

    def test_what_git_does_not_know_is_left_out_and_told(self):
        """A class's submissions may lie there, and so may a source that was not added."""
        tree = self.tree()
        for words in (("init", "-q"), ("add", "warplings")):
            subprocess.run(["git", "-C", tree, *words], check=True)
        (tree / "rubric.cc").write_text("", encoding="utf-8")
        bundle = self.scratch / "autograder.zip"
        done = subprocess.run([sys.executable, "-B", graded.ROOT / "packaging/gradescope/make_bundle.py", tree, bundle, "1"],
                              check=True, capture_output=True, text=True)
        self.assertRegex(done.stdout, r"git does not know them: '.*' and 1 more")
        self.assertEqual(sorted(Container(self.scratch, bundle).names),
                         ["programs", "run_autograder", "setup.sh", "warplings/warplings", "what"])

    def test_a_source_tree_is_packed_as_git_knows_it(self):
        said = self.run_program("gradescope-bundle", "1", "tiled_matmul", "--out", "autograder.zip")
        self.assertIn("autograder.zip: grades out_of_range_loads, tiled_matmul, repair_tiled_matmul", said)
        container = Container(self.scratch, self.scratch / "autograder.zip")
        self.assertLessEqual({"setup.sh", "run_autograder", "what", "warplings/warplings", "warplings/meson.build",
                              "warplings/grader/build/compile_steps.cc"}, set(container.names))
        self.assertFalse([name for name in container.names if "/.git/" in name or name.startswith("warplings/build")])
        self.assertTrue(os.access(container.root / "source/warplings/warplings", os.X_OK))
        said = self.run_program("gradescope-bundle", "no_such", "--out", "x.zip", status=2)
        self.assertIn("no_such", said)
        self.run_program("gradescope-bundle", "--out", "x.zip", status=2)


if __name__ == "__main__":
    sys.exit(graded.main())
