/** Where something is in its life, in a word. What has run out says so, though nobody ended it. */
import { Tag, type Tone } from '../parts/tag';

const tones: Readonly<Record<string, Tone>> = {
  ACTIVE: 'good',
  SUSPENDED: 'warn',
  DISABLED: 'warn',
  COMPROMISED: 'bad',
  REVOKED: 'bad',
};

interface Props {
  readonly status: string;
  readonly expiresAt?: string | null;
}

/** Two weeks, as the log warns of a credential. */
const soonMilliseconds = 14 * 86_400_000;

export const isSoonOver = (expiresAt: string | null): boolean =>
  expiresAt !== null && !isOver(expiresAt) && Date.parse(expiresAt) - Date.now() < soonMilliseconds;

export const isOver = (expiresAt: string | null | undefined): boolean =>
  expiresAt !== undefined && expiresAt !== null && Date.parse(expiresAt) <= Date.now();

export const Status = ({ status, expiresAt }: Props) => {
  if (status === 'ACTIVE' && isOver(expiresAt)) return <Tag>expired</Tag>;
  return <Tag tone={tones[status] ?? 'plain'}>{status.toLowerCase()}</Tag>;
};
