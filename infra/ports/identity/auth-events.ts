/** Authorization decisions of gateways on their way to the index that is searched for them. */
import type { Either } from 'fp-ts/Either';
import type { AuthEvent, AuthResult } from '../../../domain/identity/protocol/auth-event';
import type { Instant } from '../../../domain/kernel/codec';
import type { Fault } from '../../../domain/kernel/rejection';

export type AuthEventFault = Fault<'service-unavailable'>;

type Outcome<A> = Promise<Either<AuthEventFault, A>>;

export interface AuthEventSink {
  /** Never waits. What finds no room is counted. */
  readonly record: (event: AuthEvent) => void;
  /** Sends the rest, once. */
  readonly close: () => Promise<void>;
}

export interface DeliveredAuthEvent {
  /** What `acknowledge` takes. */
  readonly delivery: string;
  readonly event: AuthEvent;
}

/** A person by the vault's hash, and until when the addresses of that person are to go; milliseconds since 1970. */
export interface ForgottenSubject {
  readonly subject: string;
  readonly until: number;
}

/** Delivers each event at least once, to one of its consumers. */
export interface AuthEventStream {
  /** Begins with deliveries to this consumer, or to one that is gone, that were never acknowledged. */
  readonly read: () => Outcome<readonly DeliveredAuthEvent[]>;
  /** Removes them. */
  readonly acknowledge: (deliveries: readonly string[]) => Outcome<void>;
  /** Removes what is personal of waiting events, and remembers the person for events that arrive later. */
  readonly forget: (forgotten: ForgottenSubject) => Outcome<void>;
  /** Of these subjects, until when. */
  readonly forgottenAmong: (subjects: readonly string[]) => Outcome<ReadonlyMap<string, number>>;
  /** Position of the log up to which persons are forgotten here; null: none. `log`: the log that positions are of. */
  readonly forgottenTo: (log: string) => Outcome<bigint | null>;
  readonly recordForgottenTo: (log: string, position: bigint) => Outcome<void>;
}

/** How long events stay, in days. */
export interface AuthEventRetention {
  readonly days: number;
  readonly byTenant: ReadonlyMap<string, number>;
}

export interface AuthEventIndex {
  /** Complete when it returns. An event that is there stays as it is. */
  readonly add: (events: readonly AuthEvent[]) => Outcome<void>;
  /** Complete when it returns, for events that were added before. */
  readonly forget: (forgotten: ForgottenSubject) => Outcome<void>;
  readonly expire: (retention: AuthEventRetention, now: number) => Outcome<void>;
  readonly close: () => Promise<void>;
}

export interface AuthEventQuery {
  readonly principalIds?: readonly string[] | undefined;
  readonly result?: AuthResult | undefined;
  readonly reason?: string | undefined;
  readonly jti?: string | undefined;
  /** From this moment, and before that one. */
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  /** The last event of the page before. */
  readonly after?: Pick<AuthEvent, 'timestamp' | 'eventId'> | undefined;
  readonly limit: number;
}

/** How many events were not recorded, since this is counted. */
export type DroppedAuthEvents = { readonly [Result in AuthResult]: number };

export interface AuthEventReader {
  /** The newest first. Tenant null: of callers who presented no valid token. */
  readonly find: (tenantId: string | null, query: AuthEventQuery) => Outcome<readonly AuthEvent[]>;
  readonly dropped: (tenantId: string | null) => Outcome<DroppedAuthEvents>;
  readonly close: () => Promise<void>;
}

/** Hands decisions to detection, where it runs. */
export interface DetectionForwarder {
  readonly forward: (events: readonly AuthEvent[]) => Outcome<void>;
}

export interface DetectionPage {
  /** Of its last entry; what a snapshot is of. */
  readonly cursor: string;
  readonly events: readonly AuthEvent[];
}

/** Decisions for one detector, in the order in which they were forwarded; each at least once. */
export interface DetectionSource {
  /** After the cursor; null: from the first. Undefined: none yet. */
  readonly read: (cursor: string | null) => Outcome<DetectionPage | undefined>;
  /** What the detector knew at a cursor; entries up to there are removed. */
  readonly saveSnapshot: (snapshot: { readonly cursor: string; readonly text: string }) => Outcome<void>;
  readonly loadSnapshot: () => Outcome<{ readonly cursor: string; readonly text: string } | undefined>;
}
