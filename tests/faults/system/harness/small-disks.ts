/** How large the disk under each store is: enough for what is there at the start and a while of load. */
import { join } from 'node:path';
import { fillDisk, mountSmallDisks, unmountSmallDisk } from '../../../support/servers/small-disk';
import type { StoreName } from './stores';

/** Redis rewrites its file from 64 MiB on, beside the old one. Elasticsearch refuses to index below 250 MiB of room. */
const mebibytes: Readonly<Record<StoreName, number>> = {
  eventstore: 256,
  postgres: 384,
  redis: 192,
  elasticsearch: 1_200,
};

const names = Object.keys(mebibytes) as readonly StoreName[];

export const mountDisks = (data: string): void =>
  mountSmallDisks(Object.fromEntries(names.map((name) => [join(data, name), mebibytes[name]])));

export const unmountDisks = (data: string): void => {
  for (const name of names) unmountSmallDisk(join(data, name));
};

/** To the last byte; the answer makes room again. */
export const fillStoreDisk = (data: string, name: StoreName): (() => void) => fillDisk(join(data, name));
