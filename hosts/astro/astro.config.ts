import node from '@astrojs/node';
import { defineConfig } from 'astro/config';

// biome-ignore lint/style/noDefaultExport: Astro asks for it
export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  server: { host: '127.0.0.1', port: 3000 },
  // it would answer 403 to every upload by a program: see src/middleware.ts
  security: { checkOrigin: false },
});
