"""All pages of a site, classified and read, in several processes."""
