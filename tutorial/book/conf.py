"""Settings of the book's site, for Sphinx."""

from importlib import resources

from tutorial.book.directives.live import TEMPLATES
from tutorial.book.directives.printed import AS_PRINTED
from tutorial.book.figures.figure import FILES

project = "gradsteps"
author = "the authors of gradsteps"
html_title = "gradsteps: a book that runs"
language = "en"

extensions = ["myst_nb", "sphinx_design", "sphinx_copybutton", "sphinx_multitoc_numbering", "tutorial.book.extension"]
myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath", "smartquotes"]
myst_heading_anchors = 3
myst_ref_domains = ["std"]  # without it each link is also tried as a name of C++ and of seven other languages
suppress_warnings = ["mystnb.unknown_mime_type"]  # of text that stands beside the picture of a variable

nb_execution_mode = "inline"  # so that a number in a sentence can be computed where it stands: {eval}`x.grad`
nb_eval_name_regex = ".+"
nb_execution_show_tb = True
nb_execution_timeout = 60
nb_execution_in_temp = True
highlight_options = AS_PRINTED

html_theme = "furo"
html_math_renderer = "latex2mathml"
html_search_scorer = str(resources.files("tutorial.book").joinpath("built", "search.js"))
html_show_search_summary = False  # a page from a file cannot load the pages that it has found
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False  # the license stands in the repository
html_static_path = [str(resources.files("tutorial.book").joinpath(folder)) for folder in ("assets", "built")] + FILES
html_css_files = ["book.css", "progress.css", "live.css", "teacher.css", "print.css", "slides.css", "exercise.css"]
html_js_files = ["chapters.js", "book.js"]
templates_path = [TEMPLATES]
html_sidebars = {
    "**": [
        *("sidebar/brand.html", "sidebar/search.html", "sidebar/scroll-start.html", "sidebar/navigation.html"),
        *("playground.html", "sidebar/scroll-end.html"),
    ]
}
copybutton_exclude = ".linenos, .gp"
