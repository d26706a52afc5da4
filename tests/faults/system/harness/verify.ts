/** Compares everything that is stored with the ledger: the log, received events, effects of processes, and every view. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { derivedId } from '../../../../commands/kernel/deterministic-ids';
import { openEventStore } from '../../../../infra/adapters/eventstore/event-store';
import { openRedactingStore } from '../../../../infra/adapters/vault/encrypting-store';
import type { StoredEvent } from '../../../../infra/ports/event-store';
import { securityEventOf, securityEventStreams } from '../../../../projections/identity/security-events/view';
import { requirePrerequisites } from '../../../support/runner/prerequisites';
import { eventually } from '../../../support/waiting/eventually';
import type { System } from './fixture';
import type { Acknowledged } from './load';

const tenant = 'main';

const eventsOf = async ({ stores }: System, prefixes: readonly string[]): Promise<readonly StoredEvent[]> => {
  // As the query side reads it: what is sealed stays closed.
  const store = openRedactingStore(openEventStore({ url: stores.direct.EVENTSTORE_URL as string }));
  const events: StoredEvent[] = [];
  for await (const event of store.readAll({ after: null, filter: { streams: prefixes } })) events.push(event);
  await store.close();
  return events;
};

const byStream = (events: readonly StoredEvent[]): ReadonlyMap<string, readonly StoredEvent[]> => {
  const streams = new Map<string, StoredEvent[]>();
  for (const event of events) {
    const before = streams.get(event.stream);
    if (before === undefined) streams.set(event.stream, [event]);
    else before.push(event);
  }
  return streams;
};

const commandOf = ({ metadata }: StoredEvent): unknown => (metadata as { commandId?: unknown }).commandId;

const whole = ['PrincipalRegistered', 'PrincipalSuspended', 'SecurityEpochBumped', 'PrincipalReactivated'];

/** Every acknowledged command is at the position of its answer; nothing was recorded twice, nothing left out. */
export const verifyLog = async (system: System): Promise<number> => {
  const streams = byStream(await eventsOf(system, ['identity.principal-']));
  const { principalId: admin } = system.session;
  const check = ({ principalId, revision, key }: Acknowledged): void => {
    const event = streams.get(`identity.principal-${tenant}.${principalId}`)?.[revision];
    assert.ok(event !== undefined, `${principalId} has revision ${revision}`);
    assert.equal(event.revision, revision);
    assert.equal(commandOf(event), derivedId('command', tenant, admin, key));
  };
  system.ledger.forEach(check);
  for (const [stream, events] of streams) {
    if (!events.every(({ metadata }) => (metadata as { actor?: unknown }).actor === admin)) continue;
    assert.deepEqual(
      events.map(({ revision }) => revision),
      [...events.keys()],
      `${stream} is dense`,
    );
    const types = events.map(({ type }) => type.split('.')[1]);
    assert.deepEqual(types, whole.slice(0, types.length), stream);
  }
  return streams.size;
};

const amountsOf = (events: readonly StoredEvent[] = []): readonly number[] =>
  events.map(({ data }) => Number((data as { amount: number }).amount)).toSorted((one, other) => one - other);

const tallyStream = (id: string): string => `sample.tally-${tenant}.${id}`;

/** What processes did about one principal. */
export const tallyOf = async (system: System, id: string): Promise<readonly number[]> =>
  amountsOf(await eventsOf(system, [tallyStream(id)]));

/** A command, a timer and a job for each that was registered: each exactly once; timers that are not due may be missing. */
const processesHold = (system: System): Promise<void> =>
  eventually(async () => {
    const tallies = byStream(await eventsOf(system, ['sample.tally-']));
    const ids = new Set(system.ledger.map(({ principalId }) => principalId));
    for (const id of ids) {
      const found = amountsOf(tallies.get(tallyStream(id)));
      assert.deepEqual(found, system.notDue.has(id) && found.length === 2 ? [1, 100] : [1, 10, 100], id);
    }
  });

/** Each event that the log holds now, once and in order, whatever became of the connection in between; more may have come since. */
export const verifyFollowers = async (system: System): Promise<void> => {
  const events = await eventsOf(system, securityEventStreams);
  const securityEvents = events.filter((event) => securityEventOf(event) !== undefined);
  const positions = securityEvents.map(({ position }) => position.toString());
  for (const { seen } of system.followers) {
    const first = positions.indexOf(seen[0] as string);
    assert.ok(first >= 0);
    const expected = positions.slice(first);
    await eventually(async () => assert.deepEqual(seen.slice(0, expected.length), expected));
  }
};

/** To build every view from zero. */
const rebuildTimeoutMilliseconds = 480_000;

/** Every acknowledged command once in the log, with its effects, and received by every follower. */
export const verifyNothingLost = async (system: System): Promise<void> => {
  await verifyLog(system);
  await processesHold(system);
  await verifyFollowers(system);
};

/** Each view equals one that is made from the log alone, which is what a rebuild compares before it switches. */
export const verifyViews = async ({ data, ledger, session }: System): Promise<void> => {
  await requirePrerequisites('npm');
  const rebuild = promisify(execFile)('npm', ['run', '-s', 'rebuild', '--', '--all'], {
    env: { ...process.env, DATA_DIR: data },
    timeout: rebuildTimeoutMilliseconds,
  });
  const { stdout } = await rebuild.catch((error: Error & { readonly stdout?: string }) =>
    assert.fail(`${error.message}\n${error.stdout}`),
  );
  for (const view of ['identity_principals', 'identity_principal_history', 'identity_security_events'])
    assert.match(stdout, new RegExp(view));
  const last = new Map(ledger.map(({ principalId, revision }) => [principalId, revision]));
  for (const [principalId, revision] of [...last].slice(-20)) {
    const found = await session.send('GET', `/v1/principals/${principalId}`);
    assert.equal(found?.status, 200);
    assert.equal(found.headers.get('etag'), `W/"${revision}"`);
  }
};
