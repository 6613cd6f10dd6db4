"""The explorer: a page about every position, made by the server, that works without JavaScript; scripts add to it."""

from __future__ import annotations

from proofbase.service.explorer.analysis_page import AnalysisPage
from proofbase.service.explorer.asking import Asker
from proofbase.service.explorer.game_file import GameFile
from proofbase.service.explorer.layout import refusal
from proofbase.service.explorer.line_page import LinePage
from proofbase.service.explorer.lists import Lists
from proofbase.service.explorer.play_page import PlayPage
from proofbase.service.explorer.position_page import PositionPage
from proofbase.service.explorer.problem_page import ProblemPage
from proofbase.service.explorer.proof_page import ProofPage
from proofbase.service.explorer.setup_page import SetupPage
from proofbase.service.explorer.start_page import StartPage
from proofbase.service.explorer.static_files import static_file
from proofbase.service.explorer.threats_page import ThreatsPage
from proofbase.service.explorer.words_page import words_page
from proofbase.service.http.methods import Methods
from proofbase.service.http.pages import Page

__all__ = ["explorer_pages"]


def explorer_pages(methods: Methods, contact: str | None = None) -> list[Page]:
    """All pages of the explorer. Each has its line in the table `ROUTES` of service/access/roles.py.

    Args:
        methods: of the services, which the pages ask.
        contact: where visitors write to about a position; None for nowhere.
    """
    asker = Asker(methods)
    positions, lists = PositionPage(asker, contact), Lists(asker)
    endpoints = {
        "/": StartPage(asker).show,
        "/store": lists.store,
        "/jobs": lists.jobs,
        "/jobs/{id}": lists.job,
        "/words": words_page,
        "/games/{game}": positions.show,
        "/games/{game}/open": positions.open,
        "/games/{game}/file": GameFile(asker).show,
        "/games/{game}/line": LinePage(asker).show,
        "/games/{game}/threats": ThreatsPage(asker).show,
        "/games/{game}/problem": ProblemPage(asker).show,
        "/games/{game}/play": PlayPage(asker).show,
        "/games/{game}/setup": SetupPage(asker).show,
        "/games/{game}/proof": ProofPage(asker).show,
        "/games/{game}/analysis": AnalysisPage(asker).show,
    }
    return [
        Page("/explorer/{fingerprint}/{name}", static_file),
        *(Page(path, endpoint, refused=refusal) for path, endpoint in endpoints.items()),
    ]
