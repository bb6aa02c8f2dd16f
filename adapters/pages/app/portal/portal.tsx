import { Nav } from '../base/nav.js';
import { route } from '../base/route.js';
import { SignIn } from '../base/session.js';
import { session } from './api.js';
import { Create } from './create.js';
import { DealScreen } from './deal.js';
import { Deals } from './deals.js';
import { Feed } from './feed.js';
import { WebhookScreen } from './webhook.js';
import { Secret, Webhooks } from './webhooks.js';
import { words } from './words.js';

export const Sections = () => <Nav of={words().nav} session={session} />;

export function Portal() {
  if (session.isOut.value) return <SignIn session={session} />;
  if (!session.isKnown.value) return <p class="loading muted">{words().loading} …</p>;
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
