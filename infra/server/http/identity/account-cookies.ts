/**
 * The cookies of the account pages: the session, the visit before there is a session, and the device on which a person has signed in.
 * The gateway forwards only these cookies, and only to these pages. `SameSite=Lax`, so that a person who arrives from an application or
 * an enterprise's provider is recognised at once.
 */
export type AccountCookie = 'account' | 'visit' | 'device';

export interface AccountCookies {
  /** Undefined if absent or duplicated, because a second cookie may be injected. */
  readonly read: (header: string | undefined, which: AccountCookie) => string | undefined;
  /** Without seconds: until the browser is closed. */
  readonly write: (which: AccountCookie, value: string, seconds?: number) => string;
  readonly clear: (which: AccountCookie) => string;
  /** What of a `Cookie` header is ours. */
  readonly only: (header: string | undefined) => string | undefined;
}

const valueShape = /^[A-Za-z0-9._-]{1,256}$/;
const all: readonly AccountCookie[] = ['account', 'visit', 'device'];

/** Browsers protect `__Host-` cookies from other hosts, but only over https. Ports of one host share cookies. */
const nameFor = ({ protocol, port }: URL, which: AccountCookie): string =>
  protocol === 'https:' ? `__Host-septet-${which}` : `septet-${which}-${port || '80'}`;

const pairsOf = (header: string | undefined): readonly string[] => (header ?? '').split(';').map((pair) => pair.trim());

export const accountCookies = (publicUrl: string): AccountCookies => {
  const url = new URL(publicUrl);
  const attributes = `Path=/; HttpOnly; SameSite=Lax${url.protocol === 'https:' ? '; Secure' : ''}`;
  const startOf = (which: AccountCookie): string => `${nameFor(url, which)}=`;
  const starts = all.map(startOf);
  return {
    read: (header, which) => {
      const start = startOf(which);
      const [found, ...more] = pairsOf(header).filter((pair) => pair.startsWith(start));
      const value = found?.slice(start.length);
      return more.length === 0 && value !== undefined && valueShape.test(value) ? value : undefined;
    },
    write: (which, value, seconds) => {
      const age = seconds === undefined ? '' : `; Max-Age=${Math.floor(seconds)}`;
      return `${startOf(which)}${value}; ${attributes}${age}`;
    },
    clear: (which) => `${startOf(which)}; ${attributes}; Max-Age=0`,
    only: (header) => {
      const ours = pairsOf(header).filter((pair) => starts.some((start) => pair.startsWith(start)));
      return ours.length === 0 ? undefined : ours.join('; ');
    },
  };
};
