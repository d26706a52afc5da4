/** Which sessions of a person were used lately: one that was not for too long is over, without a fact being recorded for each use. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

type SessionActivityFault = Fault<'service-unavailable'>;

export interface SessionActivity {
  /** `person` names all sessions of one; `session` one of them. */
  readonly begin: (
    person: string,
    session: string,
    idleMilliseconds: number,
  ) => Promise<Either<SessionActivityFault, void>>;
  /** Used now. False: it was not for too long, or has ended. */
  readonly use: (
    person: string,
    session: string,
    idleMilliseconds: number,
  ) => Promise<Either<SessionActivityFault, boolean>>;
  readonly end: (person: string, session: string) => Promise<Either<SessionActivityFault, void>>;
  readonly of: (person: string) => Promise<Either<SessionActivityFault, readonly string[]>>;
  readonly close: () => Promise<void>;
}
