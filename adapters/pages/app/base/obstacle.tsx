import { Button } from './components.js';
import { words } from './failure.js';
import { Heading } from './shell.js';

/** A screen that cannot be shown: why, and the ways on. */
export function Obstacle(props: {
  readonly title?: string;
  readonly failure: { readonly message: string };
  readonly retry?: () => unknown;
  readonly back?: readonly [href: string, name: string];
}) {
  const { title, failure, retry, back } = props;
  const of = words();
  return (
    <section class="card obstacle">
      <Heading>{title ?? of.cannotShow}</Heading>
      <p role="alert">{failure.message}</p>
      <div class="actions">
        {retry !== undefined && (
          <Button kind="main" onClick={retry}>
            {of.retry}
          </Button>
        )}
        {back !== undefined && <a href={back[0]}>{back[1]}</a>}
      </div>
    </section>
  );
}
