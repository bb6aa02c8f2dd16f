import { mount } from '../base/shell.js';
import { guardUploads } from '../base/uploads.js';
import { Nav, Portal } from './portal.js';

guardUploads();
mount(<Portal />, <Nav />);
