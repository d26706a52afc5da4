/** Compares messages to clients with the log at once, and records them. */
import assert from 'node:assert/strict';
import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import type { World } from './world';

/** A message to a client names nothing that is not in the log. */
export const assertCommitted = ({ committed }: World, message: ServerMessage): void => {
  if (message.type === 'operations')
    assert.ok(message.toVersion <= committed, `${message.toVersion} was sent too soon`);
  if (message.type === 'joined') assert.ok(message.committedVersion <= committed, 'joined at what is not there');
  if (message.type === 'snapshot') assert.ok(message.snapshot.version <= committed, 'a snapshot of what is not there');
  if (message.type === 'ack')
    assert.ok(message.committedVersion <= committed, `${message.committedVersion} was acknowledged too soon`);
};

/**
 * Records results: of applied operations once they are sent; of rejected and dropped ones once the client received
 * them, because a new owner does not know of them.
 */
export const note = ({ reported, came }: World, message: ServerMessage, isReceived: boolean): void => {
  if (message.type === 'joined' && isReceived)
    for (const clientSeq of message.came?.clientSeqs ?? []) came.add(`${message.clientId}-${clientSeq}`);
  for (const { opId, status, version } of message.type === 'ack' ? (message.results ?? []) : []) {
    const isNothing = status === 'rejected' || status === 'dropped';
    if (isNothing === isReceived) reported.set(opId, [...(reported.get(opId) ?? []), { status, version }]);
  }
};
