/** The tables that a cluster divides by tenant. */
export const tenantTables = [
  ...['tenants', 'deals', 'stages', 'work_files', 'employer_payments', 'contractor_payments'],
  ...['postings', 'intents', 'payment_reports', 'unmatched_reports', 'answers', 'events'],
  ...['proposals', 'terms'],
  ...['webhooks', 'consumers', 'deliveries', 'sandbox_clocks'],
];

/** The others: one node has them, or every node has all of them. */
export const otherTables = ['contractors', 'ids', 'store', 'migrations'];

/**
 * A query for the parts of a schema that a cluster would refuse: a table in neither list, and a key,
 * index or foreign key of a tenant's table that does not begin with the tenant. An index that is not
 * unique may begin with a time, or with the environment of the tenant: by it, a node finds records
 * of all tenants.
 */
export function catalogueFaults(schema: string): string {
  const list = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');
  const ofTenants = `n.nspname = '${schema}' and c.relname in (${list(tenantTables)})`;
  const first = (relation: string, columns: string) =>
    `(select attname from pg_attribute where attrelid = ${relation} and attnum = ${columns})`;
  return `select 'table ' || c.relname as fault
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = '${schema}' and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in (${list([...tenantTables, ...otherTables])})
  union all select 'index ' || i.indexrelid::regclass::text
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
    where ${ofTenants} and ${first('i.indrelid', 'i.indkey[0]')} is distinct from 'tenant'
      and not (not i.indisunique and ${first('i.indrelid', 'i.indkey[0]')} in ('due_at', 'ends_at')
        and ${first('i.indrelid', 'i.indkey[1]')} = 'tenant')
      and not (not i.indisunique
        and pg_get_indexdef(i.indexrelid, 1, true) = 'substr(tenant, 1, 1)')
  union all select 'constraint ' || k.conname
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where ${ofTenants} and k.contype in ('p', 'u', 'x', 'f')
      and (${first('k.conrelid', 'k.conkey[1]')} is distinct from 'tenant'
        or k.contype = 'f' and ${first('k.confrelid', 'k.confkey[1]')} is distinct from 'tenant')
  order by 1`;
}

interface Token {
  readonly text: string;
  /** The brackets around it: those of one query, without those of inner queries. */
  readonly group: number;
}

/**
 * The uses of tenants' tables in a statement that do not name the tenant. If a table is read,
 * changed, joined or locked, the same query (not an inner one) must compare the tenant of that
 * table with a value. If a table is written, the tenant must be the first column, also in each
 * conflict that is named.
 */
export function statementFaults(sql: string): readonly string[] {
  const tokens = tokensOf(sql);
  const word = (at: number) => tokens[at]?.text ?? '';
  const faults: string[] = [];
  for (let at = 2; at < tokens.length; at += 1) {
    const table = tenantTables.find((name) => name === word(at));
    // only tables have a schema in front of them
    if (table === undefined || word(at - 1) !== '.' || !word(at - 2).startsWith('"')) continue;
    const verb = word(at - 3);
    if (verb === 'into') {
      const columns = word(at + 1) === 'as' ? at + 3 : at + 1;
      if (word(columns) !== '(' || word(columns + 1) !== 'tenant')
        faults.push(`insert into ${table}`);
      const conflict = conflictOf(tokens, at);
      if (conflict !== undefined && word(conflict) !== 'tenant')
        faults.push(`conflict of ${table}`);
      continue;
    }
    const alias = /^(set|where|join|on|order|limit|for|group|\)|,|;|)$/.test(word(at + 1))
      ? undefined
      : word(at + 1);
    const group = tokens[at]?.group;
    const own = tokens.filter((token) => token.group === group).map(({ text }) => text);
    const name = alias === undefined ? ['tenant'] : [alias, '.', 'tenant'];
    if (!isCompared(own, name)) faults.push(`${verb} ${table}`);
  }
  return faults;
}

/** The index of the columns of a conflict, if it names some, in an insert into this table. */
function conflictOf(tokens: readonly Token[], table: number): number | undefined {
  const group = tokens[table]?.group;
  for (let at = table + 1; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.group !== group) continue;
    if (token?.text === 'conflict') return tokens[at + 1]?.text === '(' ? at + 2 : undefined;
  }
  return undefined;
}

function isCompared(words: readonly string[], name: readonly string[]): boolean {
  return words.some(
    (_, at) =>
      name.every((part, offset) => words[at + offset] === part) &&
      (words[at + name.length] === '=' || words[at - 1] === '=') &&
      words[at - 1] !== '.',
  );
}

function tokensOf(sql: string): readonly Token[] {
  const tokens: Token[] = [];
  const open = [0];
  let groups = 0;
  for (const [text] of sql.matchAll(/'(?:[^']|'')*'|"[^"]*"|\$\d+|\w+|::|<>|[<>]=|[^\s\w]/g)) {
    if (text === ')') open.pop();
    tokens.push({ text, group: open.at(-1) ?? 0 });
    if (text === '(') {
      groups += 1;
      open.push(groups);
    }
  }
  return tokens;
}
