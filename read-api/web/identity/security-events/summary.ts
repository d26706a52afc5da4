/** The sentence of a security event, with a list of scopes in it as a count: thirty scopes hide what happened. */
import type { SecurityEvent } from '../wire';

interface SummaryParts {
  readonly before: string;
  /** Empty: the sentence names no list that is longer than it should be. */
  readonly scopes: readonly string[];
  readonly after: string;
}

/** So many are read at a glance. */
const maxInSentence = 2;

const scopesIn = ({ details }: Pick<SecurityEvent, 'details'>): readonly string[] => {
  const { scopes } = details;
  return Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string') ? scopes : [];
};

/** A long sentence was cut when it was recorded, within the list. */
export const summaryPartsOf = ({ summary, details }: Pick<SecurityEvent, 'summary' | 'details'>): SummaryParts => {
  const scopes = scopesIn({ details });
  const whole = { before: summary, scopes: [], after: '' };
  if (scopes.length <= maxInSentence) return whole;
  const at = summary.indexOf(scopes.slice(0, maxInSentence + 1).join(', '));
  if (at < 0) return whole;
  const list = scopes.join(', ');
  return {
    before: summary.slice(0, at),
    scopes,
    after: summary.startsWith(list, at) ? summary.slice(at + list.length) : '',
  };
};

/** Sentences are recorded with the id of the client; its name may change. */
export const withClientName = <Event extends Pick<SecurityEvent, 'clientId' | 'summary'>>(
  event: Event,
  name: string | undefined,
): Event => {
  const { clientId, summary } = event;
  return clientId === null || name === undefined ? event : { ...event, summary: summary.replace(clientId, () => name) };
};
