import { type Either, left, right } from 'fp-ts/Either';
import type { KmsFault } from '../../../ports/kms';
import { unavailable } from '../faults';
import { type Cryptoki, constants, pkcs11ErrorOf } from './cryptoki';

/** Session pool of a PKCS #11 token: opens sessions on demand and reconnects after a device failure. */
const createSemaphore = (most: number): (<A>(work: () => Promise<A>) => Promise<A>) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  const begin = async (): Promise<void> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
  };
  const end = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async (work) => {
    await begin();
    try {
      return await work();
    } finally {
      end();
    }
  };
};

export interface TokenOptions {
  readonly label: string;
  readonly pin: string;
}

interface Connection {
  readonly api: Cryptoki;
  readonly slot: Buffer;
  readonly mechanisms: ReadonlySet<number>;
  readonly idle: Buffer[];
  isLost: boolean;
}

export interface Session extends Pick<Connection, 'api' | 'mechanisms'> {
  readonly handle: Buffer;
  /** Identity of the connection: object handles are valid as long as it is the same. */
  readonly connection: object;
}

type Answer<A> = Either<KmsFault, A>;

export interface Token {
  /** Retries once when the session turns out to be lost. */
  readonly use: <A>(work: (session: Session) => Promise<A>) => Promise<Answer<A>>;
}

const maxSessions = 8;

const connect = (api: Cryptoki, label: string): Connection | undefined => {
  const slot = api.C_GetSlotList(true).find((one) => api.C_GetTokenInfo(one).label.trimEnd() === label);
  if (slot === undefined) return undefined;
  return { api, slot, mechanisms: new Set(api.C_GetMechanismList(slot)), idle: [], isLost: false };
};

const login = ({ api }: Connection, session: Buffer, pin: string): void => {
  try {
    api.C_Login(session, constants.CKU_USER, pin);
  } catch (error) {
    // A login counts for all sessions of the process.
    if (pkcs11ErrorOf(error)?.code !== constants.CKR_USER_ALREADY_LOGGED_IN) throw error;
  }
};

const openSession = (connection: Connection, pin: string): Buffer => {
  const { api, slot } = connection;
  const session = api.C_OpenSession(slot, constants.CKF_SERIAL_SESSION | constants.CKF_RW_SESSION);
  login(connection, session, pin);
  return session;
};

const closeQuietly = ({ api }: Connection, session: Buffer): void => {
  try {
    api.C_CloseSession(session);
  } catch {
    // It is lost already.
  }
};

const pinErrorCodes: readonly number[] = [constants.CKR_PIN_INCORRECT, constants.CKR_PIN_LOCKED];

type Attempt<A> = { readonly done: A } | { readonly lost: unknown };

const attempt = async <A>(
  connection: Connection,
  pin: string,
  work: (session: Session) => Promise<A>,
): Promise<Attempt<A>> => {
  let handle: Buffer | undefined;
  try {
    handle = connection.idle.pop() ?? openSession(connection, pin);
    const { api, mechanisms } = connection;
    const done = await work({ api, mechanisms, handle, connection });
    if (connection.isLost) closeQuietly(connection, handle);
    else connection.idle.push(handle);
    return { done };
  } catch (error) {
    if (pkcs11ErrorOf(error) === undefined) throw error;
    connection.isLost = true;
    for (const session of [...connection.idle.splice(0), ...(handle === undefined ? [] : [handle])])
      closeQuietly(connection, session);
    return { lost: error };
  }
};

const toKmsFault = (error: unknown): KmsFault =>
  unavailable(`The device answers ${pkcs11ErrorOf(error)?.name ?? 'nothing'}.`);

/** Never retries a wrong PIN: tokens lock after a few attempts. */
export const openToken = (api: Cryptoki, { label, pin }: TokenOptions): Token => {
  const inTurn = createSemaphore(maxSessions);
  let connection: Connection | undefined;
  let refused: KmsFault | undefined;
  const once = async <A>(work: (session: Session) => Promise<A>): Promise<Attempt<Answer<A>>> => {
    try {
      connection ??= connect(api, label);
    } catch (error) {
      return { lost: error };
    }
    if (connection === undefined) return { done: left(unavailable(`The device has no token ${label}.`)) };
    const attempted = await attempt(connection, pin, work);
    if ('done' in attempted) return { done: right(attempted.done) };
    // Another caller may have reconnected.
    if (connection.isLost) connection = undefined;
    if (!pinErrorCodes.includes(pkcs11ErrorOf(attempted.lost)?.code ?? 0)) return attempted;
    refused = toKmsFault(attempted.lost);
    return { done: left(refused) };
  };
  const use: Token['use'] = async (work) => {
    if (refused !== undefined) return left(refused);
    const first = await once(work);
    if ('done' in first) return first.done;
    const second = await once(work);
    return 'done' in second ? second.done : left(toKmsFault(second.lost));
  };
  return { use: (work) => inTurn(() => use(work)) };
};
