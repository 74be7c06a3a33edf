"""Every threshold that decides results, once: what it decides, and where its value comes from.

Settings are immutable, one dataclass for each method. What runs reads `current()`, which `using`
changes for the duration of a block::

    sitewright.run("https://example.org/", "out", settings={"wrapper.repeats.min_similarity": 0.5})
    sitewright run https://example.org/ -o out --set wrapper.repeats.min_similarity=0.5

    with using(Settings.of({"papers.crescenzi.dt": 0.3})):
        ...

A name is dotted (`wrapper.repeats.min_similarity`), or its last parts where these are unique.
`sitewright evaluate sensitivity` shows what each is worth; docs/settings.md has the figures.
"Set by eye" means that nobody has measured a better value. `limits` holds the bounds that real
sites do not come near and hostile ones run into; smaller guards, which no page that anybody reads
could meet, stand beside the code that they protect.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, is_dataclass, replace
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sitewright.choices import Choice, Collapse, ExplorationEnd, Heterogeneity, Labelling
from sitewright.errors import InvalidChoice, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from _typeshed import DataclassInstance

Share: TypeAlias = float
"""From 0 to 1."""
Likelihood: TypeAlias = float
"""Between 0 and 1."""
Count: TypeAlias = int
"""A whole number, 0 or more; an `int` is 1 or more."""
SettingValue: TypeAlias = "int | float | Choice | None"
Group = TypeVar("Group", bound="DataclassInstance")


@dataclass(frozen=True, slots=True)
class ClassSettings:
    """Which pages are alike (`classes/`, `page/url_pattern.py`)."""

    frame_share: Share = 0.98
    """What so many of the pages have is the frame of the site: it tells no pages apart."""
    rare_mark_share: Share = 0.01
    """What fewer pages have is their own. Both shares are those of the naive baseline, which was
    measured on 40 sites (docs/classes.md)."""
    min_values_of_family: int = 15
    """Classes with the same first word and so many endings may be values (`tag-docker`)."""
    rare_value_share: Share = 0.1
    """They are, if half of them are on no more than this share of the pages that have any. With the
    sites left out both raise F* from 0.921 to 0.929 (docs/classes.md)."""
    same_pages_share: Share = 0.9
    """Marks are one fact if so many of the pages that have one of them have both."""
    weak_evidence: float = 0.5
    """Facts that two pages are taken to share before any is known."""
    constant_mark_share: Share = 0.9
    """A mark tells two groups apart if the shares of their pages that have it differ so much."""
    min_share_of_marks_apart: Share = 0.8
    """URLs also split a class where so much of what most pages of either kind have tells them
    apart: pages of bare tables have no dozen marks. On a made site of such pages it is 0.73 to 1;
    posts of a blog with anchors of their own come to 0.71, and are one template."""
    min_marks_apart: int = 4
    """The same, and never fewer than these: an optional table has three."""
    min_pages_of_layout: int = 4
    """Pages that a layout of a class needs: of fewer nobody knows what is constant."""
    score_penalty: float = 1.0
    """The L2 penalty of the linear classifiers that tell the classes of a site apart."""
    min_fit: Share = 0.25
    """The part of its structure that a page must have in common with a class. On 22 sites, of 860
    own pages none has less, and of 1,806 pages of other sites 99% (docs/classes.md)."""
    min_fit_of_worst: Share = 0.7
    """The same, as a part of what the least typical page that the class was learnt from has."""
    clear_structure_bits: float = 1.0
    """Bits by which a page's structure must speak for a class to outvote its URL: one bit is odds
    of two to one."""
    max_sampled_pages: int = 500
    """Pages that are compared with each other; the others are assigned in one pass, so that the
    time grows with the number of pages and not faster."""
    min_url_precision: Share = 0.8
    """The precision from which on the URL pattern of a class speaks for a page whose structure is
    unknown. Set by eye."""
    min_url_precision_of_stub: Share = 0.5
    """The same for a page that only sends its reader on: likelier than not. At 0.8, two of five
    explorations of rust-doc lose a third of its stubs (F* 0.82 in the mean instead of 0.89)."""
    min_marks_of_layout: int = 5
    """A layout has so many marks or paths that no page of another layout has. Set by eye."""
    min_share_of_layout: Share = 0.03
    """A layout has this share of the pages of its class, or it is an exception. Set by eye."""
    min_pages_of_rate: int = 3
    """How many pages of a class, at least, tell to how many new pages the next one leads."""
    confidence_of_bit: float = 0.42
    """How far a bit more for one class than for any other raises the logarithm of the odds that it
    is the right one. Learnt on 23 sites, as are the next three; docs/classes.md has the table."""
    confidence_of_none: Likelihood = 0.35
    """The confidence where no bit speaks for one of them."""
    confidence_of_bit_without_url: float = 0.5
    """The same for pages of which only the structure is known."""
    confidence_of_none_without_url: Likelihood = 0.52
    """The same where no bit speaks for one of them."""
    min_pages_of_void: int = 5
    """A class of fewer pages is never said to be one page under many URLs."""
    max_contents_of_void: Share = 0.2
    """It is, if its pages have no more contents than this share of their number. On 23 sites that
    holds for logins, search forms and empty calendars, and for no class with records."""
    max_links_of_stub: int = 2
    """A page that only forwards to another one has no more links than this."""
    max_learnt_from: int = 64
    """Pages of a class that the model names for learning templates and wrappers: more hardly change
    them."""
    min_name_agreement: Share = 0.8
    """The share of its pages that must agree on a word for it to name the class. Set by eye."""
    min_pattern_share: Share = 0.9
    """The share of the URLs of a class that a piece of its URL pattern must fit. Set by eye."""
    max_url_depth: int = 4
    """URLs with more folders than this count as equally deep. Set by eye."""


@dataclass(frozen=True, slots=True)
class CrawlSettings:
    """Which page is fetched next, and when there are enough (`crawl/`)."""

    wave_size: int = 5
    """n: the most pages that are fetched from one link collection at a time (Crescenzi et al.
    2005)."""
    unlinked_share: Share = 0.2
    """The part of the visits that goes to pages of a folder or an archive which no link has led to:
    whole classes can be linked from nowhere (docs/classes.md)."""
    frequent_word_share: Share = 0.02
    """A word that this share of the URLs has tells a sort of page; a rarer one is the name of a
    page. Set by eye."""
    frequent_word_urls: int = 5
    """The same as a number of URLs, for small sites."""
    first_check: int = 100
    """Pages before the first model is made to see whether the crawl may end. Set by eye."""
    check_growth: float = 1.5
    """The model is made anew each time that so many times more pages were visited. Set by eye."""
    recheck_growth: float = 1.2
    """The same where the last model only had a class more: whether there are others shows soon
    (docs/classes.md)."""
    min_agreement: Share = 0.95
    """How far two models must agree on the pages that both know for the crawl to end. Set by eye.
    """
    max_unknown_share: Share = 0.02
    """The share of new pages that may belong to classes which the earlier model did not have. Set
    by eye."""
    checks_in_a_row: int = 2
    """Agreements one after the other that end the crawl. Set by eye."""
    last_page_weight: Share = 0.25
    """How much the last page counts for what is new on the next: a class that is known to the last
    page shows nothing new from then on. Set by eye."""
    model_weight: int = 20
    """As many pages as the model's chances of a link leading to a class count for. They do not
    fade: what was not yet there may be at the end of a sorted list. Set by eye."""
    min_wanted_share: Share = 0.02
    """A link is not followed that would fetch more than fifty pages for each that is wanted."""
    sure_chance: Share = 0.5
    """Links that lead to a wanted page with this chance come before all others. Set by eye."""
    targeted_wave_size: int = 8
    """Pages of a targeted crawl that are fetched at the same time."""
    max_shell_text: int = 60
    """Characters that a page filled by scripts may show without them: `Loading`. Set by eye."""
    max_shell_links: int = 2
    """Links that such a page may have. Set by eye."""
    compared_renderings: int = 3
    """Pages of a template that are rendered to see whether that adds anything."""
    same_template_similarity: Share = 0.8
    """The share of their tags, with classes and ids, that plain pages of one template have in
    common: whether they are rendered is decided for all of them. Set by eye."""
    max_compared_templates: int = 50
    """Templates of a site of which pages are rendered to compare them. Set by eye."""
    max_lacking_share: Share = 0.1
    """A plain page that lacks this share of the texts or links of its rendering is rendered."""
    max_loaded: int = 60
    """Files that one page may load while it is rendered. Set by eye."""
    lazy_scrolls: int = 10
    """How often a page is scrolled to its end, and its button for more rows pressed, to have a list
    grow. Set by eye."""
    barren_pages: int = 20
    """Pages of a calendar, or of filters, that say the same but for their numbers and lead to more
    of their kind only: the next ones are a trap. Set by eye."""
    form_probes: int = 8
    """Questions that a search form is asked at a time. Set by eye."""
    form_trials: int = 4
    """So many times as many questions are asked before a form is judged: the site's most frequent
    words may be none of what it searches. Set by eye."""
    min_form_answers: Share = 0.25
    """The share of its answers that must differ from each other for a form to be asked further
    (Madhavan et al., VLDB 2008)."""
    max_form_requests: int = 200
    """Questions that one form is asked at the most. Set by eye."""
    max_form_choices: int = 60
    """Values of one list to choose from that are tried. Set by eye."""
    form_patience: int = 40
    """Questions in a row without a new page after which a form is asked no more. Set by eye."""
    asked_forms: int = 5
    """Forms of a site that are asked. Set by eye."""
    same_content_pairs: int = 3
    """Pairs of pages that must have the same content, and none another, for a parameter or the name
    of an index page to mean nothing. Two could be one page that is not found. Set by eye."""
    filter_views: int = 5
    """Pages in a row with a parameter that show nothing but what is known, after which others with
    it are left out: filters and orders of a list. One more for each page that showed something new.
    Fewer lose pages of parameters that sometimes do, more ask for more views (docs/live.md)."""
    same_content_audits: int = 8
    """URLs that such a rule would leave out and that are asked for all the same: one that disagrees
    ends the rule. Set by eye."""


@dataclass(frozen=True, slots=True)
class TemplateSettings:
    """What pages of a class share (`template/`)."""

    min_share: Share = 2 / 3
    """The share of the pages that must have a token for it to be template. Values of 0.6 and more
    had means of 0.983 to 0.9925 on ten sites (docs/template.md)."""
    min_same_number: Share = 0.9
    """The share of the pages that must have equally many elements for these not to be a list.
    Measured with `min_share`."""
    max_pages: int = 16
    """Pages of a class that its template is distilled from. With 64 pages F is 0.988 on ten sites,
    with 16 it is 0.987 (docs/template.md), in a quarter of the time."""
    start_tag_weight: int = 20
    """What equal start tags add to the similarity of two elements. More equal parts always win:
    that holds for these four weights. Set by eye."""
    first_text_weight: int = 25
    """What equal first texts add."""
    text_weight: int = 30
    """What equal texts add."""
    content_weight: int = 40
    """What equal contents add."""
    min_main_share: Share = 0.8
    """The share of the running text around it that an element must hold to be the content (`strip
    --main`). Of 0.8, 0.9 and 0.95 the best mean on nine sites (docs/template.md)."""
    min_linked_share_beside: Share = 0.8
    """The share of its text that must be linked for a list to be no content. Set by eye."""
    min_links_beside: int = 3
    """Links that such a list has at least. Set by eye."""
    min_text_without_replies: int = 40
    """Characters that must be left of a page without its readers' replies. Set by eye."""
    max_byline: int = 200
    """Characters of what may stand between a heading and the first paragraph: date and author. Set
    by eye."""
    min_paragraph: int = 60
    """Characters of a text from which on it is no part of a byline. Set by eye."""


@dataclass(frozen=True, slots=True)
class SkeletonSettings:
    """The tree of navigation (`skeleton/`); weights that are learnt are no settings."""

    max_sign_length: int = 24
    """Characters of a link's text that can be a word like "next" or "up". Set by eye."""
    trail_height: int = 5
    """Ancestors of a link that are asked whether they are a breadcrumb trail. Set by eye."""
    trail_gap: int = 2
    """Steps of one trail stand close together: at most one other link between them."""
    wave_size: int = 16
    """Pages that are fetched at a time."""
    min_expected_pages: float = 0.1
    """The least number of new pages that the next page of a list is expected to lead to for it to
    be fetched. Set by eye."""
    hope: float = 1.0
    """New pages that a page is expected to lead to where nothing is known yet. Set by eye."""
    hope_weight: float = 1.0
    """Pages that `hope` counts for. Set by eye."""
    max_prose: Share = 0.7
    """Links with more running text around them than this come last. Set by eye."""
    promising_pages: float = 0.5
    """A list that is expected to lead to so many new pages is fetched before all lists further
    down. Set by eye."""
    fading: Share = 0.9
    """How fast old news fades: the more of a site is known, the less there is to tell. Set by eye.
    """
    pool_weight: float = 2.0
    """Pages that the guess from the same path elsewhere counts for. Set by eye."""
    exploring_share: Share = 0.75
    """The share of the fetches that exploring may use; the rest is for pages whose parent is
    uncertain. Set by eye."""
    max_list: int = 200
    """Longer lists are not fetched whole, whatever they lead to. Set by eye."""
    uncertain_share: Share = 0.5
    """The share from which on a parent counts as disowned, and a list as one that leads on. Set by
    eye."""
    title_links: int = 50
    """Links to a page that are asked for its title. Set by eye."""


@dataclass(frozen=True, slots=True)
class VisualSettings:
    """Blocks of a rendered page and what corresponds (`visual/`).

    Numbers in features that a model was trained on are no settings: they belong to the model.
    """

    min_shape_similarity: Share = 0.25
    """Containers that share less of their shapes than this correspond only by their anchors. Set by
    eye."""
    max_shift: int = 12
    """Pixels by which the same thing may stand elsewhere in its container. Set by eye."""
    max_contradicting_share: Share = 0.2
    """The share of anchors in a part that may lead elsewhere: data that two pages happen to share.
    Set by eye."""
    min_shared_texts: Share = 0.4
    """The share of the texts at a path that both pages must have for them to be of the template.
    Set by eye."""
    max_exact_leaves: int = 24
    """Leaves of one container that are still matched exactly when its children did not align: more
    cost time."""
    block_likelihood: Likelihood = 0.26
    """The likelihood from which on a part is a block, at the usual granularity. Measured on the
    marked pages (docs/visual.md)."""
    granularity_steepness: float = 4.0
    """How strongly `--granularity` moves that likelihood, in log odds. Set by eye."""
    first_screen: int = 300
    """Pixels from the top in which headers and logos stand. Set by eye."""


@dataclass(frozen=True, slots=True)
class LabelSettings:
    """What is a label: a text that says what the value beside it is (`wrapper/labels.py`)."""

    max_label_length: int = 48
    """Characters of a label. Set by eye."""
    max_label_words: int = 6
    """Words of a label. Set by eye."""
    max_prefix_words: int = 5
    """Words before a colon that are a label within a text: "Phone: 555". Set by eye."""
    min_whole_share: Share = 0.5
    """The share of the labels of a kind whose values are made of several pieces, each of another
    kind, for their whole text to be a value: "41 out of 42". Set by eye."""
    max_whole_length: int = 80
    """Characters of such a text: a longer one is a paragraph. Set by eye."""
    min_rare_names: int = 8
    """So many texts of one place, none of which comes often, are no labels. Set by eye."""
    max_rare_share: Share = 0.25
    """The share of the pages with such texts that none of them is on more of. Set by eye."""
    min_recurring_pages: int = 3
    """Pages that show whether what stands behind a text is the same wherever it stands."""
    min_recurring_rows: int = 20
    """So many texts of one place that come back may be rows that pages share. Set by eye."""
    min_fixed_share: Share = 0.6
    """The share of them with always the same text behind them, for them to be rows. Set by eye."""
    max_unstemmed_length: int = 3
    """Labels that are longer lose a final s, so that plural and singular are one."""
    min_page_share: Share = 0.05
    """The share of the pages that must have a label. Set by eye."""
    min_prefixed_share: Share = 0.3
    """The share of the texts of a place that begin with a label and a colon, for those that do to
    be fields; a label on half of the pages always is one. Set by eye."""
    max_turned_share: Share = 0.2
    """The share of the pairs of texts of one place that also stand the other way round: with more,
    the texts are values, not labels. Set by eye."""
    max_twice_share: Share = 0.2
    """The share of the pages that have a text of such a place twice: with more, as above."""
    min_constant_share: Share = 0.8
    """A text that this share of the pages has at one path is constant: no data. Set by eye."""
    min_sorted_texts: int = 3
    """So many texts of one path on all pages, in any order, are a list that pages sort anew: data.
    Set by eye."""
    min_known_share: Share = 0.8
    """At a path of labels, so many of the texts are on several pages. Set by eye."""
    min_alternation: Share = 0.7
    """At a path of labels, so many of the texts are followed by something of another path. Set by
    eye."""
    min_labels_per_page: float = 1.5
    """A path of labels has so many on a page, unless its tag is that of a title. Set by eye."""
    max_times_per_page: float = 1.3
    """A label comes no oftener on one page. Set by eye."""
    min_varied_share: Share = 0.2
    """So many of the texts beside a label differ. Set by eye."""
    min_frequency: Share = 0.3
    """Without a colon and in no element that names things, a label must be on so many of the pages
    that have its path. Set by eye."""
    min_header_columns: int = 3
    """So many titles beside each other head the columns of a table; fewer may be a label and a
    value."""
    max_steps_up: int = 2
    """Steps up from a label to what it has in common with its value. Set by eye."""
    max_steps_down: int = 5
    """Steps down from there to the value. Set by eye."""
    heading_distance: int = 6
    """Ancestors of a record set in which its heading is looked for. Set by eye."""


@dataclass(frozen=True, slots=True)
class RepeatSettings:
    """What is a record (`wrapper/repeats.py`, `wrapper/class_pages.py`)."""

    min_lead_ins: int = 3
    """Rows of running text that begin with bold words, for these to be a value of their own. Set by
    eye."""
    min_lead_in_share: Share = 0.1
    """The same as a share of the rows: other pages of the class may have rows without it. Set by
    eye."""
    min_article_share: Share = 0.9
    """So many of two siblings on each page must have a sentence for both to be posts. Set by
    eye."""
    min_article_texts: float = 3.0
    """Texts that they must have in the mean for that. Set by eye."""
    min_card_cells: int = 6
    """Cells of a table with something in them, on all pages, for each to be a record. Set by
    eye."""
    min_card_similarity: Share = 0.75
    """How much of the structure of the cells of one column those of the others must have for that:
    in a table of data columns differ. Set by eye."""
    min_similarity: Share = 0.55
    """How much of a row's structure the other rows must have, in the mean. Set by eye."""
    max_constant_share: Share = 0.6
    """With more rows that say nothing but constant texts it is a menu. Set by eye."""
    min_usual_share: Share = 0.6
    """A text that all pages have is no value of their rows if so many rows have it. Set by eye."""
    max_labelled_share: Share = 0.4
    """Rows that have labels more often are fields of the page. Set by eye."""
    min_page_share: Share = 0.25
    """The share of the places where several rows must stand beside each other. Set by eye."""
    min_inner_share: Share = 0.7
    """A row is a mere container if rows inside of it hold so much of its texts. Set by eye."""
    min_inner_rows: float = 3.0
    """Rows inside one of the outer ones, in the mean, for that. Set by eye."""
    min_long_rows: float = 10.0
    """So many rows inside one are a list of their own with a smaller share of the texts: sections
    of running text with an index below. Set by eye."""
    min_long_share: Share = 0.3
    """That share. Set by eye."""
    min_same_size: Share = 0.8
    """Rows are fields by their place if so many pages have equally many of them. Set by eye."""
    max_positional_rows: int = 12
    """More rows than this are never fields by their place. Set by eye."""
    max_positional_overlap: Share = 0.6
    """Rows are fields by their place if texts at different places have less than this of their
    shapes in common. Set by eye."""
    max_prose_similarity: Share = 0.5
    """Elements that are more alike inside are no prose. Set by eye."""
    min_prose_words: int = 40
    """Words in the mean of an element of prose that holds blocks. Set by eye."""
    min_flowing_words: int = 8
    """The same for an element that holds no blocks. Set by eye."""
    min_unsteady_share: Share = 0.15
    """Prose has another number of pieces than usual on so many pages. Set by eye."""
    min_bare_share: Share = 0.25
    """Where so many elements hold no text of their own, the others tell prose. Set by eye."""
    min_tagged_share: Share = 0.95
    """Short texts of which so many elements hold nothing beside tags are values, no prose. Set by
    eye."""
    max_named_share: Share = 0.2
    """Prose has no more labelled and constant texts than this. Set by eye."""
    min_rich_page_share: Share = 0.1
    """The share of the pages that must have elements inside for the text to be prose. Set by eye.
    """
    min_flowing_share: Share = 0.5
    """The share of the texts that stand in no block inside, in flowing text. Set by eye."""
    link_depth: int = 3
    """Elements from the start of a row among which its link must be. Set by eye."""
    min_texts_per_row: float = 1.25
    """Rows with more texts than this in the mean are records; the others are lists of values. Set
    by eye."""
    min_link_share: Share = 0.8
    """The share of links among the rows of a list of links. Set by eye."""
    min_links: int = 12
    """Links on a page that make a list of links one of records, not of values. Set by eye."""


@dataclass(frozen=True, slots=True)
class ColumnSettings:
    """Which texts are one column, and which columns are kept.

    `wrapper/columns.py`, `wrapper/choice/column_choice.py`, `wrapper/pages.py`
    """

    min_grid_rows: int = 3
    """Elements beside each other with a class such as `col-first`, for them to begin the rows of a
    grid: one alone is the first of its siblings. Set by eye."""
    max_crowded_share: Share = 0.05
    """The share of the pages that may have several texts where there is one value. Set by eye."""
    min_label_share: Share = 0.1
    """The share of the texts of a place that a label must govern to count. Set by eye."""
    max_list_distance: int = 3
    """Steps up in which the values of a list meet. Set by eye."""
    min_same_count: Share = 0.8
    """The share of the pages that have equally many lines in an element whose lines are columns: an
    address. Set by eye."""
    min_list_overlap: Share = 0.7
    """Values are a list if those of each turn have so much of their shapes in common with all. Set
    by eye."""
    cost_of_column: float = 0.002
    """What each further column costs when columns by turn and by position are compared. Set by eye.
    """
    min_constant_share: Share = 0.97
    """The share of one value from which on a column is constant. Set by eye."""
    min_unlabelled_constant_share: Share = 0.9
    """The same without a label: a few pages may be foreign. Set by eye."""
    min_filled_share: Share = 0.05
    """The share of the pages that must have a value. Set by eye."""
    min_filled_pages: int = 2
    """The same as a number of pages."""
    max_constants: int = 16
    """Labelled places that all pages say the same at whose selectors are kept, to see whether other
    pages say something else. Set by eye."""
    tried_columns: int = 2
    """Selectors are sought for so many times the columns that are wanted."""
    min_same_values: Share = 0.95
    """Two columns are the same if so many of their values are. Set by eye."""
    link_weight: float = 0.25
    """How likely it is that someone wants a link's URL, against a text. Set by eye."""
    image_weight: float = 0.3
    """The same of an image's URL. Set by eye."""
    image_text_weight: float = 0.1
    """The same of the text for an image. Set by eye."""
    form_value_weight: float = 0.1
    """The same of a value in a form. Set by eye."""
    metadata_weight: float = 0.4
    """The same of a `content` attribute. Set by eye."""
    time_weight: float = 0.6
    """The same of a `datetime` attribute. Set by eye."""
    head_weight: float = 0.7
    """The same of what stands in the head. Set by eye."""
    nav_weight: float = 0.3
    """The same of what stands in a `nav`. Set by eye."""
    footer_weight: float = 0.3
    """The same of what stands in a `footer`. Set by eye."""
    aside_tag_weight: float = 0.7
    """The same of what stands in an `aside`. Set by eye."""
    heading_weight: float = 1.1
    """The same of headings and terms. Set by eye."""
    aside_weight: float = 0.15
    """The same of what a class or id calls advertising or the like. Set by eye."""
    sentence_spaces: int = 8
    """Spaces that make a sentence: on a single page, sentences are data. Set by eye."""
    min_pages_for_strictness: int = 10
    """From so many pages on `min_unlabelled_constant_share` holds. Set by eye."""
    min_optional_coverage: Share = 0.8
    """Columns that fewer pages have may be advertising. Set by eye."""
    min_new_share: Share = 0.8
    """Links to other hosts with more different values than this are data, not advertising. Set by
    eye."""
    min_information: float = 0.04
    """What tells less than this is not worth a column. Set by eye."""
    min_unlabelled_worth: Share = 0.12
    """The same without a label: coverage times bits, whatever part of the page it is. Set by eye.
    """
    min_address_worth: Share = 0.5
    """The same of addresses of links and images, which half of the pages must have. Set by eye."""
    min_gain_from_end: Share = 0.3
    """How much liker the values of rows with few must be to those of the others if they are counted
    from the end, for the first to be what they lack. Set by eye."""
    labelled_worth: Share = 0.1
    """What a column with a label is worth at least, times its coverage, if it is not constant: a
    licence that nearly all pages have. Set by eye."""
    max_state_share: Share = 0.8
    """Classes that differ in their last word, of which an element has one, are states of it if none
    has more of their pages: `score_good`, `score_bad`. Set by eye."""
    min_shared_name_share: Share = 0.1
    """The share of the pages that must have a class or id for it to name a part of them. Set by
    eye."""
    min_numbered_names: int = 3
    """So many names of one page that differ only in digits number elements, and name nothing."""
    min_container_size: int = 3
    """Elements with so many others in them are containers, whose classes may be values. Set by eye.
    """
    min_striped_siblings: int = 3
    """Siblings beside each other of which every other one has a class, for it to be a stripe."""
    max_unstriped_share: Share = 0.1
    """The share of such groups in which it may be otherwise: a row was left out. Set by eye."""
    min_alike_siblings: Share = 0.6
    """The share of their inner structure that siblings of one class have in common, for them to be
    rows, and what else some of them are called to be a value (`tag-music`). Set by eye."""
    max_value_class_share: Share = 0.9
    """A class that so few of the pages have, of those with another one beside which it stands, is a
    value. Set by eye."""
    min_made_up_share: Share = 0.5
    """The share of the classes of one kind (`css-...`) that must look as if a build tool made them
    up for all of them to be so. Set by eye."""
    min_utility_share: Share = 0.2
    """The share of the classes of the pages that must have the form of utilities (`md:flex` or
    `mt-4`) for a site to be made of such. Set by eye."""
    min_only_utilities_share: Share = 0.4
    """The share from which on a class that only stands among utilities is one. Set by eye."""
    min_counted_siblings: int = 4
    """So many siblings whose classes differ in a rising number are the rows of a list. Three may be
    the parts of a page (`section_1` to `section_3`). Set by eye."""


@dataclass(frozen=True, slots=True)
class FieldSettings:
    """How fields are named, and what else is made of them.

    `wrapper/fields.py`, `wrapper/naming/names.py`, `wrapper/reading.py`
    """

    min_stability: Share = 0.5
    """The share of the pages where a selector must be right for its column to be kept. Set by eye.
    """
    path_confidence: Share = 0.9
    """The confidence in a column that has no label. Shown to people; decides nothing else."""
    list_confidence: Share = 0.85
    """The same of a list."""
    position_confidence: Share = 0.8
    """The factor for a column that only its place holds together."""
    max_derived: int = 4
    """Siblings between a record and the next one that become fields of it. Set by eye."""
    min_derived_share: Share = 0.5
    """The share of the rows that must have such an element. Set by eye."""
    max_name_length: int = 40
    """Characters of a field's name."""
    min_name_agreement: Share = 0.5
    """The share of the values that must agree on a name. Set by eye."""
    min_told_values: int = 3
    """Texts that a column without a name must share with one of another class to get its name. Set
    by eye."""
    min_told_overlap: Share = 0.9
    """The share of the smaller of both that must be in the other. Set by eye."""
    min_told_share: Share = 0.3
    """The share of the texts without a name that the other column must have. Set by eye."""
    min_shared_classes: int = 4
    """So many classes must have the values of a column, and a share of all, for it to say nothing
    of a page: sponsors that take turns. Set by eye."""
    min_shared_class_share: Share = 0.6
    """That share. Set by eye."""
    min_shared_overlap: Share = 0.5
    """The share of the values of the smaller column that the other has for that. Set by eye."""
    min_shared_times: float = 2.0
    """How often each of these values must come, in the mean, on some pages of those classes, and of
    its own class. Set by eye."""
    min_shared_pages: int = 10
    """Pages with a value that show whether values come again in their own class. Set by eye."""
    max_name_words: int = 5
    """Words of a constant text before a value that can be its name. Set by eye."""
    name_distance: int = 2
    """Steps up from a value to the element that names it. Set by eye."""
    class_distance: int = 3
    """Ancestors of a value whose class can name it, where nothing nearer does. Set by eye."""
    min_tags_of_looks: int = 3
    """A class on so many different tags says how things look, and names nothing: `muted`."""
    min_title_share: Share = 0.8
    """The share of the pages whose titles must hold a value for it to be what the page is about."""
    min_title_words: Share = 0.5
    """The share of the words that a value and a title must have in common. Set by eye."""
    min_type_share: Share = 0.8
    """The share of the values that must be phone numbers, prices, ... to be named so."""
    min_firm_share: Share = 0.2
    """The share of the values that must end as the names of firms do ("Inc.", "GmbH"), to be called
    companies: most firms leave it out. Set by eye."""
    min_translated: int = 2
    """Labels of one place in each of two languages, for them to be translations of each other. Set
    by eye."""
    min_pages_of_language: int = 3
    """Pages of each language that must say the same for it to be a constant in several languages.
    Set by eye."""
    min_numbered: int = 5
    """Addresses of one place that nothing but a number would tell apart, for them to be one list.
    Set by eye."""
    min_lead_words: int = 5
    """Words of the text beside a title, in the middle, that is a sentence about it. Set by eye."""
    min_texts_for_affix: int = 3
    """Different texts that must have the same words around them until these are cut off."""
    max_affix_length: int = 60
    """Characters that can be cut off. Set by eye."""
    min_metadata_agreement: Share = 0.8
    """The share of the pages on which structured data must have the value for its name to be the
    field's. Set by eye."""
    reference_pages: int = 20
    """Pages whose links are followed to tell which class a field refers to. Set by eye."""
    min_reference_share: Share = 0.8
    """The share of those links that must lead to one class. Set by eye."""


@dataclass(frozen=True, slots=True)
class SelectorSettings:
    """When a selector is good enough (`wrapper/selectors.py`, `wrapper/examples.py`)."""

    max_alternatives: int = 4
    """Spellings of one label that a selector names. Set by eye."""
    max_text_length: int = 60
    """Characters of a text that a selector names. Set by eye."""
    sure_stability: Share = 0.995
    """A selector that is right on so many pages ends the search."""
    good_stability: Share = 0.95
    """From here on another selector must be better by `min_improvement`: it is harder to read. Set
    by eye."""
    min_improvement: Share = 0.01
    """See `good_stability`."""
    max_trials: int = 30
    """Selectors that are tried for one column. Set by eye."""
    max_selected: int = 400
    """Elements that a selector of one value may select: nobody counts so far."""
    trial_pages: int = 8
    """Pages on which a selector is tried first; if it is far behind there, it is not tried on the
    others."""
    trial_margin: Share = 0.3
    """How far it may be behind. Set by eye."""
    example_columns: int = 5
    """Columns with the example's value for which selectors are sought. Set by eye."""
    max_example_length: int = 400
    """Longer texts that hold an example's value are running text, not its column. Set by eye."""
    parsed_fit: Share = 0.9
    """How well a text fits an example that means the same when both are parsed. Set by eye."""
    inside_fit: Share = 0.4
    """How well a text fits an example that stands in it. Set by eye."""
    crowd_penalty: float = 0.2
    """How much less an example fits a column for each other text on its page. Set by eye."""
    max_alternatives_kept: int = 2
    """Further selectors of a field, for when the first one finds nothing."""
    min_alternative_coverage: Share = 0.9
    """Fields that fewer pages have get none: where one is empty, it may well not be there."""
    alternative_pages: int = 16
    """Pages on all of which a further selector must read the same."""
    min_alternative_pages: int = 3
    """Of fewer pages, and fewer different values, nothing is sure."""
    max_alternative_depth: int = 3
    """Elements around a value whose marks and labels are looked at."""
    max_alternative_trials: int = 8
    """Selectors of one kind that are tried."""


@dataclass(frozen=True, slots=True)
class PartSettings:
    """When a text is parted into several fields (`wrapper/extra_fields/parts.py`)."""

    min_texts: int = 4
    """Different texts that must show how they are made. Set by eye."""
    max_line_length: int = 160
    """Characters of a text that may be parted, in the middle: longer ones are sentences."""
    max_part_length: int = 200
    """Characters that a part may have: a longer one shows that the pattern does not hold."""
    min_share: Share = 0.8
    """The share of the texts that must hold a date, or something behind it. Set by eye."""
    min_separated_share: Share = 0.95
    """The share of the texts that must have a separator equally often. Set by eye."""
    min_labelled_texts: int = 2
    """Different texts that are enough where the label has the same separators: "Height / weight".
    """
    min_optional_share: Share = 0.15
    """The share of the texts that must have words that connect two parts. Set by eye."""
    min_listed_share: Share = 0.1
    """The share of the texts that must list several names of people. Set by eye."""
    min_article_words: int = 40
    """Words of a running text, in the middle, that has a first paragraph and headings."""
    min_lead_words: int = 12
    """Words of a first paragraph: a shorter one is a line about the article. Set by eye."""
    min_article_share: Share = 0.3
    """The share of the pages that must have such a paragraph or heading. Set by eye."""


@dataclass(frozen=True, slots=True)
class SectionSettings:
    """When the text under a heading is a field (`wrapper/extra_fields/sections.py`)."""

    min_pages: int = 3
    """Pages that must have the heading. Set by eye."""
    min_share: Share = 0.1
    """The share of the pages that must have it. Set by eye."""
    min_one_form: Share = 0.8
    """The share of them where the section has an element of its own, or is one block: elsewhere
    the value would be a part of the section. Set by eye."""
    min_same_share: Share = 0.8
    """A field that has so many of the texts of a section already takes its place. Set by eye."""
    min_line_share: Share = 0.5
    """The share of the pages that must have one line that begins with a word, for what stands
    behind the word to be a field. Set by eye."""
    min_line_distinct: Share = 0.5
    """How many of its values must be different ones: the beginning of a sentence that all pages
    have says nothing. Set by eye."""


@dataclass(frozen=True, slots=True)
class ScriptDataSettings:
    """Which data of a page's scripts are columns (`wrapper/extra_fields/script_data.py`)."""

    max_keys: int = 40
    """Columns of such data in one table. Set by eye."""
    max_texts_of_key: int = 20
    """Values that a key may have on a page, in the middle: more are a table of the program's."""
    max_length: int = 5000
    """Characters of a value, in the middle: longer ones are pages in a page. Set by eye."""
    min_worth: Share = 0.12
    """What a column must tell: its coverage times its bits, up to one. Set by eye."""
    min_pages: int = 3
    """With fewer pages nobody knows what varies."""


@dataclass(frozen=True, slots=True)
class LayoutSettings:
    """When pages that do not fit are another layout of the class (`wrapper/layouts.py`)."""

    max_layouts: int = 3
    """Layouts of one class. Set by eye."""
    min_pages: int = 3
    """Pages that a layout is learnt from at least: two could agree by chance. Set by eye."""
    min_share: Share = 0.01
    """The share of the pages of a class that must not fit before another layout is looked for."""
    min_common_fields: int = 2
    """Fields of the page's body that both layouts must have: else the pages are foreign ones."""
    min_parted_fields: int = 3
    """Fields of the page's body that only one part of the pages has, and as many that only the
    others have, for the parts to be two layouts. Set by eye."""
    max_parted_errors: Share = 0.02
    """The share of the pages that may have a field of the other layout. Set by eye."""
    min_common_values: int = 2
    """Different values that two fields without a common label must share to be one. Set by eye."""
    min_value_overlap: Share = 0.6
    """The share of the values of one of them that the other must have too. Set by eye."""
    max_rejected_share: Share = 0.01
    """When more of the pages of a class give no record, these pages are looked at for a layout that
    those the class was learnt from do not have."""
    pages_learnt_again: int = 24
    """Pages with a record that this is done with, and half as many without. Set by eye."""


@dataclass(frozen=True, slots=True)
class RecordSettings:
    """The record sets of a page (`wrapper/records.py`)."""

    min_constant_share: Share = 0.8
    """The share of the pages whose records all have a text, for it to be no data. Set by eye."""
    sampled_records: int = 150
    """Records that the fields of a set are learnt from: more cost time."""
    max_sets: int = 6
    """Record sets of one class. Set by eye."""
    min_gain_from_end: Share = 0.05
    """How much purer the cells of rows must be if they are counted from the end, for the first ones
    to be what some rows lack. Set by eye."""
    max_parts: int = 4
    """Tables of one form with different titles on a page that are sets of their own. Set by eye."""
    max_row_columns: int = 24
    """Columns of one record set, the most telling ones. Set by eye: posts of forums have 20."""
    min_form_overlap: Share = 0.5
    """Elements that rows in two containers must share to be of one form. Set by eye."""
    usual_share: Share = 0.8
    """What so many rows hold is usual: the few that lack most of it are no rows. Set by eye."""
    min_shared_share: Share = 0.3
    """The share of the pages with rows of a path that must have rows of a form, for it to be a set
    of its own. Set by eye."""
    min_stability: Share = 0.5
    """The share of the pages where the selector of the rows must be right. Set by eye."""
    sure_stability: Share = 0.99
    """A selector of rows that is right so often ends the search."""


@dataclass(frozen=True, slots=True)
class TypeSettings:
    """What type the values of a column have (`wrapper/values/types.py`)."""

    max_odd_share: Share = 0.1
    """The share of a column's texts that may not be of its type. Set by eye."""
    min_counts: int = 3
    """So many different numbers must stand before the same word until it is what they count."""


@dataclass(frozen=True, slots=True)
class SampleSettings:
    """The pages of a class that are learnt from (`wrapper/sampling.py`)."""

    max_pages: int = 64
    """The most pages that are looked at: more hardly change a wrapper."""
    min_pages: int = 24
    """Pages that are learnt from in any case, so that what is usual is told from what is not."""
    max_bytes: int = 3_000_000
    """If these pages have more bytes in all, fewer are taken: an index of everything says the same
    thousands of times."""
    min_large_pages: int = 6
    """But so many, however large they are."""
    max_parsed_bytes: int = 6_000_000
    """Bytes of the pages of a class that are parsed to learn from: a tree takes some twenty times
    as much memory."""
    max_learnt_elements: int = 15_000
    """Elements of a page of any size that a wrapper is learnt from: of a page with more of them
    than its bytes allow, the beginning."""
    bytes_per_learnt_element: float = 40.0
    """Bytes that a page must have for each further element that is learnt from. Of 441
    real pages with 4,000 elements or more, three are so dense, and lose less than a tenth."""
    min_examples: int = 2
    """Pages that must have what is rare, if there are so many: a column needs several values."""
    core_share: Share = 0.8
    """What so many pages have is what a page of the class should have."""
    min_core_share: Share = 0.5
    """A page with less of that is no example of anything rare: it may be of another class."""


@dataclass(frozen=True, slots=True)
class ExpectationSettings:
    """When a value is so unlike the learnt ones that it is left out (`values/expectation.py`)."""

    min_texts: int = 5
    """With fewer learnt texts nothing is unlike them."""
    kept_texts: int = 64
    """Hashes of the learnt texts that a field keeps: as many as pages are learnt from."""
    kept_words: int = 96
    """Hashes of their words."""
    min_beside_share: Share = 0.5
    """A text that so many pages have beside the value, and never as the value, is none."""


@dataclass(frozen=True, slots=True)
class WrapperSettings:
    """The fields and record sets of a class (`wrapper/`)."""

    max_columns: int = 150
    """The most columns of a page's own in the table of its class; those of record sets have a limit
    of their own. What a column tells decides before this does: it only bounds the work."""
    sketch_pages: int = 16
    """Pages whose values are kept as hashes in wrapper.json."""
    sketch_values: int = 8
    """The most values of a page and column that are kept so."""
    max_columns_of_sets: int = 24
    """The most columns of all record sets together. Set by eye."""
    min_required_share: Share = 0.8
    """What so many pages have is required: a page with little of it does not fit. Set by eye."""
    min_required_of_common: Share = 0.95
    """What has so much of the coverage that the commonest fields have is required: optional parts
    of a page are not. Set by eye."""
    max_foreign_share: Share = 0.125
    """The share of the pages that may be thrown out because they do not fit the others. Set by eye.
    """
    min_required_in_body: int = 3
    """From so many required fields of the body on, those of the head are not required. Set by eye.
    """
    min_pages_for_foreign: int = 8
    """With fewer pages none is thrown out. Set by eye."""
    max_fields_of_list: int = 6
    """A class whose pages have more fields of their own is no list. Set by eye."""
    min_rows_per_field: int = 8
    """A class is a list if its main record set has so many times the values of the page's own
    fields. Set by eye."""
    min_own_coverage: Share = 0.5
    """Fields that fewer pages have do not count for that. Set by eye."""
    min_facts_of_page: int = 2
    """Such fields beside the heading that make a page a record of its own, and no list. A category
    has its description; a product at least a price and a text. Set by eye."""
    min_main_share: Share = 0.8
    """The share of the values of all sets that the main one of a list holds. Set by eye."""
    sample: SampleSettings = SampleSettings()
    labels: LabelSettings = LabelSettings()
    repeats: RepeatSettings = RepeatSettings()
    columns: ColumnSettings = ColumnSettings()
    fields: FieldSettings = FieldSettings()
    selectors: SelectorSettings = SelectorSettings()
    records: RecordSettings = RecordSettings()
    parts: PartSettings = PartSettings()
    sections: SectionSettings = SectionSettings()
    script_data: ScriptDataSettings = ScriptDataSettings()
    layouts: LayoutSettings = LayoutSettings()
    types: TypeSettings = TypeSettings()
    expectation: ExpectationSettings = ExpectationSettings()


@dataclass(frozen=True, slots=True)
class ExtractionSettings:
    """Whether a page fits its wrapper, and a site its model."""

    min_required_share: Share = 0.3
    """A page with a smaller share of what every page of its class has does not fit. Set by eye."""
    min_fields_for_two: int = 4
    """From so many fields on, one value alone makes no record. Set by eye."""
    min_core_coverage: Share = 0.98
    """What so many rows of a set have must be in most rows that a further selector finds. Set by
    eye."""
    min_judged_pages: int = 10
    """With fewer pages nothing is said of a change of the site."""
    compare_selectors_every: int = 8
    """One page in so many is read by all selectors of its fields, to see whether they agree."""
    max_misfit_share: Share = 0.5
    """When more of the pages do not fit, the site is no longer that of the model. Set by eye."""
    min_follow_margin: Share = 0.2
    """A page goes along with one that a person moves if it is likelier of that page's class than of
    the class that it leaves, by so much: pages that are as much like both stay. Set by eye."""
    min_resemblance: Share = 0.5
    """The share of the texts of their home pages that two folders without a URL must have in common
    to be copies of one site, so that wrappers by example are kept. Set by eye."""


@dataclass(frozen=True, slots=True)
class ChangeSettings:
    """Whether a site still fits what was learnt of it, and what became of its fields.

    For `extraction/fit.py` and `change/`; docs/change.md has what was measured.
    """

    false_alarm: Likelihood = 0.0001
    """The chance that a field of an unchanged site is called lost. A site has some hundred fields,
    and is checked every night."""
    missed_alarm: Likelihood = 0.01
    """The chance that a lost field is taken for kept, so that no more pages are read for it."""
    lost_share: Share = 0.5
    """A field is lost when no more than this part of the pages that had it have it."""
    thinned_share: Share = 0.75
    """A field is worth a notice when no more than this part of the pages that had it have it,"""
    thinned_alarm: Likelihood = 0.01
    """but for one case in so many. No alarm: in a quiet year, content may go from so many pages."""
    max_rate: Likelihood = 0.95
    """No page is sure to have a field, not even one that had it: in four quiet years at most one in
    nine pages lost a field that was still read elsewhere (docs/change.md)."""
    max_page_rate: Likelihood = 0.99
    """The same of a page that is there: it is recognised, and has a record. A third of the pages in
    a new layout is then found within the twenty that a check reads."""
    page_rate: Likelihood = 0.85
    """The same of pages as such: they are taken down more readily than templates change. Seven that
    are gone, without one in their place, are enough."""
    min_rate: Likelihood = 0.02
    """The rate of the rarest fields; of them no number of pages that a check reads tells enough."""
    min_alarm_coverage: Share = 0.5
    """Fields that fewer pages have may go without an alarm: one quiet year has such a field, whose
    content was taken away; set so that it gives none. They are told of as notices, and by `diff`
    and `repair`."""
    always_share: Share = 0.995
    """From this share on, every page of a class had a field."""
    min_always_pages: int = 2
    """Such a field is lost if no page has it now, and so many are known to have had it: however
    small the class is, a field that was always there is not missed in silence."""
    min_compared_pages: int = 8
    """Pages that must have a text before and now for it to be called something else."""
    telling_share: Share = 0.8
    """A text tells pages apart if so many of its values are different."""
    min_overlap: Share = 0.1
    """Two texts with a smaller share of words in common have nothing to do with each other."""
    other_share: Share = 0.8
    """A field reads something else when more of the pages have a text of other words."""
    moved_numbers_share: Share = 0.9
    """A number may be another one where more of the pages have a new value,"""
    min_ranked_pages: int = 12
    """so many pages are known,"""
    min_rank_correlation: Share = 0.4
    """and the ranks of its values have no such correlation with what they were. Of numbers that are
    drawn anew one in ten of twelve has it and one in 28 of twenty; of prices that rise or fall by
    up to a fifth, all have."""
    min_moved_share: Share = 0.3
    """A field reads another one if it says what that said on so many of the known pages: half of
    them may be in a new layout. On four quiet pairs no field of most pages did (docs/change.md)."""
    first_pages: int = 8
    """Pages of a class that `check` reads first; more only while a field is in doubt."""
    max_pages: int = 20
    """The most pages of a class that `check` asks for."""
    min_replacing_pages: int = 3
    """Pages that must be recognised as a class whose known pages are gone, and whose URLs are not
    its own alone, for others to have come in their place; fewer where the class is so small that
    half of its share of the site is less."""
    pages_per_field: int = 6
    """Pages are chosen until each field stands on so many of them: four empty ones are enough."""
    max_compared_pages: int = 300
    """Pages of a class whose values are compared, evenly over their URLs."""
    min_edited_words: int = 4
    """Texts with fewer different words are the same or not; longer ones may have been edited."""
    min_edited_share: Share = 0.7
    """The share of its words that an edited text keeps."""
    max_chance: Share = 0.95
    """Fields that agree so well on pages that are none of theirs say the same everywhere."""
    extra_weight: Share = 0.25
    """What a page that had no value and has one now counts against a match: the new site may say
    more."""
    min_telling_length: int = 8
    """Characters of a value that can tell one page from all others."""
    max_telling_pages: int = 2
    """Pages that such a value may stand on."""
    pair_margin: float = 1.5
    """How much better than any other the new page of a moved page must be."""
    min_paired_share: Share = 0.5
    """Of two classes without common addresses, so many of the pages must have a partner: on eight
    sites that were moved as a whole 61 to 100% of the pages have one, on the same sites with no
    page in common 9 to 33%, by accident."""
    min_believed_pairs: int = 5
    """Classes of very different size need so many such pairs."""
    max_size_ratio: float = 4.0
    """Beyond it, sizes are very different."""
    min_merged_pages: int = 2
    """Known pages that a class needs to be called merged into another, and not gone."""
    min_pairs: int = 3
    """Pages that two classes must have in common for their values to be compared page by page."""
    tie_weight: Share = 0.05
    """What the form of two fields counts where their values are known: it decides between fields
    that say the same."""
    min_field_score: Share = 0.6
    """Below it a field is lost: nearly half of its values would be wrong."""
    keep_bonus: Share = 0.02
    """An old selector that still reads its field is kept, if a new one does not do better by this.
    """
    min_kept_form: Share = 0.5
    """The gate for old selectors where no values can be compared: what they read must look like
    what they read before."""
    min_shared_score: Share = 0.8
    """A field that is left over may share the new field of another, if it agrees so well."""
    sure_agreement: Share = 0.9
    """A field that agrees less is looked for in the pages by its old values, too."""
    min_gain: Share = 0.05
    """How much better such a rule must agree to take the place of a column."""
    min_example_pages: int = 6
    """Pages with known values that it takes: half of them teach, the others judge."""
    example_pages: int = 12
    """Pages that teach."""
    max_example_length: int = 2000
    """Longer values are not looked for: nobody would find them unedited."""
    min_form_texts: int = 5
    """Different texts, old and new, that it takes to tell words around values from the values; on
    fewer, a word may be common by chance."""
    around_share: Share = 0.95
    """The share of the new texts that must begin or end with such words."""
    max_around_words: int = 4
    """The most words at one end."""
    min_form_score: Share = 0.7
    """The gate where no values can be compared. With the site left out, at 0.6 of 112 fields 83 are
    found and one is wrong, at 0.7 77 and none, at 0.8 60 and none (`evaluate train forms`)."""
    min_form_gap: Share = 0.05
    """How much better than any other a field must be there, those aside that say the same."""
    min_shared_values: Share = 0.3
    """Fields that share so many of their values are matched by values, not by form alone."""
    min_class_form: Share = 0.4
    """Classes without a common page are the same from this score on."""
    class_fields_weight: Share = 0.45
    """What the fields count in that score."""
    class_size_weight: Share = 0.15
    """What their shares of the site's pages count."""
    class_name_weight: Share = 0.1
    """What the same name counts."""
    min_theme_marks: Share = 0.3
    """Sites that share so many of their tags, classes and paths are made alike."""
    class_model_weight: Share = 0.3
    """What it counts that the old model takes the pages of the new class for its own."""
    min_recognised: Share = 0.5
    """A new class is (a part of) the old one if the old model takes so many of its pages for it."""
    recognised_pages: int = 8
    """Pages of each new class that the old model is asked about."""
    min_same_share: Share = 0.5
    """Pages of two sites say the same if they share so many of the values that few pages have."""
    class_url_weight: Share = 0.3
    """What the form of their URLs counts."""


@dataclass(frozen=True, slots=True)
class LimitSettings:
    """What no real site comes near: where a page or a host is given up (docs/security.md)."""

    stalled_requests: int = 5
    """Requests that one host lets time out before it gets less patience and is asked less often.
    """
    max_stalled_share: Share = 0.1
    """A host of which no more of the answers time out than this keeps its full time-out, however
    many they are."""
    impatience: float = 4.0
    """A host that stalls often gets the time-out divided by this."""
    stalling_delay: float = 1.0
    """The least delay, in seconds, between two requests to a host that stalls often."""
    max_elements: int = 100_000
    """Elements that a page of any size may have: a page with more must have the bytes for them."""
    bytes_per_element: float = 40.0
    """Bytes that a page must have for each further element. Of 42,000 real pages the one with most
    elements has 279,278, in 9.5 MB: it has 59,000 to spare."""
    parser_memory: int = 50_000_000
    """Bytes that the parser may use for a page of any size."""
    parser_memory_per_byte: float = 24.0
    """Bytes that it may use for each byte of the page; ordinary pages need 5 to 12."""
    max_links: int = 50_000
    """Links of one page that are followed; the rest are left out. Of 53,000 real pages the one with
    most has 23,799."""
    max_waiting_urls: int = 500_000
    """URLs that a crawl remembers; a site of links without end would fill the memory."""
    max_sitemaps: int = 200
    """Sitemaps and feeds of a site that are read: each holds up to 50,000 pages."""
    max_feeds: int = 5
    """Feeds that a home page names and that are read; some name one for each of their authors."""
    max_complete_pages: int = 100_000
    """Pages that `--complete` fetches at the most: a site may make up pages for ever."""
    short_wait: float = 10.0
    """Seconds: for a longer Retry-After one page is no reason to let all others wait."""
    busy_urls: int = 3
    """Pages turned away in a row until a long Retry-After is taken for the word of the host."""


@dataclass(frozen=True, slots=True)
class CrescenziSettings:
    """Crescenzi, Merialdo, Missier (2004, 2005); the names are the papers'."""

    n: int = 5
    """The most pages that are fetched of one link collection. The papers name no number."""
    dt: Share = 0.2
    """The distance below which two candidate classes are one; determined experimentally by the
    paper (footnote 5). The report calls it st."""
    c_u: float = 1.0
    """What a URL costs (2005, footnote 7)."""
    c_p: float = 1.0
    """What a path costs that is written out."""
    c_i: float = 0.8
    """What the index of a path costs."""
    c_miss: float = 1.0
    """What a path of the class costs that the page lacks."""
    labelling: Labelling = Labelling.ATTRIBUTES
    """What the label of a node consists of: tag, classes, or attributes, as footnote 3 has it."""
    collapse: Collapse = Collapse.PASS
    """How near groups are collapsed: pass (2005, figure 5) or loop (2004, figure 6)."""
    heterogeneity: Heterogeneity = Heterogeneity.GROUPS
    """What is counted to know a menu: groups (2005, section 3.1) or candidates (2004)."""
    min_group_size: float = 2.0
    """A collection is heterogeneous if its groups have fewer pages than this on average. The papers
    name no number."""
    end: ExplorationEnd = ExplorationEnd.EMPTY
    """The exploration ends when the queue is empty, or longest (2005, section 4.4)."""
    patience: int = 25
    """Waves without a longer queue, after which it counts as having been longest. Set by eye."""
    walk_length: int = 8
    """Pages of a random walk of the report's navigation experiment (section 4.1.2)."""


@dataclass(frozen=True, slots=True)
class LiuSettings:
    """Liu, Ng, Lim (2004). The paper names MaxNumWord and the levels of *others* alone."""

    max_num_word: int = 4
    """MaxNumWord: a set whose names have this many words on average, or more, is no navigation."""
    far: float = 3.0
    """A distance is much larger than the rest if it is this many standard deviations above them.
    Set by eye."""
    min_nl: int = 3
    """MinNL: a navigation set has more links; the paper drops a group of three."""
    max_nl: int = 500
    """MaxNL: a navigation set has fewer links. Set by eye."""
    other_levels: int = 1000
    """The levels of directories of URLs of type *others* (section 3.3.1)."""
    levels: int | None = None
    """The most levels of the skeleton: none, the recursion ends where no link set is accepted
    (figure 4). The paper's experiments stop at 1, 2 and 3."""
    tau: Share | None = None
    """The least PROB of a navigation link set; none: that of the training data (section 4.2)."""
    min_contained: Share = 0.5
    """The share of the true links that a candidate must have to contain the correct set, in p_ns.
    The paper names no number."""


@dataclass(frozen=True, slots=True)
class GeraciSettings:
    """Geraci, Maggini (2011)."""

    threshold: Share = 0.5
    """The share of the pages that must have a token of the consensus (section 2.2)."""
    pruning: Share = 0.25
    """The share of the pages below a node of the consensus tree that must have a token: the paper's
    2^(r-2)/t in step r, where a node stands for 2^r of t pages."""
    starts: int = 10
    """Clusterings, each from another first centre, that the measures are means of. The paper names
    no number."""


@dataclass(frozen=True, slots=True)
class CosulschiSettings:
    """Cosulschi et al. (2004). The paper lists features for pair conditions, but no numbers."""

    tolerance: Count = 5
    """Pixels within which two edges count as one: thick boundaries; 0 is Allen's relations."""
    min_size_ratio: Share = 0.5
    """The smaller width of two elements over the larger, and the same for heights; texts may be of
    any width. Set by eye."""
    min_length_ratio: Share = 0.1
    """The shorter text over the longer one. Set by eye."""
    min_aspect_ratio: Share = 0.0
    """The smaller ratio of width and height over the larger; 0: no condition."""
    min_area_ratio: Share = 0.0
    """The smaller share of its page's area over the larger; 0: no condition."""
    time_limit: float = 10.0
    """Seconds for the largest clique; then the best one so far counts."""
    max_vertices: int = 6000
    """The most pairs in an association graph, the most alike kept: 250,000 fit nowhere."""


@dataclass(frozen=True, slots=True)
class FleetSettings:
    """What is kept of many sites, and how much a task may hold (`fleet/`)."""

    bucket_bytes: int = 16 << 30
    """Bytes of archives for which one task chooses the pages of the samples: half a million rows of
    Common Crawl, which take about 200 MB. More tasks would read the index more often."""
    index_files_at_once: int = 256
    """Archives whose rows one task takes from a columnar index: each task reads all of it once."""
    apply_bytes_at_once: int = 32 << 20
    """Bytes of archives that one task of `apply` reads site by site, so that what is known of a
    site is read once for all of them: a task is some minutes of work (docs/fleet.md)."""
    apply_files_at_once: int = 64
    """The most archives of such a task: each is open, with three files that are written for it."""
    apply_tasks: int = 16
    """So many tasks of `apply` are made at least where there are as many archives: all processes
    are to have some. Each costs a reading of what is known of every site that it has a page of."""
    max_url_length: int = 4096
    """Characters of a URL, beyond which a record is passed over: no real page has such a URL."""
    max_text_length: int = 200_000
    """Characters of a page's text and of a record, which a row of a table can hold: 2,048 rows are
    written at a time. A text is cut there, a record is left out; both are counted."""
    max_listed_problems: int = 100
    """Bad records of one archive that errors.jsonl names one by one; the others are counted."""
    tries: int = 3
    """How often a task is tried before it is listed as failed."""
    min_theme_marks: int = 8
    """Classes of elements that a template, or a site, must have for a theme to be known by them.
    Set by eye."""
    min_theme_share: Share = 0.5
    """The part of these that two sites, or two classes of them, have in common if they are of one
    theme (docs/fleet.md)."""
    min_template_share: Share = 0.8
    """The part of a theme's template that a page must have to be read with its model, where its own
    site was not learnt (docs/fleet.md)."""
    offer_pages: int = 16
    """Pages of a class that a wrapper of the theme is tried on. Set by eye."""
    readers: int = 8
    """Models of themes that a task keeps in memory for the pages of small sites."""


@dataclass(frozen=True, slots=True)
class PaperSettings:
    """The parameters of the papers' own methods (`papers/`)."""

    crescenzi: CrescenziSettings = CrescenziSettings()
    liu: LiuSettings = LiuSettings()
    geraci: GeraciSettings = GeraciSettings()
    cosulschi: CosulschiSettings = CosulschiSettings()


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; `Settings.of` makes those that differ from the defaults."""

    classes: ClassSettings = ClassSettings()
    crawl: CrawlSettings = CrawlSettings()
    template: TemplateSettings = TemplateSettings()
    skeleton: SkeletonSettings = SkeletonSettings()
    visual: VisualSettings = VisualSettings()
    wrapper: WrapperSettings = WrapperSettings()
    extraction: ExtractionSettings = ExtractionSettings()
    change: ChangeSettings = ChangeSettings()
    limits: LimitSettings = LimitSettings()
    fleet: FleetSettings = FleetSettings()
    papers: PaperSettings = PaperSettings()

    @classmethod
    def of(cls, changes: Mapping[str, object] | Settings | None) -> Settings:
        """The defaults with some changes, by name; values can be texts, as on a command line.

        >>> Settings.of({"papers.crescenzi.dt": "0.3"}).papers.crescenzi.dt
        0.3
        """
        if isinstance(changes, Settings):
            return changes
        return cls().changed_by(changes or {})

    def changed_by(self, changes: Mapping[str, object]) -> Settings:
        """These settings with some changes, by name."""
        changed = self
        for given, value in changes.items():
            name = setting_name(given)
            checked = _checked(name, value)
            changed = _replaced(changed, name.split("."), checked)
        return changed

    def __getitem__(self, name: str) -> SettingValue:
        """The value of the setting of this dotted name."""
        found: Any = self
        for part in setting_name(name).split("."):
            found = getattr(found, part)
        value: SettingValue = found
        return value

    def changes(self) -> dict[str, SettingValue]:
        """What differs from the defaults, by dotted name."""
        usual = Settings()
        if self == usual:
            return {}  # as it nearly always is, and each file that is written asks
        return {name: self[name] for name in _types() if self[name] != usual[name]}


_current: ContextVar[Settings] = ContextVar("sitewright_settings")
_DEFAULTS = Settings()


def current() -> Settings:
    """The settings in force: the defaults, outside of every `using`."""
    return _current.get(_DEFAULTS)


@contextmanager
def using(settings: Settings) -> Iterator[Settings]:
    """Put settings into force for this block, in this thread or task and those it starts."""
    before = _current.set(settings)
    try:
        yield settings
    finally:
        _current.reset(before)


def setting_names() -> tuple[str, ...]:
    """The dotted names of all settings."""
    return tuple(_types())


def setting_type(name: str) -> str:
    """The name of a setting's type: int, Count, float, Share, Likelihood, a choice."""
    return _types()[name]


_OTHER_NAMES = {"st": "papers.crescenzi.dt"}
"""What one of two papers calls a setting that has the other's name."""


def setting_name(given: str) -> str:
    """The dotted name of the setting that is meant: the name itself, or its last parts.

    >>> setting_name("st")
    'papers.crescenzi.dt'
    """
    known = _types()
    if given in known:
        return given
    if given in _OTHER_NAMES:
        return _OTHER_NAMES[given]
    meant = [name for name in known if name.endswith(f".{given}")]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise InvalidInput(given, f"several settings end so; name one of {', '.join(meant)}")
    close = _close_names(given)
    hint = f"; do you mean {' or '.join(close)}?" if close else "; docs/settings.md lists them"
    raise InvalidInput(given, f"no such setting{hint}")


def parse_change(text: str) -> tuple[str, str]:
    """Take NAME=VALUE apart."""
    name, equals, value = text.partition("=")
    if not (name.strip() and equals and value.strip()):
        raise InvalidInput(text, "no setting; write NAME=VALUE, as in papers.crescenzi.dt=0.3")
    return name.strip(), value.strip()


@cache
def _types() -> dict[str, str]:
    """The type of each setting, by dotted name."""
    found: dict[str, str] = {}
    groups: list[tuple[str, Any]] = [("", Settings())]
    while groups:
        prefix, group = groups.pop(0)
        for one in fields(group):
            value = getattr(group, one.name)
            if is_dataclass(value):
                groups.append((f"{prefix}{one.name}.", value))
            else:
                found[f"{prefix}{one.name}"] = str(one.type)
    return found


def _close_names(given: str) -> list[str]:
    """Names that are spelled like this, or whose last part is."""
    known = setting_names()
    last = {name.rpartition(".")[2]: name for name in reversed(known)}
    wanted = given.rpartition(".")[2]
    close = [last[one] for one in get_close_matches(wanted, last, n=2)]
    return list(dict.fromkeys([*get_close_matches(given, known, n=2), *close]))[:3]


_LEAST = {"int": 1, "Count": 0}
"""Whole numbers, and the least that each can be."""


def _checked(name: str, given: object) -> SettingValue:
    """The value as the setting's type has it; what cannot be is refused."""
    kind, may_lack, _ = _types()[name].partition(" | None")
    if may_lack and (given is None or str(given).strip().lower() == "none"):
        return None
    if isinstance(usual := _DEFAULTS[name], Choice):
        return _word(name, type(usual), given)
    return _number(name, kind, given)


def _word(name: str, kind: type[Choice], given: object) -> Choice:
    try:
        return kind(str(given))
    except InvalidChoice as error:
        raise InvalidInput(f"{name}={given}", error.why) from None


def _number(name: str, kind: str, given: object) -> float:
    number = _as_number(given)
    reason = None
    if number is None or not math.isfinite(number):
        reason = "no number"
    elif kind in _LEAST and (number != int(number) or number < _LEAST[kind]):
        reason = f"must be a whole number, {_LEAST[kind]} or more"
    elif kind == "Share" and not 0 <= number <= 1:
        reason = "must be from 0 to 1"
    elif kind == "Likelihood" and not 0 < number < 1:
        reason = "must be between 0 and 1"
    elif number < 0:
        reason = "must not be negative"
    if number is None or reason is not None:
        raise InvalidInput(f"{name}={given}", f"{reason}; the default is {_DEFAULTS[name]}")
    return int(number) if kind in _LEAST else number


def _as_number(given: object) -> float | None:
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        return None
    try:
        return float(given)
    except (ValueError, OverflowError):
        return None


def _replaced(group: Group, parts: list[str], value: SettingValue) -> Group:
    first, *rest = parts
    inner: Any = _replaced(getattr(group, first), rest, value) if rest else value
    return replace(group, **{first: inner})
