import { err, ok, type Result } from 'neverthrow';

/** The place of deals and of the contents of work files. */
export type KeptPlace =
  | { readonly kind: 'sqlite'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly folder: string };

/** The place of the deals of a service. */
export type StorePlace = KeptPlace | { readonly kind: 'memory' };

const defaultFolder = '.dealwright';

/**
 * Reads the place from the environment. No message repeats an address: it may contain a password.
 */
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
