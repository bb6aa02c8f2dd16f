import type { DomainEvent } from 'dealwright';
import { useMemo } from 'preact/hooks';
import { Button, Card, Facts, Said } from '../base/components.js';
import { DealTitle, Notice, useReading, Why } from '../base/deal-view.js';
import { Files } from '../base/files.js';
import { moment } from '../base/format.js';
import { History } from '../base/history.js';
import { inLanguage, wordOf } from '../base/language.js';
import { Obstacle } from '../base/obstacle.js';
import { Proposed } from '../base/proposed.js';
import { hrefOf } from '../base/route.js';
import { saveFile } from '../base/save.js';
import { StageItem } from '../base/stages.js';
import { grossOf } from '../base/terms.js';
import { DealDeliveries } from '../base/webhook.js';
import { partnerApi } from './api.js';
import { commandNames, commands, OperatorCommand } from './commands.js';
import { Ledger, PaymentsOf } from './money.js';
import { States } from './states.js';
import { Versions } from './versions.js';
import { createDealView, type Shown } from './view.js';
import { words } from './words.js';

/** One deal, as the operator sees it. */
export function DealScreen({ partner, id }: { readonly partner: string; readonly id: string }) {
  const view = useMemo(() => createDealView(partner, id), [partner, id]);
  useReading(view);
  const of = words();
  const { seen, failure, opened } = view;
  if (failure.value !== undefined) {
    const back = [hrefOf(['deals']), of.nav.deals] as const;
    return <Obstacle failure={failure.value} retry={view.loadAgain} back={back} />;
  }
  if (seen.value === undefined) return <p class="loading muted">{of.loading} …</p>;
  const shown = { ...seen.value, view, partner };
  const { deal, events } = shown;
  const close = () => {
    opened.value = undefined;
  };
  return (
    <>
      <DealTitle deal={deal} partner={deal.partner_name ?? partner} />
      <div class="columns">
        <div class="aside">
          <Next {...shown} />
          <PaymentsOf {...shown} />
        </div>
        <div>
          <States {...shown} />
          {deal.proposal !== null && (
            <Card title={wordOf(of.openProposal, deal.proposal.by)} tone="accent">
              <Proposed
                {...{ deal, proposal: deal.proposal, rights: of.rights }}
                gross={grossOf(deal, deal.proposal)}
              />
            </Card>
          )}
          <Brief {...shown} />
          <Work {...shown} />
          <Ledger {...shown} />
          <Versions {...shown} />
          <History
            events={events}
            currency={deal.currency}
            names={of.events}
            nameOf={(event) => nameOf(event, shown)}
          />
          <DealDeliveries
            key={`${partner} ${id}`}
            id={id}
            client={() => partnerApi(partner)}
            hrefOf={(webhook) => hrefOf(['partners', partner, 'webhooks', webhook])}
          />
        </div>
      </div>
      {opened.value !== undefined && (
        <OperatorCommand
          key={`${opened.value.name} ${opened.value.payment?.id}`}
          {...{ ...shown, ...opened.value, close }}
        />
      )}
    </>
  );
}

/** Who has done something. */
const nameOf = ({ actor }: DomainEvent, { deal, partner }: Shown) =>
  actor === 'partner'
    ? `${words().who.partner} (${deal.partner_name ?? partner})`
    : words().who[actor];

/** Who has to act, why, and the commands that are legal now. */
function Next(shown: Shown) {
  const of = words();
  const { deal, events, view } = shown;
  const { status, attention, expires_at, legal } = deal;
  const notice = view.notice.value?.message;
  const offered = commandNames.filter(
    (name) => legal.includes(name) && commands[name].isUseful?.(deal) !== false,
  );
  return (
    <Card id="next" title={of.nextStep.heading} tone="accent">
      {notice !== undefined && <Notice text={notice} again={view.loadAgain} />}
      <p class="lead">{wordOf(of.next, status)}</p>
      {expires_at !== null && <p class="muted">{of.until(moment(expires_at))}</p>}
      {attention.map((each) => (
        <p key={each}>{of.attention[each]}</p>
      ))}
      <Why
        {...{ status, events }}
        title={(event) => `${of.reason} (${nameOf(event as DomainEvent, shown)})`}
      />
      <div class="actions">
        {offered.map((name) => (
          <Button
            key={name}
            kind={commands[name].kind ?? 'plain'}
            onClick={() => {
              view.opened.value = { name };
            }}
          >
            {of.commands[name].open}
          </Button>
        ))}
      </div>
    </Card>
  );
}

function Brief({ deal, partner }: Shown) {
  const of = words();
  const { description, copyright_transfer, email_freelancer, freelancer_status } = deal;
  return (
    <Card title={of.brief}>
      <Said text={description} />
      <Facts
        of={[
          [
            of.partner,
            <a key="partner" href={hrefOf(['partners', partner])} dir="auto">
              {partner}
            </a>,
          ],
          [of.freelancer, <bdi key="email">{email_freelancer}</bdi>],
          [of.answer, wordOf(of.freelancerStatus, freelancer_status)],
          ...(copyright_transfer === null
            ? []
            : [[of.changes.fields.rights, wordOf(of.rights, copyright_transfer)] as const]),
        ]}
      />
    </Card>
  );
}

/** The stages with their days and files. */
function Work({ deal, partner }: Shown) {
  const of = words();
  const { stages, currency, partner_id } = deal;
  const isSingle = stages.length === 1;
  return (
    <Card title={isSingle ? of.work : of.stages}>
      {stages.map((stage) => (
        <StageItem key={stage.id} {...{ stage, currency, isSingle }}>
          <Files
            {...{ stage, who: of.who }}
            download={async ({ id, name }) =>
              saveFile(
                name,
                await partnerApi(partner).downloadWorkFile(partner_id, id, inLanguage()),
              )
            }
          />
        </StageItem>
      ))}
    </Card>
  );
}
