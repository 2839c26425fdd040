# SPDX-License-Identifier: Apache-2.0
"""Checks the folders: each has a README.md, none of src/ is overfull, and the diagram of ARCHITECTURE.md fits the table of includes.

    python3 tests/structure/folders_test.py
"""

import re
import tempfile
import unittest
from pathlib import Path

from includes_test import MAY_KNOW, NOT_OURS

ROOT = Path(__file__).resolve().parents[2]
MOST_UNITS = 25
MOST_LINES = 12
FILE = re.compile(r"`([\w/]+\.(?:h|cpp|py|html))`")
ARROW = re.compile(r"^\s*(\w+)(?:\[[^]]*\])?\s*-->\s*(\w+)(?:\[[^]]*\])?\s*$", re.MULTILINE)


def folders(root: Path) -> list[Path]:
    """The folders that need a README.md."""
    inner = [folder for parent in ("src", "cli") for folder in (root / parent).iterdir() if folder.is_dir()]
    return sorted(folder for folder in [*inner, root / "cli", root / "python"] if folder.name not in NOT_OURS)


def without_readme(root: Path) -> list[str]:
    bad = []
    for folder in folders(root):
        readme = folder / "README.md"
        n_lines = len(readme.read_text(encoding="utf-8").splitlines()) if readme.is_file() else 0
        if not 3 <= n_lines <= MOST_LINES:
            bad.append(f"{readme.relative_to(root)} must have 3 to {MOST_LINES} lines; it has {n_lines}")
    return bad


def gone(root: Path) -> list[str]:
    """The files that a README.md names and that are neither in its folder nor below the root."""
    bad = []
    for readme in (folder / "README.md" for folder in folders(root)):
        for name in FILE.findall(readme.read_text(encoding="utf-8") if readme.is_file() else ""):
            if not (readme.parent / name).is_file() and not (root / name).is_file():
                bad.append(f"{readme.relative_to(root)} names {name}, which does not exist")
    return bad


def units(folder: Path) -> set[str]:
    """A header and the source of its name are one unit."""
    return {file.stem for file in folder.rglob("*") if file.suffix in {".h", ".cpp"} and NOT_OURS.isdisjoint(file.parts)}


def overfull(root: Path) -> list[str]:
    counts = {folder.name: len(units(folder)) for folder in sorted((root / "src").iterdir()) if folder.is_dir()}
    return [f"src/{name} has {n} units; at most {MOST_UNITS} are allowed" for name, n in counts.items() if n > MOST_UNITS]


def room(path: str) -> str:
    """How the diagram names the folder of a row or an entry of the table: src/model/roots.h is model."""
    parts = path.split("/")
    return parts[1] if parts[0] == "src" else parts[0]


def reachable(arrows: set[tuple[str, str]], start: str) -> set[str]:
    found, open_rooms = set(), [start]
    while open_rooms:
        at = open_rooms.pop()
        new = {to for source, to in arrows if source == at} - found
        found |= new
        open_rooms += new
    return found


def wrong_arrows(page: str, may_know: dict[str, list[str]]) -> list[str]:
    """The arrows that the table does not allow, and the dependencies between folders that no arrows lead along.

    The public headers are a folder of the diagram for cli and python only: most folders of src/ may know some of them.
    """
    arrows = set(ARROW.findall(page))
    allowed = {(room(own), room(other)) for own, others in may_know.items() for other in others if other.startswith("src/")}
    allowed |= {(room(own), "include") for own in may_know if own in ("cli", "python/bindings")}
    bad = [f"{source} --> {to} is not in the table" for source, to in sorted(arrows - allowed)]
    return bad + [f"no arrows lead from {source} to {to}" for source, to in sorted(allowed) if to not in reachable(arrows, source)]


class OurFolders(unittest.TestCase):
    def test_every_folder_has_a_short_readme(self):
        self.assertGreater(len(folders(ROOT)), 15)
        self.assertEqual(without_readme(ROOT), [])

    def test_the_files_that_readmes_name_exist(self):
        self.assertEqual(gone(ROOT), [])

    def test_no_folder_of_src_is_overfull(self):
        self.assertEqual(overfull(ROOT), [])

    def test_the_diagram_fits_the_table_of_includes(self):
        self.assertEqual(wrong_arrows((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"), MAY_KNOW), [])


class PlantedFolders(unittest.TestCase):
    """What the checks say about small trees with one mistake."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in ("src/forest", "cli", "python"):
            (self.root / name).mkdir(parents=True)
            (self.root / name / "README.md").write_text("# Name\n\nWords.\n", encoding="utf-8")

    def test_a_folder_without_a_readme_is_refused(self):
        self.assertEqual(without_readme(self.root), [])
        (self.root / "cli/verbs").mkdir()
        self.assertEqual(len(without_readme(self.root)), 1)

    def test_a_long_readme_is_refused(self):
        (self.root / "src/forest/README.md").write_text("line\n" * (MOST_LINES + 1), encoding="utf-8")
        self.assertEqual(len(without_readme(self.root)), 1)

    def test_a_file_that_does_not_exist_is_refused(self):
        (self.root / "src/forest/README.md").write_text("# Name\n\nStart with: `grow.cpp`.\n", encoding="utf-8")
        self.assertEqual(len(gone(self.root)), 1)
        (self.root / "src/forest/grow.cpp").touch()
        self.assertEqual(gone(self.root), [])

    def test_an_overfull_folder_is_refused(self):
        for i in range(MOST_UNITS):
            for suffix in (".h", ".cpp"):
                (self.root / f"src/forest/unit{i}{suffix}").touch()
        self.assertEqual(overfull(self.root), [])
        (self.root / "src/forest/one_more.h").touch()
        self.assertEqual(len(overfull(self.root)), 1)

    def test_an_arrow_too_many_or_too_few_is_refused(self):
        table = {"src/geometry": [], "src/forest": ["src/geometry"], "src/model": ["src/forest", "src/geometry", "fmt"]}
        self.assertEqual(wrong_arrows("model --> forest[a name]\n  forest --> geometry\n", table), [])
        missing = ["no arrows lead from forest to geometry", "no arrows lead from model to geometry"]
        self.assertEqual(wrong_arrows("model --> forest\n", table), missing)
        self.assertEqual(len(wrong_arrows("model --> forest\nforest --> geometry\ngeometry --> model\n", table)), 1)


if __name__ == "__main__":
    unittest.main()
