import { createMarketplace, type FreelancerApi } from 'dealwright';
import { createFreelancerClient } from 'dealwright/client';
import { createFetchHandler } from 'dealwright/http';
import { createOpaqueTokenIssuer } from 'dealwright/tokens';
import { expect, test } from 'vitest';
import { createPorts } from '../../kit/ports.js';
import { dealV2, tenant } from '../../kit/requests.js';
import { handlerOver } from '../../kit/service.js';

/** The deal of a freelancer, seen by a page of another origin. */
async function openOffer(asks: (url: string) => void = () => {}) {
  const ports = { ...createPorts(), paymentTokens: createOpaqueTokenIssuer() };
  const marketplace = createMarketplace(ports);
  const created = await marketplace.partner(tenant).createDealV2(dealV2);
  const origin = 'https://app.example.com';
  const answer = createFetchHandler(handlerOver(marketplace, { corsOrigins: [origin] }));
  const { payment_token } = created._unsafeUnwrap();
  return createFreelancerClient({
    baseUrl: 'http://127.0.0.1:8787',
    payment_token,
    fetch: async (url, request) => {
      const asked = new Request(url, request);
      asked.headers.set('origin', origin);
      asks(url);
      const response = await answer(asked);
      // the part of an answer that a browser shows to the page
      const exposed = response.headers.get('access-control-expose-headers')?.toLowerCase() ?? '';
      const shown = [...exposed.split(', '), 'content-type', 'content-length'];
      const { status, body } = response;
      const headers = new Headers([...response.headers].filter(([name]) => shown.includes(name)));
      return new Response(body, { status, headers });
    },
  });
}

test('takes a File of a page, tells of its progress, and gives it back across origins', async () => {
  const offer = await openOffer();
  const told: number[] = [];
  const stored = await offer.uploadFile(
    { name: 'draft.txt', content: new File(['The draft'], 'draft.txt') },
    { onProgress: ({ sent }) => told.push(sent) },
  );
  const { id, sha256 } = stored._unsafeUnwrap();
  expect(told.at(-1)).toBe(9);
  const file = (await offer.downloadFile(id))._unsafeUnwrap();
  expect(file).toMatchObject({ id, sha256, name: 'draft.txt', size: 9 });
  const pieces: Uint8Array[] = [];
  for await (const piece of file.content) pieces.push(piece);
  expect(Buffer.concat(pieces).toString()).toBe('The draft');
});

test('is a FreelancerApi, and sends its token in no URL', async () => {
  const urls: string[] = [];
  const offer: FreelancerApi = await openOffer((url) => urls.push(url));
  expect((await offer.view())._unsafeUnwrap()).toMatchObject({ status: 'created' });
  expect((await offer.deliver())._unsafeUnwrapErr()).toMatchObject({ reason: 'no_files' });
  expect((await offer.accept())._unsafeUnwrap()).toMatchObject({ status: 'accepted' });
  const offers = 'http://127.0.0.1:8787/api/2.0/offer/';
  expect(urls).toEqual([offers, `${offers}deliver/`, `${offers}accept/`]);
});
