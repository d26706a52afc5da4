/** The embedding model: passages a second beside the bare runtime with the same tokens, and how long a question takes, alone and while passages are embedded. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import { openOnnxModel } from '../../infra/adapters/embeddings/minilm/inference/onnx-model';
import { openMiniLm } from '../../infra/adapters/embeddings/minilm/minilm-embedder';
import { fetchModel } from '../../infra/adapters/embeddings/minilm/model/fetch-model';
import { readVocabulary } from '../../infra/adapters/embeddings/minilm/tokenizer/read-vocabulary';
import { openTokenizer } from '../../infra/adapters/embeddings/minilm/tokenizer/word-piece';
import type { Embedder, EmbedOptions } from '../../infra/ports/files/embedder';
import { toolsDirectory } from '../support/servers/shared-servers';
import { percentile, rate, report } from './measure';

const options = { tools: toolsDirectory, progress: () => undefined };
const questions = 50;

/** About 110 tokens, as an abstract has. */
const passages: readonly string[] = Array.from({ length: 200 }, (_, at) =>
  `Passage ${at} explains how retrieval of documents depends on the terms of an index, and on its ranking. `.repeat(5),
);

const embedWith =
  (embedder: Embedder, kind: EmbedOptions['kind']) =>
  async (texts: readonly string[], signal?: AbortSignal): Promise<void> => {
    const vectors = await embedder.embed(texts, { kind, ...(signal === undefined ? {} : { signal }) });
    if (isLeft(vectors) && vectors.left.code !== 'embedding-aborted') throw new Error(vectors.left.detail);
  };

const bareRate = async (): Promise<number> => {
  const files = await fetchModel(options);
  if (isLeft(files)) throw new Error(files.left.detail);
  const { runtime, model, tokenizer } = files.right;
  const { encode } = openTokenizer(readVocabulary(readFileSync(tokenizer, 'utf8')));
  const onnx = await openOnnxModel(runtime, model);
  const encoded = passages.map((text, index) => ({ index, ids: encode(text) }));
  return rate(encoded.length, async () => {
    for (const text of encoded) await onnx.run([text]);
  });
};

const questionTimes = async (embedder: Embedder): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let at = 0; at < questions; at += 1) {
    const began = performance.now();
    await embedWith(embedder, 'query')([`How are documents ranked by index ${at}?`]);
    times.push(performance.now() - began);
    // A turn of passages begins meanwhile.
    await sleep(20);
  }
  return times;
};

export const run = async (): Promise<void> => {
  const baseline = await bareRate();
  const began = performance.now();
  const opened = await openMiniLm(options);
  if (isLeft(opened)) throw new Error(opened.left.detail);
  const embedder = opened.right;
  report({ name: 'embeddings start', value: performance.now() - began, unit: 'ms' });
  const value = await rate(passages.length, () => embedWith(embedder, 'passage')(passages));
  report({ name: 'embeddings passages', value, unit: '1/s', baseline });

  const alone = await questionTimes(embedder);
  const controller = new AbortController();
  const many = Array.from({ length: 100 }, () => passages).flat();
  const ingestion = embedWith(embedder, 'passage')(many, controller.signal);
  const beside = await questionTimes(embedder);
  controller.abort();
  await ingestion;
  for (const [name, share] of [
    ['p50', 0.5],
    ['p95', 0.95],
  ] as const) {
    report({ name: `embeddings question ${name}`, value: percentile(alone, share), unit: 'ms' });
    report({ name: `embeddings question beside passages ${name}`, value: percentile(beside, share), unit: 'ms' });
  }
  await embedder.close();
};
