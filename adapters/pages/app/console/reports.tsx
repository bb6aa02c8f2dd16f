import { useSignal } from '@preact/signals';
import type { UnmatchedReport } from 'dealwright';
import { Ask } from '../base/ask.js';
import { Button, Facts } from '../base/components.js';
import { type Failure, failureOf } from '../base/failure.js';
import { Moment, money } from '../base/format.js';
import { inLanguage, wordOf } from '../base/language.js';
import { type Column, Rows, useList } from '../base/list.js';
import { hrefOf } from '../base/route.js';
import { announce, Heading, keepFocus } from '../base/shell.js';
import { api, partnerApi } from './api.js';
import { PartnerLink } from './deal-rows.js';
import { words } from './words.js';

/** The reports of payment providers that match no payment, and that nobody has dismissed. */
export function Reports() {
  const of = words();
  return (
    <>
      <div class="title">
        <Heading>{of.nav.reports}</Heading>
        <p class="muted">{of.unmatched.help}</p>
      </div>
      <section class="card" id="next" tabIndex={-1}>
        <ReportRows />
      </section>
    </>
  );
}

/** Those that have waited longest; the first ones, or a page. */
export function ReportRows(props: {
  readonly size?: number;
  /** Called once one of them is dismissed. */
  readonly done?: () => Promise<void>;
}) {
  const of = words();
  const list = useList('', (page) => api().listUnmatchedReports(page, inLanguage()), props.size);
  const asked = useSignal<UnmatchedReport | undefined>(undefined);
  const shown = asked.value;
  async function dismiss({ partner, id }: UnmatchedReport): Promise<Failure | undefined> {
    const dismissed = await partnerApi(partner).dismissReport(id, inLanguage());
    if (dismissed.isErr()) return failureOf(dismissed.error);
    void readAgain();
    return undefined;
  }
  async function readAgain(): Promise<void> {
    await list.again();
    await props.done?.();
    announce(of.unmatched.done);
    // its button may be gone
    keepFocus('next');
  }
  const ask = (report: UnmatchedReport) => {
    asked.value = report;
  };
  return (
    <>
      <Rows list={list} name={of.nav.reports} columns={columnsOf(ask)}>
        <p>{of.empty.reports}</p>
      </Rows>
      {shown !== undefined && (
        <Ask
          title={of.unmatched.dismiss}
          help={of.unmatched.asks}
          action={of.unmatched.dismiss}
          above={<Said of={shown} />}
          send={() => dismiss(shown)}
          onClose={() => {
            asked.value = undefined;
          }}
        />
      )}
    </>
  );
}

const whatOf = ({ kind, status }: UnmatchedReport) => wordOf(words().events, `${kind}.${status}`);

/** What a report has said. */
function Said({ of: report }: { readonly of: UnmatchedReport }) {
  const of = words();
  const { partner, partner_id, amount, reference } = report;
  return (
    <Facts
      of={[
        [of.unmatched.what, whatOf(report)],
        ...(amount === null ? [] : [[of.amount, amount] as const]),
        [of.reference, <bdi key="reference">{reference}</bdi>],
        [of.partner, <bdi key="partner">{partner}</bdi>],
        [of.number, <bdi key="deal">{partner_id}</bdi>],
      ]}
    />
  );
}

function columnsOf(ask: (report: UnmatchedReport) => void): readonly Column<UnmatchedReport>[] {
  const of = words();
  return [
    [
      of.unmatched.what,
      whatOf,
      (report) => (
        <>
          {whatOf(report)}
          {report.amount !== null && <span class="block">{report.amount}</span>}
        </>
      ),
    ],
    [
      of.amount,
      ({ amount }) => (amount === null ? '' : { amount }),
      ({ amount, currency }) =>
        amount !== null && (currency === null ? amount : money(amount, currency)),
    ],
    [
      of.reference,
      ({ reference }) => reference,
      ({ reference }) => (
        // a search takes 200 characters
        <a href={hrefOf(['deals'], { text: reference.slice(0, 200) })} dir="auto">
          {reference}
        </a>
      ),
    ],
    [of.partner, ({ partner }) => partner, ({ partner }) => <PartnerLink partner={partner} />],
    [
      of.number,
      ({ partner_id }) => partner_id,
      ({ partner, partner_id, reason }) =>
        reason !== 'unknown_deal' ? (
          <a href={hrefOf(['deals', partner, partner_id])} dir="auto">
            {partner_id}
          </a>
        ) : (
          <bdi>{partner_id}</bdi>
        ),
    ],
    [of.unmatched.payment, ({ payment_id }) => payment_id ?? ''],
    [
      of.unmatched.why,
      ({ reason }) => of.unmatched.reasons[reason],
      ({ reason }) => of.unmatched.reasons[reason],
    ],
    [of.since, ({ received_at }) => received_at, ({ received_at }) => <Moment at={received_at} />],
    [
      of.unmatched.dismiss,
      undefined,
      (report) => (
        <Button label={`${of.unmatched.dismiss}: ${report.reference}`} onClick={() => ask(report)}>
          {of.unmatched.dismiss}
        </Button>
      ),
    ],
  ];
}
