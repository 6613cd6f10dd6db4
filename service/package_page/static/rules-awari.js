// Awari, as engine/rules/awari.py has it. A position: the mover's six pits in the order of sowing, the opponent's six,
// both stores, and who is to move, 0 for South.

const STONES = 48, NAMES = ["ABCDEF", "abcdef"];
const sum = (pits) => pits.reduce((total, stones) => total + stones, 0);
const TEXT = /^(?:(\d{1,2}):)?(\d{1,2}(?:,\d{1,2}){5})\/(\d{1,2}(?:,\d{1,2}){5})(?::(\d{1,2}))?(?:\/([SN]))?$/;

function choose(n, k) {
  let found = 1;
  for (let factor = 1; factor <= k; factor += 1) found = (found * (n - k + factor)) / factor;
  return found;
}

/** The game, or that of `oware`; null for other parameters. */
export function awari(parameters) {
  if (parameters && parameters !== "oware") return null;
  const oware = parameters === "oware", prefix = oware ? "awari_oware-" : "awari-";

  /** All twelve pits after a move, captured stones taken off. */
  function sow({ own, other }, move) {
    const pits = [...own, ...other];
    let stones = pits[move], pit = move;
    pits[move] = 0;
    while (stones) {
      pit = (pit + 1) % 12;
      if (pit === move) continue;
      pits[pit] += 1;
      stones -= 1;
    }
    const sown = [...pits];
    for (; pit >= 6 && (pits[pit] === 2 || pits[pit] === 3); pit -= 1) pits[pit] = 0;
    return oware && sum(sown.slice(6)) && !sum(pits.slice(6)) ? sown : pits;
  }
  const limit = ({ own, other }) => sum(own) + sum(other);
  const reward = (position, move) => limit(position) - sum(sow(position, move));
  return {
    rulesVersion: 1,
    highest: STONES,
    winsByOwnMove: false,
    sides: ["South", "North"],
    initial: () => ({ own: Array(6).fill(4), other: Array(6).fill(4), ownStore: 0, otherStore: 0, side: 0 }),
    side: ({ side }) => side,
    score: ({ ownStore, otherStore }) => ownStore - otherStore,
    terminal: ({ own, other }) => (own.some(Boolean) ? null : -sum(other)),
    repetition: () => 0,
    limit,
    reward,
    moves(position) {
      const moves = [0, 1, 2, 3, 4, 5].filter((pit) => position.own[pit]);
      const feeding = moves.filter((pit) => sow(position, pit).slice(6).some(Boolean));
      return feeding.length ? feeding : moves;
    },
    play(position, move) {
      const pits = sow(position, move), { ownStore, otherStore, side } = position;
      return {
        own: pits.slice(6), other: pits.slice(0, 6), ownStore: otherStore, otherStore: ownStore + reward(position, move), side: 1 - side,
      };
    },
    key({ own, other }) {
      let number = 0n;
      for (const stones of [...own, ...other].reverse()) number = (number << BigInt(stones + 1)) | ((1n << BigInt(stones)) - 1n);
      return number.toString(16).padStart(16, "0");
    },
    position(text) {
      if (text.length !== 16) throw new Error("that is no key of awari");
      const bits = [...BigInt(`0x${text}`).toString(2).padStart(64, "0")].reverse().join("");
      const pits = bits.split("0", 12).map((ones) => ones.length);
      if (bits.replaceAll("0", "").length > sum(pits) || sum(pits) > STONES) throw new Error("that is no key of awari");
      return { own: pits.slice(0, 6), other: pits.slice(6), ownStore: 0, otherStore: 0, side: 0 };
    },
    text(position) {
      const { own, other, ownStore, otherStore, side } = position;
      const [south, north] = side ? [other, own] : [own, other];
      const [southStore, northStore] = side ? [otherStore, ownStore] : [ownStore, otherStore];
      const rows = `${[...north].reverse().join(",")}/${south.join(",")}`;
      const shown = southStore || northStore ? `${northStore}:${rows}:${southStore}` : rows;
      return `${shown}/${"SN"[side]}`;
    },
    parse(text) {
      const found = TEXT.exec(text);
      if (!found || (found[1] === undefined) !== (found[4] === undefined)) {
        throw new Error("a position is two rows of six pits, North's f to a first, and the side to move, such as 0,0,1,3,1,1/1,0,4,19,4,2/S");
      }
      const north = found[2].split(",").map(Number).reverse(), south = found[3].split(",").map(Number);
      const northStore = Number(found[1] ?? 0), southStore = Number(found[4] ?? 0), side = found[5] === "N" ? 1 : 0;
      if (sum(north) + sum(south) + northStore + southStore > STONES) throw new Error(`the game has ${STONES} stones`);
      const [own, other] = side ? [north, south] : [south, north];
      const [ownStore, otherStore] = side ? [northStore, southStore] : [southStore, northStore];
      return { own, other, ownStore, otherStore, side };
    },
    moveText(position, move) {
      const captured = reward(position, move);
      return `${NAMES[position.side][move]}${position.own[move]}${captured ? `x${captured}` : ""}`;
    },
    /** The table that a position belongs in, and the number of its entry (docs/tables.md). */
    tableEntry({ own, other }) {
      let stones = 0, entry = 0;
      [...own, ...other].slice(0, 11).forEach((pit, bar) => {
        stones += pit;
        entry += choose(stones + bar, bar + 1);
      });
      return [`${prefix}${stones + other[5]}`, entry];
    },
  };
}
