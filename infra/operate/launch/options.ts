/** Options of `npm start -- …`. */
import { resolve } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { describeUnknown, mistakeIn, parseTool, type Refusal, tool } from '../../../packages/command-line/src/index';
import { serviceNames } from './service-environment';

export interface Options {
  readonly data: string;
  /** Default `localhost`, on both loopback addresses: passkeys need a host name. */
  readonly host: string;
  /** Undefined: the usual one, or the next free one when it is taken. */
  readonly port: number | undefined;
  /** A process for each service. */
  readonly processes: boolean;
  /** Services to run. URLs then name the stores, and none is started. */
  readonly only: readonly string[] | undefined;
}

export const program = tool({
  name: 'npm start --',
  about: 'Starts everything on this machine: the stores that no environment variable points at, and all services.',
  options: {
    data: {
      type: 'string',
      value: 'DIR',
      about: 'where all data, keys and logs are (default: DATA_DIR, or else .data)',
    },
    host: { type: 'string', value: 'HOST', about: 'the address to listen on (default: HOST, or else localhost)' },
    port: {
      type: 'string',
      value: 'N',
      about: 'the port (default: PORT, or else 7070, or a free one if that is taken)',
    },
    processes: { type: 'boolean', about: 'runs every service in a process of its own; takes more memory' },
    only: {
      type: 'string',
      value: 'A,B',
      about: `runs only these services, against the stores that EVENTSTORE_URL, POSTGRES_URL, REDIS_URL and ELASTICSEARCH_URL name: ${serviceNames.join(', ')}`,
    },
  },
  notes: [
    'EVENTSTORE_URL, POSTGRES_URL, REDIS_URL and ELASTICSEARCH_URL point at stores of your own; what is not set is started here.',
    'The first start fetches and builds what it needs. Logs are in the directory logs of the data directory. Ctrl-C stops everything.',
  ],
});

const mistake = (message: string): Either<Refusal, never> => left(mistakeIn(program.name, program, message));

/** Left: help, or what is wrong. */
export const parseOptions = (argv: readonly string[], env: NodeJS.ProcessEnv): Either<Refusal, Options> => {
  const parsed = parseTool(program, argv);
  if (isLeft(parsed)) return parsed;
  const { options } = parsed.right;
  const port = options.port ?? env.PORT;
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) < 65_536))
    return mistake('--port (or PORT) must be a port number.');
  const only = options.only?.split(',');
  const unknown = only?.find((name) => !serviceNames.includes(name));
  if (unknown !== undefined) return mistake(describeUnknown('service', unknown, serviceNames));
  return right({
    data: resolve(options.data ?? env.DATA_DIR ?? '.data'),
    host: options.host ?? env.HOST ?? 'localhost',
    port: port === undefined ? undefined : Number(port),
    processes: options.processes,
    only,
  });
};
