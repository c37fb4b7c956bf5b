"""The pages as a browser shows them: nothing fetched, nothing run, readable, within reach."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from longhaul.evals.report.loading import load_run
from longhaul.evals.report.page import Page, build_page
from longhaul.evals.report.rendering import render_page
from longhaul.evals.report.viewing import build_view
from longhaul.pi.sessions import load_session
from tests.browser import CHROMIUM, Browser, open_browser
from tests.evals.label_files import BODIES
from tests.evals.report.run_files import HOSTILE, save_run
from tests.records import asked, write_chain

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium here; on Debian: apt-get install chromium"
)

PHONE = 390
OPEN_ALL = "document.querySelectorAll('details').forEach(one => { one.open = true })"
COLOUR = "getComputedStyle(document.body).{}"
TAB, ENTER = ("Tab", 9), ("Enter", 13)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with open_browser(tmp_path_factory.mktemp("profile")) as one:
        yield one


def report_page(folder: Path) -> Page:
    chained = save_run(folder / "chained")
    takeover = save_run(folder / "takeover", is_chained=False)
    return build_page([load_run(chained), load_run(takeover)])


def view_page(folder: Path) -> Page:
    bodies = [
        {**body, "summary": f"so far {number}"} if body["type"] == "compaction" else body
        for number, body in enumerate(BODIES)
    ]
    file = write_chain(folder / "tide.jsonl", *bodies, asked(f"{HOSTILE} {'x' * 4000}"))
    return build_view(load_session(file), ask_tools=())


@pytest.fixture(scope="module", params=[report_page, view_page], ids=["report", "view"])
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    page = folder / "page.html"
    page.write_bytes(render_page(request.param(folder)))
    return page


def test_a_page_asks_for_nothing_runs_nothing_and_complains_of_nothing(
    browser: Browser, file: Path
) -> None:
    browser.requests.clear()
    browser.complaints.clear()
    browser.open(file)
    asked_for = [one for one in browser.requests if not one.startswith("data:")]
    assert (asked_for, browser.complaints) == ([file.as_uri()], [])
    assert (
        browser.ask("document.querySelectorAll('script, img, iframe, link[rel=stylesheet]').length")
        == 0
    )
    assert browser.ask("typeof globalThis.hit") == "undefined"


def test_session_text_stands_there_as_it_is_with_signs_for_what_would_act(
    browser: Browser, file: Path
) -> None:
    browser.open(file)
    shown = browser.ask("document.body.textContent")
    assert '<img src=x onerror="hit=1"> ␛[31m⟨U+202E⟩gnp.exe' in shown


@pytest.mark.parametrize("width", [PHONE, 320, 1280])
def test_nothing_is_wider_than_the_window(browser: Browser, file: Path, width: int) -> None:
    browser.open(file, width=width)
    browser.ask(OPEN_ALL)
    assert browser.ask("document.documentElement.scrollWidth") <= width


def test_on_a_phone_what_is_new_stands_under_what_is_gone(browser: Browser, file: Path) -> None:
    places = """(() => {
        const change = document.querySelector('.change:has(del):has(ins)')
        const [gone, now] = ['del', 'ins'].map(
            name => change.querySelector(name).getBoundingClientRect())
        return {under: now.top >= gone.bottom, beside: now.left >= gone.right}
    })()"""
    found: dict[int, Any] = {}
    for width in (PHONE, 1280):
        browser.open(file, width=width)
        browser.ask(OPEN_ALL)
        found[width] = browser.ask(places)
    assert found == {
        PHONE: {"under": True, "beside": False},
        1280: {"under": False, "beside": True},
    }


def luminance(colour: str) -> float:
    """Return how light `rgb(r, g, b)` is, as WCAG 2 defines it."""
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").rstrip(")").split(",")]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


CONTRASTS = """[...document.querySelectorAll('body *')].flatMap(one => {
    const says = [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim())
    if (!says || one.closest('.unseen, title, desc, style, .skip')) return []
    const ground = part => getComputedStyle(part).backgroundColor
    let behind = one
    while (ground(behind) === 'rgba(0, 0, 0, 0)') behind = behind.parentElement
    return [[getComputedStyle(one)[one.closest('svg') ? 'fill' : 'color'], ground(behind)]]
})"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_contrast_enough(browser: Browser, file: Path, scheme: str) -> None:
    browser.open(file, scheme=scheme)
    browser.ask(OPEN_ALL)
    pairs = {tuple(pair) for pair in browser.ask(CONTRASTS)}
    faint = []
    for ink, ground in pairs:
        dark, light = sorted(map(luminance, (ink, ground)))
        if (light + 0.05) / (dark + 0.05) < 4.5:
            faint.append((ink, ground))
    assert (len(pairs) > 5, faint) == (True, [])


def test_dark_mode_is_dark(browser: Browser, file: Path) -> None:
    colours = {}
    for scheme in ("light", "dark"):
        browser.open(file, scheme=scheme)
        colours[scheme] = browser.ask(COLOUR.format("backgroundColor"))
    assert luminance(colours["dark"]) < 0.05
    assert luminance(colours["light"]) > 0.8


def test_the_keyboard_reaches_and_opens_everything(browser: Browser, file: Path) -> None:
    browser.open(file)
    browser.press(*TAB)
    assert browser.ask("document.activeElement.className") == "skip"
    assert browser.ask("document.activeElement.getBoundingClientRect().top") >= 0
    assert browser.ask("document.activeElement.matches(':focus-visible')")
    wanted = browser.ask(
        "[...document.querySelectorAll('a, summary, [tabindex=\"0\"]')]"
        ".filter(one => one.checkVisibility()).length"
    )
    reached = ["A"]
    for _ in range(wanted - 1):
        browser.press(*TAB)
        reached.append(browser.ask("document.activeElement.tagName"))
    assert set(reached) == {"A", "SUMMARY", "DIV"}
    browser.ask("document.querySelector('.compaction summary').focus()")
    browser.press(*ENTER)
    assert browser.ask("document.querySelector('.compaction').open")


def test_headings_are_in_order_and_links_lead_somewhere(browser: Browser, file: Path) -> None:
    browser.open(file)
    levels = browser.ask("[...document.querySelectorAll('h1,h2,h3,h4,h5')].map(h => +h.tagName[1])")
    assert (levels[0], levels.count(1)) == (1, 1)
    assert [b - a for a, b in pairwise(levels) if b - a > 1] == []
    ids = browser.ask("[...document.querySelectorAll('[id]')].map(one => one.id)")
    links = browser.ask("[...document.querySelectorAll('a')].map(one => one.getAttribute('href'))")
    named = browser.ask(
        "[...document.querySelectorAll('[aria-labelledby]')]"
        ".flatMap(one => one.getAttribute('aria-labelledby').split(' '))"
    )
    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in links} | set(named) <= set(ids)


def test_every_plot_has_a_title_a_description_and_its_numbers(browser: Browser, file: Path) -> None:
    browser.open(file)
    lacking = """[...document.querySelectorAll('figure')].filter(one =>
        !one.querySelector('svg[role=img] > title').textContent
        || !one.querySelector('svg > desc').textContent
        || !one.querySelector('table td').textContent).length"""
    assert browser.ask("document.querySelectorAll('figure').length") > 2
    assert browser.ask(lacking) == 0
