import { commandTour } from './tour-of-commands.js';
import { eventTour } from './tour-of-events.js';
import { faceTour } from './tour-of-faces.js';
import { termsTour } from './tour-of-terms.js';

/** A program over types generated from the document: every operation, successful and refused. */
export const tour = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

const [baseUrl = '', token = '', operatorToken = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Token \${token}\` } });

type Answer = { data?: unknown; error?: unknown; response: Response };
const shown = ({ response }: Answer, value: unknown) => [response.status, value];
const refused = ({ error, response }: Answer & { error?: components['schemas']['Problem'] }) => [
  response.status,
  error?.errors?.[0]?.code ?? error?.code,
];

const contractor: components['schemas']['ContractorInput'] = {
  email: 'user@example.com',
  name: 'Name',
  surname: 'Surname',
  country_code: 'AT',
  street: 'Street',
  postal_code: '5020',
  city: 'City',
  language: 'en',
  bank_account_currency: 'EUR',
  bank_account_iban: 'AT611904300234573201',
};
const registered = await client.POST('/api/1.0/contractor/', { body: contractor });
const again = await client.POST('/api/1.0/contractor/', { body: contractor });

// a member with a default may be left out
const deal: components['schemas']['DealInput'] = {
  partner_id: 'order-1',
  contractor_email: 'user@example.com',
  name: 'Deal name',
  description: 'Deal description',
  budget: '1000.00',
  currency: 'EUR',
  sub_category_id: 75,
};
const created = await client.POST('/api/1.0/deal/', { body: deal });
const incomplete = await client.POST('/api/1.0/deal/', {
  body: JSON.parse('{}') as typeof deal,
});
const id = created.data?.data.id ?? 0;

const categories = await client.GET('/api/1.0/category/', {
  params: { header: { 'Accept-Language': 'pl' } },
});
const tree = await client.GET('/api/2.0/category/');
const hasCopywriting = (list: components['schemas']['Category'][] | undefined) =>
  list?.some(({ subcategories }) => subcategories.some((each) => each.id === 75));

const path = { params: { path: { id } } };
const content = Buffer.from('Once.').toString('base64');
const uploaded = await client.POST('/api/1.0/deal/{id}/file/', {
  ...path,
  body: { name: 'draft.txt', content },
});
const unplaced = await client.POST('/api/1.0/deal/{id}/file/', {
  ...path,
  body: { stage_id: 9, name: 'draft.txt', content },
});
const form = await client.POST('/api/1.0/deal/{id}/file/', {
  ...path,
  body: { stage_id: 2, file: 'Once.' },
  bodySerializer({ stage_id, file }: { stage_id?: number; file: string }) {
    const fields = new FormData();
    fields.set('file', new File([file], 'form.txt', { type: 'text/plain' }));
    fields.set('stage_id', String(stage_id));
    return fields;
  },
} as never);
const formed = form.data as { data: components['schemas']['WorkFile'] } | undefined;
const retrieved = await client.GET('/api/1.0/deal/{id}/', path);
const lost = await client.GET('/api/1.0/deal/{id}/', { params: { path: { id: 999 } } });

const dealV2: components['schemas']['DealV2Input'] = {
  partner_id: 'order-2',
  email_freelancer: 'freelancer@example.com',
  title: 'Deal title',
  description: 'Deal description',
  subcategory_id: 75,
  amount: '500.00',
  currency: 'PLN',
  copyright_transfer: 'full_transfer',
  freelancer_language: 'pl',
};
const commissioned = await client.POST('/api/2.0/deal/', { body: dealV2 });
const taken = await client.POST('/api/2.0/deal/', { body: dealV2 });
const key = { params: { header: { 'Idempotency-Key': 'once' } } };
const odd = { ...dealV2, partner_id: 'a/b' };
const first = await client.POST('/api/2.0/deal/', { ...key, body: odd });
const replayed = await client.POST('/api/2.0/deal/', { ...key, body: odd });
const reused = await client.POST('/api/2.0/deal/', { ...key, body: { ...odd, title: 'Other' } });

const details = await client.GET('/api/2.0/deal/{partner_id}/', {
  params: { path: { partner_id: 'a/b' } },
});
const unknown = await client.GET('/api/2.0/deal/{partner_id}/', {
  params: { path: { partner_id: 'nothing' } },
});
const byParameter = await client.GET('/api/2.0/deal/by-id/', {
  params: { query: { partner_id: 'order-1' } },
});
const stranger = await client.GET('/api/2.0/deal/by-id/', {
  params: { query: { partner_id: 'order-1' } },
  headers: { Authorization: 'Token nobody' },
});
const list = await client.GET('/api/2.0/deal/', {
  params: { query: { page_size: 10, status: 'created' } },
});
const garbage = await client.GET('/api/2.0/deal/', { params: { query: { cursor: 'x' } } });
${commandTour}${faceTour}${eventTour}${termsTour}
const steps = {
  ...commandSteps,
  ...faceSteps,
  ...eventSteps,
  ...termsSteps,
  registerContractor: [
    ...shown(registered, registered.data?.data.contractor_email),
    ...refused(again),
  ],
  createDeal: [...shown(created, created.data?.data.stage_ids), ...refused(incomplete)],
  listCategories: shown(categories, hasCopywriting(categories.data?.data)),
  uploadFile: [...shown(uploaded, uploaded.data?.data.size), ...refused(unplaced)],
  uploadForm: [...shown(form, formed?.data.size), formed?.data.content_type],
  retrieveDeal: [
    ...shown(
      retrieved,
      retrieved.data?.data.stages.flatMap((stage) => stage.work_files.map((file) => file.name)),
    ),
    ...refused(lost),
  ],
  createDealV2: [...shown(commissioned, commissioned.data?.data.status), ...refused(taken)],
  replay: [
    ...shown(replayed, replayed.data?.data.payment_token === first.data?.data.payment_token),
    ...refused(reused),
  ],
  listCategoryTree: shown(tree, hasCopywriting(tree.data?.data)),
  retrieveDealDetails: [
    ...shown(details, details.data?.data.payment_token === first.data?.data.payment_token),
    ...refused(unknown),
  ],
  retrieveDealDetailsByParameter: [
    ...shown(byParameter, byParameter.data?.data.payment_token),
    ...refused(stranger),
  ],
  listDeals: [
    ...shown(list, list.data?.data.results.map((each) => each.partner_id)),
    ...refused(garbage),
  ],
};
process.stdout.write(JSON.stringify(steps));
`;

/** Calls that the generated types refuse. */
export const wrong = `
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

const client = createClient<paths>({ baseUrl: 'http://localhost' });
const deal = {
  partner_id: 'order-2',
  email_freelancer: 'freelancer@example.com',
  title: 'Deal title',
  description: 'Deal description',
  subcategory_id: 75,
  amount: '500.00',
  currency: 'PLN',
  copyright_transfer: 'full_transfer',
  freelancer_language: 'pl',
} as const;
await client.POST('/api/2.0/deal/', { body: deal });
await client.POST('/api/2.0/deal/', { body: { ...deal, amount: 500 } }); // wrong
await client.POST('/api/2.0/deal/', { body: { ...deal, freelancer_language: 'de' } }); // wrong
await client.GET('/api/1.0/deal/{id}/', { params: { path: { id: '1' } } }); // wrong
await client.GET('/api/3.0/deal/'); // wrong
const one = { params: { path: { partner_id: 'order-2' } } };
await client.POST('/api/2.0/deal/{partner_id}/approve/', { ...one, body: { stage_id: 2 } });
await client.POST('/api/2.0/deal/{partner_id}/approve/', { ...one, body: { stage_id: '2' } }); // wrong
await client.POST('/api/2.0/deal/{partner_id}/dispute/', one); // wrong
await client.POST('/api/2.0/deal/{partner_id}/dispute/', { ...one, body: {} }); // wrong
await client.POST('/api/2.0/deal/by-id/approve/', one); // wrong
await client.POST('/api/2.0/deal/{partner_id}/expire/', one); // wrong
const two = { params: { path: { partner: 'acme', partner_id: 'order-2' } } };
await client.POST('/operator/{partner}/deal/{partner_id}/cancel/', two); // wrong
await client.POST('/operator/{partner}/deal/{partner_id}/resolve/', { ...two, body: { reason: 'r' } }); // wrong
await client.GET('/operator/search/'); // wrong
await client.POST('/api/2.0/offer/approve/'); // wrong
const proposed = '/api/2.0/deal/{partner_id}/proposal/';
await client.POST(proposed, { ...one, body: { kind: 'amendment', changes: { title: 'A' } } });
await client.POST(proposed, { ...one, body: { kind: 'settlement', changes: { title: 'A' } } }); // wrong
await client.POST(proposed, { ...one, body: { kind: 'other', changes: { title: 'A' } } }); // wrong
await client.POST('/api/2.0/deal/{partner_id}/add-bonus/', one); // wrong
await client.POST('/api/2.0/sandbox/clock/'); // wrong
await client.POST('/api/2.0/webhook/', { body: { url: 'https://example.com/', types: 'deal.created' } }); // wrong
await client.DELETE('/api/2.0/webhook/'); // wrong
`;
