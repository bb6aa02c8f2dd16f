import { useMemo } from 'preact/hooks';
import { plus } from '../base/amounts.js';
import { Button, Card, Facts, Said } from '../base/components.js';
import { DealTitle, isOver, Notice, useReading, Why } from '../base/deal-view.js';
import { Files, Uploader } from '../base/files.js';
import { money } from '../base/format.js';
import { History } from '../base/history.js';
import { host } from '../base/host.js';
import { inLanguage, wordOf } from '../base/language.js';
import { Obstacle } from '../base/obstacle.js';
import { hrefOf } from '../base/route.js';
import { saveFile } from '../base/save.js';
import { Payments, StageItem } from '../base/stages.js';
import { isOpen, livingStages, type Stage, worthOfAll } from '../base/terms.js';
import type { Target } from '../base/uploads.js';
import { DealDeliveries } from '../base/webhook.js';
import { api, session } from './api.js';
import {
  CommandDialog,
  commandNames,
  commands,
  Decide,
  Link,
  Propose,
  Settle,
} from './commands.js';
import { leftOver } from './create.js';
import { actorOf, nextStep } from './next.js';
import { Proposal } from './proposal.js';
import { createDealView, type DialogName, type Seen, type View } from './view.js';
import { words } from './words.js';

type Shown = Seen & { readonly view: View };

/** What is looked at. */
let current: View | undefined;

/** One deal, as its partner leads it. */
export function DealScreen({ id }: { readonly id: string }) {
  const view = useMemo(() => {
    current = createDealView(id);
    return current;
  }, [id]);
  useReading(view);
  const of = words();
  const { seen, failure } = view;
  const back = [hrefOf(['deals']), of.nav.deals] as const;
  if (failure.value !== undefined) {
    return <Obstacle failure={failure.value} retry={view.loadAgain} back={back} />;
  }
  if (seen.value === undefined) return <p class="loading muted">{of.loading} …</p>;
  const { deal, events } = seen.value;
  const shown = { deal, events, view };
  return (
    <>
      <DealTitle deal={deal} />
      <div class="columns">
        <div class="aside">
          <Next {...shown} />
          <Money {...shown} />
        </div>
        <div>
          <Proposal {...shown} />
          <Brief {...shown} />
          <Work {...shown} />
          <History
            events={events}
            currency={deal.currency}
            names={of.events}
            nameOf={({ actor }) => actorOf(actor)}
          />
          <DealDeliveries
            id={id}
            client={api}
            hrefOf={(webhook) => hrefOf(['webhooks', webhook])}
          />
        </div>
      </div>
      <OpenDialog {...shown} />
    </>
  );
}

/** What happens next, why, and the commands that are legal now. */
function Next({ deal, events, view }: Shown) {
  const of = words();
  const { legal, legal_proposals, proposal, payment_token, status, attention } = deal;
  const button = (name: DialogName, text: string, kind: 'main' | 'plain' | 'quiet' = 'plain') => (
    <Button
      key={name}
      kind={kind}
      onClick={() => {
        view.opened.value = { name };
      }}
    >
      {text}
    </Button>
  );
  const buttons = (isQuiet: boolean) =>
    commandNames
      .filter((name) => legal.includes(name) && (commands[name].kind === 'quiet') === isQuiet)
      .map((name) => button(name, of.commands[name].open, commands[name].kind));
  const left = leftOver.value?.id === deal.partner_id ? leftOver.value.failure : undefined;
  const notice =
    view.notice.value?.message ??
    (left && `${of.create.leftOver} ${Object.values(left.fields)[0] ?? left.message}`);
  // an open proposal of the freelancer is answered by one of its kind where it is shown
  const mayPropose = (kind: 'amendment' | 'settlement') =>
    legal_proposals.includes(`propose-${kind}`) &&
    (proposal?.by !== 'freelancer' || proposal.kind !== kind);
  const isNew = deal.freelancer_status === 'new';
  const link = (kind: 'main' | 'quiet') =>
    payment_token !== null && host.offer && !isOver(status) && button('link', of.link.open, kind);
  return (
    <Card id="next" title={of.nextStep.heading} tone="accent">
      {notice !== undefined && (
        <Notice
          text={notice}
          again={() => {
            leftOver.value = undefined;
            void view.loadAgain();
          }}
        />
      )}
      <p class="lead">{nextStep(deal)}</p>
      {attention.map((each) => (
        <p key={each}>{of.attention[each]}</p>
      ))}
      <Why {...{ status, events }} title={({ actor }) => of.reasonFrom(actorOf(actor))} />
      <div class="actions">
        {isNew && link('main')}
        {buttons(false)}
        {mayPropose('amendment') && button('propose', of.commands.propose.open)}
        {mayPropose('settlement') && button('settle', of.commands.settle.open)}
        {!isNew && link('quiet')}
        {buttons(true)}
      </div>
    </Card>
  );
}

function Money({ deal }: Shown) {
  const { billing, currency } = deal;
  const of = words();
  // the amount of the deal does not know what a dispute has left of it
  const price = worthOfAll(livingStages(deal));
  const total = price === '0.00' ? price : plus(price, billing.employer_fee);
  const { employer_payments, contractor_payments } = billing;
  const { employer_fee } = of;
  const sums = Object.entries({ employer_fee, ...of.sums }) as [keyof typeof of.sums, string][];
  return (
    <Card title={of.money.heading}>
      <p class="sum">
        <span class="muted">{of.money.total}</span>
        <strong>{money(total, currency)}</strong>
      </p>
      <Facts
        of={sums
          .filter(([name]) => always.includes(name) || billing[name] !== '0.00')
          .map(([name, word]) => [word, money(billing[name], currency)] as const)}
      />
      {employer_payments.length > 0 && (
        <>
          <h3>{of.money.requests}</h3>
          <Payments of={employer_payments} statusWords={of.requestStatus} {...{ currency }} />
        </>
      )}
      {contractor_payments.length > 0 && (
        <>
          <h3>{of.money.payouts}</h3>
          <Payments of={contractor_payments} statusWords={of.payoutStatus} {...{ currency }} />
        </>
      )}
    </Card>
  );
}

/** The others are said only if there are any. */
const always = ['paid', 'held', 'outstanding'];

function Brief({ deal: { description, copyright_transfer, email_freelancer } }: Shown) {
  const of = words();
  return (
    <Card title={of.brief}>
      <Said text={description} />
      <Facts
        of={[
          [of.freelancer, <bdi key="email">{email_freelancer}</bdi>],
          ...(copyright_transfer === null
            ? []
            : [[of.changes.fields.rights, wordOf(of.rights, copyright_transfer)] as const]),
        ]}
      />
    </Card>
  );
}

/** The stages with their files, and what can be done with each. */
function Work({ deal, view }: Shown) {
  const of = words();
  const { stages, currency, legal, partner_id } = deal;
  const isSingle = stages.length === 1;
  const target: Target = {
    send: (fetch, upload, options) =>
      session.clientWith(fetch).uploadFile({ partner_id }, upload, options),
    // it may be another view of the deal by then
    load: async () => current?.load(),
  };
  const button = (name: 'approve' | 'deliver' | 'request-changes', stage: Stage) =>
    !isSingle &&
    legal.includes(name) && (
      <Button
        label={`${of.commands[name].open}: ${stage.name}`}
        onClick={() => {
          view.opened.value = { name, stage };
        }}
      >
        {of.commands[name].open}
      </Button>
    );
  return (
    <Card title={isSingle ? of.work : of.stages}>
      {stages.map((stage) => (
        <StageItem key={stage.id} {...{ stage, currency, isSingle }}>
          <Files
            {...{ stage, who: of.who }}
            download={async ({ id, name }) =>
              saveFile(name, await api().downloadWorkFile(partner_id, id, inLanguage()))
            }
          />
          {isOpen(stage) && legal.includes('deliver') && <Uploader stage={stage} target={target} />}
          <div class="actions">
            {stage.status === 'submitted' && button('approve', stage)}
            {stage.status === 'submitted' && button('request-changes', stage)}
            {isOpen(stage) && button('deliver', stage)}
          </div>
        </StageItem>
      ))}
    </Card>
  );
}

function OpenDialog({ deal, view }: Shown) {
  const { opened } = view;
  if (opened.value === undefined) return null;
  const { name, stage } = opened.value;
  const close = () => {
    opened.value = undefined;
  };
  const props = { deal, view, close, stage };
  switch (name) {
    case 'propose':
      return <Propose {...props} />;
    case 'settle':
      return <Settle {...props} />;
    case 'link':
      return <Link {...props} />;
    case 'acceptProposal':
    case 'rejectProposal':
    case 'withdrawProposal':
      return <Decide key={name} name={name} {...props} />;
    default:
      return <CommandDialog key={name} name={name} {...props} />;
  }
}
