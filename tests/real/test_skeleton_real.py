"""Skeletons of real sites, against true ones: never learnt from the site that is scored."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from examples.cup import generate
from sitewright.evaluate.skeleton import SkeletonSite, edge_score, level_score, survey
from sitewright.evaluate.skeleton_truth import read_skeleton_truth, train

DEBIAN = {
    "postgresql-doc-15": "usr/share/doc/postgresql-doc-15/html",
    "python3.11-doc": "usr/share/doc/python3.11/html",
}


@pytest.fixture(scope="session")
def labelled(data, unpacked, tmp_path_factory):
    """Every labelled site that can be fetched here: packages of Debian need its archive."""
    truths = data / "skeletons"
    cup = tmp_path_factory.mktemp("cup") / "cup"
    generate(cup, scale=0.3)
    flink = unpacked("flink-web-html.tar.xz") / "flink-web" / "content"
    flink_truth = read_skeleton_truth(truths / "flink-web.tsv", truths / "flink-web.redirects.tsv")
    sites = [
        SkeletonSite("cup", str(cup / "site"), read_skeleton_truth(cup / "truth" / "skeleton.tsv")),
        SkeletonSite("flink-web", str(flink), flink_truth, "https://flink.apache.org/"),
    ]
    for package, inside in DEBIAN.items():
        folder = debian_package(data, package, tmp_path_factory)
        if folder is not None:
            truth = read_skeleton_truth(truths / f"{package}.tsv")
            sites.append(SkeletonSite(package, str(folder / inside), truth))
    return sites


def debian_package(data, package, tmp_path_factory):
    if shutil.which("apt-get") is None:
        return None
    folder = tmp_path_factory.mktemp(package)
    command = [str(data / "debian-docs"), package, str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return folder if done.returncode == 0 else None


@pytest.fixture(scope="session")
def surveyed(labelled):
    return [survey(site, 400) for site in labelled]


def test_trees_of_sites_that_were_left_out_of_training_are_nearly_right(surveyed):
    edges, levels = [], []
    for left_out in surveyed:
        trained = train([one.training_case for one in surveyed if one is not left_out])
        tree = left_out.tree(trained.evidence)
        edges.append(edge_score(tree, left_out.site.truth, 3).f)
        levels.append(level_score(tree, left_out.site.truth, 3).f)
        assert edges[-1] > 0.8, left_out.site.name
    assert sum(edges) / len(edges) > 0.9
    assert sum(levels) / len(levels) > 0.9


def test_a_few_hundred_pages_are_enough(surveyed):
    for one in surveyed:
        assert one.fetched <= 400, one.site.name
        assert len(one.graph.pages) > one.fetched, one.site.name
