import { err, ok, type Result } from 'neverthrow';

/** Where deals are kept, and the contents of work files. */
export type KeptPlace =
  | { readonly kind: 'sqlite'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly folder: string };

/** Where a service has its deals. */
export type StorePlace = KeptPlace | { readonly kind: 'memory' };

const defaultFolder = '.dealwright';

/** Reads the place from the environment. No complaint repeats an address: a password may be in it. */
export function parsePlace(
  environment: Readonly<Record<string, string | undefined>>,
): Result<KeptPlace, string> {
  const folder = environment['DEALWRIGHT_DATA'] ?? defaultFolder;
  if (folder === '') {
    return err(
      `DEALWRIGHT_DATA is empty: leave it out to keep deals in ${defaultFolder}, or name a folder`,
    );
  }
  const url = environment['DATABASE_URL'];
  if (url === undefined) return ok({ kind: 'sqlite', folder });
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) {
    return ok({ kind: 'postgres', url, folder });
  }
  return err(
    'DATABASE_URL is no address of PostgreSQL: give one such as postgres://user:password@127.0.0.1:5432/deals, or leave it out to keep deals in a folder',
  );
}
