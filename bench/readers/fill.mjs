import { contractor } from '../validation/cases.mjs';

export const reader = { environment: 'sandbox', partner: 'reader' };
export const victim = { environment: 'sandbox', partner: 'victim' };

const deal = {
  title: 'A logo',
  email_freelancer: 'freelancer@example.com',
  description: 'A logo, and a guide how to use it.',
  subcategory_id: 75,
  amount: '500.00',
  currency: 'EUR',
  freelancer_language: 'en',
  copyright_transfer: 'full_transfer',
};

/** Texts that JSON writes as they are, in two bytes a character, and in six. */
const texts = { plain: 'a', wide: '\u0142', escaped: '\u0001' };
const longest = 19_900;
const [versions, files, deals, webhooks] = [40, 1_000, 300, 100];

/** Fills a store with what costs most to read, and names the paths that read it. */
export async function fill(marketplace) {
  const api = marketplace.partner(reader);
  await must(marketplace.partner(victim).createDealV2({ ...deal, partner_id: 'victim' }));
  const ways = [];
  const both = (path, at) => {
    ways.push({ who: 'partner', path: `/api/2.0/deal/${at.partner_id}/${path}` });
    if (at.token !== undefined) ways.push({ who: 'offer', path: `/api/2.0/offer/${path}`, ...at });
  };
  const pages = ['proposal/?page_size=100', 'proposal/?page_size=1', 'terms/?page_size=100'];
  for (const [name, character] of Object.entries(texts)) {
    const partner_id = `long-${name}`;
    const text = character.repeat(longest);
    const { payment_token: token } = await must(
      api.createDealV2({ ...deal, partner_id, description: text }),
    );
    const propose = (at) =>
      must(
        api.propose(partner_id, {
          kind: 'amendment',
          changes: { description: `${text}${at}` },
          message: character.repeat(2_000),
        }),
      );
    // those of a deal that is only offered are versions at once
    for (let at = 0; at < versions; at += 1) await propose(at);
    await must(
      marketplace.freelancer('sandbox', token).accept({ ...(await consent(api, partner_id)) }),
    );
    for (let at = 0; at < versions; at += 1) await propose(versions + at);
    for (const path of ['', ...pages, 'event/?page_size=100', 'event/?page_size=1', 'file/']) {
      both(path, { partner_id, token });
    }
  }
  await must(api.registerContractor(contractor));
  const old = await must(
    api.createDeal({
      ...{ partner_id: 'v1', contractor_email: contractor.email, name: 'A logo' },
      ...{ budget: '500.00', currency: 'EUR', sub_category_id: 75 },
      description: 'a'.repeat(1_000_000),
    }),
  );
  const settlement = (at) => ({ kind: 'settlement', changes: { agreed_amount: `${100 + at}` } });
  for (let at = 0; at < 5; at += 1) await api.propose('v1', settlement(at));
  ways.push({ who: 'partner', path: `/api/1.0/deal/${old.id}/` });
  for (const path of ['', ...pages, 'event/', 'file/']) both(path, { partner_id: 'v1' });
  ways.push({ who: 'partner', path: '/api/2.0/deal/v1/event/?after=9999' });

  const { payment_token: token } = await must(api.createDealV2({ ...deal, partner_id: 'files' }));
  const offer = marketplace.freelancer('sandbox', token);
  await must(offer.accept({}));
  let last;
  for (let at = 0; at < files; at += 1) {
    const name = `${'n'.repeat(240)}-${at}.txt`;
    const asked = await offer.uploadFile({
      name,
      content: new Uint8Array(at === 0 ? 1_000_000 : 1),
    });
    if (asked.isErr()) break;
    last ??= asked.value;
  }
  for (const path of ['', 'file/', `file/${last.id}/`, 'event/?page_size=100']) {
    both(path, { partner_id: 'files', token });
  }
  for (let at = 0; at < deals; at += 1) {
    await must(api.createDealV2({ ...deal, partner_id: `deal-${at}`, title: 't'.repeat(200) }));
  }
  for (let at = 0; at < webhooks; at += 1) {
    const url = `https://receiver-${at % 90}.example.com/${'p'.repeat(1_900)}${at}`;
    if ((await api.createWebhook({ url })).isErr()) break;
  }
  const lists = ['deal/?page_size=100', 'deal/?page_size=1', 'deal/?status=completed', 'webhook/'];
  const feeds = ['event/?page_size=100', 'event/?type=deal.completed', 'event/?after=end'];
  for (const path of [...lists, ...feeds, 'category/', 'failed-delivery/', 'token/']) {
    ways.push({ who: 'partner', path: `/api/2.0/${path}` });
  }
  const of = ['deal/?page_size=100', 'deal/?status=completed', 'summary/', 'search/?text=ttt'];
  for (const path of [...of, 'partner/']) ways.push({ who: 'operator', path: `/operator/${path}` });
  return ways;
}

async function consent(api, partner_id) {
  const { results } = await must(api.listTerms(partner_id, { page_size: 1 }));
  const { terms_version, terms_sha256 } = await must(api.retrieveDealDetails(partner_id));
  return { terms_sha256: terms_version === 1 ? results[0].terms_sha256 : terms_sha256 };
}

async function must(answer) {
  const settled = await answer;
  if (settled.isErr()) throw new Error(JSON.stringify(settled.error));
  return settled.value;
}
