"""Small live sites of kinds that people meet: a blog, a shop, a site of scripts, a consent wall.

Each is a function that answers requests, for `serve(folder, dynamic=...)`; what is true of it
stands beside it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode

from examples.cup.faults import Answer

if TYPE_CHECKING:
    from collections.abc import Mapping

WORDS = (
    "amber birch cedar dune ember fern grove heath iris jade kelp lark moss nettle olive pine "
    "quartz reed sage thyme umber violet willow yarrow"
).split()
JSON = "application/json"
XML = "application/xml"


def moved(where: str, status: int = 301, **headers: str) -> Answer:
    """Give an answer that sends the client on."""
    return Answer(b"", status=status, headers={"Location": where, **headers})


def not_found(title: str = "Not found") -> Answer:
    """Give an answer that nothing is there."""
    return Answer(f"<title>{title}</title><h1>{title}</h1>".encode(), status=404)


# A blog as WordPress makes them.

POSTS = 64
PER_PAGE = 8
AUTHORS = ("Ada Byron", "Grace Hill", "Linus Berg", "Mary Shaw")
CATEGORIES = ("travel", "kitchen", "garden")
TAGS = ("slow", "cheap", "green", "night", "early")


def slug_of(number: int) -> str:
    """Give the name of a post in its URL."""
    return f"{WORDS[number % 24]}-{WORDS[(number * 7 + 5) % 24]}-{WORDS[(number // 24 + 3) % 24]}"


def post_path(number: int) -> str:
    """Give the path of a post."""
    return f"/{2022 + number // 24}/{1 + number % 12:02}/{slug_of(number)}/"


class Blog:
    """Posts, archives over many pages, feeds for everything, and links to reply to comments."""

    def __init__(self) -> None:
        self.titles = {post_path(n): slug_of(n).replace("-", " ").title() for n in range(POSTS)}

    def __call__(  # noqa: PLR0911 - one for each kind of page
        self, path: str, query: str, headers: Mapping[str, str]
    ) -> Answer | None:
        """Answer a request."""
        asked = parse_qs(query)
        if "p" in asked:
            return moved(post_path(int(asked["p"][0])))
        if "share" in asked:
            return moved("https://social.example/share?u=" + path, 302)
        if path == "/robots.txt":
            return Answer(b"User-agent: *\nDisallow: /wp-admin/\n", type="text/plain")
        if path.endswith("/feed/"):
            return self._feed(path)
        if path.startswith("/wp-json"):
            return Answer(b'{"name": "Blog"}', type=JSON)
        if path == "/wp-login.php":
            return Answer(self._page("Log in", "<form method=post><input name=log></form>"))
        if path in self.titles:
            return Answer(self._post(path, asked))
        return self._archive(path)

    def _archive(self, path: str) -> Answer:
        base, _, number = path.rstrip("/").partition("/page/")
        base += "/"
        page = int(number) if number.isdecimal() else 1
        rows = self._selected(base.strip("/"))
        part = rows[PER_PAGE * (page - 1) : PER_PAGE * page]
        if not part:
            return not_found()
        items = "".join(
            f'<article class="post"><h2><a href="{post_path(n)}" rel="bookmark">'
            f"{self.titles[post_path(n)]}</a></h2><p>{self._teaser(n)}"
            f' <a href="{post_path(n)}#more" class="more-link">Continue reading</a></p></article>'
            for n in part
        )
        turn = ""
        if PER_PAGE * page < len(rows):
            turn += f'<a class="next" href="{base}page/{page + 1}/">Older posts</a>'
        if page > 1:
            turn += (
                f'<a class="prev" href="{base}{f"page/{page - 1}/" if page > 2 else ""}">Newer</a>'
            )
        name = base.strip("/") or "Blog"
        return Answer(self._page(name, f"<h1>{name}</h1>{items}<nav>{turn}</nav>", base))

    @staticmethod
    def _selected(base: str) -> list[int]:
        kind, _, name = base.partition("/")
        every = range(POSTS - 1, -1, -1)
        if not base:
            return list(every)
        if kind == "category":
            return [n for n in every if CATEGORIES[n % 3] == name]
        if kind == "tag":
            return [n for n in every if name in (TAGS[n % 5], TAGS[(n + 2) % 5])]
        if kind == "author":
            return [n for n in every if AUTHORS[n % 4].replace(" ", "-").lower() == name]
        return [n for n in every if post_path(n).startswith(f"/{base}/")]

    @staticmethod
    def _teaser(number: int) -> str:
        return " ".join(WORDS[(number * k + k) % 24] for k in range(3, 15))

    def _post(self, path: str, asked: Mapping[str, list[str]]) -> bytes:
        number = list(self.titles).index(path)
        author = AUTHORS[number % 4]
        comments = "".join(
            f'<li id="comment-{number}{c}"><b class="fn">{WORDS[(number + c) % 24].title()}</b>'
            f'<a href="{path}#comment-{number}{c}">March {c + 1}, 2025</a>'
            f"<p>{self._teaser(number + c)}</p>"
            f'<a class="reply" href="{path}?replytocom={number}{c}#respond">Reply</a></li>'
            for c in range(number % 4)
        )
        # A reply turns the heading of the form, and nothing else.
        form = f"Reply to {asked['replytocom'][0]}" if "replytocom" in asked else "Leave a Reply"
        tags = "".join(
            f'<a rel="tag" href="/tag/{tag}/">{tag}</a> '
            for tag in (TAGS[number % 5], TAGS[(number + 2) % 5])
        )
        body = (
            f'<article><h1 class="entry-title">{self.titles[path]}</h1>'
            f'<time datetime="{path[1:5]}-{path[6:8]}-11">{path[6:8]}/11/{path[1:5]}</time>'
            f'<span class="byline">by <a href="/author/{author.replace(" ", "-").lower()}/">'
            f'{author}</a></span><a rel="category" href="/category/{CATEGORIES[number % 3]}/">'
            f'{CATEGORIES[number % 3]}</a><div class="entry"><p>{self._teaser(number)}.</p>'
            f"<p>{self._teaser(number + 9)}.</p></div><p>Tagged {tags}</p>"
            f'<a href="{path}?share=twitter" rel="nofollow">Tweet</a></article>'
            f'<ol class="comments">{comments}</ol><h3>{form}</h3>'
            f'<form method="post" action="/wp-comments-post.php"><textarea name="c"></textarea>'
            f"</form>"
        )
        return self._page(self.titles[path], body, path, number)

    def _page(self, title: str, body: str, path: str = "/", number: int | None = None) -> bytes:
        short = "" if number is None else f'<link rel="shortlink" href="/?p={number}">'
        menu = "".join(f'<li><a href="/category/{c}/">{c.title()}</a></li>' for c in CATEGORIES)
        months = "".join(
            f'<li><a href="/{year}/{month:02}/">{month}/{year}</a></li>'
            for year in (2022, 2023, 2024)
            for month in range(1, 13)
        )
        return (
            f"<!doctype html><html><head><title>{title} &#8211; Blog</title>"
            f'<link rel="alternate" type="application/rss+xml" href="/feed/">'
            f'<link rel="alternate" type="application/rss+xml" href="{path}feed/">'
            f'<link rel="https://api.w.org/" href="/wp-json/">{short}'
            f'<link rel="canonical" href="{path}"></head><body><header><a href="/">Blog</a>'
            f"<ul>{menu}</ul></header><main>{body}</main><aside><ul>{months}</ul>"
            f'<a href="/wp-login.php">Log in</a> <a href="/feed/">Entries feed</a></aside>'
            f'<form action="/" method="get"><input type="search" name="s"></form></body></html>'
        ).encode()

    def _feed(self, path: str) -> Answer:
        items = "".join(
            f"<item><title>{self.titles[post_path(n)]}</title><link>{post_path(n)}</link></item>"
            for n in range(POSTS - 10, POSTS)
        )
        body = f'<rss version="2.0"><channel><title>{path}</title>{items}</channel></rss>'
        return Answer(body.encode(), type="application/rss+xml")


# A shop: facets, orders, and a list that grows as it is scrolled, by a cursor.

KINDS = ("shoes", "bags", "hats")
PER_KIND = 40
SHOWN = 10
COLOURS = ("red", "blue", "green")


class Shop:
    """Lists have facets and orders; of a list ten rows are in the page, scripts load the rest."""

    def __init__(self) -> None:
        self.products = {
            f"/product/{WORDS[n % 24]}-{KINDS[k][:-1]}-{1000 + 40 * k + n}": {
                "name": f"{WORDS[n % 24].title()} {KINDS[k][:-1]} {WORDS[(n * 5 + 1) % 24]}",
                "price": f"{19 + n * 3 + k}.95",
                "sku": f"SKU-{1000 + 40 * k + n}",
                "kind": KINDS[k],
            }
            for k in range(3)
            for n in range(PER_KIND)
        }

    def __call__(  # noqa: PLR0911 - one for each kind of page
        self, path: str, query: str, headers: Mapping[str, str]
    ) -> Answer | None:
        """Answer a request."""
        asked = {name: values[0] for name, values in parse_qs(query).items()}
        if path == "/robots.txt":
            return Answer(b"User-agent: *\nDisallow: /checkout\n", type="text/plain")
        if path == "/":
            return Answer(self._page("Shop", "<h1>Welcome</h1><p>All that you wear.</p>"))
        if path == "/shop.js":
            return Answer(SHOP_SCRIPT.encode(), type="text/javascript")
        if path == "/api/products":
            return self._api(asked)
        if path == "/cart":
            return Answer(self._page("Cart", "<h1>Your cart is empty</h1>"))
        if path.startswith("/c/") and path[3:] in KINDS:
            return Answer(self._list(path[3:], asked))
        if path in self.products:
            return Answer(self._product(path))
        return not_found()

    def _of(self, kind: str) -> list[str]:
        return [path for path, one in self.products.items() if one["kind"] == kind]

    def _list(self, kind: str, asked: Mapping[str, str]) -> bytes:
        found = self._of(kind)
        if asked.get("sort") == "price":
            found = sorted(found, key=lambda path: -float(self.products[path]["price"]))
        if "colour" in asked:
            found = found[COLOURS.index(asked["colour"]) :: 3]
        if "max" in asked:
            found = [p for p in found if float(self.products[p]["price"]) <= int(asked["max"])]
        facets = "".join(
            f'<li><a href="/c/{kind}?{urlencode({**asked, name: value})}">{value}</a></li>'
            for name, values in (
                ("colour", COLOURS),
                ("max", ("30", "60", "90", "120")),
                ("sort", ("name", "price")),
                ("view", ("grid", "list")),
            )
            for value in values
        )
        rows = "".join(self._row(path) for path in found[:SHOWN])
        more = f'data-kind="{kind}" data-after="{found[SHOWN - 1][-4:]}"' if not asked else ""
        return self._page(
            kind,
            f'<h1>{kind.title()}</h1><aside><ul class="facets">{facets}</ul></aside>'
            f'<ul id="rows" {more}>{rows}</ul><script src="/shop.js"></script>',
        )

    def _row(self, path: str) -> str:
        one = self.products[path]
        return (
            f'<li class="card" style="min-height: 200px"><a href="{path}">{one["name"]}</a> '
            f"<b>{one['price']} EUR</b> "
            f'<a href="{path}?add-to-cart={path[-4:]}" rel="nofollow">Add</a></li>'
        )

    def _product(self, path: str) -> bytes:
        one = self.products[path]
        data = json.dumps(
            {
                "@context": "https://schema.org",
                "@type": "Product",
                "name": one["name"],
                "sku": one["sku"],
                "offers": {"@type": "Offer", "price": one["price"], "priceCurrency": "EUR"},
            }
        )
        swatches = "".join(f'<a href="{path}?colour={c}">{c}</a> ' for c in COLOURS)
        return self._page(
            one["name"],
            f'<h1>{one["name"]}</h1><p class="price">{one["price"]} EUR</p><p>{swatches}</p>'
            f'<p>SKU <span>{one["sku"]}</span></p><a href="{path}?add-to-cart={path[-4:]}" '
            f'rel="nofollow">Add to cart</a><script type="application/ld+json">{data}</script>',
            path,
        )

    def _api(self, asked: Mapping[str, str]) -> Answer:
        found = self._of(asked["kind"])
        at = next(i for i, path in enumerate(found) if path.endswith(asked["after"])) + 1
        part = found[at : at + SHOWN]
        rows = [{"url": path, **self.products[path]} for path in part]
        after = part[-1][-4:] if at + SHOWN < len(found) else None
        return Answer(json.dumps({"items": rows, "next": after}).encode(), type=JSON)

    @staticmethod
    def _page(title: str, body: str, path: str | None = None) -> bytes:
        menu = "".join(f'<li><a href="/c/{kind}">{kind.title()}</a></li>' for kind in KINDS)
        own = f'<link rel="canonical" href="{path}">' if path else ""
        return (
            f"<!doctype html><html><head><title>{title}</title>{own}</head><body><header>"
            f'<a href="/">Shop</a><ul>{menu}</ul><a href="/cart">Cart</a> '
            f'<a href="/checkout">Checkout</a></header><main>{body}</main></body></html>'
        ).encode()


SHOP_SCRIPT = """
const rows = document.getElementById("rows");
let after = rows.dataset.after, busy = false;
const more = async () => {
  if (!after || busy) return;
  busy = true;
  const answer = await fetch(`/api/products?kind=${rows.dataset.kind}&after=${after}`);
  const data = await answer.json();
  for (const one of data.items)
    rows.insertAdjacentHTML("beforeend", `<li class="card" style="min-height: 200px">` +
      `<a href="${one.url}">${one.name}</a> <b>${one.price} EUR</b> ` +
      `<a href="${one.url}?add-to-cart=${one.url.slice(-4)}" rel="nofollow">Add</a></li>`);
  after = data.next;
  busy = false;
};
addEventListener("scroll", more);
"""


# A site as Next.js makes them: the data of a page stands in a script, and scripts show it.

CLUBS = 24
BUILD = "b7K2xQ"


class Scripted:
    """Pages of which the body is empty; links are buttons of a router until scripts have run."""

    def __init__(self) -> None:
        self.clubs = {
            f"{WORDS[n % 24]}-{('united', 'rovers', 'town')[n % 3]}": {
                "name": f"{WORDS[n % 24].title()} {('United', 'Rovers', 'Town')[n % 3]}",
                "founded": 1880 + n * 3,
                "ground": {"name": f"{WORDS[(n + 9) % 24].title()} Park", "seats": 9000 + 311 * n},
                "coach": f"{WORDS[(n * 3) % 24].title()} {WORDS[(n * 5 + 2) % 24].title()}",
            }
            for n in range(CLUBS)
        }

    def __call__(self, path: str, query: str, headers: Mapping[str, str]) -> Answer | None:
        """Answer a request."""
        if path == "/robots.txt":
            return Answer(b"", status=404)
        if path == "/_next/static/app.js":
            return Answer(NEXT_SCRIPT.encode(), type="text/javascript")
        if path.startswith(f"/_next/data/{BUILD}/"):
            props = self._props("/" + path.split("/", 4)[4].removesuffix(".json"))
            return Answer(json.dumps({"pageProps": props}).encode(), type=JSON)
        props = self._props(path)
        if props is None:
            return not_found()
        data = {"props": {"pageProps": props}, "page": path, "buildId": BUILD}
        return Answer(
            (
                '<!doctype html><html><head><title>Clubs</title></head><body><div id="__next">'
                f'</div><script id="__NEXT_DATA__" type="application/json">{json.dumps(data)}'
                '</script><script src="/_next/static/app.js" defer></script></body></html>'
            ).encode()
        )

    def _props(self, path: str) -> dict[str, object] | None:
        if path in {"/", "/index"}:
            rows = [{"slug": slug, "name": one["name"]} for slug, one in self.clubs.items()]
            return {"kind": "list", "clubs": rows}
        slug = path.removeprefix("/club/")
        return {"kind": "club", "club": self.clubs[slug]} if slug in self.clubs else None


NEXT_SCRIPT = """
const show = props => {
  const root = document.getElementById("__next");
  const head = `<header><a href="/">Clubs</a></header>`;
  if (props.kind === "list") root.innerHTML = head + `<h1>Clubs</h1><ul>` + props.clubs.map(
    c => `<li><a href="/club/${c.slug}">${c.name}</a></li>`).join("") + `</ul>`;
  else { const c = props.club; root.innerHTML = head + `<h1>${c.name}</h1><dl>` +
    `<dt>Founded</dt><dd>${c.founded}</dd><dt>Ground</dt><dd>${c.ground.name}</dd>` +
    `<dt>Coach</dt><dd>${c.coach}</dd></dl>`; }
};
const data = JSON.parse(document.getElementById("__NEXT_DATA__").textContent);
show(data.props.pageProps);
addEventListener("click", async event => {
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault();
  history.pushState({}, "", link.href);
  const path = link.pathname === "/" ? "/index" : link.pathname;
  show((await (await fetch(`/_next/data/${data.buildId}${path}.json`)).json()).pageProps);
});
"""


# A site behind a consent wall.

ROOMS = 40


class Walled:
    """Without the cookie every page is the wall: by a redirect, or in the place of the page."""

    def __init__(self, *, redirects: bool = True) -> None:
        self.redirects = redirects

    def __call__(self, path: str, query: str, headers: Mapping[str, str]) -> Answer | None:
        """Answer a request."""
        if path == "/robots.txt":
            return Answer(b"", status=404)
        wall = (
            b"<!doctype html><title>Before you continue</title><h1>Before you continue</h1>"
            b"<p>We use cookies.</p><form method=post action=/consent>"
            b"<button>Accept</button></form>"
        )
        if path == "/consent":
            return Answer(wall)
        if "consent=yes" not in headers.get("Cookie", ""):
            return (
                moved(f"/consent?{urlencode({'to': path})}", 302)
                if self.redirects
                else Answer(wall)
            )
        if path == "/":
            rows = "".join(f'<li><a href="/room/{n}">Room {n}</a></li>' for n in range(ROOMS))
            return Answer(f"<!doctype html><title>Hotel</title><ul>{rows}</ul>".encode())
        number = path.removeprefix("/room/")
        if not number.isdecimal() or int(number) >= ROOMS:
            return not_found()
        n = int(number)
        return Answer(
            (
                f'<!doctype html><title>Room {n}</title><a href="/">Hotel</a><h1>Room {n}</h1>'
                f"<dl><dt>Price</dt><dd>{60 + n} EUR</dd><dt>Size</dt><dd>{18 + n % 9} m2</dd>"
                f"<dt>View</dt><dd>{WORDS[n % 24]}</dd></dl>"
            ).encode()
        )
