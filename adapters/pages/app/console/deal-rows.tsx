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

const hrefOfDeal = ({ partner, partner_id }: OperatorDealItem) =>
  hrefOf(['deals', partner, partner_id]);

const since = (at: string | null) =>
  at !== null && (
    <span key="since" class="muted block">
      <Moment at={at} />
    </span>
  );

/** The columns of deals of all partners: whose they are, and what they wait for. */
export function dealRowColumns<D extends OperatorDealItem>(): readonly Column<D>[] {
  const of = words();
  const [first, ...others] = dealColumns<D>(of.number, hrefOfDeal);
  const alertOf = ({ alert }: OperatorDealItem) => (alert === null ? '' : of.alerts[alert]);
  return [
    ...(first === undefined ? [] : [first]),
    [of.partner, ({ partner }) => partner, ({ partner }) => <PartnerLink partner={partner} />],
    ...others.map(([name, text, cell]): Column<D> => {
      // there is room for it in the file alone
      if (name === of.made) return [name, text];
      if (name !== of.state) return cell === undefined ? [name, text] : [name, text, cell];
      return [name, text, (deal) => [cell?.(deal), since(deal.status_since)]];
    }),
    [of.since, ({ status_since }) => status_since ?? ''],
    [
      of.waits,
      (deal) => alertOf(deal),
      (deal) =>
        deal.alert_at !== null && (
          <>
            {alertOf(deal)} {since(deal.alert_at)}
          </>
        ),
    ],
  ];
}
