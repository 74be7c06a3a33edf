"""Any selector that a wrapper is made of, and more."""

from __future__ import annotations

from hypothesis import strategies as st

from sitewright.page.selector import Selector
from sitewright.page.steps import (
    PARENT,
    TEXT,
    WORDS,
    After,
    Attribute,
    HasChild,
    HasClass,
    HasOwnText,
    HasTag,
    HasTitle,
    LacksChild,
    OwnText,
    Path,
    Position,
    Step,
    TextIs,
    TextIsNot,
    TextStartsWith,
    anywhere,
)

NAMES = ("a", "b", "ab", "a-1")
TAGS = ("div", "td", "span", "b")
NUMBERS = st.integers(1, 3)
LABELS = st.lists(
    st.sampled_from(("Size:", "Size", "L arge", "it's", "'\"")), min_size=1, max_size=2
).map(tuple)
TEXTS = st.builds(TextIs, LABELS, st.booleans())
NAMING = st.one_of(
    st.sampled_from(NAMES).map(lambda name: Attribute("id", name)),
    st.sampled_from(NAMES).map(HasClass),
    st.builds(OwnText, TEXTS),
    st.just(Attribute("property", "og:a")),
)
TESTING = st.one_of(
    st.sampled_from(TAGS).map(HasChild),
    st.sampled_from(TAGS).map(LacksChild),
    st.sampled_from(TAGS).map(HasTag),
    st.sampled_from(("Size", "it's")).map(HasTitle),
    NUMBERS.map(After),
    NUMBERS.map(Position),
    st.just(HasOwnText()),
    NAMING,
)
POSITIONS = st.one_of(st.just(()), NUMBERS.map(lambda number: (Position(number),)))
FIRST = st.one_of(
    st.builds(
        lambda tag, naming, more: (Step(tag, (naming, *more), is_deep=True),),
        st.sampled_from((*TAGS, "meta")),
        NAMING,
        POSITIONS,
    ),
    st.builds(
        lambda tag, text: (Step(tag, is_deep=True), Step("text()", (text,))),
        st.sampled_from(TAGS),
        TEXTS,
    ),
    st.sampled_from(TAGS).map(lambda tag: (Step(tag, is_deep=True),)),
)
INNER = st.one_of(
    st.builds(
        Step,
        st.sampled_from(TAGS),
        st.lists(TESTING, max_size=2).map(tuple),
        st.sampled_from(("child", "following-sibling", "preceding-sibling")),
    ),
    st.builds(Step, st.sampled_from(TAGS), is_deep=st.booleans()),
    st.builds(
        Step,
        st.sampled_from(TAGS),
        st.tuples(st.sampled_from(NAMES).map(HasClass)),
        is_deep=st.booleans(),
    ),
    st.just(PARENT),
)
ENDS = st.sampled_from(
    (
        (),
        (TEXT,),
        (anywhere(TEXT),),
        (anywhere(TEXT.where(TextIsNot("Size"))),),
        (WORDS,),
        (Step("@id"),),
        (Step("@content"),),
        (Step("text()", (TextStartsWith("Size"),)),),
        (Step("text()", (*TEXT.predicates,), "following-sibling"),),
    )
)
STEPS = st.builds(
    lambda first, inner, end: (*first, *inner, *end), FIRST, st.lists(INNER, max_size=3), ENDS
)
PLAIN = st.builds(Path, STEPS)
INDEXED = st.builds(lambda path, index: Path(path.steps, index=index), PLAIN, st.integers(-2, 2))
WITH_TAIL = st.builds(
    lambda first, index, tail: Path(first, index=index, tail=tuple(tail)),
    FIRST,
    st.integers(-2, 2),
    st.lists(INNER, min_size=1, max_size=2),
)
PATHS = st.one_of(PLAIN, INDEXED, WITH_TAIL)
SELECTORS = st.lists(PATHS, min_size=1, max_size=3).map(lambda paths: Selector(tuple(paths)))
