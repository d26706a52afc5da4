/** Compares the parts that a client reports with the stored ones. Pure. */
import { bytesOfCutPart, partNumbersOf } from '../../domain/kernel/upload-parts';
import type { InitiatedUpload } from '../../domain/video/upload/state';
import type { UploadedPart } from '../../infra/ports/blob-store';
import { cutSource } from '../../infra/server/video/stored-parts';

export interface ClaimedPart {
  readonly partNumber: number;
  readonly ETag: string;
}

export interface PartDifferences {
  /** Not reported, or not stored. */
  readonly missing: readonly number[];
  /** Stored with another ETag than the reported one. */
  readonly stale: readonly number[];
  /** Stored with another size than the part has. */
  readonly wrongSize: readonly number[];
}

export const noDifferences: PartDifferences = { missing: [], stale: [], wrongSize: [] };

/** Clients drop the quotes of an ETag, or have them doubled by their libraries. */
const bareEtag = (etag: string): string => etag.replace(/^"+|"+$/g, '');

export const compareParts = (
  upload: Pick<InitiatedUpload, 'fileSize' | 'partSizeBytes'>,
  claimed: readonly ClaimedPart[],
  stored: readonly UploadedPart[],
): PartDifferences => {
  const cut = cutSource(upload);
  const claims = new Map(claimed.map(({ partNumber, ETag }) => [partNumber, ETag]));
  const parts = new Map(stored.map((one) => [one.part, one]));
  const numbers = partNumbersOf(cut);
  const both = numbers.flatMap((part) => {
    const [claim, found] = [claims.get(part), parts.get(part)];
    return claim === undefined || found === undefined ? [] : [{ part, claim, found }];
  });
  const complete = new Set(both.map(({ part }) => part));
  const isWrongSize = ({ part, found }: (typeof both)[number]) => found.size !== bytesOfCutPart(cut, part);
  return {
    missing: numbers.filter((part) => !complete.has(part)),
    stale: both
      .filter((one) => !isWrongSize(one) && bareEtag(one.claim) !== bareEtag(one.found.etag))
      .map(({ part }) => part),
    wrongSize: both.filter(isWrongSize).map(({ part }) => part),
  };
};

const maxRuns = 50;

/** `1, 3-7, 9`; the first runs of many. */
export const describeNumbers = (numbers: readonly number[]): string => {
  const runs: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run !== undefined && run.last + 1 === number) run.last = number;
    else runs.push({ first: number, last: number });
  }
  const texts = runs.slice(0, maxRuns).map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
  return runs.length > maxRuns ? `${texts.join(', ')} and more` : texts.join(', ');
};
