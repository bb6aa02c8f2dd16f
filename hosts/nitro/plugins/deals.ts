// start now, not with the first request: due work must not wait for one
import '../deals.ts';

// biome-ignore lint/style/noDefaultExport: Nitro asks for it
export default () => {};
