"""The program as a terminal starts it, whatever started the tests.

Whoever runs tests in the background may have SIGINT ignored, and a program inherits that.
"""

import sys

COMMAND = [
    sys.executable,
    "-c",
    (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from sitewright.cli import main; main()"
    ),
]
