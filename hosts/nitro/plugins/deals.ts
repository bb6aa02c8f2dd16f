// from the start, and not from the first request: what is due waits for nobody
import '../deals.ts';

// biome-ignore lint/style/noDefaultExport: Nitro asks for it
export default () => {};
