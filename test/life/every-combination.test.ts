import { type DealState, decide, type Lifecycle, lifecycle } from 'dealwright/life';
import { describe, expect, test } from 'vitest';
import { proposalCommands } from './model-proposals.js';
import { digest } from './model-terms.js';
import { allActors, commands, Run } from './run.js';
import { type Answer, one, type Situation, situations } from './situations.js';
import { dayOne, idMaker, instant, newDeal } from './states.js';

const table: Lifecycle = lifecycle;

/** The smallest valid input of each command. */
function commandOf(name: string, actor: string): Parameters<typeof decide>[2] {
  const report = { status: 'processing', reference: 'x' };
  const command: object = {
    name,
    actor,
    reason: 'because',
    ...(name === 'resolve' && { agreed_amount: 0n }),
    ...(name === 'add-bonus' && { amount: 100n }),
    ...(name.startsWith('record-') && { report }),
  };
  return command as Parameters<typeof decide>[2];
}

function answerOf(state: DealState, name: string, actor: string, now: number): Answer {
  const result = decide(table, state, commandOf(name, actor), {
    now: instant(now),
    newId: idMaker(),
    digest,
  });
  return result.match(
    ({ insert, change, events }) =>
      insert.length + change.length + events.length > 0 ? 'ok' : '=',
    (error) => {
      if (error.code === 'illegal_transition') return 'x';
      return error.code === 'precondition_failed' ? error.reason : (error.errors[0]?.code ?? '');
    },
  );
}

/** The partner of a deal of version 1.0 also answers for its freelancer. */
function expectedOf({ answers, is }: Situation, version: string, name: string, actor: string) {
  const own = answers[`${name} ${actor}`];
  const isBoth = version === '1.0' && actor === 'partner';
  // in 2.0 the partner delivers nothing before the deal was accepted
  if (name === 'deliver' && is.startsWith('created') && isBoth) return 'no_files';
  return own ?? (isBoth ? answers[`${name} freelancer`] : undefined) ?? 'x';
}

describe.each(['1.0', '2.0'] as const)('a deal of version %s', (version) => {
  let asked = 0;
  test.each(situations)('that is $is', (situation) => {
    const run = new Run({ ...one, version });
    situation.reach(run);
    const { deal, stage } = run.state;
    expect(`${deal.status} ${deal.freelancer_status} ${stage[0]?.status}`).toBe(situation.is);
    const known = commands.flatMap((name) => allActors.map((actor) => `${name} ${actor}`));
    expect(Object.keys(situation.answers).filter((each) => !known.includes(each))).toEqual([]);
    const [expected, actual] = [expectedOf, null].map((of) =>
      commands.flatMap((name) =>
        allActors.map((actor) => {
          asked += 1;
          const answer = of
            ? of(situation, version, name, actor)
            : answerOf(run.state, name, actor, run.now);
          return `${name} by ${actor}: ${answer}`;
        }),
      ),
    );
    expect(actual).toEqual(expected);
  });

  test('has an answer to every command of every actor in each of them', () => {
    expect(asked / 2).toBe(situations.length * commands.length * allActors.length);
  });
});

test('the table knows no command that is not asked for here, and the other way round', () => {
  const all = [...commands, ...proposalCommands].sort();
  expect([...new Set(table.map(({ command }) => command))].sort()).toEqual(all);
});

test('a deal that cannot come to be is answered too', () => {
  const deals = [...new Set(situations.map(({ is }) => is.split(' ')[0] ?? ''))];
  const people = ['new', 'invited', 'accepted', 'declined', 'expired', 'removed', 'finished'];
  const stages = ['pending', 'submitted', 'changes_requested', 'approved', 'paid', 'cancelled'];
  const start = newDeal(one);
  const odd: string[] = [];
  let asked = 0;
  for (const status of deals)
    for (const freelancer_status of people)
      for (const each of stages) {
        const stage = start.stage.map((row) => ({ ...row, status: each }));
        const deal = { ...start.deal, status, freelancer_status };
        const reached: object = { ...start, deal, stage };
        const state = reached as DealState;
        for (const name of commands)
          for (const actor of allActors) {
            // it must not throw, and must answer in one word
            const answer = answerOf(state, name, actor, dayOne);
            if (!/^[=a-z_]+$/.test(answer)) odd.push(`${status} ${name} ${actor}: ${answer}`);
            asked += 1;
          }
      }
  expect(odd).toEqual([]);
  expect(asked).toBe(9 * 7 * 6 * commands.length * allActors.length);
});
