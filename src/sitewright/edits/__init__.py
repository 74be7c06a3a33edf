"""Corrections by people: one line each in OUT/edits.jsonl, replayed on every later run.

::

    {"edit": "rename_class", "class": "page-2", "to": "home", "pages": {"page-2": ["http://..."]}}
    {"edit": "drop_field", "class": "player", "field": "breadcrumbs", "xpath": "//nav/a/text()"}

An edit belongs to the site, not to one model: beside names it has some pages of each class, and the
selector of a field, so that both are found again where another run names them otherwise. Each edit
is applied, no longer needed, or failed with a reason; one that fails stops no other.

Edits of classes change which pages are together, and the classifier learns from that
(`ClassCorrections`). A page that is moved takes along the pages that are more like it than like the
class that it leaves. Edits of fields change the wrapper of a class (`edited_wrapper`).
"""
