/**
 * Lanes of AuthEvents in Redis: a stream each, so that what many can cause takes no room of what must not be lost. All keys lie in one slot of a
 * cluster.
 */
import type { AuthEvent } from '../../../../domain/identity/protocol/auth-event';

export interface Lane {
  readonly name: 'deny' | 'allow' | 'unattributed';
  /** Events that wait in one gateway while Redis does not take them. */
  readonly buffered: number;
  /** Events that wait in Redis while nothing reads them. Redis also counts limits, so they must not fill it. */
  readonly stored: number;
  /** What finds no room in Redis: it waits in the gateway, or it is dropped. */
  readonly whenFull: 'wait' | 'drop';
}

const deny: Lane = { name: 'deny', buffered: 50_000, stored: 200_000, whenFull: 'wait' };
const allow: Lane = { name: 'allow', buffered: 10_000, stored: 50_000, whenFull: 'drop' };
/** Denied without a valid token: every client can cause them. */
const unattributed: Lane = { name: 'unattributed', buffered: 5_000, stored: 20_000, whenFull: 'drop' };

/** In the order in which they are sent and read. */
export const lanes: readonly Lane[] = [deny, allow, unattributed];

export const laneOf = ({ result, tenantId }: AuthEvent): Lane => {
  if (tenantId === null) return unattributed;
  return result === 'DENY' ? deny : allow;
};

const keyOf = (name: string): string => `identity:{auth-events}:${name}`;

/** Made by the consumer, so that nothing is appended where nothing reads. */
export const streamKey = ({ name }: Lane): string => keyOf(name);
/** How many events found no room: a hash. */
export const droppedKey = keyOf('dropped');
export const droppedField = (tenantId: string | null, result: AuthEvent['result']): string =>
  // Tenants have no colon.
  `${tenantId ?? ''}:${result}`;
/** Persons who are forgotten, by the moment until which: a sorted set. */
export const forgottenKey = keyOf('forgotten');
/** Position of the log, by the log: a hash. */
export const forgottenToKey = keyOf('forgotten-to');

/** Decisions that are indexed, for detection: made by the detector. */
export const detectionKey = keyOf('detection');
/** What the detector knew, and the entry up to which: a hash. */
export const detectionStateKey = keyOf('detection-state');
