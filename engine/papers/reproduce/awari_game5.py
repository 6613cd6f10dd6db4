"""Game 5 between Lithidion and MARCO, and what Table 1 prints of its positions.

Allis, van der Meulen, van den Herik, Proof-number search (1994): the moves from Appendix B, the numbers of nodes from
Table 1. The print runs `d6x2` and the number of the next move together; otherwise every capture that it gives is right.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["MOVES", "POSITIONS", "PRINTED_NAMES", "Printed"]

MOVES = (
    "D4 b5 B4 e5x2 C6 b1 D1 f6 C1 c7x3 C1 d6x2 B4 a6 A10 a1 D2 f3 C4 a1 A1 e4 A1 f1 B5 d2 A1 e1 C2 f2x2 D3x2 c2 "
    "A1 e1 B1 b4 F14x7 f3x7 D1 e2 A1 f1 A1 d3 B2 f1x2 D1 e1 C1 f1 E19 a2 B1 f2 D2 e2 E1 d2 B1 b3 A5 d1 B1 f2 E1 "
    "c4x2 D1 f1 A1 d1 E1 e5 A1 f1 C6 c1 D2 a1 B4 b2 A1 d2 C1 e1 B1 c1 D2 d1 C1 f2 B1 e1 A1 f1 E4 c1 D1 b1 C1 d1 "
    "A1 e1 E1 a1 D1 b1 E1 c2 F14x6 e2x2 C1 d2 D2 e1 B3 f5 F1 a1 B1 b1 E4x2 a1 A1 b2 D2 d1 E1 c1 C3 e1 B1 d1 D1 f1 "
    "A1 e1 C1 f1 E2 a1 B1 b1 D1 c1 A1 d1 C1 e1 D1 f1 E2 a1 B1 b1 A1 c1 B1 d1 C2 e1 D1 f1 E2 a1 A1 b1 B1 c1 C1 d1 "
    "D1 e1 F7 b1 A1 f2x2 A1 e1 B1 d1 E1 a1 C1 c2 D1 b1 F1 e2 E1 a1 F1 d1 A1 f2x2 "
)

PRINTED_NAMES = ("alpha-beta", "with table", "pn-search")
"""The algorithms, in the order of the columns."""


class Printed(NamedTuple):
    """A row of Table 1. None: the search was given up, after 500 million nodes or (with a table) 100 million."""

    position: str
    """The number of the move, and in brackets who is to make it."""
    alpha_beta: int | None
    with_table: int | None
    pn_search: int
    """Nodes of all two-valued searches together."""
    max_pos: int
    """Nodes of the largest of them."""
    max_tree: int
    """The most nodes that one of them held at a time; above 83,000 within 5 %."""

    def nodes(self, algorithm: str) -> int | None:
        """The nodes of one of PRINTED_NAMES, whatever follows its name; None of all others."""
        name = algorithm.split(",", maxsplit=1)[0]
        return self[1 + PRINTED_NAMES.index(name)] if name in PRINTED_NAMES else None  # type: ignore[return-value]

    @property
    def ply(self) -> int:
        """How many moves of the game come before the position."""
        number, _, side = self.position.partition("(")
        return 2 * (int(number) - 1) + (side == "N)")


POSITIONS = (
    Printed("55(N)", 1, 1, 5, 1, 1),
    Printed("55(S)", 212, 188, 419, 231, 78),
    Printed("54(N)", 245, 225, 843, 239, 79),
    Printed("54(S)", 49_671, 5_670, 1_589, 749, 198),
    Printed("53(N)", 318_119, 12_820, 4_271, 1_278, 523),
    Printed("53(S)", 1_709_963, 366_618, 5_727, 2_503, 889),
    Printed("52(N)", 3_475_319, 458_497, 11_492, 2_900, 829),
    Printed("52(S)", 15_502_284, 2_874_623, 87_967, 47_162, 26_180),
    Printed("51(N)", 51_176_384, 6_853_242, 90_150, 38_215, 23_541),
    Printed("51(S)", 37_965_868, 2_433_370, 224_314, 156_348, 43_205),
    Printed("50(N)", 144_071_919, 3_134_803, 768_686, 344_395, 87_903),
    Printed("50(S)", 161_134_944, 5_378_362, 613_750, 397_154, 83_966),
    Printed("49(N)", 24_879_754, 2_977_981, 668_746, 382_383, 105_604),
    Printed("49(S)", 27_440_022, 3_508_885, 799_694, 369_907, 119_737),
    Printed("48(N)", 75_709_058, 4_899_017, 898_058, 554_404, 145_802),
    Printed("48(S)", 75_837_856, 4_961_444, 1_340_785, 554_416, 145_791),
    Printed("47(N)", 75_837_857, 4_961_445, 902_685, 554_417, 145_792),
    Printed("47(S)", 76_126_790, 5_000_194, 1_349_656, 554_679, 145_605),
    Printed("46(N)", 76_126_791, 5_000_195, 910_627, 554_680, 145_606),
    Printed("46(S)", 96_567_363, 6_390_241, 2_109_880, 903_273, 208_961),
    Printed("45(N)", 38_673_386, 9_605_678, 4_199_020, 1_442_758, 617_544),
    Printed("45(S)", 39_486_568, 10_369_223, 4_722_589, 1_442_835, 617_473),
    Printed("44(N)", 50_133_433, 14_903_279, 4_341_932, 1_451_921, 634_121),
    Printed("44(S)", 61_816_867, 11_284_030, 4_789_675, 1_452_571, 633_620),
    Printed("43(N)", 104_434_567, 23_327_160, 4_377_050, 1_454_076, 633_976),
    Printed("43(S)", 118_018_891, 28_960_404, 5_420_622, 1_583_829, 633_914),
    Printed("42(N)", 361_547_784, 62_164_036, 9_857_925, 3_758_110, 1_251_625),
    Printed("42(S)", None, None, 14_703_057, 5_539_659, 2_368_832),
    Printed("41(N)", None, None, 17_099_650, 5_562_074, 2_368_622),
)
