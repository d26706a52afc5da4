import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { JobId, RunId } from '../../../domain/workflow/ids';
import type { LogChunk } from '../../../domain/workflow/protocol/runner';
import { epochBump } from '../../support/gateway/revocations';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { eventually } from '../../support/waiting/eventually';
import { type ControlService, chunkOf, chunksOf, startControlService } from '../../support/workflow/control-service';

interface Event {
  readonly type: string;
  readonly chunkOffset?: number;
  readonly text?: string;
  readonly status?: string;
  readonly isWhole?: boolean;
  readonly chunks?: number;
}

interface Page {
  readonly attempt: number;
  readonly chunks: readonly {
    readonly chunkOffset: number;
    readonly text: string;
    readonly byteOffsetEnd: number;
    readonly lineStart: number;
  }[];
  readonly nextOffset: number;
  readonly complete: boolean;
  readonly previousOffset: number | null;
  readonly chunkCount: number;
  readonly byteCount: number;
  readonly lineCount: number;
}

interface Assigned {
  readonly runId: RunId;
  readonly jobId: JobId;
  readonly epoch: number;
  readonly credential: string;
}

describe('logs of jobs', function () {
  this.timeout(30_000);
  const log = logOnNode('workflow-logs');
  let service: ControlService;
  let credential: string;
  before(async () => {
    service = await startControlService({ store: log.store, lateLogMilliseconds: 300 });
    ({ credential } = await service.register());
  });
  after(() => service.close());

  /** A job that a runner has. */
  const assigned = async (): Promise<Assigned> => {
    const { runId, jobId } = await service.queueRun();
    const answer = await service.json('/runner/poll', credential, { slots: 1 });
    const { messages } = (await answer.json()) as { messages: { assignment: { jobId: JobId; epoch: number } }[] };
    const assignment = messages[0]?.assignment;
    assert.ok(assignment !== undefined);
    assert.equal(assignment.jobId, jobId);
    return { runId, jobId, epoch: assignment.epoch, credential };
  };
  const send = ({ jobId, epoch }: Assigned, chunks: readonly LogChunk[]) =>
    service.json(`/runner/jobs/${jobId}/logs`, credential, { epoch, chunks });
  const acknowledged = async (job: Assigned, chunks: readonly LogChunk[]): Promise<unknown> => {
    const answer = await send(job, chunks);
    const body = (await answer.json()) as { readonly next?: number; readonly code?: string };
    return body.next ?? `${answer.status} ${body.code}`;
  };
  const complete = async ({ jobId, epoch }: Assigned, logChunks: number) => {
    const body = { epoch, result: 'success', reason: null, outputs: {}, steps: [], annotations: [], summary: null };
    const answer = await service.json(`/runner/jobs/${jobId}/complete`, credential, { ...body, logChunks });
    assert.equal(answer.status, 204, await answer.text());
  };
  const read = async ({ jobId }: Pick<Assigned, 'jobId'>, query = ''): Promise<Page> => {
    const answer = await service.call(`/actions/jobs/${jobId}/logs${query}`);
    assert.equal(answer.status, 200);
    return (await answer.json()) as Page;
  };
  const textOf = ({ chunks }: Page): string => chunks.map(({ text }) => text).join('');

  const isEnd = ({ type }: Event): boolean => type === 'log_end';
  /** Events of an SSE stream until `isLast`, and why it ended. */
  const follow = async (
    { jobId }: Pick<Assigned, 'jobId'>,
    isLast: (event: Event) => boolean,
    { query = '', headers = {} }: { readonly query?: string; readonly headers?: Record<string, string> } = {},
  ): Promise<{
    readonly events: readonly Event[];
    readonly ids: readonly string[];
    readonly reasons: readonly string[];
  }> => {
    const leaving = new AbortController();
    const answer = await service.call(`/actions/jobs/${jobId}/logs/events${query}`, {
      headers,
      signal: leaving.signal,
    });
    assert.equal(answer.status, 200);
    const [events, ids, reasons]: [Event[], string[], string[]] = [[], [], []];
    let text = '';
    for await (const bytes of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      text += Buffer.from(bytes).toString();
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        const id = /^id: (.*)$/m.exec(frame)?.[1];
        if (id !== undefined) ids.push(id);
        if (/^event: end$/m.test(frame)) reasons.push((JSON.parse(data ?? '') as { readonly code: string }).code);
        else if (data !== undefined) events.push(JSON.parse(data) as Event);
      }
      if (events.some(isLast) && !events.some(isEnd)) break;
    }
    leaving.abort();
    return { events, ids, reasons };
  };
  const offsetsOf = (events: readonly Event[]) =>
    events.filter(({ type }) => type === 'log_chunk').map(({ chunkOffset }) => chunkOffset);

  it('store chunks doubled and out of order once, and show none behind a gap', async () => {
    const job = await assigned();
    const [a, b, c, d] = chunksOf(['a\n', 'b\n', 'c\n', 'd\n']) as [LogChunk, LogChunk, LogChunk, LogChunk];
    assert.equal(await acknowledged(job, [c]), 0);
    assert.equal(textOf(await read(job)), '');
    assert.equal(await acknowledged(job, [b, a, a]), 3);
    assert.equal(await acknowledged(job, [a, b, c]), 3);
    assert.equal(await acknowledged(job, [d]), 4);
    const page = await read(job);
    assert.equal(textOf(page), 'a\nb\nc\nd\n');
    assert.deepEqual([page.nextOffset, page.complete, page.attempt], [4, false, 1]);
    assert.deepEqual(
      (await read(job, '?fromOffset=2')).chunks.map(({ chunkOffset }) => chunkOffset),
      [2, 3],
    );
  });

  it('refuse another chunk under the same number, and chunks that are not what they say', async () => {
    const job = await assigned();
    assert.equal(await acknowledged(job, [chunkOf(0, 'one')]), 1);
    assert.equal(await acknowledged(job, [chunkOf(0, 'two')]), '409 chunk-differs');
    const damaged = { ...chunkOf(1, 'three', { byteStart: 3 }), payload: Buffer.from('other').toString('base64') };
    assert.equal(await acknowledged(job, [damaged]), '400 chunk-damaged');
    const longer = { ...chunkOf(1, 'four', { byteStart: 3 }), byteEnd: 99 };
    assert.equal(await acknowledged(job, [longer]), '400 chunk-damaged');
    const bomb = chunkOf(1, Buffer.alloc(2 ** 20), { byteStart: 3, encoding: 'gzip' });
    assert.equal(await acknowledged(job, [bomb]), '400 chunk-damaged');
    assert.equal(textOf(await read(job)), 'one');
  });

  it('keep characters that two chunks share, and mark bytes that are none', async () => {
    const job = await assigned();
    const bytes = Buffer.from('x🦩y');
    const parts = [bytes.subarray(0, 2), bytes.subarray(2, 3), bytes.subarray(3), Uint8Array.of(0xff, 0x41)];
    assert.equal(await acknowledged(job, chunksOf(parts)), 4);
    assert.equal(textOf(await read(job)), 'x🦩y\uFFFDA');
    // Wherever a viewer begins, a chunk has the same text.
    assert.deepEqual(
      (await read(job, '?fromOffset=2')).chunks.map(({ text }) => text),
      ['🦩y', '\uFFFDA'],
    );
  });

  it('are read from their end upwards, and count lines wherever reading begins', async () => {
    const job = await assigned();
    const bytes = Buffer.from(Array.from({ length: 4_000 }, (_, number) => `${number} 🦩\n`.repeat(40)).join(''));
    // Chunks of a length at which characters are split.
    const parts = Array.from({ length: Math.ceil(bytes.length / 3_001) }, (_, at) =>
      bytes.subarray(at * 3_001, (at + 1) * 3_001),
    );
    const chunks = chunksOf(parts);
    for (let at = 0; at < chunks.length; at += 64) await acknowledged(job, chunks.slice(at, at + 64).reverse());
    const last = await read(job, '?beforeOffset=end');
    assert.deepEqual([last.nextOffset, last.chunkCount, last.byteCount], [chunks.length, chunks.length, bytes.length]);
    assert.equal(last.lineCount, 160_000);
    let [text, before, pages] = [textOf(last), last.previousOffset, 1];
    const starts = last.chunks.map(({ lineStart }) => lineStart);
    while (before !== null) {
      const page = await read(job, `?beforeOffset=${before}`);
      assert.equal(page.nextOffset, before);
      assert.ok(textOf(page).length <= 262_144);
      text = textOf(page) + text;
      starts.unshift(...page.chunks.map(({ lineStart }) => lineStart));
      before = page.previousOffset;
      pages += 1;
    }
    assert.ok(pages > 2);
    assert.equal(text, bytes.toString());
    let lines = 0;
    const counted = parts.map((part) => {
      const start = lines;
      lines += part.toString('latin1').split('\n').length - 1;
      return start;
    });
    assert.deepEqual(starts, counted);
    const { nextOffset, previousOffset, chunks: none } = await read(job, '?beforeOffset=0');
    assert.deepEqual([nextOffset, previousOffset, none], [0, null, []]);
  });

  it('are served as text, of which a range can be requested', async () => {
    const job = await assigned();
    const text = Array.from({ length: 3_000 }, (_, number) => `line ${number} é\n`).join('');
    const bytes = Buffer.from(text);
    const parts = Array.from({ length: Math.ceil(bytes.length / 1_000) }, (_, at) =>
      bytes.subarray(at * 1_000, (at + 1) * 1_000),
    );
    await acknowledged(job, chunksOf(parts));
    const path = `/actions/jobs/${job.jobId}/logs?format=text`;
    const whole = await service.call(path);
    assert.equal(whole.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.equal(await whole.text(), text);
    for (const [range, first, last] of [
      ['bytes=0-0', 0, 0],
      ['bytes=999-1000', 999, 1_000],
      ['bytes=12345-23456', 12_345, 23_456],
      ['bytes=-77', bytes.length - 77, bytes.length - 1],
    ] as const) {
      const part = await service.call(path, { headers: { Range: range } });
      assert.equal(part.status, 206);
      assert.equal(part.headers.get('content-range'), `bytes ${first}-${last}/${bytes.length}`);
      assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(first, last + 1));
    }
    const behind = await service.call(path, { headers: { Range: `bytes=${bytes.length}-` } });
    assert.equal(behind.status, 416);
    for (const both of ['format=text&fromOffset=1', 'fromOffset=1&beforeOffset=2', 'beforeOffset=last'])
      assert.equal((await service.call(`/actions/jobs/${job.jobId}/logs?${both}`)).status, 400);
  });

  it('refuse a chunk that does not begin where the one before ends', async () => {
    const job = await assigned();
    assert.equal(await acknowledged(job, [chunkOf(0, 'one')]), 1);
    assert.equal(await acknowledged(job, [chunkOf(1, 'two', { byteStart: 4 })]), '409 chunk-differs');
    // Of a chunk that comes early it is known only later.
    assert.equal(await acknowledged(job, [chunkOf(2, 'three', { byteStart: 9 })]), 1);
    assert.equal(await acknowledged(job, [chunkOf(1, 'two', { byteStart: 3 })]), 2);
    assert.equal(textOf(await read(job)), 'onetwo');
  });

  it('hold a line of ten megabytes', async () => {
    const job = await assigned();
    const line = randomBytes(5_000_000).toString('hex');
    const texts = Array.from({ length: Math.ceil(line.length / 60_000) }, (_, at) =>
      line.slice(at * 60_000, (at + 1) * 60_000),
    );
    const chunks = chunksOf(texts);
    for (let at = 0; at < chunks.length; at += 64) await acknowledged(job, chunks.slice(at, at + 64));
    await complete(job, chunks.length);
    const { events } = await follow(job, isEnd);
    assert.equal(events.map(({ text = '' }) => text).join(''), line);
  });

  it('are followed over both transports from any offset, live, to their end', async () => {
    const job = await assigned();
    const chunks = chunksOf(Array.from({ length: 40 }, (_, number) => `line ${number}\n`));
    await acknowledged(job, chunks.slice(0, 10));
    const socket = await service.logSocket(job.jobId, '?fromOffset=5');
    const seen: Event[] = [];
    const overSocket = (async () => {
      for (;;) {
        const event = (await socket.next()) as unknown as Event;
        seen.push(event);
        if (isEnd(event)) return;
      }
    })();
    const overEvents = follow(job, isEnd);
    for (const chunk of chunks.slice(10)) await acknowledged(job, [chunk]);
    await complete(job, chunks.length);
    const [, { events, ids, reasons }] = await Promise.all([overSocket, overEvents]);
    const numbers = chunks.map(({ chunkOffset }) => chunkOffset);
    assert.deepEqual(offsetsOf(events), numbers);
    assert.deepEqual(ids.map(Number), numbers);
    assert.deepEqual(offsetsOf(seen), numbers.slice(5));
    for (const all of [events, seen]) {
      assert.deepEqual([all.at(-1)?.type, all.at(-1)?.isWhole], ['log_end', true]);
      assert.ok(all.some(({ type, status }) => type === 'job_status' && status === 'success'));
      assert.ok(all.some(({ type, status }) => type === 'run_status' && status === 'success'));
    }
    assert.deepEqual(await socket.closed, { code: 1000, reason: 'log-ended' });
    assert.deepEqual(reasons, ['log-ended']);
    const resumed = await follow(job, isEnd, { query: '?fromOffset=0', headers: { 'Last-Event-ID': '36' } });
    assert.deepEqual(offsetsOf(resumed.events), [37, 38, 39]);
    assert.equal((await read(job)).complete, true);
  });

  it('wait for a viewer that does not read, and leave out nothing', async () => {
    const job = await assigned();
    const chunks = chunksOf(Array.from({ length: 200 }, (_, number) => `${number} ${'x'.repeat(60_000)}\n`));
    const socket = await service.logSocket(job.jobId);
    socket.socket.pause();
    for (let at = 0; at < chunks.length; at += 50) await acknowledged(job, chunks.slice(at, at + 50));
    await complete(job, chunks.length);
    socket.socket.resume();
    const seen: Event[] = [];
    while (!seen.some(isEnd)) seen.push((await socket.next()) as unknown as Event);
    assert.deepEqual(
      offsetsOf(seen),
      chunks.map(({ chunkOffset }) => chunkOffset),
    );
  });

  it('show steps as the runner reports them', async () => {
    const job = await assigned();
    const step = { stepId: 'build', number: 1, name: 'Build', exitCode: null, startedAt: null, completedAt: null };
    const viewer = follow(job, ({ type }) => type === 'step_status');
    const body = { epoch: job.epoch, step: { ...step, status: 'in_progress' } };
    const answer = await service.json(`/runner/jobs/${job.jobId}/steps`, credential, body);
    assert.equal(answer.status, 204);
    assert.ok((await viewer).events.some(({ type }) => type === 'step_status'));
  });

  it('end as incomplete when chunks are missing, and take no more then', async () => {
    const job = await assigned();
    const [first, , third] = chunksOf(['a', 'b', 'c']) as [LogChunk, LogChunk, LogChunk];
    await acknowledged(job, [first, third]);
    await complete(job, 3);
    const { events } = await follow(job, isEnd);
    assert.deepEqual(offsetsOf(events), [0]);
    assert.deepEqual([events.at(-1)?.chunks, events.at(-1)?.isWhole], [1, false]);
    assert.equal(await acknowledged(job, [chunkOf(1, 'b', { byteStart: 1 })]), '409 log-ended');
    assert.equal(await acknowledged(job, [first]), 1);
  });

  it('end when the runner was lost', async () => {
    const job = await assigned();
    await acknowledged(job, [chunkOf(0, 'a')]);
    const { runId, jobId, epoch } = job;
    await service.command({ type: 'LoseJob', runId, jobId, epoch, reason: 'The lease ended.' });
    const { events } = await follow(job, isEnd);
    assert.equal(events.at(-1)?.isWhole, false);
    await eventually(async () => assert.equal((await read(job)).complete, true));
  });

  it('are unknown to other organizations and to callers without the scope', async () => {
    const { jobId } = await assigned();
    const identity = { tenantId: 'other', principalId: 'p-2', principalType: 'HUMAN', tokenId: 'jti-2' };
    for (const path of ['logs', 'logs/events']) {
      const theirs = { ...identity, scopes: ['workflows:read'] };
      assert.equal((await service.call(`/actions/jobs/${jobId}/${path}`, { identity: theirs })).status, 404);
      const powerless = { ...identity, tenantId: 'acme', scopes: [] };
      assert.equal((await service.call(`/actions/jobs/${jobId}/${path}`, { identity: powerless })).status, 403);
    }
    const socket = await service.logSocket('unknown');
    assert.deepEqual(await socket.closed, { code: 4404, reason: 'log-unknown' });
  });

  it('are no longer sent to a caller whose token is revoked', async () => {
    const job = await assigned();
    const socket = await service.logSocket(job.jobId);
    await socket.next();
    service.rights.apply(epochBump('p-1', 1_000_000));
    assert.equal((await socket.closed).code, 4403);
  });
});
