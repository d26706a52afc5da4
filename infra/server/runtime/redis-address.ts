/**
 * Forms of `REDIS_URL`: one server (`redis://host:6379/0`), or some nodes of a cluster, as several URLs (`redis://a:6379,redis://b:6379`) or as one
 * (`redis+cluster://user:password@a:6379,b:6379`), which may name a single node or a name that leads to all. `rediss` stands for TLS.
 */

/** One server, or some nodes of a cluster. */
export type RedisAt = { readonly url: string } | { readonly cluster: readonly string[] };

const server = /^rediss?:\/\/\S+$/;
const clusterScheme = /^(rediss?)\+cluster:\/\/(?:([^@\s]*)@)?([^@\s]+)$/;
const beforeNextUrl = /,(?=rediss?:\/\/)/;

const nodesOf = (address: string): readonly string[] | undefined => {
  const [, scheme, account, hosts = ''] = clusterScheme.exec(address) ?? [];
  if (scheme === undefined) return undefined;
  const before = account === undefined ? '' : `${account}@`;
  return hosts.split(',').map((host) => `${scheme}://${before}${host}`);
};

/** Passwords may have commas: only those before another URL divide. */
export const redisAt = (address: string): RedisAt => {
  const nodes = nodesOf(address) ?? address.split(beforeNextUrl);
  return nodes.length > 1 || clusterScheme.test(address) ? { cluster: nodes } : { url: address };
};

/** A cluster has database 0 only. */
const isNode = (url: string): boolean =>
  server.test(url) && URL.canParse(url) && ['', '/', '/0'].includes(new URL(url).pathname);

export const isRedisAddress = (address: string): boolean => {
  const at = redisAt(address);
  return 'url' in at ? server.test(at.url) : at.cluster.every(isNode);
};
