/** The floor of a process in between: joins two sockets, without HTTP. Prints where it listens. */
import { type AddressInfo, connect, createServer } from 'node:net';

const { hostname, port } = new URL(process.argv[2] as string);

const server = createServer((client) => {
  const service = connect(Number(port), hostname);
  client.pipe(service).pipe(client);
  client.once('error', () => service.destroy());
  service.once('error', () => client.destroy());
});
server.listen(0, '127.0.0.1', () => {
  const { port: bound } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ listening: `127.0.0.1:${bound}` })}\n`);
});
