import { mount } from '../base/shell.js';
import { guardUploads } from '../base/uploads.js';
import { OfferPage } from './page.js';
import { followLinks } from './token.js';

followLinks();
guardUploads();
mount(<OfferPage />);
