/** The services behind the gateway. */
import type { Opened } from './opened';
import type { Destination, UpstreamName } from './routes';
import { openUpstream, type Upstream } from './upstream';

type Optional = 'blobs' | 'ratelimit' | 'editor';

/** Undefined where blobs lie in a bucket, which has an address of its own, and what does not run. */
export type Upstreams = { readonly [Name in Exclude<UpstreamName, Optional>]: Upstream } & {
  readonly [Name in Optional]?: Upstream | undefined;
};

export const upstreamFor = (upstreams: Upstreams, { upstream, key }: Destination): Upstream | undefined =>
  key === undefined ? upstreams[upstream] : upstreams[upstream]?.of(key);

export const openUpstreams = ({
  config: { COMMANDS_URL, PROCESSES_URL, READ_API_URL, BLOBS_URL, RATELIMIT_URL, EDITOR_URL },
  closing,
}: Opened) => {
  const commands = openUpstream({ title: 'command API', url: COMMANDS_URL });
  const readApi = openUpstream({ title: 'query API', url: READ_API_URL });
  const processes = PROCESSES_URL === undefined ? commands : openUpstream({ title: 'processes', url: PROCESSES_URL });
  // Longer than the blobs themselves wait for a connection on which nothing moves.
  const slow = { headersMilliseconds: 90_000, silenceMilliseconds: 90_000 };
  const blobs = BLOBS_URL === undefined ? undefined : openUpstream({ title: 'blob store', url: BLOBS_URL, ...slow });
  // Whoever asks whether a request may go on waits for no more than that.
  const quick = { headersMilliseconds: 5_000, silenceMilliseconds: 5_000 };
  const ratelimit =
    RATELIMIT_URL === undefined ? undefined : openUpstream({ title: 'rate limiter', url: RATELIMIT_URL, ...quick });
  const editor = EDITOR_URL === undefined ? undefined : openUpstream({ title: 'editor', url: EDITOR_URL });
  const some = [ratelimit, editor].filter((upstream) => upstream !== undefined);
  const all = [...new Set([commands, readApi, processes]), ...some];
  const open = blobs === undefined ? all : [...all, blobs];
  closing.add('connections', async () => void (await Promise.all(open.map(({ close }) => close()))));
  return { all, open, named: { commands, 'read-api': readApi, processes, blobs, ratelimit, editor } };
};
