/** The command API: the write side of every context, behind the gateway. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type Either, isLeft } from 'fp-ts/Either';
import type { Instant } from '../domain/kernel/codec';
import type { Fault } from '../domain/kernel/rejection';
import { type ConfigOf, optional, variables } from '../infra/config';
import { contextModules } from '../infra/context-modules';
import { openEventStore } from '../infra/eventstore/client';
import { sharingReads } from '../infra/eventstore/shared-reads';
import { openStreamPages } from '../infra/eventstore/stream-pages';
import { callerVariables, serve } from '../infra/http/serve';
import { kmsVariables, openKms } from '../infra/kms/open-keystore';
import type { Clock } from '../infra/ports/clock';
import type { EventStore } from '../infra/ports/event-store';
import type { Health, PartHealth } from '../infra/ports/health';
import type { Random } from '../infra/ports/random';
import type { Vault } from '../infra/ports/vault';
import { runProcess, type ServiceContext, service } from '../infra/service';
import { observedStore } from '../infra/trace/observed-store';
import { openEncryptingStore, openRedactingStore } from '../infra/vault/encrypting-store';
import { openLocalWrapping } from '../infra/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../infra/vault/postgres-key-table';
import { openVault } from '../infra/vault/subject-keys';
import type { CommandContext, OpenedCommands } from './kernel/context';
import { commandFigures } from './kernel/figures';
import { openWarm } from './kernel/warm';

const contexts = contextModules<CommandContext>('commands', 'context');

const own = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  EVENTSTORE_URL: variables.EVENTSTORE_URL,
  /** Where the vault is; left out, nothing personal can be recorded. */
  POSTGRES_URL: optional(variables.POSTGRES_URL),
  ...kmsVariables,
  ...callerVariables,
};
/** Each context reads its own variables of it. */
const config = Object.assign({}, ...contexts.map((context) => context.config), own) as typeof own;
type Config = ConfigOf<typeof config>;

const clock: Clock = { now: () => new Date().toISOString() as Instant };
const random: Random = { uuid: randomUUID, token: (bytes) => randomBytes(bytes).toString('base64url') };

const openVaultOf = ({ POSTGRES_URL: url, KEYS_DIR, MASTER_KEY }: Config): Vault | undefined => {
  if (url === undefined) return undefined;
  const wrapping = openLocalWrapping({ directory: KEYS_DIR, masterKey: MASTER_KEY });
  return openVault({ table: openPostgresKeyTable(url), wrapping });
};

const partOf = (found: Either<Fault, unknown>): PartHealth =>
  isLeft(found) ? { ok: false, detail: found.left.detail } : { ok: true };

const noVault: PartHealth = { ok: false, detail: 'Off: POSTGRES_URL is not set. Nothing personal is recorded.' };

interface HealthOptions {
  readonly store: EventStore;
  readonly vault: Vault | undefined;
  readonly opened: readonly OpenedCommands[];
}

/** Only commands with something personal in them need the vault. */
const healthOf =
  ({ store, vault, opened }: HealthOptions) =>
  async (): Promise<Health> => {
    const [head, sealing, ...others] = await Promise.all([
      store.head(),
      vault?.check(),
      ...opened.map(({ health }) => health?.()),
    ]);
    const log = partOf(head);
    const parts = { 'event-store': log, vault: sealing === undefined ? noVault : partOf(sealing) };
    return { ready: log.ok, parts: Object.assign(parts, ...others) };
  };

const start = async (values: Config, context: ServiceContext) => {
  const { log, metrics, trace, signal } = context;
  const kms = openKms(values);
  if (isLeft(kms)) throw new Error(kms.left.detail);
  const plain = observedStore(openEventStore({ url: values.EVENTSTORE_URL, log }), context);
  const vault = openVaultOf(values);
  const store = sharingReads(vault === undefined ? openRedactingStore(plain) : openEncryptingStore(plain, vault));
  const pages = openStreamPages({ url: values.EVENTSTORE_URL });
  const figures = commandFigures(metrics);
  const core = { store, clock, random, log, warm: openWarm(), figures, trace };
  const platform = { ...core, kms: kms.right, vault, pages: pages.stream, signal };
  const opened = contexts.map(({ open }) => open(values, platform));
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((one) => one.close?.()));
    await Promise.all([store.close(), pages.close(), vault?.close()]);
  };
  return serve({
    config: values,
    context,
    routes: opened.flatMap(({ routes }) => routes),
    health: healthOf({ store, vault, opened }),
    close,
  });
};

const commands = service({ name: 'commands', config, start });

export { commands as service };

if (require.main === module) runProcess(commands);
