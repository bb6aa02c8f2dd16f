import { ActionForm } from '../base/action-form.js';
import { textOf } from '../base/ask.js';
import { Alert, Badge, Button, Card, Facts, Said, toneOf } from '../base/components.js';
import { failureOf, words as sharedWords } from '../base/failure.js';
import { Files, Uploader } from '../base/files.js';
import { money } from '../base/format.js';
import { History } from '../base/history.js';
import { host } from '../base/host.js';
import { inLanguage, wordOf } from '../base/language.js';
import { hostName } from '../base/shell.js';
import { Payments, StageItem } from '../base/stages.js';
import { areSending } from '../base/uploads.js';
import {
  download,
  events,
  give,
  loadAgain,
  notice,
  offer,
  opened,
  type Trouble,
  target,
  trouble,
} from './deal.js';
import { OpenDialog, TextField } from './dialogs.js';
import * as deal from './offer.js';
import { Proposal } from './proposal.js';
import { nameOf, nextStep } from './shown.js';
import { words } from './words.js';

interface Shown {
  readonly offer: deal.Offer;
}

/** The page of one deal, for its freelancer. */
export function OfferPage() {
  const { title } = words();
  const seen = offer.value;
  const name = seen?.title ?? title;
  document.title = host.name === '' ? name : `${name} · ${host.name}`;
  if (trouble.value !== undefined) return <Obstacle of={trouble.value} />;
  if (seen === undefined) return <p class="loading muted">{sharedWords().loading} …</p>;
  // what is asked comes first until it is accepted, and then what is to be done
  const isNew = seen.status === 'created';
  return (
    <>
      <Title offer={seen} />
      <div class="columns">
        <div class="aside">
          <Next offer={seen} />
          <Pay offer={seen} />
        </div>
        <div>
          <Proposal offer={seen} />
          {isNew && <Brief offer={seen} />}
          <Work offer={seen} />
          {!isNew && <Brief offer={seen} />}
          <Payouts offer={seen} />
          <History
            events={events.value}
            currency={seen.currency}
            nameOf={(event) => nameOf(event, seen)}
          />
        </div>
      </div>
      <p class="muted">{words().safe}</p>
      <OpenDialog offer={seen} />
    </>
  );
}

function Obstacle({ of: trouble }: { readonly of: Trouble }) {
  const of = words().trouble;
  const { kind } = trouble;
  const help = kind === 'failed' ? trouble.failure.message : of[`${kind}Help`];
  return (
    <section class="card obstacle">
      <h1 id="next" tabIndex={-1}>
        {of[kind]}
      </h1>
      <p role="alert">{help}</p>
      {kind === 'failed' && (
        <div class="actions">
          <Button kind="main" onClick={loadAgain}>
            {sharedWords().retry}
          </Button>
        </div>
      )}
    </section>
  );
}

function Title({ offer: { partner_name, title, status } }: Shown) {
  const of = words();
  return (
    <div class="title">
      <p class="row muted">
        <span dir="auto">{partner_name === null ? of.fromNobody : of.from(partner_name)}</span>
        <Badge tone={toneOf(status)}>{wordOf(of.status, status)}</Badge>
      </p>
      <h1 dir="auto">{title}</h1>
    </div>
  );
}

/** What happens next, why, and the commands that are legal now. */
function Next({ offer: seen }: Shown) {
  const of = words();
  const { status, legal, legal_proposals, proposal } = seen;
  const isNew = status === 'created';
  const may = (name: string) => legal.includes(name);
  // an open proposal of the client is answered by one of its kind where it is shown
  const mayPropose = (kind: 'amendment' | 'settlement') =>
    legal_proposals.includes(`propose-${kind}`) &&
    (proposal?.by !== 'partner' || proposal.kind !== kind);
  const button = (name: typeof opened.value, text: string, kind?: 'main' | 'quiet') => (
    <Button
      {...(kind && { kind })}
      onClick={() => {
        opened.value = name;
      }}
    >
      {text}
    </Button>
  );
  return (
    <Card id="next" title={of.next.heading} tone="accent">
      {notice.value !== undefined && (
        <div id="notice" tabIndex={-1}>
          <Alert>
            <p>{notice.value.message}</p>
            <Button onClick={loadAgain}>{of.refresh}</Button>
          </Alert>
        </div>
      )}
      <p class="lead">{nextStep(seen)}</p>
      <Why offer={seen} />
      <div class="actions">
        {may('accept') && button('accept', of.accept.open, 'main')}
        {mayPropose('amendment') && button('propose', of.propose.open)}
        {mayPropose('settlement') && button('settle', of.settle.open)}
        {may('dispute') && button('dispute', of.dispute.open, 'quiet')}
        {may('decline') &&
          button('decline', isNew ? of.decline.open : of.decline.openLater, 'quiet')}
        {status === 'completed' && <Button onClick={() => window.print()}>{of.print}</Button>}
      </div>
    </Card>
  );
}

/** Who brought the deal into its state, with the reason. */
function Why({ offer: seen }: Shown) {
  const of = words();
  const { status } = seen;
  const isEnd = status === 'cancelled' || status === 'expired';
  const last = isEnd
    ? deal.lastOf(
        events.value,
        'deal.cancelled',
        'deal.declined',
        'deal.expired',
        'deal.dispute_resolved',
        'deal.settled',
      )
    : status === 'disputed' || status === 'changes_requested'
      ? deal.lastOf(events.value, `deal.${status}`)
      : undefined;
  const reason = deal.textIn(last, 'reason') ?? deal.textIn(last, 'message');
  return (
    <>
      {last !== undefined && reason !== undefined && (
        <div class="quote">
          <p class="muted">{of.reasonFrom(nameOf(last, seen))}</p>
          <Said text={reason} />
        </div>
      )}
      {isEnd && (
        <>
          {last !== undefined && last.actor !== 'clock' && <p>{of.ended.by(nameOf(last, seen))}</p>}
          <p>{of.ended.refund}</p>
          {host.links.length > 0 && <p>{of.ended.contact(hostName())}</p>}
        </>
      )}
    </>
  );
}

function Pay({ offer: { amount, gross, contractor_fee, agreed_amount, currency } }: Shown) {
  const { pay } = words();
  return (
    <Card title={pay.heading}>
      <p class="sum">
        <span class="muted">{pay.net}</span>
        <strong>{money(amount, currency)}</strong>
      </p>
      <Facts
        of={[
          [pay.gross, money(gross, currency)],
          [pay.fee, money(contractor_fee, currency)],
          ...(agreed_amount === null
            ? []
            : [[pay.agreed, money(agreed_amount, currency)] as const]),
        ]}
      />
    </Card>
  );
}

function Brief({ offer: { description, copyright_transfer } }: Shown) {
  const { brief, rights, rightsOf } = words();
  return (
    <Card title={brief}>
      <Said text={description} />
      {copyright_transfer !== null && (
        <>
          <h3>{rights}</h3>
          <p dir="auto">{wordOf(rightsOf, copyright_transfer)}</p>
        </>
      )}
    </Card>
  );
}

/** The stages with their files; of an open one, what is needed to deliver it. */
function Work({ offer: seen }: Shown) {
  const of = words();
  const { stages, currency, legal, status } = seen;
  const isSingle = stages.length === 1;
  const [first] = stages;
  const isPlain = first?.work_days === null && first.work_files.length === 0;
  // before it is accepted, there is nothing to say of it
  if (status === 'created' && isSingle && isPlain) return null;
  return (
    <Card title={isSingle ? of.work : of.stages}>
      {stages.map((stage) => {
        const takesWork = legal.includes('deliver') && status !== 'created' && deal.isOpen(stage);
        return (
          <StageItem key={stage.id} {...{ stage, currency, isSingle }}>
            {(status !== 'created' || stage.work_files.length > 0) && (
              <Files stage={stage} who={of.who} download={download} />
            )}
            {takesWork && (
              <>
                <Uploader stage={stage} target={target()} />
                <Deliver stage={stage} />
              </>
            )}
          </StageItem>
        );
      })}
    </Card>
  );
}

function Deliver({ stage: { id } }: { readonly stage: deal.Stage }) {
  const { deliver } = words();
  const form = `deliver-${id}`;
  return (
    <ActionForm
      action={deliver.send}
      send={async () =>
        areSending([{ id }])
          ? failureOf({ code: 'precondition_failed', reason: 'files_left' })
          : give(form, deliver.done, (to) =>
              to.deliver({ stage_id: id, ...textOf('message', form) }, inLanguage()),
            )
      }
    >
      {(errors) => (
        <>
          <TextField name="message" form={form} errors={errors} />
          <p class="hint">{deliver.help}</p>
        </>
      )}
    </ActionForm>
  );
}

function Payouts({ offer: { contractor_payments, currency } }: Shown) {
  const of = words();
  if (contractor_payments.length === 0) return null;
  return (
    <Card title={of.payouts}>
      <Payments of={contractor_payments} currency={currency} statusWords={of.payoutStatus} />
    </Card>
  );
}
