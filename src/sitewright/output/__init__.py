"""What comes out: tables, report, spider, graph, site map, and the folder that holds them."""
