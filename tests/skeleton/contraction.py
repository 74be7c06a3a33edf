"""The plain way to the best tree, to compare the fast one with: contract a cycle, start again."""

from __future__ import annotations


def contracted_arborescence(root, scores):
    """The parent of each page; every page must be reachable from the root."""
    graph = {page: dict(parents) for page, parents in scores.items() if page != root}
    return _contract_and_choose(root, graph)


def _contract_and_choose(root, graph):
    chosen = {page: max(parents, key=parents.__getitem__) for page, parents in graph.items()}
    cycle = _cycle(root, chosen)
    if cycle is None:
        return chosen
    name = ("cycle", tuple(cycle))
    smaller, entries = _contracted(graph, chosen, cycle, name)
    solved = _contract_and_choose(root, smaller)
    outside = solved.pop(name)
    for page in list(solved):
        if solved[page] == name:
            solved[page] = entries[page, None]
    for page in cycle:
        solved[page] = chosen[page]
    solved[entries[None, outside]] = outside
    return solved


def _cycle(root, chosen):
    for start in chosen:
        trail, page = [], start
        while page != root and page not in trail:
            trail.append(page)
            page = chosen[page]
        if page != root:
            return trail[trail.index(page) :]
    return None


def _contracted(graph, chosen, cycle, name):
    inside, entries, smaller = set(cycle), {}, {name: {}}
    for page, parents in graph.items():
        if page in inside:
            loss = parents[chosen[page]]
            for parent, score in parents.items():
                if parent not in inside and score - loss > smaller[name].get(parent, -1e18):
                    smaller[name][parent] = score - loss
                    entries[None, parent] = page
            continue
        smaller[page] = {}
        for parent, score in parents.items():
            if parent not in inside:
                smaller[page][parent] = score
            elif score > smaller[page].get(name, -1e18):
                smaller[page][name] = score
                entries[page, None] = parent
    return smaller, entries
