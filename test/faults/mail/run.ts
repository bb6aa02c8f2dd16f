import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDealwright } from 'dealwright/host';
import { dealV2Body } from '../../domain/field-tables.js';
import { missing, type Repeated, repeated, type Sent } from '../check-mail.js';
import { createDice } from '../dice.js';
import type { RelayPlace } from '../relays/run.js';

/** The figures of a run. */
export interface MailFigures extends Repeated {
  readonly kills: number;
  readonly messages: number;
  readonly lost: number;
}

const partners = ['acme', 'globex', 'initech'];
const program = resolve('test/faults/mail/mailer.mjs');

/** How many deals are created at once. */
const burst = 8;

/** A deal that was not accepted yet. */
interface OpenDeal {
  readonly partner: string;
  readonly partner_id: string;
  readonly token: string;
}

/** Kills processes that send mail, again and again, while deals are created and accepted. */
export async function runMailKills(
  { folder, store, place }: RelayPlace,
  { kills, seed }: { readonly kills: number; readonly seed: number },
): Promise<MailFigures> {
  const dice = createDice(seed);
  const journal = join(folder, 'sent.ndjson');
  const { marketplace } = createDealwright({ store });
  const apiOf = (partner: string) => marketplace.partner({ environment: 'production', partner });
  let started = 0;
  const start = async (): Promise<Child> => {
    started += 1;
    const name = `mailer-${started}`;
    const given = JSON.stringify({ name, place, journal });
    const child = spawn(process.execPath, [program, given], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const gone = once(child, 'close');
    await Promise.race([once(child.stdout, 'data'), gone]);
    return { name, child, gone };
  };
  /** The receivers of all messages: each gets one. */
  const expected: string[] = [];
  let open: readonly OpenDeal[] = [];
  let isOver = false;
  let made = 0;
  const create = async (partner: string): Promise<OpenDeal> => {
    made += 1;
    const partner_id = `order-${made}`;
    const email_freelancer = `${partner}-${made}@x.example`;
    const input = { ...dealV2Body, partner_id, email_freelancer };
    const { payment_token } = (await apiOf(partner).createDealV2(input))._unsafeUnwrap();
    expected.push(email_freelancer);
    return { partner, partner_id, token: payment_token };
  };
  /** Accepts a deal whose freelancer was told, and returns whether it did. */
  const accept = async ({ partner, partner_id, token }: OpenDeal): Promise<boolean> => {
    const details = await apiOf(partner).retrieveDealDetails(partner_id);
    if (details._unsafeUnwrap().freelancer_status !== 'invited') return false;
    (await marketplace.freelancer('production', token).accept())._unsafeUnwrap();
    expected.push(`office@${partner}.example`);
    return true;
  };
  // many at once, so that a consumer has several messages to send
  const work = async () => {
    for (let round = 0; !isOver; round += 1) {
      const partner = partners[round % partners.length] ?? '';
      const fresh = await Promise.all(Array.from({ length: burst }, () => create(partner)));
      const oldest = open.slice(0, burst);
      const accepted = await Promise.all(oldest.map(accept));
      open = [...open.filter((_, at) => !accepted[at]), ...fresh];
      await sleep(50);
    }
  };
  const working = work();
  const children = await Promise.all([start(), start()]);
  const killed = new Set<string>();
  try {
    for (let kill = 1; kill <= kills; kill += 1) {
      await sleep(dice.below(300));
      const at = dice.below(children.length);
      const victim = children[at] as Child;
      victim.child.kill('SIGKILL');
      killed.add(victim.name);
      await victim.gone;
      children[at] = await start();
    }
    isOver = true;
    await working;
    const until = Date.now() + 120_000;
    while (missing(expected, readSent(journal)) > 0 && Date.now() < until) await sleep(200);
    const sent = readSent(journal);
    const lost = missing(expected, sent);
    return { kills, messages: expected.length, lost, ...repeated(sent, killed) };
  } finally {
    isOver = true;
    await Promise.all([working, ...children.map(end)]);
  }
}

interface Child {
  readonly name: string;
  readonly child: ChildProcess;
  readonly gone: Promise<unknown>;
}

async function end({ child, gone }: Child): Promise<void> {
  child.kill('SIGKILL');
  await gone;
}

function readSent(path: string): readonly Sent[] {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  // a line that a kill has cut off was not sent
  return lines.flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as Sent] : []));
}
