/** Services, gateway and an admin for attacks, with a look at what reached the services. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type Services, startServices } from '../../contracts/gateway/service-processes';
import { type Admin, signIn } from '../../support/identity/admin';

export interface Stage {
  readonly services: Services;
  readonly admin: Admin;
  readonly port: number;
}

export const startStage = async (): Promise<Stage> => {
  const services = await startServices({ names: ['commands', 'read-api', 'blobs'], env: { LOG_LEVEL: 'info' } });
  const admin = await signIn(services.url, services.secret('bootstrap-code'));
  return { services, admin, port: services.ports.gateway };
};

/** Bytes as they are; what came back until the other side ended. Latin-1 keeps every byte. */
export const raw = (port: number, bytes: string | Buffer): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes as string, 'latin1'));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // Being cut off is an answer.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });

export const statusesIn = (answer: string): readonly number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** Registrations that reached the command API whole, whatever became of them. */
export const registrationsAt = async ({ services }: Stage): Promise<number> => {
  const text = await (await fetch(`http://127.0.0.1:${services.ports.commands}/metrics`)).text();
  const counts = text.matchAll(/^http_server_request_seconds_count\{(.*route="\/v1\/principals".*)\} (\d+)$/gm);
  return [...counts].reduce((sum, [, labels, count]) => sum + (labels?.includes('aborted') ? 0 : Number(count)), 0);
};

/** Answers the response: the gateway itself refuses the attack or cuts it off, and serves all other clients as before. */
export const assertRefused = async (stage: Stage, bytes: string | Buffer, allowed = /^4\d\d$/): Promise<string> => {
  const before = await registrationsAt(stage);
  const answer = await raw(stage.port, bytes);
  const statuses = statusesIn(answer);
  assert.ok(statuses.length <= 1, `more than one answer: ${answer}`);
  for (const status of statuses) assert.match(String(status), allowed);
  assert.equal(await registrationsAt(stage), before, 'it reached the command API');
  return answer;
};

export const registration = '{"principalType":"PIPELINE"}';

/** The lines of a registration but for its framing; the caller ends them. */
export const head = ({ admin }: Stage, ...lines: readonly string[]): string =>
  [
    'POST /v1/principals HTTP/1.1',
    'Host: septet.test',
    `Authorization: Bearer ${admin.token()}`,
    'Content-Type: application/json',
    ...lines,
    '',
  ].join('\r\n');

/** A whole registration, to be hidden in another request. */
export const hidden = (stage: Stage): string =>
  `${head(stage, `Content-Length: ${registration.length}`)}\r\n${registration}`;
