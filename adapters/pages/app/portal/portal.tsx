import { Button } from '../base/components.js';
import { hrefOf, route } from '../base/route.js';
import { SignIn } from '../base/session.js';
import { session } from './api.js';
import { Create } from './create.js';
import { DealScreen } from './deal.js';
import { Deals } from './deals.js';
import { Feed } from './feed.js';
import { WebhookScreen } from './webhook.js';
import { Secret, Webhooks } from './webhooks.js';
import { words } from './words.js';

/** The sections of the portal, and the way out. */
export function Nav() {
  const { sections, signIn, nav } = words();
  if (session.isOut.value) return null;
  const [now = 'deals'] = route.value.path;
  return (
    <nav class="row" aria-label={sections}>
      {(['deals', 'webhooks', 'feed'] as const).map((each) => (
        <a key={each} href={hrefOf([each])} {...(now === each && { 'aria-current': 'page' })}>
          {nav[each]}
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

/** The screen that the address names. */
export function Portal() {
  if (session.isOut.value) return <SignIn session={session} />;
  return (
    <>
      <Screen />
      <Secret />
    </>
  );
}

function Screen() {
  const { path, query } = route.value;
  const [section, id] = path;
  if (section === 'new') return <Create />;
  if (section === 'feed') return <Feed key={`${query}`} />;
  if (section === 'webhooks') {
    return id === undefined ? <Webhooks /> : <WebhookScreen key={id} id={id} />;
  }
  return section === 'deals' && id !== undefined ? (
    <DealScreen key={id} id={id} />
  ) : (
    <Deals key={`${query}`} />
  );
}
