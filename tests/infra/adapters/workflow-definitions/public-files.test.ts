/** Workflow files of public repositories, copied in tests/workflow-files. */
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import type { TriggerFacts } from '../../../../infra/ports/workflow/definitions';
import { contexts, opened } from './fixture';

const corpus = join(__dirname, '..', '..', '..', 'workflow-files');

interface Package {
  readonly name: string;
  readonly licence: string;
  readonly repository: string;
}

/** By the table of the folder's README. */
const packages: readonly Package[] = readFileSync(join(corpus, 'README.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', , licence = '', repository = '']) => ({ name: name.replaceAll('`', ''), licence, repository }));

const isWorkflow = (file: string): boolean => /\.ya?ml$/.test(file);

const filesOf = (name: string): readonly string[] =>
  readdirSync(join(corpus, name))
    .filter(isWorkflow)
    .map((file) => join(corpus, name, file));

const { definitions, expand } = opened();

const read = (path: string): string => readFileSync(path, 'utf8');

/** Every refusal that the page of decisions lists; a fault of another kind is a fault of ours. */
const refusals = [
  /^The action ".+" in job ".+" is not supported yet/,
  /^Secrets are not supported yet: /,
  /^Reusable workflows are not supported yet: /,
  /^Environments \("environment"\) are not supported yet: /,
  /^Jobs in a container /,
  /^Service containers /,
];

/** Without what is refused, so that their jobs can be looked at: other actions become checkouts, secrets become fields of `github`. */
const supported = (yaml: string): string =>
  yaml
    .replaceAll(/^(\s+(?:- )?uses: ).+$/gm, '$1actions/checkout@v4')
    .replaceAll('secrets.', 'github.')
    .replaceAll(/^ +environment: .+$/gm, '');

/** A push to main, a push to a topic, and a pull request to main. */
type Starts = readonly [main: boolean, topic: boolean, pullRequest: boolean];

interface Expected {
  readonly file: string;
  readonly starts: Starts;
  readonly jobs: readonly (readonly [name: string, needs: string, condition: string | null, label: string])[];
  /** Of the first job: for each step its name and its condition. */
  readonly steps: readonly (readonly [name: string, condition: string | null])[];
}

const all: Starts = [true, true, true];
const linux = 'ubuntu-latest';
const products = (names: readonly string[], others: readonly string[]): readonly (readonly [string, string])[] =>
  names.flatMap((name) => others.map((other) => [name, other] as const));
const ofDependabot = "github.event_name == 'pull_request' && github.event.pull_request.user.login == 'dependabot[bot]'";
const useNode = 'Use Node.js ${{ matrix.node-version }}';

/** Written down from the files, before they were expanded. */
const expected: { readonly [name: string]: Expected } = {
  lib0: {
    file: 'node.js.yml',
    starts: [true, false, true],
    jobs: ['16.x', '18.x'].map((version) => [`build (${version})`, '', null, linux]),
    steps: [
      ['Run actions/checkout@v4', null],
      [useNode, null],
      ['Run npm ci', null],
      ['Run npm test', null],
    ],
  },
  hpagent: {
    file: 'build.yml',
    starts: all,
    jobs: products(['14.x', '16.x', '18.x'], [linux, 'windows-latest', 'macOS-latest']).map(([version, os]) => [
      `Test (${version}, ${os})`,
      '',
      null,
      os.toLowerCase(),
    ]),
    steps: [
      ['Run actions/checkout@v4', null],
      [useNode, null],
      ['Install', null],
      ['Test / 1', null],
      ['Test / 2', null],
    ],
  },
  'thread-stream': {
    file: 'ci.yml',
    starts: all,
    jobs: [
      ['Dependency Review', '', "github.event_name == 'pull_request'", linux],
      ...products(['20', '22', '24', '26'], ['macos-latest', linux, 'windows-latest']).map(
        ([version, os]) => [`Test (${version}, ${os})`, '', null, os] as const,
      ),
      ['Automerge Dependabot PRs', 'test', ofDependabot, linux],
    ],
    steps: [
      ['Check out repo', null],
      ['Dependency review', null],
    ],
  },
  'tsconfig-paths-webpack-plugin': {
    file: 'ci.yml',
    starts: [false, false, false],
    jobs: [
      ['Linting Checks', '', null, linux],
      ...['16', '18', '20'].map((version) => [`Test - Node: ${version} - OS: ${linux}`, '', null, linux] as const),
    ],
    steps: [
      ['Checkout', null],
      ['Setup NodeJs', null],
      ['Install Dependencies', null],
      ['Run Linting Checks', null],
    ],
  },
  bl: {
    file: 'test-and-release.yml',
    starts: all,
    jobs: [
      ...products(['lts/*', 'current'], ['macos-latest', linux, 'windows-latest']).map(
        ([version, os]) => [`test (${version}, ${os})`, '', null, os] as const,
      ),
      ['Release', 'test', "github.event_name == 'push' && github.ref == 'refs/heads/master'", linux],
    ],
    steps: [
      ['Checkout Repository', null],
      ['Use Node.js ${{ matrix.node }}', null],
      ['Install Dependencies', null],
      ['Check build is up to date', null],
      ['Run tests', null],
    ],
  },
  'find-my-way': {
    file: 'node.js.yml',
    starts: [true, false, true],
    jobs: [
      ...products(['20', '22', '24', '26'], [linux, 'windows-latest', 'macOS-latest']).map(
        ([version, os]) => [`Test (${version}, ${os})`, '', null, os.toLowerCase()] as const,
      ),
      ['automerge', 'test', ofDependabot, linux],
    ],
    steps: [
      ['Run actions/checkout@v4', null],
      [useNode, null],
      ['Install', null],
      ['Lint', null],
      ['Test', null],
      ['Test (compiled lookup)', null],
      ['Type Definitions', null],
    ],
  },
  reusify: {
    file: 'ci.yml',
    starts: all,
    jobs: [
      ...['0.10', '0.12', ...[4, 6, 8, 10, 12, 13, 14, 15, 16].map((version) => `${version}.x`)].map(
        (version) => [`legacy (${version})`, '', null, linux] as const,
      ),
      ...['18.x', '20.x', '22.x'].map((version) => [`test (${version})`, '', null, linux] as const),
      ['types', '', null, linux],
      ['lint', '', null, linux],
    ],
    steps: [
      ['Run actions/checkout@v4', null],
      ['Use Node.js', null],
      ['Install', null],
      ['Run tests', null],
    ],
  },
  qlobber: {
    file: 'ci.yml',
    starts: all,
    jobs: ['16', '18', '20'].map((version) => [`test (${version})`, '', null, linux]),
    steps: [
      ['Checkout', null],
      ['Update APT', null],
      ['Install OS dependencies', null],
      ['Use Node ${{ matrix.node-version }}', null],
      ['Install packages', null],
      ['Lint', null],
      ['Test', "matrix.node-version != '20'"],
      ['Coverage', "matrix.node-version == '20'"],
      ['Coveralls', "matrix.node-version == '20'"],
    ],
  },
  'simple-get': {
    file: 'ci.yml',
    starts: all,
    jobs: [['Node 14 / ubuntu-latest', '', null, linux]],
    steps: [
      ['Run actions/checkout@v4', null],
      ['Run actions/checkout@v4', null],
      ['Run npm install', null],
      ['Run npm run build --if-present', null],
      ['Run npm test', null],
    ],
  },
  busboy: {
    file: 'lint.yml',
    starts: [false, false, true],
    jobs: [['lint-js', '', null, linux]],
    steps: [
      ['Run actions/checkout@v4', null],
      ['Use Node.js ${{ env.NODE_VERSION }}', null],
      ['Install ESLint + ESLint configs/plugins', null],
      ['Lint files', null],
    ],
  },
};

const facts: readonly TriggerFacts[] = [
  { eventType: 'push', ref: 'refs/heads/main', branch: 'main', baseBranch: null, activity: null },
  { eventType: 'push', ref: 'refs/heads/topic', branch: 'topic', baseBranch: null, activity: null },
  { eventType: 'pull_request', ref: 'refs/pull/7/merge', branch: 'topic', baseBranch: 'main', activity: 'opened' },
].map((each) => ({ ...each, changedPaths: undefined }) as TriggerFacts);

describe('workflow files of public repositories', () => {
  after(definitions.close);

  it('are of at least 40 repositories, each with a licence that allows copies', () => {
    const copied = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
      .filter(isWorkflow)
      .map((file) => dirname(file));
    assert.deepEqual([...new Set(copied)].sort(), packages.map(({ name }) => name).sort());
    const repositories = new Set(packages.map(({ repository }) => repository));
    assert(repositories.size >= 40 && !repositories.has(''), `${repositories.size} repositories`);
    for (const { name, licence } of packages) {
      assert(['MIT', 'ISC', 'BSD-3-Clause'].includes(licence), `${name}: ${licence}`);
      assert(
        readdirSync(join(corpus, name)).some((file) => /^LICEN[CS]E/.test(file)),
        `${name} lacks its licence`,
      );
    }
  });

  for (const { name } of packages)
    it(`${name}: each is expanded, or refused by name and place`, async () => {
      const files = filesOf(name);
      assert(files.length > 0);
      for (const path of files) {
        const yaml = readFileSync(path);
        const request = { tenantId: 'tenant', path, yaml, contexts, mostJobs: 256, jobId: (unique: string) => unique };
        const answer = await definitions.expand(request);
        if (isRight(answer)) {
          assert(answer.right.jobs.length > 0);
          continue;
        }
        assert(Array.isArray(answer.left), JSON.stringify(answer.left));
        for (const { message, line, column } of answer.left) {
          assert(
            refusals.some((refusal) => refusal.test(message)),
            `${path}: ${message}`,
          );
          assert(line !== null && column !== null);
        }
      }
    });

  for (const [name, { file, starts, jobs, steps }] of Object.entries(expected)) {
    const path = join(corpus, name, file);

    it(`${name}: starts on the events of its file`, async () => {
      const yaml = readFileSync(path);
      const matches: boolean[] = [];
      for (const each of facts) {
        const answer = await definitions.readTriggers(yaml, 'tenant', each);
        assert(isRight(answer));
        matches.push(answer.right.matches);
      }
      assert.deepEqual(matches, starts);
    });

    it(`${name}: has the jobs of its file, in their order, with their conditions`, async () => {
      const { jobs: nodes, content } = await expand(supported(read(path)));
      assert.deepEqual(
        nodes.map((node) => [node.name, node.needs.join(' '), node.condition, node.labels.join(' ')]),
        jobs,
      );
      const [first] = nodes;
      assert(first !== undefined);
      assert.deepEqual(
        content.jobs[first.jobId]?.steps.map((step) => [step.name, step.condition]),
        steps,
      );
    });
  }
});
