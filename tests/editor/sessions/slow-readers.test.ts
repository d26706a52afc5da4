import assert from 'node:assert/strict';
import { left, right } from 'fp-ts/Either';
import { mergeFrames } from '../../../commands/editor/document-owner/broadcast/operation-frames';
import type { Broadcast, DocumentHandle } from '../../../commands/editor/document-owner/document-handle';
import { ownerSettings } from '../../../commands/editor/document-owner/settings';
import { sessionMetrics } from '../../../commands/editor/sessions/metrics';
import { encodeMessage, snapshotMessageCache } from '../../../commands/editor/sessions/outbound/message-encoding';
import { type OutboundStream, openOutboundStream } from '../../../commands/editor/sessions/outbound/outbound-stream';
import type { ServerMessage } from '../../../domain/editor/protocol/server-messages';
import { fault } from '../../../domain/kernel/rejection';
import { openMetrics } from '../../../infra/server/runtime/metrics';
import { eventually } from '../../support/waiting/eventually';
import { client, opened, type Stage, stage, submit, writer } from '../document-owner/fixture';
import { openSocketDouble } from './socket-double';

const everybody = encodeMessage({ type: 'presence', members: [] });

describe('a client that does not read', () => {
  let write: ReturnType<typeof writer>;
  let now: Stage;
  let document: DocumentHandle;
  let line: ReturnType<typeof openSocketDouble>;
  let feed: OutboundStream;
  let unfollow: () => void;
  beforeEach(async () => {
    const snapshot = { ...ownerSettings.snapshot, operations: 20 };
    now = stage({ backlog: { operations: 10, bytes: 1_000_000 }, snapshot });
    document = await opened(now.owner());
    line = openSocketDouble();
    write = writer(client('ada'));
  });
  afterEach(() => now.close());

  const follow = async (hasSnapshot = true): Promise<void> => {
    const away = left(fault('snapshots-unavailable', 'Away.'));
    feed = openOutboundStream(
      {
        socket: line.socket,
        document,
        presenceMessage: () => everybody,
        leaving: new AbortController().signal,
        snapshotBytes: snapshotMessageCache(async () => (hasSnapshot ? right([]) : away)),
        metrics: sessionMetrics(openMetrics('editor')),
        failed: (error) => assert.fail(String(error)),
      },
      document.committedVersion(),
    );
    unfollow = document.subscribe((broadcast) =>
      feed.sendFrame(broadcast.kind === 'operations' ? broadcast : undefined),
    );
    await eventually(async () => assert.deepEqual(line.types(), ['presence']));
    line.sent.splice(0);
  };
  const commit = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) await submit(document, [write.create(write.next())]);
  };
  const isAtHead = () => eventually(async () => assert.equal(feed.version(), document.committedVersion()));

  it('gets each frame separately while it reads', async () => {
    await follow();
    await commit(3);
    assert.deepEqual(line.types(), ['operations', 'operations', 'operations']);
  });

  it('gets nothing until it reads, and then the missed operations in one frame', async () => {
    await follow();
    line.pause();
    await commit(5);
    feed.sendPresence(encodeMessage({ type: 'presence', members: [] }));
    const bytes = encodeMessage({
      type: 'ack',
      clientSeq: 1,
      committedVersion: document.committedVersion(),
      opIds: [],
    });
    feed.acknowledge(document.committedVersion(), bytes);
    // The first was on its way when the client stopped reading.
    assert.deepEqual(line.types(), ['operations']);
    line.read();
    await isAtHead();
    await eventually(async () => assert.deepEqual(line.types(), ['operations', 'operations', 'ack', 'presence']));
    const merged = line.sent[1] as ServerMessage<'operations'>;
    assert.equal(merged.operations.length, 4);
    await commit(1);
    assert.equal(line.types().at(-1), 'operations');
  });

  it('gets the operations of an acknowledgement before it, also before their broadcast; later only new ones', async () => {
    await follow();
    const held: Broadcast[] = [];
    unfollow();
    document.subscribe((broadcast) => held.push(broadcast));
    await commit(3);
    const after = document.committedVersion();
    feed.acknowledge(after, encodeMessage({ type: 'ack', clientSeq: 3, committedVersion: after, opIds: [] }));
    assert.deepEqual(line.types(), ['operations', 'ack']);
    await commit(1);
    for (const frame of mergeFrames(held.flatMap((one) => (one.kind === 'operations' ? one : []))))
      feed.sendFrame(frame);
    assert.deepEqual(line.types(), ['operations', 'ack', 'operations']);
    const versions = line.sent.flatMap((message) =>
      message.type === 'operations' ? [[message.fromVersion, message.toVersion]] : [],
    );
    assert.deepEqual(versions.flat(), [after - 2, after, after + 1, after + 1]);
  });

  it('gets a snapshot if the backlog does not have the missed operations', async () => {
    await follow();
    line.pause();
    await commit(60);
    await eventually(async () => assert.ok(document.framesAfter(feed.version()) === undefined));
    line.read();
    await isAtHead();
    assert.deepEqual(line.types().slice(0, 3), ['operations', 'rebaseRequired', 'snapshot']);
  });

  it('is disconnected to retry if the snapshot is unavailable', async () => {
    await follow(false);
    line.pause();
    await commit(60);
    await eventually(async () => assert.ok(document.framesAfter(feed.version()) === undefined));
    line.read();
    await eventually(async () =>
      assert.deepEqual(
        line.ends.map(({ code }) => code),
        ['service-unavailable'],
      ),
    );
  });
});
