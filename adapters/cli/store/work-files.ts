import type { Tenant } from 'dealwright';
import { createDealwright } from 'dealwright/host';
import type { PortFailure, TrashedFile } from 'dealwright/ports';
import { err, ok, type Result } from 'neverthrow';
import type { Flags } from '../fields.js';
import { formatTable, printable } from '../output.js';
import {
  causeText,
  complain,
  failed,
  failedExit,
  type Problem,
  say,
  tell,
  wrong,
} from '../problem.js';
import { parsePlace, placesIn, type StorePlace } from './folder.js';
import { type OpenStore, openStore } from './open-store.js';

type Ports = OpenStore['ports'];

/** Checks that these work files may be used with this store. */
export async function checkFiles(place: StorePlace, ports: Ports): Promise<Result<void, Problem>> {
  if (place.kind === 'memory') return ok(undefined);
  const folder = nameOf(place.folder);
  const found = await createDealwright(ports).marketplace.claimFiles();
  // its message does not contain the cause
  if (found.isErr()) return failed(folder, { cause: found.error.cause });
  const whose = found.value;
  const advice =
    'name the right ones (DATABASE_URL, DEALWRIGHT_DATA), or run dealwright files adopt to give the files to this database';
  if (whose.owner === 'another_store') {
    return wrong(
      `${folder} belongs to another database: to the store ${whose.store}, and this is the store ${whose.own}: ${advice}`,
    );
  }
  if (whose.owner === 'unknown') {
    return wrong(
      `there are work files in ${folder}, and the database names none of them (store ${whose.own}): ${advice}`,
    );
  }
  return ok(undefined);
}

const nameOf = (folder: string) => printable(placesIn(folder).files);

/** Gives the work files of the folder to the database that is set. */
export async function adoptFiles(process: NodeJS.Process): Promise<number> {
  return withStore(process, async ({ store, files }, folder) => {
    const before = await files.owner.read();
    // an unreadable id is replaced: that is the purpose of the command
    const kept = before.isOk() && typeof before.value === 'object' ? before.value.store : undefined;
    const identity = (await store.identity?.()) ?? ok(undefined);
    if (identity.isErr()) return failed(folder, identity.error);
    const own = identity.value;
    if (own === undefined) return wrong('the database has no id of a store');
    if (kept === own) {
      process.stdout.write(`Nothing to do: ${folder} belongs to the store ${own}\n`);
      return ok(0);
    }
    const replaced = await files.owner.replace(own);
    if (replaced.isErr()) return failed(folder, replaced.error);
    const was = kept === undefined ? '' : `; it belonged to the store ${kept}`;
    process.stdout.write(`${folder} belongs to the store ${own} now${was}\n`);
    return ok(0);
  });
}

/** Shows the contents in the trash, restores them or deletes them for good. */
export async function fileTrash(process: NodeJS.Process, flags: Flags): Promise<number> {
  if (flags.restore === true && flags.empty === true) {
    return complain(process, '--restore and --empty exclude each other');
  }
  return withStore(process, async (ports, folder, place) => {
    if (flags.empty === true) {
      const own = await checkFiles(place, ports);
      if (own.isErr()) return err(own.error);
    }
    const { trash } = ports.files;
    const rows: (string | number)[][] = [];
    let done = 0;
    for await (const found of trashedFiles(ports)) {
      if (found.isErr()) return failed(folder, found.error);
      const { tenant, id, since } = found.value;
      rows.push([new Date(since).toISOString(), tenant.environment, tenant.partner, id]);
      if (flags.restore !== true && flags.empty !== true) continue;
      const moved = await (flags.restore ? trash.restore(tenant, id) : trash.delete(tenant, id));
      if (moved.isErr()) return failed(folder, moved.error);
      done += 1;
    }
    const head = ['swept_at', 'environment', 'partner', 'id'];
    const shown =
      rows.length === 0
        ? 'the trash is empty\n'
        : formatTable(rows, { head, flexible: 2, width: process.stdout.columns });
    const told = flags.restore ? `Restored ${done} files\n` : `Deleted ${done} files\n`;
    process.stdout.write(flags.restore || flags.empty ? told : shown);
    return ok(0);
  });
}

/** The contents in the trash of all tenants of a store, page by page. */
async function* trashedFiles({
  store,
  files,
}: Ports): AsyncGenerator<Result<TrashedFile & { readonly tenant: Tenant }, PortFailure>, void> {
  let last: Tenant | undefined;
  for (;;) {
    const tenants = await store.tenants(last, 100);
    if (tenants.isErr()) return yield err(tenants.error);
    for (const { tenant } of tenants.value) {
      let after: string | undefined;
      for (;;) {
        const page = await files.trash.list(tenant, after);
        if (page.isErr()) return yield err(page.error);
        for (const file of page.value) yield ok({ tenant, ...file });
        after = page.value.at(-1)?.id;
        if (after === undefined) break;
      }
    }
    last = tenants.value.at(-1)?.tenant;
    if (last === undefined) return;
  }
}

/** Opens the store that is set, with the schema that it has, and closes it. */
async function withStore(
  process: NodeJS.Process,
  use: (ports: Ports, folder: string, place: StorePlace) => Promise<Result<number, Problem>>,
): Promise<number> {
  const place = parsePlace(process.env);
  if (place.isErr()) return complain(process, place.error);
  const opened = await openStore(process, place.value, false);
  if (opened.isErr()) return tell(process, opened.error);
  try {
    const done = await use(opened.value.ports, nameOf(place.value.folder), place.value);
    return done.isOk() ? done.value : tell(process, done.error);
  } catch (error) {
    say(process, causeText(error));
    return failedExit;
  } finally {
    await opened.value.close();
  }
}
