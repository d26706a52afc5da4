/** No file stands still without a reason: positions, lost workers, missing programs, and another try on request. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isRight, right } from 'fp-ts/Either';
import type { FileGrantId } from '../../../domain/files/ids';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { ffmpeg, tone } from '../../packages/file-readers/media/made-media';
import { fixture } from '../../packages/file-readers/read';
import {
  caller,
  type FileState,
  openProcessingStage,
  type ProcessingStage,
} from '../../support/files/processing-stage';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { needs, requirePrerequisites } from '../../support/runner/prerequisites';

const queues = ['files-ingestion', 'files-reading'];
const ada = caller('ada');
const text = Buffer.from('The notice period is three months.\n');
const isReady = ({ status }: FileState): boolean => status === 'READY';

describe('the processing of files', function () {
  this.timeout(240_000);
  needs('isolation');
  let stage: ProcessingStage;

  beforeEach(async () => {
    stage = await openProcessingStage();
  });
  afterEach(() => stage.close());

  const retry = (fileId: string, identity = ada, body: object = {}) =>
    stage.call(identity, `/v1/files/${fileId}/retry`, body);

  it('goes from the upload to chunks and vectors', async () => {
    stage.startWorkers(...queues);
    await stage.upload('lease', text, { name: 'lease.txt' });
    const file = await stage.until('lease', isReady);
    assert.ok(
      file.stages.every(({ status }) => status === 'READY'),
      JSON.stringify(file),
    );
    const [chunk] = await stage.chunksOf('lease');
    assert.equal(chunk?.content, 'The notice period is three months.');
    const again = await retry('lease');
    assert.deepEqual([again.status, (again.body as { code: string }).code], [409, 'stage-not-retriable']);
  });

  it('shows the positions in which jobs are taken: tenants in turn, small files before huge ones', async () => {
    await stage.upload('huge', text, { name: 'huge.txt', sizeBytes: 200_000_000 });
    await stage.until('huge', ({ stages }) => stages[0]?.waitsFor !== undefined);
    const none = await stage.stageOf('huge', 'validation');
    assert.deepEqual([none.waitsFor, none.queuePosition], ['worker', 1]);
    await stage.upload('small', text, { name: 'small.txt' });
    await stage.until('small', ({ stages }) => stages[0]?.waitsFor !== undefined);
    await stage.upload('theirs', text, { name: 'theirs.txt', tenant: 'other' });
    const stranger = caller('ada', 'other');
    await stage.until('theirs', ({ stages }) => stages[0]?.waitsFor !== undefined, stranger);
    // A worker that is busy elsewhere: it is there, and takes nothing.
    const listening = new AbortController();
    const served = stage.work.listen({ queues, worker: 'busy:1', notify: () => undefined, signal: listening.signal });
    const small = await stage.until('small', ({ stages }) => stages[0]?.waitsFor === 'capacity');
    assert.match(small.stages[0]?.reason ?? '', /number 1 in the queue/);
    const positions = [
      (await stage.stageOf('small', 'validation')).queuePosition,
      (await stage.stageOf('theirs', 'validation', stranger)).queuePosition,
      (await stage.stageOf('huge', 'validation')).queuePosition,
    ];
    assert.deepEqual(positions, [1, 2, 3]);
    const claim = {
      queue: 'files-ingestion',
      worker: 'busy:1',
      limit: 3,
      concurrency: 3,
      perTenant: 3,
      milliseconds: 60_000,
    };
    const claimed = await stage.work.claim(claim);
    assert.ok(isRight(claimed));
    const taken = claimed.right.map(({ payload }) => (payload as { readonly fileId: string }).fileId);
    assert.deepEqual(taken, ['small', 'theirs', 'huge'], 'as the queue takes them');
    listening.abort();
    await served;
  });

  it('says that a worker was lost, and goes on with another', async () => {
    await stage.upload('lease', text, { name: 'lease.txt' });
    await stage.until('lease', ({ stages }) => stages[0]?.waitsFor !== undefined);
    const claim = {
      queue: 'files-ingestion',
      worker: 'gone:1',
      limit: 1,
      concurrency: 3,
      perTenant: 3,
      milliseconds: 60_000,
    };
    assert.ok(isRight(await stage.work.claim(claim)));
    assert.equal((await stage.stageOf('lease', 'validation')).status, 'PROCESSING');
    await stage.passTime();
    const lost = await stage.stageOf('lease', 'validation');
    assert.deepEqual([lost.status, lost.waitsFor, lost.tries], ['PENDING', 'worker_lost', 1]);
    const swept = await stage.work.sweep('files-ingestion');
    assert.ok(isRight(swept) && swept.right === 1);
    stage.startWorkers('files-reading');
    const listening = new AbortController();
    const served = stage.work.listen({ queues, worker: 'busy:1', notify: () => undefined, signal: listening.signal });
    const waiting = await stage.until('lease', ({ stages }) => stages[0]?.waitsFor === 'worker_lost');
    assert.match(waiting.stages[0]?.reason ?? '', /Try 1 .* another worker takes it over/);
    listening.abort();
    await served;
    stage.startWorkers('files-ingestion');
    await stage.passTime();
    await stage.until('lease', isReady);
  });

  it('names the reason of each of fifty files while a worker that had five of them is lost, and ends them all', async () => {
    const files = Array.from({ length: 50 }, (_, at) => `file-${at}`);
    for (const file of files) await stage.upload(file, text, { name: `${file}.txt` });
    const listening = new AbortController();
    const served = stage.work.listen({ queues, worker: 'busy:1', notify: () => undefined, signal: listening.signal });
    for (const file of files) await stage.until(file, ({ stages }) => stages[0]?.waitsFor === 'capacity');
    const claim = { queue: 'files-ingestion', worker: 'gone:1', limit: 5, concurrency: 5, perTenant: 5 };
    assert.ok(isRight(await stage.work.claim({ ...claim, milliseconds: 60_000 })));
    await stage.passTime();
    const waiting = await Promise.all(files.map((file) => stage.stageOf(file, 'validation')));
    assert.ok(
      waiting.every(({ status, reason }) => status === 'PENDING' && (reason ?? '').length > 10),
      JSON.stringify(waiting),
    );
    assert.equal(waiting.filter(({ waitsFor }) => waitsFor === 'worker_lost').length, 5);
    listening.abort();
    await served;
    assert.ok(isRight(await stage.work.sweep('files-ingestion')));
    stage.startWorkers(...queues);
    await stage.passTime();
    for (const file of files) await stage.until(file, isReady);
  });

  it('reads nothing without a worker that isolates programs, says so, and checks bytes all the same', async () => {
    stage.startWorkers('files-ingestion');
    await stage.upload('lease', text, { name: 'lease.txt' });
    const file = await stage.until('lease', ({ stages }) => stages[1]?.waitsFor === 'worker');
    assert.deepEqual([file.stages[0]?.status, file.status], ['READY', 'PROCESSING']);
    assert.match(file.reason ?? '', /bubblewrap/);
    stage.startWorkers('files-reading');
    await stage.until('lease', isReady);
  });

  it('waits for a program that is missing, and goes on by itself once it is there', async () => {
    await requirePrerequisites('pdftotext');
    stage.given.areProgramsHidden = true;
    stage.startWorkers(...queues);
    await stage.upload('print', readFileSync(fixture('pdf', 'crazyones.pdf')), { name: 'print.pdf' });
    const isPutOff = ({ stages }: FileState) => stages[2]?.waitsFor === 'next_try';
    const waiting = (await stage.until('print', isPutOff)).stages[2];
    assert.match(waiting?.reason ?? '', /poppler-utils/);
    assert.ok(Date.parse(waiting?.nextTryAt ?? '') > Date.now());
    stage.given.areProgramsHidden = false;
    await stage.passTime();
    await stage.until('print', isReady);
    assert.ok((await stage.chunksOf('print')).length > 0);
  });

  it('finds what a file holds before its pictures are recognised, and adds these to it', async () => {
    await requirePrerequisites('tesseract', 'pdftotext', 'pdftoppm');
    stage.given.areProgramsHidden = true;
    stage.startWorkers(...queues);
    await stage.upload('sign', readFileSync(fixture('pictures', 'multiline_text.png')), { name: 'sign.png' });
    const file = await stage.until('sign', ({ stages }) => stages[4]?.waitsFor === 'next_try');
    assert.deepEqual([file.status, file.stages[4]?.name], ['PARTIALLY_READY', 'ocr']);
    assert.match(file.reason ?? '', /not installed/);
    const before = await stage.chunksOf('sign');
    stage.given.areProgramsHidden = false;
    assert.equal((await retry('sign')).status, 200);
    await stage.until('sign', isReady);
    const after = await stage.chunksOf('sign');
    assert.ok(after.length > before.length);
    assert.deepEqual(new Set(after.map(({ ordinal }) => ordinal)).size, after.length);
  });

  describe('another try', () => {
    it('begins with the stage that failed, for editors and the owner only', async () => {
      stage.startWorkers(...queues);
      await stage.upload('wrong', text, { name: 'wrong.pdf' });
      const failed = await stage.until('wrong', ({ status }) => status === 'FAILED');
      assert.equal(failed.errorCode, 'TYPE_MISMATCH');
      const grant = (principalId: string, role: 'viewer' | 'editor') =>
        stage.historyFor('acme').access({
          type: 'GrantAdded',
          data: {
            ...{
              grantId: principalId as FileGrantId,
              resourceType: 'file',
              resourceId: 'wrong',
              principalType: 'user',
            },
            ...{ principalId, role, grantedBy: 'ada' as PrincipalId },
          },
        });
      await grant('vera', 'viewer');
      await grant('emil', 'editor');
      assert.equal((await retry('wrong', caller('vera'))).status, 403);
      const never = await retry('never');
      assert.equal(never.status, 404);
      for (const identity of [caller('cem'), caller('ada', 'other')])
        assert.deepEqual(await retry('wrong', identity), never);
      assert.equal((await retry('wrong', ada, { versionId: 'other-v1' })).status, 404);
      assert.equal((await retry('wrong', ada, { versionId: 7 })).status, 400);
      await stage.historyFor('acme').ofFile('wrong', {
        type: 'FileRenamed',
        data: { fileId: 'wrong' as never, name: 'right.txt' },
      });
      const answer = await retry('wrong', caller('emil'), { versionId: 'wrong-v1' });
      assert.deepEqual(answer, {
        status: 200,
        body: { fileId: 'wrong', versionId: 'wrong-v1', stage: 'type_detection', ...revisionOf(answer.body) },
      });
      await stage.until('wrong', isReady);
      const stages = (await stage.eventsOf('wrong')).flatMap((event) =>
        event.type === 'StageCompleted' ? [event.data.stage] : [],
      );
      assert.equal(stages.filter((one) => one === 'validation').length, 1, 'it goes on from where it failed');
    });

    it('is none of an upload that is open', async () => {
      await stage.historyFor('acme').createFile('open', { name: 'open.txt' });
      const answer = await retry('open');
      assert.deepEqual([answer.status, (answer.body as { code: string }).code], [409, 'ingestion-unknown']);
    });
  });

  describe('of a recording', () => {
    const recording = (): Buffer => {
      const directory = temporaryDirectory('tone');
      ffmpeg(...tone(2), `${directory.path}/tone.wav`);
      const bytes = readFileSync(`${directory.path}/tone.wav`);
      directory.remove();
      return bytes;
    };

    it('is ready without a transcriber, by configuration, with the stage open', async () => {
      await requirePrerequisites('ffmpeg');
      stage.startWorkers(...queues);
      await stage.upload('call', recording(), { name: 'call.wav' });
      const file = await stage.until('call', isReady);
      const open = file.stages.filter(({ status }) => status !== 'READY');
      assert.deepEqual(
        open.map(({ name, status, reason }) => [name, status, reason]),
        [['transcription', 'PENDING', 'Speech is not transcribed on this system.']],
      );
      assert.deepEqual(
        (await stage.chunksOf('call')).map(({ content, modality }) => [content, modality]),
        [['Sound recording, 0:02', 'audio']],
      );
    });

    it('has what is said in it, at its time', async () => {
      await requirePrerequisites('ffmpeg');
      const lengths: number[] = [];
      stage.given.transcriber = {
        model: 'sample',
        transcribe: async ({ path, reportProgress }) => {
          lengths.push(readFileSync(path).length);
          reportProgress(1_000);
          return right([{ startMs: 250, endMs: 1_500, text: 'The lease ends in June.', confidence: 0.75 }]);
        },
        close: async () => undefined,
      };
      stage.startWorkers(...queues);
      await stage.upload('call', recording(), { name: 'call.wav' });
      await stage.until('call', isReady);
      assert.deepEqual(lengths, [64_000], 'two seconds of 16,000 samples');
      const chunks = await stage.chunksOf('call');
      assert.deepEqual(
        chunks.map(({ content, anchor, ordinal }) => [
          content,
          anchor.type === 'timestamp' && anchor.timestampStartMs,
          ordinal,
        ]),
        [
          ['Sound recording, 0:02', 0, 0],
          ['The lease ends in June.', 250, 1],
        ],
      );
    });
  });
});

/** Commands answer with where they are recorded as well. */
const revisionOf = ({ fileId, versionId, stage, ...rest }: Readonly<Record<string, unknown>>) => rest;
