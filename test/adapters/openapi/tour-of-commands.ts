/** The part of the tour that leads deals through their lives, by a path and by a parameter. */
export const commandTour = `
for (const partner_id of ['life 1', '..', 'to decline', 'to/decline', 'to cancel', 'to/cancel']) {
  await client.POST('/api/1.0/deal/', { body: { ...deal, partner_id } });
}
const inPath = (partner_id: string) => ({ params: { path: { partner_id } } });
const inQuery = (partner_id: string) => ({ params: { query: { partner_id } } });
const moved = (answer: Answer & { data?: { data: components['schemas']['DealDetails'] } }) =>
  shown(answer, answer.data?.data.status);
const draft = { name: 'draft.txt', content };
const uploadWorkFile = await client.POST('/api/2.0/deal/{partner_id}/file/', { ...inPath('life 1'), body: draft });
const invite = await client.POST('/api/2.0/deal/{partner_id}/invite/', inPath('life 1'));
const accept = await client.POST('/api/2.0/deal/{partner_id}/accept/', inPath('life 1'));
const deliver = await client.POST('/api/2.0/deal/{partner_id}/deliver/', { ...inPath('life 1'), body: { message: 'The first draft.' } });
const requestChanges = await client.POST('/api/2.0/deal/{partner_id}/request-changes/', { ...inPath('life 1'), body: { reason: 'The title is missing.' } });
const second = await client.POST('/api/2.0/deal/{partner_id}/file/', { ...inPath('life 1'), body: draft });
const delivered = await client.POST('/api/2.0/deal/{partner_id}/deliver/', inPath('life 1'));
const approve = await client.POST('/api/2.0/deal/{partner_id}/approve/', { ...inPath('life 1'), body: {} });
const requestPayment = await client.POST('/api/2.0/deal/{partner_id}/request-payment/', inPath('life 1'));
const dispute = await client.POST('/api/2.0/deal/{partner_id}/dispute/', { ...inPath('life 1'), body: { reason: 'It is another text.' } });
const listWorkFiles = await client.GET('/api/2.0/deal/{partner_id}/file/', inPath('life 1'));
const file_id = uploadWorkFile.data?.data.id ?? '';
const download = { parseAs: 'text' } as const;
const downloadWorkFile = await client.GET('/api/2.0/deal/{partner_id}/file/{file_id}/', { params: { path: { partner_id: 'life 1', file_id } }, ...download });
const decline = await client.POST('/api/2.0/deal/{partner_id}/decline/', inPath('to decline'));
const cancel = await client.POST('/api/2.0/deal/{partner_id}/cancel/', { ...inPath('to cancel'), body: { reason: 'It was stopped.' } });
const uploadWorkFileByParameter = await client.POST('/api/2.0/deal/by-id/file/', { ...inQuery('..'), body: draft });
const inviteByParameter = await client.POST('/api/2.0/deal/by-id/invite/', inQuery('..'));
const acceptByParameter = await client.POST('/api/2.0/deal/by-id/accept/', inQuery('..'));
const deliverByParameter = await client.POST('/api/2.0/deal/by-id/deliver/', { ...inQuery('..'), body: { message: 'The first draft.' } });
const requestChangesByParameter = await client.POST('/api/2.0/deal/by-id/request-changes/', { ...inQuery('..'), body: { reason: 'The title is missing.' } });
const secondByParameter = await client.POST('/api/2.0/deal/by-id/file/', { ...inQuery('..'), body: draft });
const deliveredByParameter = await client.POST('/api/2.0/deal/by-id/deliver/', inQuery('..'));
const approveByParameter = await client.POST('/api/2.0/deal/by-id/approve/', { ...inQuery('..'), body: {} });
const requestPaymentByParameter = await client.POST('/api/2.0/deal/by-id/request-payment/', inQuery('..'));
const disputeByParameter = await client.POST('/api/2.0/deal/by-id/dispute/', { ...inQuery('..'), body: { reason: 'It is another text.' } });
const listWorkFilesByParameter = await client.GET('/api/2.0/deal/by-id/file/', inQuery('..'));
const downloadWorkFileByParameter = await client.GET('/api/2.0/deal/by-id/file/{file_id}/', { params: { query: { partner_id: '..' }, path: { file_id: uploadWorkFileByParameter.data?.data.id ?? '' } }, ...download });
const declineByParameter = await client.POST('/api/2.0/deal/by-id/decline/', inQuery('to/decline'));
const cancelByParameter = await client.POST('/api/2.0/deal/by-id/cancel/', { ...inQuery('to/cancel'), body: { reason: 'It was stopped.' } });

const illegal = await client.POST('/api/2.0/deal/{partner_id}/accept/', inPath('order-2'));
const late = await client.POST('/api/2.0/deal/{partner_id}/cancel/', inPath('life 1'));
const commandSteps = {
  uploadWorkFile: shown(uploadWorkFile, uploadWorkFile.data?.data.status),
  invite: moved(invite),
  accept: moved(accept),
  deliver: moved(deliver),
  requestChanges: moved(requestChanges),
  approve: moved(approve),
  requestPayment: moved(requestPayment),
  dispute: moved(dispute),
  listWorkFiles: shown(
    listWorkFiles,
    listWorkFiles.data?.data.map((each) => each.status),
  ),
  downloadWorkFile: shown(downloadWorkFile, downloadWorkFile.data),
  downloadWorkFileByParameter: shown(downloadWorkFileByParameter, downloadWorkFileByParameter.data),
  decline: moved(decline),
  cancel: moved(cancel),
  uploadWorkFileByParameter: shown(uploadWorkFileByParameter, uploadWorkFileByParameter.data?.data.status),
  inviteByParameter: moved(inviteByParameter),
  acceptByParameter: moved(acceptByParameter),
  deliverByParameter: moved(deliverByParameter),
  requestChangesByParameter: moved(requestChangesByParameter),
  approveByParameter: moved(approveByParameter),
  requestPaymentByParameter: moved(requestPaymentByParameter),
  disputeByParameter: moved(disputeByParameter),
  listWorkFilesByParameter: shown(
    listWorkFilesByParameter,
    listWorkFilesByParameter.data?.data.map((each) => each.status),
  ),
  declineByParameter: moved(declineByParameter),
  cancelByParameter: moved(cancelByParameter),
  illegal: [...refused(illegal), illegal.error?.deal_status, illegal.error?.legal],
  late: [...refused(late), late.error?.legal],
};
`;
