import type { NextConfig } from 'next';

const config: NextConfig = {
  // paths of the interface end with a slash: Next would redirect them
  skipTrailingSlashRedirect: true,
  // its binary part cannot be bundled
  serverExternalPackages: ['libsql'],
};

// biome-ignore lint/style/noDefaultExport: Next asks for it
export default config;
