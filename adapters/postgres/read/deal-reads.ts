import type { DealPart, DealWith, PortFailure, Tenant } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import { createGatherer } from '../../sql/gather.js';
import { tenantText } from '../../sql/tenant.js';
import { type Failure, mayBeOfOne } from '../connection/failures.js';
import type { Settings } from '../connection/options.js';
import {
  arrayText,
  type KnownStatements,
  type SendOnce,
  type Statement,
  sendUntil,
} from '../connection/send.js';
import type { Reading } from './read-sql.js';
import { dealStatement, dealsStatement, type Finder } from './read-sql.js';

/** A requested deal, and the value that finds it. */
interface Asked {
  readonly tenant: Tenant;
  readonly value: string | number;
}

type Found = DealWith<DealPart> | undefined;
type ReadDeal = (asked: Asked) => Promise<Result<Found, PortFailure>>;

/** Batches under way: a slow one does not delay the next ones. */
const lanes = 2;
/** The most deals of a batch: each may have a thousand files. */
const largestBatch = 64;

/** Reads deals: alone, or in one statement with others that are found in the same way. */
export function createDealReads(
  send: SendOnce,
  { ofTenant }: Reading,
  { schema, gather }: Pick<Settings, 'schema' | 'gather'>,
  known: KnownStatements,
): <P extends DealPart>(
  by: Finder,
  parts: readonly P[],
) => (asked: Asked) => Promise<Result<DealWith<P> | undefined, PortFailure>> {
  const readers = new Map<string, ReadDeal>();
  const create = (by: Finder, parts: readonly DealPart[]): ReadDeal => {
    const name = `deal ${by} ${parts.join(' ')}`;
    const one = known(name, () => dealStatement(schema, by, parts));
    const readOne: ReadDeal = ({ tenant, value }) =>
      ofTenant(one, [tenantText(tenant), value], ([text]) => dealOf(text));
    if (gather === undefined || gather.by !== 'all') return readOne;
    const readMany = createReadMany(send, dealsStatement(schema, by, parts), readOne);
    const maxBatch = Math.min(gather.maxBatch, largestBatch);
    const run = async (batch: readonly Asked[]) => {
      const [first] = batch;
      return batch.length === 1 && first !== undefined ? [await readOne(first)] : readMany(batch);
    };
    return createGatherer<Asked, Found>({ run, ...gather, maxBatch, lanes });
  };
  return <P extends DealPart>(by: Finder, parts: readonly P[]) => {
    const name = `${by} ${parts.join(' ')}`;
    const found = readers.get(name) ?? create(by, parts);
    readers.set(name, found);
    // its statement reads these parts
    return found as (asked: Asked) => Promise<Result<DealWith<P> | undefined, PortFailure>>;
  };
}

/** Deals in the order of the requests; one by one if one may be to blame. */
function createReadMany(send: SendOnce, statement: Statement, readOne: ReadDeal) {
  return async (batch: readonly Asked[]): Promise<Result<Found, PortFailure>[]> => {
    const together = await sendUntil(
      async (retries): Promise<Result<readonly Found[] | undefined, Failure>> => {
        const values = [
          arrayText(batch.map(({ tenant }) => tenantText(tenant))),
          arrayText(batch.map(({ value }) => value)),
        ];
        const sent = await send(statement, values, batch.length, retries);
        if (sent.isErr()) return mayBeOfOne(sent.error) ? ok(undefined) : err(sent.error);
        try {
          return ok(sent.value.map(dealOf));
        } catch {
          return ok(undefined);
        }
      },
      'read',
    );
    if (together.isOk() && together.value === undefined) return Promise.all(batch.map(readOne));
    return batch.map((_, at) => together.map((deals) => deals?.[at]));
  };
}

function dealOf(text: string | null | undefined): Found {
  return typeof text === 'string' ? JSON.parse(text) : undefined;
}
