/** The process that runs the model: one message of texts at a time, until its parent is gone. */
import { readFileSync } from 'node:fs';
import { readVocabulary } from '../tokenizer/read-vocabulary';
import { openTokenizer } from '../tokenizer/word-piece';
import type { FromInference, ToInference } from './messages';
import { openOnnxModel } from './onnx-model';
import { groupIntoRuns } from './runs';

const send = (message: FromInference): void => {
  if (process.connected) process.send?.(message);
};

const main = async ([runtime = '', model = '', tokenizerFile = '']: readonly string[]): Promise<void> => {
  // The parent is gone, or has no more work.
  process.once('disconnect', () => process.exit());
  const tokenizer = openTokenizer(readVocabulary(readFileSync(tokenizerFile, 'utf8')));
  const onnx = await openOnnxModel(runtime, model);

  const embed = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    const vectors = new Array<Float32Array>(texts.length);
    for (const run of groupIntoRuns(texts.map((text, index) => ({ index, ids: tokenizer.encode(text) })))) {
      const results = await onnx.run(run);
      for (const [at, { index }] of run.entries()) vectors[index] = results[at] as Float32Array;
    }
    return vectors;
  };

  process.on('message', ({ texts }: ToInference) => {
    embed(texts).then(
      (vectors) => send({ kind: 'vectors', vectors }),
      (error: unknown) => send({ kind: 'failed', error: String(error) }),
    );
  });
  send({ kind: 'ready' });
};

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
