// The lines of go-moku for the check of threat trees, as engine/rules/gomoku_threats.py has them. Sets of squares are
// BigInts. The defender may use longer rows too: what is won by these harsher rules is won by the rules of the game.

/** @returns `attack` and `defence`, each from the stones of attacker and defender, whoever is to move. */
export function linesOf(sets, board, steps, length, standard) {
  const shapes = steps.map((step) => {
    let shape = 0n;
    for (let k = 0; k < length; k += 1) shape |= 1n << (step * BigInt(k));
    return shape;
  });

  /** For each direction the first squares of its lines without foreign stones that lack one, two and three stones. */
  function lines(own, empty, exact) {
    return steps.map((step, direction) => {
      let all = own | empty, one = empty, two = 0n, three = 0n, more = 0n;
      const usable = all;
      for (let k = 1; k < length; k += 1) {
        const free = empty >> (step * BigInt(k));
        all &= usable >> (step * BigInt(k));
        more |= three & free;
        three |= two & free;
        two |= one & free;
        one |= free;
      }
      if (exact) all &= ~((own << step) | (own >> (step * BigInt(length))));
      return { step, direction, one: all & one & ~two, two: all & two & ~three, three: all & three & ~more };
    });
  }

  /** The squares of lines that start on these squares. */
  function covered(step, starts) {
    let found = starts;
    for (let reach = 1; starts && reach < length; ) {
      const more = Math.min(reach, length - reach);
      found |= found << (BigInt(more) * step);
      reach += more;
    }
    return found;
  }

  return {
    /** The squares on which the attacker wins; where there is none, his double threats with the squares after each. */
    attack(attacker, defender) {
      const empty = board & ~(attacker | defender), found = lines(attacker, empty, standard);
      const wins = found.reduce((sum, { step, one }) => sum | covered(step, one), 0n) & empty;
      if (wins) return { wins, doubles: [] };
      const partners = new Map();
      for (const { direction, two } of found) {
        for (let starts = two; starts; starts &= starts - 1n) {
          const pair = (shapes[direction] * (starts & -starts)) & empty, first = pair & -pair, second = pair ^ first;
          partners.set(first, (partners.get(first) ?? 0n) | second);
          partners.set(second, (partners.get(second) ?? 0n) | first);
        }
      }
      return { wins: 0n, doubles: [...partners].filter(([, after]) => after & (after - 1n)) };
    },
    /** The empty squares of the defender's open lines that lack one stone, at most two, at most three. */
    defence(attacker, defender) {
      const empty = board & ~(attacker | defender);
      let [one, two, three] = [0n, 0n, 0n];
      for (const found of lines(defender, empty, false)) {
        one |= covered(found.step, found.one);
        two |= covered(found.step, found.two);
        three |= covered(found.step, found.three);
      }
      return { one: one & empty, two: (one | two) & empty, three: (one | two | three) & empty };
    },
  };
}
