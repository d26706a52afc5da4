/** `npm run internal-keys -- VERB`: changes the keys that processes know each other by, while they run. */
import { join } from 'node:path';
import { parseArguments, printLine, runTool, stop } from '../../server/runtime/command-line';
import { type FileOptions, internalKeyNames, rotationOf } from './internal-keys';
import { OperatorError } from './operator-error';

const usage = `Usage: npm run internal-keys -- VERB [KEY] [--dir DIR] [--containers]

  status       which keys are accepted, and which of them sign
  add KEY      makes a new key, which is accepted and does not sign yet
  use KEY      lets the new key sign, once every process has read it: a few seconds later
  retire KEY   lets the former keys be refused, once nothing that they signed is under way: a minute later

KEY is ${internalKeyNames.join(', ').replace(/, ([^,]*)$/, ' or $1')}.
DIR has the files, secrets/ in DATA_DIR by default. With --containers private keys are readable for containers'
users, as \`npm run secrets\` makes them.`;

const options = { dir: { type: 'string' }, containers: { type: 'boolean' } } as const;

/** What was done; undefined: there is no such verb. */
const act = (verb: string, key: string, directory: string, files: FileOptions): string | undefined => {
  const rotation = rotationOf(directory, key);
  switch (verb) {
    case 'add':
      return `Accepted, and not signing yet: ${rotation.add(files)}`;
    case 'use':
      return `Signs: ${rotation.use(files)}`;
    case 'retire':
      return `Refused from now on: ${rotation.retire(files).join(' ') || 'none'}`;
    default:
      return undefined;
  }
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArguments(options, usage);
  const [verb = '', name] = positionals;
  const directory = values.dir ?? join(process.env.DATA_DIR ?? '.data', 'secrets');
  const key = internalKeyNames.find((one) => one === name);
  if (verb === 'status' && name === undefined) {
    for (const one of internalKeyNames)
      for (const { keyId, state } of rotationOf(directory, one).states()) printLine(`${one}\t${keyId}\t${state}`);
    return;
  }
  if (key === undefined || positionals.length !== 2) return stop(usage, 2);
  printLine(act(verb, key, directory, { mode: values.containers === true ? 0o644 : 0o600 }) ?? stop(usage, 2));
};

if (require.main === module)
  runTool(async () => {
    try {
      await main();
    } catch (error) {
      if (error instanceof OperatorError) stop(error.message, 1);
      throw error;
    }
  });
