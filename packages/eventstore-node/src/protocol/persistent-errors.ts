/** Statuses and trailers of persistent subscriptions, as a real node sends them. */
import { status } from '@grpc/grpc-js';
import type { Target } from '../persistent/registry';
import { CallEnded } from './errors';

const named = (exception: string, { stream, group }: Target) => ({
  exception,
  'stream-name': stream,
  'group-name': group,
});

const subject = ({ stream, group }: Target): string => `Subscription group ${group} on stream ${stream}`;

export const groupExists = (target: Target): CallEnded =>
  new CallEnded(status.ALREADY_EXISTS, `${subject(target)} exists.`, named('persistent-subscription-exists', target));

export const groupMissing = (target: Target): CallEnded =>
  new CallEnded(
    status.NOT_FOUND,
    `${subject(target)} does not exist.`,
    named('persistent-subscription-does-not-exist', target),
  );

export const groupFull = (target: Target): CallEnded =>
  new CallEnded(
    status.FAILED_PRECONDITION,
    `Maximum subscriptions reached for subscription group ${target.group} on stream ${target.stream}.`,
    named('maximum-subscribers-reached', target),
  );

export const groupDropped = (target: Target): CallEnded =>
  new CallEnded(status.CANCELLED, `${subject(target)} was dropped.`, named('persistent-subscription-dropped', target));

export const groupFailed = (target: Target, reason: string): CallEnded =>
  new CallEnded(status.INTERNAL, `${subject(target)} failed: '${reason}'`, {
    ...named('persistent-subscription-failed', target),
    reason,
  });
