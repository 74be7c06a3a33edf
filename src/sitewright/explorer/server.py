"""The explorer's two servers: the explorer itself, and the pages that it shows.

Both listen on 127.0.0.1 alone. The explorer wants a token: it is in the first URL, and in a cookie
from then on. The pages of the site come from another port, so that nothing of theirs shares an
origin with the explorer; their URLs have a token of their own in their path.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, urlencode

from jinja2 import PackageLoader
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Route

from sitewright import formats
from sitewright.edits.edit import (
    EDITS_FILE,
    FIELD_EDITS,
    class_anchors,
    parse_edit,
    read_edits,
    write_edits,
)
from sitewright.errors import InputNotFound, InvalidInput, SitewrightError
from sitewright.explorer.data import (
    PAGE_ROWS,
    SiteData,
    TableQuery,
    page_blocks,
    read_changes,
    read_page,
    read_resource,
)
from sitewright.explorer.previews import preview
from sitewright.explorer.sandbox import may_be_served, policy, rewritten_style, shown_page
from sitewright.export.changes import CHANGES
from sitewright.export.folder import MODEL
from sitewright.export.report.drawings import class_drawing
from sitewright.export.report.rendering import page_environment
from sitewright.export.report.report import PageAddresses, page_name, tree_lines
from sitewright.export.tables import URL
from sitewright.project import Project, load
from sitewright.wrapper.values.types import ValueKind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from jinja2 import Environment
    from starlette.requests import Request

    from sitewright.change.comparison import Comparison
    from sitewright.change.side_by_side import PageSides
    from sitewright.edits.edit import Edit
    from sitewright.explorer.data import FilledColumn
    from sitewright.project_steps import Progress
    from sitewright.site import Site

_NUMBERS = {ValueKind.INTEGER, ValueKind.DECIMAL}
_STATIC = {"app.js": "text/javascript", "style.css": "text/css"}
_MAX_BODY = 1 << 20
_MAX_URL = 8192
_SHOWN_REJECTED = 200


class Job:
    """The one piece of long work that is under way, or the last one."""

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.step, self.done, self.total = "", 0, 0
        self.error = ""
        self.outcomes: list[dict[str, Any]] = []

    @property
    def is_running(self) -> bool:
        """Whether it is not at its end."""
        return self.task is not None and not self.task.done()

    def watch(self, progress: Progress) -> None:
        """Note how far the work has come."""
        self.step, self.done, self.total = progress.step, progress.done, progress.total or 0

    def as_json(self) -> dict[str, Any]:
        """How far it has come."""
        return {
            "running": self.is_running,
            "step": self.step,
            "done": self.done,
            "total": self.total,
            "error": self.error,
            "outcomes": self.outcomes,
        }


class Explorer:
    """What both servers share."""

    def __init__(self, out: Path, port: int, pages_port: int, before: Path | None = None) -> None:
        self.out, self.before = out, before
        self.token, self.page_token = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        self.origin = f"http://127.0.0.1:{port}"
        self.pages_origin = f"http://127.0.0.1:{pages_port}"
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self.pages_hosts = {f"127.0.0.1:{pages_port}"}
        self.cookie = f"sitewright-{port}"
        self.data = SiteData(out)
        self.job = Job()
        self.one_rendering = asyncio.Lock()
        """Held while Chromium lays a page out: one of them at a time is enough."""
        self._site: Site | None = None
        self._sides: ComparedSides | None = None
        self._one_comparison = asyncio.Lock()

    @property
    def first_url(self) -> str:
        """The address to open, with its token."""
        return f"{self.origin}/?token={self.token}"

    def site(self) -> Site:
        """The pages that are here, opened once."""
        if self._site is None:
            self._site = self.data.local_site()
        return self._site

    def forget(self) -> None:
        """Read what is in the folder again: a correction has changed it."""
        self.data = SiteData(self.out)
        self._sides = None

    async def close(self) -> None:
        """Let go of the pages."""
        if self._site is not None:
            await self._site.aclose()
            self._site = None

    def page_url(self, url: str) -> str:
        """Where the second server shows a page."""
        return f"{self.pages_origin}/{self.page_token}/page?{urlencode({'url': url})}"

    def resource_url(self, url: str) -> str:
        """Where the second server has a file that a page loads."""
        return f"{self.pages_origin}/{self.page_token}/file?{urlencode({'url': url})}"

    def side_url(self, page_class: str, side: str) -> str:
        """Where the second server shows the page of an earlier class, before or now."""
        asked = urlencode({"class": page_class, "side": side})
        return f"{self.pages_origin}/{self.page_token}/side?{asked}"

    async def sides(self) -> ComparedSides | None:
        """This project beside the one before it, compared once; None if none is known."""
        async with self._one_comparison:
            before = self.before or self._repaired_from()
            if self._sides is None and before is not None:
                old, new = load(before), load(self.out)
                # A thread and a loop of its own: it computes, and the explorer must answer.
                self._sides = await asyncio.to_thread(lambda: asyncio.run(_compared(old, new)))
        return self._sides

    def _repaired_from(self) -> Path | None:
        """The folder of the project that this one is a repair of, if it is still there."""
        from sitewright.change.repairing import REPAIR, RepairReport  # noqa: PLC0415 - slow to load

        file = self.out / REPAIR
        old = Path(formats.read(file, RepairReport).old) if file.is_file() else None
        return old if old is not None and (old / MODEL).is_file() else None


class ComparedSides(NamedTuple):
    """Two projects compared, and a page of each class before and now."""

    comparison: Comparison
    pages: list[PageSides]


async def _compared(old: Project, new: Project) -> ComparedSides:
    from sitewright.change.comparison import compare  # noqa: PLC0415 - slow to load
    from sitewright.change.side_by_side import page_sides  # noqa: PLC0415 - slow to load

    comparison = compare(old, new)
    return ComparedSides(comparison, await page_sides(old, new, comparison))


# Who may ask.


class _Guard:
    """Refuses requests that do not come from the explorer's own pages in this browser."""

    def __init__(self, app: Any, explorer: Explorer) -> None:  # noqa: ANN401 - an ASGI application
        self._app, self._explorer = app, explorer

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI's own
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {
            name.decode().lower(): value.decode("latin-1") for name, value in scope["headers"]
        }
        refused = self._refused(scope, headers)
        if refused is not None:
            await refused(scope, receive, send)
            return
        await self._app(scope, receive, _with_headers(send, self._headers()))

    def _refused(self, scope: Any, headers: dict[str, str]) -> Response | None:  # noqa: ANN401
        explorer = self._explorer
        if headers.get("host", "") not in explorer.hosts:
            return PlainTextResponse("wrong host", 400)
        allowed = {f"http://{host}" for host in explorer.hosts}
        origin = headers.get("origin")
        is_post = scope["method"] not in {"GET", "HEAD"}
        if (origin is not None and origin not in allowed) or (is_post and origin is None):
            return PlainTextResponse("wrong origin", 403)
        query = scope["query_string"].decode("latin-1")
        if not is_post and scope["path"] == "/" and query.startswith("token="):
            given = query.removeprefix("token=").partition("&")[0]
            if secrets.compare_digest(given.encode(), explorer.token.encode()):
                response = RedirectResponse("/", 303)
                response.set_cookie(
                    explorer.cookie, explorer.token, httponly=True, samesite="strict", path="/"
                )
                return response
        cookies = dict(
            part.strip().partition("=")[::2] for part in headers.get("cookie", "").split(";")
        )
        known = cookies.get(explorer.cookie, "")
        if not secrets.compare_digest(known.encode(), explorer.token.encode()):
            text = "Open the address that `sitewright explore` printed: it has a token."
            return PlainTextResponse(text, 403)
        return None

    def _headers(self) -> dict[str, str]:
        return {
            "content-security-policy": (
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                f"connect-src 'self'; frame-src {self._explorer.pages_origin}; "
                "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
            ),
            **_COMMON_HEADERS,
        }


_COMMON_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-site",
    "x-dns-prefetch-control": "off",
    "cache-control": "no-store",
}


def _with_headers(send: Any, headers: dict[str, str]) -> Any:  # noqa: ANN401 - ASGI's own
    async def sending(message: Any) -> None:  # noqa: ANN401
        if message["type"] == "http.response.start":
            own = {name for name, _ in message["headers"]}
            message["headers"] = [
                *message["headers"],
                *((n.encode(), v.encode()) for n, v in headers.items() if n.encode() not in own),
            ]
        await send(message)

    return sending


# The views.


@cache
def _environment() -> Environment:
    environment = page_environment(PackageLoader("sitewright.explorer", "templates"))
    environment.filters["page_name"] = page_name
    return environment


class _ShownHere(PageAddresses):
    """Links to pages that lead to where the explorer shows them."""

    def href(self, url: str) -> str:
        return f"/page?{urlencode({'url': url})}"


class _Views:
    """One method for each address of the explorer."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer

    @property
    def data(self) -> SiteData:
        return self.explorer.data

    def _page(self, view: str, status: int = 200, **values: object) -> HTMLResponse:
        known = {
            "site": self.data.name,
            "shown": self.data.addresses.shown,
            "edits": len(self.data.project.edits),
            "pages_origin": self.explorer.pages_origin,
        }
        text = _environment().get_template(view).render({**known, **values})
        return HTMLResponse(text.encode("utf-8", "replace"), status)

    def _cell(self, value: object) -> str:
        """A value of a table as people read it."""
        if value is None:
            return ""
        if isinstance(value, float) and value.is_integer():
            return str(int(value))
        if isinstance(value, list):
            if value and isinstance(value[0], dict):
                return f"{len(value)} record{'s' * (len(value) != 1)}"
            return " · ".join(map(self._cell, value))
        return self.data.addresses.shown(str(value))

    async def home(self, _request: Request) -> Response:
        figures = self.data.figures
        pages = {one.name: one.pages for one in figures}
        drawing = class_drawing(self.data.model, pages)
        doubts = await run_in_threadpool(self.data.doubts)
        return self._page("home.html", figures=figures, drawing=drawing, doubts=doubts[:5],
                          doubt_count=len(doubts))  # fmt: skip

    async def doubts(self, _request: Request) -> Response:
        doubts = await run_in_threadpool(self.data.doubts)
        return self._page("doubts.html", doubts=doubts)

    async def page_class(self, request: Request) -> Response:
        name = request.path_params["name"]
        described = self.data.model.by_name(name)
        rejected = [one for one in self.data.rejected if one["class"] == name]
        return self._page(
            "class.html",
            one=described,
            figures=next(one for one in self.data.figures if one.name == name),
            wrapper=self.data.wrapper(name),
            template=self.data.project[name].template,
            tables=self.data.class_tables(name),
            filled=await run_in_threadpool(self._filled, name),
            cell=self._cell,
            kinds=[kind.value for kind in ValueKind],
            rejected=rejected[:_SHOWN_REJECTED],
            rejected_count=len(rejected),
            names=[one.name for one in self.data.model.classes],
        )

    def _filled(self, name: str) -> dict[str, dict[str, FilledColumn]]:
        """How full the columns of a class are, by record set; `""` is the class's own table."""
        wrapper = self.data.wrapper(name)
        tables = self.data.class_tables(name)
        found = {of: self.data.tables.columns(table) for of, table in tables.items()}
        own = found.pop(name, {})
        rows = wrapper.rows if wrapper is not None else None
        return {**found, "": own, **({rows: own} if rows else {})}

    async def table(self, request: Request) -> Response:
        name = request.path_params["name"]
        query = _table_query(request)
        rows = await run_in_threadpool(self.data.tables.page, name, query)
        facet = request.query_params.get("facet", "")
        facets = []
        if facet:
            facets = await run_in_threadpool(self.data.tables.facet, name, facet, query)
        table = self.data.tables.tables[name]
        files = [
            file.name
            for file in (table.path.with_suffix(one) for one in (".csv", ".parquet", ".jsonl"))
            if file.is_file()
        ]
        given = [(key, value) for key, value in request.query_params.multi_items() if value]
        numbers = {
            one.name for one in table.schema.columns if one.kind in _NUMBERS and not one.many
        }
        return self._page(
            "table.html", name=name, table=table, page=rows, query=query, facet=facet,
            numbers=numbers, addresses=[quote(one, safe="") for one in rows.columns],
            facets=facets, files=files, given=given, cell=self._cell, url_column=URL,
            link=lambda **changes: _link(given, changes),
        )  # fmt: skip

    async def download(self, request: Request) -> Response:
        table = self.data.tables.tables.get(request.path_params["name"])
        file = request.path_params["file"]
        if table is None:
            raise InputNotFound(request.path_params["name"])
        known = {table.path.with_suffix(one).name for one in (".csv", ".parquet", ".jsonl")}
        path = table.path.with_name(file) if file in known else None
        if path is None or not path.is_file():
            raise InputNotFound(file)
        return FileResponse(path, filename=f"{table.page_class}-{file}")

    async def page(self, request: Request) -> Response:
        url = request.query_params.get("url", "")[:_MAX_URL]
        page = await read_page(self.explorer.site(), url)
        document = page.document()
        name, confidence, runner_up = await run_in_threadpool(self.data.class_of_page, document)
        record = await run_in_threadpool(self.data.record_of, document, name)
        return self._page(
            "page.html", url=page.url, title=document.title, page_class=name,
            confidence=confidence, runner_up=runner_up, record=record,
            wrapper=self.data.wrapper(name or ""), frame=self.explorer.page_url(page.url),
            names=[one.name for one in self.data.model.classes if not one.is_stub],
            show=request.query_params.get("show", ""),
            number=request.query_params.get("number", "0"), cell=self._cell,
        )  # fmt: skip

    async def blocks(self, request: Request) -> Response:
        """The blocks of a page: where each stands, and what a reader would call it."""
        url = request.query_params.get("url", "")[:_MAX_URL]
        site = self.explorer.site()
        page = await read_page(site, url)
        async with self.explorer.one_rendering:
            found = await page_blocks(page, self.data.resources(site))
        return JSONResponse(
            [{"path": one.path, "label": f"{one.number} {one.role.value}"} for one in found]
        )

    async def tree(self, _request: Request) -> Response:
        root = self.data.project.skeleton
        lines = list(tree_lines(root, _ShownHere(self.data.addresses.folder)))
        return self._page("tree.html", lines=lines)

    async def changes(self, request: Request) -> Response:
        given = [(key, value) for key, value in request.query_params.multi_items() if value]
        asked = dict(given)
        offset = _table_query(request).offset
        found = await run_in_threadpool(
            read_changes,
            self.data.path / CHANGES,
            asked.get("class", ""),
            asked.get("change", ""),
            offset,
        )
        return self._page(
            "changes.html", found=found, offset=offset, rows=PAGE_ROWS, asked=asked,
            cell=self._cell, link=lambda **changes: _link(given, changes),
        )  # fmt: skip

    async def sides(self, _request: Request) -> Response:
        """Old and new side by side, the fields outlined under their old names."""
        found = await self.explorer.sides()
        return self._page("sides.html", found=found, frame=self.explorer.side_url)

    async def corrections(self, _request: Request) -> Response:
        edits = self.data.project.edits
        outcomes = {_edit_id(edit): "" for edit in edits}
        for one in self.explorer.job.outcomes:
            outcomes[one["id"]] = f"{one['status']} {one['detail']}"
        rows = [(_edit_id(edit), edit.summary(), outcomes[_edit_id(edit)]) for edit in edits]
        return self._page("corrections.html", rows=rows)

    async def static(self, request: Request) -> Response:
        from importlib.resources import files  # noqa: PLC0415 - few lines need it

        name = request.path_params["file"]
        if name not in _STATIC:
            raise InputNotFound(name)
        body = files("sitewright.explorer").joinpath("static", name).read_bytes()
        return Response(body, media_type=_STATIC[name])

    # -- corrections

    async def preview(self, request: Request) -> Response:
        edit = await self._given_edit(request)
        found = await preview(self.data, self.explorer.site(), edit)
        return JSONResponse({**found.as_json(), "edit": edit.as_json()})

    async def apply(self, request: Request) -> Response:
        edit = await self._given_edit(request)
        return self._start(lambda project: project.aapply([edit]))

    async def undo(self, request: Request) -> Response:
        wanted = formats.parsed_line(await _body(request)).get("id", "")
        path = self.data.path / EDITS_FILE
        edits = read_edits(path)
        left = [edit for edit in edits if _edit_id(edit) != wanted]
        if len(left) == len(edits):
            return JSONResponse({"error": "this correction is gone already"}, 409)
        if self.explorer.job.is_running:
            return JSONResponse({"error": "another correction is being applied"}, 409)
        removed = [edit for edit in edits if _edit_id(edit) == wanted]
        write_edits(path, left)
        names = {edit.page_class for edit in removed if isinstance(edit, FIELD_EDITS)}
        if len(names) == len(removed):
            return self._start(lambda project: project.aapply(classes=names))
        return self._start(lambda project: project.aapply())

    async def job(self, _request: Request) -> Response:
        return JSONResponse(self.explorer.job.as_json())

    async def _given_edit(self, request: Request) -> Edit:
        edit = parse_edit(await _body(request))
        data = edit.as_json()
        names = [data[key] for key in ("class", "to") if key in data]
        anchors = class_anchors(self.data.model, [*names, *data.get("classes", ())])
        return parse_edit(json.dumps({**data, "pages": anchors}))

    def _start(self, work: Callable[[Project], Awaitable[None]]) -> Response:
        job = self.explorer.job
        if job.is_running:
            return JSONResponse({"error": "another correction is being applied"}, 409)
        job.error, job.outcomes, job.step, job.done, job.total = "", [], "starting", 0, 0

        async def run() -> None:
            try:
                project = Project(self.explorer.out, progress=job.watch)
                # A thread and a loop of its own: it computes, and the explorer must answer.
                await asyncio.to_thread(lambda: asyncio.run(_awaited(work(project))))
                job.outcomes = [
                    {"id": _edit_id(one.edit), **one.as_json()} for one in project.edit_outcomes
                ]
            except SitewrightError as error:
                job.error = str(error)
            finally:
                await self.explorer.close()
                self.explorer.forget()

        job.task = asyncio.get_running_loop().create_task(run())
        return JSONResponse(job.as_json())


async def _awaited(work: Awaitable[None]) -> None:
    await work


async def _body(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MAX_BODY:
            raise InvalidInput("the request", "is too large")
    return body


def _edit_id(edit: Edit) -> str:
    return hashlib.sha256(json.dumps(edit.as_json(), sort_keys=True).encode()).hexdigest()[:16]


def _table_query(request: Request) -> TableQuery:
    given = request.query_params
    try:
        page = max(int(given.get("page", "1")), 1)
    except ValueError:
        page = 1
    pairs = [(key, value) for key, value in given.multi_items() if value]
    usual = TableQuery()
    return TableQuery(
        sort=given.get("sort", ""),
        descending=given.get("way") == "down",
        contains=tuple((key[3:], value) for key, value in pairs if key.startswith("in.")),
        equals=tuple((key[3:], value) for key, value in pairs if key.startswith("is.")),
        offset=min((page - 1) * usual.limit, 1 << 40),
    )


def _link(given: list[tuple[str, str]], changes: dict[str, Any]) -> str:
    changed = changes.get("changes", changes)
    kept = [(key, value) for key, value in given if key not in changed]
    kept += [(key, str(value)) for key, value in changed.items() if value not in ("", None)]
    return f"?{urlencode(kept)}"


# The pages of the site, from the second port.


class _Pages:
    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer

    async def page(self, request: Request) -> Response:
        if (refused := self._refused(request)) is not None:
            return refused
        explorer, data = self.explorer, self.explorer.data
        page = await read_page(explorer.site(), request.query_params.get("url", "")[:_MAX_URL])
        nonce = secrets.token_urlsafe(16)
        text = await run_in_threadpool(self._html, page, data, nonce)
        headers = {
            "content-security-policy": policy(explorer.pages_origin, explorer.origin, nonce),
            **_COMMON_HEADERS,
        }
        return HTMLResponse(text.encode("utf-8", "replace"), headers=headers)

    def _html(self, page: Any, data: SiteData, nonce: str) -> str:  # noqa: ANN401 - a page
        document = page.document()
        name = data.class_of_page(document)[0]
        template = data.project[name].template if name is not None else None
        wrapper = data.wrapper(name or "")
        return shown_page(document, wrapper, template, self.explorer.resource_url, nonce)

    async def file(self, request: Request) -> Response:
        if (refused := self._refused(request)) is not None:
            return refused
        url = request.query_params.get("url", "")[:_MAX_URL]
        resources = self.explorer.data.resources(self.explorer.site())
        found = await read_resource(resources, url)
        if found is None or not may_be_served(found.content_type):
            return PlainTextResponse("not here", 404)
        body = found.body
        if found.content_type.startswith("text/css"):
            text = body.decode("utf-8", "replace")
            body = rewritten_style(text, url, self.explorer.resource_url).encode()
        headers = {**_COMMON_HEADERS, "content-security-policy": "default-src 'none'; sandbox"}
        headers["cross-origin-resource-policy"] = "cross-origin"
        return Response(body, media_type=found.content_type.partition(";")[0], headers=headers)

    async def side(self, request: Request) -> Response:
        if (refused := self._refused(request)) is not None:
            return refused
        found, asked = await self.explorer.sides(), request.query_params
        name, is_old = asked.get("class", ""), asked.get("side") == "old"
        shown = next((one for one in found.pages if one.match.old == name), None) if found else None
        if shown is None:
            raise InputNotFound(name)
        # Nothing in it runs or is loaded: it is what the report shows.
        rules = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; "
        rules += f"frame-ancestors {self.explorer.origin}"
        headers = {**_COMMON_HEADERS, "content-security-policy": rules}
        page = shown.old_page if is_old else shown.new_page
        return HTMLResponse(page.encode("utf-8", "replace"), headers=headers)

    def _refused(self, request: Request) -> Response | None:
        if request.headers.get("host", "") not in self.explorer.pages_hosts:
            return PlainTextResponse("wrong host", 400)
        given = request.path_params["token"]
        if not secrets.compare_digest(given.encode(), self.explorer.page_token.encode()):
            return PlainTextResponse("wrong token", 403)
        return None


async def _error_response(_request: Request, error: Exception) -> Response:
    """Our errors in one line."""
    status = 404 if isinstance(error, InputNotFound) else 400
    return PlainTextResponse(str(error), status)


def explorer_app(explorer: Explorer) -> Any:  # noqa: ANN401 - an ASGI application
    """The explorer itself."""
    views = _Views(explorer)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        await explorer.close()

    app = Starlette(
        routes=[
            Route("/", views.home),
            Route("/doubts", views.doubts),
            Route("/class/{name}", views.page_class),
            Route("/table/{name}", views.table),
            Route("/download/{name}/{file}", views.download),
            Route("/page", views.page),
            Route("/blocks", views.blocks),
            Route("/tree", views.tree),
            Route("/changes", views.changes),
            Route("/sides", views.sides),
            Route("/corrections", views.corrections),
            Route("/job", views.job),
            Route("/static/{file}", views.static),
            Route("/preview", views.preview, methods=["POST"]),
            Route("/apply", views.apply, methods=["POST"]),
            Route("/undo", views.undo, methods=["POST"]),
        ],
        exception_handlers={SitewrightError: _error_response, ValueError: _error_response},
        lifespan=lifespan,
    )
    return _Guard(app, explorer)


def pages_app(explorer: Explorer) -> Any:  # noqa: ANN401 - an ASGI application
    """The pages of the site."""
    pages = _Pages(explorer)
    return Starlette(
        routes=[
            Route("/{token}/page", pages.page),
            Route("/{token}/file", pages.file),
            Route("/{token}/side", pages.side),
        ],
        exception_handlers={SitewrightError: _error_response},
    )
