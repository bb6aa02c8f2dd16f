/** The part of the tour with the callers other than the partner. */
export const faceTour = `
const operatorDeals = createClient<paths>({ baseUrl, headers: { Authorization: \`Operator \${operatorToken}\` } });
const offerOf = (payment_token: string | undefined) =>
  createClient<paths>({ baseUrl, headers: { Authorization: \`Offer \${payment_token}\` } });
const createOffer = async (partner_id: string) => {
  const { data } = await client.POST('/api/2.0/deal/', { body: { ...dealV2, partner_id } });
  return offerOf(data?.data.payment_token);
};
type Deal = Answer & { data?: { data: { status: string } } };
const stateOf = (answer: Deal) => shown(answer, answer.data?.data.status);
const deal2 = (partner_id: string) => ({ params: { path: { partner: 'acme', partner_id } } });
const byParameter2 = (partner_id: string) => ({ params: { path: { partner: 'acme' }, query: { partner_id } } });

const offer = await createOffer('offer 1');
const freelancerView = await offer.GET('/api/2.0/offer/');
const freelancerAccept = await offer.POST('/api/2.0/offer/accept/');
const freelancerUploadFile = await offer.POST('/api/2.0/offer/file/', { body: draft });
const freelancerListFiles = await offer.GET('/api/2.0/offer/file/');
const freelancerDownloadFile = await offer.GET('/api/2.0/offer/file/{file_id}/', { params: { path: { file_id: freelancerUploadFile.data?.data.id ?? '' } }, parseAs: 'text' });
const freelancerDeliver = await offer.POST('/api/2.0/offer/deliver/', { body: { message: 'The first draft.' } });
const freelancerDispute = await offer.POST('/api/2.0/offer/dispute/', { body: { reason: 'Nobody answers.' } });
const operatorRetrieveDeal = await operatorDeals.GET('/operator/{partner}/deal/{partner_id}/', deal2('offer 1'));
const operatorDownloadWorkFile = await operatorDeals.GET('/operator/{partner}/deal/{partner_id}/file/{file_id}/', { params: { path: { ...deal2('offer 1').params.path, file_id: freelancerUploadFile.data?.data.id ?? '' } }, parseAs: 'text' });
const operatorResolve = await operatorDeals.POST('/operator/{partner}/deal/{partner_id}/resolve/', { ...deal2('offer 1'), body: { agreed_amount: '300.00' } });
const asked = operatorResolve.data?.data.billing.employer_payments[0]?.id ?? '';
const failed = await operatorDeals.POST('/operator/{partner}/deal/{partner_id}/record-employer-payment/', { ...deal2('offer 1'), body: { payment_id: asked, status: 'failed', reference: 'r-1' } });
const operatorRequestPayment = await operatorDeals.POST('/operator/{partner}/deal/{partner_id}/request-payment/', deal2('offer 1'));
const operatorRecordEmployerPayment = await operatorDeals.POST('/operator/{partner}/deal/{partner_id}/record-employer-payment/', { ...deal2('offer 1'), body: { status: 'paid', amount: '300.00', reference: 'r-2' } });
const payment_id = operatorRecordEmployerPayment.data?.data.billing.contractor_payments[0]?.id ?? '';
const payout = (status: 'failed' | 'paid', reference: string) => ({ ...deal2('offer 1'), body: { payment_id, status, reference } });
const unpaid = await operatorDeals.POST('/operator/{partner}/deal/{partner_id}/record-contractor-payment/', payout('failed', 'r-3'));
const operatorRetryPayout = await operatorDeals.POST('/operator/{partner}/deal/{partner_id}/retry-payout/', { ...deal2('offer 1'), body: { payment_id } });
const operatorRetryRefund = await operatorDeals.POST('/operator/{partner}/deal/{partner_id}/retry-refund/', deal2('offer 1'));
const operatorWriteOff = await operatorDeals.POST('/operator/{partner}/deal/{partner_id}/write-off/', { ...deal2('offer 1'), body: { amount: '0.01', reason: 'a cent short' } });
const operatorRefundSurplus = await operatorDeals.POST('/operator/{partner}/deal/{partner_id}/refund-surplus/', deal2('offer 1'));
const operatorRecordContractorPayment = await operatorDeals.POST('/operator/{partner}/deal/{partner_id}/record-contractor-payment/', payout('paid', 'r-4'));
const operatorListDeals = await operatorDeals.GET('/operator/deal/', { params: { query: { partner: 'acme', status: 'completed' } } });
const operatorSearchDeals = await operatorDeals.GET('/operator/search/', { params: { query: { text: 'offer 1' } } });
const operatorSummarize = await operatorDeals.GET('/operator/summary/');
const operatorListFailing = await operatorDeals.GET('/operator/failing/');
await operatorDeals.POST('/operator/{partner}/deal/{partner_id}/record-employer-payment/', { ...deal2('nowhere'), body: { status: 'paid', amount: '300.00', reference: 'r-5' } });
const operatorListUnmatchedReports = await operatorDeals.GET('/operator/report/');
const [unmatched] = operatorListUnmatchedReports.data?.data.results ?? [];
const operatorDismissReport = await operatorDeals.POST('/operator/{partner}/report/{report_id}/dismiss/', { params: { path: { partner: 'acme', report_id: unmatched?.id ?? '' } } });
const operatorListPartners = await operatorDeals.GET('/operator/partner/');
const freelancerDecline = await (await createOffer('offer 2')).POST('/api/2.0/offer/decline/');
await createOffer('offer 3');
const operatorInvite = await operatorDeals.POST('/operator/{partner}/deal/{partner_id}/invite/', deal2('offer 3'));
const operatorCancel = await operatorDeals.POST('/operator/{partner}/deal/{partner_id}/cancel/', { ...deal2('offer 3'), body: { reason: 'Fraud.' } });

const other = await createOffer('offer/4');
const operatorInviteByParameter = await operatorDeals.POST('/operator/{partner}/deal/by-id/invite/', byParameter2('offer/4'));
const { data: ownFile } = await other.POST('/api/2.0/offer/file/', { body: draft });
await other.POST('/api/2.0/offer/deliver/');
await other.POST('/api/2.0/offer/dispute/', { body: { reason: 'Nobody answers.' } });
const operatorRetrieveDealByParameter = await operatorDeals.GET('/operator/{partner}/deal/by-id/', byParameter2('offer/4'));
const operatorDownloadWorkFileByParameter = await operatorDeals.GET('/operator/{partner}/deal/by-id/file/{file_id}/', { params: { path: { partner: 'acme', file_id: ownFile?.data.id ?? '' }, query: { partner_id: 'offer/4' } }, parseAs: 'text' });
const operatorResolveByParameter = await operatorDeals.POST('/operator/{partner}/deal/by-id/resolve/', { ...byParameter2('offer/4'), body: { agreed_amount: '300.00' } });
const operatorRequestPaymentByParameter = await operatorDeals.POST('/operator/{partner}/deal/by-id/request-payment/', byParameter2('offer/4'));
const operatorRecordEmployerPaymentByParameter = await operatorDeals.POST('/operator/{partner}/deal/by-id/record-employer-payment/', { ...byParameter2('offer/4'), body: { status: 'paid', amount: '300.00', reference: 'r-2' } });
const second_id = operatorRecordEmployerPaymentByParameter.data?.data.billing.contractor_payments[0]?.id ?? '';
const operatorRetryPayoutByParameter = await operatorDeals.POST('/operator/{partner}/deal/by-id/retry-payout/', byParameter2('offer/4'));
const operatorRetryRefundByParameter = await operatorDeals.POST('/operator/{partner}/deal/by-id/retry-refund/', byParameter2('offer/4'));
const operatorWriteOffByParameter = await operatorDeals.POST('/operator/{partner}/deal/by-id/write-off/', { ...byParameter2('offer/4'), body: { amount: '0.01', reason: 'a cent short' } });
const operatorRefundSurplusByParameter = await operatorDeals.POST('/operator/{partner}/deal/by-id/refund-surplus/', byParameter2('offer/4'));
const operatorRecordContractorPaymentByParameter = await operatorDeals.POST('/operator/{partner}/deal/by-id/record-contractor-payment/', { ...byParameter2('offer/4'), body: { payment_id: second_id, status: 'paid', reference: 'r-4' } });
await createOffer('offer/5');
const operatorCancelByParameter = await operatorDeals.POST('/operator/{partner}/deal/by-id/cancel/', { ...byParameter2('offer/5'), body: { reason: 'Fraud.' } });

await createOffer('offer 6');
const sandboxCommand = await client.POST('/api/2.0/sandbox/deal/{partner_id}/{actor}/{command}/', { params: { path: { partner_id: 'offer 6', actor: 'freelancer', command: 'accept' } } });
await createOffer('offer/7');
const sandboxCommandByParameter = await client.POST('/api/2.0/sandbox/deal/by-id/{actor}/{command}/', { params: { path: { actor: 'operator', command: 'cancel' }, query: { partner_id: 'offer/7' } }, body: { reason: 'Fraud.' } });
const stranger2 = await operatorDeals.GET('/api/2.0/offer/');
const sandboxAdvanceClock = await client.POST('/api/2.0/sandbox/clock/', { body: { advance_seconds: 31 * 86_400 } });
const operatorRunTimers = await operatorDeals.POST('/operator/run-timers/');
const operatorRunEffects = await operatorDeals.POST('/operator/run-effects/');
const faceSteps = {
  freelancerView: stateOf(freelancerView),
  freelancerAccept: stateOf(freelancerAccept),
  freelancerUploadFile: shown(freelancerUploadFile, freelancerUploadFile.data?.data.size),
  freelancerListFiles: shown(freelancerListFiles, freelancerListFiles.data?.data.length),
  freelancerDownloadFile: shown(freelancerDownloadFile, freelancerDownloadFile.data),
  freelancerDeliver: stateOf(freelancerDeliver),
  freelancerDispute: stateOf(freelancerDispute),
  freelancerDecline: stateOf(freelancerDecline),
  operatorRetrieveDeal: stateOf(operatorRetrieveDeal),
  operatorDownloadWorkFile: shown(operatorDownloadWorkFile, operatorDownloadWorkFile.data),
  operatorDownloadWorkFileByParameter: shown(operatorDownloadWorkFileByParameter, operatorDownloadWorkFileByParameter.data),
  operatorListDeals: shown(operatorListDeals, operatorListDeals.data?.data.results.length),
  operatorSearchDeals: shown(operatorSearchDeals, operatorSearchDeals.data?.data.results.map((each) => each.match)),
  operatorSummarize: shown(operatorSummarize, operatorSummarize.data?.data.results.filter((each) => each.count > 0).map((each) => each.reason)),
  operatorListFailing: shown(operatorListFailing, operatorListFailing.data?.data.results.length),
  operatorListUnmatchedReports: shown(operatorListUnmatchedReports, unmatched?.reason),
  operatorDismissReport: shown(operatorDismissReport, operatorDismissReport.data?.data.is_dismissed),
  operatorListPartners: shown(operatorListPartners, operatorListPartners.data?.data.results.length),
  operatorInvite: stateOf(operatorInvite),
  operatorCancel: stateOf(operatorCancel),
  operatorResolve: stateOf(operatorResolve),
  operatorRequestPayment: stateOf(operatorRequestPayment),
  operatorRecordEmployerPayment: stateOf(operatorRecordEmployerPayment),
  operatorRetryPayout: shown(operatorRetryPayout, [failed.response.status, unpaid.response.status]),
  operatorRecordContractorPayment: stateOf(operatorRecordContractorPayment),
  operatorRetrieveDealByParameter: stateOf(operatorRetrieveDealByParameter),
  operatorInviteByParameter: stateOf(operatorInviteByParameter),
  operatorCancelByParameter: stateOf(operatorCancelByParameter),
  operatorResolveByParameter: stateOf(operatorResolveByParameter),
  operatorRequestPaymentByParameter: stateOf(operatorRequestPaymentByParameter),
  operatorRecordEmployerPaymentByParameter: stateOf(operatorRecordEmployerPaymentByParameter),
  operatorRetryPayoutByParameter: refused(operatorRetryPayoutByParameter),
  operatorRetryRefund: refused(operatorRetryRefund),
  operatorRetryRefundByParameter: refused(operatorRetryRefundByParameter),
  operatorRecordContractorPaymentByParameter: stateOf(operatorRecordContractorPaymentByParameter),
  operatorRunTimers: shown(operatorRunTimers, operatorRunTimers.data?.data.failed),
  operatorRunEffects: shown(operatorRunEffects, operatorRunEffects.data?.data.failed),
  sandboxCommand: stateOf(sandboxCommand),
  sandboxCommandByParameter: stateOf(sandboxCommandByParameter),
  sandboxAdvanceClock: [sandboxAdvanceClock.response.status],
  wrongCredentials: refused(stranger2),
};
`;
