/** A job's payload between the process that enqueues it and the handler that performs it. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { performDecoded, queueSpec } from '../../../commands/kernel/work-queue/job-handler';
import { brandedText, integer, nullable, record } from '../../../domain/kernel/codec';
import type { JobQueue } from '../../../domain/kernel/job-queue';
import { enqueueJob, send } from '../../../domain/kernel/process';
import type { Job } from '../../../infra/ports/processes/work-queue';
import { jobRun } from '../../support/processes/job-run';

const FileId = brandedText('FileId', { maxLength: 20, pattern: '[a-z0-9]+' });
type FileId = t.TypeOf<typeof FileId>;
const Picture = record('Picture', { fileId: FileId, width: integer(1, 9_000), frame: nullable(integer(0)) });
type Picture = t.TypeOf<typeof Picture>;
const pictures: JobQueue<Picture> = { name: 'pictures', payload: Picture };

const job = (payload: unknown): Job => ({
  id: '1',
  queue: 'pictures',
  kind: 'pictures',
  key: 'k',
  tenant: 'acme',
  payload,
  priority: 0,
  mostAttempts: 8,
  cause: { correlationId: 'r', causationId: 'e', depth: 1 },
  attempt: 1,
  token: 1,
  deadline: null,
  deadlineMilliseconds: null,
});
const run = jobRun();

const handled: Picture[] = [];
const perform = performDecoded(pictures, async ({ payload }) => {
  handled.push(payload);
  return right([send('files.file', payload.fileId, { type: 'SetWidth', width: payload.width })]);
});

describe('the payload of a job', () => {
  beforeEach(() => handled.splice(0));

  it('arrives as it was enqueued, through JSON', async () => {
    const fields = {
      fileId: fc.stringMatching(/^[a-z0-9]{1,20}$/) as fc.Arbitrary<FileId>,
      width: fc.integer({ min: 1, max: 9_000 }),
      frame: fc.option(fc.nat()),
    };
    const payloads = fc.record(fields, { noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(payloads, async (payload) => {
        const { queue, payload: encoded } = enqueueJob(pictures, payload);
        await perform(job(JSON.parse(JSON.stringify(encoded))), run);
        assert.equal(queue, 'pictures');
        assert.deepEqual(handled.pop(), payload);
      }),
    );
  });

  it('fails permanently where it does not decode, and the reason names the field but not what is in it', async () => {
    const performed = await perform(job({ fileId: 'hunter2!', width: 5, frame: null }), run);
    assert.deepEqual(isLeft(performed) && performed.left, {
      kind: 'permanent',
      reason: 'The payload does not decode: expected text of at most 20 characters that matches [a-z0-9]+ at /fileId.',
    });
    const empty = await perform(job(null), run);
    assert.match(
      isLeft(empty) ? empty.left.reason : '',
      /^The payload does not decode: expected .+ at its beginning\.$/,
    );
    assert.deepEqual(handled, []);
  });

  it('never reaches a handler otherwise than decoded', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (payload) => {
        const performed = await perform(job(payload), run);
        assert.equal(isLeft(performed), !Picture.is(payload));
      }),
    );
  });

  it('has the type of its queue on both sides', () => {
    const fileId = 'f1' as FileId;
    enqueueJob(pictures, { fileId, width: 1, frame: null });
    // @ts-expect-error: A field is missing.
    enqueueJob(pictures, { fileId, width: 1 });
    // @ts-expect-error: Any other text is no FileId.
    enqueueJob(pictures, { fileId: 'f1', width: 1, frame: null });
    // @ts-expect-error: The payload cannot be replaced by an option.
    enqueueJob(pictures, { fileId, width: 1, frame: null }, { payload: {} });
    const open = () => ({
      perform: async ({ payload }: { readonly payload: { readonly address: string } }) =>
        right([send('files.file', payload.address, {})]),
    });
    // @ts-expect-error: The handler wants another payload.
    const other = queueSpec(pictures, { concurrency: 1, targets: {}, open });
    assert.equal(other.queue, 'pictures');
  });
});
