/** The command API: the write side of every context, behind the gateway. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft, isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Instant, text } from '../domain/kernel/codec';
import { TenantId } from '../domain/kernel/ids';
import { anyText, type ConfigOf, list, optional, orElse, variables } from '../infra/config';
import { openEventStore } from '../infra/eventstore/client';
import { serve } from '../infra/http/serve';
import { openLocalKms } from '../infra/kms/local';
import { MasterKeyText } from '../infra/kms/master-key';
import type { Clock } from '../infra/ports/clock';
import type { EventStore } from '../infra/ports/event-store';
import type { Health } from '../infra/ports/health';
import type { Kms } from '../infra/ports/kms';
import type { Random } from '../infra/ports/random';
import { runProcess, type ServiceContext, service } from '../infra/service';
import { identityRoutes } from './identity/routes';
import { openWarm } from './kernel/warm';

const tenantId = new t.Type<TenantId, TenantId, unknown>('a tenant id', TenantId.is, TenantId.validate, t.identity);

const config = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  EVENTSTORE_URL: variables.EVENTSTORE_URL,
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

const healthOf = (store: EventStore) => async (): Promise<Health> => {
  const head = await store.head();
  const log = isRight(head) ? { ok: true } : { ok: false, detail: head.left.detail };
  return { ready: log.ok, parts: { 'event-store': log } };
};

const start = async (values: ConfigOf<typeof config>, context: ServiceContext) => {
  const kms = openKms(values);
  const store = openEventStore({ url: values.EVENTSTORE_URL, log: context.log });
  const identity = identityRoutes({
    store,
    kms,
    clock,
    random,
    log: context.log,
    issuer: values.ISSUER,
    audiences: values.AUDIENCES,
    warm: openWarm(),
    pause: (milliseconds) => sleep(milliseconds),
    firstSignIn: { code: values.BOOTSTRAP_CODE, tenantId: values.BOOTSTRAP_TENANT },
  });
  return serve({ config: values, context, routes: identity, health: healthOf(store), close: store.close });
};

const commands = service({ name: 'commands', config, start });

export { commands as service };

if (require.main === module) runProcess(commands);
