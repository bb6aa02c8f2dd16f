import { mountInWebStandard } from '../../../examples/mount/web-standard.js';
import { createTourService } from './tour-service.js';

// biome-ignore lint/style/noDefaultExport: it is what the runtime looks for
export default mountInWebStandard(createTourService());
