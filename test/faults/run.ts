import { setTimeout as sleep } from 'node:timers/promises';
import { checkArchive } from './check-archive.js';
import { drain } from './check-money.js';
import { checkCommands, checkLists, checkService } from './check-service.js';
import { createStoreCheck } from './check-store.js';
import { createCommander } from './commands.js';
import { createDice } from './dice.js';
import { createImagination, tenants } from './intents.js';
import { createJournal, type Journal } from './journal.js';
import { startLoad } from './load.js';
import type { Effect } from './service.js';
import type { Target } from './target.js';

/** The figures of a run. */
export interface KillFigures {
  readonly seed: number;
  readonly kills: number;
  /** Contractors, deals and files of the service that exist. */
  readonly created: Readonly<Record<string, number>>;
  /** Requests that a kill left without an answer. */
  readonly cutOff: number;
  /** Those of them whose work was found done. */
  readonly doneThough: number;
  /** Commands that were acknowledged. */
  readonly commands: number;
  /** Effects that the gateway was asked for, each once, and repeated requests for them. */
  readonly effects: number;
  readonly effectsAgain: number;
  readonly events: number;
  /** Records that were read in the end. */
  readonly records: number;
  readonly answers: ReadonlyMap<string, number>;
}

/** The options of a run. */
export interface KillOptions {
  readonly kills: number;
  readonly seed: number;
  /**
   * How many creates, and some approved work, come before each kill, on a slow machine too.
   * Default 10.
   */
  readonly least?: number;
  /** Answers without which the load does not end: each was given once before the last kill. */
  readonly answers?: readonly string[];
  /** Milliseconds of load after that: from 0 to this. Default 120. */
  readonly longest?: number;
  /** Called after each kill, once all checks have passed. */
  report?(kills: number, journal: Journal): unknown;
}

/**
 * Kills a service again and again under load, and checks each time that everything it acknowledged
 * exists, whole and once: in its own answers, and in the store below it. Rejects with all problems
 * and with the seed; which request a kill meets differs from run to run.
 */
export async function runKills(target: Target, options: KillOptions): Promise<KillFigures> {
  const { kills, seed, least = 10, longest = 120, answers = [], report = () => {} } = options;
  const dice = createDice(seed);
  const journal = createJournal();
  const thoughts = { ...createImagination(journal, dice), ...createCommander(journal, dice) };
  const storeCheck = createStoreCheck(journal);
  let doneThough = 0;
  let records = 0;
  let effects: readonly Effect[] = [];
  const expectNone = (when: string) => {
    if (journal.problems.length === 0) return;
    const shown = journal.problems.slice(0, 10).join('\n');
    throw new Error(`seed ${seed}, ${when}: ${journal.problems.length} problems\n${shown}`);
  };
  const checkBelow = async (isAll: boolean) => {
    const store = await target.open();
    try {
      if (isAll) await drain(store.ports, tenants, journal);
      await storeCheck.check(store.ports);
      if (!isAll) return;
      effects = target.effects();
      records = await checkArchive(journal, store.records(), effects);
      journal.problems.push(...(await store.remains()));
    } finally {
      await store.close();
    }
  };
  try {
    let baseUrl = await target.start();
    for (let kill = 1; kill <= kills; kill += 1) {
      const [creates, approvals] = [answered(journal.intents) + least, approved(journal) + 1];
      const load = startLoad({ journal, baseUrl }, thoughts, dice);
      const isLittle = () =>
        answered(journal.intents) < creates ||
        approved(journal) < approvals ||
        (kill === kills && answers.some((answer) => !journal.counts.has(answer)));
      while (isLittle() && load.isOn()) await sleep(2);
      await sleep(dice.below(longest + 1));
      await target.kill();
      // if only the database is gone, requests under way wait for its return
      const stopped = load.stop();
      baseUrl = await target.start();
      await stopped;
      await checkBelow(false);
      const fresh = journal.intents.filter(({ isFresh }) => isFresh);
      const inDoubt = fresh.filter(({ isKnown }) => !isKnown);
      await checkService({ journal, baseUrl }, fresh);
      await checkCommands(
        { journal, baseUrl },
        journal.commands.filter(({ isFresh }) => isFresh),
      );
      doneThough += inDoubt.filter(({ wasFound }) => wasFound).length;
      expectNone(`after kill ${kill}`);
      await report(kill, journal);
    }
    await checkService({ journal, baseUrl }, journal.intents);
    await checkCommands({ journal, baseUrl }, journal.commands);
    await checkLists({ journal, baseUrl }, tenants);
    await checkBelow(true);
    expectNone('in the end');
  } finally {
    await target.stop();
  }
  const asked = new Set(effects.map(({ id }) => id)).size;
  const sum = (pattern: RegExp) =>
    [...journal.counts].reduce((all, [what, count]) => (pattern.test(what) ? all + count : all), 0);
  const created: Record<string, number> = {};
  for (const { kind, isKnown } of journal.intents) {
    if (isKnown) created[kind] = (created[kind] ?? 0) + 1;
  }
  return {
    seed,
    kills,
    created,
    cutOff: sum(/cut off$/),
    doneThough,
    commands: answered(journal.commands),
    effects: asked,
    effectsAgain: effects.length - asked,
    events: storeCheck.events(),
    records,
    answers: journal.counts,
  };
}

/** How many of these were acknowledged. */
function answered(sent: readonly { readonly answer?: unknown }[]): number {
  return sent.reduce((sum, { answer }) => (answer === undefined ? sum : sum + 1), 0);
}

/** How many approvals were acknowledged: each moves money. */
function approved({ commands }: Journal): number {
  return answered(commands.filter(({ command }) => command === 'approve'));
}
