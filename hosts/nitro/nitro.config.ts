import { cpSync } from 'node:fs';

const viewer = 'node_modules/dealwright/dist/adapters/reference/swagger-ui';

// biome-ignore lint/style/noDefaultExport: Nitro asks for it
export default {
  serverDir: './',
  hooks: {
    // Nitro copies modules, but not the files of the reference page
    compiled: () => cpSync(viewer, `.output/server/${viewer}`, { recursive: true }),
  },
};
