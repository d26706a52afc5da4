/** Name of a video’s owner in a line of text; the id where no name is known. */
import { useName } from '../references/reference';
import { shortId } from '../references/short-id';

export const useOwnerName = (ownerId: string): string =>
  useName('principal', ownerId) ?? (ownerId === '' ? '' : shortId(ownerId));

export const OwnerName = ({ ownerId }: { readonly ownerId: string }) => <>{useOwnerName(ownerId)}</>;
