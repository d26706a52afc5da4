/** How large a request may be, by what it is for. */
import { isBlobTarget } from './routes';
import { longestTarget, type RequestLimits } from './well-formed';

/** Of blobs the signature says how long they are; it carries the key, which may be long itself. */
const longestBlobTarget = 12_288;

export const limitsOf = (target: string, bodyLimit: number): RequestLimits =>
  isBlobTarget(target)
    ? { body: Number.POSITIVE_INFINITY, target: longestBlobTarget }
    : { body: bodyLimit, target: longestTarget };
