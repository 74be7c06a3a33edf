"""A small library as a folder: books, authors, and one page that tries to get out."""

MENU = "<nav class=menu><a href=/index.html>Home</a></nav>"
STYLE = "h1 { color: rgb(1, 2, 3) } body { background: url(/paper.png) }"

# Everything here would ask evil.example for something, or run, if it were let.
# ruff: noqa: E501
HOSTILE = """
<base href="http://evil.example/"><meta http-equiv=refresh content="0; url=http://evil.example/r">
<link rel=stylesheet href="http://evil.example/s.css"><link rel=preconnect href="http://evil.example">
<link rel=dns-prefetch href="//evil.example"><link rel=prefetch href="http://evil.example/p">
<script>document.title = "owned"; fetch("http://evil.example/f"); parent.postMessage({kind: "x"}, "*")</script>
<script src="http://evil.example/s.js"></script><style>@import "http://evil.example/i.css";
p { background: url(http://evil.example/b.png) } @font-face { font-family: f; src: url(http://evil.example/f.woff) }
* { font-family: f }</style>
<img src="http://evil.example/i.png" srcset="http://evil.example/i2.png 2x" onerror="top.location='http://evil.example/o'">
<img src=x onerror="document.title='owned'"><svg onload="document.title='owned'"><image href="http://evil.example/v.png"/>
<use href="http://evil.example/u.svg#x"/><a><animate attributeName=href to="http://evil.example/a"/>t</a></svg>
<iframe src="http://evil.example/frame"></iframe><object data="http://evil.example/o"></object>
<embed src="http://evil.example/e"><video src="http://evil.example/v.mp4" poster="http://evil.example/p.png" autoplay></video>
<audio src="http://evil.example/a.mp3" autoplay></audio><form id=f action="http://evil.example/form" method=post>
<button id=send>Send</button></form><a id=out href="http://evil.example/link" ping="http://evil.example/ping" target=_top>out</a>
<div style="background: url('http://evil.example/style.png')" onmouseover="document.title='owned'">hover</div>
<table background="http://evil.example/t.png"><tr><td>x</table><math href="http://evil.example/m"><mi>y</mi></math>
<input type=image src="http://evil.example/input.png"><body background="http://evil.example/body.png">
"""


def book(number: int, more: str = "") -> str:
    return (
        f"<title>Book {number}</title><link rel=stylesheet href=/style.css>"
        f"<body class=book>{MENU}<h1>Book {number}</h1><dl class=facts><dt>Pages</dt>"
        f"<dd>{100 + number}</dd><dt>Shelf</dt><dd>B{number % 3}</dd></dl>"
        f"<p class=blurb>About book number {number}.</p>"
        f"<aside class=side><b>Seen {7 * number} times</b></aside>"
        f"<table class=loans><tr class=loan><td>Ada {number}<td>{number} days"
        f"<tr class=loan><td>Bob {number}<td>{number + 3} days</table>{more}"
    )


def author(number: int) -> str:
    return (
        f"<title>Author {number}</title><body class=author>{MENU}<h2>Author {number}</h2>"
        f"<ul class=works><li class=work><a href=/book/{number}.html>Book {number}</a></ul>"
        f"<div class=bio><p>Born in {1900 + number}.</div>"
    )


def write_library(folder):
    """Write the pages of the library."""
    pages = {f"book/{n}.html": book(n, HOSTILE if n == 11 else "") for n in range(12)}
    pages |= {f"author/{n}.html": author(n) for n in range(8)}
    links = "".join(f"<a href=/{path}>{path}</a> " for path in pages)
    pages["index.html"] = (
        f"<title>Library</title><body class=home><h1>Library</h1><p class=all>{links}"
    )
    for path, html in pages.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(f"<!doctype html>{html}")
    (folder / "style.css").write_text(STYLE)
    return folder
