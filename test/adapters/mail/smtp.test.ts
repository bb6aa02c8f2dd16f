import { describe, expect, it } from 'vitest';
import { mailHost } from './kit.js';
import { type SmtpRefusal, startSmtp } from './smtp-server.js';

/** Header fields by their names in lower case, each value unfolded and decoded. */
function headersOf(part: string): ReadonlyMap<string, readonly string[]> {
  const [head = ''] = part.split('\r\n\r\n');
  const fields = new Map<string, string[]>();
  for (const field of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(field) ?? [];
    fields.set(name.toLowerCase(), [...(fields.get(name.toLowerCase()) ?? []), decoded(value)]);
  }
  return fields;
}

/** RFC 2047. */
const decoded = (value: string) =>
  value.replace(/\?=\s+=\?/g, '?==?').replace(/(?:=\?utf-8\?[qb]\?[^?]*\?=)+/gi, (words) => {
    const bytes = [...words.matchAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi)].map(
      ([, kind, text = '']) =>
        /b/i.test(kind ?? '') ? Buffer.from(text, 'base64') : fromQuoted(text.replaceAll('_', ' ')),
    );
    return Buffer.concat(bytes).toString('utf8');
  });

const fromQuoted = (text: string) =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    'latin1',
  );

/** The text and the HTML of a message of two alternatives. */
function bodiesOf(raw: string): readonly string[] {
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(raw) ?? [];
  return raw
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const at = part.indexOf('\r\n\r\n');
      const body = part.slice(at + 4);
      const [encoding] = headersOf(part.trimStart()).get('content-transfer-encoding') ?? [];
      const bytes =
        encoding === 'base64'
          ? Buffer.from(body, 'base64')
          : encoding === 'quoted-printable'
            ? fromQuoted(body)
            : Buffer.from(body, 'utf8');
      return bytes.toString('utf8').replaceAll('\r\n', '\n').trim();
    });
}

it('sends through a real SMTP server, by nodemailer as it is', async () => {
  const { arrived, transport } = await startSmtp();
  const unsubscribeUrl = () => `https://deals.example.com/stop/?who=${'x'.repeat(200)}`;
  const host = mailHost({ transport, unsubscribeUrl });
  const running = host.start();
  const title = 'Ś\u0142owa\r\nBcc: victim@example.com <b>"';
  const token = await host.create({
    partner_id: 'a',
    title,
    email_freelancer: "o'brien+x@sub.example.com",
    freelancer_language: 'pl',
  });
  await expect
    .poll(async () => {
      await host.pass();
      return arrived.length;
    })
    .toBe(1);
  await running.stop();
  const [{ from, to, raw } = { from: '', to: [], raw: '' }] = arrived;
  expect(from).toBe('deals@example.com');
  expect(to).toEqual(["o'brien+x@sub.example.com"]);
  const headers = headersOf(raw);
  const shown = 'Śłowa Bcc: victim@example.com <b>"';
  expect(Object.fromEntries(headers)).toMatchObject({
    from: ['Example Deals <deals@example.com>'],
    to: ["o'brien+x@sub.example.com"],
    subject: [`Zleceniodawca proponuje zlecenie: „${shown}”`],
    'auto-submitted': ['auto-generated'],
    'content-language': ['pl'],
    'list-unsubscribe': [`<${unsubscribeUrl()}>`],
    'message-id': [expect.stringMatching(/^<[0-9A-Z]{26}\.freelancer@example\.com>$/)],
  });
  expect(headers.has('bcc')).toBe(false);
  const [text = '', html = ''] = bodiesOf(raw);
  expect(text).toContain(`„${shown}”`);
  expect(text).toContain(`https://deals.example.com/offer/#${token}`);
  expect(html).toContain('<bdi>Śłowa Bcc: victim@example.com &lt;b&gt;&quot;</bdi>');
  expect(html).toContain(`<a href="https://deals.example.com/offer/#${token}">`);
});

const minute = 60_000;

/** What a server that answers so is tried with, once more time has passed than a retry waits. */
async function triesOf(refusal: SmtpRefusal, isLocal = false) {
  const { arrived, tried, transport } = await startSmtp({ refusal, isLocal });
  const host = mailHost({ transport, partnerAddress: () => undefined });
  const running = host.start();
  await host.create({ partner_id: 'a', email_freelancer: 'nobody@x.example' });
  const until = (isDone: () => boolean) =>
    expect
      .poll(async () => {
        await host.pass();
        return isDone();
      })
      .toBe(true);
  await until(() => host.failures.length > 0);
  const isLast = host.givenUp[0] === true;
  // the first pause is 5 s
  if (isLast) await host.pass(minute);
  else await until(() => tried.length > 1);
  await running.stop();
  expect(arrived).toEqual([]);
  return { isLast, count: tried.length, failure: String(host.failures[0]) };
}

const [connect, login, sender, receiver, content] = [
  ...(['connect', 'login', 'sender', 'receiver', 'content'] as const),
];

describe('a real server of SMTP', () => {
  it.each([
    [receiver, 550, '5.1.1 No such mailbox'],
    [receiver, 550, 'no such mailbox'],
    [receiver, 552, '5.2.2 Mailbox full'],
    [receiver, 553, 'mailbox name not allowed'],
    [content, 554, '5.6.0 Content refused'],
    [content, 554, '5.7.1 Looks like spam'],
  ] as const)('that refuses the %s by %i %s is asked once', async (step, code, text) => {
    const { isLast, count, failure } = await triesOf({ step, code, text });
    expect([isLast, count]).toEqual([true, 1]);
    expect(failure).toContain(String(code));
  });

  it.each([
    [receiver, 450, '4.2.1 Mailbox busy'],
    [receiver, 452, 'too many receivers'],
    [content, 451, '4.3.0 Try again'],
    // these are about who sends, whoever receives it
    [connect, 554, '5.7.1 Your address is blocked'],
    [login, 535, '5.7.8 Wrong password'],
    [sender, 550, '5.1.8 Sender unknown'],
    [receiver, 554, '5.7.1 Relay access denied'],
    [receiver, 530, '5.7.0 Authentication required'],
    [content, 550, '5.7.60 You may not send as this sender'],
  ] as const)('that refuses the %s by %i %s is asked again', async (step, code, text) => {
    const { isLast, count } = await triesOf({ step, code, text });
    expect([isLast, count > 1]).toEqual([false, true]);
  });

  it('that refuses a receiver after the content (LMTP) has not taken the message', async () => {
    const refused = { step: content, code: 550, text: '5.1.1 No such mailbox' } as const;
    expect(await triesOf(refused, true)).toMatchObject({ isLast: true, count: 1 });
    const busy = await triesOf({ step: content, code: 450, text: '4.2.1 Mailbox busy' }, true);
    expect([busy.isLast, busy.count > 1]).toEqual([false, true]);
  });
});
