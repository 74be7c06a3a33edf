"""Labels, paths, and the schema of all nodes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.page import (
    Document,
    Labelling,
    PathVocabulary,
    label_values,
    node_schema,
    shared_values,
)
from sitewright.page.paths import MAX_DEPTH, MAX_LABEL


def schema(html: str, vocabulary: PathVocabulary) -> dict[str, int]:
    found = node_schema(Document(html.encode()), vocabulary)
    pairs = zip(found.paths.tolist(), found.counts.tolist(), strict=True)
    return {vocabulary.text(path): count for path, count in pairs}


def last_label(html: str, labelling: Labelling) -> str:
    vocabulary = PathVocabulary(labelling)
    schema(html, vocabulary)
    return vocabulary.text(len(vocabulary) - 1).split(" > ")[-1]


@pytest.mark.parametrize(
    ("labelling", "label"),
    [
        (Labelling.TAG, "td"),
        (Labelling.CLASSES, "td.odd.price"),
        (Labelling.ATTRIBUTES, "td.odd.price[align=left][style=color:_red]"),
    ],
)
def test_the_label_of_a_node_is_configurable(labelling, label):
    html = "<table><tr><td id=c7 class=' price  odd price' align=left style='color: red' title=x>"
    assert last_label(html, labelling) == label


def test_the_order_of_classes_does_not_matter():
    assert last_label("<p class='b a'>", Labelling.CLASSES) == last_label(
        "<p class='a\tb'>", Labelling.CLASSES
    )


def test_a_class_with_a_dot_is_not_two_classes():
    assert last_label("<p class='v1.2'>", Labelling.CLASSES) == r"p.v1\.2"


def test_all_nodes_are_counted():
    vocabulary = PathVocabulary()
    assert schema("<ul class=menu><li>1<li>2<li class=on>3</ul>", vocabulary) == {
        "html": 1,
        "html > head": 1,
        "html > body": 1,
        "html > body > ul.menu": 1,
        "html > body > ul.menu > li": 2,
        "html > body > ul.menu > li.on": 1,
    }


def test_what_a_template_holds_is_not_counted():
    assert "p" not in str(schema("<template><p>x</template>", PathVocabulary())).replace(
        "template", ""
    )


def test_pages_share_the_vocabulary_and_schemas_compare_by_key():
    vocabulary = PathVocabulary()
    one, two, three = (
        node_schema(Document(page), vocabulary) for page in (b"<p>1<p>2", b"<p>3", b"<b>4")
    )
    assert one.key == two.key != three.key


def test_values_that_one_page_alone_has_can_be_left_out_of_labels():
    pages = [Document(f"<body class='post postid-{number}'><p>x".encode()) for number in range(3)]
    shared = shared_values(label_values(page, Labelling.CLASSES) for page in pages)
    vocabulary = PathVocabulary(Labelling.CLASSES, shared=shared)
    assert len({node_schema(page, vocabulary).key for page in pages}) == 1
    assert vocabulary.find("html > body.post > p") is not None


def test_paths_are_found_by_their_text():
    vocabulary = PathVocabulary()
    schema("<ul><li>x", vocabulary)
    path = vocabulary.find("html > body > ul > li")
    assert path is not None
    assert vocabulary.labels(path) == ("html", "body", "ul", "li")
    assert vocabulary.find("html > nothing > li") is None
    assert vocabulary.text(0) == ""


@given(st.lists(st.sampled_from(["<p>", "<b class=x>", "<ul><li>", "<table><tr><td>"]), max_size=6))
def test_vocabularies_merge(pieces):
    html = "".join(pieces)
    ours, theirs = PathVocabulary(), PathVocabulary()
    schema("<div><p>", ours)
    found = node_schema(Document(html.encode()), theirs)
    mapping = ours.merge(theirs)
    merged = {ours.text(path) for path in mapping[found.paths].tolist()}
    assert merged == set(schema(html, PathVocabulary()))
    assert len(set(mapping.tolist())) == len(mapping)


def test_nodes_nested_deeper_than_browsers_go_share_a_path():
    found = node_schema(Document(b"<div>" * 1000), vocabulary := PathVocabulary())
    assert len(found) == MAX_DEPTH + 1  # and the head
    assert found.counts.max() == 1000 - MAX_DEPTH + 3
    assert max(len(vocabulary.labels(path)) for path in found.paths.tolist()) == MAX_DEPTH


def test_labels_are_bounded_and_stay_different():
    one = last_label(f"<p class={'x' * 100_000}y>", Labelling.CLASSES)
    two = last_label(f"<p class={'x' * 100_000}z>", Labelling.CLASSES)
    assert one != two
    assert len(one) == len(two) == MAX_LABEL


def test_schemas_are_compact_integers():
    found = node_schema(Document(b"<p>"), PathVocabulary())
    assert found.paths.dtype == found.counts.dtype == np.int32
    assert (np.diff(found.paths) > 0).all()
