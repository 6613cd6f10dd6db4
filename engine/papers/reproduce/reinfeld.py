"""The 82 positions of Reinfeld that Breuker et al. (2001) search, with the printed nodes of their searches.

The positions are diagrams of F. Reinfeld, Win at Chess (1958), numbered as there; as FENs they are part of the public
test suite of that name. The counts are those that can be read without doubt in the text of the paper: its last column
is cut off from r57 to r246, the rows of r184 and r241 are lost, some figures of r14, r49 and r51 occur in two readings,
that of r50 for base-twin is lost, and that of r9 (15,179, where the others need 173) is too close to the row above.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["COLUMNS", "NODES_OF_75", "PROBLEMS", "UNSOLVED", "Problem"]

COLUMNS = ("Tree", "DAG", "DCG", "BTA")
"""The algorithms of Table 2, in its order and by its names."""


class Problem(NamedTuple):
    """A position that the side to move wins by mate, and the printed nodes.

    A count is None where the algorithm did not solve it (UNSOLVED) and where the text is not legible.

    Attributes:
        schijf: nodes of the tree and of the DCG algorithm in appendix B of Schijf (1993).
        tree, dag, dcg, bta: nodes in Table 2 of Breuker et al.
    """

    number: int
    fen: str
    schijf: tuple[int | None, int | None]
    tree: int | None = None
    dag: int | None = None
    dcg: int | None = None
    bta: int | None = None

    @property
    def name(self) -> str:
        """As the paper writes it."""
        return f"r{self.number}"

    def printed(self, column: str) -> int | None:
        """The nodes in one of COLUMNS."""
        return (self.tree, self.dag, self.dcg, self.bta)[COLUMNS.index(column)]


UNSOLVED: dict[str, frozenset[int]] = {
    "Tree": frozenset({96, 105, 168, 182, 201, 252}),
    "DAG": frozenset({96, 105, 201, 252}),
    "DCG": frozenset({96, 105, 201, 281}),
    "BTA": frozenset({96, 105, 201}),
}
"""What each algorithm did not solve within 500,000 nodes, by sections 6.3 and 7; DCG takes r281 for no win."""

NODES_OF_75: dict[str, int] = {"Tree": 2_339_357, "DAG": 1_692_457, "DCG": 1_377_425, "BTA": 1_568_353}
"""Nodes of the 75 problems that all four solved: Table 1, less the 21 positions of Krabbe that all four solved."""

# fmt: off
PROBLEMS = (
    Problem(1, "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -", (7_640, 5_782), 4_275, 4_095, 3_996, 4_270),
    Problem(4, "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - -", (82, 82), 82, 82, 82, 82),
    Problem(5, "5k2/6pp/p1qN4/1p1p4/3P4/2PKP2Q/PP3r2/3R4 b - -", (57, 57), 57, 57, 57, 57),
    Problem(6, "7k/p7/1R5K/6r1/6p1/6P1/8/8 w - -", (71_966, 9_563), 96_059, 32_953, 11_703, 13_179),
    Problem(9, "3q1rk1/p4pp1/2pb3p/3p4/6Pr/1PNQ4/P1PB1PP1/4RRK1 b - -", (207, 198), 173, 173, 169),
    Problem(12, "4k1r1/2p3r1/1pR1p3/3pP2p/3P2qP/P4N2/1PQ4P/5R1K b - -", (175, 173), 99, 99, 99, 99),
    Problem(14, "r2rb1k1/pp1q1p1p/2n1p1p1/2bp4/5P2/PP1BPR1Q/1BPN2PP/R5K1 w - -", (324_542, 155_761),
            None, 213_098, 157_269, 185_918),
    Problem(27, "7k/pp4np/2p3p1/3pN1q1/3P4/Q7/1r3rPP/2R2RK1 w - -", (77, 77), 77, 77, 77, 77),
    Problem(35, "r3r2k/2R3pp/pp1q1p2/8/3P3R/7P/PP3PP1/3Q2K1 w - -", (527, 339), 597, 559, 371, 522),
    Problem(49, "2b3k1/4rrpp/p2p4/2pP2RQ/1pP1Pp1N/1P3P1P/1q6/6RK w - -", (16_546, 13_920), None, 14_767, None, 15_625),
    Problem(50, "k4r2/1R4pb/1pQp1n1p/3P4/5p1P/3P2P1/r1q1R2K/8 w - -", (183, 183), 399, 383, 369),
    Problem(51, "r1bq1r2/pp4k1/4p2p/3pPp1Q/3N1R1P/2PB4/6P1/6K1 w - -", (227_361, 129_293), None, 191_822, 173_922),
    Problem(54, "r3kr2/1pp4p/1p1p4/7q/4P1n1/2PP2Q1/PP4P1/R1BB2K1 b q -", (85, 85), 256, 256, 256, 256),
    Problem(55, "r3r1k1/pp1q1pp1/4b1p1/3p2B1/3Q1R2/8/PPP3PP/4R1K1 w - -", (31_456, 25_446),
            15_245, 13_293, 12_749, 14_552),
    Problem(57, "r3q1kr/ppp5/3p2pQ/8/3PP1b1/5R2/PPP3P1/5RK1 w - -", (113, 113), 287, 287, 287),
    Problem(60, "rn1qr1k1/1p2np2/2p3p1/8/1pPb4/7Q/PB1P1PP1/2KR1B1R w - -", (69, 69), 69, 69, 69),
    Problem(61, "3qrbk1/ppp1r2n/3pP2p/3P4/2P4P/1P3Q2/PB6/R4R1K w - -", (78, 78), 78, 78, 78),
    Problem(64, "8/6pp/3q1p2/3n1k2/1P6/3NQ2P/5PP1/6K1 w - -", (137, 137), 153, 153, 153),
    Problem(79, "r3k2r/pbp2pp1/3b1n2/1p6/3P3p/1B2N1Pq/PP1PQP1P/R1B2RK1 b kq -", (152, 152), 152, 152, 152),
    Problem(84, "r2q1r1k/2p1b1pp/p1n5/1p1Q1bN1/4n3/1BP1B3/PP3PPP/R4RK1 w - -", (93, 93), 93, 93, 93),
    Problem(88, "r6k/p1Q4p/2p1b1rq/4p3/B3P3/4P3/PPP3P1/4RRK1 b - -", (759, 687), 595, 547, 542),
    Problem(96, "r1b4k/ppp2Bb1/6Pp/3pP3/1qnP1p1Q/8/PPP3P1/1K1R3R w - -", (1_640_786, 595_457)),
    Problem(97, "6k1/5p2/p5np/4B3/3P4/1PP1q3/P3r1QP/6RK w - -", (107, 107), 107, 107, 107),
    Problem(99, "r1bq1r1k/1pp1Np1p/p2p2pQ/4R3/n7/8/PPPP1PPP/R1B3K1 w - -", (75_411, 60_718), 31_767, 31_302, 27_264),
    Problem(102, "2Q2n2/2R4p/1p1qpp1k/8/3P3P/3B2P1/5PK1/r7 w - -", (279, 279), 199, 199, 199),
    Problem(103, "6k1/2pb1r1p/3p1PpQ/p1nPp3/1q2P3/2N2P2/PrB5/2K3RR w - -", (2_150, 2_031), 1_837, 1_742, 1_731),
    Problem(104, "b4r1k/pq2rp2/1p1bpn1p/3PN2n/2P2P2/P2B3K/1B2Q2N/3R2R1 w - -", (5_047, 4_566), 5_042, 4_660, 4_658),
    Problem(105, "r2r2k1/pb3ppp/1p1bp3/7q/3n2nP/PP1B2P1/1B1N1P2/RQ2NRK1 b - -", (None, None)),
    Problem(132, "4r1k1/5bpp/2p5/3pr3/8/1B3pPq/PPR2P2/2R2QK1 b - -", (2_301, 2_084), 2_291, 2_105, 2_077),
    Problem(134, "3r2k1/p6p/2Q3p1/4q3/2P1p3/P3Pb2/1P3P1P/2K2BR1 b - -", (854, 768), 804, 798, 758),
    Problem(136, "6kr/1q2r1p1/1p2N1Q1/5p2/1P1p4/6R1/7P/2R3K1 w - -", (185, 185), 230, 230, 230),
    Problem(138, "r1bq3r/ppppR1p1/5n1k/3P4/6pP/3Q4/PP1N1PP1/5K1R w - -", (211_466, 137_848), 192_886, 164_106, 118_729),
    Problem(139, "rnb3kr/ppp2ppp/1b6/3q4/3pN3/Q4N2/PPP2KPP/R1B1R3 w - -", (274, 274), 182, 182, 182),
    Problem(143, "5b2/pp2r1pk/2pp1pRp/4rP1N/2P1P3/1P4QP/P3q1P1/5R1K w - -", (900, 816), 521, 520, 520),
    Problem(154, "r1b2rk1/2p2ppp/p7/1p6/3P3q/1BP3bP/PP3QP1/RNB1R1K1 w - -", (117, 117), 197, 197, 196),
    Problem(156, "r1b1qN1k/1pp3p1/p2p3n/4p1B1/8/1BP4Q/PP3KPP/8 w - -", (82, 82), 82, 82, 82),
    Problem(158, "5rk1/n1p1R1bp/p2p4/1qpP1QB1/7P/2P3P1/PP3P2/6K1 w - -", (526, 525), 495, 495, 494),
    Problem(159, "r1b2r2/5P1p/ppn3pk/2p1p1Nq/1bP1PQ2/3P4/PB4BP/1R3RK1 w - -", (385_487, 221_318),
            403_797, 253_108, 274_275),
    Problem(160, "qn1kr2r/1pRbb3/pP5p/P2pP1pP/3N1pQ1/3B4/3B1PP1/R5K1 w - -", (110, 110), 110, 110, 110),
    Problem(161, "3r3k/3r1P1p/pp1Nn3/2pp4/7Q/6R1/Pq4PP/5RK1 w - -", (2_045, 1_191), 1_790, 1_209, 1_209),
    Problem(167, "7Q/ppp2q2/3p2k1/P2Ppr1N/1PP5/7R/5rP1/6K1 b - -", (896, 761), 923, 901, 813),
    Problem(168, "r3k2r/pb1q1p2/8/2p1pP2/4p1p1/B1P1Q1P1/P1P3K1/R4R2 b kq -", (596_956, 236_008),
            None, 317_557, 209_725),
    Problem(172, "5r1k/p5pp/8/1P1pq3/P1p2nR1/Q7/5BPP/6K1 b - -", (99, 99), 99, 99, 99),
    Problem(173, "2r1b3/1pp1qrk1/p1n1P1p1/7R/2B1p3/4Q1P1/PP3PP1/3R2K1 w - -", (419, 404), 419, 418, 404),
    Problem(177, "r1b3r1/4qk2/1nn1p1p1/3pPp1P/p4P2/1p3BQN/PKPBN3/3R3R b - -", (527, 520), 349, 349, 349),
    Problem(179, "r1b2r1k/pp4pp/3p4/3B4/8/1QN3Pn/PP3q1P/R3R2K b - -", (184, 184), 156, 156, 156),
    Problem(182, "r1b2rk1/ppqn1p1p/2n1p1p1/2b3N1/2N5/PP1BP3/1B3PPP/R2QK2R w KQ -", (807_709, 216_039),
            None, 230_648, 212_087),
    Problem(184, "4kn2/r4p1r/p3bQ2/q1nNP1Np/1p5P/8/PPP3P1/2KR3R w - -", (82, 82)),
    Problem(186, "r5r1/p1q2p1k/1p1R2pB/3pP3/6bQ/2p5/P1P1NPPP/6K1 w - -", (108, 108), 108, 108, 108),
    Problem(188, "3RNbk1/pp3p2/4rQpp/8/1qr5/7P/P4P2/3R2K1 w - -", (117, 117), 117, 117, 117),
    Problem(191, "2r1Rn1k/1p1q2pp/p7/5p2/3P4/1B4P1/P1P1QP1P/6K1 w - -", (22_466, 17_287), 22_830, 20_480, 17_858),
    Problem(197, "7k/1p4p1/7p/3P1n2/4Q3/2P2P2/PP3qRP/7K b - -", (95, 95), 95, 95, 95),
    Problem(201, "2b2r1k/4q2p/3p2pQ/2pBp3/8/6P1/1PP2P1P/R5K1 w - -", (1_019_679, 418_655)),
    Problem(203, "r4rk1/5ppp/p3q1n1/2p2NQ1/4n3/P3P3/1B3PPP/1R3RK1 w - -", (19_917, 17_068), 20_980, 18_429, 17_265),
    Problem(211, "r1bqrk2/pp1n1n1p/3p1p2/P1pP1P1Q/2PpP1NP/6R1/2PB4/4RBK1 w - -", (278, 231), 278, 272, 231),
    Problem(212, "rn1qr2Q/pbppk1p1/1p2pb2/4N3/3P4/2N5/PPP3PP/R4RK1 w - -", (458, 457), 545, 545, 543),
    Problem(215, "3r2k1/pb1q1pp1/1p2pb1p/8/3N4/P2QB3/1P3PPP/1Br1R1K1 w - -", (164, 164), 164, 164, 164),
    Problem(217, "r3kb1r/1pp3p1/p3bp1p/5q2/3QN3/1P6/PBP3P1/3RR1K1 w kq -", (271, 271), 199, 199, 199),
    Problem(218, "6k1/pp5p/2p3q1/6BP/2nPr1Q1/8/PP3R1K/8 w - -", (277_639, 177_847), 270_277, 225_638, 160_720),
    Problem(219, "7k/p4q1p/1pb5/2p5/4B2Q/2P1B3/P6P/7K b - -", (157, 157), 140, 140, 140),
    Problem(222, "2r1r2k/1q3ppp/p2Rp3/2p1P3/6QB/p3P3/bP3PPP/3R2K1 w - -", (59_591, 25_194), 60_855, 48_209, 22_827),
    Problem(225, "4R3/4q1kp/6p1/1Q3b2/1P1b1P2/6KP/8/8 b - -", (342, 342), 263, 263, 263),
    Problem(241, "2rq1rk1/pp3ppp/2n2b2/4NR2/3P4/PB5Q/1P4PP/3R2K1 w - -", (360_983, 191_588)),
    Problem(244, "r6r/pp3ppp/3k1b2/2pb4/B4Pq1/2P1Q3/P5PP/1RBR2K1 w - -", (458, 458), 323, 323, 323),
    Problem(246, "6R1/4qp1p/ppr1n1pk/8/1P2P1QP/6N1/P4PP1/6K1 w - -", (120, 120), 61, 61, 61),
    Problem(250, "1b5k/7P/p1p2np1/2P2p2/PP3P2/4RQ1R/q2r3P/6K1 w - -", (1_147, 1_121), 1_102, 1_101, 1_076, 1_071),
    Problem(251, "k7/p4p2/P1q1b1p1/3p3p/3Q4/7P/5PP1/1R4K1 w - -", (136_479, 84_844), 88_547, 70_104, 53_285, 57_798),
    Problem(252, "1rb1r1k1/p1p2ppp/5n2/2pP4/5P2/2QB4/qNP3PP/2KRB2R b - -", (537_628, 353_999),
            None, None, 352_315, 386_046),
    Problem(253, "k5r1/p4b2/2P5/5p2/3P1P2/4QBrq/P5P1/4R1K1 w - -", (2_355, 1_066), 2_709, 1_189, 1_176, 2_477),
    Problem(260, "2r2b1r/p1Nk2pp/3p1p2/N2Qn3/4P3/q6P/P4PP1/1R3K1R w - -", (807, 730), 841, 794, 729, 804),
    Problem(263, "rnbqr2k/pppp1Qpp/8/b2NN3/2B1n3/8/PPPP1PPP/R1B1K2R w KQ -", (887, 848), 654, 621, 621, 651),
    Problem(266, "r3q2r/2p1k1p1/p5p1/1p2Nb2/1P2nB2/P7/2PNQbPP/R2R3K b - -", (716, 711), 716, 716, 711, 711),
    Problem(267, "2r1kb1r/pp3ppp/2n1b3/1q1N2B1/1P2Q3/8/P4PPP/3RK1NR w Kk -", (1_206, 1_137),
            1_136, 1_001, 1_001, 1_089),
    Problem(278, "r2qkb1r/pppb2pp/2np1n2/5pN1/2BQP3/2N5/PPP2PPP/R1B1K2R w KQkq -", (636, 636), 333, 333, 333, 333),
    Problem(281, "2R5/2R4p/5p1k/6n1/8/1P2QPPq/r7/6K1 w - -", (317_214, 36_705), 316_252, 93_578, None, 46_033),
    Problem(282, "6k1/2p3p1/1p1p1nN1/1B1P4/4PK2/8/2r3b1/7R w - -", (749, 725), 749, 729, 725, 742),
    Problem(283, "3q1rk1/4bp1p/1n2P2Q/3p1p2/6r1/Pp2R2N/1B4PP/7K w - -", (30_778, 28_008),
            14_787, 14_530, 14_070, 14_165),
    Problem(285, "2rr3k/1b2bppP/p2p1n2/R7/3P4/1qB2P2/1P4Q1/1K5R w - -", (218, 218), 218, 218, 218, 218),
    Problem(290, "2k2r2/2p5/1pq5/p1p1n3/P1P2n1B/1R4Pp/2QR4/6K1 b - -", (523, 523), 408, 408, 408, 408),
    Problem(293, "1nbq1r1k/3rbp1p/p1p1pp1Q/1p6/P1pPN3/5NP1/1P2PPBP/R4RK1 w - -", (121_720, 93_647),
            97_666, 94_138, 75_283, 75_509),
    Problem(295, "4r3/p4r1p/R1p2pp1/1p1bk3/4pNPP/2P1K3/2P2P2/3R4 w - -", (81, 81), 134, 134, 134, 134),
    Problem(298, "3Q4/p3b1k1/2p2rPp/2q5/4B3/P2P4/7P/6RK w - -", (150, 150), 150, 150, 150, 150),)
# fmt: on
