/**
 * Warns of refused requests whose browser sees another origin than `PUBLIC_URL` names, as behind a proxy whose address was not set. Pages can
 * only state that a form is not theirs; the log names the variable.
 */
import type { Log } from '../../../ports/runtime/log';
import { trackOutage } from '../../runtime/outage';

type Headers = { readonly [name: string]: unknown };

export interface OriginMismatch {
  /** Called with the headers of each request that only our own pages may send. At most one line a minute is written. */
  readonly observe: (headers: Headers) => void;
}

/** Longer ones are no origins. */
const maxOriginLength = 256;

/** The origin that the browser sees; undefined: a page of another site sent it, or the header is missing. */
const seenOrigin = ({ origin, 'sec-fetch-site': site }: Headers): string | undefined => {
  // Browsers compare the page with the address of the request, as they see both.
  if (site !== undefined && site !== 'same-origin') return undefined;
  return typeof origin === 'string' && origin !== 'null' ? origin.slice(0, maxOriginLength) : undefined;
};

/** `own`: the origins of our pages, the one of `PUBLIC_URL` first. */
export const watchOriginMismatch = (log: Log, own: readonly string[], now?: () => number): OriginMismatch => {
  const [publicOrigin] = own;
  const messages = {
    failing:
      'a request was refused: browsers see another origin than PUBLIC_URL names; behind a proxy, set PUBLIC_URL to what they see',
    recovered: 'browsers see the origin that PUBLIC_URL names',
  };
  const outage = trackOutage(log, messages, now);
  return {
    observe: (headers) => {
      const origin = seenOrigin(headers);
      if (origin === undefined) return;
      if (own.includes(origin)) outage.recovered();
      else outage.failed({ origin, publicOrigin });
    },
  };
};
