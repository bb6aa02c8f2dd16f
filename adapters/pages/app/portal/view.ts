import type { DealDetails, DomainEvent } from 'dealwright';
import { err, ok, type Result } from 'neverthrow';
import type { CallError } from '../base/failure.js';
import { readEvents } from '../base/history.js';
import { inLanguage } from '../base/language.js';
import type { Stage } from '../base/terms.js';
import { createView } from '../base/view.js';
import { api } from './api.js';
import type { en } from './words-en.js';

/** A deal with what has happened to it. */
export interface Seen {
  readonly deal: DealDetails;
  readonly events: readonly DomainEvent[];
}

/** The commands of a partner, as `legal` names them. */
export type CommandName = Exclude<keyof (typeof en)['commands'], 'propose' | 'settle'>;

export type Decision = keyof (typeof en)['decisions'];

export type DialogName = keyof (typeof en)['commands'] | Decision | 'link';

/** The dialog that is open, and the stage that it is about, if it is about one. */
export interface Opened {
  readonly name: DialogName;
  readonly stage?: Stage | undefined;
}

export type View = ReturnType<typeof createDealView>;

export interface DialogProps {
  readonly deal: DealDetails;
  readonly view: View;
  readonly close: () => void;
  readonly stage?: Stage | undefined;
}

/** The name of a form of a deal: no other form has a name that begins with it and a dot. */
export const formOf = ({ partner_id }: Pick<DealDetails, 'partner_id'>, name: string): string =>
  `deal.${encodeURIComponent(partner_id).replaceAll('.', '%2E')}.${name}`;

/** A deal of the partner. */
export const createDealView = (id: string) => {
  let events: Seen['events'] = [];
  return createView<Seen, Opened>(
    async (): Promise<Result<Seen, CallError>> => {
      const reading = readEvents((query) => api().listDealEvents(id, query, inLanguage()));
      const deal = await api().retrieveDealDetails(id, inLanguage());
      if (deal.isErr()) return err(deal.error);
      // without its time line, or with that of before, a deal can still be led on
      events = (await reading) ?? events;
      return ok({ deal: deal.value, events });
    },
    ({ deal: { status, terms_version, proposal, stages, billing } }) =>
      [
        ...[status, terms_version, proposal?.id, billing.outstanding, billing.held],
        ...stages.map((stage) => stage.status),
      ].join(),
  );
};
