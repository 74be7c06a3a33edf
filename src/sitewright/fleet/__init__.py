"""Many sites at once: from WARC files to classes, texts and records of every site in them.

::

    from sitewright.fleet import FleetOptions, run_fleet

    summary = run_fleet(["crawl/*.warc.gz"], "out")

Five steps, none of which groups the pages of a site: `index` maps over WARC files, `sample` takes a
few pages of each site, `learn` makes a project of each sample, `apply` maps over the WARC files
again, `finish` sums up. Only `learn` needs pages of one site together, and it needs few.
"""

from sitewright.fleet.job import FleetJob, FleetOptions, GroupBy
from sitewright.fleet.run import FleetSummary, run_fleet

__all__ = ["FleetJob", "FleetOptions", "FleetSummary", "GroupBy", "run_fleet"]
