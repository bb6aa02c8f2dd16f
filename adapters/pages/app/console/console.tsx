import { Nav } from '../base/nav.js';
import { route } from '../base/route.js';
import { SignIn } from '../base/session.js';
import { session } from './api.js';
import { DealScreen } from './deal.js';
import { Deals } from './deals.js';
import { Failing } from './failing.js';
import { PartnerScreen } from './partner.js';
import { Partners } from './partners.js';
import { Today } from './today.js';
import { WebhookScreen } from './webhook.js';
import { words } from './words.js';

export const Sections = () => <Nav of={words().nav} session={session} />;

/** The screen that the address names. */
export function Console() {
  if (session.isOut.value) return <SignIn session={session} />;
  const { path, query } = route.value;
  const [section, partner, part, id] = path;
  const key = `${path} ${query}`;
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
    default:
      return <Today key={key} />;
  }
}
