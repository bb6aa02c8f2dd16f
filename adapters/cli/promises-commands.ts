import type { ServicePromises } from 'dealwright';
import type { ResultAsync } from 'neverthrow';
import { asking, type CommandRow } from './command-row.js';
import type { Failure } from './describe-failure.js';
import { formatRecord } from './output.js';
import type { Session } from './session.js';
import type { TokenName } from './settings.js';

type Ask = (session: Session) => ResultAsync<ServicePromises, Failure>;

const promisesRow = (whose: string, ask: Ask, token?: TokenName): CommandRow => ({
  description: `show what the service promises to ${whose}: its mode, its rules of input, its limits`,
  ...asking(
    async (session) =>
      session.answer(await ask(session), (promises) => formatRecord(promises, session.width)),
    token,
  ),
});

/** The commands that show what a service promises, to each side. */
export const promisesCommands: Readonly<Record<string, CommandRow>> = {
  promises: promisesRow('a partner', ({ api, call }) => api.retrievePromises(call)),
  'operator promises': promisesRow(
    'an operator',
    ({ operator, call }) => operator().retrievePromises(call),
    'DEALWRIGHT_OPERATOR_TOKEN',
  ),
  'offer promises': promisesRow(
    'a freelancer',
    ({ offer, call }) => offer().retrievePromises(call),
    'DEALWRIGHT_PAYMENT_TOKEN',
  ),
};
