# SPDX-License-Identifier: Apache-2.0
"""Runs `pidforest exact`. PIDFOREST_BINARY is the path of the command."""

import json
import math

from command import USAGE_ERROR, BAD_DATA, FILE_ERROR, ROOT, CommandTest, main, run

ANIMALS = ROOT / "examples" / "animals.csv"
WHITE_ELEPHANT = 311


def top_of(*arguments, text=""):
    return json.loads(run("exact", *arguments, "--json", text=text).stdout)["top"]


class Exact(CommandTest):
    def test_the_white_elephant_comes_first_with_its_cube(self):
        found = run("exact", ANIMALS, "--top", "3", "--quiet")
        self.assertEqual((found.returncode, found.stderr), (0, b""))
        heading, first, *rest = found.stdout.decode().splitlines()
        self.assertEqual(heading.split(), "rank row bits at most pidLength inside cube".split())
        self.assertEqual(first.split()[:6], ["1", str(WHITE_ELEPHANT), "6.32", "optimal", "2.58", "1"])
        self.assertIn("elephant", first)
        self.assertEqual(len(rest), 2)

    def test_json_says_what_the_definition_does(self):
        (one,) = top_of(ANIMALS, "--row", WHITE_ELEPHANT)
        self.assertEqual((one["row"], one["is_optimal"], one["cube"]["n_inside"]), (WHITE_ELEPHANT, True, 1))
        self.assertAlmostEqual(one["bits"], math.log2(one["cube"]["volume"] * 480))
        self.assertAlmostEqual(one["pid_length"], math.log2(480) - one["bits"])
        self.assertEqual(one["upper_bound"], one["bits"])

    def test_rows_that_were_asked_for_are_ranked_among_themselves(self):
        rows = [one["row"] for one in top_of(ANIMALS, "--row", 2, "--row", 1, "--row", WHITE_ELEPHANT, "--top", 1)]
        self.assertEqual(rows, [WHITE_ELEPHANT, 1, 2])

    def test_ends_of_intervals_may_be_halfway_between_values(self):
        text = "x\n" + "".join(f"{x}\n" for x in [0, 1, 2, 3, 3, 3, 100])
        self.assertEqual(top_of("-", "--row", 7, text=text)[0]["words"], "x > 3")
        self.assertEqual(top_of("-", "--row", 7, "--ends", "halfway", text=text)[0]["words"], "x >= 51.5")

    def test_threads_change_nothing(self):
        one, four = (run("exact", ANIMALS, "--top", 20, "--threads", n).stdout for n in (1, 4))
        self.assertEqual(one, four)
        self.assertGreater(one.count(b"\n"), 20)

    def test_ignored_columns_are_no_axes(self):
        document = json.loads(run("exact", ANIMALS, "--ignore", "park,female,tagged", "--json").stdout)
        self.assertEqual(document["d"], 2)

    def test_what_cannot_be_is_told(self):
        self.expect(run("exact", ANIMALS, "--quiet", "--row", 481), BAD_DATA, "480 rows", "no row 481")
        self.expect(run("exact", ANIMALS, "--quiet", "--seconds", 0), USAGE_ERROR, "seconds", "more than 0")
        self.expect(run("exact", ANIMALS, "--quiet", "--ends", "near"), USAGE_ERROR, "any, halfway", "near")
        self.expect(run("exact", ANIMALS, "--row", 0), USAGE_ERROR, "--row")
        self.expect(run("exact", "nowhere.csv"), FILE_ERROR, "nowhere.csv")


if __name__ == "__main__":
    main()
