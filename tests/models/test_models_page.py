"""The page about models names the variables, addresses and reply fields that there are."""

import json
import re

from longhaul.compaction.completion import Completion
from longhaul.compaction.diff.parse import ParsedDiff, dump_diff, parse_diff
from longhaul.models.batch_records import dump_request, parse_reply, parse_request
from longhaul.models.servers import PROVIDERS
from longhaul.models.specs import parse_spec
from tests.pinned import ROOT

PAGE = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
ROWS = [re.findall(r"`([^`]+)`", row) for row in re.findall(r"^\| `.*", PAGE, re.MULTILINE)]
REQUEST, REPLY, DIFF = (
    json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
)


def test_every_provider_stands_there_with_its_variables_and_address() -> None:
    there = {row[0]: row[1:] for row in ROWS if row[0] in PROVIDERS}
    assert there == {
        name: [
            provider.address_variable,
            *([provider.default_address] if provider.default_address else []),
            *provider.key_variables,
        ]
        for name, provider in PROVIDERS.items()
    }


def test_every_model_named_as_an_example_is_one() -> None:
    named = {row[0] for row in ROWS if "/" in row[0] or ":" in row[0]}
    assert len({type(parse_spec(name)) for name in named}) == 3


def test_the_diff_there_is_as_it_is_asked_for_and_read() -> None:
    parsed = parse_diff(json.dumps(DIFF))
    assert isinstance(parsed, ParsedDiff)
    assert (dump_diff(parsed.diff), parsed.problems) == (DIFF, ())
    assert all(DIFF.values())


def test_the_request_and_the_reply_there_are_as_they_are_written_and_read() -> None:
    assert dump_request(parse_request(REQUEST)) == REQUEST
    assert parse_reply(REPLY) == Completion(
        text='{"rules": []}',
        model="openai/gpt-5.2",
        tokens_in=3_120,
        tokens_out=240,
        tokens_cached=0,
        seconds=8.5,
    )
