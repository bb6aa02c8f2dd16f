/** The part of the tour that reads feeds and time lines, and receives posted events. */
export const eventTour = `
type Told = Answer & { data?: { data: { results: readonly { type: string }[] } } };
const told = (answer: Told) => shown(answer, answer.data?.data.results.map((each) => each.type));
const listEvents = await client.GET('/api/2.0/event/', { params: { query: { page_size: 2, type: 'contractor.registered,deal.created' } } });
const on = await client.GET('/api/2.0/event/', { params: { query: { after: 'x' } } });
const listDealEvents = await client.GET('/api/2.0/deal/{partner_id}/event/', { params: { path: { partner_id: 'to cancel' }, query: { page_size: 2 } } });
const listDealEventsByParameter = await client.GET('/api/2.0/deal/by-id/event/', { params: { query: { partner_id: 'to/cancel', page_size: 2 } } });
const freelancerListEvents = await (await createOffer('offer 8')).GET('/api/2.0/offer/event/');
const operatorListEvents = await operatorDeals.GET('/operator/event/', { params: { query: { partner: 'acme', page_size: 1 } } });
const operatorListDealEvents = await operatorDeals.GET('/operator/{partner}/deal/{partner_id}/event/', deal2('offer 8'));
const operatorListDealEventsByParameter = await operatorDeals.GET('/operator/{partner}/deal/by-id/event/', byParameter2('offer 8'));
const createWebhook = await client.POST('/api/2.0/webhook/', { body: { url: 'https://example.com/deals', types: ['deal.created'] } });
const noWebhook = await client.POST('/api/2.0/webhook/', { body: { url: 'no URL' } });
const webhook_id = createWebhook.data?.data.id ?? '';
const ofWebhook = { params: { path: { webhook_id } } };
const listWebhooks = await client.GET('/api/2.0/webhook/');
const retrieveWebhook = await client.GET('/api/2.0/webhook/{webhook_id}/', ofWebhook);
const rotateWebhook = await client.POST('/api/2.0/webhook/{webhook_id}/rotate/', ofWebhook);
const enableWebhook = await client.POST('/api/2.0/webhook/{webhook_id}/enable/', ofWebhook);
const testWebhook = await client.POST('/api/2.0/webhook/{webhook_id}/test/', ofWebhook);
const listDeliveries = await client.GET('/api/2.0/webhook/{webhook_id}/delivery/', ofWebhook);
const delivery_id = listDeliveries.data?.data.results[0]?.id ?? '';
// a test cannot be delivered again
const redeliver = await client.POST('/api/2.0/webhook/{webhook_id}/delivery/{delivery_id}/redeliver/', { params: { path: { webhook_id, delivery_id } } });
const redeliverAll = await client.POST('/api/2.0/webhook/{webhook_id}/redeliver/', { ...ofWebhook, body: { since: '2000-01-01T00:00:00Z' } });
const listFailedDeliveries = await client.GET('/api/2.0/failed-delivery/');
const listDealDeliveries = await client.GET('/api/2.0/deal/{partner_id}/delivery/', { params: { path: { partner_id: 'to cancel' } } });
const listDealDeliveriesByParameter = await client.GET('/api/2.0/deal/by-id/delivery/', { params: { query: { partner_id: 'to/cancel', page_size: 2 } } });
const listTokens = await client.GET('/api/2.0/token/');
const retrievePromises = await client.GET('/api/2.0/');
const byOperator = { params: { path: { partner: 'acme', webhook_id } } };
const ofAcme = { params: { path: { partner: 'acme' } } };
const operatorListTokens = await operatorDeals.GET('/operator/{partner}/token/', ofAcme);
const operatorListWebhooks = await operatorDeals.GET('/operator/{partner}/webhook/', ofAcme);
const operatorEnableWebhook = await operatorDeals.POST('/operator/{partner}/webhook/{webhook_id}/enable/', byOperator);
const operatorListDeliveries = await operatorDeals.GET('/operator/{partner}/webhook/{webhook_id}/delivery/', byOperator);
const operatorRedeliver = await operatorDeals.POST('/operator/{partner}/webhook/{webhook_id}/delivery/{delivery_id}/redeliver/', { params: { path: { partner: 'acme', webhook_id, delivery_id } } });
const operatorRedeliverAll = await operatorDeals.POST('/operator/{partner}/webhook/{webhook_id}/redeliver/', { ...byOperator, body: { since: '2000-01-01T00:00:00Z' } });
const operatorListFailedDeliveries = await operatorDeals.GET('/operator/{partner}/failed-delivery/', ofAcme);
const operatorListDealDeliveries = await operatorDeals.GET('/operator/{partner}/deal/{partner_id}/delivery/', deal2('offer 8'));
const operatorListDealDeliveriesByParameter = await operatorDeals.GET('/operator/{partner}/deal/by-id/delivery/', byParameter2('offer 8'));
const deleteWebhook = await client.DELETE('/api/2.0/webhook/{webhook_id}/', ofWebhook);
const eventSteps = {
  listEvents: [...told(listEvents), ...refused(on)],
  listDealEvents: told(listDealEvents),
  listDealEventsByParameter: told(listDealEventsByParameter),
  freelancerListEvents: told(freelancerListEvents),
  operatorListEvents: told(operatorListEvents),
  operatorListDealEvents: told(operatorListDealEvents),
  operatorListDealEventsByParameter: told(operatorListDealEventsByParameter),
  createWebhook: [...shown(createWebhook, createWebhook.data?.data.secret.startsWith('whsec_')), ...refused(noWebhook)],
  listWebhooks: shown(listWebhooks, listWebhooks.data?.data.map((each) => each.types)),
  retrieveWebhook: shown(retrieveWebhook, retrieveWebhook.data?.data.ordered),
  rotateWebhook: shown(rotateWebhook, rotateWebhook.data?.data.secret === createWebhook.data?.data.secret),
  enableWebhook: shown(enableWebhook, enableWebhook.data?.data.status),
  testWebhook: shown(testWebhook, testWebhook.data?.data.attempts.map((each) => each.status_code)),
  listDeliveries: told(listDeliveries),
  redeliver: refused(redeliver),
  redeliverAll: shown(redeliverAll, redeliverAll.data?.data.count),
  listFailedDeliveries: told(listFailedDeliveries),
  listDealDeliveries: told(listDealDeliveries),
  listDealDeliveriesByParameter: told(listDealDeliveriesByParameter),
  listTokens: shown(listTokens, listTokens.data?.data.map((each) => each.name)),
  retrievePromises: shown(retrievePromises, retrievePromises.data?.data.mode),
  operatorListTokens: shown(operatorListTokens, operatorListTokens.data?.data.map((each) => each.name)),
  operatorListWebhooks: shown(operatorListWebhooks, operatorListWebhooks.data?.data.map((each) => each.types)),
  operatorEnableWebhook: shown(operatorEnableWebhook, operatorEnableWebhook.data?.data.status),
  operatorListDeliveries: told(operatorListDeliveries),
  operatorRedeliver: refused(operatorRedeliver),
  operatorRedeliverAll: shown(operatorRedeliverAll, operatorRedeliverAll.data?.data.count),
  operatorListFailedDeliveries: told(operatorListFailedDeliveries),
  operatorListDealDeliveries: told(operatorListDealDeliveries),
  operatorListDealDeliveriesByParameter: told(operatorListDealDeliveriesByParameter),
  deleteWebhook: shown(deleteWebhook, deleteWebhook.data?.data.disabled_reason),
};
`;
