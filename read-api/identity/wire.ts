/** Words that several answers of this context share, as they stand on the wire. */
import * as t from 'io-ts';
import { described, oneOf, text } from '../../domain/kernel/codec';
import { idOf } from '../../domain/kernel/ids';

export const PrincipalId = idOf('PrincipalId');
export const PrincipalType = oneOf('PrincipalType', ['HUMAN', 'PIPELINE', 'AI_AGENT']);
export const EventId = text('EventId', { maxLength: 64 });
export const EventType = text('SecurityEventType', { maxLength: 128, examples: ['PrincipalSuspended'] });
export const Actor = text('Actor', { maxLength: 256 });
/** What an event says beyond the other fields. */
export const Details = described(t.UnknownRecord, { type: 'object' });
