/** Ports on loopback. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { addressesOf, isMissingAddress } from '../../server/http/server/loopback';

/** Below the ephemeral range, so that no outgoing connection takes a port between its choice and its use. */
const lowestPort = 12_000;
const highestPort = 32_000;
const attempts = 100;

/** Each process counts up from a place of its own: it never gives a port twice, and seldom one that another process chose and has not yet bound. */
let next = randomInt(lowestPort, highestPort);

const isFreeAt = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    // An address that this machine does not have cannot be in use.
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(isMissingAddress(code)));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });

const isFree = async (port: number, host: string): Promise<boolean> => {
  for (const address of addressesOf(host)) if (!(await isFreeAt(port, address))) return false;
  return true;
};

/** The requested port (0: any free one), or undefined when it is in use. */
export const freePort = async (port = 0, host = '127.0.0.1'): Promise<number | undefined> => {
  if (port !== 0) return (await isFree(port, host)) ? port : undefined;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const candidate = next;
    next = candidate + 1 < highestPort ? candidate + 1 : lowestPort;
    if (await isFree(candidate, host)) return candidate;
  }
  return undefined;
};
