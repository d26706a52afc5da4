/** How large a request may be, by what it is for. */
import { isModelsTarget, largestModelsBody } from './models-routes';
import { isBlobTarget } from './routes';
import { longestTarget, type RequestLimits } from './well-formed';

/** Of blobs the signature says how long they are; it carries the key, which may be long itself. */
const longestBlobTarget = 12_288;

export const limitsOf = (target: string, bodyLimit: number): RequestLimits => {
  if (isBlobTarget(target)) return { body: Number.POSITIVE_INFINITY, target: longestBlobTarget };
  return { body: isModelsTarget(target) ? largestModelsBody : bodyLimit, target: longestTarget };
};
