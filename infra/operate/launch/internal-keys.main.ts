/** `npm run internal-keys`: changes the keys that processes know each other by, while they run. */
import { join } from 'node:path';
import { commandSet, describeUnknown } from '../../../packages/command-line/src/index';
import { printLine, readCommand, runTool, stop } from '../../server/runtime/command-line';
import { type FileOptions, internalKeyNames, rotationOf } from './internal-keys';
import { OperatorError } from './operator-error';

const key = [{ name: 'key', about: `one of ${internalKeyNames.join(', ')}` }] as const;
const options = {
  dir: { type: 'string', value: 'DIR', about: 'where the files are (default: secrets in DATA_DIR)' },
  containers: {
    type: 'boolean',
    about: "leaves private keys readable for containers' users, as npm run secrets makes them",
  },
} as const;

export const program = commandSet({
  name: 'npm run internal-keys --',
  about: 'Changes the keys that processes know each other by, while they run: add, use, retire, in this order.',
  commands: {
    status: { about: 'Lists the keys that are accepted, and which of them sign.', options: { dir: options.dir } },
    add: { about: 'Makes a new key, which is accepted and does not sign yet.', arguments: key, options },
    use: {
      about: 'Lets the new key sign. Run it once every process has read the key: a few seconds after add.',
      arguments: key,
      options,
    },
    retire: {
      about: 'Refuses the former keys. Run it once nothing that they signed is under way: a minute after use.',
      arguments: key,
      options,
    },
  },
});

const act = (verb: 'add' | 'use' | 'retire', rotation: ReturnType<typeof rotationOf>, files: FileOptions): string => {
  switch (verb) {
    case 'add':
      return `Accepted, and not signing yet: ${rotation.add(files)}`;
    case 'use':
      return `Signs: ${rotation.use(files)}`;
    case 'retire':
      return `Refused from now on: ${rotation.retire(files).join(' ') || 'none'}`;
  }
};

const main = async (): Promise<void> => {
  const wanted = readCommand(program);
  const directory = wanted.options.dir ?? join(process.env.DATA_DIR ?? '.data', 'secrets');
  if (wanted.command === 'status') {
    for (const one of internalKeyNames)
      for (const { keyId, state } of rotationOf(directory, one).states()) printLine(`${one}\t${keyId}\t${state}`);
    return;
  }
  const name = internalKeyNames.find((one) => one === wanted.arguments.key);
  if (name === undefined) return stop(describeUnknown('key', wanted.arguments.key, internalKeyNames), 2);
  const files = { mode: wanted.options.containers ? 0o644 : 0o600 };
  printLine(act(wanted.command, rotationOf(directory, name), files));
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
