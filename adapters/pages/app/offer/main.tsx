import { mount } from '../base/shell.js';
import { guardUploads } from '../base/uploads.js';
import { load, offer } from './deal.js';
import { OfferPage } from './page.js';
import { followLinks } from './token.js';

followLinks();
guardUploads();
mount(<OfferPage />);
void load();

// somebody may have acted while the page was not looked at
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && offer.value !== undefined) void load();
});
