"""README, CONTRIBUTING and docs/ are run: python blocks, and console blocks with the output that they show.

* A `python` block is run; one whose first line is a comment with a file name (`# chomp.py`) is also that file.
* A `console` block has commands after `$ ` and the output that they print; `...` stands for any text.
* The blocks of one page run in their order, in one empty folder (page_commands.py).
* An `sh` block has commands that take minutes, or that need another machine; it shows no output.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from page_commands import PROGRAMS, PageCommands, commands_of

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
    monkeypatch.delenv("PROOFBASE_TOKEN", raising=False)
    names: dict[str, object] = {"__name__": "__main__"}
    with PageCommands(tmp_path, capfd) as commands:
        for block in blocks(page):
            where = f"{page.name}:{block.line}"
            if block.language == "python":
                file_name = re.match(r"# (\w+\.py)\n", block.text)
                if file_name:
                    (tmp_path / file_name[1]).write_text(block.text, encoding="utf-8")
                exec(compile("\n" * block.line + block.text, str(page), "exec"), names)
            elif block.language == "console":
                run_console(block.text, where, commands)
    names.clear()  # the games that the page registered stay, and would keep all its objects


def run_console(text: str, where: str, commands: PageCommands) -> None:
    """Runs the commands of a console block and compares what they print."""
    assert text.startswith("$ "), f"{where}: a console block starts with a command"
    for command in commands_of(text):
        missing = [name for name in PROGRAMS if f"{name} " in command.text and shutil.which(name) is None]
        if missing:
            pytest.skip(f"{missing[0]} is not installed")
        printed = commands.run(command)
        assert printed.status in (0, 1), f"{where}: {command.text}: exit status {printed.status}: {printed.err}"
        assert same_text(command.expected, printed.out), f"{where}: {command.text} printed\n{printed.out}"


def test_commands_of_a_page_share_a_folder_a_shell_and_servers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with PageCommands(tmp_path, capfd) as commands:
        run_console('$ NAME=games; echo "a $NAME"\na games\n$ echo b \\\n    $NAME\nb games\n', "here", commands)
        run_console("$ proofbase games --store memory: | grep -c qubic\n1\n", "here", commands)
        serving = "$ proofbase serve --store memory:\nserving memory: on 127.0.0.1:50051\n"
        run_console(serving, "here", commands)
        run_console("$ proofbase stats --server 127.0.0.1:50051\nstore memory:...\n", "here", commands)
        with pytest.raises(AssertionError, match="printed"):
            run_console("$ echo a\nb\n", "here", commands)
        with pytest.raises(AssertionError, match="exit status 7: why"):
            run_console("$ echo why >&2; (exit 7)\n", "here", commands)


ONLY_THERE = {
    "README.md": "a building of all, and searches of half a minute: test_readme_commands.py runs these",
    "operating.md": "another machine, and the rights of root",
    "proof-manager.md": "other machines",
    "http.md": "another machine",
    "publishing.md": "accounts at hosts of files",
}
"""Pages with commands that no test of pages runs, in blocks of `sh`, and what they need."""
TYPED = re.compile(r"^(\$ |(proofbase|curl|openssl) )", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_are_in_blocks_that_are_run(page: Path) -> None:
    for block in blocks(page):
        if block.language == "sh":
            assert page.name in ONLY_THERE and "$ " not in block.text, f"{page.name}:{block.line}"
        elif block.language != "console":
            assert not TYPED.search(block.text), f"{page.name}:{block.line} is not run: make it a console block"


def same_text(expected: str, printed: str) -> bool:
    """Whether a text is what was expected, where `...` stands for anything and white space at line ends for nothing."""

    def tidy(text: str) -> str:
        return "\n".join(line.rstrip() for line in text.strip().splitlines())

    (first, *others), found = tidy(expected).split("..."), tidy(printed)
    if not others:
        return found == first
    last = others.pop()
    if not found.startswith(first) or not found.endswith(last) or len(found) < len(first) + len(last):
        return False
    at, end = len(first), len(found) - len(last)
    for (
        part
    ) in others:  # the first place of each will do: a pattern with many `...` takes a regular expression for ever
        at = found.find(part, at, end)
        if at < 0:
            return False
        at += len(part)
    return True


def test_same_text_sees_differences() -> None:
    assert same_text("a ... c\n", "a b c")
    assert not same_text("a ... c\n", "a b d")
    assert not same_text("", "something")
    assert same_text("a...b...c", "a1b2b3c") and same_text("...", "") and same_text("a...a", "aa")
    assert not same_text("a...a", "a") and not same_text("a...b...c", "a1c") and not same_text("a...bc...c", "abc")


def test_quick_start_has_two_commands_of_one_line() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.split("\n## Quick start\n", 1)[1]
    commands = re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)[:2]
    assert [command.count("\n") for command in commands] == [1, 1]
    assert section.lstrip().startswith("```sh"), "the section opens with the first command"
    assert commands[1].split()[-1] == "scripts/test"


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", page.read_text(encoding="utf-8"))
    missing = []
    for file, anchor in links:
        target = page.parent / file if file else page
        if "://" not in file and not (target.exists() and (not anchor or anchor in anchors(target))):
            missing.append(f"{file}#{anchor}")
    assert not missing


@pytest.mark.parametrize("page", sorted(ROOT.glob("docs/*.md")), ids=lambda page: page.name)
def test_every_page_names_its_reader_and_the_readme_lists_it_for_them(page: Path) -> None:
    reader = re.match(r"# .+\n\nFor: (users|operators|developers)\.?\n\n", page.read_text(encoding="utf-8"))
    assert reader, "the line below the title says for whom the page is"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    groups = dict(re.findall(r"^\*\*For (\w+)\.\*\* (.*?)\n\n", readme, re.MULTILINE | re.DOTALL))
    assert [group for group, text in groups.items() if f"](docs/{page.name})" in text] == [reader[1]]
