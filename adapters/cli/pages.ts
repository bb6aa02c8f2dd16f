import { createPages, type Pages, type PagesOptions } from 'dealwright/pages';
import { err, ok, Result } from 'neverthrow';

type Given = Readonly<Record<string, string | undefined>>;

/** The pages for people with what the host says of itself. */
export function parsePages(environment: Given): Result<Pages, readonly string[]> {
  const name = environment['DEALWRIGHT_PAGES_NAME'];
  return Result.combineWithAllErrors([
    parseLogo(environment['DEALWRIGHT_PAGES_LOGO']),
    parseLinks(environment['DEALWRIGHT_PAGES_LINKS']),
  ]).map(([logo, links]) =>
    createPages({ ...(name !== undefined && { name }), ...logo, ...links }),
  );
}

function parseLogo(logo: string | undefined): Result<PagesOptions, string> {
  if (logo === undefined) return ok({});
  return isTaken({ logo })
    ? ok({ logo })
    : err(
        'DEALWRIGHT_PAGES_LOGO takes a path of the same host, such as /static/logo.svg, or a data:image/ URL',
      );
}

function parseLinks(text: string | undefined): Result<PagesOptions, string> {
  if (text === undefined) return ok({});
  const links = fromJson(text);
  return isTaken({ links })
    ? ok({ links })
    : err(
        'DEALWRIGHT_PAGES_LINKS takes a list as JSON, such as [{"text":"Help","href":"mailto:help@example.com"}]; a text may be {"en":"Help","pl":"Pomoc"}, and href is an http, https, mailto or tel URL, or a path of the same host',
      );
}

function fromJson(text: string): NonNullable<PagesOptions['links']> {
  try {
    return JSON.parse(text);
  } catch {
    // it is refused as a list of no links is
    return null as never;
  }
}

/** Whether the pages could show it. */
function isTaken(options: PagesOptions): boolean {
  try {
    createPages(options);
    return true;
  } catch {
    return false;
  }
}
