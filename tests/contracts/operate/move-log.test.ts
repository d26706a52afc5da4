/** An installation that moves to another log, in either direction, with what its processes and timers have come to. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { openLogAnchors } from '../../../infra/adapters/eventstore/log-anchors';
import { openLogRecord } from '../../../infra/adapters/postgres/log-record';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import type { LogPlace } from '../../../infra/operate/backup/installation';
import { type MovedLog, moveLog } from '../../../infra/operate/backup/move-log';
import type { EventStore } from '../../../infra/ports/event-store';
import { identifyLog } from '../../../infra/server/log-identity/identify-log';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { type EventStoreNode, startNodeHere } from '../../support/servers/event-store-node';
import { freshDatabase } from '../../support/servers/shared-servers';
import { ok } from '../views/suite/view-store';
import { rowsOf } from './fixture';

const quietly = (): void => undefined;

/** In many streams at once, so that an import gives them another order. */
const fill = async (store: EventStore, streams: number, rounds: number): Promise<void> => {
  const names = Array.from({ length: streams }, () => `sample.thing-acme.${randomUUID()}`);
  for (let round = 0; round < rounds; round += 1)
    for (const stream of names) {
      const id = randomUUID();
      const event = {
        id,
        type: 'sample.Happened.v1',
        data: { round, pad: 'x'.repeat(round) },
        metadata: { commandId: id },
      };
      ok(await store.append(stream, 'any', [event] as never));
    }
};

interface Seen {
  readonly id: string;
  readonly position: bigint;
}

const eventsOf = async (store: EventStore): Promise<readonly Seen[]> => {
  const found: Seen[] = [];
  for await (const { id, position } of store.readAll({ after: null })) found.push({ id, position });
  return found;
};

describe('a move to another log', function () {
  this.timeout(120_000);
  const home = temporaryDirectory('move');
  const data = join(home.path, 'data');
  const embedded = { kind: 'directory', path: join(data, 'eventstore') } as const;
  let node: EventStoreNode;
  let postgres: string;

  const onNode = async <A>(directory: string, work: (store: EventStore, url: string) => Promise<A>): Promise<A> => {
    const own = await startNodeHere(directory);
    const store = openEventStore({ url: own.url });
    try {
      return await work(store, own.url);
    } finally {
      await store.close();
      await own.stop();
    }
  };
  const identify = async (url: string) => {
    const [record, anchors] = [openLogRecord({ url: postgres }), openLogAnchors(url)];
    try {
      return await identifyLog({ record, anchors, address: 'here' });
    } finally {
      await Promise.all([record.close(), anchors.close()]);
    }
  };
  const move = (from: LogPlace | undefined, to: LogPlace): Promise<MovedLog> =>
    moveLog({ data, env: { POSTGRES_URL: postgres }, from, to, report: quietly });
  const positionsIn = async (table: string): Promise<readonly bigint[]> => {
    const rows = await rowsOf(postgres, `select position from septet.${table} where position is not null order by 1`);
    return (rows as readonly { position: string }[]).map(({ position }) => BigInt(position));
  };
  const remote = (): LogPlace => ({ kind: 'server', url: node.url });

  let events: readonly Seen[];
  const [near, far] = [0.5, 0.9];
  const idAt = (part: number): Seen => events[Math.floor(events.length * part)] as Seen;

  before(async () => {
    postgres = await freshDatabase();
    assert.ok(isRight(await migrate({ url: postgres, readerPassword: 'reads' })));
    node = await startNodeHere(join(home.path, 'remote'));
    events = await onNode(embedded.path, async (store, url) => {
      await fill(store, 30, 40);
      assert.ok(isRight(await identify(url)));
      return eventsOf(store);
    });
    const checkpoint = (name: string, { position }: Seen) =>
      rowsOf(
        postgres,
        `insert into septet.process_checkpoints (process, position, token) values ('${name}', ${position}, 3)`,
      );
    await checkpoint('near', idAt(near));
    await checkpoint('far', idAt(far));
    await checkpoint('end', events.at(-1) as Seen);
    await rowsOf(postgres, "insert into septet.process_checkpoints (process, position, token) values ('new', null, 1)");
    await rowsOf(
      postgres,
      `insert into septet.timers values ('t-1', 'far', 'sample.x-acme.1', 'k', ${idAt(near).position}, 0, now(), '{}', 'pending')`,
    );
    await rowsOf(
      postgres,
      `create table septet.sample_things_v1 (id text); create view septet.sample_things as select * from septet.sample_things_v1;
       insert into septet.view_generations (view, number, version, position, active) values ('sample_things', 1, 1, 5, true)`,
    );
  });
  after(async () => {
    await node.stop();
    home.remove();
  });

  it('is refused while processes run', async () => {
    await rowsOf(postgres, "insert into septet.leases values ('process.sample', 12, now() + interval '1 minute')");
    await assert.rejects(move(embedded, remote()), /process\.sample.*stop all of them first/);
    await rowsOf(postgres, 'delete from septet.leases');
  });

  it('is refused into a log of others, and from one that is not the own', async () => {
    const others = await startNodeHere(join(home.path, 'others'));
    const store = openEventStore({ url: others.url });
    await fill(store, 1, 3);
    const there: LogPlace = { kind: 'server', url: others.url };
    await assert.rejects(move(embedded, there), /in use: 3 of its events are not of this log/);
    await assert.rejects(move(there, remote()), /is not the one that this installation has followed, at here/);
    assert.equal((await eventsOf(store)).length, 3);
    await store.close();
    await others.stop();
  });

  it('goes on where it was stopped, and gives checkpoints and timers the positions of the other log', async () => {
    // What an earlier attempt left: the first events of some streams.
    const [first] = await onNode(join(data, 'eventstore'), async (store) => {
      const streams = new Set<string>();
      for await (const { stream } of store.readAll({ after: null, limit: 5 })) streams.add(stream);
      return Promise.all([...streams].map((stream) => store.read(stream)));
    });
    const store = openEventStore({ url: node.url });
    const some = ok(first as never) as unknown as readonly { stream: string }[];
    ok(await store.append(some[0]?.stream as string, 'no-stream', some.slice(0, 7) as never));
    const refusedBefore = await identify(node.url);
    assert.match(JSON.stringify(refusedBefore), /another-log.*npm run move/);

    const moved = await move(embedded, remote());
    assert.deepEqual([moved.events, moved.checkpoints, moved.timers], [events.length, 3, 1]);
    const copy = await eventsOf(store);
    assert.deepEqual(copy.map(({ id }) => id).sort(), events.map(({ id }) => id).sort());
    const handledTo = async (name: string, part: number): Promise<void> => {
      const [row] = await rowsOf(postgres, `select position from septet.process_checkpoints where process = '${name}'`);
      const position = BigInt((row as { position: string }).position);
      const handled = new Set(events.filter((one) => one.position <= idAt(part).position).map(({ id }) => id));
      for (const one of copy)
        if (one.position <= position) assert.ok(handled.has(one.id), `${name} passes over an event`);
    };
    await handledTo('near', near);
    await handledTo('far', far);
    assert.equal((await positionsIn('process_checkpoints')).at(-1), copy.at(-1)?.position);
    assert.deepEqual(await positionsIn('timers'), [copy.find(({ id }) => id === idAt(near).id)?.position]);
    assert.deepEqual(await rowsOf(postgres, 'select * from septet.view_generations'), []);
    assert.deepEqual(await rowsOf(postgres, "select to_regclass('septet.sample_things_v1') as there"), [
      { there: null },
    ]);
    assert.ok(isRight(await identify(node.url)));
    await store.close();
  });

  it('leaves the log before as it was, which is not started on any more', () =>
    onNode(join(data, 'eventstore'), async (store, url) => {
      assert.deepEqual(await eventsOf(store), events);
      assert.match(JSON.stringify(await identify(url)), /another-log/);
    }));

  it('goes back into the directory, beside the log that was there, in the order of the other log', async () => {
    const store = openEventStore({ url: node.url });
    await fill(store, 2, 2);
    const copy = await eventsOf(store);
    assert.ok(isRight(await identify(node.url)));
    await store.close();
    const { setAside } = await move(remote(), embedded);
    assert.ok(setAside !== undefined && existsSync(setAside));
    assert.deepEqual(
      readdirSync(data).filter((name) => name.endsWith('-moving')),
      [],
    );
    await onNode(join(data, 'eventstore'), async (back, url) => {
      const found = await eventsOf(back);
      assert.deepEqual(
        found.map(({ id }) => id),
        copy.map(({ id }) => id),
      );
      assert.notDeepEqual(found, copy, 'positions differ');
      assert.ok(isRight(await identify(url)));
    });
  });

  it('takes a log as it is when its own is gone: processes go through it from its beginning', async () => {
    await move(undefined, remote());
    assert.deepEqual([await positionsIn('process_checkpoints'), await positionsIn('timers')], [[], []]);
    assert.ok(isRight(await identify(node.url)));
  });
});

describe('a log that is not the own', function () {
  this.timeout(60_000);
  const home = temporaryDirectory('another-log');
  after(home.remove);
  let postgres: string;

  const check = async (url: string) => {
    const [record, anchors] = [openLogRecord({ url: postgres }), openLogAnchors(url)];
    const found = await identifyLog({ record, anchors, address: 'other.example:2113' });
    await Promise.all([record.close(), anchors.close()]);
    return found;
  };
  const withEvents = async (name: string, count: number): Promise<EventStoreNode> => {
    const node = await startNodeHere(join(home.path, name));
    const store = openEventStore({ url: node.url });
    await fill(store, 1, count);
    await store.close();
    return node;
  };

  it('is recorded first, and then announced by one event: longer, shorter, empty or older', async () => {
    postgres = await freshDatabase();
    assert.ok(isRight(await migrate({ url: postgres, readerPassword: 'reads' })));
    const nodes = [
      await withEvents('own', 10),
      await withEvents('longer', 40),
      await withEvents('shorter', 2),
      await withEvents('empty', 0),
    ];
    const [own, ...others] = nodes as [EventStoreNode, ...EventStoreNode[]];
    const first = ok(await check(own.url));
    assert.equal(first.isFirst, true);
    for (const other of others) {
      const refused = await check(other.url);
      assert.match(
        JSON.stringify(refused),
        /another-log.*other\.example:2113 is not the one.*npm run move/,
        other.data,
      );
    }
    assert.equal(ok(await check(own.url)).id, first.id);
    await rowsOf(
      postgres,
      "insert into septet.process_checkpoints (process, position, token) values ('ahead', 900000000, 1)",
    );
    assert.match(
      JSON.stringify(await check(own.url)),
      /ends at position \d+, and views and processes have come to 900000000/,
    );
    for (const node of nodes) await node.stop();
  });
});
