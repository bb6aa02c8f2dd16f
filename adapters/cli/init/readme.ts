import { posix } from 'node:path';
import { type StoreKind, storeNames } from './project-plan.js';
import type { HostFile } from './templates.js';

/** The address of a project without a setting for its port. */
export const projectUrl = 'http://127.0.0.1:3000/deals';

/** The API token of a project without a setting for it, as in `users.ts` of the templates. */
export const demoToken = 'demo-token';

/** A deal that needs no registered contractor. */
const deal = {
  partner_id: 'order-1',
  email_freelancer: 'freelancer@example.com',
  title: 'Logo',
  description: 'A logo in three colours',
  subcategory_id: 75,
  amount: '500.00',
  currency: 'EUR',
  copyright_transfer: 'full_transfer',
  freelancer_language: 'en',
};

/** The command that creates a deal in a running project. */
export function firstDeal({ protocol }: HostFile): string {
  return [
    `curl -i${protocol === 'h2c' ? ' --http2-prior-knowledge' : ''} ${projectUrl}/api/2.0/deal/`,
    `-H 'Authorization: Token ${demoToken}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(deal)}'`,
  ].join(' \\\n  ');
}

const needs: Readonly<Record<StoreKind, string>> = {
  sqlite: 'It keeps deals and work files in the folder `.deals`.',
  postgres:
    'It keeps deals in the database of PostgreSQL that the variable `DATABASE_URL` names, such as `postgres://user:password@127.0.0.1:5432/deals`, and work files in the folder `.deals`.',
};

/** The README.md of a project. */
export function readmeOf(name: string, host: HostFile, store: StoreKind): string {
  const { title, mount = 'server.ts', common = '.' } = host;
  const at = (file: string) => `\`${posix.join(common, file)}\``;
  return `# ${name}

Freelance deals in ${title} with ${storeNames[store]}: the interface of Dealwright below \`/deals\`.

\`\`\`sh
npm install
npm start
\`\`\`

${needs[store]} Create a deal in another terminal:

\`\`\`sh
${firstDeal(host)}
\`\`\`

To read the whole interface and try each request, open ${projectUrl}/ in a browser. The start says both addresses, and the token.

\`npm test\` starts the project on a free port, and creates a deal with the client.

| File | What it is |
| --- | --- |
| \`${mount}\` | mounts the interface in ${title} |
| ${at('deals.ts')} | wires Dealwright; its options are in \`docs/reference/configuration.md\` of the package |
| ${at('store.ts')} | opens ${storeNames[store]} |
| ${at('announce.ts')} | says where the server listens, and the token for trying out |
| ${at('users.ts')} | who calls: replace it with the users of your application |

\`PORT\` is the port (3000). \`DEALWRIGHT_TOKENS\` has the API tokens of your partners; without it there is the token \`${demoToken}\`, for trying out, unless \`NODE_ENV\` is \`production\`.
`;
}
