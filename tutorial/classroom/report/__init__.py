"""The report on a class: what was right, what is misunderstood and which chapter explains it, as one page without scripts."""
