import { createPostgresStore, type PostgresLike } from 'dealwright/postgres';
import { describe, expect, it } from 'vitest';
import { acme, globex } from '../../../spec/store/subject.js';

interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A database that finds each deal but those named `none`, and refuses statements with `bad`. */
function finding(sent: Sent[], code = '22021'): PostgresLike {
  return {
    async query({ text, values = [] }) {
      sent.push({ text, values });
      const [, asked] = values.map(String);
      if (asked?.includes('bad')) throw Object.assign(new Error(code), { code });
      const names = text.includes('unnest') ? (asked ?? '').match(/[a-z]+/g) : [asked];
      return { rows: (names ?? []).map((name) => ({ answer: answerTo(name) })) };
    },
  };
}

const answerTo = (name: string | undefined) =>
  name === 'none' ? null : JSON.stringify({ deal: { partner_id: name } });

async function namesOf(db: PostgresLike, asked: readonly string[], options = {}) {
  const { deals } = createPostgresStore(db, options);
  const found = await Promise.all(
    asked.map((name, at) => deals.byPartnerId(at % 2 === 0 ? acme : globex, name, [])),
  );
  return found.map((each) =>
    each.isOk() ? each.value?.deal.partner_id : [each.error.outcome, each.error.retryable],
  );
}

describe('deals that are asked for at the same time', () => {
  it('are one statement, each in its place', async () => {
    const sent: Sent[] = [];
    expect(await namesOf(finding(sent), ['a', 'none', 'c'])).toEqual(['a', undefined, 'c']);
    expect(sent.map(({ values }) => values)).toEqual([
      ['{"sandbox:acme","sandbox:globex","sandbox:acme"}', '{"a","none","c"}'],
    ]);
  });

  it('go one by one if the server may have refused one of them', async () => {
    const sent: Sent[] = [];
    const read = await namesOf(finding(sent), ['a', 'bad', 'c']);
    expect(read).toEqual(['a', ['none', false], 'c']);
    expect(sent).toHaveLength(4);
  });

  it('go one by one if one may take too long for all of them', async () => {
    const read = await namesOf(finding([], '57014'), ['a', 'bad', 'c']);
    expect(read).toEqual(['a', ['none', true], 'c']);
  });

  it('wait for no other that is slow', async () => {
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const inner = finding([]);
    const db: PostgresLike = {
      async query(statement) {
        if (statement.values?.includes('slow')) await held;
        return inner.query(statement);
      },
    };
    const { deals } = createPostgresStore(db);
    const first = deals.byPartnerId(acme, 'slow', []);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await deals.byPartnerId(acme, 'a', []))._unsafeUnwrap()).toBeDefined();
    goOn();
    expect((await first)._unsafeUnwrap()).toBeDefined();
  });

  it('fail together if the server refuses any of them', async () => {
    const sent: Sent[] = [];
    const refused = ['none', false];
    expect(await namesOf(finding(sent, '42P01'), ['a', 'bad'])).toEqual([refused, refused]);
    expect(sent).toHaveLength(1);
  });

  it('are in no statement with those of other parts or another finder', async () => {
    const sent: Sent[] = [];
    const { deals } = createPostgresStore(finding(sent));
    await Promise.all([
      deals.byPartnerId(acme, 'a', []),
      deals.byPartnerId(acme, 'a', ['stage']),
      deals.byPaymentToken(acme, 'a', []),
    ]);
    expect(new Set(sent.map(({ text }) => text)).size).toBe(3);
  });

  it('are a statement each if nothing is gathered', async () => {
    const sent: Sent[] = [];
    expect(await namesOf(finding(sent), ['a', 'b'], { gather: false })).toEqual(['a', 'b']);
    expect(sent.map(({ values }) => values)).toEqual([
      ['sandbox:acme', 'a'],
      ['sandbox:globex', 'b'],
    ]);
  });

  it('are 64 in a statement at most, so that no answer is too long', async () => {
    const sent: Sent[] = [];
    const asked = Array.from({ length: 100 }, (_, at) => `a${'b'.repeat(at)}`);
    expect(await namesOf(finding(sent), asked)).toEqual(asked);
    const sizes = sent.map(({ values }) => String(values[1]).split(',').length);
    expect(sizes.every((size) => size <= 64)).toBe(true);
  });

  it('are answered if one cannot be read', async () => {
    const inner = finding([]);
    const db: PostgresLike = {
      async query(statement) {
        const { rows } = await inner.query(statement);
        const torn = ({ answer }: Record<string, unknown>) => String(answer).includes('torn');
        return { rows: rows.map((row) => (torn(row) ? { answer: '?' } : row)) };
      },
    };
    expect(await namesOf(db, ['a', 'torn', 'c'])).toEqual(['a', ['none', false], 'c']);
  });
});
