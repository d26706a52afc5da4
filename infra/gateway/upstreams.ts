/** The services behind the gateway. */
import type { Opened } from './opened';
import { openUpstream } from './upstream';

export const openUpstreams = ({
  config: { COMMANDS_URL, PROCESSES_URL, READ_API_URL, BLOBS_URL },
  closing,
}: Opened) => {
  const commands = openUpstream({ title: 'command API', url: COMMANDS_URL });
  const readApi = openUpstream({ title: 'query API', url: READ_API_URL });
  const processes = PROCESSES_URL === undefined ? commands : openUpstream({ title: 'processes', url: PROCESSES_URL });
  // Longer than the blobs themselves wait for a connection on which nothing moves.
  const slow = { headersMilliseconds: 90_000, silenceMilliseconds: 90_000 };
  const blobs = BLOBS_URL === undefined ? undefined : openUpstream({ title: 'blob store', url: BLOBS_URL, ...slow });
  const all = [...new Set([commands, readApi, processes])];
  const open = blobs === undefined ? all : [...all, blobs];
  closing.add('connections', async () => void (await Promise.all(open.map(({ close }) => close()))));
  return { all, open, named: { commands, 'read-api': readApi, processes, blobs } };
};
