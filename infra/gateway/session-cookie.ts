/** The cookie of a session: nothing but its id, unreadable for scripts, sent from our own pages only. */
import type { IncomingMessage } from 'node:http';

export interface SessionCookie {
  /** Undefined: there is none, or more than one, so that nobody can slip another under ours. */
  readonly read: (request: Pick<IncomingMessage, 'headers'>) => string | undefined;
  readonly write: (id: string, seconds: number) => string;
  readonly clear: () => string;
}

const idShape = /^[A-Za-z0-9_-]{43}$/;

/** `__Host-` is kept by browsers from other hosts' reach, but only over https. Ports of one host share cookies. */
const nameFor = ({ protocol, port }: URL): string =>
  protocol === 'https:' ? '__Host-septet' : `septet-${port || '80'}`;

export const sessionCookie = (publicUrl: string): SessionCookie => {
  const url = new URL(publicUrl);
  const https = url.protocol === 'https:';
  const name = nameFor(url);
  const attributes = `Path=/; HttpOnly; SameSite=Strict${https ? '; Secure' : ''}`;
  const start = `${name}=`;
  return {
    read: ({ headers }) => {
      const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
      const [found, ...more] = pairs.filter((pair) => pair.startsWith(start));
      const id = found?.slice(start.length);
      return more.length === 0 && id !== undefined && idShape.test(id) ? id : undefined;
    },
    write: (id, seconds) => `${start}${id}; ${attributes}; Max-Age=${Math.floor(seconds)}`,
    clear: () => `${start}; ${attributes}; Max-Age=0`,
  };
};
