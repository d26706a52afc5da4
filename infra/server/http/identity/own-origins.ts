/** Origins of our own pages, the public one first: where that is a loopback address, it has several names. */
const loopback = ['127.0.0.1', 'localhost', '[::1]'];

export const ownOrigins = (publicUrl: string): readonly string[] => {
  const url = new URL(publicUrl);
  if (!loopback.includes(url.hostname)) return [url.origin];
  const port = url.port === '' ? '' : `:${url.port}`;
  const others = loopback.filter((name) => name !== url.hostname);
  return [url.origin, ...others.map((name) => `${url.protocol}//${name}${port}`)];
};
