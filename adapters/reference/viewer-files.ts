/**
 * The places of the files of Swagger UI: beside this module, where the build puts them. Each name
 * is written out in this very form, because bundlers search for it and copy the files that it
 * names. Nothing is evaluated before the call: some bundlers leave no `import.meta.url`.
 */
export const viewerFiles = {
  'swagger-ui-bundle.js': () => new URL('./swagger-ui/swagger-ui-bundle.js', import.meta.url),
  'swagger-ui.css': () => new URL('./swagger-ui/swagger-ui.css', import.meta.url),
  LICENSE: () => new URL('./swagger-ui/LICENSE', import.meta.url),
  NOTICE: () => new URL('./swagger-ui/NOTICE', import.meta.url),
};
