/** The command API: the write side of every context, behind the gateway. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Instant, text } from '../domain/kernel/codec';
import { TenantId } from '../domain/kernel/ids';
import type { Fault } from '../domain/kernel/rejection';
import { type ConfigOf, list, optional, orElse, variables, word } from '../infra/config';
import { openEventStore } from '../infra/eventstore/client';
import { sharingReads } from '../infra/eventstore/shared-reads';
import { openStreamPages } from '../infra/eventstore/stream-pages';
import { callerVariables, serve } from '../infra/http/serve';
import type { Clock } from '../infra/ports/clock';
import type { EventStore } from '../infra/ports/event-store';
import type { Health, PartHealth } from '../infra/ports/health';
import type { Random } from '../infra/ports/random';
import type { Vault } from '../infra/ports/vault';
import { runProcess, type ServiceContext, service } from '../infra/service';
import { observedStore } from '../infra/trace/observed-store';
import { openLocalWrapping } from '../infra/vault/local-wrapping';
import { openPostgresKeyTable } from '../infra/vault/postgres';
import { openBlindStore, openSealedStore } from '../infra/vault/sealed-store';
import { openVault } from '../infra/vault/vault';
import { documentRoutes } from './editor/documents/routes';
import { peopleRoutes } from './identity/people/routes';
import { identityRoutes } from './identity/routes';
import { commandFigures } from './kernel/figures';
import { openWarm } from './kernel/warm';
import { keyVariables, type OpenKeys, openKeys } from './keys.main';
import { openPeople } from './people.main';
import { keepErasing } from './privacy/erase';
import { privacyRoutes } from './privacy/routes';
import { openProofs } from './proofs.main';
import { ratelimitRoutes } from './ratelimit/routes';
import { revocationRoutes } from './revocation.main';

const tenantId = new t.Type<TenantId, TenantId, unknown>('a tenant id', TenantId.is, TenantId.validate, t.identity);

const config = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  EVENTSTORE_URL: variables.EVENTSTORE_URL,
  /** Where the vault is; left out, nothing personal can be recorded. */
  POSTGRES_URL: optional(variables.POSTGRES_URL),
  /** What clients may show once only is told apart here; left out, by this process alone. */
  REDIS_URL: optional(variables.REDIS_URL),
  /** Whether keys of clients and providers of sign-ins may be in the installation's own network. */
  PRIVATE_ADDRESSES: orElse(word('refuse', 'allow'), 'refuse'),
  /** `token`: applications register themselves with an access token; `open`: anybody's do. */
  DYNAMIC_REGISTRATION: orElse(word('off', 'token', 'open'), 'off'),
  /** Of those that anybody registers; the first admin's, when left out. */
  REGISTRATION_TENANT: optional(tenantId),
  ...callerVariables,
  DPOP_NONCE_KEY: variables.DPOP_NONCE_KEY,
  ...keyVariables,
  ISSUER: variables.ISSUER,
  /** What tokens may be for; the first is meant when a request names none. */
  AUDIENCES: orElse(list, ['septet']),
  /** Left out, nobody can sign in as the first admin. */
  BOOTSTRAP_CODE: optional(text('a code of 16 to 200 characters', { minLength: 16, maxLength: 200 })),
  BOOTSTRAP_TENANT: orElse(tenantId, 'main' as TenantId),
};

const clock: Clock = { now: () => new Date().toISOString() as Instant };
const random: Random = { uuid: randomUUID, token: (bytes) => randomBytes(bytes).toString('base64url') };

const openVaultOf = ({ POSTGRES_URL: url, KEYS_DIR, MASTER_KEY }: ConfigOf<typeof config>): Vault | undefined => {
  if (url === undefined) return undefined;
  const wrapping = openLocalWrapping({ directory: KEYS_DIR, masterKey: MASTER_KEY });
  return openVault({ table: openPostgresKeyTable(url), wrapping });
};

const partOf = (found: Either<Fault, unknown>): PartHealth =>
  isLeft(found) ? { ok: false, detail: found.left.detail } : { ok: true };

const noVault: PartHealth = { ok: false, detail: 'Off: POSTGRES_URL is not set. Nothing personal is recorded.' };

/** Only commands with something personal in them need the vault. */
const healthOf =
  ({ store, vault, keys }: { store: EventStore; vault: Vault | undefined; keys: OpenKeys }) =>
  async (): Promise<Health> => {
    const [head, sealing, signing] = await Promise.all([store.head(), vault?.check(), keys.check()]);
    const log = partOf(head);
    const others = { vault: sealing === undefined ? noVault : partOf(sealing), 'signing-keys': signing };
    return { ready: log.ok, parts: { 'event-store': log, ...others } };
  };

const registrationOf = (values: ConfigOf<typeof config>) => {
  const { DYNAMIC_REGISTRATION: mode, REGISTRATION_TENANT: tenant = values.BOOTSTRAP_TENANT } = values;
  return mode === 'off' ? {} : { registration: { mode, tenantId: tenant } };
};

const start = async (values: ConfigOf<typeof config>, context: ServiceContext) => {
  const { log, metrics, trace, signal } = context;
  const plain = observedStore(openEventStore({ url: values.EVENTSTORE_URL, log }), context);
  const vault = openVaultOf(values);
  const store = sharingReads(vault === undefined ? openBlindStore(plain) : openSealedStore(plain, vault));
  const pages = openStreamPages({ url: values.EVENTSTORE_URL });
  const warm = openWarm();
  const shown = openProofs(values);
  const people = openPeople(values);
  const figures = commandFigures(metrics);
  const core = { store, clock, random, log, warm, figures, trace };
  const keys = openKeys(values, { ...core, signal });
  const shared = { ...core, kms: keys.kms };
  const ofPeople = {
    ...shared,
    ...people.deps,
    recordsAddresses: vault !== undefined,
    pause: (milliseconds: number) => sleep(milliseconds),
    firstSignIn: { code: values.BOOTSTRAP_CODE, tenantId: values.BOOTSTRAP_TENANT },
  };
  const identity = identityRoutes({
    ...ofPeople,
    issuer: values.ISSUER,
    audiences: values.AUDIENCES,
    ...shown.deps,
    ...registrationOf(values),
  });
  const privacy = vault === undefined ? [] : privacyRoutes({ ...shared, vault });
  const erasing = vault === undefined ? undefined : keepErasing({ store, vault, warm, log, signal });
  const close = async (): Promise<void> => {
    await Promise.all([erasing, keys.close()]);
    await Promise.all([store.close(), pages.close(), vault?.close(), shown.close(), people.close()]);
  };
  return serve({
    config: values,
    context,
    routes: [
      ...identity,
      ...peopleRoutes(ofPeople),
      ...keys.routes,
      ...revocationRoutes(values, shared, keys),
      ...ratelimitRoutes(core),
      ...documentRoutes({ ...shared, pages: pages.stream }),
      ...privacy,
    ],
    health: healthOf({ store, vault, keys }),
    close,
  });
};

const commands = service({ name: 'commands', config, start });

export { commands as service };

if (require.main === module) runProcess(commands);
