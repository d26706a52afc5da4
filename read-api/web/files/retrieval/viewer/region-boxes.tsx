/** Boxes of a citation over what is drawn: fractions of it, from the upper left corner. The first one is scrolled to. */
import { useEffect, useRef } from 'preact/hooks';
import type { MarkedBox } from './marked-box';

const percent = (share: number): string => `${(100 * share).toFixed(4)}%`;

export const RegionBoxes = ({ boxes }: { readonly boxes: readonly MarkedBox[] }) => {
  const first = useRef<HTMLDivElement>(null);
  const key = JSON.stringify(boxes);
  useEffect(() => first.current?.scrollIntoView({ block: 'center', inline: 'center' }), [key]);
  const target = Math.max(
    0,
    boxes.findIndex(({ kind }) => kind === 'word'),
  );
  return (
    <div class="regions" aria-hidden="true">
      {boxes.map(({ box: { x, y, w, h }, kind, text }, at) => (
        <div
          key={`${kind} ${x} ${y} ${w} ${h}`}
          ref={at === target ? first : null}
          class={kind === 'word' ? 'region word' : 'region'}
          style={{ left: percent(x), top: percent(y), width: percent(w), height: percent(h) }}
        >
          {text !== undefined && <span class="region-text">{text}</span>}
        </div>
      ))}
    </div>
  );
};
