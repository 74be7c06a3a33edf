"""What is written for people and programs: files that are complete or absent."""

from sitewright.output.files import complete_or_absent, json_line, output_folder, write_bytes

__all__ = ["complete_or_absent", "json_line", "output_folder", "write_bytes"]
