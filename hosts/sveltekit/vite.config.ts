import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

// biome-ignore lint/style/noDefaultExport: Vite asks for it
export default defineConfig({
  plugins: [
    sveltekit({
      adapter: adapter(),
      // it would answer 403 to every upload by a program: see src/hooks.server.ts
      csrf: { trustedOrigins: ['*'] },
    }),
  ],
});
