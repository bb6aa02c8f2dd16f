import { isTenant, type Marketplace, type PartnerApi, type Tenant } from 'dealwright';
import type { Authenticator, Digest, PortGuard, Timer } from 'dealwright/ports';
import { askPort, portRefusal, type Refusal, unauthorized } from './reply.js';
import { createTokenCache } from './token-cache.js';
import { mayWaitForOthers } from './turn.js';

/** Whom a token speaks for, and what they can do. */
export interface Caller {
  readonly tenant: Tenant;
  readonly api: PartnerApi<never>;
}

/** Finds who calls: at once where the token was seen a short while ago. */
export type Identify = (token: string) => Caller | Refusal | Promise<Caller | Refusal>;

/** What callers are found with; sizes and ages as in the options of the handler. */
export interface CallerPorts {
  readonly marketplace: Marketplace;
  readonly timer: Timer;
  readonly digest: Digest;
  readonly authenticator: Authenticator;
  readonly guard: PortGuard;
  readonly cacheSize: number;
  readonly cacheAge: number;
}

/** The callers of a handler, remembered by the digests of their tokens (decision 5.3). */
export function createCallers(ports: CallerPorts): Identify {
  const { marketplace, timer, digest, authenticator, guard } = ports;
  const callers = createTokenCache<Caller>(ports.cacheSize, ports.cacheAge);
  // one question for all who come while it is open: apart, so that no unknown token drives a
  // good one out
  const questions = createTokenCache<Promise<Caller | Refusal>>(
    mayWaitForOthers ? ports.cacheSize : 0,
    ports.cacheAge,
  );

  async function ask(token: string, key: string, askedAt: number): Promise<Caller | Refusal> {
    const tenant = await askPort(
      guard,
      'authenticator.authenticate',
      () => authenticator.authenticate(token),
      readTenant,
      'not a tenant',
    );
    if ('code' in tenant) return tenant;
    const caller = { tenant, api: marketplace.partner(tenant) };
    // the age counts from the question: the answer to a slow one is no younger than that
    callers.set(key, caller, askedAt);
    return caller;
  }

  function open(token: string, key: string, now: number): Promise<Caller | Refusal> {
    const question = ask(token, key, now);
    questions.set(key, question, now);
    const close = () => questions.delete(key);
    question.then(close, close);
    return question;
  }

  return (token) => {
    let now: number;
    let key: string;
    try {
      now = timer.now();
      key = digest(token);
    } catch (cause) {
      return portRefusal({ port: 'system', outcome: 'none', retryable: true, cause });
    }
    return callers.get(key, now) ?? questions.get(key, now) ?? open(token, key, now);
  };
}

/** The tenant and nothing else that a host keeps with it, so that nothing else comes to a hook. */
function readTenant(value: Tenant | undefined): Tenant | Refusal | undefined {
  if (value === undefined) return unauthorized;
  const { environment, partner } = value;
  const tenant = Object.freeze({ environment, partner });
  return isTenant(tenant) ? tenant : undefined;
}
