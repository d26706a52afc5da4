/** `npm run audit`: the recorded events with actor, cause and effect. */
import { isLeft } from 'fp-ts/Either';
import { openEventStore } from '../infra/adapters/eventstore/event-store';
import { openEncryptingStore, openRedactingStore } from '../infra/adapters/vault/encrypting-store';
import { openLocalWrapping } from '../infra/adapters/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../infra/adapters/vault/postgres-key-table';
import { openVault } from '../infra/adapters/vault/subject-keys';
import { withRunningSystem } from '../infra/operate/launch/connection-file';
import type { EventStore } from '../infra/ports/event-store';
import { printLine, readArguments, refuseArguments, runTool, stop } from '../infra/server/runtime/command-line';
import { loadConfig, optional, variables } from '../infra/server/runtime/config';
import { describeUnknownStream } from '../infra/server/runtime/similar-streams';
import { tool } from '../packages/command-line/src/index';
import { aggregates } from './composition/aggregates';
import { vaultVariables } from './composition/projected-log';
import { createAuditor, formatAuditEntry, type LogDamage } from './kernel/audit-log';

export const program = tool({
  name: 'npm run audit --',
  about: 'Prints every event of a stream: when, by whom, because of what, and what it changed.',
  arguments: [
    {
      name: 'stream',
      about: 'the stream, as identity.principal-main.admin; without it, --verify checks the whole log',
      optional: true,
    },
  ],
  options: {
    verify: { type: 'boolean', about: 'prints no events, and checks that each can be read and is in order' },
  },
});

const auditVariables = {
  EVENTSTORE_URL: variables.EVENTSTORE_URL,
  POSTGRES_URL: optional(variables.POSTGRES_URL),
  ...vaultVariables,
};

const damaged = ({ stream, revision, type, reason }: LogDamage): number => {
  printLine(`damaged: ${stream} revision ${revision} ${type}: ${reason}`);
  return 1;
};

const auditStream = async (store: EventStore, stream: string, verify: boolean): Promise<number> => {
  const events = await store.read(stream);
  if (isLeft(events)) return stop(events.left.detail, 1);
  if (events.right.length === 0) {
    const prefixes = aggregates.map(({ prefix }) => prefix);
    return stop((await describeUnknownStream(store, prefixes, stream)) ?? `There is no stream ${stream}.`, 1);
  }
  const audit = createAuditor(aggregates);
  for (const stored of events.right) {
    const step = audit(stored);
    if (isLeft(step)) return damaged(step.left);
    if (!verify) for (const line of formatAuditEntry(stored, step.right)) printLine(line);
  }
  if (verify) printLine(`${stream}: ${events.right.length} events are whole.`);
  return 0;
};

const verifyLog = async (store: EventStore): Promise<number> => {
  const audit = createAuditor(aggregates);
  let events = 0;
  for await (const stored of store.readAll({ after: null })) {
    const step = audit(stored);
    if (isLeft(step)) return damaged(step.left);
    events += 1;
  }
  printLine(`${events} events are whole.`);
  return 0;
};

/** Opens secrets when the vault is configured; otherwise they read as forgotten, and a warning is logged. */
const openLog = (): EventStore => {
  const config = loadConfig(auditVariables, withRunningSystem(process.env));
  if (isLeft(config))
    return stop(`Not set or not usable: ${config.left.map(({ variable }) => variable).join(', ')}.`, 2);
  const { EVENTSTORE_URL, POSTGRES_URL: url, MASTER_KEY: masterKey, KEYS_DIR: directory } = config.right;
  const plain = openEventStore({ url: EVENTSTORE_URL });
  if (url === undefined || masterKey === undefined || directory === undefined) {
    process.stderr.write('Secrets are not opened: POSTGRES_URL, MASTER_KEY and KEYS_DIR are not all set.\n');
    return openRedactingStore(plain);
  }
  const vault = openVault({ table: openPostgresKeyTable(url), wrapping: openLocalWrapping({ directory, masterKey }) });
  const close = () => Promise.all([plain.close(), vault.close()]).then(() => undefined);
  return { ...openEncryptingStore(plain, vault), close };
};

const main = async (): Promise<number> => {
  const {
    options: { verify },
    arguments: { stream },
  } = readArguments(program);
  if (stream === undefined && !verify) return refuseArguments(program, 'Name a stream, or give --verify.');
  const store = openLog();
  const code = stream === undefined ? await verifyLog(store) : await auditStream(store, stream, verify);
  await store.close();
  return code;
};

if (require.main === module) runTool(main);
