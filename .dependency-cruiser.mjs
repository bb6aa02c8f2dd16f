/** The parts of the core, as patterns; the rules below say what each may import. */
const domain = '^src/domain/';
const ports = '^src/ports/';
const usecases = '^src/usecases/';
const relay = '^src/relay/';
const api = '^src/api/';
/** The executable specification, by path and by public name. */
const spec = '^(spec/|dist/spec/|dealwright/(spec|testing)$)';
const tests = '^(test|bench|examples)/';

/**
 * Rules for the rooms of a folder, each of which may import those before it.
 *
 * @param {string} name
 * @param {string} folder
 * @param {readonly string[]} rooms
 */
const downwards = (name, folder, rooms) =>
  rooms.map((room, at) => ({
    name,
    severity: 'error',
    from: { path: `^${folder}/${room}/` },
    to: {
      path: `^${folder}/(${[...rooms.slice(at + 1).map((each) => `${each}/`), '[^/]+$'].join('|')})`,
    },
  }));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'domain-imports-domain-only',
      comment: 'The rules of the domain know no port and no use case, not even their types.',
      severity: 'error',
      from: { path: domain },
      to: { path: '^(src|adapters)/', pathNot: domain },
    },
    {
      name: 'ports-import-domain-only',
      comment: 'A port speaks in terms of the domain.',
      severity: 'error',
      from: { path: ports },
      to: { path: '^(src|adapters)/', pathNot: [domain, ports] },
    },
    {
      name: 'usecases-import-domain-and-ports',
      comment: 'A use case sees the domain, the ports and the driving interface it implements.',
      severity: 'error',
      from: { path: usecases },
      to: { path: '^(src|adapters)/', pathNot: [domain, ports, usecases, api] },
    },
    {
      name: 'relay-imports-use-cases',
      comment: 'A relay sees what a use case sees, and what use cases share with it.',
      severity: 'error',
      from: { path: relay },
      to: { path: '^(src|adapters)/', pathNot: [domain, ports, usecases, relay] },
    },
    {
      name: 'api-is-types-for-usecases',
      comment: 'The driving interface is a type: no use case runs anything of it.',
      severity: 'error',
      from: { path: usecases },
      to: { path: api, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'api-imports-domain-only',
      severity: 'error',
      from: { path: api },
      to: { path: '^(src|adapters)/', pathNot: [domain, api] },
    },
    {
      name: 'strict-imports-domain-only',
      comment: 'The strict profile is rules and tables.',
      severity: 'error',
      from: { path: '^src/strict/' },
      to: { path: '^(src|adapters)/', pathNot: [domain, '^src/strict/'] },
    },
    {
      name: 'fields-import-domain-only',
      comment: 'What describes the rules reads nothing but the rules.',
      severity: 'error',
      from: { path: '^src/fields/' },
      to: { path: '^(src|adapters)/', pathNot: [domain, '^src/fields/'] },
    },
    {
      name: 'core-imports-no-adapter',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(adapters/|dist/adapters/|dealwright/)' },
    },
    {
      name: 'core-packages',
      comment: 'The core stands on neverthrow and valibot alone.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/strict/' },
      to: {
        dependencyTypesNot: ['local'],
        pathNot: ['(^|/)node_modules/(neverthrow|valibot)/', '^(src|adapters|dist|dealwright)/'],
      },
    },
    {
      name: 'strict-packages',
      severity: 'error',
      from: { path: '^src/strict/' },
      to: {
        dependencyTypesNot: ['local'],
        pathNot: ['^node_modules/(neverthrow|valibot|ibantools)/', '^src/'],
      },
    },
    {
      name: 'spec-packages',
      comment:
        'What judges a server listens for its webhooks, reads the cases of the package, and has the client by its public name.',
      severity: 'error',
      from: { path: '^spec/', pathNot: '^spec/(verify/(receiver|typed)|wire/case-files)\\.ts$' },
      to: {
        dependencyTypesNot: ['local'],
        pathNot: ['(^|/)node_modules/(neverthrow|fast-check)/', '^src/'],
      },
    },
    {
      name: 'production-never-imports-the-spec',
      comment:
        'A test-only export that production reaches has crashed others. One command judges servers.',
      severity: 'error',
      from: { pathNot: ['^spec/', tests, '^adapters/cli/verify-command\\.ts$'] },
      to: { path: spec },
    },
    {
      name: 'adapters-import-the-core-by-name',
      comment: "An adapter uses the core's public names: that proves that a third party can.",
      severity: 'error',
      from: { path: '^adapters/' },
      to: { path: '^src/' },
    },
    {
      name: 'adapters-import-no-other-adapter',
      comment: 'What adapters have in common is not an adapter: it has no entry point.',
      severity: 'error',
      from: { path: '^adapters/([^/]+)/' },
      to: { path: '^adapters/', pathNot: '^adapters/($1|sql|shared)/' },
    },
    {
      name: 'sql-is-for-databases',
      severity: 'error',
      from: { path: '^adapters/', pathNot: '^adapters/(sql|sqlite|postgres)/' },
      to: { path: '^adapters/sql/' },
    },
    {
      name: 'shared-code-imports-no-adapter',
      severity: 'error',
      from: { path: '^adapters/(sql|shared)/' },
      to: { path: '^adapters/', pathNot: '^adapters/($1|shared)/' },
    },
    {
      name: 'adapters-name-no-other-adapter',
      comment:
        'Only the command line and the whole back end, which wire them, name other adapters.',
      severity: 'error',
      from: { path: '^adapters/', pathNot: '^adapters/(cli|host|http|pages/app)/' },
      to: {
        path: [
          '^dist/adapters/',
          '^dealwright/(memory|key-value|system|tokens|auth|categories|files|s3|http|node|client|pages|reference|gateway|http-store|sqlite|postgres|archive|webhooks|mail)$',
        ],
      },
    },
    {
      name: 'http-names-its-own-entry-points-only',
      comment: 'One adapter, four entry points: handler, Node listener, client, gateway, store.',
      severity: 'error',
      from: { path: '^adapters/http/' },
      to: {
        path: [
          '^dist/adapters/(?!http/)',
          '^dealwright/(memory|key-value|system|tokens|auth|categories|files|s3|pages|reference|webhooks|mail)$',
        ],
      },
    },
    {
      name: 'pages-use-public-clients',
      comment:
        'A page can do what any client can: what it needs beyond that is a missing operation.',
      severity: 'error',
      from: { path: '^adapters/pages/app/' },
      to: {
        path: ['^dist/', '^dealwright'],
        pathNot: '^(dist/(src|adapters/http/client)/index|dealwright(/client)?$)',
      },
    },
    ...downwards('domain-rooms-import-downwards', 'src/domain', [
      ...['values', 'input', 'records', 'deals', 'payments', 'terms', 'life', 'events'],
    ]),
    ...downwards('postgres-rooms-import-downwards', 'adapters/postgres', [
      ...['connection', 'functions', 'read', 'write', 'schema', 'cluster'],
    ]),
    {
      name: 'no-development-package',
      comment:
        'What is shipped needs what package.json says that it needs; the command line and the pages bring their own.',
      severity: 'error',
      from: { path: '^(src|adapters)/', pathNot: '^adapters/(cli|pages/app)/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-bundled'],
        dependencyTypesNot: ['npm-peer'],
      },
    },
    {
      name: 'no-cycle',
      comment: 'Types included: two modules that name each other are one thought in two files.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^dealwright(/|$)' },
    },
  ],
  options: {
    doNotFollow: { path: ['(^|/)node_modules/', '^dist/'] },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.d.ts'],
    },
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
