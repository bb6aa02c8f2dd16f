import { examples } from './command-row.js';

/** The settings of the commands that open a store. */
const storeEnvironment = `
  DATABASE_URL       keeps deals in PostgreSQL: postgres://user:password@host:5432/database
  DEALWRIGHT_DATA    the folder for work files and, without DATABASE_URL, for the database
                     of deals (default .dealwright); it is made, for this user alone
`;
export const storeHelp = `\nEnvironment:${storeEnvironment}`;

export const serveHelp = `
Environment:
  PORT               the port to listen on; 0 takes any free one (default 8787)
  HOST               the address to listen on (default 127.0.0.1: this machine only)
  DEALWRIGHT_TOKENS  the API tokens, <token>=<environment>:<partner>, comma-separated,
                     each split at its last "="; environment is production or sandbox.
                     Without it a sandbox token for partner demo is created and printed.
  DEALWRIGHT_CONTRACTOR_SCOPE  environment (default): the partners of an environment share
                     their contractors, and the first to register one supplies its bank
                     account; partner: each partner registers its own
  DEALWRIGHT_PROFILE  interface (default), or strict: also checks what a payout needs
  DEALWRIGHT_OPERATOR_TOKENS  the tokens of your operators, <token>=<environment>, comma-separated;
                     without it there is nothing below /operator/
  DEALWRIGHT_MODE    when an employer pays: invoice (default), after the work is approved, or
                     prepaid, before it is delivered
  DEALWRIGHT_FEES    your fees in per cent of the amount, down to the cent or the currency's
                     unit, as <employer>,<contractor>, such as 2.5,10 (default 0,0): the employer
                     pays its fee on top, the contractor gets the amount less its own
  DEALWRIGHT_TOLERANCE  what an employer may pay less or more than it owes, in all in a deal, such
                     as 1.00 (default 0.00): less is written off, more is no alert
  DEALWRIGHT_ENVIRONMENT  both (default), sandbox or production: the tokens of the other
                     environment are unknown here
  DEALWRIGHT_DEPRECATED_SINCE  a date such as 2027-01-31: version 1.0 says that it is deprecated
  DEALWRIGHT_SUNSET  the date from which version 1.0 may be gone
  DEALWRIGHT_CORS_ORIGINS  the origins whose pages may call it from a browser, such as
                     https://app.example.com, comma-separated; or * for all
  DEALWRIGHT_WEBHOOK_KEYS  the keys that encrypt the secrets of webhooks, <name>=<32 bytes in
                     base64url>, comma-separated, the newest first; without it the first start
                     makes one in DEALWRIGHT_DATA
  DEALWRIGHT_WEBHOOK_PRIVATE  1 lets webhooks go to private addresses and to http: for
                     development
  DEALWRIGHT_WEBHOOK_PORTS  the ports that webhooks may have besides 443, and 80 in the sandbox,
                     comma-separated
  DEALWRIGHT_DRAIN   the seconds for which /readyz is 503 after SIGTERM, before the port closes
                     (default 3)
  DEALWRIGHT_LIMITS  on (default), or off: no request is refused for coming too often
  DEALWRIGHT_PROXIES  how many proxies stand in front, each of which adds to X-Forwarded-For
                     (default 0)
  DEALWRIGHT_PAGES   on (default), or off: there are no pages for people: /offer/, /portal/
                     and /console/
  DEALWRIGHT_PAGES_NAME  your name, as those people know it
  DEALWRIGHT_PAGES_LOGO  an image in its place: a path of the same host, or a data:image/ URL
  DEALWRIGHT_PAGES_LINKS  links at the end of the pages, as JSON, such as
                     [{"text":"Help","href":"mailto:help@example.com"}]${storeEnvironment}${examples(
                       'dealwright serve',
                       'PORT=0 dealwright serve --memory',
                       "DEALWRIGHT_TOKENS='a-token-of-the-sandbox=sandbox:acme' dealwright serve",
                     )}`;
