import { mount } from '../base/shell.js';
import { Console, Sections } from './console.js';

mount(<Console />, <Sections />);
