import type { DealDetails, DomainEvent } from 'dealwright';
import { createDealView as createView } from '../base/deal-view.js';
import { formOf } from '../base/drafts.js';
import { inLanguage } from '../base/language.js';
import type { Decision } from '../base/proposed.js';
import type { Stage } from '../base/terms.js';
import { api } from './api.js';
import type { en } from './words-en.js';

/** The commands of a partner, as `legal` names them. */
export type CommandName = Exclude<keyof (typeof en)['commands'], 'propose' | 'settle'>;

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

export const createDealView = (id: string) =>
  createView<DealDetails, DomainEvent, Opened>(
    () => api().retrieveDealDetails(id, inLanguage()),
    (query) => api().listDealEvents(id, query, inLanguage()),
  );

export type Seen = NonNullable<View['seen']['value']>;

/** What is typed for a deal is kept below this name. */
export const formOfDeal = (
  { partner_id }: Pick<DealDetails, 'partner_id'>,
  ...names: readonly (string | number)[]
) => formOf('deal', partner_id, ...names);
