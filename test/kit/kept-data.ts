import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { createMarketplace, type Environment, type LocalMarketplace } from 'dealwright';
import { createMemoryFileStore } from 'dealwright/memory';
import type { FileStore, Store } from 'dealwright/ports';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { createSealedSecrets } from 'dealwright/webhooks';
import type { Result } from 'neverthrow';
import { createPorts } from './ports.js';

/** The folder with the data of commit `9b39a2e`. */
export const keptFolder = fileURLToPath(new URL('../fixtures/9b39a2e', import.meta.url));

/** A file of it, as stored. */
export function keptFile(name: string): Buffer {
  return readFileSync(`${keptFolder}/${name}.gz`);
}

/** The content of a file of it. */
export function kept(name: string): Buffer {
  return gunzipSync(keptFile(name));
}

/** The caller. */
interface Caller {
  readonly as: 'partner' | 'operator' | 'staff' | 'freelancer';
  readonly environment: Environment;
  readonly partner?: string;
  readonly token?: string;
}

/** A call, and its answer by the version of then. */
export interface KeptCall {
  readonly mode?: 'invoice' | 'prepaid';
  readonly who: Caller;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly answer: unknown;
}

/** The answers of the version of then over one store. */
export interface KeptAnswers {
  /** The time of the last answer. */
  readonly now: string;
  readonly reads: readonly KeptCall[];
  /** Calls under a key that had their effect: a repeat gets the same answer. */
  readonly repeats: readonly KeptCall[];
}

export function keptAnswers(): Readonly<Record<'sqlite' | 'postgres', KeptAnswers>> {
  return JSON.parse(kept('answers.json').toString());
}

/** The current version over a store, with a fixed time. */
export function createKeptMarketplace(
  store: Store,
  now: number,
  files: FileStore = createMemoryFileStore(),
): LocalMarketplace {
  const ports = createPorts();
  const time = () => now;
  return createMarketplace({
    ...ports,
    store,
    files,
    paymentTokens: createOpaqueTokenIssuer(),
    clock: { now: time },
    timer: { ...ports.timer, now: time },
    secrets: createSealedSecrets({ k2026: Buffer.alloc(32, 7).toString('base64url') }),
  });
}

/** Makes calls of the current version over a store, at the time of then. */
export function createKeptCaller(
  store: Store,
  { now }: KeptAnswers,
  files?: FileStore,
): (call: KeptCall) => Promise<unknown> {
  const marketplace = createKeptMarketplace(store, Date.parse(now), files);
  return async ({ who, method, args }) => {
    const face = faceOf(marketplace, who) as Readonly<
      Record<string, (...args: readonly unknown[]) => PromiseLike<Result<unknown, unknown>>>
    >;
    const { name = method, of = (each: unknown) => each } =
      who.as === 'partner' ? (renamed[method] ?? {}) : {};
    const [first, ...others] = args;
    const answer = await face[name]?.(of(first), ...others);
    if (answer?.isOk() !== true) return { refused: answer?._unsafeUnwrapErr() };
    return JSON.parse(JSON.stringify(answer.value));
  };
}

/** The methods of a partner whose name or first argument was another one then. */
const renamed: Readonly<
  Record<string, { readonly name: string; readonly of?: (first: unknown) => unknown }>
> = {
  listEmployerDeals: { name: 'listDeals' },
  listCategoryTree: { name: 'listCategories' },
  uploadFile: { name: 'uploadFile', of: (id) => ({ id }) },
  uploadWorkFile: { name: 'uploadFile', of: (partner_id) => ({ partner_id }) },
};

function faceOf(
  marketplace: LocalMarketplace,
  { as, environment, partner = '', token = '' }: Caller,
): unknown {
  if (as === 'freelancer') return marketplace.freelancer(environment, token);
  if (as === 'staff') return marketplace.operator(environment);
  if (as === 'operator') return marketplace.operator(environment).partner(partner);
  return marketplace.partner({ environment, partner });
}

/** The differences between two answers. New members do not count. */
export function* differences(then: unknown, now: unknown, at = ''): Generator<string> {
  if (Object.is(then, now)) return;
  const [was, is] = [Object(then), Object(now)];
  const isNested = was === then && is === now && Array.isArray(was) === Array.isArray(is);
  if (!isNested || (Array.isArray(was) && was.length !== is.length)) {
    yield `${at}: ${JSON.stringify(then)} -> ${JSON.stringify(now)}`;
    return;
  }
  for (const [name, value] of Object.entries(was)) {
    yield* differences(value, is[name], at === '' ? name : `${at}.${name}`);
  }
}
