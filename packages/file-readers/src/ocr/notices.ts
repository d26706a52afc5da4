/** Sentences about what recognition left out. */
const maxNamed = 20;

export const uncertainWordsNotice = (count: number): readonly string[] =>
  count === 0 ? [] : [`Words that were recognised with little certainty were left out: ${count}.`];

/** `count`: of scanned pages that were begun. */
export const outOfTimeNotice = (count: number, scans: number): readonly string[] =>
  count === scans
    ? []
    : [
        `Text was recognised on the first ${count} of ${scans} scanned pages; all of them take too long. Split the file.`,
      ];

export const unreadPagesNotice = (pages: readonly number[]): readonly string[] => {
  if (pages.length === 0) return [];
  const named = pages.slice(0, maxNamed).join(', ');
  return [`Pages whose text could not be recognised: ${named}${pages.length > maxNamed ? ', …' : ''}.`];
};
