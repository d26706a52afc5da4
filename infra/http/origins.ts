/** Origins of our own pages: where we are reached by a loopback address, by each of its names. */
const loopback = ['127.0.0.1', 'localhost', '[::1]'];

export const ownOrigins = (publicUrl: string): readonly string[] => {
  const url = new URL(publicUrl);
  if (!loopback.includes(url.hostname)) return [url.origin];
  const port = url.port === '' ? '' : `:${url.port}`;
  return loopback.map((name) => `${url.protocol}//${name}${port}`);
};
