/** Messages of the service, decoded. */
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeStored, integer, nullable, oneOf, record } from '../../../../domain/kernel/codec';
import { JobId } from '../../../../domain/workflow/ids';
import { Assignment, HeartbeatAnswer, type ToRunner } from '../../../../domain/workflow/protocol/runner';

const ofLease = { jobId: JobId, epoch: integer(1) };

const codecs = {
  assign: record('AssignMessage', { type: t.literal('assign'), assignment: Assignment }),
  cancel: record('CancelMessage', {
    type: t.literal('cancel'),
    ...ofLease,
    kind: oneOf('CancelKind', ['graceful', 'forced']),
  }),
  stale_epoch: record('StaleEpochMessage', { type: t.literal('stale_epoch'), ...ofLease }),
  heartbeat: t.intersection([
    record('HeartbeatMessage', { type: t.literal('heartbeat'), jobId: nullable(JobId) }),
    HeartbeatAnswer,
  ]),
  drain: record('DrainMessage', { type: t.literal('drain') }),
} as const satisfies { readonly [Type in ToRunner['type']]: t.Type<Extract<ToRunner, { type: Type }>> };

const isKnown = (type: unknown): type is ToRunner['type'] => typeof type === 'string' && Object.hasOwn(codecs, type);

/** Left: the type of a message that this version does not know, or where the message has another form. Never its content. */
export const decodeMessage = (value: unknown): Either<string, ToRunner> => {
  const type = (value as { readonly type?: unknown } | null)?.type;
  if (!isKnown(type)) return left('unknown message');
  const codec: t.Decoder<unknown, ToRunner> = codecs[type];
  const decoded = decodeStored(codec, value);
  return decoded._tag === 'Right' ? right(decoded.right) : left(`${type}${decoded.left[0]?.pointer ?? ''}`);
};
