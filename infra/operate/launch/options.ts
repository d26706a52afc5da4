/** Options of `npm start -- …`. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Either, left, right } from 'fp-ts/Either';
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

const usage = `Usage: npm start -- [--data DIR] [--host HOST] [--port N] [--processes] [--only ${serviceNames.join(',')}]`;

const flags = {
  data: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  processes: { type: 'boolean' },
  only: { type: 'string' },
} as const;

const parse = (argv: readonly string[]) => {
  try {
    return right(parseArgs({ args: [...argv], options: flags }).values);
  } catch (error) {
    return left(`${(error as Error).message}\n${usage}`);
  }
};

export const parseOptions = (argv: readonly string[], env: NodeJS.ProcessEnv): Either<string, Options> => {
  const parsed = parse(argv);
  if (parsed._tag === 'Left') return parsed;
  const values = parsed.right;
  const port = values.port ?? env.PORT;
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) < 65_536))
    return left(`--port (or PORT) must be a port number.\n${usage}`);
  const only = values.only?.split(',');
  const unknown = only?.filter((name) => !serviceNames.includes(name)) ?? [];
  if (unknown.length > 0) return left(`--only does not know ${unknown.join(', ')}.\n${usage}`);
  return right({
    data: resolve(values.data ?? env.DATA_DIR ?? '.data'),
    host: values.host ?? env.HOST ?? 'localhost',
    port: port === undefined ? undefined : Number(port),
    processes: values.processes ?? false,
    only,
  });
};
