/** The owner of deals: a company that has work done, in the sandbox or in production. */
export interface Company {
  readonly environment: 'sandbox' | 'production';
  readonly partner: string;
}

/** The signed-in users. Replace this by your own sessions. */
const sessions = new Map<string, Company>([
  ['session-of-acme', { environment: 'sandbox', partner: 'acme' }],
]);

/** The company of a signed-in user, by the cookies of a request. */
export function callerOf({ headers }: WithHeaders): Company | undefined {
  const cookies = headers instanceof Headers ? headers.get('cookie') : headers.cookie;
  const [, session = ''] = /(?:^|; *)session=([^;]+)/.exec(cookies ?? '') ?? [];
  return sessions.get(session);
}

/** A request of Node, or one of the web. */
interface WithHeaders {
  readonly headers: Headers | { readonly cookie?: string | undefined };
}

// read all of it at once: bundlers replace process.env.NODE_ENV by its value at build time
const { DEALWRIGHT_TOKENS, DEMO_TOKEN, NODE_ENV } = process.env;
const demo = DEMO_TOKEN ?? (NODE_ENV === 'production' ? '' : 'demo-token');

/** An API token of the sandbox for trials; empty if there are others, and in production. */
export const demoToken = DEALWRIGHT_TOKENS === undefined ? demo : '';

const entries = demoToken ? [`${demoToken}=sandbox:acme`] : (DEALWRIGHT_TOKENS?.split(',') ?? []);

/**
 * The API tokens of programs, each with its company: `token=sandbox:acme`, separated by commas.
 * Replace this by a table of your database.
 */
export const apiTokens = entries.map((entry): [string, Company] => {
  const [, token, environment, partner] = /^(.+)=(sandbox|production):(.+)$/.exec(entry) ?? [];
  if (!token || !environment || !partner) throw new Error('DEALWRIGHT_TOKENS cannot be read');
  return [token, { environment: environment as Company['environment'], partner }];
});
