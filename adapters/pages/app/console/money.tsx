import type { ComponentChildren } from 'preact';
import { plus } from '../base/amounts.js';
import { Badge, Button, Card, Facts, toneOf } from '../base/components.js';
import { Moment, money } from '../base/format.js';
import { wordOf } from '../base/language.js';
import { clientOf, isFailed } from './commands.js';
import type { CommandName, Payment, Shown } from './view.js';
import { words } from './words.js';

/** Where the money of a deal came from, and where it is: both sides come to the same sum. */
export function Ledger({ deal: { billing } }: Shown) {
  const of = words();
  const { currency, paid, loss } = billing;
  const out = ['held', 'released', 'refunded', 'charged_back', 'fees'] as const;
  const sum = (amounts: readonly string[]) => amounts.reduce(plus);
  const row = (name: ComponentChildren, came: string | undefined, went: string | undefined) => (
    <tr>
      <th scope="row">{name}</th>
      {[came, went].map((amount, at) => (
        <td key={at} class="figure" data-label={at === 0 ? of.ledger.came : of.ledger.went}>
          {amount !== undefined && money(amount, currency)}
        </td>
      ))}
    </tr>
  );
  const names = { ...of.sums, fees: of.ledger.fees };
  return (
    <Card title={of.ledger.heading}>
      <table class="changes">
        <thead>
          <tr>
            <th scope="col">{of.ledger.account}</th>
            <th scope="col">{of.ledger.came}</th>
            <th scope="col">{of.ledger.went}</th>
          </tr>
        </thead>
        <tbody>
          {row(of.sums.paid, paid, undefined)}
          {row(of.ledger.loss, loss, undefined)}
          {out.map((each) => row(names[each], undefined, billing[each]))}
        </tbody>
        <tfoot>
          {row(of.ledger.sum, sum([paid, loss]), sum(out.map((each) => billing[each])))}
        </tfoot>
      </table>
      <Facts
        of={(['total', 'employer_fee', 'contractor_fee', 'net', 'outstanding'] as const).map(
          (each) => [of.ledger.terms[each], money(billing[each], currency)] as const,
        )}
      />
    </Card>
  );
}

/** Payments in both directions, with what waits, and what can be done about each. */
export function PaymentsOf({ deal, view, partner }: Shown) {
  const of = words();
  const { billing, stages, legal, currency } = deal;
  const rows = (title: string, all: readonly Payment[], table: object, report: CommandName) =>
    all.length > 0 && (
      <>
        <h3>{title}</h3>
        {all.map((payment) => {
          const { id, amount, status, reference, requested_at, updated_at } = payment;
          const waits = ('waits_for' in payment ? payment.waits_for : null) ?? payment.reason;
          const button = (name: CommandName) =>
            legal.includes(name) && (
              <Button
                label={`${of.ofPayment[name as keyof typeof of.ofPayment]}: ${money(amount, currency)}, ${id}`}
                onClick={() => {
                  view.opened.value = { name, payment };
                }}
              >
                {of.ofPayment[name as keyof typeof of.ofPayment]}
              </Button>
            );
          return (
            <article key={id} class="stage">
              <p class="row">
                <strong>{money(amount, currency)}</strong>
                <Badge tone={toneOf(status)}>{wordOf(table, status)}</Badge>
              </p>
              <Facts
                of={[
                  [of.paymentId, <code key="id">{id}</code>],
                  ...(reference === null
                    ? []
                    : [[of.reference, <bdi key="reference">{reference}</bdi>] as const]),
                  ...(waits === null
                    ? []
                    : [[of.reason, <code key="reason">{waits}</code>] as const]),
                  ...('stage_ids' in payment
                    ? [[of.part, namesOf(stages, payment.stage_ids)] as const]
                    : []),
                  [of.asked, <Moment key="asked" at={requested_at} />],
                  [of.changedAt, <Moment key="changed" at={updated_at} />],
                ]}
              />
              <div class="actions">
                {button(report)}
                {'stage_ids' in payment && isFailed(payment) && button('retry-payout')}
              </div>
            </article>
          );
        })}
      </>
    );
  const { employer_payments, contractor_payments } = billing;
  return (
    <Card title={of.payments.heading}>
      {employer_payments.length + contractor_payments.length === 0 && <p>{of.payments.none}</p>}
      {rows(of.payments.employer, employer_payments, of.requestStatus, 'record-employer-payment')}
      {rows(of.payments.payouts, contractor_payments, of.payoutStatus, 'record-contractor-payment')}
      {deal.effects.length > 0 && <Waiting {...{ deal, partner }} />}
    </Card>
  );
}

/** What the payment provider has still to do, and when it is asked next. */
function Waiting({ deal, partner }: Pick<Shown, 'deal' | 'partner'>) {
  const of = words();
  const { currency, email_freelancer, effects } = deal;
  const client = clientOf(deal, partner);
  const who = {
    request_payment: [of.payer, client],
    pay_out: [of.payee, email_freelancer],
    refund: [of.payee, client],
  } as const;
  return (
    <>
      <h3>{of.waiting.heading}</h3>
      {effects.map(({ id, kind, payment_id, amount, remaining, status, ...effect }) => (
        <article key={id} class="stage">
          <p class="row">
            <span>{of.waiting.kinds[kind]}</span>
            <strong>{money(remaining, currency)}</strong>
            <Badge tone={toneOf(status)}>{of.waiting.status[status]}</Badge>
          </p>
          <Facts
            of={[
              [who[kind][0], <bdi key="who">{who[kind][1]}</bdi>],
              ...(amount === remaining
                ? []
                : [[of.waiting.whole, money(amount, currency)] as const]),
              [of.paymentId, <code key="payment">{payment_id}</code>],
              [of.waiting.attempts, String(effect.attempts)],
              [
                of.waiting.next,
                effect.next_attempt_at === null ? (
                  of.waiting.never
                ) : (
                  <Moment key="next" at={effect.next_attempt_at} />
                ),
              ],
            ]}
          />
        </article>
      ))}
    </>
  );
}

const namesOf = (
  stages: readonly { readonly id: number; readonly name: string }[],
  ids: readonly number[],
) => (
  <bdi>
    {stages
      .filter(({ id }) => ids.includes(id))
      .map(({ name }) => name)
      .join(', ')}
  </bdi>
);
