/** Whether a view follows the log. */
import { StatusBadge, type Tone } from '../../components/status-badge';
import { renderTime } from '../../kernel/now';
import type { ViewRow } from '../api-types';

const tones: { readonly [phase: string]: Tone } = { live: 'good', stopped: 'bad', failed: 'bad', isolated: 'bad' };

const longestSilenceMilliseconds = 30_000;

/** No projector has reported it lately, so its phase is an old one. */
const isSilent = ({ seenAt }: ViewRow, now: number): boolean => now - Date.parse(seenAt) > longestSilenceMilliseconds;

export const isLive = (view: ViewRow, now: number): boolean => view.phase === 'live' && !isSilent(view, now);

export const ViewState = ({ view }: { readonly view: ViewRow }) =>
  isSilent(view, renderTime()) ? (
    <StatusBadge tone="bad">no projector</StatusBadge>
  ) : (
    <StatusBadge tone={tones[view.phase] ?? 'warn'}>{view.phase}</StatusBadge>
  );
