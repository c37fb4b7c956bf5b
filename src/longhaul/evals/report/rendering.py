"""A page as HTML: one file that needs no network, no script and no other file."""

import importlib.util
from functools import lru_cache
from typing import TYPE_CHECKING

from longhaul.errors import CheckError
from longhaul.evals.report.page import Page
from longhaul.evals.report.plots import HEIGHT, WIDTH, draw_shape
from longhaul.evals.report.visible import make_visible
from longhaul.evals.report.wording import SIGNS
from longhaul.models.installing import pip_command

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATE = "page.html.jinja"


def render_page(page: Page) -> bytes:
    """Return a page as UTF-8; the same page gives the same bytes.

    Raises:
        CheckError: what fills the template is not installed; the message says how.
    """
    return _environment().get_template(_TEMPLATE).render(page=page).encode()


@lru_cache(1)
def _environment() -> "Environment":
    """Return the templates; only now jinja2 is imported, which nothing else needs."""
    if importlib.util.find_spec("jinja2") is None:
        raise CheckError(f"reports need an extra: {pip_command('pi-longhaul[eval]')}")
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - see above

    environment = Environment(
        autoescape=True,
        finalize=_finalize,
        loader=PackageLoader("longhaul.evals.report", "templates"),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    environment.globals.update(
        signs=SIGNS, plot_width=WIDTH, plot_height=HEIGHT, draw_shape=draw_shape
    )
    return environment


def _finalize(value: object) -> object:
    """Return what a template prints: of session text, all that would not be seen made visible.

    Markup that templates made themselves is not `str` but a kind of it, and stays.
    """
    return make_visible(value) if type(value) is str else value
