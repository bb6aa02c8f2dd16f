import { createPages, type Pages, type PagesOptions } from 'dealwright/pages';
import { err, ok, Result } from 'neverthrow';

type Given = Readonly<Record<string, string | undefined>>;

const logoRule =
  'DEALWRIGHT_PAGES_LOGO takes a path of the same host, such as /static/logo.svg, or a data:image/ URL';

const linksRule =
  'DEALWRIGHT_PAGES_LINKS takes a list as JSON, such as [{"text":"Help","href":"mailto:help@example.com"}]; a text may be {"en":"Help","pl":"Pomoc"}, and href is an http, https, mailto or tel URL, or a path of the same host';

/** The pages for people with what the host says of itself. */
export function parsePages(environment: Given): Result<Pages, readonly string[]> {
  const name = environment['DEALWRIGHT_PAGES_NAME'];
  return Result.combineWithAllErrors([
    parse(environment['DEALWRIGHT_PAGES_LOGO'], logoRule, (logo) => ({ logo })),
    parse(environment['DEALWRIGHT_PAGES_LINKS'], linksRule, (text) => ({
      links: JSON.parse(text),
    })),
  ]).map(([logo, links]) =>
    createPages({ ...(name !== undefined && { name }), ...logo, ...links }),
  );
}

/** What a setting says, if the pages could show it; else its rule. */
function parse(
  text: string | undefined,
  rule: string,
  read: (text: string) => PagesOptions,
): Result<PagesOptions, string> {
  if (text === undefined) return ok({});
  try {
    const options = read(text);
    createPages(options);
    return ok(options);
  } catch {
    return err(rule);
  }
}
