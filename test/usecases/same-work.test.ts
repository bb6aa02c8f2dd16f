import { createMarketplace, type PartnerApi } from 'dealwright';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPorts } from '../kit/ports.js';
import { contractor, deal } from '../kit/requests.js';

/** The calls of the ports, in order. */
let calls: string[];
beforeEach(() => {
  calls = [];
});

const acme = { environment: 'sandbox', partner: 'acme' } as const;
const globex = { environment: 'sandbox', partner: 'globex' } as const;

/** A port that works as before, with its calls recorded. */
function heard<T>(port: T, name: string): T {
  if (typeof port === 'function') {
    return new Proxy(port, {
      apply(target, self, args) {
        calls.push(name);
        return Reflect.apply(target, self, args);
      },
    });
  }
  return new Proxy(Object(port), {
    get(target, member, receiver) {
      const value: unknown = Reflect.get(target, member, receiver);
      return typeof value === 'function' || typeof value === 'object'
        ? heard(value, `${name}.${String(member)}`)
        : value;
    },
  });
}

async function* content(): AsyncGenerator<Uint8Array> {
  calls.push('content');
  yield Uint8Array.of(1);
  calls.push('content');
  yield Uint8Array.of(2);
}

interface Named {
  readonly id: number;
  readonly partner_id: string;
}
const file = { name: 'draft.txt' };
const keyed = { idempotencyKey: 'key-1' };

/** Every operation that names a deal. */
const asked: readonly (readonly [string, (api: PartnerApi<never>, named: Named) => unknown])[] = [
  ['retrieveDeal', (api, { id }) => api.retrieveDeal(id)],
  ['retrieveDealDetails', (api, { partner_id }) => api.retrieveDealDetails(partner_id)],
  ['listDeals', (api, { partner_id }) => api.listDeals({ partner_id })],
  ['uploadFile', (api, { id }) => api.uploadFile({ id }, { ...file, content: content() })],
  [
    'uploadFile of bytes',
    (api, { id }) => api.uploadFile({ id }, { ...file, content: Uint8Array.of(1) }),
  ],
  [
    'uploadFile to a stage',
    (api, { id }) => api.uploadFile({ id }, { ...file, stage_id: 1, content: content() }),
  ],
  [
    'uploadFile under a key',
    (api, { id }) => api.uploadFile({ id }, { ...file, content: content() }, keyed),
  ],
  ['uploadFile of nothing', (api, { id }) => api.uploadFile({ id }, {} as never)],
];

type Api = (tenant: typeof acme | typeof globex) => PartnerApi<never>;

/** Reads the deal of another partner, a missing one, and an own one; with the calls of each. */
async function compare(partner: Api, ask: (api: PartnerApi<never>, named: Named) => unknown) {
  (await partner(acme).registerContractor(contractor))._unsafeUnwrap();
  const { id } = (await partner(acme).createDeal(deal))._unsafeUnwrap();
  const named = { id, partner_id: deal.partner_id };
  const measured = async (api: PartnerApi<never>, each: Named) => {
    calls = [];
    const answer = await ask(api, each);
    return { answer, calls };
  };
  return {
    foreign: await measured(partner(globex), named),
    none: await measured(partner(globex), { id: id + 1, partner_id: 'nobody-has-this' }),
    own: await measured(partner(acme), named),
  };
}

describe.each(asked)('%s', (operation, ask) => {
  it('on a deal of another partner asks the ports for the same as on a missing one', async () => {
    const ports = createPorts();
    const all = Object.entries(ports).map(([name, port]) => [name, heard<unknown>(port, name)]);
    const marketplace = createMarketplace(Object.fromEntries(all) as typeof ports);
    const { foreign, none, own } = await compare((tenant) => marketplace.partner(tenant), ask);
    expect(foreign).toEqual(none);
    // one look-up, and no content of a file is read or stored
    expect(none.calls.filter((call) => !/^(clock|digest|timer)/.test(call))).toEqual([
      { retrieveDealDetails: 'store.deals.byPartnerId', listDeals: 'store.deals.list' }[
        operation
      ] ?? 'store.deals.byId',
    ]);
    expect(own.answer).not.toEqual(none.answer);
  });
});
