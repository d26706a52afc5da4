/** How persistent subscriptions refuse. */
import { status } from '@grpc/grpc-js';
import { failure } from '../../harness/raw-calls';
import type { GroupName } from './requests';

const named = (exception: string, { stream = '$all', group }: GroupName) => ({
  exception,
  'stream-name': stream,
  'group-name': group,
});
const subject = ({ stream = '$all', group }: GroupName): string => `Subscription group ${group} on stream ${stream}`;

export const exists = (name: GroupName) =>
  failure(status.ALREADY_EXISTS, `${subject(name)} exists.`, named('persistent-subscription-exists', name));

export const missing = (name: GroupName) =>
  failure(status.NOT_FOUND, `${subject(name)} does not exist.`, named('persistent-subscription-does-not-exist', name));

export const full = (name: GroupName) =>
  failure(
    status.FAILED_PRECONDITION,
    `Maximum subscriptions reached for subscription group ${name.group} on stream ${name.stream ?? '$all'}.`,
    named('maximum-subscribers-reached', name),
  );

export const dropped = (name: GroupName) =>
  failure(status.CANCELLED, `${subject(name)} was dropped.`, named('persistent-subscription-dropped', name));

export const failedFor = (name: GroupName, reason: string) =>
  failure(status.INTERNAL, `${subject(name)} failed: '${reason}'`, {
    ...named('persistent-subscription-failed', name),
    reason,
  });
