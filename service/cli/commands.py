"""The table of commands: what each is for, and where it is loaded from when it is called.

Their modules import searches, stores and servers. The table imports nothing, so that help, versions, mistyped names and
completion of names are quick.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["COMMANDS", "SERVE_VARIABLES", "Command"]

SERVE_VARIABLES = "PROOFBASE_SERVE"
"""What the names of environment variables begin with that set options of `serve`."""


class Command(NamedTuple):
    """A command, or a group of commands under one name."""

    place: str
    """MODULE:NAME in this package, of a function or of a `typer.Typer`."""
    sentence: str
    """The first paragraph of its own help."""
    variables: str | None = None
    """What the names of environment variables begin with that set its options."""
    extra: str | None = None
    """The extra of the package `proofbase` whose packages its module imports."""


COMMANDS = {
    "Ask": {
        "games": Command("reading:games", "List the games with their numbers of records."),
        "rules": Command("reading:rules", "Show the rules of a game."),
        "lookup": Command("lookups:lookup", "Show what is known of a position."),
        "moves": Command("lookups:moves", "List the moves of a position, best first."),
        "line": Command("reading:line", "Show the line of best play, and why it stops."),
        "tree": Command("reading:tree", "Show the proof below a position."),
        "analyse": Command(
            "analysing:analyse",
            "Show what each move of a game gave away, where it was decided, and the refutations.",
        ),
        "score": Command(
            "scoring:score",
            "Show how well players moved: the share of moves that keep the value, what was given away, games thrown "
            "away.",
        ),
        "play": Command("play.command:play", "Play a game against what is stored, tables and searches."),
    },
    "Solve": {
        "quickstart": Command(
            "quickstart:quickstart", "Solve a small game, from the first search to the checked certificate."
        ),
        "solve": Command("solving:solve", "Find the value of a position, and store the proof."),
        "threats": Command(
            "threatening:threats",
            "Show wins by threats in a position, and the moves that stop them (go-moku, renju, qubic).",
        ),
        "tables": Command(
            "tables.program:program",
            "Build, compress, list, verify and count tables of values, find problems in them, check those of others.",
        ),
        "jobs": Command("jobs:program", "List, show, watch, pause, resume and cancel jobs."),
        "measure": Command("measuring:measure", "Measure how large a game is, and how far the store solves it."),
        "reproduce": Command(
            "reproducing:reproduce", "Measure a paper's table again: the printed figures beside ours."
        ),
    },
    "Check": {
        "verify": Command("solving:verify", "Check stored records by the rules of the game."),
        "check": Command("transfer:check", "Check a certificate by the rules alone."),
        "check-package": Command("packages:check", "Check a package from end to end."),
        "check-claims": Command(
            "foreign:check_file", "Check what others claim to have solved, and store what is proved."
        ),
        "problem": Command(
            "problems:problem",
            "Examine composed problems: keys, cooks, short solutions, tries, set play, duals, variations.",
        ),
        "check-game": Command(
            "checking_games:check_game", "Test whether a game of your own keeps every requirement of Game."
        ),
    },
    "Share": {
        "publish": Command(
            "packages:publish",
            "Write a solution as a static folder that any file server can serve, to be read by --store https://...",
        ),
        "pull": Command(
            "packages:pull", "Take from a package, another store or a server the records that this store lacks."
        ),
        "push": Command("packages:push", "Give another store the records that it lacks: as `pull`, seen from here."),
        "export": Command("transfer:export", "Write the solution below a position to a file."),
        "import": Command("transfer:import_file", "Merge a certificate or JSON lines into the store."),
    },
    "Serve": {
        "serve": Command(
            "serving:serve", "Serve a store over gRPC until interrupted.", SERVE_VARIABLES, extra="server"
        ),
        "mcp": Command(
            "agents:answer_agents", "Answer agents on standard input and output, by the Model Context Protocol."
        ),
        "tokens": Command("tokens:program", "Create, list and revoke the tokens of a server's clients."),
    },
    "Look after": {
        "stats": Command("reading:stats", "Show what the store holds: records, tables, sources, jobs."),
        "store": Command(
            "stores.program:program", "Look after a store as a whole: its size, copies, damage, fingerprints."
        ),
        "migrate": Command(
            "migrating:migrate",
            "Make the tables of a PostgreSQL store, or bring a store to the format of this release.",
        ),
    },
}
