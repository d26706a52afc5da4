/** `npm run internal-keys -- VERB`: changes the keys that processes know each other by, while they run. */
import { join } from 'node:path';
import { argumentsOf, runTool, say, stop } from '../tool';
import {
  addNextKey,
  type FileOptions,
  internalKeyStatus,
  type KeyHolder,
  keyHolders,
  retireFormerKeys,
  useNextKey,
} from './internal-keys';
import { Stop } from './stop';

const usage = `Usage: npm run internal-keys -- VERB [HOLDER] [--dir DIR] [--containers]

  status          which public keys are in the set, and which of them sign
  add HOLDER      makes a new key and publishes it; it does not sign yet
  use HOLDER      lets the new key sign, once every process has read the set: a few seconds later
  retire HOLDER   takes the former keys out of the set, once nothing that they signed is under way: a minute later

HOLDER is ${keyHolders.join(' or ')}. DIR is where the files are: secrets/ in DATA_DIR unless it is given. With --containers private
keys are readable for containers' users, as \`npm run secrets\` makes them.`;

const options = { dir: { type: 'string' }, containers: { type: 'boolean' } } as const;

/** What was done; undefined: there is no such verb. */
const act = (verb: string, holder: KeyHolder, directory: string, files: FileOptions): string | undefined => {
  switch (verb) {
    case 'add':
      return `Published, and not signing yet: ${addNextKey(directory, holder, files)}`;
    case 'use':
      return `Signs: ${useNextKey(directory, holder, files)}`;
    case 'retire':
      return `Taken out of the set: ${retireFormerKeys(directory, holder).join(' ') || 'none'}`;
    default:
      return undefined;
  }
};

const main = async (): Promise<void> => {
  const { values, positionals } = argumentsOf(options, usage);
  const [verb = '', name] = positionals;
  const directory = values.dir ?? join(process.env.DATA_DIR ?? '.data', 'secrets');
  const holder = keyHolders.find((one) => one === name);
  if (verb === 'status' && name === undefined) {
    for (const { holder: of, keyId, state } of internalKeyStatus(directory)) say(`${of}\t${keyId}\t${state}`);
    return;
  }
  if (holder === undefined || positionals.length !== 2) return stop(usage, 2);
  say(act(verb, holder, directory, { mode: values.containers === true ? 0o644 : 0o600 }) ?? stop(usage, 2));
};

if (require.main === module)
  runTool(async () => {
    try {
      await main();
    } catch (error) {
      if (error instanceof Stop) stop(error.message, 1);
      throw error;
    }
  });
