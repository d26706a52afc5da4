/** Metadata of every event: actor, cause, time and command. */
import type * as t from 'io-ts';
import { Instant, integer, record, text } from './codec';
import { TenantId } from './ids';

const reference = (name: string) => text(name, { maxLength: 256 });

export const EventMetadata = record(
  'EventMetadata',
  {
    /** The request that started the whole conversation. */
    $correlationId: reference('CorrelationId'),
    /** The command or event that directly caused this one. */
    $causationId: reference('CausationId'),
    commandId: reference('CommandId'),
    /** SHA-256 of the canonical command, hex: distinguishes a retry from another command under the same id. */
    commandHash: reference('CommandHash'),
    tenant: TenantId,
    /** The principal who acted, or `system:<part>`. */
    actor: reference('Actor'),
    at: Instant,
  },
  {
    /** How many processes' commands led here since the last job, one after the other; left out when none did. */
    depth: integer(0, 1_000),
    /** How many jobs led here, one after the other; left out when none did. */
    jobDepth: integer(0, 1_000),
    /** The span that recorded it, as W3C Trace Context writes it; left out where nothing was traced. */
    traceparent: reference('Traceparent'),
  },
);
export type EventMetadata = t.TypeOf<typeof EventMetadata>;
