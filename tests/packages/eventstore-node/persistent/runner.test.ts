/** A group on real storage, where records are damaged or gone. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ConsumerConnection } from '../../../../packages/eventstore-node/src/persistent-subscriptions/consumer-connections';
import type { Message } from '../../../../packages/eventstore-node/src/persistent-subscriptions/group/messages';
import type { GroupDefinition } from '../../../../packages/eventstore-node/src/persistent-subscriptions/group-configuration';
import {
  type RunningGroup,
  startGroup,
} from '../../../../packages/eventstore-node/src/persistent-subscriptions/group-runner';
import {
  readLatestEvent,
  resolveGroupStart,
} from '../../../../packages/eventstore-node/src/persistent-subscriptions/start-position';
import { checkpointStream } from '../../../../packages/eventstore-node/src/persistent-subscriptions/system-streams';
import { createCommitNotifier } from '../../../../packages/eventstore-node/src/server/commit-notifier';
import { append } from '../../../../packages/eventstore-node/src/storage/append';
import { CorruptRecordError } from '../../../../packages/eventstore-node/src/storage/records/read-record';
import { openStorage, type Storage } from '../../../../packages/eventstore-node/src/storage/storage';
import { startWriter, type Writer } from '../../../../packages/eventstore-node/src/storage/writer';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { settings } from './world';

const stream = 'orders';
const key = `${stream}::workers`;

const newEvent = () => ({
  id: randomUUID(),
  type: 'Happened',
  json: true,
  data: Buffer.from('{}'),
  metadata: Buffer.alloc(0),
});

const writeEvents = async (directory: string, count: number): Promise<readonly Buffer[]> => {
  const storage = openStorage(directory);
  const writer = startWriter(storage, () => undefined);
  const events = Array.from({ length: count }, newEvent);
  await writer.write(append({ stream: Buffer.from(stream), expected: 'any', events }));
  const keys = [...storage.tables.log.getKeys()];
  await storage.tables.root.close();
  return keys;
};

interface Stage {
  readonly storage: Storage;
  readonly writer: Writer;
  readonly running: RunningGroup;
  readonly reported: unknown[];
}

const withGroup = async (directory: string, use: (stage: Stage) => Promise<void>): Promise<void> => {
  const storage = openStorage(directory);
  const commitNotifier = createCommitNotifier();
  const writer = startWriter(storage, commitNotifier.notify);
  const definition: GroupDefinition = {
    stream,
    group: 'workers',
    settings,
    filter: undefined,
    startedAfter: undefined,
  };
  const reported: unknown[] = [];
  const around = {
    storage,
    writer,
    commitNotifier: commitNotifier,
    report: (error: unknown) => void reported.push(error),
  };
  const running = startGroup(
    around,
    resolveGroupStart(storage, definition, () => true),
  );
  await use({ storage, writer, running, reported });
  await writer.idle();
  await storage.tables.root.close();
};

const peer = { userName: 'system', connectionName: 'test', slots: 10 };

interface Given {
  readonly connection: ConsumerConnection;
  readonly sent: readonly Message[];
}

/** A consumer, and what it is given, once it has so much. */
const given = (running: RunningGroup, count: number): Promise<Given> =>
  new Promise((resolve) => {
    const sent: Message[] = [];
    const send = (message: Message): void => {
      sent.push(message);
      if (sent.length === count) resolve({ connection, sent });
    };
    const connection = running.connect(peer, { send, drop: () => undefined });
  });

describe('runner of a group', () => {
  const home = temporaryDirectory('runner');
  after(() => home.remove());

  it('ends its calls at a damaged record, reports it, and says that it is over', async () => {
    const directory = `${home.path}/damaged`;
    const [, second] = await writeEvents(directory, 3);
    const storage = openStorage(directory);
    assert.ok(second !== undefined);
    const record = Buffer.from(storage.tables.log.get(second) ?? []);
    record.writeUInt8(record.readUInt8(record.length - 1) ^ 1, record.length - 1);
    storage.tables.log.putSync(second, record);
    await storage.tables.root.close();
    await withGroup(directory, async ({ running, reported }) => {
      const reason = await new Promise<unknown>((drop) => running.connect(peer, { send: () => undefined, drop }));
      assert.ok(reason instanceof CorruptRecordError);
      assert.equal(running.isOver(), true);
      assert.equal(reported.length, 1);
    });
  });

  it('lets go of an event whose record is removed before it is sent', async () => {
    const directory = `${home.path}/gone`;
    const [first] = await writeEvents(directory, 2);
    await withGroup(directory, async ({ storage, running }) => {
      const { connection, sent } = await given(running, 2);
      const [one, other] = sent;
      assert.ok(first !== undefined && one !== undefined && other !== undefined);
      storage.tables.log.removeSync(first);
      assert.equal(connection.load(one), undefined);
      assert.notEqual(connection.load(other), undefined);
      assert.deepEqual([...running.group.inFlight.keys()], [other.id]);
    });
  });

  it('writes what is settled when it stops, and nothing when it is to be forgotten', async () => {
    for (const forget of [false, true]) {
      const directory = `${home.path}/${forget}`;
      await writeEvents(directory, 1);
      await withGroup(directory, async ({ storage, writer, running }) => {
        const { connection, sent } = await given(running, 1);
        connection.ack(sent.map(({ id }) => id));
        running.stop(new Error('over'), forget);
        await running.idle();
        await writer.idle();
        assert.equal(readLatestEvent(storage, checkpointStream(key)), forget ? undefined : '0');
      });
    }
  });
});
