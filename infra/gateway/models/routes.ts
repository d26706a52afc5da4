/**
 * Allowed paths of the model service: generation and the list of models. Stored objects (responses, files, batches) are excluded, because
 * all callers share one account.
 */
import type { ModelApi } from '../../../packages/ratelimit/src/index';

const prefix = '/llm';

/** Allows embedded images; operators can lower it (`MODELS_BODY_LIMIT`). */
export const maxModelBody = 33_554_432;

export const isModelPath = (target: string): boolean => target.startsWith(`${prefix}/`);

export interface ModelRoute {
  readonly method: 'GET' | 'POST';
  /** Path at the model service; query parameters are dropped. */
  readonly path: string;
  /** Undefined: the route generates nothing. */
  readonly api: ModelApi | undefined;
}

const generationRoutes: ReadonlyMap<string, ModelApi> = new Map([
  ['/v1/chat/completions', 'chat'],
  ['/v1/responses', 'responses'],
  ['/v1/completions', 'completions'],
  ['/v1/embeddings', 'embeddings'],
]);

/** Model names, which may contain slashes after a publisher. */
const listingPath = /^\/v1\/models(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._:@-]+){0,3}$/;

/** Undefined: not an allowed path. */
export const modelRouteOf = (target: string): ModelRoute | undefined => {
  const [path = ''] = target.slice(prefix.length).split('?', 1);
  const api = generationRoutes.get(path);
  if (api !== undefined) return { method: 'POST', path, api };
  return listingPath.test(path) ? { method: 'GET', path, api: undefined } : undefined;
};
