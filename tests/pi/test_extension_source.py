"""The extension's modules become one file that pi can load."""

from importlib import resources

from longhaul.pi.extension_source import PARTS, join_modules, read_source

FIRST = """// What it is.

import { join } from "node:path";

export const ROOT = join("a", "b");
"""
SECOND = """// The rest.

import { join, sep } from "node:path";
import type {
	ExtensionAPI,
	ExtensionContext,
} from "pi";
import { ROOT } from "./first.ts";

export default function go(pi: ExtensionAPI, ctx: ExtensionContext): void {
	join(ROOT, sep);
}
"""
JOINED = """// What it is.

import { join, sep } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "pi";

const ROOT = join("a", "b");

// The rest.

export default function go(pi: ExtensionAPI, ctx: ExtensionContext): void {
	join(ROOT, sep);
}
"""


def test_modules_are_joined_without_what_ties_them_together() -> None:
    assert join_modules([FIRST, SECOND]) == JOINED


def test_every_module_of_the_extension_is_a_part() -> None:
    folder = resources.files("longhaul.pi").joinpath("extension")
    names = {item.name for item in folder.iterdir()}
    assert names == {f"{part}.ts" for part in PARTS}


def test_no_module_is_imported_in_the_joined_file() -> None:
    assert '"./' not in read_source()
