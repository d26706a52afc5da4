/** Compares messages to clients with the log at once, and records them. */
import assert from 'node:assert/strict';
import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import type { World } from './world';

/** Nobody is told anything that is not in the log. */
export const assertCommitted = ({ committed }: World, said: ServerMessage): void => {
  if (said.type === 'operations') assert.ok(said.toVersion <= committed, `${said.toVersion} was told too soon`);
  if (said.type === 'joined') assert.ok(said.committedVersion <= committed, 'joined at what is not there');
  if (said.type === 'snapshot') assert.ok(said.snapshot.version <= committed, 'a snapshot of what is not there');
  if (said.type === 'ack')
    assert.ok(said.committedVersion <= committed, `${said.committedVersion} was acknowledged too soon`);
};

/** What somebody said holds from then on; that nothing came of an operation is forgotten with an owner that nobody heard say so. */
export const note = ({ told, came }: World, said: ServerMessage, isHeard: boolean): void => {
  if (said.type === 'joined' && isHeard)
    for (const clientSeq of said.came?.clientSeqs ?? []) came.add(`${said.clientId}-${clientSeq}`);
  for (const { opId, status, version } of said.type === 'ack' ? (said.results ?? []) : []) {
    const isNothing = status === 'rejected' || status === 'dropped';
    if (isNothing === isHeard) told.set(opId, [...(told.get(opId) ?? []), { status, version }]);
  }
};
