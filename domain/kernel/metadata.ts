/** Metadata of every event: actor, cause, time and command. */
import * as t from 'io-ts';
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
    /** Where the actor is an agent that acts for another principal: that principal, the delegation and the task. */
    onBehalfOf: reference('OnBehalfOf'),
    delegationId: reference('ActingDelegationId'),
    taskId: reference('ActingTaskId'),
    /** When and by which methods the person signed in whose token it was; left out without a person. */
    authenticatedAt: Instant,
    methods: t.array(reference('Method'), 'ActingMethods'),
    /** How the actor's access came about (`auth_context`), such as by a delegation for a tool. */
    authContext: t.array(reference('AuthContext'), 'ActingAuthContext'),
    /** How many processes' commands led here since the last job, one after the other; left out when none did. */
    depth: integer(0, 1_000),
    /** How many jobs led here, one after the other; left out when none did. */
    jobDepth: integer(0, 1_000),
    /** The span that recorded it, as W3C Trace Context writes it; left out where nothing was traced. */
    traceparent: reference('Traceparent'),
  },
);
export type EventMetadata = t.TypeOf<typeof EventMetadata>;
