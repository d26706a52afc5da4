/** Viewers of logs that are many, slow, or leave and come back, over server-sent events and WebSockets. */
import assert from 'node:assert/strict';
import type { JobId } from '../../../domain/workflow/ids';
import type { LogChunk } from '../../../domain/workflow/protocol/runner';
import { retainedBytes } from '../../support/runner/retained-memory';
import { sized } from '../../support/runner/size';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { type ControlService, chunkOf, chunksOf, startControlService } from '../../support/workflow/control-service';

interface Event {
  readonly type: string;
  readonly chunkOffset?: number;
  readonly text?: string;
  readonly isWhole?: boolean;
}
interface Assigned {
  readonly jobId: JobId;
  readonly epoch: number;
}
/** Reads events from an offset until it leaves, or the log ends. Answers whether it ended. */
type Viewer = (jobId: JobId, from: number, seen: (event: Event) => 'stay' | 'leave') => Promise<'left' | 'ended'>;

const leavers = sized({ short: 12, long: 60 });
const crowd = 200;
const chunkBytes = 65_536;
const unreadBytes = 50 * 2 ** 20;
/** Of both viewers that do not read, with their pages, and what the process retains otherwise. */
const mostRetained = 16 * 2 ** 20;

describe('viewers of logs', function () {
  this.timeout(120_000);
  const log = logOnNode('workflow-followers');
  let service: ControlService;
  let credential: string;
  before(async () => {
    service = await startControlService({ store: log.store, lateLogMilliseconds: 300 });
    ({ credential } = await service.register());
  });
  after(() => service.close());

  const assigned = async (): Promise<Assigned> => {
    await service.queueRun();
    const answer = await service.json('/runner/poll', credential, { slots: 1 });
    const { messages } = (await answer.json()) as { messages: { assignment: Assigned }[] };
    const [message] = messages;
    assert.ok(message !== undefined);
    return message.assignment;
  };
  const append = async ({ jobId, epoch }: Assigned, chunks: readonly LogChunk[]): Promise<void> => {
    const answer = await service.json(`/runner/jobs/${jobId}/logs`, credential, { epoch, chunks });
    assert.equal(answer.status, 200, await answer.text());
  };
  const complete = async ({ jobId, epoch }: Assigned, logChunks: number): Promise<void> => {
    const body = { epoch, result: 'success', reason: null, outputs: {}, steps: [], annotations: [], summary: null };
    const answer = await service.json(`/runner/jobs/${jobId}/complete`, credential, { ...body, logChunks });
    assert.equal(answer.status, 204);
  };

  const overSocket: Viewer = async (jobId, from, seen) => {
    const client = await service.logSocket(jobId, `?fromOffset=${from}`);
    for (;;) {
      const event = (await client.next()) as unknown as Event;
      const isLeaving = seen(event) === 'leave';
      if (event.type !== 'log_end' && !isLeaving) continue;
      client.socket.terminate();
      return event.type === 'log_end' ? 'ended' : 'left';
    }
  };
  const overEvents: Viewer = async (jobId, from, seen) => {
    const leaving = new AbortController();
    const headers: Record<string, string> = from === 0 ? {} : { 'Last-Event-ID': String(from - 1) };
    const answer = await service.call(`/actions/jobs/${jobId}/logs/events`, { headers, signal: leaving.signal });
    assert.equal(answer.status, 200);
    let text = '';
    let end: 'left' | 'ended' | undefined;
    const decoder = new TextDecoder();
    for await (const bytes of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      text += decoder.decode(bytes, { stream: true });
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data === undefined || end !== undefined) continue;
        const event = JSON.parse(data) as Event;
        if (seen(event) === 'leave') end = 'left';
        if (event.type === 'log_end') end = 'ended';
      }
      if (end !== undefined) break;
    }
    leaving.abort();
    return end ?? 'left';
  };
  /** Leaves after every few chunks, and comes back behind the last one that it saw. */
  const watch = async (viewer: Viewer, jobId: JobId, stays: number): Promise<readonly number[]> => {
    const offsets: number[] = [];
    for (;;) {
      let count = 0;
      const end = await viewer(jobId, (offsets.at(-1) ?? -1) + 1, (event) => {
        if (event.type !== 'log_chunk') return 'stay';
        offsets.push(event.chunkOffset ?? -1);
        count += 1;
        return count >= stays ? 'leave' : 'stay';
      });
      if (end === 'ended') return offsets;
    }
  };
  const numbersOf = (chunks: readonly LogChunk[]) => chunks.map(({ chunkOffset }) => chunkOffset);

  it('that leave and come back miss nothing and see nothing twice, while the log grows', async () => {
    const job = await assigned();
    const chunks = chunksOf(Array.from({ length: 120 }, (_, number) => `line ${number} 🦩\n`));
    await append(job, chunks.slice(0, 5));
    const watching = Array.from({ length: leavers }, (_, index) =>
      watch(index % 2 === 0 ? overSocket : overEvents, job.jobId, 5 + 3 * index),
    );
    for (let from = 5; from < chunks.length; from += 5) await append(job, chunks.slice(from, from + 5));
    await complete(job, chunks.length);
    for (const offsets of await Promise.all(watching)) assert.deepEqual(offsets, numbersOf(chunks));
  });

  it(`see all of one log, ${crowd} of them at once`, async () => {
    const job = await assigned();
    const texts = Array.from({ length: 40 }, (_, number) => `${number} ${'x'.repeat(200)}\n`);
    const chunks = chunksOf(texts);
    await append(job, chunks.slice(0, 10));
    const watching = Array.from({ length: crowd }, async (_, index) => {
      const seen: Event[] = [];
      const viewer = index % 2 === 0 ? overSocket : overEvents;
      const end = await viewer(job.jobId, 0, (event) => {
        seen.push(event);
        return 'stay';
      });
      return { end, seen };
    });
    for (let from = 10; from < chunks.length; from += 10) await append(job, chunks.slice(from, from + 10));
    await complete(job, chunks.length);
    for (const { end, seen } of await Promise.all(watching)) {
      assert.equal(end, 'ended');
      assert.equal(seen.map(({ text = '' }) => text).join(''), texts.join(''));
      assert.equal(seen.at(-1)?.isWhole, true);
    }
  });

  it('that never read cost bounded memory, and see the rest when they read at last', async () => {
    const job = await assigned();
    const text = `${'0123456789abcde'.repeat(chunkBytes / 15)}\n`.slice(-chunkBytes);
    const count = unreadBytes / chunkBytes;
    await append(job, [chunkOf(0, text, { encoding: 'gzip' })]);
    const socket = await service.logSocket(job.jobId);
    socket.socket.pause();
    const leaving = new AbortController();
    const unread = await service.call(`/actions/jobs/${job.jobId}/logs/events`, { signal: leaving.signal });
    const before = await retainedBytes();
    const batch = 32;
    for (let from = 1; from < count; from += batch) {
      const numbers = Array.from({ length: Math.min(batch, count - from) }, (_, index) => from + index);
      const sent = numbers.map((number) => chunkOf(number, text, { byteStart: number * chunkBytes, encoding: 'gzip' }));
      await append(job, sent);
    }
    const growth = (await retainedBytes()) - before;
    assert.ok(growth < mostRetained, `${Math.round(growth / 2 ** 20)} MiB are retained`);
    await complete(job, count);
    socket.socket.resume();
    const offsets: number[] = [];
    for (;;) {
      const event = (await socket.next()) as unknown as Event;
      if (event.type === 'log_chunk') offsets.push(event.chunkOffset ?? -1);
      if (event.type === 'log_end') break;
    }
    assert.deepEqual(
      offsets,
      Array.from({ length: count }, (_, index) => index),
    );
    leaving.abort();
    await assert.rejects(unread.text());
  });
});
