import { type ApiToken, createMarketplace, type Tenant } from 'dealwright';
import type { Authenticator } from 'dealwright/ports';
import fc from 'fast-check';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { createPorts } from '../kit/ports.js';
import { tenant } from '../kit/requests.js';

/** Both views of a partner over a host with this authenticator. */
function views(authenticator: Authenticator | 'host' | undefined) {
  const { authenticator: _, ...ports } = createPorts();
  const marketplace = createMarketplace({ ...ports, ...(authenticator && { authenticator }) });
  const { environment, partner } = tenant;
  return [marketplace.partner(tenant), marketplace.operator(environment).partner(partner)] as const;
}

const listing = (list: (of: Tenant) => unknown): Authenticator => ({
  authenticate: () => ok(undefined),
  list: (of) => ok(list(of)) as ReturnType<NonNullable<Authenticator['list']>>,
});

const times = fc
  .date({ min: new Date(0), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const tokens: fc.Arbitrary<ApiToken> = fc.record({
  name: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 128 }),
  start: orNull(
    fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 1,
      maxLength: 8,
    }),
  ),
  created_at: orNull(times),
  last_used_at: orNull(times),
});
const whole: ApiToken = {
  name: 'Order system',
  start: 'dw_5f0c9',
  created_at: '2026-01-01T00:00:00.000Z',
  last_used_at: null,
};

describe('the API tokens of a partner', () => {
  it('are listed as the host gives them, to the partner and to the operator', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(tokens, { maxLength: 5 }), async (listed) => {
        for (const view of views(listing((of) => (of.partner === tenant.partner ? listed : [])))) {
          expect((await view.listTokens())._unsafeUnwrap()).toEqual(listed);
        }
      }),
    );
  });

  it('have times in UTC, and no other member of the host', async () => {
    const row = { ...whole, created_at: '2026-01-01T01:00:00+01:00', token: 't', digest: 'd' };
    for (const view of views(listing(() => [row]))) {
      expect((await view.listTokens())._unsafeUnwrap()).toEqual([whole]);
    }
  });

  it('are those of the tenant', async () => {
    const asked: Tenant[] = [];
    for (const view of views(listing((of) => asked.push(of) && []))) await view.listTokens();
    expect(asked).toEqual([tenant, tenant]);
  });

  it.each<readonly [string, unknown]>([
    ['no list', undefined],
    ['a list that is none', 'tokens'],
    ['more than 1,000', new Array(1_001).fill(whole)],
    ['no token', [undefined]],
    ['no name', [{ ...whole, name: '' }]],
    ['a long name', [{ ...whole, name: 'n'.repeat(129) }]],
    ['a name that no store keeps', [{ ...whole, name: 'a\0' }]],
    ['a name that is no text', [{ ...whole, name: 7 }]],
    ['an empty start', [{ ...whole, start: '' }]],
    ['a start that is too long', [{ ...whole, start: 'dw_5f0c9a' }]],
    ['a start that no token has', [{ ...whole, start: 'a b' }]],
    ['no start', [{ ...whole, start: undefined }]],
    ['a start that is no text', [{ ...whole, start: 7 }]],
    ['a time that is none', [{ ...whole, created_at: '2026-01-01' }]],
    ['a time of a driver', [{ ...whole, created_at: new Date() }]],
    ['no time of the last use', [{ ...whole, last_used_at: undefined }]],
    ['one bad token of two', [whole, { ...whole, last_used_at: 'now' }]],
  ])('are unavailable if the host gives %s', async (_, given) => {
    for (const view of views(listing(() => given))) {
      expect((await view.listTokens())._unsafeUnwrapErr()).toMatchObject({
        code: 'unavailable',
        port: 'authenticator.list',
        retryable: false,
        outcome: 'none',
      });
    }
  });

  it('are listed up to 1,000', async () => {
    for (const view of views(listing(() => new Array(1_000).fill(whole)))) {
      expect((await view.listTokens())._unsafeUnwrap()).toHaveLength(1_000);
    }
  });

  it.each<readonly [string, Authenticator | 'host' | undefined]>([
    ['has no authenticator', undefined],
    ['knows its callers by itself', 'host'],
    ['lists no tokens', { authenticate: () => ok(undefined) }],
  ])('are no operation if the host %s', async (_, authenticator) => {
    for (const view of views(authenticator)) {
      expect((await view.listTokens())._unsafeUnwrapErr()).toMatchObject({
        code: 'not_found',
        resource: 'operation',
      });
    }
  });

  it('are read by the object that the host has given', async () => {
    const authenticator = {
      own: [whole],
      authenticate: () => ok(undefined),
      list() {
        return ok(this.own);
      },
    };
    for (const view of views(authenticator)) {
      expect((await view.listTokens())._unsafeUnwrap()).toEqual([whole]);
    }
  });
});
