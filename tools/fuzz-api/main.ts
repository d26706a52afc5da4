/**
 * Holds a running system to its OpenAPI document: schemathesis makes requests of the document, valid and invalid ones, and checks that each answer
 * is documented. The system is changed by it, so it must be one of its own. See docs/recipe.md.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft, left, right } from 'fp-ts/Either';
import { installDirectory } from '../../infra/adapters/programs/install-directory';

const usage =
  'Usage: SEPTET=http://… CREDENTIAL=admin.json node -r tsx/cjs tools/fuzz-api/main.ts [options of schemathesis]';

const requirements = join(__dirname, 'requirements.txt');
const root = join(__dirname, '..', '..');

/** Event streams do not end, so no whole answer can be checked. */
const streams = ['followJobLog', 'followPlatformLog', 'followSecurityEvents', 'followSecurityState'];
/** Forbids credentials such as the one that this uses, so it comes last. */
const last = 'setCredentialPolicy';

const install = async (): Promise<string> => {
  const version = readFileSync(requirements, 'utf8').trim().replace('==', '-');
  const directory = join(root, 'node_modules', '.cache', 'septet-tools', version);
  const installed = await installDirectory({
    directory,
    isComplete: (path) => existsSync(join(path, 'schemathesis')),
    install: async (path) => {
      const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', path];
      const { status } = spawnSync('python3', [...pip, '--requirement', requirements], { stdio: 'inherit' });
      return status === 0 ? right(undefined) : left('pip cannot install schemathesis');
    },
    incomplete: 'pip installed no schemathesis',
  });
  if (isLeft(installed)) throw new Error(installed.left);
  return directory;
};

const selections = [
  [...streams, last].flatMap((operation) => ['--exclude-operation-id', operation]),
  ['--include-operation-id', last],
];

const main = async (): Promise<void> => {
  const { SEPTET, CREDENTIAL } = process.env;
  if (SEPTET === undefined || CREDENTIAL === undefined) throw new Error(usage);
  const packages = await install();
  const env = { ...process.env, SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: [packages, __dirname].join(':') };
  const usual = [
    '--phases',
    'examples,coverage,fuzzing',
    '--max-examples',
    '20',
    '--continue-on-failure',
    '--no-shrink',
  ];
  const given = [...usual, '--suppress-health-check', 'all', '--request-timeout', '20', ...process.argv.slice(2)];
  for (const selected of selections) {
    const options = ['run', `${SEPTET}/openapi.json`, ...selected, ...given];
    try {
      execFileSync(join(packages, 'bin', 'schemathesis'), options, { env, stdio: 'inherit' });
    } catch {
      process.exitCode = 1;
    }
  }
};

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
});
