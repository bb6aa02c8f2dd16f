import { failureOf } from '../base/failure.js';
import { Nav } from '../base/nav.js';
import { Obstacle } from '../base/obstacle.js';
import { hrefOf, route } from '../base/route.js';
import { SignIn } from '../base/session.js';
import { api, session } from './api.js';
import { DealScreen } from './deal.js';
import { Deals } from './deals.js';
import { Failing } from './failing.js';
import { PartnerScreen } from './partner.js';
import { Partners } from './partners.js';
import { Reports } from './reports.js';
import { Today } from './today.js';
import { WebhookScreen } from './webhook.js';
import { words } from './words.js';

export const Sections = () => <Nav of={words().nav} session={session} />;

export function Console() {
  if (session.isOut.value) return <SignIn session={session} />;
  if (!session.isKnown.value) return <p class="loading muted">{words().loading} …</p>;
  const { path, query } = route.value;
  const [section, partner, part, id] = path;
  const key = `${path} ${query}`;
  if (partner !== undefined && !isPartner(partner)) {
    const { nav } = words();
    const failure = failureOf({ code: 'not_found' });
    return <Obstacle failure={failure} back={[hrefOf(['partners']), nav.partners]} />;
  }
  switch (section) {
    case 'deals':
      return partner !== undefined && part !== undefined ? (
        <DealScreen key={key} partner={partner} id={part} />
      ) : (
        <Deals key={key} />
      );
    case 'partners':
      if (partner === undefined) return <Partners key={key} />;
      return part === 'webhooks' && id !== undefined ? (
        <WebhookScreen key={key} partner={partner} id={id} />
      ) : (
        <PartnerScreen key={key} partner={partner} />
      );
    case 'failing':
      return <Failing key={key} />;
    case 'reports':
      return <Reports key={key} />;
    default:
      return <Today key={key} />;
  }
}

/** Whether an address names a partner: the client refuses what cannot be one. */
function isPartner(text: string): boolean {
  try {
    api().partner(text);
    return true;
  } catch {
    return false;
  }
}
