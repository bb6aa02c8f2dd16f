import type { IssuedPaymentToken, PaymentTokenIssuer, Tenant } from 'dealwright/ports';
import type { PaymentTokenIssuerSubject } from 'dealwright/spec';
import { createManualClock, type ManualClock } from 'dealwright/testing';
import { createSignedTokenIssuer } from 'dealwright/tokens';
import { ok } from 'neverthrow';

const key = new Uint8Array(32).fill(7);
const lifetime = 60;
const close = async () => undefined;

type Change = (good: PaymentTokenIssuer, timer: ManualClock) => Partial<PaymentTokenIssuer>;

/** A correct issuer, to break: `restarted` breaks it again in the same way. */
export function issuerWith(change: Change): () => PaymentTokenIssuerSubject {
  return () => {
    const timer = createManualClock();
    const restarted = () => {
      const good = createSignedTokenIssuer({ key, lifetime, timer });
      return { ...good, ...change(good, timer) };
    };
    return { issuer: restarted(), restarted, bindsDeals: true, timer, lifetime, close };
  };
}

/** The answer of the good issuer, which always answers. */
async function settled<T>(answer: ReturnType<PaymentTokenIssuer['issue']> | Promise<T>) {
  const result = await answer;
  return typeof result === 'object' && result !== null && 'isOk' in result && result.isOk()
    ? result.value
    : '';
}

/** The issuer, if each tenant were the one that `merge` returns for it. */
function mergeTenants(merge: (tenant: Tenant) => Tenant) {
  return issuerWith((good) => ({
    issue: (tenant, deal) => good.issue(merge(tenant), deal),
    verify: (tenant, held) => good.verify(merge(tenant), held),
  }));
}

/** Accepts every token that is valid after the change. */
function reading(change: (held: IssuedPaymentToken) => Partial<IssuedPaymentToken>) {
  return issuerWith((good) => ({
    verify: (tenant, held) => good.verify(tenant, { ...held, ...change(held) }),
  }));
}

/** Gives other verdicts than the good issuer. */
function saying(change: Partial<Record<string, 'valid' | 'expired' | 'invalid'>>) {
  return issuerWith((good) => ({
    async verify(tenant, held) {
      const result = await good.verify(tenant, held);
      return result.map((verdict) => change[verdict] ?? verdict);
    },
  }));
}

/** Issues and remembers the tokens of `next`, of any form. */
function remembering(next: (partner_id: string, count: number) => string) {
  let count = 0;
  return issuerWith(() => {
    const issued = new Map<string, string>();
    const about = (tenant: Tenant, { partner_id, amount, currency }: Omit<Held, 'issued_at'>) =>
      JSON.stringify([tenant, partner_id, amount, currency]);
    return {
      issue(tenant, deal) {
        count += 1;
        const token = next(deal.partner_id, count);
        issued.set(token, about(tenant, { ...deal, payment_token: token }));
        return ok(token);
      },
      verify: (tenant, held) =>
        ok(issued.get(held.payment_token) === about(tenant, held) ? 'valid' : 'invalid'),
    };
  });
}

type Held = IssuedPaymentToken;

/** Issuers with a mistake each that the contract has to find, and a case that finds it. */
export const brokenIssuers: Readonly<
  Record<string, { readonly make: () => PaymentTokenIssuerSubject; readonly foundBy: string }>
> = {
  'puts the name of the deal into its token as it is': {
    make: issuerWith((good) => ({
      issue: async (tenant, deal) =>
        ok(`${await settled(good.issue(tenant, deal))}.${deal.partner_id}`),
    })),
    foundBy: '3/tokens/form',
  },
  'issues short tokens': {
    make: remembering((_, count) => `token-${count}`),
    foundBy: '3/tokens/form',
  },
  'counts its tokens': {
    make: remembering((_, count) => String(count).padStart(40, '0')),
    foundBy: '3/tokens/unpredictable',
  },
  'has one token for a deal': {
    make: remembering((partner_id) => Buffer.from(partner_id).toString('hex').padEnd(40, '0')),
    foundBy: '3/tokens/unique',
  },
  'begins to count anew when it is started again': {
    make: issuerWith((good) => {
      let count = 0;
      return {
        issue: async (tenant, deal) => {
          count += 1;
          const token = await settled(good.issue(tenant, deal));
          return ok(count === 1 ? 'the-first-token-of-every-process' : token);
        },
      };
    }),
    foundBy: '3/tokens/unique-over-restart',
  },
  'knows its tokens until it is stopped': {
    make: remembering(() =>
      Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex'),
    ),
    foundBy: '3/tokens/valid-over-restart',
  },
  'does not say whose a token is': {
    make: issuerWith(() => ({ tenantOf: () => undefined })),
    foundBy: '3/tokens/tenant',
  },
  'says of a token that it is of the other environment': {
    make: issuerWith((good) => ({
      tenantOf(token) {
        const tenant = good.tenantOf(token);
        return tenant && { ...tenant, environment: 'sandbox' };
      },
    })),
    foundBy: '3/tokens/tenant',
  },
  'knows whose a token is only while it runs': {
    make: issuerWith((good) => {
      const owners = new Map<string, Tenant>();
      return {
        issue: async (tenant, deal) => {
          const token = await settled(good.issue(tenant, deal));
          owners.set(token, tenant);
          return ok(token);
        },
        tenantOf: (token) => owners.get(token),
      };
    }),
    foundBy: '3/tokens/tenant',
  },
  'throws where a text says no tenant': {
    make: issuerWith((good) => ({
      tenantOf(token) {
        const tenant = good.tenantOf(token);
        if (tenant === undefined) throw new Error('no tenant');
        return tenant;
      },
    })),
    foundBy: '3/tokens/tenant-of-foreign',
  },
  'uses a token up by verifying it': {
    make: issuerWith((good) => {
      const seen = new Set<string>();
      return {
        verify: (tenant, held) => {
          if (seen.has(held.payment_token)) return ok('invalid');
          seen.add(held.payment_token);
          return good.verify(tenant, held);
        },
      };
    }),
    foundBy: '3/tokens/valid',
  },
  'forgets a token when it issues the next': {
    make: issuerWith((good) => {
      let last = '';
      return {
        issue: async (tenant, deal) => {
          last = await settled(good.issue(tenant, deal));
          return ok(last);
        },
        verify: (tenant, held) =>
          last !== '' && held.payment_token !== last ? ok('invalid') : good.verify(tenant, held),
      };
    }),
    foundBy: '3/tokens/valid-among-others',
  },
  'lets partners use each other’s tokens': {
    make: mergeTenants(({ environment }) => ({ environment, partner: 'everybody' })),
    foundBy: '2.1/tokens/other-partner',
  },
  'folds the case of a partner': {
    make: mergeTenants(({ environment, partner }) => ({
      environment,
      partner: partner.toLowerCase(),
    })),
    foundBy: '2.1/tokens/other-partner',
  },
  'has one environment': {
    make: mergeTenants(({ partner }) => ({ environment: 'sandbox', partner })),
    foundBy: '2.1/tokens/other-environment',
  },
  'does not bind what it says that it binds': {
    make: () => ({
      ...issuerWith((good) => ({
        issue: (tenant, deal) => good.issue(tenant, { ...deal, amount: '0.01' }),
        verify: (tenant, held) => good.verify(tenant, { ...held, amount: '0.01' }),
      }))(),
    }),
    foundBy: '3/tokens/binding',
  },
  'binds what it says that it does not bind': {
    make: () => ({ ...issuerWith(() => ({}))(), bindsDeals: false }),
    foundBy: '3/tokens/binding',
  },
  'trims a token': {
    make: reading(({ payment_token }) => ({ payment_token: payment_token.trim() })),
    foundBy: '3/tokens/changed',
  },
  'reads a token up to the first 300 characters': {
    make: reading(({ payment_token }) => ({
      payment_token: payment_token.replace(/^([\w-]+\.[\w-]+\.[\w-]{43}).*$/s, '$1'),
    })),
    foundBy: '3/tokens/changed',
  },
  'believes a token that is not signed': {
    make: issuerWith((good) => ({
      verify: (tenant, held) => {
        const [header = ''] = held.payment_token.split('.');
        return Buffer.from(header, 'base64url').toString().includes('"none"')
          ? ok('valid')
          : good.verify(tenant, held);
      },
    })),
    foundBy: '3/tokens/changed',
  },
  'throws where a token is malformed': {
    make: issuerWith((good) => ({
      verify: (tenant, held) => {
        JSON.parse(Buffer.from(held.payment_token.split('.')[1] ?? '', 'base64url').toString());
        return good.verify(tenant, held);
      },
    })),
    foundBy: '3/tokens/foreign',
  },
  'throws where the time of issue is malformed': {
    make: reading(({ issued_at }) => ({ issued_at: new Date(issued_at).toISOString() })),
    foundBy: '3/tokens/any-time-of-issue',
  },
  'lets no token expire': {
    make: saying({ expired: 'valid' }),
    foundBy: '3/tokens/lifetime (issued 0 ms after a second)',
  },
  'calls invalid what has expired': {
    make: saying({ expired: 'invalid' }),
    foundBy: '3/tokens/lifetime (issued 999 ms after a second)',
  },
  'calls expired what is not its own': {
    make: issuerWith((good, timer) => ({
      async verify(tenant, held) {
        const result = await good.verify(tenant, held);
        const isOld = timer.now() - Date.parse(held.issued_at) >= lifetime * 1000;
        return result.map((verdict) => (isOld ? 'expired' : verdict));
      },
    })),
    foundBy: '3/tokens/lifetime (issued 500 ms after a second)',
  },
  'ends a lifetime two seconds early': {
    make: issuerWith((_, timer) => createSignedTokenIssuer({ key, lifetime: lifetime - 2, timer })),
    foundBy: '3/tokens/lifetime (issued 1 ms after a second)',
  },
  'lets a token live for a second more': {
    make: issuerWith((_, timer) => createSignedTokenIssuer({ key, lifetime: lifetime + 1, timer })),
    foundBy: '3/tokens/lifetime (issued 0 ms after a second)',
  },
  'expires though it says that nothing does': {
    make: () => {
      const { lifetime: _, ...subject } = issuerWith(() => ({}))();
      return subject;
    },
    foundBy: '3/tokens/lifetime (issued 0 ms after a second)',
  },
};
