/** The command API: the write side of every context, behind the gateway. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Instant, text } from '../domain/kernel/codec';
import { TenantId } from '../domain/kernel/ids';
import type { Fault } from '../domain/kernel/rejection';
import { anyText, type ConfigOf, list, optional, orElse, variables } from '../infra/config';
import { openEventStore } from '../infra/eventstore/client';
import { serve } from '../infra/http/serve';
import { openLocalKms } from '../infra/kms/local';
import { MasterKeyText } from '../infra/kms/master-key';
import type { Clock } from '../infra/ports/clock';
import type { EventStore } from '../infra/ports/event-store';
import type { Health, PartHealth } from '../infra/ports/health';
import type { Kms } from '../infra/ports/kms';
import type { Random } from '../infra/ports/random';
import type { Vault } from '../infra/ports/vault';
import { runProcess, type ServiceContext, service } from '../infra/service';
import { observedStore } from '../infra/trace/observed-store';
import { openLocalWrapping } from '../infra/vault/local-wrapping';
import { openPostgresKeyTable } from '../infra/vault/postgres';
import { openBlindStore, openSealedStore } from '../infra/vault/sealed-store';
import { openVault } from '../infra/vault/vault';
import { identityRoutes } from './identity/routes';
import { commandFigures } from './kernel/figures';
import { openWarm } from './kernel/warm';
import { keepErasing } from './privacy/erase';
import { privacyRoutes } from './privacy/routes';

const tenantId = new t.Type<TenantId, TenantId, unknown>('a tenant id', TenantId.is, TenantId.validate, t.identity);

const config = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  EVENTSTORE_URL: variables.EVENTSTORE_URL,
  /** Where the vault is; left out, nothing personal can be recorded. */
  POSTGRES_URL: optional(variables.POSTGRES_URL),
  INTERNAL_KEY: variables.INTERNAL_KEY,
  MASTER_KEY: MasterKeyText,
  KEYS_DIR: anyText,
  ISSUER: variables.ISSUER,
  /** What tokens may be for; the first is meant when a request names none. */
  AUDIENCES: orElse(list, ['septet']),
  /** Left out, nobody can sign in as the first admin. */
  BOOTSTRAP_CODE: optional(text('a code of 16 to 200 characters', { minLength: 16, maxLength: 200 })),
  BOOTSTRAP_TENANT: orElse(tenantId, 'main' as TenantId),
};

const clock: Clock = { now: () => new Date().toISOString() as Instant };
const random: Random = { uuid: randomUUID, token: (bytes) => randomBytes(bytes).toString('base64url') };

const openKms = (values: ConfigOf<typeof config>): Kms => {
  const kms = openLocalKms({ directory: values.KEYS_DIR, masterKey: values.MASTER_KEY });
  if (isLeft(kms)) throw new Error(kms.left.detail);
  return kms.right;
};

const openVaultOf = ({ POSTGRES_URL: url, KEYS_DIR, MASTER_KEY }: ConfigOf<typeof config>): Vault | undefined => {
  if (url === undefined) return undefined;
  const wrapping = openLocalWrapping({ directory: KEYS_DIR, masterKey: MASTER_KEY });
  return openVault({ table: openPostgresKeyTable(url), wrapping });
};

const partOf = (found: Either<Fault, unknown>): PartHealth =>
  isLeft(found) ? { ok: false, detail: found.left.detail } : { ok: true };

const noVault: PartHealth = { ok: false, detail: 'Off: POSTGRES_URL is not set. Nothing personal is recorded.' };

/** Only commands with something personal in them need the vault. */
const healthOf = (store: EventStore, vault: Vault | undefined) => async (): Promise<Health> => {
  const [head, keys] = await Promise.all([store.head(), vault?.check()]);
  const log = partOf(head);
  return { ready: log.ok, parts: { 'event-store': log, vault: keys === undefined ? noVault : partOf(keys) } };
};

const start = async (values: ConfigOf<typeof config>, context: ServiceContext) => {
  const { log, metrics, trace, signal } = context;
  const kms = openKms(values);
  const plain = observedStore(openEventStore({ url: values.EVENTSTORE_URL, log }), context);
  const vault = openVaultOf(values);
  const store = vault === undefined ? openBlindStore(plain) : openSealedStore(plain, vault);
  const warm = openWarm();
  const figures = commandFigures(metrics);
  const shared = { store, kms, clock, random, log, warm, figures, trace };
  const identity = identityRoutes({
    ...shared,
    issuer: values.ISSUER,
    audiences: values.AUDIENCES,
    recordsAddresses: vault !== undefined,
    pause: (milliseconds) => sleep(milliseconds),
    firstSignIn: { code: values.BOOTSTRAP_CODE, tenantId: values.BOOTSTRAP_TENANT },
  });
  const privacy = vault === undefined ? [] : privacyRoutes({ ...shared, vault });
  const erasing = vault === undefined ? undefined : keepErasing({ store, vault, warm, log, signal });
  const close = async (): Promise<void> => {
    await erasing;
    await Promise.all([store.close(), vault?.close()]);
  };
  return serve({ config: values, context, routes: [...identity, ...privacy], health: healthOf(store, vault), close });
};

const commands = service({ name: 'commands', config, start });

export { commands as service };

if (require.main === module) runProcess(commands);
