/** The signed address of a file's bytes, which is valid for minutes: it is read when a viewer opens. */
import { getFileContent } from '../../../../../packages/client/src/operations';
import type { FileAddress } from '../../../../../packages/client/src/schemas';
import { type Resource, useResource } from '../../../kernel/use-resource';

export type FileAddressSource = Resource<FileAddress>;

export const useFileAddress = (fileId: string, versionId: string): FileAddressSource =>
  useResource(getFileContent({ fileId, ...(versionId === '' ? {} : { versionId }) }));
