/**
 * What of a model service is let through: what generates, and which models there are. What it keeps for its account (answers, files,
 * batches) is not: all callers share that account.
 */
import type { ModelApi } from '../../../packages/ratelimit/src/index';

const prefix = '/llm';

/** Pictures come along with them; operators may say less (`MODELS_BODY_LIMIT`). */
export const maxModelBody = 33_554_432;

export const isModelPath = (target: string): boolean => target.startsWith(`${prefix}/`);

export interface ModelRoute {
  readonly method: 'GET' | 'POST';
  /** At the model service; what callers ask in a query is not handed on. */
  readonly path: string;
  /** Undefined: it generates nothing. */
  readonly api: ModelApi | undefined;
}

const generationRoutes: ReadonlyMap<string, ModelApi> = new Map([
  ['/v1/chat/completions', 'chat'],
  ['/v1/responses', 'responses'],
  ['/v1/completions', 'completions'],
  ['/v1/embeddings', 'embeddings'],
]);

/** Names as they are given to models, with slashes where a publisher stands before them. */
const listingPath = /^\/v1\/models(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._:@-]+){0,3}$/;

/** Undefined: nothing is there. */
export const modelRouteOf = (target: string): ModelRoute | undefined => {
  const [path = ''] = target.slice(prefix.length).split('?', 1);
  const api = generationRoutes.get(path);
  if (api !== undefined) return { method: 'POST', path, api };
  return listingPath.test(path) ? { method: 'GET', path, api: undefined } : undefined;
};
