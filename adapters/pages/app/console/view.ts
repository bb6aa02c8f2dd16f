import type { DomainEvent, OperatorDetails } from 'dealwright';
import { createDealView as createView } from '../base/deal-view.js';
import { inLanguage } from '../base/language.js';
import { partnerApi } from './api.js';
import type { en } from './words-en.js';

/** The commands of the operator, as `legal` names them. */
export type CommandName = keyof (typeof en)['commands'];

/** The dialog that is open, and the payment that it is about, if it is about one. */
export interface Opened {
  readonly name: CommandName;
  readonly payment?: Payment;
}

export type Payment = OperatorDetails['billing'][
  | 'employer_payments'
  | 'contractor_payments'][number];

export const createDealView = (partner: string, id: string) =>
  createView<OperatorDetails, DomainEvent, Opened>(
    () => partnerApi(partner).retrieveDeal(id, inLanguage()),
    (query) => partnerApi(partner).listDealEvents(id, query, inLanguage()),
  );

export type View = ReturnType<typeof createDealView>;

export interface Shown extends NonNullable<View['seen']['value']> {
  readonly view: View;
  readonly partner: string;
}
