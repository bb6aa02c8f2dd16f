import type { PortFailure } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { createGatherer } from '../sql/gather.js';
import { tenantText } from '../sql/tenant.js';
import {
  type Added,
  type Addition,
  idCount,
  outcomeOf,
  valuesOfMany,
  valuesOfOne,
} from './add-rows.js';
import { addManyStatement, addOneStatement } from './add-sql.js';
import { type Failure, unseen } from './failures.js';
import type { IdBlocks } from './id-blocks.js';
import type { Settings } from './options.js';
import { type SendOnce, sendUntil } from './send.js';
import type { Statement } from './statement.js';

/** Creates a deal of either version, in one decision. */
export type AddDeal = (addition: Addition) => Promise<Result<Added, PortFailure>>;

/** What became of each; nothing for one whose winner is not seen yet. */
type Sent<T> = Promise<Result<T, Failure>>;

/** Stages up to which a deal has a statement of its own; one of more goes as a batch of itself. */
const mostStagesAlone = 4;

const noIds = ok<readonly number[], Failure>([]);

/** How creates are carried out: alone, or gathered with others. */
export function createAdditions(
  send: SendOnce,
  ids: IdBlocks,
  { schema, gather }: Pick<Settings, 'schema' | 'gather'>,
): AddDeal {
  const lone = new Map<string, Statement>();
  const isByTenant = gather?.by === 'tenant';
  const many = addManyStatement(schema, isByTenant);

  const loneStatement = ({ api_version, given }: Addition): Statement | undefined => {
    const stages = 'stages' in given.deal ? given.deal.stages.length : 0;
    if (given.events.length !== 1 || stages > mostStagesAlone) return undefined;
    const kind = `${api_version} ${stages}`;
    const found = lone.get(kind) ?? addOneStatement(schema, api_version, stages);
    lone.set(kind, found);
    return found;
  };
  /** A server that was replaced by an older copy of itself may give the rest of the ids to others. */
  const noted = (failure: Failure): Failure => {
    if (failure.isConnectionLost) ids.discard();
    return failure;
  };

  const sendMany = async (
    additions: readonly Addition[],
    retries: number,
  ): Sent<readonly (Added | undefined)[]> => {
    const counts = additions.map(idCount);
    const drawing = ids.take(counts.reduce((sum, count) => sum + count, 0));
    const drawn = drawing instanceof Promise ? await drawing : drawing;
    if (drawn.isErr()) return err(noted(drawn.error));
    let used = 0;
    const idsOf = counts.map((count) => {
      used += count;
      return drawn.value.slice(used - count, used);
    });
    const values = valuesOfMany(additions, idsOf);
    const [first] = additions;
    if (isByTenant && first !== undefined) values.push(tenantText(first.tenant));
    const sent = await send(many, values, additions.length, retries);
    if (sent.isErr()) return err(noted(sent.error));
    const answers: (Added | undefined)[] = additions.map(() => undefined);
    for (const text of sent.value) {
      const [n, answer] = JSON.parse(text ?? '[]') as [number, string];
      const addition = additions[n];
      if (addition !== undefined) answers[n] = outcomeOf(addition, idsOf[n] ?? [], answer);
    }
    return ok(answers);
  };

  const sendOne = async (addition: Addition, retries: number): Sent<Added | undefined> => {
    const statement = loneStatement(addition);
    if (statement === undefined) return (await sendMany([addition], retries)).map(([one]) => one);
    const count = idCount(addition);
    const drawing = count === 0 ? noIds : ids.take(count);
    const drawn = drawing instanceof Promise ? await drawing : drawing;
    if (drawn.isErr()) return err(noted(drawn.error));
    const sent = await send(statement, valuesOfOne(addition, drawn.value), 1, retries);
    if (sent.isErr()) return err(noted(sent.error));
    return ok(outcomeOf(addition, drawn.value, sent.value[0] ?? ''));
  };

  const addOne: AddDeal = (addition) =>
    sendUntil(async (retries) => {
      const sent = await sendOne(addition, retries);
      return sent.andThen((added) => (added === undefined ? err(unseen) : ok(added)));
    }, true);

  return addOne;
}
void createGatherer;
