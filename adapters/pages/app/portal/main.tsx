import { mount } from '../base/shell.js';
import { guardUploads } from '../base/uploads.js';
import { Portal, Sections } from './portal.js';

guardUploads();
mount(<Portal />, <Sections />);
