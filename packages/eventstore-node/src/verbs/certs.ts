/** `certs`: an authority and a certificate for a secure node. */
import { isLeft } from 'fp-ts/Either';
import { type CertificateFiles, filesIn, makeDirectory, signNode, usualDays } from '../certs/certificates';
import { readCertificate } from '../certs/files';
import { namesIn, namesOf } from '../certs/names';
import { complain, flagsIn } from '../flags';

const flags = {
  out: { type: 'string' },
  host: { type: 'string', multiple: true, default: [] as string[] },
  ip: { type: 'string', multiple: true, default: [] as string[] },
  days: { type: 'string', default: String(usualDays) },
  renew: { type: 'boolean', default: false },
} as const;

const mostDays = 36_500;

const daysOf = (text: string): number | undefined => {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return days >= 1 && days <= mostDays ? days : undefined;
};

const say = (files: CertificateFiles): number => {
  const own = readCertificate(files.certificate);
  if (isLeft(own) || own.right === undefined) return complain(`${files.certificate} is gone.`, 1);
  const { hosts, addresses } = namesIn(own.right);
  const validTo = new Date(own.right.validTo).toISOString();
  process.stdout.write(`${JSON.stringify({ ...files, hosts, addresses, validTo })}\n`);
  return 0;
};

const make = async (
  directory: string,
  days: number,
  wanted: { host: string[]; ip: string[]; renew: boolean },
): Promise<number> => {
  const made = makeDirectory(directory);
  if (isLeft(made)) return complain(made.left, 1);
  const { certificate } = filesIn(directory);
  const there = readCertificate(certificate);
  if (isLeft(there)) return complain(there.left, 1);
  if (there.right !== undefined && !wanted.renew)
    return complain(`${certificate} is there already; --renew replaces it, for the same key.`, 1);
  const same = wanted.host.length === 0 && wanted.ip.length === 0;
  const before =
    same && there.right !== undefined ? namesIn(there.right) : { hosts: wanted.host, addresses: wanted.ip };
  const names = namesOf(before.hosts, before.addresses);
  if (isLeft(names)) return complain(names.left);
  const files = await signNode(directory, { names: names.right, days });
  return isLeft(files) ? complain(files.left, 1) : say(files.right);
};

export const run = async (argv: readonly string[]): Promise<number> => {
  const wanted = flagsIn(argv, flags);
  if (isLeft(wanted)) return complain(wanted.left);
  const { out, days, ...rest } = wanted.right;
  if (out === undefined) return complain('--out is missing.');
  const period = daysOf(days);
  if (period === undefined) return complain(`--days must be a number of days, ${mostDays} at most.`);
  return make(out, period, rest);
};
