/** The command API: the write side of every context, behind the gateway. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type Either, isLeft } from 'fp-ts/Either';
import type { Instant } from '../domain/kernel/codec';
import type { Fault } from '../domain/kernel/rejection';
import { openEventStore } from '../infra/adapters/eventstore/event-store';
import { coalesceReads } from '../infra/adapters/eventstore/read/coalesced-reads';
import { openStreamPages } from '../infra/adapters/eventstore/read/stream-pages';
import { kmsVariables, openKms } from '../infra/adapters/kms/open-keystore';
import { openEncryptingStore, openRedactingStore } from '../infra/adapters/vault/encrypting-store';
import { openLocalWrapping } from '../infra/adapters/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../infra/adapters/vault/postgres-key-table';
import { openVault } from '../infra/adapters/vault/subject-keys';
import type { EventStore } from '../infra/ports/event-store';
import type { Clock } from '../infra/ports/runtime/clock';
import type { Health, PartHealth } from '../infra/ports/runtime/health';
import type { Random } from '../infra/ports/runtime/random';
import type { Vault } from '../infra/ports/vault';
import { callerVariables, serve } from '../infra/server/http/routing/serve';
import { guardLog } from '../infra/server/log-identity/composition/open-log-guard';
import { endForAnotherLog } from '../infra/server/log-identity/end-for-another-log';
import { identifyUntilKnown } from '../infra/server/log-identity/log-guard';
import { type ConfigOf, optional, variables } from '../infra/server/runtime/config';
import { runProcess, type ServiceContext, service } from '../infra/server/runtime/service';
import { tracedEventStore } from '../infra/server/trace/traced-event-store';
import { commandContexts } from './composition/contexts';
import { createCommandMetrics } from './kernel/command-metrics';
import type { OpenedCommands } from './kernel/context';
import { createExclusiveAggregates } from './kernel/exclusive-aggregates';

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
const config = Object.assign({}, ...commandContexts.map((context) => context.config), own) as typeof own;
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
  const { EVENTSTORE_URL: eventStoreUrl, POSTGRES_URL: postgresUrl } = values;
  // Commands go on while Postgres is away; they hold no positions.
  const guard = postgresUrl === undefined ? undefined : guardLog({ eventStoreUrl, postgresUrl, log, signal });
  const identifying = guard && identifyUntilKnown(guard, signal);
  const plain = tracedEventStore(
    openEventStore({ url: eventStoreUrl, log, signal, replaced: endForAnotherLog(log) }),
    context,
  );
  const vault = openVaultOf(values);
  const store = coalesceReads(vault === undefined ? openRedactingStore(plain) : openEncryptingStore(plain, vault));
  const pages = openStreamPages({ url: eventStoreUrl, signal });
  const commandMetrics = createCommandMetrics(metrics);
  const core = { store, clock, random, log, warm: createExclusiveAggregates(), commandMetrics, trace };
  const adapters = { ...core, kms: kms.right, vault, pages: pages.stream, signal };
  const opened = commandContexts.map(({ open }) => open(values, adapters));
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((one) => one.close?.()));
    await identifying;
    await Promise.all([store.close(), pages.close(), vault?.close(), guard?.close()]);
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
