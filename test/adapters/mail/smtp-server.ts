import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { MailTransport } from 'dealwright/mail';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** A message as it came over the wire. */
interface Arrived {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
}

/** The reply to a step of a conversation that is refused. */
export interface SmtpRefusal {
  readonly step: 'connect' | 'login' | 'sender' | 'receiver' | 'content';
  readonly code: number;
  readonly text: string;
}

interface SmtpOptions {
  /** What is refused, of a message to an address that begins with `nobody`; default: nothing. */
  readonly refusal?: SmtpRefusal;
  /** Whether it speaks LMTP, which has a reply for each receiver after the content. */
  readonly isLocal?: boolean;
}

/** A real server of SMTP, and a transport of nodemailer to it. */
export async function startSmtp({ refusal, isLocal = false }: SmtpOptions = {}) {
  const arrived: Arrived[] = [];
  const tried: string[] = [];
  const refusedAt = (step: SmtpRefusal['step'], address = 'nobody') => {
    if (refusal?.step !== step || !address.startsWith('nobody')) return null;
    return Object.assign(new Error(refusal.text), { responseCode: refusal.code });
  };
  const server = new SMTPServer({
    lmtp: isLocal,
    authOptional: refusal?.step !== 'login',
    disabledCommands: ['STARTTLS', ...(refusal?.step === 'login' ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    onConnect(_session, done) {
      const error = refusedAt('connect');
      if (error !== null) tried.push('connect');
      done(error);
    },
    onAuth(_auth, _session, done) {
      tried.push('login');
      done(refusedAt('login'));
    },
    onMailFrom(_address, _session, done) {
      tried.push('message');
      done(refusedAt('sender'));
    },
    onRcptTo({ address }, _session, done) {
      done(refusedAt('receiver', address));
    },
    onData(stream, { envelope }, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        const error = refusedAt('content', to[0]);
        if (error === null) {
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          arrived.push({ from, to, raw: Buffer.concat(pieces).toString('utf8') });
        }
        done(error);
      });
    },
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const transport: MailTransport = createTransport({
    ...{ host: '127.0.0.1', port, secure: false, lmtp: isLocal },
    ...(refusal?.step === 'login' && { auth: { user: 'deals', pass: 'wrong' } }),
  });
  onTestFinished(() => new Promise<void>((done) => void server.close(() => done())));
  return { arrived, tried, transport };
}
