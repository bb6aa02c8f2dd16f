import { check, show } from '../../expectations.js';
import { NotApplicable } from '../../laws.js';
import type { Json, Server } from '../server.js';

export const hour = 60 * 60;
export const day = 24 * hour;

export const clockPath = '/api/2.0/sandbox/clock/';

/** A moment in seconds. */
export function moment(text: Json, what: string): number {
  const milliseconds = Date.parse(String(text));
  check(!Number.isNaN(milliseconds), `${what} is a time of RFC 3339\n  actual: ${show(text)}`);
  return milliseconds / 1000;
}

/**
 * Moves the time of the partner, and waits until everything that is due has happened. Returns the
 * time after it. Other calls may move it, too: a case may rely on no more than that it has passed.
 */
export async function advance(server: Server, seconds: number): Promise<number> {
  let left = seconds;
  return server.until('the end of what is due', async () => {
    const body = { advance_seconds: left };
    const { now, due_left } = await server.partner.data('POST', clockPath, { body });
    // the next call goes on with it
    left = 1;
    return due_left === false ? moment(now, 'the member now of the answer') : undefined;
  });
}

/** Moves the time to some seconds after a moment, if it is not later already. */
export async function advanceTo(server: Server, at: number): Promise<number> {
  const now = await advance(server, 1);
  return at - now < 1 ? now : advance(server, Math.ceil(at - now));
}

/** The time before a deadline cannot be judged if another call has moved it beyond. */
export function expectBefore(now: number, deadline: number): void {
  if (now >= deadline) throw new NotApplicable('the time was moved by another call meanwhile');
}
