import { Button } from './components.js';
import { type Failure, words } from './failure.js';
import { Heading } from './shell.js';

/** A screen that cannot be shown: why, and the ways on. */
export function Obstacle(props: {
  readonly failure: Failure;
  readonly retry: () => unknown;
  readonly back: readonly [href: string, name: string];
}) {
  const { failure, retry, back } = props;
  const [href, name] = back;
  return (
    <section class="card obstacle">
      <Heading>{words().cannotShow}</Heading>
      <p role="alert">{failure.message}</p>
      <div class="actions">
        <Button kind="main" onClick={retry}>
          {words().retry}
        </Button>
        <a href={href}>{name}</a>
      </div>
    </section>
  );
}
