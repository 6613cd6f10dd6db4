"""`proofbase mcp`: the questions of agents, over the Model Context Protocol."""

from __future__ import annotations

from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from proofbase import __version__
from proofbase.engine.errors import EngineError
from proofbase.service.cli.exit_status import ExitStatus, UsageError
from proofbase.service.cli.options import Plugins, Server, Store, Tables
from proofbase.service.cli.session import opened, tables_directory_of
from proofbase.service.errors import ServiceError
from proofbase.storage import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["answer_agents"]

INSTRUCTIONS = """Perfect answers about positions of two-player games. Every answer has a `status`: `proved` (it can be
checked by the rules of the game) or `unknown`. Say of what is unknown that it is unknown. `lookup` first; `solve` where
the value is unknown; `why` and `check` for the reasons; `regret` judges a move."""


def answer_agents(
    read_only: Annotated[bool, typer.Option("--read-only", help="What `solve` proves is not stored.")] = False,
    store: Store = None,
    server: Server = None,
    tables: Tables = None,
    plugin: Plugins = None,
) -> int:
    """Answer agents on standard input and output, by the Model Context Protocol.

    Tools: lookup, solve within a budget, why, regret of a move, check. Every answer says `proved` or `unknown`.
    """
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ModuleNotFoundError:
        raise ModuleNotFoundError("`mcp` needs packages that are not installed: pip install 'proofbase[mcp]'") from None
    from proofbase.service.agents.oracle import Oracle

    def named(question: Callable[..., Any]) -> Callable[..., Any]:
        """The question; what is wrong with it is told to the agent."""

        @wraps(question)
        def answer(*args: Any, **kwargs: Any) -> Any:
            try:
                return question(*args, **kwargs)
            except (EngineError, ServiceError, StoreError) as error:
                raise ToolError(str(error)) from None

        return answer

    beside = tables
    if server is None and tables is None:
        with suppress(UsageError):  # a package, or a database
            beside = tables_directory_of(store, None)
    with opened(store, server, plugin, read_only=read_only, create=False, tables=tables, or_read_only=True) as client:
        oracle = Oracle(client, beside if beside is not None and beside.is_dir() else None)
        program = MCPServer("proofbase", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")
        for question in oracle.questions():
            program.tool()(named(question))
        program.run("stdio")
    return ExitStatus.POSITIVE
