import type {
  ContractorInput,
  DealListQuery,
  DeliveryListQuery,
  EventPageQuery,
  EventQuery,
  FileUpload,
  OfStage,
  Remarks,
  WebhookInput,
} from 'dealwright';

export type Members<T> = Readonly<Record<keyof T, true>>;

export const contractorMembers: Members<ContractorInput> = {
  email: true,
  name: true,
  surname: true,
  country_code: true,
  street: true,
  house_no: true,
  apartment_no: true,
  postal_code: true,
  city: true,
  language: true,
  bank_account_currency: true,
  bank_account_iban: true,
  bank_account_bic: true,
  pesel: true,
  nip: true,
  tax_id: true,
};

export const dealListMembers: Members<DealListQuery> = {
  page_size: true,
  cursor: true,
  partner_id: true,
  status: true,
  freelancer_status: true,
  attention: true,
  email_freelancer: true,
  created_from: true,
  created_to: true,
};

export const eventPageMembers: Members<EventPageQuery> = { after: true, page_size: true };

export const eventListMembers: Members<EventQuery> = { ...eventPageMembers, type: true };

export const deliveryListMembers: Members<DeliveryListQuery> = { page_size: true, cursor: true };

export const webhookMembers: Members<WebhookInput> = { url: true, types: true, ordered: true };

export const fileMembers: Members<FileUpload> = {
  stage_id: true,
  name: true,
  content_type: true,
  content: true,
};

export const remarks: Members<Remarks> = { reason: true, message: true };

export const stageRemarks: Members<OfStage> = { stage_id: true, ...remarks };
