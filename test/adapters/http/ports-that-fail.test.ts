import { createTokenAuthenticator } from 'dealwright/auth';
import type { Limiter } from 'dealwright/ports';
import { answers, createManualClock, faults, type PortFault, withFault } from 'dealwright/testing';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { answered, deadline, everyFault, unreadable } from '../../contract/every-fault.js';
import { createPorts } from '../../kit/ports.js';
import { acme, ask, contractor, createService, token, type Wiring } from './service.js';

const path = '/api/1.0/contractor/';

/** Answers that a port of the handler must not give. */
const ports = {
  'authenticator.authenticate': {
    'what cannot be looked at': ok(unreadable),
    'null instead of a tenant': ok(null),
    'a tenant of no environment': ok({ environment: 'staging', partner: 'acme' }),
    'a tenant without a name': ok({ environment: 'sandbox', partner: '' }),
  },
  'limiter.take': {
    'what cannot be looked at': ok(unreadable),
    'no decision': ok(undefined),
    'an invalid decision': ok({ allowed: 'perhaps' }),
  },
};

function wire(port: keyof typeof ports, fault: PortFault): Wiring {
  const base = createPorts();
  const authenticator = createTokenAuthenticator([[token, acme]], base);
  const limiter: Limiter = { take: () => ok({ allowed: true }) };
  return port === 'limiter.take'
    ? { authenticator, limiter: withFault(limiter, 'take', fault) }
    : { authenticator: withFault(authenticator, 'authenticate', fault), limiter };
}

describe.each(Object.entries(ports))('%s', (name, values) => {
  const port = name as keyof typeof ports;
  const names = everyFault(createManualClock(), values).map(([fault]) => fault);
  it.each(names)('%s', async (faultName) => {
    const timer = createManualClock();
    const fault = new Map(everyFault(timer, values)).get(faultName);
    if (fault === undefined) throw new Error('a fault of the list');
    const all = { ...createPorts(), timer };
    const reports: unknown[] = [];
    const service = createService({
      ports: all,
      deadline,
      ...wire(port, fault),
      onError: (report) => reports.push(report),
    });
    const answer = await answered(ask(service, path, { body: contractor }), timer);
    expect([500, 503]).toContain(answer.status);
    expect(answer.headers['retry-after'] !== undefined).toBe(answer.status === 503);
    expect(answer.json).toMatchObject({
      code: answer.status === 503 ? 'unavailable' : 'internal',
      outcome: 'none',
    });
    expect(reports).toMatchObject([{ port, code: answer.json.code }]);

    // the marketplace was not called: the same call on a healthy service is the first
    const healthy = createService({ ports: all });
    expect((await ask(healthy, path, { body: contractor })).status).toBe(201);
  });

  it('hears the first of two answers', async () => {
    const service = createService(wire(port, faults.answersTwice));
    expect((await ask(service, path, { body: contractor })).status).toBe(201);
  });

  it('that answers later is waited for', async () => {
    const later: PortFault = async (call) => call();
    const service = createService(wire(port, later));
    expect((await ask(service, path, { body: contractor })).status).toBe(201);
  });
});

it('a token that the authenticator does not know, said as nothing, is 401', async () => {
  const service = createService(wire('authenticator.authenticate', answers(ok(undefined))));
  expect((await ask(service, path, { body: contractor })).status).toBe(401);
});
