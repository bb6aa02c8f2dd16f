import { askedAt, refusal } from './changes.js';
import {
  bodied,
  command,
  dataOf,
  dealIn,
  details,
  doing,
  editing,
  erring,
  ignoring,
  listOf,
  ofFreelancer,
  ofPartner,
  playingAt,
  refusing,
  saying,
  send,
  shown,
  succeeding,
  swapping,
} from './life-deals.js';
import type { Mutant } from './mutant.js';

const illegal = (legal: readonly string[] = []) => ({ legal });
const files = /^POST .*\/file\/$/;

/** The partner's command goes to another actor, who may give it. */
const asActor = (name: string, actor: string) =>
  playingAt(ofPartner(name), (request, forward) =>
    forward(
      askedAt(request, (path) =>
        path.replace('/2.0/deal/', '/2.0/sandbox/deal/').replace(/[^/]+\/$/, `${actor}/$&`),
      ),
    ),
  );

/** Mistakes in the moves of a deal. */
const ofMoves: readonly Mutant[] = [
  { name: 'an invitation is lost', law: '6.2/life/invite', fetch: ignoring(ofPartner('invite')) },
  {
    name: 'the freelancer stays new as the deal is accepted',
    law: '6.2/life/accept',
    fetch: swapping(details, 'freelancer_status', 'accepted', 'new'),
  },
  {
    name: 'a freelancer who declines counts as removed',
    law: '6.2/life/decline',
    fetch: swapping(details, 'freelancer_status', 'declined', 'removed'),
  },
  {
    name: 'the stage of a cancelled deal stays pending',
    law: '6.2/life/cancel',
    fetch: editing(details, (data) => {
      if (data['freelancer_status'] !== 'removed') return;
      for (const stage of listOf(data, 'stages')) stage['status'] = 'pending';
    }),
  },
  {
    name: 'a delivered stage stays pending',
    law: '6.1/life/deliver',
    fetch: swapping(details, 'status', 'submitted', 'pending'),
  },
  {
    name: 'only the freelancer may deliver',
    law: '6.1/life/deliver-by-partner',
    fetch: refusing(ofPartner('deliver'), 200, 409, 'illegal_transition', illegal()),
  },
  {
    name: 'a deal has to be accepted before it is delivered',
    law: '6.1/life/deliver-accepts',
    fetch: playingAt(ofFreelancer('deliver'), async (request, forward) => {
      const { status } = await dataOf(request, forward);
      return String(status) === 'created' ? refusal(409, 'illegal_transition') : forward(request);
    }),
  },
  {
    name: 'a deal stays delivered while its stage is sent back',
    law: '6.1/life/request-changes',
    fetch: editing(details, (data) => {
      if (data['status'] === 'changes_requested') data['status'] = 'delivered';
    }),
  },
  { name: 'an approval is lost', law: '6.1/life/approve', fetch: ignoring(ofPartner('approve')) },
  {
    name: 'a dispute cancels the stage',
    law: '6.2/life/dispute',
    fetch: editing(details, (data) => {
      if (data['status'] !== 'disputed') return;
      for (const stage of listOf(data, 'stages')) stage['status'] = 'cancelled';
    }),
  },
  {
    name: 'a stage is named by the description',
    law: '6.1/life/one-stage',
    fetch: saying(details, 'name', () => 'Deal description'),
  },
  {
    name: 'only freelancers accept',
    law: '6.2/life/v1-accept',
    fetch: refusing(ofPartner('accept'), 200, 404, 'not_found'),
  },
  {
    name: 'only freelancers decline',
    law: '6.2/life/v1-decline',
    fetch: refusing(ofPartner('decline'), 200, 409, 'illegal_transition', illegal()),
  },
  {
    name: 'a delivery by the partner does nothing',
    law: '6.2/life/v1-deliver',
    fetch: ignoring(ofPartner('deliver')),
  },
  {
    name: 'version 1.0 knows no accepted deal',
    law: '4/life/v1-status',
    fetch: swapping(/^GET \/api\/1\.0\/deal\/\d+\/$/, 'status', 'accepted', 'created'),
  },
  {
    name: 'a stage that costs nothing waits for its payment',
    law: '6.7/life/zero-stage',
    fetch: editing(details, (data) => {
      if (data['status'] === 'completed') data['status'] = 'approved';
    }),
  },
  {
    name: 'the id of a stage is looked for among those of another kind',
    law: '6.1/life/stage-id',
    fetch: bodied(command('approve'), (body) => ({ ...body, stage_id: 1e9 })),
  },
  {
    name: 'the answer is the deal before the command',
    law: '6.5/life/answer',
    fetch: playingAt(ofPartner('.*'), async (request, forward) => {
      const before = await shown(request, forward);
      const response = await forward(request);
      return response.ok ? before : response;
    }),
  },
  {
    name: 'a deal of version 1.0 has an empty payment token',
    law: '6.5/life/answer-v1',
    fetch: swapping(command('accept'), 'payment_token', null, ''),
  },
  {
    name: 'the id of by-id is decoded twice',
    law: '6.7/life/by-id',
    fetch: playingAt(/^POST .*\/by-id\//, (request, forward) => {
      try {
        return forward(askedAt(request, (path) => decodeURIComponent(path)));
      } catch {
        return refusal(404, 'not_found');
      }
    }),
  },
  {
    name: 'files stay as they were stored',
    law: '6.4/life/file-accepted',
    fetch: swapping(/^GET .*\/file\/$/, 'status', 'accepted', 'stored'),
  },
  {
    name: 'files that were sent back are deleted',
    law: '6.4/life/file-superseded',
    fetch: playingAt(/^GET .*\/file\/$/, async (request, forward) => {
      const { data } = await (await forward(request)).json();
      return Response.json({
        data: data.filter(({ status }: { status: string }) => status !== 'superseded'),
      });
    }),
  },
];

/** Mistakes in what is refused. */
const ofRefusals: readonly Mutant[] = [
  {
    name: 'a delivered deal can be cancelled by the partner',
    law: '6.2/life/illegal',
    fetch: playingAt(ofPartner('cancel'), async (request, forward) => {
      const { status } = await dataOf(request, forward);
      if (String(status) !== 'delivered') return forward(request);
      const path = `/api/2.0/sandbox/deal/${dealIn(request)}/operator/cancel/`;
      return send(forward, request, path, { reason: 'As the partner wishes.' });
    }),
  },
  {
    name: 'legal lists what guards allow',
    law: '6.2/life/legal',
    fetch: erring(ofPartner('.*'), (error) => {
      const { legal } = error;
      if (Array.isArray(legal)) {
        Reflect.set(
          error,
          'legal',
          legal.filter((each) => each !== 'request-payment'),
        );
      }
    }),
  },
  {
    name: 'an illegal command of a freelancer is a bad request',
    law: '6.2/freelancer/illegal',
    fetch: refusing(ofFreelancer('.*'), 409, 400, 'illegal_transition'),
  },
  {
    name: 'legal lists the commands of the partner for the freelancer',
    law: '6.2/freelancer/legal',
    fetch: erring(ofFreelancer('.*'), (error) =>
      Object.assign(error, { legal: ['cancel', 'invite'] }),
    ),
  },
  {
    name: 'an illegal command counts as an invitation',
    law: '6.2/life/illegal-changes-nothing',
    fetch: doing(ofPartner('.*'), async (response, request, forward) => {
      if (response.status !== 409) return;
      await send(forward, request, `/api/2.0/deal/${dealIn(request)}/invite/`, {});
    }),
  },
  {
    name: 'the partner accepts for a freelancer of version 2.0',
    law: '6.7/life/v2-accept',
    fetch: asActor('accept', 'freelancer'),
  },
  {
    name: 'the partner declines for a freelancer of version 2.0',
    law: '6.7/life/v2-decline',
    fetch: asActor('decline', 'freelancer'),
  },
  {
    name: 'a delivery by the partner accepts the deal',
    law: '6.7/life/v2-deliver',
    fetch: asActor('deliver', 'freelancer'),
  },
  {
    name: 'legal lists cancel for a disputed deal',
    law: '6.7/life/disputed',
    fetch: erring(ofPartner('.*'), (error) => {
      if (error['deal_status'] === 'disputed') error['legal'] = ['cancel'];
    }),
  },
  {
    name: 'the freelancer can decline a disputed deal',
    law: '6.7/freelancer/disputed',
    fetch: succeeding(ofFreelancer('decline')),
  },
  {
    name: 'a disputed deal takes files',
    law: '6.7/life/disputed-upload',
    fetch: refusing(files, 409, 201, 'stored'),
  },
  {
    name: 'a closed stage has another reason',
    law: '6.4/life/stage-closed',
    fetch: erring(files, (error) => Object.assign(error, { reason: 'closed' })),
  },
  {
    name: 'work can be delivered without files',
    law: '6.1/life/no-files',
    fetch: playingAt(command('deliver'), async (request, forward) => {
      await upload(request, forward, () => true);
      return forward(request);
    }),
  },
  {
    name: 'files from before the changes count',
    law: '6.1/life/no-new-files',
    fetch: playingAt(command('deliver'), async (request, forward) => {
      await upload(request, forward, (status) => status === 'changes_requested');
      return forward(request);
    }),
  },
  {
    name: 'a delivery without files accepts all the same',
    law: '6.7/life/no-files-no-acceptance',
    fetch: doing(ofFreelancer('deliver'), async (response, request, forward) => {
      if (response.status !== 409) return;
      const authorization = request.headers.get('authorization') ?? '';
      await send(forward, request, '/api/2.0/offer/accept/', {}, authorization);
    }),
  },
  {
    name: 'the reason of a guard is another word',
    law: '6.2/life/dispute-unpaid',
    fetch: erring(command('dispute'), (error) => Object.assign(error, { reason: 'unpaid' })),
  },
  {
    name: 'a request for nothing is a success',
    law: '6.7/life/nothing-outstanding',
    fetch: succeeding(command('request-payment')),
  },
  {
    name: 'the state is judged before the form',
    law: '6.7/life/form-before-state',
    fetch: bodied(command('dispute|request-changes'), (body) => ({ reason: 'None.', ...body })),
  },
  {
    name: 'guards are judged before the state',
    law: '6.7/life/state-before-guard',
    fetch: refusing(command('cancel|decline'), 409, 409, 'precondition_failed', {
      reason: 'work_delivered',
    }),
  },
  {
    name: 'guards are judged before repeats',
    law: '6.7/life/repeat-before-guard',
    fetch: playingAt(ofPartner('request-payment'), () => refusal(409, 'precondition_failed')),
  },
  {
    name: 'a command whose guard fails is noted in the title',
    law: '6.2/life/refusal-changes-nothing',
    fetch: (() => {
      const refused = new Set<string>();
      return playingAt(/./, async (request, forward) => {
        const response = await forward(request.clone());
        if (response.status === 409 && !/offer/.test(request.url)) refused.add(dealIn(request));
        if (!details.test(`${request.method} ${new URL(request.url).pathname}`)) return response;
        if (!refused.has(dealIn(request))) return response;
        const members = await response.json();
        return Response.json({ data: { ...members.data, title: 'Refused' } });
      });
    })(),
  },
  {
    name: 'a second invitation is illegal',
    law: '6.2/life/repeat',
    fetch: playingAt(ofPartner('invite'), async (request, forward) => {
      const { freelancer_status } = await dataOf(request, forward);
      return String(freelancer_status) === 'invited'
        ? refusal(409, 'illegal_transition')
        : forward(request);
    }),
  },
  {
    name: 'a freelancer accepts only once',
    law: '6.7/life/repeat-accept',
    fetch: playingAt(ofFreelancer('accept'), async (request, forward) => {
      const { status } = await dataOf(request, forward);
      return ['created', 'accepted'].includes(String(status))
        ? forward(request)
        : refusal(409, 'illegal_transition');
    }),
  },
  {
    name: 'every end of a deal is as good as another',
    law: '6.7/life/repeat-exact',
    fetch: succeeding(command('cancel|decline')),
  },
];

async function upload(
  request: Request,
  forward: (request: Request) => Promise<Response>,
  isWanted: (status: unknown) => boolean,
): Promise<void> {
  const deal = await dataOf(request, forward);
  if (!isWanted(deal['status'])) return;
  const stage_id = listOf(deal, 'stages')[0]?.['id'];
  const { pathname } = new URL(request.url);
  const authorization = request.headers.get('authorization') ?? '';
  const path = pathname.replace('/deliver/', '/file/');
  const body = { stage_id, name: 'empty.txt', content: '' };
  await send(forward, request, path, body, authorization);
}

export const mutants: readonly Mutant[] = [...ofMoves, ...ofRefusals];
