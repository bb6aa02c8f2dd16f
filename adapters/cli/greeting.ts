import type { AddressInfo } from 'node:net';
import type { ApiToken } from './api-tokens.js';

const contractor = {
  email: 'user@example.com',
  name: 'Name',
  surname: 'Surname',
  country_code: 'AT',
  street: 'Street',
  house_no: '50',
  apartment_no: '5',
  postal_code: '5020',
  city: 'City',
  language: 'en',
  bank_account_currency: 'EUR',
  bank_account_iban: 'AT611904300234573201',
  bank_account_bic: 'SANTATWWXXX',
  tax_id: '22-345/6781',
};

/** The address under which this machine reaches a server that listens on `host` and `port`. */
export function baseUrlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name.replace('%', '%25')}]` : name}:${port}`;
}

/** What the service says when it listens: one line, and how to try it where it made the token. */
export function greeting(
  host: string,
  { port }: AddressInfo,
  tokens: readonly ApiToken[],
  made: ApiToken | undefined,
  where: string,
): string {
  const baseUrl = baseUrlOf(host, port);
  const environments = [...new Set(tokens.map(({ tenant }) => tenant.environment))].sort();
  const listens = `Dealwright listens on ${baseUrl} (${environments.join(' and ')}; deals are kept ${where})\n`;
  if (made === undefined) return listens;
  const curl = [
    `curl -i ${baseUrl}/api/1.0/contractor/`,
    `-H 'Authorization: Token ${made.token}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(contractor)}'`,
  ].join(' ');
  return `${listens}
DEALWRIGHT_TOKENS is not set, so here is a ${made.tenant.environment} token for partner ${made.tenant.partner}, good until the service stops:
  ${made.token}
Try it:
  ${curl}
`;
}
