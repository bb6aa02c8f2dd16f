import { isDeepStrictEqual } from 'node:util';
import type { Dice } from './dice.js';
import { dealAnswer, type Given, type Intent, type Journal } from './journal.js';
import { ask, keyed, type Talk, text } from './send.js';

/** The event of each command. */
export const eventOf: Readonly<Record<string, string>> = {
  invite: 'deal.invited',
  accept: 'deal.accepted',
  decline: 'deal.declined',
  cancel: 'deal.cancelled',
  deliver: 'deal.delivered',
  approve: 'deal.approved',
  'request-changes': 'deal.changes_requested',
  dispute: 'deal.disputed',
  propose: 'proposal.created',
  'accept-proposal': 'proposal.accepted',
  'add-bonus': 'deal.bonus_added',
};

/** Each of these is another one, also if it is given again. */
export const isNewEachTime = (command: string): boolean => /^(propose|add-bonus)$/.test(command);

/** The commands for a deal, one after the other; most deals are worked on and paid. */
const scripts = [
  ['file', 'deliver', 'approve'],
  ['file', 'deliver', 'approve'],
  ['file', 'deliver', 'approve', 'approve'],
  ['accept', 'file', 'deliver', 'approve'],
  ['file', 'accept', 'deliver', 'request-changes', 'file', 'deliver', 'approve'],
  ['file', 'deliver', 'approve', 'dispute'],
  ['invite', 'accept', 'file', 'deliver', 'dispute', 'approve'],
  ['accept', 'cancel', 'deliver'],
  ['invite', 'decline', 'accept'],
  ['accept', 'propose', 'accept-proposal', 'file', 'deliver', 'approve'],
  ['accept', 'add-bonus', 'file', 'deliver', 'propose', 'approve', 'add-bonus'],
  ['accept', 'propose', 'propose', 'add-bonus', 'cancel'],
] as const;

/** A deal, and the commands that are left for it. */
interface Work {
  readonly deal: Intent;
  readonly script: readonly string[];
}

/** The part of the answer to a proposal that is needed to accept it. */
interface ShownProposal {
  readonly id: string;
  readonly terms_sha256: string;
}

/** How many deals are worked on at a time. */
const atOnce = 6;

/** Chooses commands for an acknowledged deal of version 1.0. */
export function createCommander(journal: Journal, dice: Dice) {
  const open: Work[] = [];
  const worked = new Set<Intent>();
  const commandFor = (of: Intent, wanted: string): Given => {
    const name = `command-${journal.commands.length + 1}`;
    const key = dice.isBelow(60) ? `key-of-${name}` : undefined;
    const proposal = journal.commands
      .filter((each) => each.of === of && each.command === 'propose')
      .map(({ answer }) => answer as ShownProposal | undefined)
      .filter((answer) => answer !== undefined)
      .at(-1);
    const isWithout = wanted === 'accept-proposal' && proposal === undefined;
    const command = isWithout ? 'propose' : wanted;
    const amount = dice.pick(['700.00', '1300.01']);
    const bodies: Readonly<Record<string, object>> = {
      'request-changes': { reason: 'Because.' },
      dispute: { reason: 'Because.' },
      propose: { kind: 'amendment', changes: { description: name, amount } },
      'accept-proposal': { terms_sha256: proposal?.terms_sha256 },
      'add-bonus': { amount: '33.33' },
    };
    const paths: Readonly<Record<string, string>> = {
      propose: 'proposal',
      'accept-proposal': `proposal/${proposal?.id}/accept`,
    };
    const path = paths[command] ?? command;
    const body = { message: name, ...bodies[command] };
    const made = {
      kind: 'command',
      tenant: of.tenant,
      name,
      command,
      path,
      of,
      key,
      body,
    } as const;
    const added: Given = { ...made, isRefused: false, isFresh: true };
    journal.commands.push(added);
    return added;
  };
  return {
    /**
     * A deal to go on with, also after a kill; sometimes a new script for a deal with another one
     * under way.
     */
    pick(): Work | undefined {
      const next = open.shift();
      if (next !== undefined && open.length >= atOnce - 1) return next;
      const known = journal.intents.slice(-100).filter((each) => dealAnswer(each) !== undefined);
      const deal = dice.pick(dice.isBelow(85) ? known.filter((each) => !worked.has(each)) : known);
      if (deal === undefined) return next;
      if (next !== undefined) open.push(next);
      worked.add(deal);
      return { deal, script: dice.pick(scripts) ?? [] };
    },
    /** Puts the deal back: it is not done yet. */
    goOn({ deal, script }: Work): void {
      if (script.length > 0) open.push({ deal, script });
    },
    commandFor,
  };
}

/** Gives a command, and judges the answer by the earlier ones; returns whether there was one. */
export async function give(talk: Talk, given: Given): Promise<boolean> {
  const { journal } = talk;
  const { tenant, of, command, key, body } = given;
  const before = given.answer;
  given.isFresh = true;
  const path = `/api/2.0/deal/${of.name}/${given.path}/`;
  const heard = await ask(talk, tenant, path, { headers: keyed(key), body });
  if (heard === undefined) {
    journal.count('command cut off');
    return false;
  }
  journal.count(`${command} ${heard.status}`);
  if (heard.status === (command === 'propose' ? 201 : 200)) {
    given.answer ??= heard.data;
    if (!isDeepStrictEqual(given.answer, heard.data)) {
      journal.complain(given, `was answered as ${text(given.answer)}, then ${text(heard.data)}`);
    }
  } else if (['illegal_transition', 'precondition_failed'].includes(heard.code ?? '')) {
    given.isRefused = true;
    if (before !== undefined) journal.complain(given, `is refused with ${heard.code} by now`);
  } else if (heard.code !== 'unavailable') {
    journal.complain(given, `was answered with ${heard.status} ${heard.code}`);
  }
  return true;
}
