import {
  acme,
  acmeLive,
  type DefineCase,
  expectVerdict,
  globex,
  issue,
  type PaymentTokenIssuerSubject,
} from './subject.js';

const year = 365 * 24 * 60 * 60 * 1000;

/** How long a token is valid. */
export function expiry(define: DefineCase): void {
  for (const phase of [0, 1, 500, 999]) {
    define(`keeps to the lifetime of tokens issued ${phase} ms after a second`, async (subject) => {
      const { timer, issuer, lifetime } = subject;
      timer.advance(1000 - (timer.now() % 1000) + phase);
      const held = await issue(subject);
      if (lifetime === undefined) return staysValid(subject, held);
      timer.advance((lifetime - 1) * 1000);
      await expectVerdict('valid', issuer, acme, held, 'a token in its last second');
      timer.advance(1000);
      await expectVerdict('expired', issuer, acme, held, 'a token whose time is over');
      const restarted = await subject.restarted();
      await expectVerdict('expired', restarted, acme, held, 'a token whose time is over');
      for (const stranger of [globex, acmeLive]) {
        await expectVerdict('invalid', issuer, stranger, held, "another's token, over by now");
      }
      await expectVerdict('valid', issuer, acme, await issue(subject), 'a new token');
      timer.advance(50 * year);
      await expectVerdict('expired', issuer, acme, held, 'a token of long ago');
    });
  }
}

async function staysValid(
  { timer, issuer }: PaymentTokenIssuerSubject,
  held: Parameters<typeof expectVerdict>[3],
): Promise<void> {
  for (const years of [1, 10, 100]) {
    timer.advance(years * year);
    await expectVerdict('valid', issuer, acme, held, `a token after ${years} years`);
  }
}
