import { cpSync } from 'node:fs';

const viewer = 'node_modules/dealwright/dist/adapters/reference/swagger-ui';

// biome-ignore lint/style/noDefaultExport: Nitro asks for it
export default {
  serverDir: './',
  hooks: {
    // Nitro takes modules along, and leaves the files of the page of reference behind
    compiled: () => cpSync(viewer, `.output/server/${viewer}`, { recursive: true }),
  },
};
