/** The services behind the gateway. */
import { contextServices, type SystemService, serviceNamed } from '../services';
import { urlOf } from './config';
import type { Opened } from './opened';
import type { Destination } from './routes';
import { openUpstream, type Upstream } from './upstream';

/** By the service's name. Undefined: it does not run, or, as blobs in a bucket, has an address of its own. */
export interface Upstreams {
  readonly commands: Upstream;
  readonly 'read-api': Upstream;
  readonly [service: string]: Upstream | undefined;
}

export const upstreamFor = (upstreams: Upstreams, { upstream, key }: Destination): Upstream | undefined =>
  key === undefined ? upstreams[upstream] : upstreams[upstream]?.of(key);

export const openUpstreams = ({ config, closing }: Opened) => {
  const open = ({ name, title, answerMilliseconds }: SystemService): Upstream | undefined => {
    const url = urlOf(config, name);
    const waits =
      answerMilliseconds === undefined
        ? {}
        : { headersMilliseconds: answerMilliseconds, silenceMilliseconds: answerMilliseconds };
    return url === undefined ? undefined : openUpstream({ title, url, ...waits });
  };
  const commands = open(serviceNamed('commands')) as Upstream;
  const readApi = open(serviceNamed('read-api')) as Upstream;
  // Without an address of theirs, the command API answers that what processes serve is not there.
  const processes = open(serviceNamed('processes')) ?? commands;
  const blobs = open(serviceNamed('blobs'));
  const ofContexts = contextServices.map((service) => [service.name, open(service)] as const);
  const documented = [commands, readApi, processes, ...ofContexts.map(([, upstream]) => upstream)];
  const isOpen = (upstream: Upstream | undefined): upstream is Upstream => upstream !== undefined;
  const all = [...new Set(documented.filter(isOpen))];
  const connected = [...all, blobs].filter(isOpen);
  closing.add('connections', async () => void (await Promise.all(connected.map(({ close }) => close()))));
  const named: Upstreams = { commands, 'read-api': readApi, processes, blobs, ...Object.fromEntries(ofContexts) };
  return { all, open: connected, named };
};
