import type { DomainEvent } from 'dealwright/ports';
import { expect, it } from 'vitest';
import { createEventCheck } from './check-events.js';
import { createJournal, type Given } from './journal.js';

const tenant = { environment: 'sandbox', partner: 'acme' } as const;
// SHA-256 of the key
const cause = '2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683';
const approved: DomainEvent = {
  id: 'e1',
  type: 'deal.approved',
  ...tenant,
  subject: 'deal:d',
  sequence: 1,
  at: '2026-01-01T00:00:00.000Z',
  actor: 'partner',
  cause,
  data: {
    partner_id: 'd',
    status: 'approved',
    freelancer_status: 'accepted',
    stage_ids: [1],
    message: 'command-1',
  },
};

function problemsOf(command: Partial<Given>, events: readonly DomainEvent[]): readonly string[] {
  const journal = createJournal();
  const of = journal.add({
    kind: 'deal',
    tenant,
    name: 'd',
    key: undefined,
    path: '',
    body: {},
  });
  const given = {
    kind: 'command',
    tenant,
    name: 'command-1',
    command: 'approve',
    path: '',
    of,
  } as const;
  journal.commands.push({
    ...given,
    ...{ key: 'key', body: {}, answer: {}, isRefused: false, isFresh: true },
    ...command,
  });
  const { read, check } = createEventCheck(journal);
  for (const event of events) read(event);
  check();
  return journal.problems;
}

it('is content with one event for each command that was done', () => {
  expect(problemsOf({}, [approved])).toEqual([]);
  // the command was not acknowledged
  expect(problemsOf({ answer: undefined }, [])).toEqual([]);
});

it('is content with a proposal that takes effect at once', () => {
  const event = (id: string, type: string, by: string | null, message?: string) => {
    const data = { partner_id: 'd', status: 'created', freelancer_status: 'new', message };
    return { ...approved, id, type, cause: by, data } as DomainEvent;
  };
  const proposed = event('e1', 'proposal.created', cause, 'command-1');
  const problems = (of: string | null) =>
    problemsOf({ command: 'propose' }, [proposed, event('e2', 'proposal.accepted', of)]).join();
  expect(problems('e1')).toBe('');
  expect(problems(null)).toContain('nobody asked for');
});

it.each([
  ['a command that is lost', {}, [], 'was acknowledged, and has no event'],
  ['one that is done twice', {}, [approved, { ...approved, id: 'e2' }], 'is there twice'],
  ['one of another key', { key: 'other' }, [approved], 'has the event'],
  ['one without its cause', {}, [{ ...approved, cause: null }], 'has the event'],
  ['another event', { command: 'dispute' }, [approved], 'has the event'],
  [
    'one that nobody gave',
    { name: 'command-2', answer: undefined },
    [approved],
    'nobody has given',
  ],
  [
    'one that was refused',
    { key: undefined, answer: undefined, isRefused: true },
    [{ ...approved, cause: null }],
    'was refused, and is done',
  ],
] as const)('complains of %s', (_, command, events, problem) => {
  expect(problemsOf(command, events).join()).toContain(problem);
});
