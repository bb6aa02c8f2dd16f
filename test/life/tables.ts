import type { Lifecycle, Rule } from 'dealwright/life';

/** The possible statuses of a deal after its stages moved (decision 6.2). */
const byStages = ['accepted', 'delivered', 'changes_requested', 'approved', 'completed'];
/** The states that a paid payout completes: the stages decide it, not a command. */
const byPayments: readonly [string, string][] = [['approved', 'completed']];

/** The states and moves of a table, found by reading only the table. */
export interface Ways {
  readonly states: ReadonlySet<string>;
  /** From each state to the states that one command leads to. */
  readonly next: ReadonlyMap<string, ReadonlySet<string>>;
}

const targetsOf = ({ to, stage }: Rule, from: string): readonly string[] => {
  if (to === 'stages' || (to === undefined && stage !== undefined)) return byStages;
  return [to ?? from];
};

export function waysOf(table: Lifecycle): Ways {
  const next = new Map<string, Set<string>>();
  const add = (from: string, to: string) => {
    next.set(from, (next.get(from) ?? new Set<string>()).add(to));
  };
  for (const rule of table) {
    for (const from of rule.from) for (const to of targetsOf(rule, from)) add(from, to);
  }
  for (const [from, to] of byPayments) add(from, to);
  const all = [...next].flatMap(([from, to]) => [from, ...to]);
  return { states: new Set(all), next };
}

function reachable({ next }: Ways, from: string): ReadonlySet<string> {
  const found = new Set([from]);
  for (const state of found) for (const each of next.get(state) ?? []) found.add(each);
  return found;
}

/** The states from which a deal can never come to an end. */
export function deadEnds(table: Lifecycle, finals: readonly string[]): readonly string[] {
  const ways = waysOf(table);
  return [...ways.states].filter((state) => {
    const found = reachable(ways, state);
    return !finals.some((final) => found.has(final));
  });
}

/** The states that a deal cannot reach from its beginning. */
export function unreachable(table: Lifecycle, start: string): readonly string[] {
  const ways = waysOf(table);
  const found = reachable(ways, start);
  return [...ways.states].filter((state) => !found.has(state));
}

/** The commands that would take a deal out of a final state. */
export function leavesFinal(table: Lifecycle, finals: readonly string[]): readonly string[] {
  return table.flatMap((rule) => {
    const isMoving = rule.to !== undefined || rule.freelancerTo !== undefined || rule.stage;
    return isMoving && rule.from.some((from) => finals.includes(from)) ? [rule.command] : [];
  });
}

/** The states, not final, in which only the clock and payments can act. */
export function stuck(table: Lifecycle, finals: readonly string[]): readonly string[] {
  const people = ['partner', 'freelancer', 'operator'];
  return [...waysOf(table).states].filter(
    (state) =>
      !finals.includes(state) &&
      !table.some(
        ({ by, from, to }) =>
          to !== undefined && from.includes(state) && by.some((each) => people.includes(each)),
      ),
  );
}
