import type { PortGuard } from 'dealwright/ports';
import { ok } from 'neverthrow';
import type { Caller, Identify } from './callers.js';
import { allowsOrigin } from './header-sets.js';
import type { HostCaller, HttpRequest } from './messages.js';
import { portRefusal, type Refusal } from './reply.js';

/**
 * Finds who calls by what the host knows of them, and otherwise as `otherwise` does. `read` makes
 * nothing of a caller who has another face, and throws where the host's answer is not one.
 */
export function identifyByHost(
  guard: PortGuard,
  corsOrigins: readonly string[] | '*' | undefined,
  read: (caller: HostCaller) => Caller | undefined,
  otherwise: Identify,
): Identify {
  async function ask(request: HttpRequest): Promise<Caller | Refusal> {
    const answered = await guard('none', async () => ok(await request.caller?.()));
    const port = { port: 'resolveCaller', outcome: 'none' } as const;
    if (answered.isErr()) return portRefusal({ ...answered.error, ...port });
    // null is what many hosts have in the place of nobody
    const found = answered.value ?? undefined;
    try {
      return (found && read(found)) ?? otherwise(request);
    } catch (cause) {
      return portRefusal({ ...port, retryable: false, cause });
    }
  }
  return (request) =>
    request.caller === undefined || isForeign(request, corsOrigins)
      ? otherwise(request)
      : ask(request);
}

/**
 * Says whether a page of another origin may have sent this, to change something with the session of
 * whoever looks at it. Browsers name the place of the page (Fetch Metadata, `Sec-Fetch-Site`), old
 * ones its origin alone.
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
  const host = request.header('host') ?? request.header(':authority');
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
