/** Online introspection, which a rule can require: everything that the log knows about revocations when the request is decided, not a moment before. */
import { isLeft } from 'fp-ts/Either';
import type { SecurityState } from '../../../packages/resource-server/src/verification/index';
import type { EventStore } from '../../ports/event-store';
import { type Problem, problem } from '../../server/http/problem';
import type { Identity } from '../../server/http/routing/route';
import { changesAfter } from '../../server/security-state/event-log-feed';
import { type Authentication, checkRevocation } from '../authentication/authenticate';

export interface IntrospectionSources {
  readonly store: Pick<EventStore, 'head' | 'readAll'>;
  readonly revocations: Pick<SecurityState, 'apply' | 'sequence'>;
  readonly authentication: Authentication;
}

const unavailable = (): Problem =>
  problem('service-unavailable', 'The token has to be checked against the log, which does not answer; try again.');

export const createIntrospection =
  ({ store, revocations, authentication }: IntrospectionSources) =>
  async (identity: Identity): Promise<Problem | undefined> => {
    const known = revocations.sequence();
    const head = await store.head();
    if (isLeft(head) || known === null) return unavailable();
    try {
      if (head.right !== known) for await (const change of changesAfter(store, known)) revocations.apply(change);
    } catch {
      return unavailable();
    }
    return checkRevocation(identity, authentication);
  };
