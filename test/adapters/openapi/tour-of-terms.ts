/** What both ways to name a deal do with proposals: the paths, and the parameters with some more. */
interface Way {
  /** The end of the names of the operations. */
  readonly end: '' | 'ByParameter';
  readonly deal: string;
  readonly name: string;
  readonly params: (more?: string) => string;
  readonly ofOperator: (more?: string) => string;
}

const inPath: Way = {
  end: '',
  deal: '{partner_id}',
  name: 'terms 1',
  params: (more = '') => `params: { path: { partner_id: 'terms 1', ${more} } }`,
  ofOperator: (more = '') =>
    `params: { path: { partner: 'acme', partner_id: 'terms 1', ${more} } }`,
};
const inQuery: Way = {
  end: 'ByParameter',
  deal: 'by-id',
  name: 'terms/2',
  params: (more = '') =>
    `params: { query: { partner_id: 'terms/2' }${more && `, path: { ${more} }`} }`,
  ofOperator: (more = '') =>
    `params: { query: { partner_id: 'terms/2' }, path: { partner: 'acme', ${more} } }`,
};

const decided = (id: string, more = '') => `proposal_id: ${id}?.data.id ?? ''${more}`;
const consent = (id: string) => `body: { terms_sha256: ${id}?.data.terms_sha256 ?? '' }`;

const tourOf = ({ end, deal, name, params, ofOperator }: Way) => {
  const place = `/api/2.0/deal/${deal}`;
  const operator = `/operator/{partner}/deal/${deal}`;
  const sandbox = `/api/2.0/sandbox/deal/${deal}/{actor}/proposal`;
  const own = `own${end}`;
  return `
const holder${end} = await createOffer('${name}');
await holder${end}.POST('/api/2.0/offer/accept/');
const propose${end} = await client.POST('${place}/proposal/', { ${params()}, body: amendment });
const withdrawProposal${end} = await client.POST('${place}/proposal/{proposal_id}/withdraw/', { ${params(decided(`propose${end}.data`))} });
const offered${end} = await holder${end}.POST('/api/2.0/offer/proposal/', { body: settlement });
const rejectProposal${end} = await client.POST('${place}/proposal/{proposal_id}/reject/', { ${params(decided(`offered${end}.data`))}, body: { message: 'No.' } });
const ${own} = await holder${end}.POST('/api/2.0/offer/proposal/', { body: amendment });
const acceptProposal${end} = await client.POST('${place}/proposal/{proposal_id}/accept/', { ${params(decided(`${own}.data`))}, ${consent(`${own}.data`)} });
const addBonus${end} = await client.POST('${place}/add-bonus/', { ${params()}, body: { amount: '50.00' } });
const sandboxPropose${end} = await client.POST('${sandbox}/', { ${params("actor: 'partner'")}, body: { kind: 'amendment', changes: { title: 'Other' } } });
const sandboxDecideProposal${end} = await client.POST('${sandbox}/{proposal_id}/{decision}/', { ${params(decided(`sandboxPropose${end}.data`, ", actor: 'freelancer', decision: 'accept'"))}, ${consent(`sandboxPropose${end}.data`)} });
const listProposals${end} = await client.GET('${place}/proposal/', { ${params()} });
const retrieveProposal${end} = await client.GET('${place}/proposal/{proposal_id}/', { ${params(decided(`${own}.data`))} });
const listTerms${end} = await client.GET('${place}/terms/', { ${params()} });
const operatorListProposals${end} = await operatorDeals.GET('${operator}/proposal/', { ${ofOperator()} });
const operatorRetrieveProposal${end} = await operatorDeals.GET('${operator}/proposal/{proposal_id}/', { ${ofOperator(decided(`${own}.data`))} });
const operatorListTerms${end} = await operatorDeals.GET('${operator}/terms/', { ${ofOperator()} });
`;
};

const proposals = [
  ...['propose', 'withdrawProposal', 'rejectProposal', 'acceptProposal', 'retrieveProposal'],
  ...['sandboxPropose', 'sandboxDecideProposal', 'operatorRetrieveProposal'],
];
const lists = ['listProposals', 'operatorListProposals'];
const versions = ['listTerms', 'operatorListTerms'];
const ofFreelancer = ['Propose', 'WithdrawProposal', 'AcceptProposal', 'RejectProposal'].map(
  (name) => `freelancer${name}`,
);
const bothWays = (names: readonly string[]) =>
  ['', 'ByParameter'].flatMap((end) => names.map((name) => name + end));
const steps = (names: readonly string[], show: string) =>
  names.map((name) => `  ${name}: ${show}(${name}),\n`).join('');

/** The part of the tour that changes terms, by a path and by a parameter, for every face. */
export const termsTour = `
const amendment = { kind: 'amendment' as const, changes: { amount: '600.00' } };
const settlement = { kind: 'settlement' as const, changes: { agreed_amount: '300.00' } };
type Proposed = Answer & { data?: { data: { status: string } } };
const statusOf = (answer: Proposed) => shown(answer, answer.data?.data.status);
const statusesOf = (answer: Answer & { data?: { data: { results: { status: string }[] } } }) =>
  shown(answer, answer.data?.data.results.map((each) => each.status));
const kindsOf = (answer: Answer & { data?: { data: components['schemas']['TermsPage'] } }) =>
  shown(answer, answer.data?.data.results.map((each) => each.kind));
${tourOf(inPath)}${tourOf(inQuery)}
const byFreelancer = await createOffer('terms 3');
const atFreelancer = (proposal_id = '') => ({ params: { path: { proposal_id } } });
await byFreelancer.POST('/api/2.0/offer/accept/');
const toFreelancer = () =>
  client.POST('/api/2.0/deal/{partner_id}/proposal/', { params: { path: { partner_id: 'terms 3' } }, body: amendment });
const freelancerPropose = await byFreelancer.POST('/api/2.0/offer/proposal/', { body: amendment });
const freelancerWithdrawProposal = await byFreelancer.POST('/api/2.0/offer/proposal/{proposal_id}/withdraw/', atFreelancer(freelancerPropose.data?.data.id));
const unwanted = (await toFreelancer()).data?.data;
const freelancerRejectProposal = await byFreelancer.POST('/api/2.0/offer/proposal/{proposal_id}/reject/', atFreelancer(unwanted?.id));
const wanted = (await toFreelancer()).data?.data;
const freelancerAcceptProposal = await byFreelancer.POST('/api/2.0/offer/proposal/{proposal_id}/accept/', { ...atFreelancer(wanted?.id), body: { terms_sha256: wanted?.terms_sha256 ?? '' } });
const freelancerListProposals = await byFreelancer.GET('/api/2.0/offer/proposal/');
const freelancerRetrieveProposal = await byFreelancer.GET('/api/2.0/offer/proposal/{proposal_id}/', atFreelancer(wanted?.id));
const freelancerListTerms = await byFreelancer.GET('/api/2.0/offer/terms/');
const termsSteps = {
${steps([...bothWays(proposals), ...ofFreelancer], 'statusOf')}${steps([...bothWays(lists), 'freelancerListProposals'], 'statusesOf')}${steps([...bothWays(versions), 'freelancerListTerms'], 'kindsOf')}  addBonus: moved(addBonus),
  addBonusByParameter: moved(addBonusByParameter),
  freelancerRetrieveProposal: shown(freelancerRetrieveProposal, freelancerRetrieveProposal.data?.data.net),
};
`;
