/** Heading of a result that takes the place of a form. It gets the focus, so that screen readers announce it and Tab goes on from there. */
import { useEffect, useRef } from 'preact/hooks';

export const ResultHeading = ({ title }: { readonly title: string }) => {
  const element = useRef<HTMLHeadingElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <h2 ref={element} class="result-heading" tabIndex={-1}>
      {title}
    </h2>
  );
};
