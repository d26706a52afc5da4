import assert from 'node:assert/strict';
import { setImmediate as nextTick } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type EmbeddingQueueOptions,
  openEmbeddingQueue,
} from '../../../../infra/adapters/embeddings/minilm/embedding-queue';
import type {
  InferenceFault,
  InferenceProcess,
} from '../../../../infra/adapters/embeddings/minilm/inference/inference-process';
import type { EmbedderFault } from '../../../../infra/ports/files/embedder';
import { deferred } from '../../../support/waiting/deferred';
import { eventually } from '../../../support/waiting/eventually';

type Run = (texts: readonly string[]) => Promise<Either<InferenceFault, readonly Float32Array[]>>;

/** The vector of a text holds its number. */
const answer: Run = async (texts) => right(texts.map((text) => Float32Array.of(Number(text))));
const ended: Awaited<ReturnType<Run>> = left({ kind: 'ended', cause: 'it was ended' });

/** Processes without a model: `runs` in turn, the last one again. */
const fakeProcesses = (...runs: readonly Run[]) => {
  const turns: (readonly string[])[] = [];
  const started: InferenceProcess[] = [];
  const start = async (): Promise<Either<string, InferenceProcess>> => {
    const run = runs[Math.min(started.length, runs.length - 1)] ?? answer;
    let isRunning = true;
    const process: InferenceProcess = {
      pid: started.length,
      isRunning: () => isRunning,
      run: async (texts) => {
        turns.push(texts);
        const result = await run(texts);
        if (isLeft(result) && result.left.kind === 'ended') isRunning = false;
        return result;
      },
      end: async () => {
        isRunning = false;
      },
    };
    started.push(process);
    return right(process);
  };
  return { start, turns, started };
};

const open = (start: EmbeddingQueueOptions['start'], options: Partial<EmbeddingQueueOptions> = {}) =>
  openEmbeddingQueue({ start, mostCalls: 10, idleMilliseconds: 60_000, ...options });
const numbers = (from: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => String(from + at));
const valuesOf = (vectors: Either<EmbedderFault, readonly Float32Array[]>): readonly (number | undefined)[] => {
  assert.ok(!isLeft(vectors), JSON.stringify(vectors));
  return vectors.right.map(([value]) => value);
};
const passage = { kind: 'passage' } as const;

describe('the queue of the embedding model', () => {
  it('returns vectors in the order of the texts', async () => {
    const { start, turns, started } = fakeProcesses();
    const queue = open(start);
    assert.deepEqual(valuesOf(await queue.embed(numbers(0, 100), passage)), numbers(0, 100).map(Number));
    assert.deepEqual(valuesOf(await queue.embed([], passage)), []);
    assert.deepEqual(turns.flat(), numbers(0, 100));
    assert.ok(turns.every((turn) => turn.length <= 16));
    assert.equal(started.length, 1);
    await queue.close();
  });

  it('takes questions first, and passages of several calls in turn', async () => {
    const { start, turns } = fakeProcesses();
    const queue = open(start);
    const calls = [
      queue.embed(numbers(0, 40), passage),
      queue.embed(numbers(100, 20), passage),
      queue.embed(['1000'], { kind: 'query' }),
    ];
    assert.deepEqual(valuesOf((await Promise.all(calls))[1] ?? left(assert.fail())), numbers(100, 20).map(Number));
    assert.deepEqual(
      turns.map(([first]) => first),
      ['1000', '0', '100', '16', '116', '32'],
    );
    await queue.close();
  });

  it('bounds a turn by characters, and a text by what the model can read', async () => {
    const { start, turns } = fakeProcesses(async (texts) => right(texts.map(() => Float32Array.of(1))));
    const queue = open(start);
    await queue.embed(['x'.repeat(1_000_000), 'y'.repeat(1_000), 'y'.repeat(1_000), 'z'], passage);
    assert.deepEqual(
      turns.map((turn) => turn.map((text) => text.length)),
      [[16_384], [1_000, 1_000], [1]],
    );
    await queue.close();
  });

  it('refuses calls over its bound', async () => {
    const gate = deferred();
    const { start } = fakeProcesses(async (texts) => {
      await gate.promise;
      return answer(texts);
    });
    const queue = open(start, { mostCalls: 2 });
    const waiting = [queue.embed(['1'], passage), queue.embed(['2'], passage)];
    const refused = await queue.embed(['3'], passage);
    assert.ok(isLeft(refused) && refused.left.code === 'embedder-unavailable');
    gate.resolve();
    for (const call of waiting) valuesOf(await call);
    valuesOf(await queue.embed(['3'], passage));
    await queue.close();
  });

  it('stops for a signal, between turns and before the first', async () => {
    const controller = new AbortController();
    const { start, turns } = fakeProcesses(async (texts) => {
      controller.abort();
      return answer(texts);
    });
    const queue = open(start);
    for (const call of [
      queue.embed(numbers(0, 100), { ...passage, signal: controller.signal }),
      queue.embed(['1'], { ...passage, signal: AbortSignal.abort() }),
    ]) {
      const result = await call;
      assert.ok(isLeft(result) && result.left.code === 'embedding-aborted');
    }
    await nextTick();
    assert.equal(turns.length, 1);
    valuesOf(await queue.embed(['5'], passage));
    await queue.close();
  });

  it('repeats the texts over which a process ended, once', async () => {
    const { start, turns, started } = fakeProcesses(async () => ended, answer);
    const queue = open(start);
    assert.deepEqual(valuesOf(await queue.embed(['1', '2'], passage)), [1, 2]);
    assert.deepEqual(turns, [
      ['1', '2'],
      ['1', '2'],
    ]);
    assert.equal(started.length, 2);
    await queue.close();
  });

  it('fails the call whose texts end each process, and no other', async () => {
    const { start } = fakeProcesses(async (texts) => (texts.includes('13') ? ended : answer(texts)));
    const queue = open(start);
    const [bad, good] = await Promise.all([queue.embed(['13'], passage), queue.embed(['1'], passage)]);
    assert.ok(isLeft(bad) && /twice/.test(bad.left.detail));
    assert.deepEqual(valuesOf(good), [1]);
    await queue.close();
  });

  it('fails a call that the model refuses, and continues with the same process', async () => {
    const { start, started } = fakeProcesses(async (texts) =>
      texts.includes('13') ? left({ kind: 'refused', cause: 'shape' }) : answer(texts),
    );
    const queue = open(start);
    const refused = await queue.embed(['13'], passage);
    assert.ok(isLeft(refused) && refused.left.cause === 'shape');
    valuesOf(await queue.embed(['1'], passage));
    assert.equal(started.length, 1);
    await queue.close();
  });

  it('says why the process does not start, and tries again for the next call', async () => {
    let starts = 0;
    const { start } = fakeProcesses();
    const queue = open(async () => {
      starts += 1;
      return starts <= 3 ? left('no such library') : start();
    });
    const failed = await queue.embed(['1'], passage);
    assert.ok(isLeft(failed) && failed.left.cause === 'no such library');
    assert.deepEqual(queue.startFault(), failed.left);
    assert.deepEqual(valuesOf(await queue.embed(['1'], passage)), [1]);
    assert.equal(queue.startFault(), undefined);
    await queue.close();
  });

  it('ends an idle process, and starts another when there is work', async () => {
    const { start, started } = fakeProcesses();
    const queue = open(start, { idleMilliseconds: 20 });
    valuesOf(await queue.embed(['1'], passage));
    await eventually(async () => assert.equal(started[0]?.isRunning(), false));
    valuesOf(await queue.embed(['2'], passage));
    assert.equal(started.length, 2);
    await queue.close();
    assert.equal(started[1]?.isRunning(), false);
  });

  it('answers all calls when it closes', async () => {
    const gate = deferred();
    const { start, started } = fakeProcesses(async () => {
      await gate.promise;
      return ended;
    });
    const queue = open(start);
    const waiting = [queue.embed(['1'], passage), queue.embed(['2'], passage)];
    await eventually(async () => assert.equal(started.length, 1));
    const closing = queue.close();
    for (const call of waiting) assert.ok(isLeft(await call));
    gate.resolve();
    await closing;
    assert.ok(isLeft(await queue.embed(['3'], passage)));
    assert.equal(started.length, 1);
  });
});
