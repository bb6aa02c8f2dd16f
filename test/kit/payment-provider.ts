import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The fault of the next request that makes a change. */
export type Fault = 'error' | 'cut after the effect';

/** An object of the provider. */
type Thing = { readonly id: string; readonly [member: string]: unknown };
interface Answer {
  readonly status: number;
  readonly body: object;
}

/** A movement of money: in from an employer, out to a freelancer, or back. */
export type Movement = readonly ['in' | 'out' | 'back', number, string];

/**
 * A service with the part of Stripe's interface that the example uses, on a free port of this
 * machine: idempotency keys, lists, events. It counts the money that it moves.
 */
export async function startProvider(secret: string) {
  const things = new Map<string, Thing>();
  const kept = new Map<string, { request: string; answer: Answer }>();
  const movements: Movement[] = [];
  const events: string[] = [];
  const faults: Fault[] = [];
  let count = 0;

  const put = <T extends object>(prefix: string, more: T) => {
    count += 1;
    const thing = { id: `${prefix}_${count}`, ...more };
    things.set(thing.id, thing);
    return thing;
  };
  const tell = (type: string, object: object) => {
    const data = { object };
    events.push(
      JSON.stringify({ id: `evt_${events.length}`, object: 'event', type, data, api_version: '' }),
    );
  };
  const all = (prefix: string, member: string, value: unknown) =>
    [...things.values()].filter(
      (each) => each.id.startsWith(`${prefix}_`) && each[member] === value,
    );
  const list = (data: readonly object[]): Answer => ({
    status: 200,
    body: { object: 'list', data, has_more: false },
  });

  const creates: Readonly<Record<string, (body: Form) => object>> = {
    '/v1/checkout/sessions': (body) => {
      const price = body.under('line_items[0][price_data]');
      const money = { amount: Number(price['unit_amount']), currency: price['currency'] ?? '' };
      const intent = { ...money, metadata: body.under('payment_intent_data[metadata]') };
      const transfer_group = body.value('payment_intent_data[transfer_group]');
      const url = `https://pay.example.com/${count + 1}`;
      return put('cs', { url, metadata: body.under('metadata'), intent, transfer_group });
    },
    '/v1/transfers': (body) => {
      const money = { amount: Number(body.value('amount')), currency: body.value('currency') };
      const transfer_group = body.value('transfer_group');
      const destination = body.value('destination');
      movements.push(['out', money.amount, money.currency]);
      const transfer = { ...money, destination, transfer_group, metadata: body.under('metadata') };
      const thing = put('tr', transfer);
      tell('transfer.created', thing);
      return thing;
    },
    '/v1/refunds': (body) => giveBack(body.value('charge'), body),
  };

  function giveBack(id: string, body: Form, metadata = body.under('metadata')): Thing {
    const charge = things.get(id) as Charge;
    const amount = Number(body.value('amount'));
    const { currency, payment_intent } = charge;
    movements.push(['back', amount, currency]);
    const refund = put('re', { amount, currency, payment_intent, metadata, status: 'succeeded' });
    const data = [...charge.refunds.data, refund];
    const amount_refunded = charge.amount_refunded + amount;
    things.set(id, { ...charge, amount_refunded, refunds: { data } } as Charge);
    tell('refund.created', { ...refund, status: 'pending' });
    tell('refund.updated', refund);
    return refund;
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://provider');
    if (request.method === 'GET') {
      const group = searchParams.get('transfer_group');
      if (pathname === '/v1/transfers') return list(all('tr', 'transfer_group', group));
      if (pathname === '/v1/charges') return list(all('ch', 'transfer_group', group));
      const thing = things.get(pathname.replace('/v1/payment_intents/', ''));
      return thing ? { status: 200, body: thing } : problem(404, 'No such object.');
    }
    const body = await text(request);
    const create = creates[pathname];
    if (create === undefined) return problem(404, 'No such path.');
    const key = String(request.headers['idempotency-key']);
    const known = kept.get(key);
    if (known !== undefined) {
      const isSame = known.request === pathname + body;
      return isSame ? known.answer : problem(400, 'Another body.', 'idempotency_error');
    }
    if (faults[0] === 'error') {
      faults.shift();
      return problem(500, 'It did not work.');
    }
    const created = { status: 200, body: create(new Form(body)) };
    kept.set(key, { request: pathname + body, answer: created });
    return created;
  }

  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      if (request.method === 'POST' && faults[0] === 'cut after the effect') {
        faults.shift();
        request.socket.destroy();
        return;
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });

  return {
    /** Its address, in the options of the client. */
    at: {
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      protocol: 'http',
    } as const,
    movements,
    /** Its events, in the order in which they happened. */
    events,
    faults,
    /** Forgets the keys, as a day later. */
    forgetKeys: () => kept.clear(),
    /** The employer pays on the payment page. */
    pay(url: string) {
      const [session] = all('cs', 'url', url) as [Session];
      const { amount, currency, metadata } = session.intent;
      movements.push(['in', amount, currency]);
      const intent = put('pi', { amount, amount_received: amount, currency, metadata });
      put('ch', {
        ...{ amount, currency, amount_refunded: 0, refunds: { data: [] } },
        ...{ transfer_group: session.transfer_group, payment_intent: intent.id },
      });
      tell('payment_intent.succeeded', intent);
      return intent.id;
    },
    /** The payment page closes after a day. */
    expire(url: string) {
      tell('checkout.session.expired', all('cs', 'url', url)[0] as Session);
    },
    /** The bank of the employer takes money back. */
    dispute(payment_intent: string, amount: number) {
      const { currency } = things.get(payment_intent) as Charge;
      movements.push(['back', amount, currency]);
      tell('charge.dispute.funds_withdrawn', put('du', { amount, currency, payment_intent }));
    },
    /** An operator refunds money on the pages of the provider. */
    refundByHand(payment_intent: string, amount: number) {
      const [charge] = all('ch', 'payment_intent', payment_intent) as [Charge];
      giveBack(charge.id, new Form(`amount=${amount}`));
    },
    /** Sends an event, signed at this moment, and returns the status of the answer. */
    async send(url: string, event: string, signedWith = secret): Promise<number> {
      const at = Math.floor(Date.now() / 1000);
      const v1 = createHmac('sha256', signedWith).update(`${at}.${event}`).digest('hex');
      const headers = { 'stripe-signature': `t=${at},v1=${v1}` };
      return (await fetch(url, { method: 'POST', headers, body: event })).status;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Money {
  readonly amount: number;
  readonly currency: string;
}
type Session = Thing & { intent: Money & { metadata: object }; transfer_group: string };
type Charge = Thing &
  Money & { amount_refunded: number; payment_intent: string; refunds: { data: Thing[] } };

function problem(status: number, message: string, type = 'invalid_request_error'): Answer {
  return { status, body: { error: { type, message } } };
}

/** A body of the provider's interface: `metadata[partner]=acme&amount=5`. */
class Form {
  readonly #members: URLSearchParams;

  constructor(body: string) {
    this.#members = new URLSearchParams(body);
  }

  value(name: string): string {
    return this.#members.get(name) ?? '';
  }

  /** The nested members of a member. */
  under(name: string): Record<string, string> {
    return Object.fromEntries(
      [...this.#members].flatMap(([path, value]) => {
        const rest = path.startsWith(`${name}[`) ? path.slice(name.length + 1, -1) : '';
        return rest === '' || rest.includes('[') ? [] : [[rest, value]];
      }),
    );
  }
}
