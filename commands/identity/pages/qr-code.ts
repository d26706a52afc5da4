/** A QR code (ISO/IEC 18004) as SVG within the page: the content security policy allows neither scripts nor inline styles for it. */
import { encode } from 'uqr';
import { type Html, html } from './html';

/** Dark on light in both themes, with the margin that the standard requires: some readers refuse inverted codes. */
const margin = 4;

export const qrCode = (text: string, alternative: string): Html => {
  const { data, size } = encode(text, { ecc: 'M', border: margin });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return html`<svg class="qr" role="img" aria-label="${alternative}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`;
};
