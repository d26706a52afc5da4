/**
 * One tooltip for the page. An element with `data-tooltip` shows it on hover and on focus; Escape hides it, and it stays while the pointer is on
 * it (WCAG 1.4.13). A popover lies above dialogs and is not clipped by tables.
 */
import { useEffect, useId, useRef } from 'preact/hooks';

const gap = 6;

const anchorOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null;

/** Below the anchor, or above it where the window ends. */
const place = (tooltip: HTMLElement, anchor: HTMLElement): void => {
  const [box, own] = [anchor.getBoundingClientRect(), tooltip.getBoundingClientRect()];
  const below = box.bottom + gap;
  const top = below + own.height > innerHeight ? box.top - gap - own.height : below;
  const left = Math.max(gap, Math.min(box.left, innerWidth - own.width - gap));
  tooltip.style.top = `${top}px`;
  tooltip.style.left = `${left}px`;
};

const follow = (tooltip: HTMLElement): (() => void) => {
  let describedElement: HTMLElement | null = null;
  const hide = (): void => {
    describedElement?.removeAttribute('aria-describedby');
    describedElement = null;
    tooltip.hidePopover();
  };
  const show = (anchor: HTMLElement): void => {
    if (anchor === describedElement) return;
    hide();
    describedElement = anchor;
    tooltip.textContent = anchor.dataset.tooltip ?? '';
    anchor.setAttribute('aria-describedby', tooltip.id);
    tooltip.showPopover();
    place(tooltip, anchor);
  };
  const entered = ({ target }: Event): void => {
    const anchor = anchorOf(target);
    if (anchor !== null) show(anchor);
  };
  const left = ({ relatedTarget }: MouseEvent | FocusEvent): void => {
    const isInside =
      relatedTarget instanceof Node && (tooltip.contains(relatedTarget) || describedElement?.contains(relatedTarget));
    if (describedElement !== null && isInside !== true && describedElement !== document.activeElement) hide();
  };
  const pressed = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape') hide();
  };
  const leaving = new AbortController();
  const { signal } = leaving;
  document.addEventListener('mouseover', entered, { signal });
  document.addEventListener('focusin', entered, { signal });
  document.addEventListener('mouseout', left, { signal });
  document.addEventListener('focusout', left, { signal });
  document.addEventListener('keydown', pressed, { signal });
  document.addEventListener('scroll', hide, { signal, capture: true });
  return () => leaving.abort();
};

export const TooltipLayer = () => {
  const element = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => (element.current === null ? undefined : follow(element.current)), []);
  return <div ref={element} id={id} class="tooltip" role="tooltip" popover="manual" />;
};
