"""What is written for people and other programs: tables, a report, a Scrapy project, graphs."""
