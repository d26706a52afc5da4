import assert from 'node:assert/strict';
import {
  type CountDelegation,
  earlierLiveStreams,
  type LiveDelegationEvent,
  liveDelegations,
  maxLiveOfDelegator,
  maxLiveOfTenant,
} from '../../../domain/identity/delegation/live-delegations';
import type { DelegationId } from '../../../domain/identity/ids';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { given } from '../../kernel/domain/given-when-then';
import { noon, tenantId } from '../examples';
import { delegationId, delegatorId } from './examples';
import { openDelegations } from './fixture';

const expiresAt = plusSeconds(noon, 3_600);
const count = (changes: Partial<CountDelegation> = {}): CountDelegation => ({
  type: 'CountDelegation',
  ...{ delegationId, delegatorId, expiresAt, earlier: [], at: noon },
  ...changes,
});
const counted = (id: string = delegationId, by: PrincipalId = delegatorId): LiveDelegationEvent => ({
  type: 'DelegationCounted',
  data: { delegationId: id as DelegationId, delegatorId: by, expiresAt },
});
const many = (number: number, by?: (at: number) => PrincipalId): readonly LiveDelegationEvent[] =>
  Array.from({ length: number }, (_, at) => counted(`other-${at}`, by?.(at)));
const uncounted: LiveDelegationEvent = { type: 'DelegationUncounted', data: { delegationId } };

describe('live delegations', () => {
  it('are counted once', () => given(liveDelegations).when(count()).then(counted()));
  it('are the same when repeated', () => given(liveDelegations, counted()).when(count()).thenNothing());
  it('of a delegator are limited', () =>
    given(liveDelegations, ...many(maxLiveOfDelegator))
      .when(count())
      .rejects('too-many-delegations'));
  it('of a delegator are limited with those of the hours before', () => {
    const earlier = [new Map([['-0', new Map([['d-0' as DelegationId, { delegatorId, expiresAt }]])]])];
    return given(liveDelegations, ...many(maxLiveOfDelegator - 1))
      .when(count({ earlier }))
      .rejects('too-many-delegations');
  });
  it('of a tenant are limited', () =>
    given(liveDelegations, ...many(maxLiveOfTenant, (at) => `p-${at}` as PrincipalId))
      .when(count())
      .rejects('too-many-delegations'));
  it('are counted until they expire', () =>
    given(liveDelegations, ...many(maxLiveOfDelegator))
      .when(count({ at: expiresAt }))
      .then(counted()));
  it('are counted no more once they are revoked', () =>
    given(liveDelegations, counted()).when({ type: 'UncountDelegation', delegationId }).then(uncounted));
  it('are not uncounted twice', () =>
    given(liveDelegations, counted(), uncounted).when({ type: 'UncountDelegation', delegationId }).thenNothing());
  it('are in the streams of nine hours', () => {
    const streams = earlierLiveStreams(tenantId, noon);
    assert.deepEqual([streams.length, streams[0]], [8, 'identity.liveDelegations-acme.2026013111']);
  });

  it('are refused over HTTP beyond their number, until one is revoked', async () => {
    const world = await openDelegations();
    const made = await Promise.all(Array.from({ length: maxLiveOfDelegator }, () => world.created()));
    const refused = await world.create();
    assert.deepEqual(
      [refused.status, ((await refused.json()) as { code: string }).code],
      [409, 'too-many-delegations'],
    );
    assert.equal((await world.revoke(made[0]?.delegationId ?? '')).status, 200);
    assert.equal((await world.create()).status, 201);
    await world.close();
  });
});
