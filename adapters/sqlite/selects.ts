/** `json_object` of columns by their own names. */
function objectOf(alias: string, columns: string, more = ''): string {
  const members = columns
    .trim()
    .split(/\s+/)
    .map((column) => `'${column}', ${alias}.${column}`);
  return `json_object(${members.join(', ')}${more})`;
}

/** A list of what a select finds, in its order: `json` is its one column. */
function listOf(select: string): string {
  return `json((select json_group_array(json(json)) from (${select})))`;
}

/** The record of a work file `f`. */
export const workFileJson = objectOf('f', 'id stage_id name size sha256 content_type uploaded_at');

const filesOfStage = listOf(`select ${workFileJson} as json from dealwright_work_files f
  where f.tenant = s.tenant and f.deal_id = s.deal_id and f.stage_id = s.id order by f.sequence`);

const stageJson = objectOf(
  's',
  'id name budget work_days status',
  `, 'work_files', ${filesOfStage}`,
);

const stagesOfDeal = listOf(`select ${stageJson} as json from dealwright_stages s
  where s.tenant = d.tenant and s.deal_id = d.id order by s.id`);

/** The record of a deal `d` of either version, with its stages. */
export const dealJson = objectOf(
  'd',
  `api_version version id partner_id contractor_email name description budget currency work_days
  sub_category_id email_freelancer title subcategory_id amount copyright_transfer
  freelancer_language payment_token status freelancer_status created_at`,
  `, 'stages', ${stagesOfDeal}`,
);

/** The ids of the stages of a deal `d`. */
export const stageIdsJson = listOf(`select s.id as json from dealwright_stages s
  where s.tenant = d.tenant and s.deal_id = d.id order by s.id`);

/** The line of a list for a deal `d`, under the names of version 2.0. */
export const listedJson = objectOf(
  'd',
  'event_id partner_id api_version id currency status freelancer_status created_at',
  `, 'title', coalesce(d.title, d.name), 'amount', coalesce(d.amount, d.budget),
  'email_freelancer', coalesce(d.email_freelancer, d.contractor_email)`,
);

/** The record of a contractor `c`. */
export const contractorJson = objectOf(
  'c',
  `version email name surname country_code street house_no apartment_no postal_code city language
  bank_account_currency bank_account_iban bank_account_bic pesel nip tax_id`,
);

/** The record of an event `e`; a tenant is text with a colon behind its environment. */
export const eventJson = objectOf(
  'e',
  'id type subject sequence at',
  `, 'environment', substr(e.tenant, 1, instr(e.tenant, ':') - 1),
  'partner', substr(e.tenant, instr(e.tenant, ':') + 1), 'data', json(e.data)`,
);
