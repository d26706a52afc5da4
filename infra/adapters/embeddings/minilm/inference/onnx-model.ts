/** The model, run by ONNX Runtime on one thread. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { meanPooled } from './pooling';
import type { EncodedText } from './runs';

const dimensions = 384;

/** What is used of `onnxruntime-node`, which is no dependency: it is fetched with the model. */
interface OnnxTensor {
  readonly data: unknown;
}
interface OnnxSession {
  readonly outputNames: readonly string[];
  readonly run: (feeds: Readonly<Record<string, OnnxTensor>>) => Promise<Readonly<Record<string, OnnxTensor>>>;
}
interface OnnxRuntime {
  readonly Tensor: new (type: 'int64', data: BigInt64Array, shape: readonly number[]) => OnnxTensor;
  readonly InferenceSession: {
    readonly create: (path: string, options: Readonly<Record<string, unknown>>) => Promise<OnnxSession>;
  };
}

export interface OnnxModel {
  /** Vectors of length 1, in the order of the texts. */
  readonly run: (texts: readonly EncodedText[]) => Promise<readonly Float32Array[]>;
}

const sessionOptions = {
  executionProviders: ['cpu'],
  // A second thread halves what a second of the processor does (decision 0088).
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  // Without them memory follows the run; with them it stays at the largest one.
  enableCpuMemArena: false,
  enableMemPattern: false,
  logSeverityLevel: 3,
};

/** `runtime`: the directory whose `node_modules` has ONNX Runtime. */
export const openOnnxModel = async (runtime: string, path: string): Promise<OnnxModel> => {
  const { InferenceSession, Tensor } = createRequire(join(runtime, 'package.json'))('onnxruntime-node') as OnnxRuntime;
  const session = await InferenceSession.create(path, sessionOptions);
  const [output = ''] = session.outputNames;

  return {
    run: async (texts) => {
      const rowTokens = Math.max(...texts.map(({ ids }) => ids.length));
      const tensor = (valueAt: (id: number) => number): OnnxTensor => {
        const values = new BigInt64Array(texts.length * rowTokens);
        for (const [row, { ids }] of texts.entries())
          for (const [at, id] of ids.entries()) values[row * rowTokens + at] = BigInt(valueAt(id));
        return new Tensor('int64', values, [texts.length, rowTokens]);
      };
      const results = await session.run({
        input_ids: tensor((id) => id),
        attention_mask: tensor(() => 1),
        token_type_ids: tensor(() => 0),
      });
      const values = results[output]?.data;
      if (!(values instanceof Float32Array) || values.length !== texts.length * rowTokens * dimensions)
        throw new Error('the model returned another shape');
      return texts.map(({ ids }, row) => meanPooled({ values, rowTokens, dimensions }, row, ids.length));
    },
  };
};
