import { isDeepStrictEqual } from 'node:util';
import { give } from './commands.js';
import { dealAnswer, found, type Given, type Intent } from './journal.js';
import { ask, create, type Talk, text } from './send.js';

/** The part of a work file that the checks read: its status follows its stage. */
interface ShownFile {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

/** The part of a deal of version 1.0 that the checks read. */
interface ShownDeal {
  readonly id: number;
  readonly stages: readonly {
    readonly id: number;
    readonly work_files: readonly ShownFile[];
  }[];
}

/** The part of the details of a deal that they read, of any version. */
interface ShownDetails {
  readonly partner_id: string;
  readonly id?: number;
  readonly title: string;
  readonly payment_token: string | null;
}

/**
 * Reads each of these from the service: acknowledged ones exist as they were answered; the others
 * exist or not, and creating them again agrees with that.
 */
export async function checkService(talk: Talk, intents: readonly Intent[]): Promise<void> {
  // files are read once the answers of their deals are known
  for (const isFile of [false, true]) {
    const waiting = intents.filter(({ kind }) => (kind === 'file') === isFile).reverse();
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
          await checks[next.kind](talk, next);
          const mayBeGone = next.kind === 'file' && (next.key === undefined || next.isRefused);
          if (!next.isKnown && !mayBeGone) {
            talk.journal.complain(next, 'could not be created');
          }
          next.isFresh = false;
        }
      }),
    );
  }
}

/** Gives these commands again, if a key makes that safe: each must get its first answer. */
export async function checkCommands(talk: Talk, commands: readonly Given[]): Promise<void> {
  const waiting = [...commands].reverse();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        if (next.key !== undefined) await give(talk, next);
        next.isFresh = false;
      }
    }),
  );
}

const checks: Readonly<Record<Intent['kind'], (talk: Talk, intent: Intent) => Promise<unknown>>> = {
  contractor: create,
  deal: checkDeal,
  deal_v2: checkDeal,
  file: checkFile,
};

async function checkDeal(talk: Talk, intent: Intent): Promise<void> {
  const { journal } = talk;
  const read = await ask(talk, intent.tenant, `/api/2.0/deal/${intent.name}/`);
  const isThere = read?.status === 200;
  if (!isThere && read?.status !== 404) {
    journal.complain(intent, `cannot be read: ${read?.status} ${read?.code}`);
    return;
  }
  if (!isThere && intent.isKnown) journal.complain(intent, 'was acknowledged, and is gone');
  if (isThere) found(intent);
  await create(talk, intent);
  if (!isThere) return;
  const shown = read.data as ShownDetails;
  if (
    shown.partner_id !== intent.name ||
    shown.title !== (intent.body['title'] ?? intent.body['name'])
  ) {
    journal.complain(intent, `is shown as ${text(shown)}`);
  }
  const { payment_token = shown.payment_token } = Object(intent.answer) as Partial<ShownDetails>;
  if (shown.payment_token !== payment_token) {
    journal.complain(intent, 'has another payment token than was answered');
  }
  if (intent.kind === 'deal') await checkStages(talk, intent, shown.id);
}

async function checkStages(talk: Talk, intent: Intent, id: number | undefined): Promise<void> {
  const deal = await readDeal(talk, intent, id);
  if (deal === undefined) return;
  const answer = dealAnswer(intent);
  const stages = deal.stages.map((stage) => stage.id);
  if (deal.id !== id || stages.length === 0) {
    talk.journal.complain(intent, `has no stages: ${text(deal)}`);
  }
  // a bonus is a stage that was added later
  const stage_ids = stages.slice(0, answer?.stage_ids.length);
  if (answer !== undefined && !isDeepStrictEqual({ id, stage_ids }, answer)) {
    talk.journal.complain(intent, `was answered as ${text(answer)}, and is ${text(deal)}`);
  }
}

async function readDeal(
  talk: Talk,
  intent: Intent,
  id: number | undefined,
): Promise<ShownDeal | undefined> {
  const read = await ask(talk, intent.tenant, `/api/1.0/deal/${id}/`);
  if (read?.status === 200) return read.data as ShownDeal;
  talk.journal.complain(intent, `its deal ${id} cannot be read: ${read?.status} ${read?.code}`);
  return undefined;
}

async function checkFile(talk: Talk, intent: Intent): Promise<void> {
  const id = intent.of && dealAnswer(intent.of)?.id;
  const find = async () => {
    const deal = await readDeal(talk, intent, id);
    return deal?.stages
      .flatMap((stage) => stage.work_files)
      .filter((file) => file.name === intent.name)
      .map(lasting);
  };
  const before = await find();
  if (before === undefined) return;
  const [shown] = before;
  if (before.length > 1) talk.journal.complain(intent, 'is there twice');
  if (shown === undefined && intent.isKnown) {
    talk.journal.complain(intent, 'was acknowledged, and is gone');
  }
  if (shown !== undefined) found(intent);
  if (intent.key !== undefined) {
    await create(talk, intent);
    const after = await find();
    if (after?.length !== 1 && !intent.isRefused)
      talk.journal.complain(intent, `is there ${after?.length} times`);
    if (shown !== undefined && !isDeepStrictEqual(before, after)) {
      talk.journal.complain(intent, `was ${text(before)}, and became ${text(after)}`);
    }
  }
  if (
    shown !== undefined &&
    intent.answer !== undefined &&
    !isDeepStrictEqual(shown, lasting(intent.answer as ShownFile))
  ) {
    talk.journal.complain(intent, `was answered as ${text(intent.answer)}, and is ${text(shown)}`);
  }
}

/** The members of a work file that never change. */
const lasting = ({ status: _, ...file }: ShownFile): Omit<ShownFile, 'status'> => file;

/** Walks the lists: they must have every known deal once, and no other. */
export async function checkLists(talk: Talk, tenants: readonly Intent['tenant'][]): Promise<void> {
  const { journal } = talk;
  for (const tenant of tenants) {
    const times = new Map<string, number>();
    let cursor: string | null | undefined;
    do {
      const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor ?? '')}`;
      const read = await ask(talk, tenant, `/api/2.0/deal/?page_size=100${query}`);
      const page = read?.data as
        | { readonly results: readonly ShownDetails[]; readonly next: string | null }
        | undefined;
      if (read?.status !== 200 || page === undefined) {
        journal.problems.push(`the list of ${tenant.partner}: ${read?.status} ${read?.code}`);
        return;
      }
      for (const { partner_id } of page.results) {
        times.set(partner_id, (times.get(partner_id) ?? 0) + 1);
      }
      cursor = page.next;
    } while (cursor !== null);
    for (const intent of journal.intents) {
      if (intent.tenant !== tenant || !/^deal/.test(intent.kind)) continue;
      const listed = times.get(intent.name) ?? 0;
      times.delete(intent.name);
      if (listed !== 1) journal.complain(intent, `is in the list ${listed} times`);
    }
    for (const name of times.keys()) {
      journal.problems.push(`the list of ${tenant.partner} has ${name}, which nobody asked for`);
    }
  }
}
