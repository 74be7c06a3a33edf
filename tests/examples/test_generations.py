"""Later generations of the demo site: another theme, the same facts, and the truth of it."""

import json

from examples.cup import generate


def written(folder, generation):
    generate(folder, scale=0.01, generation=generation)
    truth = json.loads((folder / "truth/generation.json").read_text())
    lines = (folder / "truth/records/player.jsonl").read_text().splitlines()
    return truth, list(map(json.loads, lines))


def test_a_redesign_has_the_facts_under_other_labels(tmp_path):
    truth, players = written(tmp_path / "cup", 2)
    assert truth["moved"] == {}
    for player in players:
        page = (tmp_path / "cup/site" / player["_url"]).read_text("utf-8", "replace")
        assert player["name"] in page
        assert "weight" not in player
        assert ">Weight<" not in page
        assert 'class="facts"' not in page


def test_the_third_generation_has_moved_its_pages(tmp_path):
    truth, players = written(tmp_path / "cup", 3)
    assert truth["moved"]
    assert all(player["_url"].startswith("people/") for player in players)
    for new in truth["moved"].values():
        assert (tmp_path / "cup/site" / new).is_file()
