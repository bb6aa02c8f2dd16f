import { ActionForm } from '../base/action-form.js';
import { Entries, givenIn, remarkEntry } from '../base/command.js';
import { Button, Card, Facts, Said } from '../base/components.js';
import { DealTitle, endings, isOver, Notice, useReading, Why } from '../base/deal-view.js';
import { failureOf } from '../base/failure.js';
import { Files, Uploader } from '../base/files.js';
import { money } from '../base/format.js';
import { History } from '../base/history.js';
import { host } from '../base/host.js';
import { inLanguage, wordOf } from '../base/language.js';
import { Obstacle } from '../base/obstacle.js';
import { OpenProposal } from '../base/proposed.js';
import { saveFile } from '../base/save.js';
import { hostName } from '../base/shell.js';
import { Payments, StageItem } from '../base/stages.js';
import { isOpen, lastOf, type Stage } from '../base/terms.js';
import { areSending } from '../base/uploads.js';
import { declineWord, OpenDialog } from './dialogs.js';
import { nameOf, nextStep } from './shown.js';
import { type Opened, type Shown, targetOf, token, type View, view } from './view.js';
import { words } from './words.js';

export function OfferPage() {
  if (view !== undefined) return <Deal view={view} />;
  return <NoLink kind={token === undefined ? 'missing' : 'unknown'} />;
}

/** A link that leads to no deal. */
function NoLink({ kind }: { readonly kind: 'missing' | 'unknown' }) {
  const of = words().trouble;
  return <Obstacle title={of[kind]} failure={{ message: of[`${kind}Help`] }} />;
}

function Deal({ view }: { readonly view: View }) {
  useReading(view);
  const of = words();
  const { seen, failure, notice } = view;
  if (failure.value?.isUnknown || notice.value?.isUnknown) return <NoLink kind="unknown" />;
  if (failure.value !== undefined) {
    return <Obstacle failure={failure.value} retry={view.loadAgain} />;
  }
  if (seen.value === undefined) return <p class="loading muted">{of.loading} …</p>;
  const shown = { ...seen.value, view };
  const { deal, events } = shown;
  const { partner_name, title, status } = deal;
  // what is asked comes first until it is accepted, and then what is to be done
  const isNew = status === 'created';
  return (
    <>
      <DealTitle
        deal={{ title, status }}
        partner={partner_name === null ? of.fromNobody : of.from(partner_name)}
      />
      <div class="columns">
        <div class="aside">
          <Next {...shown} />
          <Pay {...shown} />
        </div>
        <div>
          <Proposal {...shown} />
          {isNew && <Brief {...shown} />}
          <Work {...shown} />
          {!isNew && <Brief {...shown} />}
          <Payouts {...shown} />
          <History
            events={events}
            currency={deal.currency}
            names={of.events}
            nameOf={(event) => nameOf(event, deal)}
          />
        </div>
      </div>
      <p class="muted">{of.safe}</p>
      <OpenDialog key={view.opened.value?.name} {...shown} />
    </>
  );
}

/** What happens next, why, and the commands that are legal now. */
function Next({ deal, events, view }: Shown) {
  const of = words();
  const { status, legal, legal_proposals, proposal } = deal;
  const may = (name: string) => legal.includes(name);
  // an open proposal of the client is answered by one of its kind where it is shown
  const mayPropose = (kind: 'amendment' | 'settlement') =>
    legal_proposals.includes(`propose-${kind}`) &&
    (proposal?.by !== 'partner' || proposal.kind !== kind);
  const button = (
    name: Opened['name'],
    text: string,
    kind: 'main' | 'plain' | 'quiet' = 'plain',
  ) => (
    <Button
      kind={kind}
      onClick={() => {
        view.opened.value = { name };
      }}
    >
      {text}
    </Button>
  );
  return (
    <Card id="next" title={of.nextStep.heading} tone="accent">
      {view.notice.value !== undefined && (
        <Notice text={view.notice.value.message} again={view.loadAgain} />
      )}
      <p class="lead">{nextStep(deal)}</p>
      <Why {...{ status, events }} title={(event) => of.reasonFrom(nameOf(event, deal))} />
      {isOver(status) && status !== 'completed' && <Ended {...{ deal, events, view }} />}
      <div class="actions">
        {may('accept') && button('accept', of.accept.open, 'main')}
        {mayPropose('amendment') && button('propose', of.propose.open)}
        {mayPropose('settlement') && button('settle', of.settle.open)}
        {may('dispute') && button('dispute', of.dispute.open, 'quiet')}
        {may('decline') && button('decline', declineWord(deal), 'quiet')}
        {status === 'completed' && <Button onClick={() => window.print()}>{of.print}</Button>}
      </div>
    </Card>
  );
}

/** Who has ended the deal, where the money goes, and who can be asked. */
function Ended({ deal, events }: Shown) {
  const { ended } = words();
  const last = lastOf(events, ...endings);
  return (
    <>
      {last !== undefined && last.actor !== 'clock' && <p>{ended.by(nameOf(last, deal))}</p>}
      <p>{ended.refund}</p>
      {host.links.length > 0 && <p>{ended.contact(hostName())}</p>}
    </>
  );
}

function Proposal({ deal, view }: Shown) {
  const of = words();
  const { proposal, legal_proposals: legal } = deal;
  if (proposal === null) return null;
  return (
    <OpenProposal
      {...{ deal, proposal, legal, rights: of.rights, side: 'freelancer' }}
      gross={[deal.gross, proposal.gross]}
      theirs={proposal.kind === 'settlement' ? of.theirAgreement : of.theirs}
      more={[
        { id: 'net', field: 'net', name: of.pay.net, before: deal.amount, after: proposal.net },
      ]}
      open={(name) => {
        view.opened.value = { name };
      }}
    />
  );
}

function Pay({ deal: { amount, gross, contractor_fee, agreed_amount, currency } }: Shown) {
  const { pay, changes } = words();
  return (
    <Card title={pay.heading}>
      <p class="sum">
        <span class="muted">{pay.net}</span>
        <strong>{money(amount, currency)}</strong>
      </p>
      <Facts
        of={[
          [changes.fields.gross, money(gross, currency)],
          [pay.fee, money(contractor_fee, currency)],
          ...(agreed_amount === null
            ? []
            : [[pay.agreed, money(agreed_amount, currency)] as const]),
        ]}
      />
    </Card>
  );
}

function Brief({ deal: { description, copyright_transfer } }: Shown) {
  const { brief, changes, rights } = words();
  return (
    <Card title={brief}>
      <Said text={description} />
      {copyright_transfer !== null && (
        <>
          <h3>{changes.fields.rights}</h3>
          <p dir="auto">{wordOf(rights, copyright_transfer)}</p>
        </>
      )}
    </Card>
  );
}

/** The stages with their files; of an open one, what is needed to deliver it. */
function Work(shown: Shown) {
  const of = words();
  const { deal, view } = shown;
  const { stages, currency, legal, status } = deal;
  const target = targetOf(shown);
  const isSingle = stages.length === 1;
  const [first] = stages;
  const isPlain = first?.work_days === null && first.work_files.length === 0;
  // before it is accepted, there is nothing to say of it
  if (status === 'created' && isSingle && isPlain) return null;
  return (
    <Card title={isSingle ? of.work : of.stages}>
      {stages.map((stage) => {
        const takesWork = legal.includes('deliver') && status !== 'created' && isOpen(stage);
        return (
          <StageItem key={stage.id} {...{ stage, currency, isSingle }}>
            {(status !== 'created' || stage.work_files.length > 0) && (
              <Files
                {...{ stage, who: of.who }}
                download={async ({ id, name }) =>
                  saveFile(name, await view.client.downloadFile(id, inLanguage()))
                }
              />
            )}
            {takesWork && (
              <>
                <Uploader stage={stage} target={target} />
                <Deliver {...{ stage, view }} />
              </>
            )}
          </StageItem>
        );
      })}
    </Card>
  );
}

function Deliver({ stage: { id }, view }: { readonly stage: Stage; readonly view: View }) {
  const { deliver, message } = words();
  const form = `deliver-${id}`;
  const entries = [remarkEntry('message', message)];
  return (
    <ActionForm
      action={deliver.open}
      send={async () =>
        areSending([{ id }])
          ? failureOf({ code: 'precondition_failed', reason: 'files_left' })
          : view.give(form, deliver.done, () =>
              view.client.deliver({ stage_id: id, ...givenIn(form, entries) }, inLanguage()),
            )
      }
    >
      {(errors) => (
        <>
          <Entries of={entries} {...{ form, errors }} />
          <p class="hint">{deliver.help}</p>
        </>
      )}
    </ActionForm>
  );
}

function Payouts({ deal: { contractor_payments, currency } }: Shown) {
  const of = words();
  if (contractor_payments.length === 0) return null;
  return (
    <Card title={of.payouts}>
      <Payments of={contractor_payments} currency={currency} statusWords={of.payoutStatus} />
    </Card>
  );
}
