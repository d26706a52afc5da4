/** What the reader of PDF needs for some files: the standard fonts that files need not contain, and decoders of their pictures. */

import dingbats from 'pdfjs-dist/standard_fonts/FoxitDingbats.pfb';
import fixed from 'pdfjs-dist/standard_fonts/FoxitFixed.pfb';
import fixedBold from 'pdfjs-dist/standard_fonts/FoxitFixedBold.pfb';
import fixedBoldItalic from 'pdfjs-dist/standard_fonts/FoxitFixedBoldItalic.pfb';
import fixedItalic from 'pdfjs-dist/standard_fonts/FoxitFixedItalic.pfb';
import serif from 'pdfjs-dist/standard_fonts/FoxitSerif.pfb';
import serifBold from 'pdfjs-dist/standard_fonts/FoxitSerifBold.pfb';
import serifBoldItalic from 'pdfjs-dist/standard_fonts/FoxitSerifBoldItalic.pfb';
import serifItalic from 'pdfjs-dist/standard_fonts/FoxitSerifItalic.pfb';
import symbol from 'pdfjs-dist/standard_fonts/FoxitSymbol.pfb';
import sansBold from 'pdfjs-dist/standard_fonts/LiberationSans-Bold.ttf';
import sansBoldItalic from 'pdfjs-dist/standard_fonts/LiberationSans-BoldItalic.ttf';
import sansItalic from 'pdfjs-dist/standard_fonts/LiberationSans-Italic.ttf';
import sans from 'pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf';
import jbig2 from 'pdfjs-dist/wasm/jbig2.wasm';
import openjpeg from 'pdfjs-dist/wasm/openjpeg.wasm';
import qcms from 'pdfjs-dist/wasm/qcms_bg.wasm';

const addresses: { readonly [filename: string]: string } = {
  'FoxitFixed.pfb': fixed,
  'FoxitFixedBold.pfb': fixedBold,
  'FoxitFixedBoldItalic.pfb': fixedBoldItalic,
  'FoxitFixedItalic.pfb': fixedItalic,
  'FoxitSerif.pfb': serif,
  'FoxitSerifBold.pfb': serifBold,
  'FoxitSerifBoldItalic.pfb': serifBoldItalic,
  'FoxitSerifItalic.pfb': serifItalic,
  'FoxitDingbats.pfb': dingbats,
  'FoxitSymbol.pfb': symbol,
  'LiberationSans-Bold.ttf': sansBold,
  'LiberationSans-BoldItalic.ttf': sansBoldItalic,
  'LiberationSans-Italic.ttf': sansItalic,
  'LiberationSans-Regular.ttf': sans,
  'jbig2.wasm': jbig2,
  'openjpeg.wasm': openjpeg,
  'qcms_bg.wasm': qcms,
};

interface WantedData {
  readonly filename: string;
}

const fetchData = async ({ filename }: WantedData): Promise<Uint8Array> => {
  const address = addresses[filename];
  if (address === undefined) throw new Error(`The console does not have ${filename}.`);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${filename} was answered with ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
};

/** Made by the reader with `new`; assets have hashes in their names, so no address is made of a name. */
export function ReaderData() {
  return { fetch: fetchData };
}
