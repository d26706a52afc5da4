/** `certs`: an authority and a certificate for a secure node. */
import { isLeft } from 'fp-ts/Either';
import { type CertificateFiles, defaultDays, filesIn, makeDirectory, signNode } from '../certs/ensure-certificates';
import { readCertificate } from '../certs/pem-files';
import { namesIn, namesOf } from '../certs/subject-names';
import { printError } from './print-error';
import type { OptionsOf } from './program';

const maxDays = 36_500;

const parseDays = (text: string): number | undefined => {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return days >= 1 && days <= maxDays ? days : undefined;
};

const printFiles = (files: CertificateFiles): number => {
  const own = readCertificate(files.certificate);
  if (isLeft(own) || own.right === undefined) return printError(`${files.certificate} is gone.`, 1);
  const { hosts, addresses } = namesIn(own.right);
  const validTo = new Date(own.right.validTo).toISOString();
  process.stdout.write(`${JSON.stringify({ ...files, hosts, addresses, validTo })}\n`);
  return 0;
};

const createCertificates = async (
  directory: string,
  days: number,
  wanted: { readonly host: readonly string[]; readonly ip: readonly string[]; readonly renew: boolean },
): Promise<number> => {
  const made = makeDirectory(directory);
  if (isLeft(made)) return printError(made.left, 1);
  const { certificate } = filesIn(directory);
  const there = readCertificate(certificate);
  if (isLeft(there)) return printError(there.left, 1);
  if (there.right !== undefined && !wanted.renew)
    return printError(`${certificate} is there already; --renew replaces it, for the same key.`, 1);
  const same = wanted.host.length === 0 && wanted.ip.length === 0;
  const before =
    same && there.right !== undefined ? namesIn(there.right) : { hosts: wanted.host, addresses: wanted.ip };
  const names = namesOf(before.hosts, before.addresses);
  if (isLeft(names)) return printError(names.left);
  const files = await signNode(directory, { names: names.right, days });
  return isLeft(files) ? printError(files.left, 1) : printFiles(files.right);
};

export const run = async ({ out, days = String(defaultDays), ...rest }: OptionsOf<'certs'>): Promise<number> => {
  const period = parseDays(days);
  if (period === undefined) return printError(`--days must be a number of days, ${maxDays} at most.`);
  return createCertificates(out, period, rest);
};
