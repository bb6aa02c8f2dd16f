import { randomBytes } from 'node:crypto';
import { isTenant } from 'dealwright';
import type { ApiToken, Authenticator, Tenant } from 'dealwright/ports';
import { createDigest } from 'dealwright/system';
import { ok } from 'neverthrow';

/** Runs one statement, with `?` for each value, and gives its rows. */
export type Query = (sql: string, values?: readonly string[]) => Promise<readonly unknown[]>;

/** A row of the table. The token itself is not part of it. */
export interface ApiTokenRow extends Tenant, Omit<ApiToken, 'start'> {
  /** The first part of the token: it names the token and opens nothing. */
  readonly prefix: string;
  readonly revoked_at: string | null;
}

const columns = 'prefix, name, environment, partner, created_at, last_used_at, revoked_at';

/** API tokens in a table of a database, SQLite or PostgreSQL: their digests only. */
export function createApiTokens(query: Query) {
  const digest = createDigest();
  const now = () => new Date().toISOString();

  const authenticator: Authenticator = {
    // if the database fails, this rejects, which is answered with 503
    async authenticate(token) {
      const [found] = await query(
        `update api_tokens set last_used_at = ? where digest = ? and revoked_at is null
         returning environment, partner`,
        [now(), digest(token)],
      );
      return ok(found as Tenant | undefined);
    },

    async list({ environment, partner }) {
      const rows = await query(
        `select name, substr(prefix, 1, 8) as start, created_at, last_used_at from api_tokens
         where environment = ? and partner = ? and revoked_at is null
         order by created_at, prefix limit 1000`,
        [environment, partner],
      );
      return ok(rows as readonly ApiToken[]);
    },
  };

  return {
    authenticator,

    /** Creates the table, unless it exists already. */
    async migrate(): Promise<void> {
      await query(`create table if not exists api_tokens (
        prefix text primary key,
        name text not null check (length(name) between 1 and 128),
        digest text not null unique,
        environment text not null check (environment in ('production', 'sandbox')),
        partner text not null,
        created_at text not null,
        last_used_at text,
        revoked_at text
      )`);
    },

    /** Makes a token and returns it, this one time: show it to the partner, and do not keep it. */
    async issue(tenant: Tenant, name: string): Promise<string> {
      if (!isTenant(tenant)) throw new TypeError('issue: a tenant is { environment, partner }');
      const prefix = `dw_${randomBytes(6).toString('hex')}`;
      const token = `${prefix}_${randomBytes(32).toString('base64url')}`;
      await query(
        `insert into api_tokens (prefix, name, digest, environment, partner, created_at)
         values (?, ?, ?, ?, ?, ?)`,
        [prefix, name, digest(token), tenant.environment, tenant.partner, now()],
      );
      return token;
    },

    /** All tokens that were issued, the oldest first. */
    async list(): Promise<readonly ApiTokenRow[]> {
      const rows = await query(`select ${columns} from api_tokens order by created_at, prefix`);
      return rows as readonly ApiTokenRow[];
    },

    /** Revokes the token with this prefix. False: there is none, or it was revoked before. */
    async revoke(prefix: string): Promise<boolean> {
      const revoked = await query(
        'update api_tokens set revoked_at = ? where prefix = ? and revoked_at is null returning prefix',
        [now(), prefix],
      );
      return revoked.length > 0;
    },
  };
}
