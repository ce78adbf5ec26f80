// The table "which room may import what", as rules. Each says why, so that whoever trips over one knows what to do.

const CORE = '^src/core/';
const INDEX = '^src/modules/[^/]+/index[.]ts$';
const EVENTS = '^src/modules/[^/]+/events[.]ts$';
const CONTRACTS = '^workflows/[^/]+/contract[.]ts$';
const QUERIES = '^projections/[^/]+/queries[.]ts$';
const OURS = '^(src|workflows|projections|scripts|test|bench)/';

const ROUTES = '^src/modules/[^/]+/[^/]*routes[.]ts$';
/** Files of a workflow's room that run in the workflow itself; its activities run beside it. */
const DEFINITIONS = '^workflows/[^/]+/(?![^/]*activities)[^/]+[.]ts$';

/**
 * The folders of a room from the ground up: one imports those of earlier lines only, so none goes in a circle. Who adds a
 * folder gives it its place here.
 */
const ARROWS = {
  'src/modules': [
    ['deployment', 'organizations', 'accounts'],
    ['members', 'api-keys'],
    ['suppliers'],
    ['products'],
    ['batches'],
    ['passports'],
    ['publishing'],
    ['proposals', 'imports'],
    ['file-imports', 'factory-portal', 'webhooks', 'personal-data'],
  ],
  'src/pages': [
    ['texts'],
    ['names', 'design'],
    ['accounts', 'consumer', 'error', 'factory-form', 'join', 'mails', 'qr', 'reference', 'supplier'],
    ['team'],
  ],
  'src/infrastructure': [
    ['postgres'],
    ['private-texts'],
    ['event-store'],
    ['identity-provider', 'spreadsheets', 'temporal', 'webhook-sender'],
  ],
  'src/embedded': [['event-store', 'mail-inbox', 'postgres', 'temporal'], ['supervisor']],
};

/** Rooms whose folders have nothing to do with each other. */
const APART = '^(workflows|projections|bench|scripts|src/(?:cli|core|http|reference-data|score))/';

const arrows = Object.entries(ARROWS).flatMap(([room, levels]) => [
  ...levels.flatMap((level, height) =>
    level.map((folder) => ({
      name: `arrows-go-down-from-${room}/${folder}`,
      comment: 'What happens below because of something above happens by event, or by a function that is handed in.',
      severity: 'error',
      from: { path: `^${room}/${folder}/` },
      to: {
        path: `^${room}/[^/]+/`,
        pathNot: `^${room}/(${[folder, ...levels.slice(0, height).flat()].join('|')})/`,
      },
    })),
  ),
  {
    name: `every-folder-has-its-place-in-${room}`,
    comment: 'A folder that is not in the list of arrows could go in a circle.',
    severity: 'error',
    from: { path: `^${room}/[^/]+/`, pathNot: `^${room}/(${levels.flat().join('|')})/` },
    to: {},
  },
]);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...arrows,
    {
      name: 'folders-apart-stay-apart',
      comment: 'What two workflows or two read models have in common stands beside their folders.',
      severity: 'error',
      from: { path: `${APART}([^/]+)/` },
      to: { path: '^$1/[^/]+/', pathNot: '^$1/$2/' },
    },
    {
      name: 'a-module-lends-one-file',
      comment: 'index.ts holds the queries, commands and types that others may use; the rest is its own business.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/', pathNot: [INDEX, '^src/modules/$1/'] },
    },
    {
      name: 'nobody-asks-its-own-index',
      comment: 'index.ts is for others; who is inside and asks it goes in a circle.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/$1/index[.]ts$' },
    },
    {
      name: 'modules-are-used-by-their-index',
      comment: 'Programs, activities and tools use what a module lends, like another module.',
      severity: 'error',
      from: {
        path: '^(src|workflows|projections|bench|scripts)/',
        pathNot: ['^src/modules/', '^src/(app|private-fields)[.]ts$', '^projections/[^/]+/', DEFINITIONS],
      },
      to: { path: '^src/modules/', pathNot: INDEX },
    },
    {
      name: 'app-puts-routes-together',
      comment: "The app takes each module's routes, and hands to them what they need of rooms above.",
      severity: 'error',
      from: { path: '^src/app[.]ts$' },
      to: { path: '^src/modules/', pathNot: [INDEX, ROUTES] },
    },
    {
      name: 'facts-are-read-as-events',
      comment: 'Read models, workflows and the list of private texts know facts, which are pure; nobody is asked.',
      severity: 'error',
      from: { path: ['^src/private-fields[.]ts$', '^projections/[^/]+/', DEFINITIONS] },
      to: { path: '^src/modules/', pathNot: EVENTS },
    },
    {
      name: 'http-knows-no-module',
      comment: 'What every route has in common is used by the modules; the app above both puts them together.',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: '^src/(modules/|app[.]ts$)' },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or hide a third.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that does not exist fails only when somebody runs it.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-development-packages',
      comment: 'The three programs run in production, where development packages are not installed.',
      severity: 'error',
      from: { path: '^(src|workflows|projections)/', pathNot: '^src/embedded/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '^node_modules/@types/' },
    },
    {
      name: 'core-stands-alone',
      comment: 'The words of the pattern are used by every room, so they know none of them.',
      severity: 'error',
      from: { path: CORE },
      to: { path: OURS, pathNot: CORE },
    },
    {
      name: 'deciders-are-pure',
      comment: 'Events and deciders are the rules of the business: no clock, no client library, no other room.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/(events|decider)[.]ts$' },
      to: { path: OURS, pathNot: [CORE, INDEX, '^src/modules/$1/'] },
    },
    {
      name: 'deciders-know-types-of-others',
      comment: "What a module lends runs with its clients; a rule takes over the types of another's facts, no more.",
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/(events|decider)[.]ts$' },
      to: { path: INDEX, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'deciders-use-no-library',
      comment: 'Time, ids and outside facts come in with the command.',
      severity: 'error',
      from: { path: '^src/modules/[^/]+/(events|decider)[.]ts$' },
      // util compares values, no more.
      to: { dependencyTypes: ['npm', 'core'], pathNot: '^util$' },
    },
    {
      name: 'handlers-know-no-http',
      comment: 'A handler is called by routes and by activities alike.',
      severity: 'error',
      from: { path: '^src/modules/[^/]+/handlers[.]ts$' },
      to: { path: ['^src/http/', '^src/embedded/', '^node_modules/fastify/'] },
    },
    {
      name: 'handlers-read-through-queries',
      comment: 'queries.ts is the only file that knows the columns of a read model.',
      severity: 'error',
      from: { path: '^src/modules/' },
      to: { path: '^projections/[^/]+/', pathNot: QUERIES },
    },
    {
      name: 'workflows-are-reached-by-contract',
      comment: 'contract.ts holds the id, the input, the updates and the queries; the rest runs in the worker.',
      severity: 'error',
      from: { path: '^(src|projections)/', pathNot: '^src/embedded/' },
      to: { path: '^workflows/', pathNot: [CONTRACTS, '^workflows/task-queues[.]ts$'] },
    },
    {
      name: 'projections-read-events-only',
      comment: 'A projection turns events into columns; it asks nobody and refuses nothing.',
      severity: 'error',
      from: { path: '^projections/[^/]+/projection[.]ts$' },
      to: { path: OURS, pathNot: [CORE, EVENTS, '^projections/'] },
    },
    {
      name: 'workflows-stay-deterministic',
      comment: 'What a workflow imports is replayed: events, contracts and tables only; activities by type.',
      severity: 'error',
      from: { path: '^workflows/([^/]+)/workflow[.]ts$' },
      to: {
        path: OURS,
        pathNot: [CORE, EVENTS, CONTRACTS, '^workflows/$1/(?!activities)', '^workflows/task-queues[.]ts$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'workflows-use-the-sandbox-only',
      comment: "zod, Node's own modules and clients do not exist in a workflow's sandbox.",
      severity: 'error',
      from: { path: DEFINITIONS },
      to: {
        dependencyTypes: ['npm', 'core'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^node_modules/@temporalio/(workflow|common)/',
      },
    },
    {
      name: 'activities-call-handlers',
      comment:
        'An activity does what a route would do: through handlers, infrastructure and queries, never through HTTP.',
      severity: 'error',
      from: { path: '^workflows/[^/]+/activities[.]ts$' },
      to: { path: ['^src/http/', '^src/embedded/'] },
    },
    {
      name: 'score-is-a-calculation',
      comment: 'The score is computed again years later from its inputs: it knows the factor tables and nothing else.',
      severity: 'error',
      from: { path: '^src/score/' },
      to: { path: OURS, pathNot: ['^src/score/', CORE, '^src/reference-data/'] },
    },
    {
      name: 'reference-data-stands-alone',
      comment: 'Loaders of tables know the tables.',
      severity: 'error',
      from: { path: '^src/reference-data/' },
      to: { path: OURS, pathNot: ['^src/reference-data/', CORE] },
    },
    {
      name: 'pages-are-views',
      comment: 'A page is made from the values it is given; whoever has the values calls it.',
      severity: 'error',
      from: { path: '^src/pages/' },
      to: { path: OURS, pathNot: ['^src/pages/', CORE, '^src/reference-data/'] },
    },
    {
      name: 'infrastructure-serves',
      comment: 'Adapters to the outside know no module and no route.',
      severity: 'error',
      from: { path: '^src/infrastructure/' },
      to: { path: OURS, pathNot: ['^src/infrastructure/', CORE] },
    },
    {
      name: 'embedded-is-not-the-service',
      comment: 'What npm start brings along is not there in production.',
      severity: 'error',
      from: { path: '^(src|workflows|projections)/', pathNot: '^src/embedded/' },
      to: { path: '^src/embedded/' },
    },
    {
      name: 'embedded-knows-no-module',
      comment:
        'It starts programs and servers; what they do is their own business. How an address is read is known once.',
      severity: 'error',
      from: { path: '^src/embedded/' },
      to: { path: OURS, pathNot: ['^src/embedded/', '^src/infrastructure/event-store/address[.]ts$'] },
    },
    {
      name: 'one-event-store-adapter',
      comment: 'The protocol has traps; one folder knows them.',
      severity: 'error',
      from: {
        pathNot: ['^src/infrastructure/event-store/', '^src/embedded/event-store/', '^(test|bench)/'],
      },
      to: { path: '^node_modules/@eventstore/db-client/' },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^dist/'] },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
