import { type Environment, isTenant, type Tenant } from 'dealwright';
import type { PortGuard } from 'dealwright/ports';
import { ok } from 'neverthrow';
import type { Caller, Identify } from './callers.js';
import { allowsOrigin } from './header-sets.js';
import type { HttpRequest } from './messages.js';
import { portRefusal, type Refusal } from './reply.js';

/** What a host's answer says: a partner, or where somebody is of the staff. */
export interface HostSays {
  readonly tenant?: Tenant;
  readonly staffOf?: Environment;
}

/**
 * Finds who calls by what the host knows of them, and otherwise as `otherwise` does; `read` makes
 * nothing of a caller who has another face.
 */
export function identifyByHost(
  guard: PortGuard,
  corsOrigins: readonly string[] | '*' | undefined,
  read: (says: HostSays) => Caller | undefined,
  otherwise: Identify,
): Identify {
  const port = { port: 'resolveCaller', outcome: 'none' } as const;
  async function ask(request: HttpRequest): Promise<Caller | Refusal> {
    const answered = await guard('none', async () => ok(await request.caller?.()));
    if (answered.isErr()) return portRefusal({ ...answered.error, ...port });
    const says = sayingOf(answered.value);
    if (says === undefined) {
      return portRefusal({ ...port, retryable: false, cause: new TypeError(answers) });
    }
    return read(says) ?? otherwise(request);
  }
  return (request) =>
    request.caller === undefined || isForeign(request, corsOrigins)
      ? otherwise(request)
      : ask(request);
}

const answers =
  "resolveCaller returns { environment: 'production' | 'sandbox', partner: text of 1 to 128 characters }, { environment, operator: true } or undefined";

/** The members of an answer that count; `undefined` if it is not an answer. */
function sayingOf(answer: unknown): HostSays | undefined {
  // many hosts have null or false in the place of nobody
  if (answer === undefined || answer === null || answer === false) return {};
  try {
    const { environment, partner, operator = false } = Object(answer);
    const tenant = Object.freeze({ environment, partner: operator === true ? '-' : partner });
    if (typeof operator !== 'boolean' || !isTenant(tenant)) return undefined;
    return operator ? { staffOf: tenant.environment } : { tenant };
  } catch {
    return undefined; // a member that throws
  }
}

/**
 * Says whether a page of another origin may have sent this request, to change something with the
 * session of the user who opened the page. Browsers say where the page comes from (Fetch Metadata,
 * `Sec-Fetch-Site`); old browsers send its origin alone.
 */
function isForeign(
  request: HttpRequest,
  corsOrigins: readonly string[] | '*' | undefined,
): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  const origin = request.header('origin');
  if (corsOrigins !== '*' && allowsOrigin(corsOrigins, origin)) return false;
  const site = request.header('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== request.header('host');
}
