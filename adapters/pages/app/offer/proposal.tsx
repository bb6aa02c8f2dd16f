import { Button, Card, Said } from '../base/components.js';
import { moment, money } from '../base/format.js';
import { wordOf } from '../base/language.js';
import { opened } from './deal.js';
import { type Difference, differences, type Offer, type StageTerms } from './offer.js';
import { words } from './words.js';

/** The open proposal: the terms of now beside the proposed ones, and what can be answered. */
export function Proposal({ offer }: { readonly offer: Offer }) {
  const of = words().proposal;
  const { proposal } = offer;
  if (proposal === null) return null;
  const may = (name: string) => offer.legal_proposals.includes(name);
  const isTheirs = proposal.by === 'partner';
  const isAgreement = proposal.kind === 'settlement';
  const ask = (name: typeof opened.value) => () => {
    opened.value = name;
  };
  return (
    <Card
      title={isTheirs && !isAgreement ? of.theirs : isTheirs ? of.theirAgreement : of.yours}
      tone="accent"
    >
      {isAgreement && <p class="strong">{of.settlement}</p>}
      {proposal.message !== null && <Said text={proposal.message} />}
      <table class="changes">
        <thead>
          <tr>
            <th scope="col">{of.field}</th>
            <th scope="col">{of.before}</th>
            <th scope="col">{of.after}</th>
          </tr>
        </thead>
        <tbody>
          {differences(offer, proposal).map((each) => (
            <Row key={each.id} {...each} currency={offer.currency} />
          ))}
        </tbody>
      </table>
      <p class="muted">{of.until(moment(proposal.expires_at))}</p>
      <div class="actions">
        {may('accept-proposal') && (
          <Button kind="main" onClick={ask('acceptProposal')}>
            {of.open}
          </Button>
        )}
        {may('reject-proposal') && (
          <Button onClick={ask('rejectProposal')}>{of.reject.action}</Button>
        )}
        {isTheirs && may(`propose-${proposal.kind}`) && (
          <Button onClick={ask(isAgreement ? 'settle' : 'propose')}>{of.counter}</Button>
        )}
        {may('withdraw-proposal') && (
          <Button onClick={ask('withdrawProposal')}>{of.withdraw.action}</Button>
        )}
      </div>
    </Card>
  );
}

function Row({ field, name, before, after, currency }: Difference & { currency: string }) {
  const { proposal: of, rightsOf } = words();
  const show = (value: StageTerms | string | undefined) => {
    if (value === undefined) return of.nothing;
    if (typeof value !== 'string') {
      const { budget, work_days } = value;
      const days = work_days === null ? '' : `, ${of.days(String(work_days))}`;
      const terms = money(budget, currency) + days;
      return value.name === name ? terms : <bdi class="said">{`${value.name}: ${terms}`}</bdi>;
    }
    if (field === 'rights') return wordOf(rightsOf, value);
    const isMoney = field === 'net' || field === 'gross';
    return isMoney ? money(value, currency) : <bdi class="said">{value}</bdi>;
  };
  return (
    <tr class={field === 'net' ? 'strong' : ''}>
      <th scope="row">{field === 'stage' ? <bdi>{name}</bdi> : of.fields[field]}</th>
      <td data-label={of.before}>{show(before)}</td>
      <td data-label={of.after}>{show(after)}</td>
    </tr>
  );
}
