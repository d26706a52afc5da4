/** A WebSocket that another copy of the same service is to have: passed on unopened, as it came, and bytes both ways after that. */
import { connect } from 'node:net';
import { problem } from '../http/problem';
import { refuseUpgrade, type Upgrading } from '../http/server/upgrade';

const connectMilliseconds = 2_000;

/** On what another copy passed on: it is passed on once only, whatever is believed of where it belongs. */
export const proxiedHeader = 'septet-passed';

/** The head as it stood: the signature is of its request line. */
const headOf = ({ request }: Upgrading): string => {
  const { rawHeaders, method = 'GET', url = '/' } = request;
  const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}\r\n`] : []));
  return `${method} ${url} HTTP/1.1\r\n${lines.join('')}${proxiedHeader}: 1\r\n\r\n`;
};

const refuse = ({ socket }: Upgrading): void =>
  refuseUpgrade(
    socket,
    problem('service-unavailable', 'The responsible copy of the service is being replaced; try again.'),
  );

/** `address` is `http://host:port`. If the host refuses the connection, `onUnreachable` gets the untouched upgrade. */
export const proxySocket = (
  upgrading: Upgrading,
  address: string,
  onUnreachable: () => void = () => refuse(upgrading),
): void => {
  const { socket, head } = upgrading;
  const { hostname, port } = new URL(address);
  const owner = connect({ host: hostname, port: Number(port) });
  const away = (error?: NodeJS.ErrnoException): void => {
    owner.destroy();
    if (error?.code === 'ECONNREFUSED') onUnreachable();
    else refuse(upgrading);
  };
  const gone = (): void => void owner.destroy();
  owner.setTimeout(connectMilliseconds, () => away());
  owner.once('error', away);
  socket.once('close', gone);
  owner.once('connect', () => {
    owner.setTimeout(0);
    owner.off('error', away).on('error', gone);
    owner.once('close', () => socket.destroySoon());
    for (const one of [owner, socket]) one.setNoDelay(true);
    owner.write(headOf(upgrading));
    if (head.length > 0) owner.write(head);
    owner.pipe(socket);
    socket.pipe(owner);
  });
};
