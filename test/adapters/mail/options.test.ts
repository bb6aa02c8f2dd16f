import { createMailer, type MailerOptions } from 'dealwright/mail';
import { describe, expect, it } from 'vitest';
import { partnerAddress, required } from './kit.js';

const transport = { sendMail: async () => undefined };

describe('createMailer', () => {
  it.each([
    [{ transport: {} }, 'transport has sendMail'],
    [{ from: 'Deals' }, 'from is an address, or a name and an address in < >'],
    [{ from: 'a@b\r\nBcc: c@d' }, 'from is an address, or a name and an address in < >'],
    [{ from: 'A\nB <a@b.example>' }, 'from is an address, or a name and an address in < >'],
    [{ from: 'A <a@b.example>, B <c@d.example>' }, 'from is an address'],
    [{ hostName: ' ' }, 'hostName is a text'],
    [{ offerUrl: '/offer/' }, 'offerUrl is an absolute URL of http or https without a fragment'],
    [{ offerUrl: 'javascript:alert(1)' }, 'offerUrl is an absolute URL of http or https'],
    [{ offerUrl: 'https://a.example/#x' }, 'offerUrl is an absolute URL of http or https'],
    [{ from: 'b@c.example, A <a@b.example>' }, 'from is an address'],
    [{ since: 'yesterday' }, 'since is a time'],
    [{ since: '1' }, 'since is a time of RFC 3339'],
    [{ since: '2026-12-01T00:00:00' }, 'since is a time of RFC 3339'],
    [{ since: undefined }, 'since is a time'],
    [{ partnerAddress: 'a@b.example' }, 'partnerAddress is a function'],
    [{ templates: { unknown: {} } }, 'templates has a subject and paragraphs'],
    [{ templates: { toString: {} } }, 'templates has a subject and paragraphs'],
    [{ templates: null }, 'templates has a subject and paragraphs'],
    [{ templates: { offered: null } }, 'templates has a subject and paragraphs'],
    [{ templates: { offered: { en: null } } }, 'templates has a subject and paragraphs'],
    [{ templates: { offered: { de: {} } } }, 'templates has a subject and paragraphs'],
    [{ templates: { offered: { en: { subject: 'x' } } } }, 'templates has a subject'],
    [
      { templates: { offered: { en: { subject: '{tittle}', paragraphs: [] } } } },
      'templates and signature have no slots but host, title,',
    ],
    [{ signature: { en: ['x'] } }, 'signature paragraphs for each'],
    [{ signature: { en: ['{toString}'], pl: [] } }, 'no slots but host, title,'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone is one that Intl knows'],
    [{ sandbox: 1 }, 'sandbox is a boolean'],
    [{ unsubscribeUrl: 'https://a.example/' }, 'unsubscribeUrl is a function'],
    [{ timeout: 0 }, 'timeout is a number of milliseconds'],
    [{ colour: 'red' }, "options has no 'colour'"],
  ])('throws for %j', (wrong, says) => {
    const options = { ...required, transport, ...wrong } as MailerOptions;
    expect(() => createMailer(options)).toThrow(TypeError);
    expect(() => createMailer(options)).toThrow(says);
  });

  it('takes words in place of ours, for one language', () => {
    const own = { subject: 'From {host}', paragraphs: ['{net} for “{title}”: {link}'] };
    const mailer = createMailer({
      ...required,
      ...{ transport, partnerAddress, templates: { offered: { pl: own } } },
      signature: { en: ['Yours, {host}'], pl: ['{host}'] },
      offerUrl: (token) => `https://other.example/?offer=${token}`,
      unsubscribeUrl: ({ address, side }) => `https://a.example/stop?${side}=${address}`,
    });
    const [en, pl] = mailer.preview();
    expect(pl?.message).toMatchObject({
      subject: 'From Example Deals',
      to: 'freelancer@example.com',
      from: 'Example Deals <deals@example.com>',
      headers: {
        'List-Unsubscribe': '<https://a.example/stop?freelancer=freelancer@example.com>',
      },
    });
    expect(pl?.message.text).toMatch(
      /^950,00\s+zł for “Strona główna”: https:\/\/other\.example\/\?offer=a-sample-of-a-payment-token\n\nExample Deals\n$/,
    );
    expect(en?.message.subject).toBe('Acme offers you work: “Landing page”');
    expect(en?.message.text).toMatch(/\n\nYours, Example Deals\n$/);
  });

  it.each(['javascript:alert(1)', 'https://a.example/\r\nBcc: b@c.example', 'https://a.example/>'])(
    'sends nothing with %j as the URL to unsubscribe',
    (url) => {
      const mailer = createMailer({ ...required, transport, unsubscribeUrl: () => url });
      expect(() => mailer.preview()).toThrow('unsubscribeUrl did not return a URL');
    },
  );
});
