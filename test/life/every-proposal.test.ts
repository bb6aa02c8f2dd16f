import { describe, expect, test } from 'vitest';
import { commandOf, giveCode, momentOf } from './code.js';
import { type Kept, nothingKept, openRow, type ProposalRow } from './kept-rows.js';
import type { Wish } from './model-rules.js';
import { allActors, Run } from './run.js';
import { one, situations } from './situations.js';
import { idMaker, type Shape } from './states.js';

/** Each command about proposals, as it is given here: to the first proposal of the deal. */
const asked = {
  'propose an amendment': { name: 'propose', changes: { title: 'Another deal' } },
  'propose a settlement': { name: 'propose', changes: 50n },
  accept: { name: 'accept-proposal', proposal: 0, hash: 'right' },
  'accept other terms': { name: 'accept-proposal', proposal: 0, hash: 'wrong' },
  reject: { name: 'reject-proposal', proposal: 0 },
  withdraw: { name: 'withdraw-proposal', proposal: 0 },
} as const;
type Asked = keyof typeof asked;

const kinds = ['amendment', 'settlement'] as const;
const sides = ['partner', 'freelancer'] as const;
const closed = ['accepted', 'rejected', 'withdrawn', 'superseded', 'expired'] as const;
type Kind = (typeof kinds)[number];

/** The states of a deal in which a proposal of a kind is made, and accepted (9.3). */
const timely: Readonly<Record<Kind, readonly string[]>> = {
  amendment: ['created', 'accepted', 'delivered', 'changes_requested', 'approved'],
  settlement: ['accepted', 'delivered', 'changes_requested', 'approved', 'disputed'],
};

/** A proposal of a deal: open, over by the clock where no timer has run, or closed. */
interface Given {
  readonly kind: Kind;
  readonly by: string;
  readonly status: 'open' | 'over' | (typeof closed)[number];
}

/** Makes such a proposal as soon as it is legal, and again once work has moved that it is about. */
class Proposing extends Run {
  constructor(
    shape: Shape,
    private readonly made: Omit<Given, 'status'>,
  ) {
    super(shape);
    this.make();
  }

  override step(wish: Wish) {
    const answer = super.step(wish);
    if (wish.name !== 'propose') this.make();
    return answer;
  }

  private make(): void {
    const { kind, by } = this.made;
    const { status } = this.state.deal;
    // what a partner proposes in `created` is never open
    const isOpen = status !== 'created' || by === 'freelancer';
    const isMade = openRow(this.state) !== undefined;
    if (isMade || !isOpen || !timely[kind].includes(status)) return;
    const changes = kind === 'amendment' ? { description: 'Other work' } : 40n;
    this.step({ name: 'propose', actor: by, changes });
  }
}

/** The answers of 9.1 to 9.4, by hand. */
function expectedOf(
  status: string,
  version: string,
  proposal: Given | undefined,
  what: Asked,
  actor: string,
): string {
  const isSide = actor === 'partner' || actor === 'freelancer';
  if (what === 'propose an amendment' || what === 'propose a settlement') {
    const kind = what === 'propose an amendment' ? 'amendment' : 'settlement';
    return isSide && timely[kind].includes(status) ? 'ok' : 'x';
  }
  if (proposal === undefined) return 'not_found';
  const { kind, by } = proposal;
  const isBoth = version === '1.0' && actor === 'partner';
  const isOwn = what === 'withdraw';
  if (!isSide || !(isBoth || (actor === by) === isOwn)) return 'x';
  const end = { accept: 'accepted', 'accept other terms': 'accepted', reject: 'rejected' };
  const to = what === 'withdraw' ? 'withdrawn' : end[what];
  if (proposal.status === to) return '=';
  if (proposal.status !== 'open') return 'x';
  if (to !== 'accepted') return 'ok';
  if (!timely[kind].includes(status)) return 'x';
  if (what === 'accept other terms') return 'terms_changed';
  // only a freelancer consents to a settlement
  return isBoth && by === 'partner' && kind === 'settlement' ? 'consent_needed' : 'ok';
}

function answerOf(run: Run, row: ProposalRow | undefined, given: Given | undefined, wish: Wish) {
  const isOpen = given?.status === 'open' || given?.status === 'over';
  const deal = { ...run.state.deal, proposal: isOpen ? JSON.stringify(row) : null };
  const state = { ...run.state, deal };
  const shut = { ...row, partner_id: deal.partner_id, status: given?.status } as object;
  const kept = {
    ...nothingKept,
    proposal: row === undefined || isOpen ? [] : [shut],
  } as Kept;
  const now = given?.status === 'over' ? Date.parse(row?.expires_at ?? '') : run.now;
  const moment = momentOf(run.shape, now, idMaker(), () => 900);
  return giveCode(state, kept, commandOf(wish, state, kept), moment).match(
    ({ insert, change, events }) =>
      insert.length + change.length + events.length > 0 ? 'ok' : '=',
    (error) => {
      if (error.code === 'illegal_transition') {
        const expected = given?.status === 'over' ? 'expired' : given?.status;
        if (wish.name !== 'propose') expect(error.proposal_status).toBe(expected);
        return 'x';
      }
      return error.code === 'precondition_failed' ? error.reason : error.code;
    },
  );
}

/** All proposals that a deal in this situation may have, each with the run that made it. */
function* proposalsOf(shape: Shape, reach: (run: Run) => void) {
  const bare = new Run(shape);
  reach(bare);
  yield { run: bare };
  for (const kind of kinds) {
    for (const by of sides) {
      const run = new Proposing(shape, { kind, by });
      reach(run);
      const row = openRow(run.state) ?? run.kept.proposal[0];
      if (row === undefined) continue;
      const isOpen = run.state.deal.proposal !== null;
      const all = isOpen ? (['open', 'over', ...closed] as const) : closed;
      for (const status of all) yield { run, row, given: { kind, by, status } };
    }
  }
}

describe.each(['1.0', '2.0'] as const)('a proposal of a deal of version %s', (version) => {
  const seen = new Set<string>();
  test.each(situations)('that is $is', ({ reach, is }) => {
    const found: string[] = [];
    const should: string[] = [];
    for (const { run, row, given } of proposalsOf({ ...one, version }, reach)) {
      const { status } = run.state.deal;
      expect(status).toBe(is.split(' ')[0]);
      for (const what of Object.keys(asked) as Asked[]) {
        for (const actor of allActors) {
          const of = given === undefined ? 'no proposal' : Object.values(given).join(' ');
          const name = `${of}: ${what} by ${actor}`;
          found.push(`${name}: ${answerOf(run, row, given, { ...asked[what], actor })}`);
          should.push(`${name}: ${expectedOf(status, version, given, what, actor)}`);
          seen.add(`${status} ${name}`);
        }
      }
    }
    expect(found).toEqual(should);
  });

  test('is answered in every state of the deal and of the proposal', () => {
    const deals = [...new Set(situations.map(({ is }) => is.split(' ')[0] ?? ''))];
    const ended = ['completed', 'cancelled', 'expired'];
    const missing = deals.flatMap((deal) =>
      kinds.flatMap((kind) =>
        sides.flatMap((by) =>
          ['open', 'over', ...closed].flatMap((status) => {
            // an end closes what is open, and nobody settles what nobody has accepted
            const isNever =
              (ended.includes(deal) && /open|over/.test(status)) ||
              (/created|expired/.test(deal) && kind === 'settlement') ||
              (/created|expired/.test(deal) && by === 'partner');
            const names = Object.keys(asked).flatMap((what) =>
              allActors.map((actor) => `${deal} ${kind} ${by} ${status}: ${what} by ${actor}`),
            );
            return names.filter((name) => seen.has(name) === isNever);
          }),
        ),
      ),
    );
    expect(missing).toEqual([]);
  });
});
