/** Hashes of passwords: scrypt, with its parameters stored beside it, and EventStoreDB's own for imported users. */
import { pbkdf2, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Fields of EventStoreDB's `$UserCreated`, and the parameters, which it does not have. */
export interface PasswordHash {
  readonly salt: string;
  readonly hash: string;
  /** Absent: EventStoreDB's hash, PBKDF2-HMAC-SHA1 with 1,000 iterations. */
  readonly scrypt?: ScryptParameters;
}

export interface ScryptParameters {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

/**
 * One of OWASP's choices of equal strength: it takes 16 MiB per hash instead of 128, because anyone who sends wrong
 * passwords decides how often it runs.
 */
export const defaultStrength: ScryptParameters = { cost: 2 ** 14, blockSize: 8, parallelization: 5 };
/** The upper bound for stored parameters, which may come from another node: twice the memory, four times the work. */
const defaultBlocks = defaultStrength.cost * defaultStrength.blockSize;
const maxBlocks = 2 * defaultBlocks;
const maxWork = 4 * defaultBlocks * defaultStrength.parallelization;
const maxBlockSize = 32;
const maxMemoryBytes = 2 * 128 * maxBlocks;

const saltBytes = 16;
const hashBytes = 32;
const maxHashBytes = 64;

export const maxPasswordBytes = 1024;

/** The complaint about an unacceptable password; never repeats it. */
export const passwordProblem = (password: string): string | undefined => {
  if (password === '') return 'The password is empty.';
  return Buffer.byteLength(password) > maxPasswordBytes
    ? `The password is longer than ${maxPasswordBytes} bytes.`
    : undefined;
};

const deriveByScrypt = (password: string, salt: Buffer, length: number, used: ScryptParameters): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, length, { ...used, maxmem: maxMemoryBytes }, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    );
  });

const deriveByPbkdf2 = promisify(pbkdf2);

const isPositiveInteger = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;

/** Undefined when it would cost too much, or is not a power of two. */
const acceptableParameters = (used: ScryptParameters): ScryptParameters | undefined => {
  const { cost, blockSize, parallelization } = used;
  if (!isPositiveInteger(cost) || !isPositiveInteger(blockSize) || !isPositiveInteger(parallelization))
    return undefined;
  const blocks = cost * blockSize;
  if (blocks > maxBlocks || blockSize > maxBlockSize || blocks * parallelization > maxWork) return undefined;
  return cost < 2 || !Number.isInteger(Math.log2(cost)) ? undefined : used;
};

export const hashPassword = async (password: string, strength = defaultStrength): Promise<PasswordHash> => {
  const salt = randomBytes(saltBytes);
  const hash = await deriveByScrypt(password, salt, hashBytes, strength);
  return { salt: salt.toString('base64'), hash: hash.toString('base64'), scrypt: strength };
};

export const verifyPassword = async (password: string, stored: PasswordHash): Promise<boolean> => {
  const salt = Buffer.from(stored.salt, 'base64');
  const expected = Buffer.from(stored.hash, 'base64');
  if (expected.length === 0 || expected.length > maxHashBytes) return false;
  if (stored.scrypt === undefined)
    return timingSafeEqual(await deriveByPbkdf2(password, salt, 1000, expected.length, 'sha1'), expected);
  const used = acceptableParameters(stored.scrypt);
  if (used === undefined) return false;
  return timingSafeEqual(await deriveByScrypt(password, salt, expected.length, used), expected);
};

/**
 * Belongs to no user. Checking against it takes as long as for a real user, so that timing does not reveal which logins
 * exist.
 */
export const dummyHash = (strength = defaultStrength): PasswordHash => ({
  salt: randomBytes(saltBytes).toString('base64'),
  hash: randomBytes(hashBytes).toString('base64'),
  scrypt: strength,
});
