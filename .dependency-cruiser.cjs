// The arrows of docs/map.md. A path that breaks one fails `npm run check`.
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

/** What reaches stores, devices and programs. Others know their ports. */
const adapters = '^(infra/adapters/|packages/(eventstore-node/|sandbox/src/index))';

/** Of a package, what its `exports` name: `./transfer` is `src/transfer.ts` or `src/transfer/index.ts`. */
const packageEntries = readdirSync(join(__dirname, 'packages')).flatMap((name) => {
  const { exports } = JSON.parse(readFileSync(join(__dirname, 'packages', name, 'package.json'), 'utf8'));
  return Object.keys(exports)
    .filter((key) => !key.endsWith('.json'))
    .map((key) => (key === '.' ? 'index' : key.slice('./'.length)))
    .map((entry) => (existsSync(join(__dirname, 'packages', name, 'src', `${entry}.ts`)) ? entry : `${entry}/index`))
    .map((entry) => `^packages/${name}/src/${entry}\\.ts$`);
});

// Who may wire adapters: entry points, which run, and what they are composed of. Contexts open their own on the sides that need them.
const composes = [
  'main\\.ts$',
  '/composition/',
  '^(commands|projections|read-api)/[^/]+/context\\.ts$',
  '^commands/[^/]+/processes\\.ts$',
];
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule('no-cycles', 'A cycle has no first reader.', {}, { circular: true }),
    rule(
      'domain-is-pure',
      'domain imports fp-ts, io-ts and itself.',
      { path: '^domain/', pathNot: '^domain/editor/text/' },
      { pathNot: ['^domain/', 'node_modules/(fp-ts|io-ts)/'] },
    ),
    rule(
      'texts-merge',
      'Texts that many type in are yjs, and nothing else of the domain is.',
      { path: '^domain/editor/text/' },
      { pathNot: ['^domain/editor/(text|ids|limits)', '^domain/kernel/', 'node_modules/yjs/'] },
    ),
    rule(
      'contexts-meet-in-events',
      "Across contexts only another context's events, and only from a process.",
      { path: '^domain/(?!kernel/)([^/]+)/', pathNot: '/process\\.ts$' },
      // The list of contexts holds their manifests, which are plain data.
      { path: '^domain/(?!kernel/)', pathNot: ['^domain/$1/', '^domain/contexts\\.ts$'] },
    ),
    rule(
      'processes-read-events',
      'A process knows other contexts by their events only.',
      { path: '^domain/(?!kernel/)([^/]+)/.+/process\\.ts$' },
      { path: '^domain/(?!kernel/)', pathNot: ['^domain/$1/', '/events\\.ts$'] },
    ),
    rule(
      'commands-reach',
      'commands -> domain, infra/ports, infra/server, and packages.',
      { path: '^commands/', pathNot: composes },
      { path: '^infra/(?!(ports|server)/)' },
    ),
    rule(
      'contexts-decide-alone',
      "No context imports another's commands: what several need is the kernel's.",
      { path: '^commands/(?!kernel/|composition/)([^/]+)/' },
      { path: '^commands/[^/]+/', pathNot: ['^commands/(kernel|composition|$1)/'] },
    ),
    rule(
      'commands-never-read',
      'The write side knows no read model.',
      { path: '^commands/' },
      { path: '^(projections|read-api)/' },
    ),
    rule(
      'queries-never-command',
      'The query side knows nothing of the write side: what both need is of the domain or of infra.',
      { path: '^read-api/' },
      { path: '^commands/' },
    ),
    rule(
      'projections-stand-between',
      'What projects knows neither who writes nor who reads.',
      { path: '^projections/' },
      { path: '^(commands|read-api)/' },
    ),
    rule(
      'infra-knows-no-side',
      'What all sides use knows none of them.',
      { path: '^infra/' },
      { path: '^(commands|projections|read-api)/' },
    ),
    rule(
      'projections-reach',
      'projections -> domain events and the words they are made of, kernel, infra/ports, infra/server, how places are ranked and open, the statuses of runs, what chunks of files are, where videos lie, documents of access policies, and authorization decisions.',
      { path: '^projections/', pathNot: composes },
      {
        path: '^(domain|infra|packages)/',
        pathNot: [
          '^domain/kernel/',
          '^domain/.+/(events|ids|roles|scopes|jwk|[a-z-]+-id)\\.ts$',
          '^domain/identity/(protocol/|(incident/steps|policy/document|detection/rule-names)\\.ts$)',
          '^domain/workflow/(limits|run/status)\\.ts$',
          '^domain/geo/(geometry/|hours/|ranking/|place/(place|opening-hours)\\.ts$|import/field-mapping\\.ts$)',
          '^domain/video/(keys|limits|moderation-reason)\\.ts$',
          '^domain/files/(pipeline\\.ts$|access/labels\\.ts$|content/)',
          '^infra/(ports|server)/',
        ],
      },
    ),
    rule(
      'only-commands-decide',
      'Projections and queries accept every fact; only audits fold as the rules do.',
      {
        path: '^(projections|read-api|infra/server/(documents|workflow|video))/',
        pathNot: '^projections/composition/aggregates\\.ts$',
      },
      { path: ['/decider\\.ts$', '^domain/[^/]+/aggregates\\.ts$', '^domain/aggregates\\.ts$'] },
    ),
    rule(
      'pages-stand-alone',
      'What runs in a browser imports itself, and of ours only what others install.',
      { path: '^read-api/web/' },
      {
        path: '^(domain|commands|projections|read-api|infra|packages)/',
        pathNot: ['^read-api/web/', '^packages/(client|editor-engine)/'],
      },
    ),
    rule(
      'read-api-reach',
      'read-api -> views, infra/ports, infra/server; of domain only the kernel codecs, scopes, authorization decisions and their detection, the access policy, which it explains, what scenes are made of, how places are found, the statuses of runs, who may see which files, who may play which videos, where these lie, how their processing goes, and what their views add up to.',
      { path: '^read-api/', pathNot: [...composes, '^read-api/web/'] },
      {
        path: '^(domain|projections|infra|packages)/',
        pathNot: [
          '^domain/kernel/(codec|ids|persistent-map|rejection)\\.ts$',
          '^domain/identity/((ids|scopes|client/built-in-names|incident/steps)\\.ts$|(protocol|detection|policy)/)',
          '^domain/editor/((ids|roles|limits|operation|outcome|schemas)\\.ts$|operation-log/events\\.ts$|(protocol|scene|reducer|text|snapshot|components)/)',
          '^domain/workflow/(ids|limits|run/status)\\.ts$',
          '^domain/geo/(ids\\.ts$|geometry/|hours/|ranking/|protocol/|place/(place|opening-hours)\\.ts$)',
          '^domain/files/((ids|roles|pipeline|limits)\\.ts$|content/|access/|file/|ingestion/|deletion/|storage/|run-stages-on-ingestion/)',
          '^domain/webhooks/ids\\.ts$',
          '^domain/video/((ids|limits|keys|moderation-reason)\\.ts$|access/|views/(events|guest)\\.ts$|(video|encoding|blocklist|sidecars)/(state|events|steps)\\.ts$|run-steps-on-video/|encode-groups-on-planned/)',
          '^projections/.+/view\\.ts$',
          '^projections/kernel/view\\.ts$',
          '^infra/(ports|server)/',
        ],
      },
    ),
    rule(
      'adapters-know-no-decisions',
      "A port speaks of a context by ids, limits and what events and messages carry; an adapter knows no more, and none of a context's rules.",
      { path: '^infra/(ports|adapters)/' },
      {
        path: '^domain/(?!kernel/)',
        pathNot: [
          '^domain/contexts\\.ts$',
          '/(ids|limits|events|dispatch-inputs|concurrency-group)\\.ts$',
          '^domain/[^/]+/protocol/',
        ],
      },
    ),
    rule(
      'server-knows-no-context',
      'What every process is built on serves every context; only revocations are of identity, documents of the editor, runs and logs of workflows, access to files, and uploads of videos.',
      { path: '^infra/server/(?!security-state/|documents/|workflow/|files/|video/)' },
      { path: '^domain/(?!kernel/|contexts\\.ts$)' },
    ),
    rule(
      'adapters-serve',
      'Adapters are made of ports and of what every process is built on.',
      { path: '^infra/adapters/' },
      { path: '^infra/', pathNot: '^infra/(adapters|ports|server)/' },
    ),
    rule(
      'server-is-below',
      'What every process is built on knows no process.',
      { path: '^infra/(server|ports)/' },
      { path: '^infra/(gateway|ratelimit|operate)/' },
    ),
    rule(
      'documents-reach',
      'What both sides read of documents is made of the rules of the editor and of ports.',
      { path: '^infra/server/documents/' },
      {
        path: '^(domain|infra|packages)/',
        pathNot: ['^domain/(kernel|editor)/', '^infra/(ports|server)/'],
      },
    ),
    rule(
      'documents-are-of-the-editor',
      'No other context reads documents.',
      { path: '^(commands|projections|read-api|infra)/(?!editor/|server/documents/)' },
      { path: '^infra/server/documents/' },
    ),
    rule(
      'workflow-reach',
      'What both sides read of workflows is made of the rules of workflows and of ports.',
      { path: '^infra/server/workflow/' },
      {
        path: '^(domain|infra|packages)/',
        pathNot: ['^domain/(kernel|workflow)/', '^infra/(ports|server)/'],
      },
    ),
    rule(
      'runs-are-of-workflows',
      'No other context reads runs and logs.',
      { path: '^(commands|projections|read-api|infra)/(?!workflow/|server/workflow/)' },
      { path: '^infra/server/workflow/' },
    ),
    rule(
      'gateway-reach',
      'The gateway and what it knows of revocations may use pure functions of identity and ratelimit.',
      { path: '^infra/(gateway|server/security-state)/' },
      { path: '^domain/(?!kernel|contexts|identity|ratelimit)' },
    ),
    rule(
      'adapters-only-in-composition',
      'Only entry points, composition files, infra/operate and tests wire adapters.',
      {
        path: '^(domain|commands|projections|read-api|infra)/',
        pathNot: [...composes, '^infra/operate/', adapters],
      },
      { path: adapters },
    ),
    rule(
      'ports-are-types',
      'infra/ports holds types only.',
      { path: '^infra/ports/' },
      { dependencyTypesNot: ['type-only'], pathNot: '^infra/ports/' },
    ),
    rule(
      'packages-by-their-entries',
      'What stands alone is used as others use it.',
      { path: '^(domain|commands|projections|read-api|infra)/' },
      { path: '^packages/', pathNot: packageEntries },
    ),
    rule(
      'packages-know-entries-of-packages',
      'A package knows another one as others do.',
      { path: '^packages/([^/]+)/' },
      { path: '^packages/', pathNot: ['^packages/$1/', ...packageEntries] },
    ),
    rule(
      'tests-of-packages-are-public',
      "A package's own tests show what others can do with it.",
      { path: '^packages/([^/]+)/tests/' },
      { path: '^packages/', pathNot: ['^packages/$1/tests/', ...packageEntries] },
    ),
    rule(
      'packages-stand-alone',
      'What others install imports nothing of the project.',
      {
        path: '^packages/',
        pathNot: ['^packages/(editor-engine|file-readers|runner|sandbox)/src/', '^packages/[^/]+/tests/'],
      },
      { path: '^(domain|commands|projections|read-api|infra|tools|tests)/' },
    ),
    rule(
      'tests-of-packages-stand-alone',
      "A package's own tests import nothing of the project but how they declare what a machine may lack.",
      { path: '^packages/[^/]+/tests/' },
      {
        path: '^(domain|commands|projections|read-api|infra|tools|tests)/',
        pathNot: '^tests/support/runner/prerequisites\\.ts$',
      },
    ),
    rule(
      'editor-engine-carries-its-rules',
      'What edits documents has the rules that their owner has, and nothing else of the project.',
      { path: '^packages/editor-engine/src/' },
      {
        path: '^(domain|commands|projections|read-api|infra|tools|tests)/',
        pathNot: [
          '^domain/editor/((ids|roles|limits|operation|outcome|schema-versions)\\.ts$|(protocol|scene|reducer|text|snapshot)/)',
          '^domain/kernel/codec\\.ts$',
        ],
      },
    ),
    rule(
      'runner-carries-its-sandbox',
      "The runner bundles the protocol's codecs, so that both ends decode alike.",
      { path: '^packages/runner/src/' },
      {
        path: '^(domain|commands|projections|read-api|infra|tools|tests)/',
        pathNot: [
          '^domain/kernel/(codec|rejection)\\.ts$',
          '^domain/workflow/((ids|limits)\\.ts$|protocol/|(run|runner|artifact|organization)/events\\.ts$)',
        ],
      },
    ),
    rule(
      'readers-know-what-they-answer',
      'Readers of files know the form of passages, and nothing else of the project.',
      { path: '^packages/file-readers/src/' },
      {
        path: '^(domain|commands|projections|read-api|infra|tools|tests)/',
        pathNot: ['^domain/files/content/', '^domain/kernel/codec\\.ts$'],
      },
    ),
    rule(
      'sandbox-stands-alone',
      'The sandbox knows how faults are answered, and nothing else of the project.',
      { path: '^packages/sandbox/src/' },
      { path: '^(domain|commands|projections|read-api|infra|tools|tests)/', pathNot: '^domain/kernel/rejection\\.ts$' },
    ),
    rule(
      'client-runs-anywhere',
      'What runs in browsers and Node imports neither.',
      { path: '^packages/client/src/' },
      { pathNot: ['^packages/client/src/', 'node_modules/eventsource-parser/'] },
    ),
    rule(
      'verifier-is-standalone',
      'What guards resources is of Node, and parses one stream.',
      { path: '^packages/resource-server/src/' },
      {
        pathNot: ['^packages/resource-server/src/', '^(crypto|buffer|http|timers)', 'node_modules/eventsource-parser/'],
      },
    ),
    rule(
      'tools-know-entries-of-packages',
      'Tools use packages as others do; only the generator of the client knows what it writes for.',
      { path: '^tools/' },
      { path: '^packages/', pathNot: [...packageEntries, '^packages/client/src/(operation|shape)\\.ts$'] },
    ),
    rule(
      'nothing-from-tools',
      'What ships is not made of what makes it.',
      { pathNot: '^(tools|tests)/' },
      { path: '^tools/' },
    ),
    rule('nothing-from-tests', 'Tests are leaves.', { pathNot: '^(tests|packages/[^/]+/tests)/' }, { path: '^tests/' }),
    rule(
      'no-dev-dependencies',
      'What ships installs without dev dependencies.',
      { pathNot: '^(tests|tools|packages)/' },
      { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/@types/' },
    ),
    rule(
      'resolvable',
      'Every import is found, but of packages that are installed at their first use.',
      { pathNot: '^(tests/(faults/(libraries/node|third-party)/|bench/.+\\.rival\\.ts$)|tools/load-places/)' },
      { couldNotResolve: true },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/[^/]+/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
