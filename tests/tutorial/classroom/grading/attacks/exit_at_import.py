"""End Python with the exit code of success before anything is asked."""
# title: The program ended before it answered

import os

os._exit(0)
