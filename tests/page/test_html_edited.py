"""New trees without some nodes, or with marks on them."""

from hypothesis import given
from hypothesis import strategies as st

from sitewright.page import Document, marked_tree, numbered_nodes, tree_without

SOURCE = (
    "<html><head><title>T</title></head><body><p>one<!--c-->two <b>x</b> <i>y</i></p></body></html>"
)


def numbers(document: Document) -> dict[str, int]:
    """Elements by tag, texts by their beginning."""
    found = {}
    for number, node in enumerate(numbered_nodes(document.tree)):
        found[getattr(node, "tag", None) or node.text.strip()] = number
    return found


def test_a_node_goes_with_all_in_it_and_leaves_one_space():
    document = Document(SOURCE.encode())
    tree = tree_without(document, {numbers(document)["b"]})
    assert tree.find("p").html == "<p>one<!--c-->two <i>y</i></p>"


def test_a_text_goes_whole_though_a_comment_cuts_it():
    document = Document(SOURCE.encode())
    tree = tree_without(document, {numbers(document)["one"]})
    assert tree.find("p").html == "<p><!--c--><b>x</b> <i>y</i></p>"


def test_texts_on_both_sides_of_what_goes_stay_apart():
    document = Document(b"<p>one<br>two</p>")
    assert tree_without(document, {numbers(document)["br"]}).find("p").html == "<p>one two</p>"


def test_elements_on_both_sides_of_what_goes_stay_apart():
    document = Document(b"<p><b>one</b> &gt; <i>two</i><u>x</u><s>three</s></p>")
    left = tree_without(document, {numbers(document)[">"], numbers(document)["u"]})
    assert left.find("p").html == "<p><b>one</b> <i>two</i> <s>three</s></p>"


def test_the_document_itself_stays_as_it_was():
    document = Document(SOURCE.encode())
    before = document.tree.html
    tree_without(document, set(range(len(numbered_nodes(document.tree)))))
    assert document.tree.html == before


def test_marks_go_on_elements_and_around_texts():
    document = Document(SOURCE.encode())
    names = numbers(document)
    tree = marked_tree(document, {names["one"]: "a", names["i"]: "b", names["T"]: "c"}, "data-part")
    assert tree.find("p").html == (
        '<p><span data-part="a">one</span><!--c--><span data-part="a">two </span><b>x</b> '
        '<i data-part="b">y</i></p>'
    )
    assert tree.find("title").html == "<title>T</title>"


@given(st.text("<>/=\"' abp!-&;\n", max_size=60), st.sets(st.integers(0, 30)))
def test_any_nodes_of_any_page_can_go(source: str, dropped: set[int]):
    document = Document(source.encode())
    known = len(numbered_nodes(document.tree))
    left = {number for number in dropped if number < known}
    nodes = numbered_nodes(document.tree)
    gone = {n for n in left if getattr(nodes[n], "tag", None) not in {"html", "head", "body"}}
    texts = [text for text in (nodes[n].text for n in gone) if text and text.strip()]
    remaining = tree_without(document, set(range(known)))
    assert not remaining.to_text().strip()
    assert len(numbered_nodes(tree_without(document, left))) <= known - len(texts)
    marked = marked_tree(document, dict.fromkeys(left, "x"), "data-part")
    assert 'data-part="x"' in marked.html or not gone
