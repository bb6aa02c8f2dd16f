import { Button } from './components.js';
import { hrefOf, route } from './route.js';
import { words } from './screen-words.js';
import type { Session } from './session.js';

/** The sections of a page by their names, the first one first, and the way out. */
export function Nav(props: {
  readonly of: Readonly<Record<string, string>>;
  readonly session: Session;
}) {
  const { of, session } = props;
  const { sections, signIn } = words();
  if (session.isOut.value) return null;
  const names = Object.entries(of);
  const now = route.value.path[0] ?? names[0]?.[0];
  return (
    <nav class="row" aria-label={sections}>
      {names.map(([each, name]) => (
        <a key={each} href={hrefOf([each])} {...(now === each && { 'aria-current': 'page' })}>
          {name}
        </a>
      ))}
      {session.hasToken() && (
        <Button kind="quiet" onClick={session.leave}>
          {signIn.out}
        </Button>
      )}
    </nav>
  );
}
