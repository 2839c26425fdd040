# SPDX-License-Identifier: Apache-2.0
"""The installed product: a wheel with the command, types that check, and no foreign files."""

import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from tables import ROOT

import pidforest

PACKAGE = ROOT / "python" / "pidforest"


def run(*command, **more):
    result = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, **more)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_stubs_are_those_of_the_module(tmp_path):
    run(sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "pidforest._core", "-o", tmp_path / "_core.pyi")
    made = (tmp_path / "_core.pyi").read_text()
    kept = (PACKAGE / "_core.pyi").read_text()
    assert made == kept, "run: .venv/bin/python -m nanobind.stubgen -m pidforest._core -o python/pidforest/_core.pyi"


def test_types_check():
    run(sys.executable, "-m", "mypy", "--no-incremental", PACKAGE, cwd=ROOT)


def test_the_version_is_that_of_the_project():
    assert f"project(pidforest VERSION {pidforest.__version__} " in (ROOT / "CMakeLists.txt").read_text()


def test_everything_public_is_documented():
    for name in pidforest.__all__:
        thing = getattr(pidforest, name)
        assert thing.__doc__, name
        if isinstance(thing, type):
            for member, value in vars(thing).items():
                if callable(value) and not member.startswith("_"):
                    assert value.__doc__, f"{name}.{member}"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    environment = {**os.environ, "CXX": "c++"}  # the same name as in the other builds, so that ccache has the objects
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT, env=environment)
    (made,) = folder.iterdir()
    return made


def test_the_wheel_has_the_package_and_the_command_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    of_package = {name.removeprefix("pidforest/") for name in names if name.startswith("pidforest/")}
    (module,) = (name for name in of_package if name.startswith("_core.") and name.endswith(".so"))
    files = (file.relative_to(PACKAGE) for file in PACKAGE.rglob("*") if file.is_file())
    assert of_package == {file.as_posix() for file in files if "__pycache__" not in file.parts} | {module}
    assert {"py.typed", "_core.pyi"} <= of_package
    others = [name for name in names if not re.match(r"pidforest(/|-[\d.]+\.dist-info/)", name)]
    assert sorted(name.partition(".data/")[2] for name in others) == ["scripts/libpidforest_http.so", "scripts/pidforest"]


def test_the_wheel_works_in_an_environment_of_its_own(wheel, tmp_path):
    """Run the README's first example with only the wheel, its dependencies, and pandas to read a file."""
    venv.create(tmp_path / "venv", with_pip=True)
    bin_folder = tmp_path / "venv" / "bin"
    pinned = re.search(r"^pandas==.*$", (ROOT / "requirements.txt").read_text(), re.MULTILINE).group()
    run(bin_folder / "pip", "install", "--quiet", "--disable-pip-version-check", wheel, pinned)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    example = re.search(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL).group(1)
    (tmp_path / "example.txt").write_text(example)
    assert run(bin_folder / "python", "-m", "doctest", tmp_path / "example.txt", cwd=ROOT, env=environment) == ""
    where = run(bin_folder / "python", "-c", "import pidforest, sys; print(pidforest.__file__, 'sklearn' in sys.modules)", cwd=tmp_path, env=environment)
    assert where.startswith(str(tmp_path))
    assert where.endswith(" False\n")
    assert run(bin_folder / "pidforest", "--version") == f"pidforest {pidforest.__version__}\n"


def test_the_source_archive_can_be_built(tmp_path):
    run(sys.executable, "-c", f"from scikit_build_core.build import build_sdist; build_sdist({str(tmp_path)!r})", cwd=ROOT)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))  # new in Python 3.11.4
    (source,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert not (source / "tests").exists()
    # CMake checks that every source file named by a target exists.
    run("cmake", "-S", source, "-B", tmp_path / "build", "-G", "Ninja", f"-DPython_EXECUTABLE={sys.executable}",
        "-DPIDFOREST_BUILD_PYTHON=ON", "-DPIDFOREST_BUILD_CLI=ON", "-DPIDFOREST_BUILD_TESTS=OFF")  # fmt: skip


def test_a_build_without_a_library_names_the_packages(tmp_path):
    command = ["cmake", "-S", ROOT, "-B", tmp_path, "-G", "Ninja", "-DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON"]
    failed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert failed.returncode != 0
    message = " ".join(failed.stderr.split())
    assert "pidforest cannot be built: these libraries are missing: fmt CLI11. Install them:" in message
    assert "Debian, Ubuntu: apt-get install libhwy-dev libfmt-dev" in message
