/** Whose deals: a company that has work done, in the sandbox or in production. */
export interface Company {
  readonly environment: 'sandbox' | 'production';
  readonly partner: string;
}

/** Those who are signed in. Replace this by your own sessions. */
const sessions = new Map<string, Company>([
  ['session-of-acme', { environment: 'sandbox', partner: 'acme' }],
]);

/** The company of somebody who is signed in, by the cookies of a request. */
export function callerOf({ headers }: WithHeaders): Company | undefined {
  const cookies = headers instanceof Headers ? headers.get('cookie') : headers.cookie;
  const [, session = ''] = /(?:^|; *)session=([^;]+)/.exec(cookies ?? '') ?? [];
  return sessions.get(session);
}

/** A request of Node, or one of the web. */
interface WithHeaders {
  readonly headers: Headers | { readonly cookie?: string | undefined };
}

// read at the start: in the place of process.env.NODE_ENV bundlers put what it was when they ran
const { DEALWRIGHT_TOKENS, DEMO_TOKEN, NODE_ENV } = process.env;
const demo = DEMO_TOKEN ?? (NODE_ENV === 'production' ? '' : 'demo-token');

/** An API token for trying out, of the sandbox: none where there are others, and none in production. */
export const demoToken = DEALWRIGHT_TOKENS === undefined ? demo : '';

const entries = demoToken ? [`${demoToken}=sandbox:acme`] : (DEALWRIGHT_TOKENS?.split(',') ?? []);

/**
 * The API tokens of programs that call, each with its company: `token=sandbox:acme`, several with
 * commas between them. Replace this by a table of your database.
 */
export const apiTokens = entries.map((entry): [string, Company] => {
  const [, token, environment, partner] = /^(.+)=(sandbox|production):(.+)$/.exec(entry) ?? [];
  if (!token || !environment || !partner) throw new Error('DEALWRIGHT_TOKENS cannot be read');
  return [token, { environment: environment as Company['environment'], partner }];
});
