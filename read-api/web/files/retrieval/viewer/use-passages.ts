/** What was extracted of a file around a passage, as far as it is shown. */
import { useState } from 'preact/hooks';
import { listFileChunks } from '../../../../../packages/client/src/operations';
import type { ListFileChunksPage } from '../../../../../packages/client/src/schemas';
import { type Resource, useResource } from '../../../kernel/use-resource';

const steps = [15, 60, 200] as const;

export interface Passages extends Resource<ListFileChunksPage> {
  /** Undefined: all is shown, or as much as one page has. */
  readonly more: (() => void) | undefined;
}

interface PassagesPlace {
  /** Empty: the version that answers. */
  readonly versionId: string;
  /** Undefined: the beginning of the file. */
  readonly chunkId: string | undefined;
}

export const usePassages = (fileId: string, { versionId, chunkId }: PassagesPlace): Passages => {
  const [step, setStep] = useState(0);
  const limit = steps[step] ?? steps[0];
  const page = useResource(
    listFileChunks({
      fileId,
      limit,
      ...(chunkId === undefined ? {} : { around: chunkId }),
      ...(versionId === '' ? {} : { versionId }),
    }),
  );
  const isAll = page.content !== undefined && page.content.items.length >= page.content.total;
  return { ...page, more: isAll || step >= steps.length - 1 ? undefined : () => setStep(step + 1) };
};
