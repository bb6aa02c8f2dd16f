/** The figures of each kind of issue: the allowed values, never the submitted one. */
export interface IssueParams {
  readonly required: NoParams;
  readonly null_not_allowed: NoParams;
  readonly wrong_type: {
    readonly expected: 'object' | 'string' | 'integer' | 'boolean' | 'list' | 'content';
  };
  readonly malformed_text: NoParams;
  readonly forbidden_character: NoParams;
  readonly too_short: { readonly min: number };
  readonly too_long: { readonly max: number };
  readonly wrong_length: { readonly length: number };
  readonly invalid_email: NoParams;
  readonly email_local_part_too_long: { readonly max: number };
  readonly not_allowed: { readonly allowed: readonly string[] };
  readonly unknown_country: NoParams;
  readonly unknown_currency: NoParams;
  readonly invalid_decimal: {
    readonly max_integer_digits: number;
    readonly max_fraction_digits: number;
  };
  readonly too_fine: { readonly unit: string };
  readonly not_positive: NoParams;
  readonly not_negative: NoParams;
  readonly not_an_integer: NoParams;
  readonly out_of_range: { readonly min: number; readonly max: number };
  readonly unknown_subcategory: NoParams;
  readonly unknown_contractor: NoParams;
  readonly unknown_stage: NoParams;
  readonly unknown_payment: NoParams;
  readonly currency_mismatch: NoParams;
  readonly secret_in_text: NoParams;
  readonly invalid_timestamp: NoParams;
  readonly invalid_media_type: NoParams;
  readonly invalid_base64: NoParams;
  readonly too_deep: { readonly max: number };
  readonly unknown_parameter: { readonly allowed: readonly string[] };
  readonly malformed_form: NoParams;
  readonly repeated: NoParams;
  readonly unreadable: NoParams;
  readonly refused_by_scanner: NoParams;
  readonly empty: NoParams;
  readonly too_many_stages: { readonly max: number };
  readonly too_many_files: { readonly max: number };
  readonly invalid_event_type: NoParams;
  readonly too_many_types: { readonly max: number };
  readonly too_many_webhooks: { readonly max: number };
  readonly too_many_webhooks_of_host: { readonly max: number };
  readonly port_not_allowed: NoParams;
  readonly invalid_url: NoParams;
  readonly https_required: NoParams;
  readonly address_not_allowed: NoParams;
  readonly blank: NoParams;
  readonly iban_unknown_country: NoParams;
  readonly iban_wrong_length: NoParams;
  readonly iban_wrong_format: NoParams;
  readonly iban_wrong_checksum: NoParams;
  readonly bic_wrong_length: NoParams;
  readonly bic_wrong_format: NoParams;
  readonly pesel_wrong_length: NoParams;
  readonly pesel_wrong_format: NoParams;
  readonly pesel_wrong_date: NoParams;
  readonly pesel_wrong_checksum: NoParams;
  readonly nip_wrong_length: NoParams;
  readonly nip_wrong_format: NoParams;
  readonly nip_wrong_checksum: NoParams;
}

type NoParams = Readonly<Record<never, never>>;

/** The stable code of a validation issue. */
export type IssueCode = keyof IssueParams;

/**
 * One failing field: its place (`path`, from the root of the body), its rule (`code`), the text
 * (`message`, in the language of the call) and the allowed values (`params`). It never repeats the
 * submitted value (decision 1.8). In process and on the wire it is the same.
 */
export type Issue = {
  readonly [C in IssueCode]: {
    readonly path: readonly string[];
    readonly code: C;
    readonly message: string;
    readonly params: IssueParams[C];
  };
}[IssueCode];

/** An issue before it is put into words. */
export interface Finding<C extends IssueCode = IssueCode> {
  readonly path: readonly string[];
  readonly code: C;
  readonly params: IssueParams[C];
}
