import type { ApiToken } from 'dealwright';
import type { Result } from 'neverthrow';
import { asking, type CommandRow } from './command-row.js';
import type { Failure } from './describe-failure.js';
import { dealOfPartner, withDeals } from './life-commands.js';
import { formatTable } from './output.js';
import type { Session } from './session.js';

/** The commands that list API tokens. */
export const tokenCommands: Readonly<Record<string, CommandRow>> = {
  'tokens list': {
    description: 'list your API tokens by their names, if the service keeps a list of them',
    ...asking(async (session) => show(session, await session.api.listTokens(session.call))),
  },
  'operator tokens': {
    description: 'list the API tokens of a partner by their names',
    arguments: { '<partner>': dealOfPartner['<partner>'] },
    ...asking(
      (session, partner) =>
        withDeals(session, partner, async (deals) =>
          show(session, await deals.listTokens(session.call)),
        ),
      'DEALWRIGHT_OPERATOR_TOKEN',
    ),
  },
};

function show(session: Session, listed: Result<readonly ApiToken[], Failure>): Promise<number> {
  return session.answer(listed, (tokens) => {
    if (tokens.length === 0) return 'no tokens\n';
    const rows = tokens.map((each) => [each.name, each.start, each.created_at, each.last_used_at]);
    const head = ['name', 'start', 'created_at', 'last_used_at'];
    return formatTable(rows, { head, flexible: 0, width: session.width });
  });
}
