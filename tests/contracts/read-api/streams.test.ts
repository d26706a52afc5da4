/** Streams through processes that are killed: every event once and in order, on both transports; rights end with a reason. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { type PrincipalEvent, principals } from '../../../domain/identity/principal/events';
import { registered } from '../../identity/examples';
import { metadata } from '../../identity/read-api/fixture';
import { readServerSentEvents } from '../../identity/read-api/server-sent-events';
import { openSocketClient } from '../../support/http/socket-client';
import { startFollower } from '../../support/http/stream-followers';
import { startStreamProcesses } from '../../support/processes/stream-processes';
import { eventually } from '../../support/waiting/eventually';
import { recordIn } from './fixture';

const reading = { scopes: ['security:read'] };
const anything = { ...registered, data: { ...registered.data, tenantId: 'acme' } } as PrincipalEvent;

describe('streams across processes', function () {
  this.timeout(120_000);
  let all: Awaited<ReturnType<typeof startStreamProcesses>>;
  before(async () => {
    all = await startStreamProcesses();
  });
  after(() => all.close());

  const record = async (event: PrincipalEvent = anything): Promise<string> =>
    String(await recordIn(all.store, event, 'acme' as never));
  /** Now: what was revoked long ago is of no interest, for the tokens of then have expired. */
  const revoke = async (principalId: string): Promise<void> => {
    const event = {
      type: 'SecurityEpochBumped',
      data: { principalId, from: 1, to: 2, grants: 'ended', reason: 'Lost.' },
    } as const;
    const stored = { id: randomUUID(), ...principals.encode(event as never) };
    const recorded = { ...stored, metadata: { ...metadata('acme'), at: new Date().toISOString() } };
    assert.ok(isRight(await all.store.append(`identity.principal-acme.${principalId}`, 'any', [recorded])));
  };
  const following = () => ({ port: all.port, headers: () => all.headers(reading) });
  const socketUrl = () => `ws://127.0.0.1:${all.port}/v1/streams`;

  for (const signal of ['SIGKILL', 'SIGTERM'] as const)
    for (const name of ['read-api', 'gateway', 'event store'] as const)
      it(`go on without gap or repetition when the ${name} ends by ${signal}`, async () => {
        const recorded: string[] = [];
        const all40 = (seen: readonly string[]): boolean => seen.length >= 40;
        const followers = [
          await startFollower('sse', following(), all40),
          await startFollower('websocket', following(), all40),
        ];
        for (let count = 0; count < 20; count += 1) recorded.push(await record());
        const restarting = all.parts[name].restart(signal);
        if (name === 'event store') await restarting;
        for (let count = 0; count < 20; count += 1) recorded.push(await record());
        await restarting;
        for (const { done, seen, returns } of followers) {
          await done;
          assert.deepEqual(seen, recorded);
          assert.ok(name === 'event store' || returns() > 0, 'the stream was not interrupted');
        }
      });

  it('end when the principal’s epoch rises, and say why', async () => {
    const victim = { ...reading, sub: 'p-77' };
    const socket = await openSocketClient(socketUrl(), { headers: all.headers(victim) });
    const path = `http://127.0.0.1:${all.port}/v1/security/events/stream`;
    const next = readServerSentEvents(await fetch(path, { headers: all.headers(victim) }));
    assert.equal((await next())?.event, 'ready');
    await revoke('p-77');
    assert.deepEqual(await socket.closed, { code: 4403, reason: 'token_revoked' });
    let event = await next();
    while (event !== undefined && event.event !== 'end') event = await next();
    assert.equal(JSON.parse(event?.data ?? '{}').code, 'token_revoked');
    await eventually(async () => assert.equal((await fetch(path, { headers: all.headers(victim) })).status, 401));
  });
});
