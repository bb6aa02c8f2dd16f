import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { MailTransport } from 'dealwright/mail';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { expect, it, onTestFinished } from 'vitest';
import { mailHost } from './kit.js';

/** A message as it came over the wire. */
interface Arrived {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
}

/** A real SMTP server; `refuses` names the receivers that it does not know. */
async function startSmtp(refuses: (address: string) => boolean = () => false) {
  const arrived: Arrived[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      const error = Object.assign(new Error('no such mailbox'), { responseCode: 550 });
      done(refuses(address) ? error : null);
    },
    onData(stream, { envelope }, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        arrived.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(pieces).toString('utf8'),
        });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const transport: MailTransport = createTransport({ host: '127.0.0.1', port, secure: false });
  onTestFinished(() => new Promise<void>((done) => void server.close(() => done())));
  return { arrived, transport };
}

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

it('tries again a receiver that the server refuses, and tells the others meanwhile', async () => {
  const { arrived, transport } = await startSmtp((address) => address.startsWith('nobody'));
  const host = mailHost({ transport });
  const running = host.start();
  await host.create({ partner_id: 'a', email_freelancer: 'nobody@x.example' });
  await host.create({ partner_id: 'b', email_freelancer: 'jan@x.example' });
  await expect
    .poll(async () => {
      await host.pass();
      return [arrived.length, host.failures.length > 1];
    })
    .toEqual([1, true]);
  await running.stop();
  expect(arrived.map(({ to }) => to)).toEqual([['jan@x.example']]);
  expect(String(host.failures[0])).toContain('550');
});
