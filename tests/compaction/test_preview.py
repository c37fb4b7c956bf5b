from longhaul.compaction.compact import CompactOptions, render_whole
from longhaul.compaction.cut import CompactionSettings
from longhaul.compaction.preview import preview_compaction
from tests.build import assistant, message_entry, path, system, user

WORK = [
    message_entry(system("You are a coding agent. " * 20)),
    user("Write a tide table reader in Python. " + "Mind the harbour. " * 200),
    assistant("Done. " * 400),
    user("now the parser"),
    assistant("The parser is there."),
]


def test_a_preview_says_what_the_context_would_hold() -> None:
    preview = preview_compaction(
        path(*WORK), CompactionSettings(keep_recent_tokens=5), CompactOptions()
    )
    assert preview is not None
    assert preview.compaction.first_kept_entry_id == preview.preparation.first_kept_entry_id
    assert preview.compaction.summary == preview.compaction.summary.strip()
    kept_and_prompt = preview.tokens_after - preview.state_tokens
    assert 0 < kept_and_prompt < preview.preparation.tokens_before


def test_a_session_that_fits_has_no_preview() -> None:
    assert preview_compaction(path(*WORK), CompactionSettings(), CompactOptions()) is None


def test_a_whole_path_can_be_rendered_as_if_all_of_it_were_closed() -> None:
    text = render_whole(path(*WORK), CompactOptions()).text
    assert '- done: u2: "now the parser"' in text
    assert "- u2" in text.split("## Narrative")[1]
