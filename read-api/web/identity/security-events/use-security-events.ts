/** Security events of a filter: pages of past ones, and new ones as they are recorded. */
import { useEffect, useState } from 'preact/hooks';
import { followSecurityEvents, listSecurityEvents } from '../../../../packages/client/src/operations';
import { followLive, type Liveness } from '../../kernel/event-stream';
import { session, signIns } from '../../kernel/session';
import { fromAddress } from '../../kernel/use-filter-input';
import { type Pages, usePages } from '../../kernel/use-pages';
import type { SecurityEvent } from '../wire';

export interface SecurityEventFilter {
  /** Ids, separated by commas; empty: any. Undefined: none is known yet, or at all. */
  readonly principalIds: string | undefined;
  readonly clientIds: string | undefined;
  readonly actors: string | undefined;
  readonly type: string;
  readonly severity: string;
  readonly result: string;
  readonly jti: string;
  /** Instants, or empty. */
  readonly from: string;
  readonly to: string;
  /** `platform`, or empty: of the tenant. */
  readonly about: string;
}

export interface SecurityEvents {
  readonly pages: Pages<SecurityEvent>;
  /** Undefined: not followed, because the filter ends in the past, is not about the tenant, or past events cannot be read. */
  readonly state: Liveness | undefined;
}

interface Tail {
  readonly filter: string;
  readonly events: readonly SecurityEvent[];
}

/** The earliest of a tail leave the page first; a reload has them. */
const maxInTail = 500;

/** The page and the tail may overlap. */
const joined = (
  tail: readonly SecurityEvent[],
  items: readonly SecurityEvent[] | undefined,
): readonly SecurityEvent[] | undefined => {
  if (items === undefined) return undefined;
  const known = new Set(items.map(({ eventId }) => eventId));
  return [...tail.filter(({ eventId }) => !known.has(eventId)), ...items];
};

type Ids = Pick<SecurityEventFilter, 'principalIds' | 'clientIds' | 'actors'>;

const isListed = (list: string | undefined, id: string | null): boolean =>
  list === '' || (id !== null && (list ?? '').split(',').includes(id));

const isWanted = ({ principalIds, clientIds, actors }: Ids, { principalId, clientId, actor }: SecurityEvent): boolean =>
  isListed(principalIds, principalId) && isListed(clientIds, clientId) && isListed(actors, actor);

/** A stream is filtered by one id of each; of several, the page takes what it wants. */
const only = (list: string | undefined): string => (list === undefined || list.includes(',') ? '' : list);

export const useSecurityEvents = (filter: SecurityEventFilter): SecurityEvents => {
  const { principalIds, clientIds, actors, type, severity, result, jti, to, about } = filter;
  const isKnown = principalIds !== undefined && clientIds !== undefined && actors !== undefined;
  const pages = usePages(
    isKnown ? listSecurityEvents(fromAddress({ ...filter, principalIds, clientIds, actors, limit: 50 })) : undefined,
  );
  const key = JSON.stringify(filter);
  const [tail, setTail] = useState<Tail>({ filter: key, events: [] });
  const [state, setState] = useState<Liveness>({ kind: 'connecting' });
  const signedIn = signIns.value;
  const isFollowed = isKnown && to === '' && about === '' && session.value.kind === 'in';
  useEffect(() => {
    if (!isFollowed) return undefined;
    const leaving = new AbortController();
    const onEvent = (event: SecurityEvent): void => {
      if (!isWanted(filter, event)) return;
      setTail((before) => {
        const events = before.filter === key ? before.events : [];
        return { filter: key, events: [event, ...events].slice(0, maxInTail) };
      });
    };
    const followed = {
      principalId: only(principalIds),
      clientId: only(clientIds),
      actor: only(actors),
      type,
      severity,
      result,
      jti,
    };
    const request = followSecurityEvents(fromAddress(followed));
    void followLive(request, { signal: leaving.signal, onEvent, onState: setState });
    return () => leaving.abort();
  }, [key, isFollowed, signedIn]);
  const items = joined(tail.filter === key ? tail.events : [], pages.items);
  // The page displays new events above past ones.
  const isUnread = items === undefined && pages.problem !== undefined;
  return { pages: { ...pages, items }, state: isFollowed && !isUnread ? state : undefined };
};
