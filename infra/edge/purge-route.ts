/** `POST /purge?key=<tenant>/<video>[/g<n>]`, for processes of this installation alone: the gateway leads no request here. */
import type { RequestHandler } from 'express';
import { isLeft } from 'fp-ts/Either';
import type { Log } from '../ports/runtime/log';
import type { CallerKeys } from '../server/http/identity/caller-keys';
import { identityHeader, refuseCaller, verifyCaller } from '../server/http/identity/identity-header';
import { invalidInput, problem } from '../server/http/problem';
import { sendProblem } from '../server/http/routing/send-answer';
import { purgePath, purgeScope } from '../server/video/purge-call';
import type { ObjectCache } from './cache/object-cache';
import { prefixOfSurrogateKey } from './delivery/surrogate-keys';
import type { EdgeMetrics } from './metrics';

export interface PurgeOptions {
  readonly callerKeys: CallerKeys;
  readonly cache: Pick<ObjectCache, 'purge'>;
  readonly metrics: EdgeMetrics;
  readonly log: Log;
}

/** 200 with how many objects were cached: none is sent, and no file of them is left. */
export const purgeRoute =
  ({ callerKeys, cache, metrics, log }: PurgeOptions): RequestHandler =>
  async (request, response) => {
    response.locals.route = purgePath;
    const line = { method: request.method, target: request.originalUrl };
    const header = request.headers[identityHeader] as string | undefined;
    const caller = verifyCaller(header, { keys: callerKeys, line, now: Date.now() });
    if (isLeft(caller)) return sendProblem(response, refuseCaller(caller.left));
    if (caller.right.identity?.scopes.includes(purgeScope) !== true)
      return sendProblem(response, problem('forbidden', `The caller lacks the scope ${purgeScope}.`));
    const key = new URLSearchParams(request.originalUrl.split('?')[1]).get('key') ?? '';
    const prefix = prefixOfSurrogateKey(key);
    if (prefix === undefined)
      return sendProblem(
        response,
        invalidInput([{ pointer: '/query/key', expected: 'a tenant, a video and perhaps a generation' }]),
      );
    try {
      const objects = await cache.purge(prefix);
      metrics.purged(objects);
      log.info({ key, objects }, 'purged');
      response.json({ objects });
    } catch (error) {
      log.error({ error, key }, 'files could not be purged');
      sendProblem(response, problem('service-unavailable', 'Nothing of it is sent; its files are not removed yet.'));
    }
  };
