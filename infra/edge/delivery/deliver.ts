/** Answers requests for delivered objects. The signature is checked before anything else, and is no part of the cache's key. */
import type { RequestHandler, Response } from 'express';
import { isLeft, right } from 'fp-ts/Either';
import { deliveredPrefix } from '../../../domain/video/keys';
import type { Log } from '../../ports/runtime/log';
import { type Problem, problem } from '../../server/http/problem';
import type { RangedBytes } from '../../server/http/routing/route';
import { sendProblem } from '../../server/http/routing/send-answer';
import { sendBytes } from '../../server/http/streaming/send-bytes';
import { type DeliveredObject, deliveryPath, readDeliveryPath } from '../../server/video/delivery-address';
import type { DeliveryKeys } from '../../server/video/signed-text';
import type { WantedObject } from '../cache/fills';
import type { DescribedObject, ObjectCache, OpenedObject } from '../cache/object-cache';
import type { OriginRefusal } from '../cache/origin';
import type { EdgeMetrics } from '../metrics';
import { contentTypeOf, objectHeaders, openHeaders, preflightHeaders } from './headers';

export interface DeliveryOptions {
  readonly keys: () => DeliveryKeys;
  readonly cache: ObjectCache;
  readonly metrics: EdgeMetrics;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** A connection whose client takes nothing for that long is cut. */
  readonly idleMilliseconds?: number;
}

const allowed = 'GET, HEAD, OPTIONS';

/** The same for an address that never was valid and for one that has ended: a player requests the playback again. */
const forbidden = problem('forbidden', 'The address is not valid, or no longer valid. Request the playback again.');
const unknown = problem('not-found', 'No resource exists at this path.');

const refusals: { readonly [R in OriginRefusal]: Problem } = {
  unknown,
  away: problem('service-unavailable', 'The object is not here, and its source does not answer. Try again.'),
  damaged: problem('service-unavailable', 'The source of the object answered with other bytes. Try again.'),
};

const wantedOf = (object: DeliveredObject): WantedObject => {
  const [, sha256] = /^([0-9a-f]{64})\.\w+$/.exec(object.name) ?? [];
  return { key: `${deliveredPrefix(object, object.folder)}${object.name}`, sha256 };
};

const statuses: { readonly [U in DescribedObject['use']]: string } = {
  hit: 'hit',
  miss: 'fwd=uri-miss; stored',
  joined: 'fwd=uri-miss; collapsed',
  through: 'fwd=uri-miss',
};

const answerOf = (
  object: DeliveredObject,
  { size, sha256, use }: DescribedObject,
  openRange: RangedBytes['openRange'],
): RangedBytes => ({
  contentType: contentTypeOf(object),
  size,
  ...(sha256 === undefined ? {} : { etag: `"${sha256}"` }),
  headers: objectHeaders(object, statuses[use]),
  openRange,
});

const send = async (response: Response, answer: RangedBytes): Promise<void> => {
  const refused = await sendBytes(response, answer);
  if (refused === undefined) response.end();
  else sendProblem(response, refused);
};

const sendOpened = async (
  { metrics, log }: DeliveryOptions,
  response: Response,
  { object, opened }: { readonly object: DeliveredObject; readonly opened: OpenedObject },
): Promise<void> => {
  response.once('close', opened.release);
  if (response.destroyed) return;
  const openRange: RangedBytes['openRange'] = async (span) => {
    response.once('close', () => response.writableFinished && metrics.sent(span.length));
    return right(opened.read(span));
  };
  try {
    await send(response, answerOf(object, opened, openRange));
  } catch (error) {
    log.warn({ error, videoId: object.videoId, name: object.name }, 'an answer was cut');
    response.destroy();
  }
};

const serve = async (options: DeliveryOptions, response: Response): Promise<void> => {
  const { keys, cache, metrics, now = Date.now, idleMilliseconds = 60_000 } = options;
  const { method, originalUrl } = response.req;
  const refuse = (refusal: OriginRefusal | 'refused', answer: Problem): void => {
    metrics.requested(refusal);
    sendProblem(response, answer);
  };
  const [path = ''] = originalUrl.split('?', 1);
  const object = readDeliveryPath(keys(), path, now());
  if (isLeft(object)) return refuse('refused', object.left === 'unknown' ? unknown : forbidden);
  response.setTimeout(idleMilliseconds, () => response.destroy());
  const wanted = wantedOf(object.right);
  if (method === 'HEAD') {
    const described = await cache.describe(wanted);
    if (isLeft(described)) return refuse(described.left, refusals[described.left]);
    metrics.requested(described.right.use);
    return send(
      response,
      answerOf(object.right, described.right, () => Promise.reject(new Error('HEAD has no body'))),
    );
  }
  const opened = await cache.open(wanted);
  if (isLeft(opened)) return refuse(opened.left, refusals[opened.left]);
  metrics.requested(opened.right.use);
  await sendOpened(options, response, { object: object.right, opened: opened.right });
};

/** For an express app: of other paths it does nothing. */
export const deliver =
  (options: DeliveryOptions): RequestHandler =>
  async (request, response, next) => {
    if (!request.originalUrl.startsWith(deliveryPath)) return next();
    response.locals.route = deliveryPath;
    response.setHeaders(new Map(Object.entries(openHeaders)));
    switch (request.method) {
      case 'OPTIONS':
        response.writeHead(204, { ...preflightHeaders, Allow: allowed }).end();
        return;
      case 'GET':
      case 'HEAD':
        return serve(options, response);
      default: {
        const refused = problem('method-not-allowed', `Use ${allowed}.`);
        sendProblem(response, { ...refused, headers: { Allow: allowed } });
      }
    }
  };
