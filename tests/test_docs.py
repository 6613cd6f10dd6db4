"""README, CONTRIBUTING and docs/ are run: python blocks, and console blocks with the output that they show.

* A `python` block is run; one whose first line is a comment with a file name (`# chomp.py`) is also that file.
* A `console` block has commands after `$ ` and the output that they print; `...` stands for any text.
* The blocks of one page run in their order, in one empty folder.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from proofbase.service.cli import run

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


class Block(NamedTuple):
    """A fenced block of a page."""

    line: int
    language: str
    text: str


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order; a fence that is not closed is an error."""
    fence = re.compile(r"^```(\S*)\s*$")
    start: int | None = None
    language = ""
    lines = page.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        match = fence.match(line)
        if match and start is None:
            start, language = number + 1, match[1]
        elif match:
            yield Block(start or 0, language, "\n".join(lines[start:number]) + "\n")
            start = None
    assert start is None, f"{page}: the fence of line {start} is not closed"


def test_pages_are_found() -> None:
    names = {page.relative_to(ROOT).as_posix() for page in PAGES}
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"} <= names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_examples_do_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PROOFBASE_STORE", raising=False)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        where = f"{page.name}:{block.line}"
        if block.language == "python":
            file_name = re.match(r"# (\w+\.py)\n", block.text)
            if file_name:
                (tmp_path / file_name[1]).write_text(block.text, encoding="utf-8")
            exec(compile("\n" * block.line + block.text, str(page), "exec"), names)
        elif block.language == "console":
            run_console(block.text, where, capfd)
    names.clear()  # the games that the page registered stay, and would keep all its objects


def run_console(text: str, where: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Runs the commands of a console block and compares what they print."""
    assert text.startswith("$ "), f"{where}: a console block starts with a command"
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        words = shlex.split(command, comments=True)
        assert words[0] == "proofbase", f"{where}: {command} is no command of ours"
        capfd.readouterr()
        status = run(words[1:])
        printed = capfd.readouterr()
        assert status in (0, 1), f"{where}: {command}: exit status {status}: {printed.err}"
        assert same_text(expected, printed.out), f"{where}: {command} printed\n{printed.out}"


def same_text(expected: str, printed: str) -> bool:
    """Whether a text is what was expected, where `...` stands for anything and white space at line ends for nothing."""

    def tidy(text: str) -> str:
        return "\n".join(line.rstrip() for line in text.strip().splitlines())

    pattern = ".*".join(re.escape(part) for part in tidy(expected).split("..."))
    return re.fullmatch(pattern, tidy(printed), re.DOTALL) is not None


def test_same_text_sees_differences() -> None:
    assert same_text("a ... c\n", "a b c")
    assert not same_text("a ... c\n", "a b d")
    assert not same_text("", "something")


def test_quick_start_has_two_commands_of_one_line() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.split("\n## Quick start\n", 1)[1]
    commands = re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)[:2]
    assert [command.count("\n") for command in commands] == [1, 1]
    assert section.lstrip().startswith("```sh"), "the section opens with the first command"
    assert commands[1].split()[-1] == "scripts/test"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_to_files_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    missing = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert not missing


@pytest.mark.parametrize("page", sorted(ROOT.glob("docs/*.md")), ids=lambda page: page.name)
def test_every_page_names_its_reader_and_the_readme_lists_it_for_them(page: Path) -> None:
    reader = re.match(r"# .+\n\nFor: (users|operators|developers)\.?\n\n", page.read_text(encoding="utf-8"))
    assert reader, "the line below the title says for whom the page is"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    groups = dict(re.findall(r"^\*\*For (\w+)\.\*\* (.*?)\n\n", readme, re.MULTILINE | re.DOTALL))
    assert [group for group, text in groups.items() if f"](docs/{page.name})" in text] == [reader[1]]
