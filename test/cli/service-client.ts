import { createClient } from 'dealwright/client';
import { type RunningService, run, runHere, startService } from './dealwright.js';

/** The token of these tests; no line of output may contain it. */
export const token = 't0ken-of-these-tests';

/** Starts a service that knows the token. */
export function startKnownService(): Promise<RunningService> {
  return startService({ DEALWRIGHT_TOKENS: `${token}=sandbox:acme` });
}

/** The settings for a command that calls a service. */
export function settingsOf({ baseUrl }: Pick<RunningService, 'baseUrl'>): Record<string, string> {
  return { DEALWRIGHT_URL: baseUrl, DEALWRIGHT_TOKEN: token };
}

/** Runs a command against a service until it ends; with a stdin, in a process of its own. */
export function ask(
  service: Pick<RunningService, 'baseUrl'>,
  args: readonly string[],
  stdin?: string,
) {
  const settings = settingsOf(service);
  return stdin === undefined ? runHere(args, settings) : run(args, settings, stdin).ended;
}

/** The partner_ids of every deal of a service. */
export async function partnerIdsOf({ baseUrl }: RunningService): Promise<string[]> {
  const api = createClient({ baseUrl, token });
  const ids: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await api.listDeals({
      page_size: 100,
      ...(typeof cursor === 'string' ? { cursor } : {}),
    });
    if (page.isErr()) throw new Error(page.error.code);
    ids.push(...page.value.results.map(({ partner_id }) => partner_id));
    cursor = page.value.next;
  } while (cursor !== null);
  return ids;
}
