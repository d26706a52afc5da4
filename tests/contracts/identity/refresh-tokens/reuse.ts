/** What a reuse of a refresh token leads to, as the log has it, and the service that sees to it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import type { Pool } from 'pg';
import type { OpenedGrant } from '../../../../commands/identity/grants/open-grant';
import { containIncident } from '../../../../commands/identity/incidents/contain-incident';
import { refreshTokenHash } from '../../../../commands/identity/oauth/refresh-token/refresh-token';
import { loadPrincipal } from '../../../../commands/identity/principals/load-principal';
import { noCommandMetrics } from '../../../../commands/kernel/command-metrics';
import { handle } from '../../../../commands/kernel/handle';
import { grantStream } from '../../../../domain/identity/grant/events';
import type { ClientId, FamilyId, GrantId, IncidentId } from '../../../../domain/identity/ids';
import { incidentStream } from '../../../../domain/identity/incident/events';
import { principalStream } from '../../../../domain/identity/principal/events';
import { refreshFamily, type UseRefreshToken } from '../../../../domain/identity/refresh-family/decider';
import { refreshFamilyStream } from '../../../../domain/identity/refresh-family/events';
import type { Instant } from '../../../../domain/kernel/codec';
import { tenantId } from '../../../identity/examples';
import { personId } from '../../../identity/grants/fixture';
import { eventually } from '../../../support/waiting/eventually';
import type { RefreshStage } from './fixture';

type Log = Pick<RefreshStage, 'store'>;
const clock = { now: () => new Date().toISOString() as Instant };

export type Opened = OpenedGrant & { readonly refreshToken: string };

const typesIn = async ({ store }: Log, stream: string): Promise<readonly string[]> => {
  const read = await store.read(stream);
  if (isLeft(read)) return assert.fail(`${stream} cannot be read: ${read.left.code}`);
  return read.right.map(({ type }) => type);
};

export const epochOf = async ({ store }: Log): Promise<number> => {
  const loaded = await loadPrincipal({ store }, { tenantId, principalId: personId });
  assert.ok(!isLeft(loaded) && loaded.right.kind === 'registered');
  return loaded.right.securityEpoch;
};

/** As a command API that ends right after it recorded the reuse, and does nothing of what has to follow. */
export const recordReuseOnly = async (log: Log, clientId: ClientId, opened: Opened): Promise<void> => {
  const { familyId, refreshToken } = opened;
  const securityEpoch = await epochOf(log);
  const presented = { hash: refreshTokenHash(refreshToken), successorHash: 'f'.repeat(64), authenticated: false };
  const command: UseRefreshToken = {
    type: 'UseRefreshToken',
    number: 0,
    clientId,
    jkt: null,
    x5t: null,
    ...presented,
    securityEpoch,
    incidentId: `incident-${familyId}` as IncidentId,
    at: clock.now(),
  };
  const stream = refreshFamilyStream(tenantId, familyId as FamilyId);
  const request = { stream, command, commandId: randomUUID(), tenant: tenantId, actor: clientId, correlationId: 'r-1' };
  const done = await handle({ store: log.store, commandMetrics: noCommandMetrics, clock }, refreshFamily, request);
  assert.ok(!isLeft(done) && done.right.events.some(({ type }) => type === 'FamilyCompromised'));
};

const incidentOf = async ({ store }: Log, familyId: FamilyId): Promise<string> => {
  const read = await store.read(refreshFamilyStream(tenantId, familyId));
  assert.ok(!isLeft(read));
  const found = read.right.at(-1);
  assert.equal(found?.type, 'identity.FamilyCompromised.v1');
  return (found.data as { readonly incidentId: string }).incidentId;
};

/** What the process noted of it: empty as long as it has not come to it. */
export const containmentNotes = async (log: Log, familyId: FamilyId | null): Promise<readonly string[]> =>
  typesIn(
    log,
    `identity.openIncidentOnCompromise-${tenantId}.${familyId === null ? '' : await incidentOf(log, familyId)}`,
  );

/** As a worker does, to whose queue the process gives the incident. */
export const containAsWorker = async ({ store }: Log, familyId: FamilyId | null): Promise<void> => {
  const incidentId = (familyId === null ? '' : await incidentOf({ store }, familyId)) as IncidentId;
  const deps = { store, clock, commandMetrics: noCommandMetrics };
  // The process has noted what it will do, and does it after that.
  await eventually(async () => {
    await containIncident(deps, { tenantId, incidentId, requestId: 'worker' });
    assert.notEqual((await typesIn({ store }, incidentStream(tenantId, incidentId))).length, 0);
  });
};

/** Of one reuse: how often the grant ended, the epoch rose, and an incident was opened. */
export const containment = async (log: Log, { grantId, familyId }: Opened, epochBefore: number) => {
  const incidentId = (await incidentOf(log, familyId as FamilyId)) as IncidentId;
  const ended = await typesIn(log, grantStream(tenantId, grantId as GrantId));
  const opened = (await typesIn(log, incidentStream(tenantId, incidentId))).filter((type) => type.includes('Opened'));
  const bumps = (await typesIn(log, principalStream(tenantId, personId))).filter((type) => type.includes('Epoch'));
  return {
    ended: ended.slice(1),
    opened,
    raised: (await epochOf(log)) - epochBefore,
    bumps: bumps.length - (epochBefore - 1),
  };
};

export const containedOnce = {
  ended: ['identity.GrantCompromised.v1'],
  opened: ['identity.IncidentOpened.v2'],
  raised: 1,
  bumps: 1,
};

/** As if the time of the holders had run out. */
export const expireLeases = (pool: Pool): Promise<unknown> =>
  pool.query(`update septet.leases set until = clock_timestamp()`);
