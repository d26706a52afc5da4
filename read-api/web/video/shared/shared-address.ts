/** Address of a video for people without sign-in. The secret of a link stands in the fragment, which no request and no log has. */
import { matched } from '../../kernel/path-pattern';

export interface SharedVideo {
  readonly tenantId: string;
  readonly videoId: string;
  /** The secret part of its link; undefined: it is public. */
  readonly link?: string;
}

export const sharedWatchPath = ({ tenantId, videoId, link }: SharedVideo): string => {
  const path = `/watch/${encodeURIComponent(tenantId)}/${encodeURIComponent(videoId)}`;
  return link === undefined ? path : `${path}#${encodeURIComponent(link)}`;
};

/** Undefined: the address is cut off. */
export const sharedVideoOf = ({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): SharedVideo | undefined => {
  const { tenantId, videoId } = matched('/watch/:tenantId/:videoId', pathname) ?? {};
  if (tenantId === undefined || videoId === undefined) return undefined;
  const { link } = matched(':link', hash.slice(1)) ?? {};
  return { tenantId, videoId, ...(link === undefined ? {} : { link }) };
};
