/** A table of a migration: of names separated by spaces. */
export interface NewTable {
  /** Each is a text, or has `:integer`, `:money`, `:json`, `:long`; `?` if it may be null. */
  readonly columns: string;
  readonly primaryKey: string;
  /** Each begins with the owner of the records. */
  readonly unique?: readonly string[];
  readonly indexes?: readonly string[];
  /** Whether rows are so narrow that they can be stored in their primary key. */
  readonly isNarrow?: true;
}

/** A parsed column. */
export interface NewColumn {
  readonly name: string;
  readonly type: 'text' | 'long' | 'integer' | 'money' | 'json';
  readonly isOptional: boolean;
}

/**
 * The tables of migration 1 in every database: frozen once they are released, while the table of
 * fields changes. Schema tests compare the sum of all migrations with it.
 */
export const firstTables: Readonly<Record<string, NewTable>> = {
  contractors: {
    columns: `environment tenant contractor_key email name surname country_code street house_no?
      apartment_no? postal_code city language bank_account_currency bank_account_iban
      bank_account_bic? pesel? nip? tax_id? attempt version:integer`,
    primaryKey: 'environment contractor_key',
  },
  deals: {
    columns: `tenant partner_id id:integer api_version email_freelancer email_key title
      description:long subcategory_id:integer amount:money currency work_days:integer?
      copyright_transfer? freelancer_language? payment_token? status freelancer_status created_at mode
      employer_fee:money contractor_fee:money agreed_amount:money? expires_at? due_at?
      attempt version:integer`,
    primaryKey: 'tenant partner_id',
    unique: ['tenant id'],
    indexes: [
      'tenant created_at attempt',
      'tenant status created_at attempt',
      'tenant freelancer_status created_at attempt',
      'tenant status freelancer_status created_at attempt',
      'tenant email_key created_at attempt',
      'tenant due_at',
      'tenant payment_token',
    ],
  },
  stages: {
    columns: `tenant id:integer partner_id name budget:money work_days:integer? status
      agreed_amount:money? submitted_at? attempt`,
    primaryKey: 'tenant id',
    indexes: ['tenant partner_id id'],
    isNarrow: true,
  },
  work_files: {
    columns: `tenant id partner_id stage_id:integer name size:integer sha256 content_type
      uploaded_at status attempt`,
    primaryKey: 'tenant id',
    indexes: ['tenant partner_id id'],
    isNarrow: true,
  },
  employer_payments: {
    columns: `tenant id partner_id amount:money status reference? requested_at updated_at attempt`,
    primaryKey: 'tenant id',
    indexes: ['tenant partner_id id'],
    isNarrow: true,
  },
  contractor_payments: {
    columns: `tenant id partner_id stage_id:integer amount:money employer_fee:money
      contractor_fee:money status reference? retries:integer requested_at updated_at attempt`,
    primaryKey: 'tenant id',
    indexes: ['tenant partner_id id'],
    isNarrow: true,
  },
  postings: {
    columns: `tenant id partner_id kind payment_id from_account to_account amount:money at
      attempt`,
    primaryKey: 'tenant id',
    indexes: ['tenant partner_id id'],
    isNarrow: true,
  },
  intents: {
    columns: `tenant id partner_id kind payment_id amount:money remaining:money status
      attempts:integer created_at due_at? attempt`,
    primaryKey: 'tenant id',
    indexes: ['tenant partner_id id', 'tenant due_at'],
    isNarrow: true,
  },
  payment_reports: {
    columns: `tenant report_key partner_id payment_id status reference amount:money
      retries:integer at attempt`,
    primaryKey: 'tenant report_key',
    indexes: ['tenant partner_id report_key'],
    isNarrow: true,
  },
  webhooks: {
    columns: `tenant id url types? ordered:integer status disabled_reason? secret previous_secret?
      previous_until? created_at attempt version:integer`,
    primaryKey: 'tenant id',
  },
  consumers: {
    columns: 'tenant name position? held lease? leased_until? failing_since? attempt',
    primaryKey: 'tenant name',
  },
  deliveries: {
    columns: `tenant id consumer event_id type subject sequence:integer status attempts
      tries:integer created_at due_at? attempt`,
    primaryKey: 'tenant id',
    indexes: ['tenant consumer id', 'tenant consumer due_at'],
    isNarrow: true,
  },
  answers: {
    columns: 'tenant answer_key fingerprint answer attempt',
    primaryKey: 'tenant answer_key',
    isNarrow: true,
  },
  events: {
    columns: `tenant position:integer id type subject sequence:integer at actor cause?
      data:json`,
    primaryKey: 'tenant position',
    indexes: ['tenant subject sequence'],
    isNarrow: true,
  },
};

/** The columns of a table, in their order. */
export function columnsOf({ columns }: Pick<NewTable, 'columns'>): readonly NewColumn[] {
  return columns.split(/\s+/).map((text) => {
    const [name = '', type = 'text'] = text.replace('?', '').split(':');
    return { name, type: type as NewColumn['type'], isOptional: text.endsWith('?') };
  });
}

/** Names separated by commas, for SQL. */
export function listed(names: string): string {
  return names.replaceAll(' ', ', ');
}

/**
 * The commands that make the indexes of a table, whose name comes before the columns in the name of
 * an index. A null is never searched for, and is in no index: an index of a column with many nulls
 * would be small, so a planner might prefer it to that of the key, and read all of a tenant.
 */
export function indexesSql(table: string, name: string, own: NewTable): string[] {
  const optional = new Set(columnsOf(own).flatMap((each) => (each.isOptional ? each.name : [])));
  const index = (kind: string) => (columns: string) => {
    const [, ...others] = columns.split(' ');
    const given = others.filter((each) => optional.has(each)).map((each) => `${each} is not null`);
    const where = given.length === 0 ? '' : ` where ${given.join(' and ')}`;
    return `create ${kind} ${name}_by_${others.join('_')} on ${table} (${listed(columns)})${where};`;
  };
  const { unique = [], indexes = [] } = own;
  return [...indexes.map(index('index')), ...unique.map(index('unique index'))];
}
