import type { Proposal, TermsVersion } from 'dealwright';
import { Card, Said } from '../base/components.js';
import { money } from '../base/format.js';
import { inLanguage, wordOf } from '../base/language.js';
import { type Column, Rows, textColumn, timeColumn, useList } from '../base/list.js';
import { partnerApi } from './api.js';
import type { Shown } from './view.js';
import { words } from './words.js';

/** All terms that the deal has had, and all proposals of others. */
export function Versions({ deal, partner }: Shown) {
  const of = words();
  const { partner_id, terms_version, proposal, status } = deal;
  const key = `${terms_version} ${proposal?.id} ${status}`;
  const versions = useList(key, (page) =>
    partnerApi(partner).listTerms(partner_id, page, inLanguage()),
  );
  const proposals = useList(key, (page) =>
    partnerApi(partner).listProposals(partner_id, page, inLanguage()),
  );
  return (
    <>
      <Card title={of.versions.heading}>
        <Rows list={versions} name={of.versions.heading} columns={versionColumns()}>
          <p>{of.versions.none}</p>
        </Rows>
      </Card>
      <Card title={of.proposals.heading}>
        <Rows list={proposals} name={of.proposals.heading} columns={proposalColumns()}>
          <p>{of.proposals.none}</p>
        </Rows>
      </Card>
    </>
  );
}

const who = (actor: string | null) => (actor === null ? '' : wordOf(words().who, actor));

function versionColumns(): readonly Column<TermsVersion>[] {
  const of = words();
  return [
    textColumn(of.versions.number, (each) => `${each.terms_version}`),
    ...termsColumns(),
    textColumn(of.proposals.by, (each) => who(each.proposed_by)),
    textColumn(of.versions.accepted, (each) => who(each.accepted_by)),
    timeColumn(of.made, ({ at }) => at),
  ];
}

function proposalColumns(): readonly Column<Proposal>[] {
  const of = words();
  return [
    ...termsColumns(),
    textColumn(of.proposals.by, ({ by }) => who(by)),
    textColumn(of.state, ({ status }) => wordOf(of.proposals.status, status)),
    timeColumn(of.made, ({ created_at }) => created_at),
    timeColumn(of.proposals.decided, ({ decided_at }) => decided_at),
  ];
}

type Terms = TermsVersion['terms'];

const worth = ({ agreed_amount, amount }: Terms) => agreed_amount ?? amount;

/** What terms are of a kind, which opens them, and what they are worth. */
function termsColumns(): readonly Column<{
  readonly kind: string;
  readonly terms: Terms;
  readonly message?: string | null;
}>[] {
  const of = words();
  return [
    [
      of.versions.kind,
      ({ kind }) => wordOf(of.kinds, kind),
      ({ kind, terms, message = null }) => (
        <details>
          <summary>{wordOf(of.kinds, kind)}</summary>
          {message !== null && <Said text={message} />}
          <TermsShown terms={terms} />
        </details>
      ),
    ],
    [
      of.amount,
      ({ terms }) => ({ amount: worth(terms) }),
      ({ terms }) => <span class="figure">{money(worth(terms), terms.currency)}</span>,
    ],
  ];
}

/** Terms as they were: the title, the stages, the brief. */
function TermsShown({ terms }: { readonly terms: Terms }) {
  return (
    <>
      <p class="strong" dir="auto">
        {terms.title}
      </p>
      <ul class="rows">
        {terms.stages.map(({ name, budget, work_days }, at) => (
          <li key={at} class="row">
            <bdi>{name}</bdi>
            {money(budget, terms.currency)}
            {work_days !== null && ` · ${words().changes.days(String(work_days))}`}
          </li>
        ))}
      </ul>
      <Said text={terms.description} />
    </>
  );
}
