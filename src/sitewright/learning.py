"""Learn the classes of a site, and write what was learnt of each.

In: a model, and the pages of one class at a time in each process, so that memory holds no more.
Out: `classes/NAME/wrapper.json` and `template.json`; and what the pages gave while they were in
memory (their records, and one of them painted for the report), so that no later step parses them
again.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections import defaultdict, deque
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sitewright import formats
from sitewright.classes.features import evenly
from sitewright.edits.edit import field_edits, moved_pages
from sitewright.edits.fields import edited_template, edited_wrapper
from sitewright.export.class_tables import classes_of_urls, spread_sample, write_wrapper
from sitewright.export.folder import CLASSES, TEMPLATE, read_template
from sitewright.extraction.memory import MANY_BYTES, return_memory
from sitewright.extraction.page_results import Extracted, Skipped, extracted
from sitewright.extraction.parallel import START_SECONDS, become_worker, cores, worker_pool
from sitewright.methods import distill, documents_of, pages_of, parsed_pages
from sitewright.page.document import beginning
from sitewright.settings import Settings, current, using
from sitewright.wrapper import Extractor, LearntFrom, add_columns, add_layouts, induce
from sitewright.wrapper.choice.shared_parts import without_shared_parts
from sitewright.wrapper.naming.value_names import named_by_other_classes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from sitewright.change.keeping import KnownClass, KnownColumns
    from sitewright.classes import PageClass, SiteModel
    from sitewright.edits.earlier import EarlierResults
    from sitewright.edits.edit import Edit, EditOutcome, FieldEdit
    from sitewright.extraction.page_results import PageResult
    from sitewright.page import Document
    from sitewright.site import Page, Site
    from sitewright.template import Template
    from sitewright.wrapper import Wrapper

PICTURED_PAGES = 7
"""Of so many pages of a class the report shows one."""
_OTHERS = 4
"""Pages that say something else at a place that are learnt from: they show what varies there."""
_FEWEST_PAGES = 2
"""One page alone does not tell template from content."""


@dataclass(frozen=True, slots=True)
class LearnedClass:
    """What the pages of one class gave."""

    wrapper: Wrapper
    template: Template | None
    """None for a class of one page."""
    results: Mapping[str, PageResult]
    """What the wrapper reads from each of the pages, by URL."""
    picture: tuple[str, str]
    """The URL of a page, and the page painted for the report."""
    outcomes: list[EditOutcome]
    """What became of the corrections of fields."""


def learn_class(  # noqa: PLR0913 - most of them are optional
    name: str,
    documents: Sequence[Document],
    leads_to: Callable[[str], str | None],
    *,
    edits: Sequence[FieldEdit] = (),
    wrapper: Wrapper | None = None,
    known: KnownClass | None = None,
) -> LearnedClass:
    """Learn a class from its documents and from corrections of its fields.

    `wrapper` is one that is known, and is only corrected; of a `known` class columns keep names.
    """
    from sitewright.export.report.pictures import class_picture  # noqa: PLC0415 - slow to load

    learnt = wrapper or induce(list(map(_read_for_learning, documents)), name, leads_to=leads_to)
    if known is not None and wrapper is None:
        learnt = known.keep(learnt, documents)
    learnt, outcomes = edited_wrapper(learnt, edits, documents)
    extractor = Extractor(learnt)
    results = {one.url: extracted(extractor, one) for one in documents}
    template = learn_template(documents)
    if template is not None and edits:
        template = edited_template(template, edits, documents)
    picture = class_picture(learnt, template, documents)
    return LearnedClass(learnt, template, results, picture, outcomes)


def _read_for_learning(document: Document) -> Document:
    """A page, or its beginning: a table of a hundred thousand cells says the same all the way."""
    settings = current().wrapper.sample
    more = len(document.body) / settings.bytes_per_learnt_element
    return beginning(document, settings.max_learnt_elements + int(more))


@dataclass(frozen=True, slots=True)
class _ClassTask:
    """A class to learn, in a form that another process can be given."""

    name: str
    pages: Sequence[Page]
    edits: Sequence[FieldEdit]
    wrapper: Wrapper | None
    known: KnownClass | None


def _learnt(task: _ClassTask, leads_to: Callable[[str], str | None]) -> LearnedClass | None:
    """What a task gives; None where no page can be parsed."""
    documents = parsed_pages(task.pages)
    if not documents:
        return None
    with _no_garbage_collection():
        learnt = learn_class(
            task.name,
            documents,
            leads_to,
            edits=task.edits,
            wrapper=task.wrapper,
            known=task.known,
        )
    del documents
    if sum(len(page.body) for page in task.pages) > MANY_BYTES:
        return_memory()
    return learnt


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Look for no cycles while a class is learnt.

    Its pages are millions of objects, which live until it is done, with a dozen cycles among them:
    to look through them again and again took a tenth of the time, and gave back nothing.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


_worker: tuple[Callable[[str], str | None], Settings] | None = None
"""What a worker process knows of the site: where links lead, and the settings."""


def _start_worker(shared: tuple[SiteModel, Settings]) -> None:
    global _worker  # noqa: PLW0603 - the only way from a pool's initializer to its tasks
    become_worker()
    model, settings = shared
    with using(settings):
        _worker = classes_of_urls(model), settings


def _learn_in_worker(task: _ClassTask) -> LearnedClass | None:
    if _worker is None:
        raise RuntimeError("the worker was not started")
    leads_to, settings = _worker
    with using(settings):
        return _learnt(task, leads_to)


def learn_template(documents: Sequence[Document]) -> Template | None:
    """Distil the template of a class; one page has none.

    Of a large class some pages are taken, evenly over their URLs, whatever order they came in.
    """
    if len(documents) < _FEWEST_PAGES:
        return None
    return distill(spread_sample(documents, current().template.max_pages))


class ClassLearner:
    """What is learnt of the classes of one model, and written into the folder of a project.

    `wrappers` are those that are known and not learnt anew. `earlier` are the results from before a
    correction: what it leaves alone is taken over. `known` are the columns of an earlier run.
    """

    def __init__(  # noqa: PLR0913 - most of them are optional
        self,
        out: Path,
        model: SiteModel,
        wrappers: Mapping[str, Wrapper],
        *,
        edits: Sequence[Edit] = (),
        earlier: EarlierResults | None = None,
        known: KnownColumns | None = None,
    ) -> None:
        self.out = out
        self.model = model
        self.wrappers = dict(wrappers)
        self.edits = edits
        self.kept: set[str] = set()
        """Classes that are as they were before a correction."""
        self.results: dict[str, PageResult] = {}
        """For the pages that wrappers were learnt from, by URL: they need not be read again."""
        self.pictures: dict[str, tuple[str, str]] = {}
        """For each class the URL of a page, and the page painted for the report."""
        self.outcomes: list[EditOutcome] = []
        self._earlier = earlier
        self._known = known
        self._model_id = formats.identity(model)
        self._leads_to = classes_of_urls(model)

    async def learn(
        self,
        classes: Sequence[PageClass],
        site: Site,
        *,
        workers: int | None = None,
        on_class: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Learn classes from samples of their pages, and write what was learnt.

        Each process has the documents of one class in memory. With one worker all is done in this
        process; with no number given, others are started when what is left would take longer than
        that. The results do not depend on it. `on_class` is told how many classes are done.
        """
        return_memory()  # that of the exploration; and at the end that of the classes
        await self._learn_each(classes, site, workers, on_class)
        return_memory()

    async def _learn_each(
        self,
        classes: Sequence[PageClass],
        site: Site,
        workers: int | None,
        on_class: Callable[[int], None],
    ) -> None:
        begin = time.process_time()
        for number, one in enumerate(classes):
            rest = classes[number:]
            count = min(len(rest), cores() if workers is None else workers)
            spent = time.process_time() - begin
            saved = spent / max(number, 1) * len(rest) * (1 - 1 / count)
            if count > 1 and (workers is not None or saved > START_SECONDS):
                await self._learn_in_processes(rest, site, count, on_class, number)
                return
            on_class(number)
            task = await self._task(one, site)
            self._add(one.name, _learnt(task, self._leads_to))
            await asyncio.sleep(0)  # lets Ctrl-C in

    async def _learn_in_processes(
        self,
        classes: Sequence[PageClass],
        site: Site,
        workers: int,
        on_class: Callable[[int], None],
        done: int,
    ) -> None:
        """Learn so many classes at a time, and keep no more pages in memory than theirs."""
        waiting: deque[tuple[str, asyncio.Future[LearnedClass | None]]] = deque()

        async def add_first() -> None:
            nonlocal done
            name, future = waiting.popleft()
            self._add(name, await future)
            done += 1
            on_class(done)

        with worker_pool(workers, _start_worker, (self.model, current())) as submit:
            for one in classes:
                task = await self._task(one, site)
                waiting.append((one.name, submit(_learn_in_worker, task)))
                if len(waiting) > workers:
                    await add_first()
            while waiting:
                await add_first()

    async def _task(self, one: PageClass, site: Site) -> _ClassTask:
        edits = field_edits(self.edits, one.name)
        known = None if self._known is None else self._known.of_class(one.name, self.model)
        pages = await pages_of(one, site)
        return _ClassTask(one.name, pages, edits, self.wrappers.get(one.name), known)

    def _add(self, name: str, learnt: LearnedClass | None) -> None:
        if learnt is None:
            return
        self.outcomes += learnt.outcomes
        self.wrappers[name] = learnt.wrapper
        self.results.update(learnt.results)
        self.pictures[name] = learnt.picture
        self._write(learnt.wrapper, learnt.template)

    async def compare_classes(self, site: Site) -> None:
        """Leave out what pages of all classes share, and name columns as other classes do.

        What a person chose or corrected stays as it is.
        """
        edited = {name for name in self.wrappers if field_edits(self.edits, name)}
        lines: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for result in self.results.values():
            if isinstance(result, Extracted):
                lines[result.page_class] += result.lines
        changed: set[str] = set()
        for compare in (without_shared_parts, named_by_other_classes):
            for name, wrapper in compare(self.wrappers, lines).items():
                is_chosen = wrapper.learnt_from is LearntFrom.EXAMPLES
                if not (is_chosen or name in edited or name in self.kept):
                    self.wrappers[name] = wrapper
                    changed.add(name)
        for name in sorted(changed):
            write_wrapper(self.out, self.wrappers[name], model=self._model_id)
        self._forget_results(changed)
        for name in sorted(changed):
            await self.paint(self.model.by_name(name), site)

    def _forget_results(self, classes: Collection[str]) -> None:
        for url in [url for url, one in self.results.items() if _class_of(one) in classes]:
            del self.results[url]

    async def learn_rejected(self, rejected: Mapping[str, Sequence[str]], site: Site) -> bool:
        """Learn the layouts of pages that gave no record, by class; whether any wrapper changed.

        What was read of a class whose wrapper changes is forgotten: it must be read again.
        """
        changed = set()
        for one in self.model.classes:
            wrapper = self.wrappers.get(one.name)
            if wrapper is None or one.name not in rejected:
                continue
            if wrapper.learnt_from is LearntFrom.EXAMPLES:
                continue  # what a person chose stays
            settings = current().wrapper.layouts
            own = await _some_documents(
                one, one.pages or one.samples, settings.pages_learnt_again, site
            )
            # Fewer of these: the units and types of a column are those of most of its values.
            most = max(settings.min_pages, len(own) // 2)
            misfits = await _some_documents(one, rejected[one.name], most, site)
            found = add_layouts(wrapper, own, misfits, leads_to=self._leads_to)
            if found is not wrapper:
                changed.add(one.name)
                self.wrappers[one.name] = found
                write_wrapper(self.out, found, model=self._model_id)
        self._forget_results(changed)
        return bool(changed)

    async def learn_varying(
        self, others: Mapping[str, Mapping[str, Sequence[str]]], site: Site
    ) -> bool:
        """Learn columns of places that pages do not say the same at as all pages learnt from.

        `others` are by class and place the pages that say something else. What was read of a class
        whose wrapper changes is forgotten.
        """
        settings = current().wrapper
        changed = set()
        for one in self.model.classes:
            wrapper, places = self.wrappers.get(one.name), others.get(one.name)
            if wrapper is None or not places or wrapper.learnt_from is LearntFrom.EXAMPLES:
                continue
            most = settings.layouts.pages_learnt_again
            pages = await _some_documents(one, one.pages or one.samples, most, site)
            known = {page.url for page in pages}
            urls = {url for found in places.values() for url in evenly(sorted(found), _OTHERS)}
            pages += await _some_documents(one, sorted(urls - known), len(urls), site)
            self.wrappers[one.name] = add_columns(wrapper, pages, places, leads_to=self._leads_to)
            write_wrapper(self.out, self.wrappers[one.name], model=self._model_id)
            changed.add(one.name)
        self._forget_results(changed)
        return bool(changed)

    async def take_over(self, one: PageClass, site: Site) -> bool:
        """Keep what was learnt of a class before a correction, where that would not change."""
        earlier = self._earlier
        if earlier is None or one.name in self.wrappers or field_edits(self.edits, one.name):
            return False
        wrapper = earlier.wrapper_for(one, earlier.now_named(self.model), self._leads_to)
        if wrapper is None:
            return False
        self.wrappers[one.name] = wrapper
        self.kept.add(one.name)
        self.results |= earlier.sample_results(one)
        self._write(wrapper, earlier.template_for(one))
        await self.paint(one, site)
        return True

    async def paint(self, one: PageClass, site: Site) -> None:
        """Paint a page of a class whose wrapper and template are known."""
        from sitewright.export.report.pictures import class_picture  # noqa: PLC0415 - slow

        some = replace(one, pages=tuple(evenly(sorted(one.pages), PICTURED_PAGES)))
        if documents := await documents_of(some, site):
            template = read_template(self.out, one.name)
            self.pictures[one.name] = class_picture(self.wrappers[one.name], template, documents)

    def add_earlier_results(self) -> None:
        """Add the records of pages whose class and wrapper no correction has touched."""
        if self._earlier is None:
            return
        placed = moved_pages(self.edits)
        found = self._earlier.all_results(self.model, self.kept)
        self.results |= {url: result for url, result in found.items() if url not in placed}

    def _write(self, wrapper: Wrapper, template: Template | None) -> None:
        write_wrapper(self.out, wrapper, model=self._model_id)
        if template is not None:
            path = self.out / CLASSES / wrapper.page_class / TEMPLATE
            formats.write(path, template, model=self._model_id)


async def _some_documents(
    one: PageClass, urls: Sequence[str], most: int, site: Site
) -> list[Document]:
    """Some pages of a class, evenly over their URLs."""
    return await documents_of(replace(one, pages=tuple(evenly(sorted(urls), most))), site)


def _class_of(result: PageResult) -> str | None:
    return None if isinstance(result, Skipped) else result.page_class
