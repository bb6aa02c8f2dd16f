/** @type {import('next').NextConfig} */
const config = {
  // paths of the interface end with a slash: Next would redirect them
  skipTrailingSlashRedirect: true,
  // functions of the pages router are below /api
  rewrites: async () => [{ source: '/deals/:path*', destination: '/api/deals/:path*' }],
  webpack: (options) => ({
    ...options,
    experiments: { ...options.experiments, topLevelAwait: true },
  }),
};

// biome-ignore lint/style/noDefaultExport: Next asks for it
export default config;
