"""A small site with a detail class and a list class, its model, and wrappers written by hand."""

from sitewright.methods import discover_all
from sitewright.site import open_site
from sitewright.wrapper import Field, RecordSet, Rule, Wrapper
from sitewright.wrapper.values.types import FieldType, ValueKind

BASE = "http://shop.example/"
TEXT = FieldType()
PRICE = FieldType(ValueKind.DECIMAL, "EUR", ",")
GOODS = 12
LISTS = 6

# The rows stand in no tbody, so that a browser's tree has one and Scrapy's has none.
GOOD = """<!doctype html><html><head><title>{name}</title></head>
<body class="good"><h1>{name}</h1>
<dl class="facts"><dt>Price</dt><dd>{number},50 <b>€</b></dd>
<dt>Since</dt><dd>{number} May 2020</dd></dl>
<p class="tags"><i>red</i> <i>{number} green</i></p><img class="photo" src="img/{number}.png">
<div class="more"><a href="../list/0.html">The list</a> <a href="javascript:zoom()">Zoom</a></div>
<table class="sizes"><tr><td>S<td>{number}<tr><td>L<td>2{number}</table></body></html>"""
LIST = """<!doctype html><html><head><title>List {number}</title></head>
<body class="list"><h2>List {number}</h2><ul class="goods">{rows}</ul>
<p class="pager"><a href="../list/{next}.html">Next</a></p></body></html>"""
ROW = """<li class="row"><a href="../good/{number}.html">{name}</a>
<span> from {number},50 €</span></li>"""
HOME = """<!doctype html><title>Shop</title><body class="home">
<div class="way"><a href="list/0.html">All goods</a></div>"""


def name(number: int) -> str:
    return f"Good {number}"


def write_shop(folder):
    """Write the pages of the shop."""
    for part in ("good", "list"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(HOME)
    for number in range(GOODS):
        page = GOOD.format(number=number + 1, name=name(number))
        (folder / "good" / f"{number}.html").write_text(page)
    for number in range(LISTS):
        some = range(number * 2, number * 2 + 2)
        rows = "".join(ROW.format(number=one, name=name(one)) for one in some)
        page = LIST.format(number=number, rows=rows, next=(number + 1) % LISTS)
        (folder / "list" / f"{number}.html").write_text(page)
    return open_site(str(folder), base_url=BASE)


def shop_model(site):
    model = discover_all(site)
    assert {one.name for one in model.classes} >= {"good", "list"}
    return model


def field(field_name, xpath, kind=TEXT, pattern="", **options):
    return Field(field_name, Rule.parse(xpath, pattern), kind, **options)


SIZES = RecordSet(
    "sizes",
    Rule.parse("//table[@class='sizes']/tbody/tr"),
    (
        field("size", "./td[1]"),
        field("stock", "./td[2]", FieldType(ValueKind.INTEGER)),
    ),
)
GOOD_WRAPPER = Wrapper(
    "good",
    (
        field("name", "//h1"),
        field("price", "//dt[. = 'Price']/following-sibling::dd[1]", PRICE, raw=True),
        field("year", "//dt[. = 'Since']/following-sibling::dd[1]", pattern=r"(\d{4})$"),
        field("tags", "//p[@class='tags']/i", many=True),
        field("photo", "//img[@class='photo']/@src", FieldType(ValueKind.IMAGE)),
        field("zoom", "//div[@class='more']/a[2]/@href", FieldType(ValueKind.URL)),
        field("first_size", "/html/body/table/tbody/tr[1]/td[1]"),
        field("missing", "//h6"),
    ),
    (SIZES,),
    required=("name", "price", "sizes"),
    pages=GOODS,
)
LIST_WRAPPER = Wrapper(
    "list",
    (field("title", "//h2"),),
    (
        RecordSet(
            "goods",
            Rule.parse("//li[@class='row']"),
            (
                field("name", "./a"),
                field("good", "./a/@href", FieldType(ValueKind.URL), references="good"),
                field("price", "./span/text()", PRICE, r"from (.+)", raw=True),
            ),
        ),
    ),
    rows="goods",
    required=("goods",),
    pages=LISTS,
)
WRAPPERS = {"good": GOOD_WRAPPER, "list": LIST_WRAPPER}
