/** Ports on loopback. */
import { createServer } from 'node:net';

/** The port asked for (0: any free one), or undefined when somebody else listens there. */
export const freePort = (port = 0, host = '127.0.0.1'): Promise<number | undefined> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(undefined));
    probe.listen(port, host, () => {
      const address = probe.address();
      const found = typeof address === 'object' && address !== null ? address.port : undefined;
      probe.close(() => resolve(found));
    });
  });
