import { createFetchHandler } from 'dealwright/http';
import { createTourService } from './tour-service.js';

// biome-ignore lint/style/noDefaultExport: it is what the runtime looks for
export default { fetch: createFetchHandler(createTourService()) };
