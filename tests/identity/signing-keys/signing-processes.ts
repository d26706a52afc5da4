/** Processes that sign, over one log and one keystore, with a clock that stands still until it is moved. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type Either, isRight } from 'fp-ts/Either';
import { jwksRoute } from '../../../commands/identity/oauth/discovery-endpoints';
import { signingKeyRoutes } from '../../../commands/identity/routes';
import { type RotationDeps, rotateIfDue } from '../../../commands/identity/signing-keys/rotation-job';
import { createSigningKeyCache } from '../../../commands/identity/signing-keys/signing-key-cache';
import { openTokenSigner } from '../../../commands/identity/signing-keys/token-signer';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { activeKeyOf, type KeyUse, keysOfUse } from '../../../domain/identity/signing-keys/state';
import type { Instant } from '../../../domain/kernel/codec';
import { plusSeconds } from '../../../domain/kernel/instant';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { memoryKeys } from '../../../infra/adapters/kms/memory-keystore';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Kms } from '../../../infra/ports/kms';
import { bind, type Identity } from '../../../infra/server/http/routing/route';
import { capturedLog, startHttpService } from '../../support/http/http-service';
import { noon } from '../examples';

export const answered = <A>(answer: Either<unknown, A>): A => {
  if (isRight(answer)) return answer.right;
  throw new Error(`refused: ${JSON.stringify(answer.left)}`);
};

export const operator: Identity = {
  tenantId: 'main',
  principalId: 'admin',
  principalType: 'HUMAN',
  scopes: ['keys:write'],
  tokenId: 'jti-1',
};

export const openWorld = (store: EventStore = openMemoryEventStore(), kms: Kms = memoryKeys()) => {
  let now: Instant = noon;
  /** Each has warm state and a view of the log of its own; each question reads on. */
  const member = (held: Kms = kms) => {
    const random = { uuid: randomUUID, token: (bytes: number) => randomBytes(bytes).toString('base64url') };
    let milliseconds = 0;
    const keys = createSigningKeyCache(store, () => {
      milliseconds += 1_000;
      return milliseconds;
    });
    const shared = {
      store,
      kms: held,
      keys,
      random,
      commandMetrics: noCommandMetrics,
      clock: { now: () => now },
      warm: createExclusiveAggregates(),
      log: capturedLog(),
    };
    const deps: RotationDeps = { ...shared, algorithm: 'ES256', rotateEveryDays: 30 };
    const signer = openTokenSigner(deps);
    return {
      deps,
      signer,
      tend: async () => answered(await rotateIfDue(deps)),
      keys: async () => answered(await keys.refresh()),
    };
  };
  return {
    store,
    kms,
    member,
    wait: (seconds: number): void => {
      now = plusSeconds(now, seconds);
    },
  };
};

export type Member = ReturnType<ReturnType<typeof openWorld>['member']>;

export const activeKid = async (member: Member, use: KeyUse = 'access-token'): Promise<string | undefined> =>
  activeKeyOf(await member.keys(), use)?.kid;

export const statuses = async (member: Member, use: KeyUse = 'access-token'): Promise<readonly string[]> =>
  keysOfUse(await member.keys(), use).map(({ status }) => status);

/** Keys of a keystore or a key set that sign access tokens. */
export const accessTokenKids = (keys: readonly { readonly kid: string; readonly alg: string }[]): readonly string[] =>
  keys.filter(({ alg }) => alg !== 'RS256').map(({ kid }) => kid);

export const serveKeys = async ({ deps, signer }: Member) => {
  const service = await startHttpService([
    ...signingKeyRoutes({ ...deps, operators: 'main' }),
    bind({ kms: signer }, jwksRoute),
  ]);
  const post = (path: string, body: object | undefined, more: { key?: string; identity?: Identity } = {}) =>
    service.call(`/v1/signing-keys/${path}`, {
      method: 'POST',
      identity: more.identity ?? operator,
      headers: { 'content-type': 'application/json', 'idempotency-key': more.key ?? randomUUID() },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const published = async (): Promise<readonly { readonly kid: string; readonly alg: string }[]> => {
    const answer = await service.call('/oauth/jwks', { identity: 'anonymous' });
    return ((await answer.json()) as { keys: { kid: string; alg: string }[] }).keys;
  };
  return { ...service, post, published };
};
