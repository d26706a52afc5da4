/** Who may do what with documents, as sessions, owners of documents and queries ask. */
import type { Either } from 'fp-ts/Either';
import type { EventStore, EventStoreFault } from '../../../infra/ports/event-store';
import type { Log } from '../../../infra/ports/log';
import { openWarm } from '../../kernel/warm';
import type { Access, Place } from '../owner/needs';
import { type PlacedStanding, readStanding } from './standing';
import { watchStandings } from './watch';

export interface AccessOptions {
  /** One that shares reads: all who ask at once are answered by one. */
  readonly store: EventStore;
  readonly log: Log;
  /** Ends the watching. */
  readonly signal: AbortSignal;
}

export type About = (place: Place) => Promise<Either<EventStoreFault, PlacedStanding>>;

/** Only asking: nothing is followed. */
export const openAbout = (store: Pick<EventStore, 'read'>): About => {
  const warm = openWarm();
  return (place) => readStanding({ store, warm }, place);
};

/** `ended` resolves after the signal. */
export const openAccess = (options: AccessOptions): Access & { readonly ended: Promise<void> } => {
  const about = openAbout(options.store);
  const { watch, ended } = watchStandings({ ...options, about });
  return { about, watch, ended };
};
