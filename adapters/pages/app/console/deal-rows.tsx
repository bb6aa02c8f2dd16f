import type { OperatorDealItem } from 'dealwright';
import { dealColumns } from '../base/deal-list.js';
import { Moment } from '../base/format.js';
import type { Column } from '../base/list.js';
import { hrefOf } from '../base/route.js';
import { words } from './words.js';

/** A partner by its name, which leads to it. */
export function PartnerLink({ partner, name }: { readonly partner: string; name?: string | null }) {
  return (
    <>
      <a href={hrefOf(['partners', partner])} dir="auto">
        {name ?? partner}
      </a>
      {name != null && <bdi class="muted block">{partner}</bdi>}
    </>
  );
}

export const hrefOfDeal = ({ partner, partner_id }: OperatorDealItem) =>
  hrefOf(['deals', partner, partner_id]);

/** The columns of deals of all partners: whose they are, and what they wait for. */
export function dealRowColumns<D extends OperatorDealItem>(): readonly Column<D>[] {
  const of = words();
  const [first, ...others] = dealColumns<D>(of.number, hrefOfDeal);
  const alertOf = ({ alert }: OperatorDealItem) => (alert === null ? '' : of.alerts[alert]);
  return [
    ...(first === undefined ? [] : [first]),
    [of.partner, ({ partner }) => partner, ({ partner }) => <PartnerLink partner={partner} />],
    ...others,
    [
      of.since,
      ({ status_since }) => status_since ?? '',
      ({ status_since }) => status_since !== null && <Moment at={status_since} />,
    ],
    [
      of.waits,
      (deal) => alertOf(deal),
      (deal) =>
        deal.alert_at !== null && (
          <>
            {alertOf(deal)}{' '}
            <span class="muted block">
              <Moment at={deal.alert_at} />
            </span>
          </>
        ),
    ],
  ];
}
