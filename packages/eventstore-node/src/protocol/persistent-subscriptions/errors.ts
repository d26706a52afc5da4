/** Statuses and trailers of persistent subscriptions, as EventStoreDB sends them. */
import { status } from '@grpc/grpc-js';
import type { GroupTarget } from '../../persistent-subscriptions/group-registry';
import { CallError } from '../errors';

const trailers = (exception: string, { stream, group }: GroupTarget) => ({
  exception,
  'stream-name': stream,
  'group-name': group,
});

const subject = ({ stream, group }: GroupTarget): string => `Subscription group ${group} on stream ${stream}`;

export const groupExists = (target: GroupTarget): CallError =>
  new CallError(
    status.ALREADY_EXISTS,
    `${subject(target)} exists.`,
    trailers('persistent-subscription-exists', target),
  );

export const groupMissing = (target: GroupTarget): CallError =>
  new CallError(
    status.NOT_FOUND,
    `${subject(target)} does not exist.`,
    trailers('persistent-subscription-does-not-exist', target),
  );

export const groupFull = (target: GroupTarget): CallError =>
  new CallError(
    status.FAILED_PRECONDITION,
    `Maximum subscriptions reached for subscription group ${target.group} on stream ${target.stream}.`,
    trailers('maximum-subscribers-reached', target),
  );

export const groupDropped = (target: GroupTarget): CallError =>
  new CallError(
    status.CANCELLED,
    `${subject(target)} was dropped.`,
    trailers('persistent-subscription-dropped', target),
  );

export const groupFailed = (target: GroupTarget, reason: string): CallError =>
  new CallError(status.INTERNAL, `${subject(target)} failed: '${reason}'`, {
    ...trailers('persistent-subscription-failed', target),
    reason,
  });
