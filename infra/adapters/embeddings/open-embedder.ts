/** The embedder that the configuration names. Without its model, hashed words stand in for it, and its description names the reason. */
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import type { Embedder, EmbedderFault } from '../../ports/files/embedder';
import type { Log } from '../../ports/runtime/log';
import {
  anyText,
  type ConfigOf,
  httpUrl,
  oneOfWords,
  optional,
  variables,
  wholeNumber,
  withDefault,
} from '../../server/runtime/config';
import { type LazyModel, openLazyModel } from '../../server/runtime/lazy-model';
import type { Progress } from '../programs/program-fault';
import { hashedModel, openHashedEmbedder } from './hashed-embedder';
import { miniLmModel } from './minilm/model-name';
import { serviceModel } from './openai/service-model';

/** Variables of every process that embeds texts. */
export const embedderVariables = {
  /** `minilm`: on this machine; `openai`: a service; `hashed`: without a model. */
  EMBEDDINGS: withDefault(oneOfWords('minilm', 'hashed', 'openai'), 'minilm'),
  /** Of a service that speaks as OpenAI's does, up to `/v1`. */
  EMBEDDINGS_URL: optional(httpUrl),
  EMBEDDINGS_MODEL: optional(anyText),
  EMBEDDINGS_KEY: optional(anyText),
  /** Elasticsearch indexes at most 4,096. */
  EMBEDDINGS_DIMENSIONS: optional(wholeNumber(1, 4_096)),
  DATA_DIR: variables.DATA_DIR,
};

type EmbedderConfig = ConfigOf<typeof embedderVariables>;

export interface OpenEmbedderOptions {
  readonly progress: Progress;
  /** Cancels the fetching of a model. */
  readonly signal?: AbortSignal;
  /** Directory of downloaded programs; default: the installation's. */
  readonly tools?: string;
}

/** Of the vectors that this configuration makes, once what it names can be opened; undefined where it lacks something. */
export const configuredModel = (config: EmbedderConfig): string | undefined => {
  switch (config.EMBEDDINGS) {
    case 'hashed':
      return hashedModel;
    case 'minilm':
      return miniLmModel;
    case 'openai': {
      const { EMBEDDINGS_MODEL: model, EMBEDDINGS_DIMENSIONS: dimensions } = config;
      return model === undefined || dimensions === undefined ? undefined : serviceModel(model, dimensions);
    }
  }
};

const openService = (config: EmbedderConfig): Either<EmbedderFault, Embedder> => {
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_DIMENSIONS: dimensions } = config;
  if (url === undefined || model === undefined || dimensions === undefined)
    return left(
      fault(
        'embedder-unavailable',
        'EMBEDDINGS=openai needs EMBEDDINGS_URL, EMBEDDINGS_MODEL and EMBEDDINGS_DIMENSIONS.',
      ),
    );
  const { openOpenAiEmbedder } = require('./openai/openai-embedder') as typeof import('./openai/openai-embedder');
  return right(openOpenAiEmbedder({ url, model, dimensions, key: config.EMBEDDINGS_KEY }));
};

/**
 * Left: the configuration lacks something. `minilm` never fails: it fetches 140 MB at its first use, which takes from seconds to minutes, and
 * where that or its start fails, the answer is a hashed embedder, which has another `model`.
 */
export const openEmbedder = async (
  config: EmbedderConfig,
  { progress, signal, tools = join(config.DATA_DIR, 'tools') }: OpenEmbedderOptions,
): Promise<Either<EmbedderFault, Embedder>> => {
  if (config.EMBEDDINGS === 'hashed') return right(openHashedEmbedder());
  if (config.EMBEDDINGS === 'openai') return openService(config);
  const { openMiniLm } = require('./minilm/minilm-embedder') as typeof import('./minilm/minilm-embedder');
  const opened = await openMiniLm({ tools, progress, ...(signal === undefined ? {} : { signal }) });
  if (!isLeft(opened) || signal?.aborted) return opened;
  progress('substituted', { because: opened.left.detail, cause: opened.left.cause });
  return right(openHashedEmbedder(`It stands in for all-MiniLM-L6-v2: ${opened.left.detail}`));
};

/** One for a process, opened when it is first needed. */
export const shareEmbedder = (config: EmbedderConfig, log: Pick<Log, 'info' | 'warn'>): LazyModel<Embedder> =>
  openLazyModel({
    open: (signal) => openEmbedder(config, { progress: (message, fields) => log.info({ ...fields }, message), signal }),
    log,
    unavailable: 'no embedding model can be used',
  });
