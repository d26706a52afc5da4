/** Password hashing with scrypt, 128 MB per attempt. */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Fault, fault } from '../../../domain/kernel/rejection';

type Busy = Fault<'service-unavailable'>;

export interface PasswordHasher {
  readonly hash: (password: string) => Promise<Either<Busy, string>>;
  /** `hash` undefined: does the same work and returns false. */
  readonly verify: (password: string, hash: string | undefined) => Promise<Either<Busy, boolean>>;
}

interface Cost {
  /** Cost N is two to this power. */
  readonly power: number;
  readonly blocks: number;
  readonly lanes: number;
}

const defaultCost: Cost = { power: 17, blocks: 8, lanes: 1 };
const keyBytes = 32;
const maxConcurrent = 2;
const maxQueued = 16;

/** Unicode normalisation. */
const normalizePassword = (password: string): string => password.normalize('NFKC');

const derive = (password: string, salt: Buffer, { power, blocks, lanes }: Cost): Promise<Buffer> => {
  const options: ScryptOptions = { N: 2 ** power, r: blocks, p: lanes, maxmem: 2 ** power * blocks * 128 * 2 };
  return new Promise((resolve, reject) => {
    scrypt(normalizePassword(password), salt, keyBytes, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
};

const hashPattern = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/;

const parseHash = (hash: string | undefined) => {
  const [, power, blocks, lanes, salt, key] = hashPattern.exec(hash ?? '') ?? [];
  if (salt === undefined || key === undefined) return undefined;
  const cost = { power: Number(power), blocks: Number(blocks), lanes: Number(lanes) };
  return { cost, salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') };
};

/** Limits concurrency and queue length, so memory stays bounded under load. */
const createQueue = () => {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <A>(work: () => Promise<A>): Promise<Either<Busy, A>> => {
    if (running >= maxConcurrent) {
      if (waiting.length >= maxQueued)
        return left(fault('service-unavailable', 'Too many people are signing in right now; try again in a moment.'));
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return right(await work());
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
};

export const createPasswordHasher = (cost: Cost = defaultCost): PasswordHasher => {
  const turn = createQueue();
  const nobodys = { cost, salt: randomBytes(16), key: randomBytes(keyBytes) };
  return {
    hash: async (password) => {
      const salt = randomBytes(16);
      const key = await turn(() => derive(password, salt, cost));
      if (isLeft(key)) return key;
      const { power, blocks, lanes } = cost;
      const written = [salt, key.right].map((bytes) => bytes.toString('base64url'));
      return right(['scrypt', power, blocks, lanes, ...written].join('$'));
    },
    verify: async (password, hash) => {
      const parsed = parseHash(hash);
      const compared = parsed ?? nobodys;
      const key = await turn(() => derive(password, compared.salt, compared.cost));
      if (isLeft(key)) return key;
      return right(timingSafeEqual(key.right, compared.key) && parsed !== undefined);
    },
  };
};
